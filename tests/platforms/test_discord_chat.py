"""A conversation in a Discord server, end to end: gateway event in, persona post out."""

from __future__ import annotations

import pytest

from tests.platforms.discord_stage import discord_stage


async def test_a_message_in_a_bound_channel_is_answered_under_the_agents_face() -> None:
    async with discord_stage("It is a fern.") as stage:
        posts = await stage.say("Ada, what grows here?")
        assert [(p["author"]["username"], p["content"]) for p in posts] == [("Ada", "It is a fern.")]
        sent = stage.discord.requests("POST", "/webhooks/")[-1]
        assert sent.query["wait"] == "1"
        assert sent.body["avatar_url"].startswith("https://")
        assert sent.body["allowed_mentions"]["parse"] == []


async def test_an_unbound_channel_is_silent_and_stores_nothing() -> None:
    async with discord_stage(bound=False) as stage:
        await stage.discord.post(stage.channel, stage.town.bob, "Ada, hello?")
        other = stage.discord.world.add_channel(stage.town.guild, "other")
        await stage.discord.tell("CHANNEL_CREATE", stage.discord.world.channel(other))
        await stage.bind(other)
        await stage.say("Ada, hello there", place=other)
        assert stage.discord.said(stage.channel) == []
        async with stage.storage.read() as uow:
            assert [chat.key.channel_id for chat in await uow.chats.all()] == [str(other)]


@pytest.mark.parametrize("piece", ["word ", "A sentence of some length. ", "Ein Absatz.\n\n", "猫", "x"])
async def test_fifty_thousand_characters_of_a_model_arrive_whole(piece: str) -> None:
    text = (piece * (50_000 // len(piece))).strip()
    async with discord_stage(text) as stage:
        posts = await stage.say("Ada, tell everything")
        assert len(posts) <= 5
        assert all(0 < len(post["content"]) <= 2000 for post in posts)
        [file] = posts[-1]["attachments"]
        assert file["data"] == text
