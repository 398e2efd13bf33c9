"""Public reports about identity (docs/discord.md, rows 1 to 13 and 26): every agent under its own face."""

from __future__ import annotations

import pytest

from adapters.discord.faces import looks
from orchestration.model import AgentCard
from tests.platforms.discord_stage import ADA, BEN, discord_stage


def card(name: str, agent_id: str) -> AgentCard:
    return AgentCard(id=agent_id, name=name, description="somebody", starter=True)


async def test_row_01_two_agents_of_one_name_are_refused() -> None:
    async with discord_stage() as stage:
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent add")
        done = await stage.discord.submit(stage.town.ann, shown, name="Ada", character="another Ada")
        assert "Ada" in done.text
        assert [c.id for c in await stage.casts.of((await stage.chat()).tenant_id)] == ["ada", "ben"]


async def test_row_01_a_human_of_the_same_name_does_not_run_together_with_the_agent() -> None:
    async with discord_stage("Here.") as stage:
        double = stage.discord.world.add_user("Ada")
        stage.discord.world.join(stage.town.guild, double)
        posts = await stage.say("Ada, where are you?", who=double)
        name = posts[0]["author"]["username"]
        assert name != "Ada"
        assert looks(name) == looks("Ada")


async def test_row_02_each_post_names_its_own_speaker() -> None:
    async with discord_stage("Yes.") as stage:
        await stage.post("one", ADA)
        await stage.post("two", BEN)
        await stage.post("three", ADA)
        assert [m["author"]["username"] for m in stage.discord.said(stage.channel)] == ["Ada", "Ben", "Ada"]


async def test_row_03_every_post_has_an_avatar() -> None:
    async with discord_stage() as stage:
        await stage.post("without a picture of her own", ADA)
        await stage.post("with one", BEN)
        sent = [
            one.body["avatar_url"] for one in stage.discord.requests("POST", "/webhooks/") if "avatar_url" in one.body
        ]
        assert sent[0].startswith("https://cdn.discordapp.com/embed/avatars/")
        assert sent[1] == BEN.avatar


@pytest.mark.parametrize(
    "name", ["Discord Helper", "Clyde", "clyde the 2nd", "here", "everyone", "EVERYONE", "X", "猫", "x" * 80, "```"]
)
async def test_rows_10_11_12_names_that_discord_refuses_are_mended(name: str) -> None:
    async with discord_stage("Yes.", cast=(card(name, "odd"),)) as stage:
        item = await stage.post("I am here.", card(name, "odd"))
        posted = stage.discord.said(stage.channel)[-1]
        assert item.error == ""
        assert posted["content"] == "I am here."
        assert looks(posted["author"]["username"]) == looks(name)


@pytest.mark.parametrize("name", ["\u200b\u200b", "\u2060", " \u200d "])
async def test_row_13_a_name_that_cannot_be_seen_still_posts(name: str) -> None:
    async with discord_stage("Yes.", cast=(card(name, "odd"),)) as stage:
        await stage.post("I am here.", card(name, "odd"))
        assert stage.contents() == ["I am here."]


async def test_a_family_emoji_stays_whole_in_a_name() -> None:
    name = "👨‍👩‍👧‍👦" * 12
    async with discord_stage("Yes.", cast=(card(name, "odd"),)) as stage:
        await stage.post("Hello.", card(name, "odd"))
        shown = stage.discord.said(stage.channel)[-1]["author"]["username"]
        assert len(shown.encode("utf-16-le")) // 2 <= 80
        assert shown.replace("👨‍👩‍👧‍👦", "") == ""


async def test_a_name_that_is_refused_all_the_same_is_replaced_once() -> None:
    async with discord_stage("Yes.") as stage:
        body = {"code": 50035, "message": "Invalid Form Body", "errors": {"username": {"_errors": [{"code": "X"}]}}}
        await stage.post("first", ADA)
        stage.discord.faults.add("POST", "/webhooks/", status=400, body=body)
        await stage.post("second", ADA)
        assert stage.contents() == ["first", "second"]


async def test_row_26_a_renamed_bot_does_not_talk_to_itself() -> None:
    async with discord_stage("Hello.") as stage:
        await stage.say("Ada, hello")
        user = stage.discord.world.users[900_000_000_000_000_001]
        user["username"] = user["global_name"] = "Bob"
        await stage.say("Ada, hello again")
        await stage.settled()
        assert stage.contents() == ["Hello.", "Hello."]
