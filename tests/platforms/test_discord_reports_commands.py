"""Public reports about commands (docs/discord.md, rows 38 to 42), and what each command does."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from orchestration.ports import UnitOfWork
from storage.memory import MemoryStorage
from tests.fake_discord import FakeDiscord
from tests.fake_discord.world import MANAGE_MESSAGES
from tests.model_server import Pace, Reply, Request
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


async def test_an_agent_is_added_by_one_form_and_speaks_at_once() -> None:
    async with discord_stage("Woof.") as stage:
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent add")
        done = await stage.discord.submit(
            stage.town.ann,
            shown,
            name="Rex",
            aliases="Rexy, Doggo",
            character="a loyal dog",
            tone="barks",
            avatar="https://faces.example/rex.png",
        )
        assert "Rex" in done.text
        [post] = await stage.say("Doggo, sit!")
        assert post["author"]["username"] == "Rex"
        assert post["avatar_url"] == "https://faces.example/rex.png"
        audit = await stage.discord.slash(stage.town.ann, stage.channel, "audit")
        assert "agent_add" in audit.text


async def test_an_agent_added_in_one_server_is_unknown_in_the_next() -> None:
    async with discord_stage("Woof.") as stage:
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent add")
        await stage.discord.submit(stage.town.ann, shown, name="Rex", character="a dog")
        other = stage.discord.world.add_guild("Elsewhere")
        channel = stage.discord.world.add_channel(other, "general")
        from tests.fake_discord.gateway import guild_json

        await stage.discord.gateway.tell(other.id, "GUILD_CREATE", guild_json(stage.discord.world, other))
        listed = await stage.discord.slash(other.owner_id, channel, "agent list")
        assert "Rex" not in listed.text
        assert "Ada" in listed.text


async def test_a_member_without_the_right_changes_nothing() -> None:
    async with discord_stage() as stage:
        for path, options in (
            ("agent pause", {"agent": "Ada"}),
            ("agent remove", {"agent": "Ada"}),
            ("cast unbind", {}),
            ("cast sync", {}),
            ("settings", {"agents_max": 1}),
        ):
            used = await stage.discord.slash(stage.town.eve, stage.channel, path, **options)
            assert "admins" in used.text, path
        assert await stage.say("Ada, still here?")


async def test_the_form_for_an_edit_holds_the_card_and_a_picture_link_that_dies_is_refused() -> None:
    async with discord_stage() as stage:
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada")
        assert shown.modal is not None
        assert "a calm botanist" in json.dumps(shown.modal)
        bad = "https://cdn.discordapp.com/attachments/1/2/ada.png"
        done = await stage.discord.submit(stage.town.ann, shown, avatar=bad)
        assert "stop working" in done.text
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada")
        done = await stage.discord.submit(stage.town.ann, shown, tone="whispers")
        assert "Ada" in done.text
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent show", agent="Ada")
        assert "whispers" in shown.text


async def test_a_card_is_imported_from_a_file() -> None:
    card = {"spec": "chara_card_v2", "data": {"name": "Mina", "description": "{{char}} likes {{user}}."}}
    async with discord_stage("Hi.") as stage:
        url = stage.discord.file_url("mina.json", json.dumps(card).encode())
        file = {"id": "77", "filename": "mina.json", "size": 90, "url": url, "proxy_url": url}
        done = await stage.discord.slash(stage.town.ann, stage.channel, "agent import", file=file)
        assert "Mina" in done.text
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent show", agent="Mina")
        assert "Mina likes" in shown.text


async def test_an_uploaded_picture_becomes_a_lasting_address() -> None:
    png = b"\x89PNG\r\n\x1a\n" + b"0" * 100
    async with discord_stage("Hi.") as stage:
        url = stage.discord.file_url("rex.png", png)
        file = {"id": "78", "filename": "rex.png", "size": len(png), "url": url, "proxy_url": url}
        done = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada", avatar=file)
        assert "Ada" in done.text
        [emoji] = stage.discord.world.emojis
        card = await stage.casts.get((await stage.chat()).tenant_id, "Ada")
        assert card is not None
        assert emoji["id"] in card.avatar
        big = file | {"size": 10_000_000}
        done = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada", avatar=big)
        assert "big" in done.text or "256" in done.text


async def test_why_names_agent_model_and_reason() -> None:
    async with discord_stage("A fern.") as stage:
        [post] = await stage.say("Ada, what grows here?")
        for used in (
            await stage.discord.slash(stage.town.bob, stage.channel, "why"),
            await stage.discord.slash(stage.town.bob, stage.channel, "why", message=post["id"]),
            await stage.discord.message_command(stage.town.bob, stage.channel, "Why this reply?", post["id"]),
        ):
            assert "Ada" in used.text
            assert "scripted" in used.text
            assert "name" in used.text.lower()
            assert used.ephemeral


async def test_stop_now_breaks_off_the_answer() -> None:
    def script(request: Request) -> Reply:
        return Reply(text="Too late.", pace=Pace(first_s=20.0))

    async with discord_stage(script) as stage:
        await stage.discord.post(stage.channel, stage.town.bob, "Ada, a long story please")
        await stage.model.wait_for(1)
        used = await stage.discord.slash(stage.town.bob, stage.channel, "stop", now=True)
        assert "at once" in used.text
        await stage.settled()
        assert stage.contents() == []


async def test_regenerate_replaces_the_words_in_place() -> None:
    async with discord_stage("First.") as stage:
        [post] = await stage.say("Ada, say something")
        stage.model.script("Second.")
        await stage.discord.slash(stage.town.bob, stage.channel, "regenerate")
        await stage.until(lambda: stage.contents() == ["Second."])
        assert stage.discord.said(stage.channel)[0]["id"] == post["id"]
        [edit] = stage.discord.requests("PATCH", "/webhooks/")[-1:]
        assert edit.body["allowed_mentions"]["parse"] == []


async def test_settings_are_set_and_shown() -> None:
    async with discord_stage() as stage:
        await stage.discord.slash(
            stage.town.ann, stage.channel, "settings", agents_max=2, locale="zh", quiet_hours="22:00-07:00"
        )
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "settings")
        assert "agents_max = 2" in shown.text
        assert "22:00-07:00" in shown.text
        wrong = await stage.discord.slash(stage.town.ann, stage.channel, "settings", quiet_hours="nonsense")
        assert "nonsense" in wrong.text


async def test_answers_come_in_the_persons_language() -> None:
    async with FakeDiscord() as discord:
        town = a_town(discord)
        town.guild.locale = "zh-CN"
        async with discord_stage(town=town) as stage:
            used = await discord.slash(town.ann, stage.channel, "cast show")
            assert "智能体" in used.text


async def test_a_channel_that_cannot_be_bound_is_refused() -> None:
    async with discord_stage() as stage:
        stage_kind = await stage.discord.add_channel(stage.town.guild, "townhall", kind=13)
        used = await stage.discord.slash(stage.town.ann, stage_kind, "cast bind")
        assert "text, voice and forum" in used.text


async def test_a_clarification_has_buttons_that_only_the_asking_person_may_press_also_after_a_restart() -> None:
    storage = MemoryStorage()

    async with FakeDiscord() as discord:
        town = a_town(discord)
        question = await _ask(town, storage)
        async with discord_stage("So you meant me.", town=town, storage=storage) as stage:
            label = question["components"][0]["components"][0]["label"]
            stranger = await discord.click(town.eve, question, label)
            assert stranger.acknowledged_s is not None
            assert stranger.acknowledged_s < 3
            assert "somebody else" in stranger.text
            await discord.click(town.bob, question, label)
            await stage.until(lambda: any(text.endswith("So you meant me.") for text in stage.contents()))
            await stage.settled()
            again = await discord.click(town.bob, question, label)
            assert again.text
            assert len([text for text in stage.contents() if text.endswith("So you meant me.")]) == 1


async def _ask(town: Any, storage: MemoryStorage) -> Any:
    """Has the core put a question, as it does for a message that is not clear."""
    from datetime import UTC, datetime, timedelta

    from orchestration.model import Choice, OutboxKind
    from orchestration.sessions import PendingClarification, SessionState
    from orchestration.turns import TurnRecord, TurnStatus

    async with discord_stage("Here.", town=town, storage=storage) as stage:
        message = await town.discord.post(town.channel, town.bob, "just some words of mine")
        stored = await stage.stored(message["id"])
        await stage.settled()
        choices = (Choice(id="a", label="Ada", agent_ids=("ada",)), Choice(id="b", label="Ben", agent_ids=("ben",)))
        now = datetime.now(UTC)
        chat = await stage.chat()
        turn_id = f"turn:{chat.id}:{999:012d}"
        async with storage.begin() as uow:
            turn = TurnRecord(
                id=turn_id,
                chat_id=chat.id,
                tenant_id=chat.tenant_id,
                seq=stored.seq,
                trace_id="t" * 32,
                person_id=stored.author.id,
                status=TurnStatus.CLARIFYING,
                message_seqs=(stored.seq,),
                created_at=now,
                last_line_at=now,
            )
            await uow.turns.add(turn)
            session = await uow.sessions.get(chat.id)
            pending = PendingClarification(
                turn_id=turn_id,
                person_id=stored.author.id,
                question="Whom do you mean?",
                choices=choices,
                asked_at=now,
                expires_at=now + timedelta(minutes=10),
            )
            from dataclasses import replace

            await uow.sessions.save(replace(session, state=SessionState.CLARIFYING, pending=pending))
        await stage.post(
            "Whom do you mean?",
            None,
            kind=OutboxKind.CLARIFICATION,
            id=f"{turn_id}:question",
            turn_id=turn_id,
            person_id=stored.author.id,
            choices=choices,
        )
        return stage.discord.said(town.channel)[-1]
