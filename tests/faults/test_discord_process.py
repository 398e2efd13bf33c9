"""`troupe run` on Discord as a real process: it answers, survives kill -9 and a rude gateway, and leaves when asked."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from tests.fake_discord import FakeDiscord
from tests.faults.discord_process import DiscordProcess, write_config
from tests.model_server import ModelServer, Pace, Reply, Request
from tests.platforms.discord_stage import Town, a_town

pytestmark = pytest.mark.timeout(400)


@asynccontextmanager
async def a_bound_town(folder: Path, script: object) -> AsyncIterator[tuple[Town, Path, DiscordProcess]]:
    async with FakeDiscord() as discord, ModelServer(script) as model:
        town = a_town(discord)
        config = write_config(folder, discord, model)
        process = await DiscordProcess.start(config, discord)
        try:
            await discord.slash(town.ann, town.channel, "cast bind")
            yield town, config, process
        finally:
            await process.kill()


async def test_it_answers_and_leaves_when_asked(tmp_path: Path) -> None:
    async with a_bound_town(tmp_path, "A fern.") as (town, _, process):
        discord = town.discord
        await discord.post(town.channel, town.bob, "Ada, what grows here?")
        await discord.until(lambda: discord.said(town.channel))
        assert discord.said(town.channel)[0]["author"]["username"] == "Ada"
        assert await process.stop() == 0


async def test_kill_9_in_mid_turn_and_every_question_gets_one_answer(tmp_path: Path) -> None:
    def script(request: Request) -> Reply:
        return Reply(text=f"Answer {request.last_user.split('question ')[-1][:2]}", pace=Pace(first_s=0.15))

    async with a_bound_town(tmp_path, script) as (town, config, process):
        discord = town.discord
        for number in range(10, 16):
            await discord.post(town.channel, town.bob, f"Ada, question {number}")
        await discord.until(lambda: len(discord.said(town.channel)) >= 2)
        await process.kill()
        process = await DiscordProcess.start(config, discord)
        try:
            await discord.until(lambda: len(discord.said(town.channel)) >= 6, timeout=90)
            await asyncio.sleep(1.0)  # a second copy would turn up now
            answers = [m["content"].split("\n")[-1] for m in discord.said(town.channel)]
            assert sorted(answers) == [f"Answer {n}" for n in range(10, 16)]
        finally:
            await process.kill()


async def test_a_rude_gateway_never_ends_the_process(tmp_path: Path) -> None:
    async with a_bound_town(tmp_path, "Still here.") as (town, _, process):
        discord = town.discord
        await discord.gateway.raw("{ this is no json")
        await discord.gateway.raw('{"op": 0, "t": "MESSAGE_CREATE", "s": 99, "d": {"nonsense": true}}')
        discord.gateway.refuse = 2
        discord.gateway.forget_sessions()
        await discord.gateway.cut()
        await discord.until(lambda: discord.gateway.sockets, timeout=60)
        await discord.post(town.channel, town.bob, "Ada, are you there?")
        await discord.until(lambda: discord.said(town.channel), timeout=60)
        assert process.returncode is None


async def test_without_the_privileged_intent_it_lives_on_and_says_so(tmp_path: Path) -> None:
    async with FakeDiscord() as discord, ModelServer("I hear you.") as model:
        town = a_town(discord)
        discord.world.message_content = False
        config = write_config(tmp_path, discord, model)
        process = await DiscordProcess.start(config, discord)
        try:
            await discord.slash(town.ann, town.channel, "cast bind")
            await discord.until(lambda: any("Message Content" in m["content"] for m in discord.said(town.channel)))
            await discord.post(town.channel, town.bob, "Ada, can you read this?")
            mention = f"<@{900_000_000_000_000_001}> Ada, can you hear this?"
            await discord.post(town.channel, town.bob, mention)
            await discord.until(lambda: any("I hear you." in m["content"] for m in discord.said(town.channel)))
            notices = [m for m in discord.said(town.channel) if "Message Content" in m["content"]]
            assert len(notices) == 1
        finally:
            await process.stop()
        assert "Message Content" in process.errors


async def test_first_connection_refused(tmp_path: Path) -> None:
    async with FakeDiscord() as discord, ModelServer("Here.") as model:
        town = a_town(discord)
        discord.gateway.refuse = 2
        discord.faults.add("GET", "/users/@me", times=1, cut=True)
        process = await DiscordProcess.start(write_config(tmp_path, discord, model), discord)
        await discord.slash(town.ann, town.channel, "cast bind")
        await discord.post(town.channel, town.bob, "Ada?")
        await discord.until(lambda: discord.said(town.channel))
        assert await process.stop() == 0


async def test_a_wrong_token_is_one_line(tmp_path: Path) -> None:
    async with FakeDiscord() as discord, ModelServer("Here.") as model:
        a_town(discord)
        config = write_config(tmp_path, discord, model)
        discord.token = "another-token"
        with pytest.raises(AssertionError, match="refuses the bot's token"):
            await DiscordProcess.start(config, discord, token="wrong-token-0123456789")
