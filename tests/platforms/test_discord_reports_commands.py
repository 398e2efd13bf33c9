"""Public reports about commands (docs/discord.md, rows 38 to 42): registration, deadlines, rights."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from orchestration.ports import UnitOfWork
from storage.memory import MemoryStorage
from tests.fake_discord import FakeDiscord
from tests.fake_discord.world import MANAGE_MESSAGES
from tests.platforms.discord_stage import a_town, discord_stage


class SlowStorage(MemoryStorage):
    """A database that takes its time once told to."""

    wait_s = 0.0

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[UnitOfWork]:
        await asyncio.sleep(self.wait_s)
        async with super().begin() as uow:
            yield uow

    @asynccontextmanager
    async def read(self) -> AsyncIterator[UnitOfWork]:
        await asyncio.sleep(self.wait_s)
        async with super().read() as uow:
            yield uow


async def test_row_38_ten_reconnects_register_once_and_identify_at_most_four_times() -> None:
    async with discord_stage("Still here.") as stage:
        for _ in range(10):
            stage.discord.gateway.connected.clear()
            await stage.discord.gateway.cut()
            await asyncio.wait_for(stage.discord.gateway.connected.wait(), 10)
        assert await stage.say("Ada, still here?")
        assert len(stage.discord.requests("PUT", "/commands")) == 1
        assert stage.discord.gateway.identifies <= 4


async def test_row_38_a_restart_with_the_same_commands_registers_nothing() -> None:
    storage = MemoryStorage()
    async with FakeDiscord() as discord:
        town = a_town(discord)
        for _ in range(3):
            async with discord_stage(town=town, storage=storage):
                pass
        assert len(discord.requests("PUT", "/commands")) == 1


async def test_row_39_a_refused_registration_leaves_the_old_commands() -> None:
    async with FakeDiscord() as discord:
        town = a_town(discord)
        async with discord_stage(town=town):
            before = list(discord.world.commands)
        discord.faults.add("PUT", "/commands", times=1, status=400, body={"code": 30034, "message": "quota"})
        async with discord_stage(town=town) as stage:  # a new database: the commands look changed
            assert discord.world.commands == before
            assert not discord.requests("DELETE", "/commands")
            done = await discord.slash(stage.town.ann, stage.channel, "cast sync")
            assert str(len(before)) in done.text


async def test_row_40_commands_have_one_scope() -> None:
    async with discord_stage() as stage:
        puts = stage.discord.requests("PUT", "/commands")
        assert [one.path.count("/guilds/") for one in puts] == [0]
        names = [(c["name"], c.get("type", 1)) for c in stage.discord.world.commands]
        assert len(names) == len(set(names))
        for command in stage.discord.world.commands:
            assert command["contexts"] == [0]
        by_name = {c["name"]: c for c in stage.discord.world.commands}
        for name in ("agent", "cast", "settings"):
            assert by_name[name]["default_member_permissions"] in (32, "32")
        assert "zh-CN" in by_name["why"]["description_localizations"]
        assert {c["name"] for c in stage.discord.world.commands if c.get("type") == 3} == {
            "Why this reply?",
            "Regenerate",
            "Remove reply",
        }


SLASHES: list[tuple[str, dict[str, Any]]] = [
    ("agent list", {}),
    ("agent show", {"agent": "Ada"}),
    ("agent pause", {"agent": "Ada"}),
    ("agent wake", {"agent": "Ada"}),
    ("agent edit", {"agent": "Ada", "field": "tone", "value": "dry"}),
    ("agent remove", {"agent": "Ben"}),
    ("agent export", {"agent": "Ada"}),
    ("cast show", {}),
    ("cast check", {}),
    ("why", {}),
    ("trace", {}),
    ("stats", {}),
    ("summary", {}),
    ("stop", {}),
    ("resume", {}),
    ("settings", {}),
    ("help", {}),
    ("audit", {}),
    ("route", {"words": "Ada, what is up?"}),
]


@pytest.mark.parametrize(("path", "options"), SLASHES, ids=[path for path, _ in SLASHES])
async def test_row_41_a_sleeping_database_never_costs_the_three_seconds(path: str, options: dict[str, Any]) -> None:
    storage = SlowStorage()
    async with discord_stage(storage=storage) as stage:
        SlowStorage.wait_s = 0.6
        try:
            used = await stage.discord.slash(stage.town.ann, stage.channel, path, **options)
            assert used.acknowledged_s is not None
            assert used.acknowledged_s < 1.0
            assert used.ephemeral
            assert used.text
        finally:
            SlowStorage.wait_s = 0.0


async def test_route_tells_who_would_answer_and_nobody_does() -> None:
    async with discord_stage("Never said.") as stage:
        used = await stage.discord.slash(stage.town.ann, stage.channel, "route", words="Ada, what is up?")
        assert used.ephemeral
        assert "Ada" in used.text
        assert stage.model.count == 0


async def test_row_41_forms_and_suggestions_do_not_wait_for_a_database_that_sleeps_four_seconds() -> None:
    storage = SlowStorage()
    async with discord_stage(storage=storage) as stage:
        await stage.discord.slash(stage.town.ann, stage.channel, "agent list")
        SlowStorage.wait_s = 4.0
        try:
            shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent add")
            assert shown.modal is not None
            edit = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada")
            names = await stage.discord.autocomplete(stage.town.ann, stage.channel, "agent show", agent="a")
            for used in (shown, edit):
                assert used.acknowledged_s is not None
                assert used.acknowledged_s < 1.0
            assert names == ["Ada"]
        finally:
            SlowStorage.wait_s = 0.0


async def test_row_42_only_the_asking_person_or_a_moderator_removes_a_reply() -> None:
    async with discord_stage("Here.") as stage:
        [post] = await stage.say("Ada, hello", who=stage.town.bob)
        refused = await stage.discord.message_command(stage.town.eve, stage.channel, "Remove reply", post["id"])
        assert "Only the person who asked" in refused.text
        assert stage.contents() == ["Here."]
        await stage.discord.message_command(stage.town.bob, stage.channel, "Remove reply", post["id"])
        assert stage.contents() == []

        [post] = await stage.say("Ada, hello again", who=stage.town.bob)
        moderators = stage.discord.world.add_role(stage.town.guild, "Moderators", MANAGE_MESSAGES)
        stage.town.guild.members[stage.town.eve]["roles"] = [str(moderators)]
        await stage.discord.message_command(stage.town.eve, stage.channel, "Remove reply", post["id"])
        assert stage.contents() == []


async def test_row_42_a_reply_of_nobody_known_is_not_everybodys() -> None:
    async with discord_stage("Here.") as stage:
        await stage.post("said without a question", person_id=None)
        post = stage.discord.said(stage.channel)[0]
        refused = await stage.discord.message_command(stage.town.eve, stage.channel, "Remove reply", post["id"])
        assert refused.text
        assert stage.contents() == ["said without a question"]
