"""Fault bench for Discord: people talk while Discord misbehaves; then every post is accounted for.

``python -m tests.faults.bench_discord`` prints one JSON line a scenario: ``lost`` (a question heard, or a reply
written, that never stood in the channel), ``twice`` (the same answer posted again) and ``disorder`` (answers of one
channel not in the order of their questions). All three must be 0; the exit code says so. The kill scenario runs the
real program as a process of its own and ends it with kill -9.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.fake_discord import FakeDiscord
from tests.fake_discord.faults import Limit
from tests.faults.discord_process import DiscordProcess, write_config
from tests.model_server import ModelServer, Pace, Reply, Request
from tests.platforms.discord_stage import ADA, BEN, DiscordStage, a_town, discord_stage

POSTS = 30
CHANNELS = 6
KILLS = 20
QUIET_S = 45.0
_NUMBER = re.compile(r"answer (\d+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    scenario: str
    expected: int
    posted: int
    lost: int
    twice: int
    disorder: int

    @property
    def clean(self) -> bool:
        return not (self.lost or self.twice or self.disorder)


def scored(scenario: str, expected: list[list[int]], seen: list[list[int]]) -> Score:
    """``expected`` and ``seen`` are numbers per channel, in order."""
    lost = twice = disorder = 0
    for wanted, got in zip(expected, seen, strict=True):
        counts = Counter(got)
        lost += sum(1 for number in wanted if not counts[number])
        twice += sum(count - 1 for count in counts.values() if count > 1)
        firsts = list(dict.fromkeys(got))
        disorder += sum(1 for a, b in itertools.pairwise(firsts) if b < a)
    return Score(
        scenario=scenario,
        expected=sum(map(len, expected)),
        posted=sum(map(len, seen)),
        lost=lost,
        twice=twice,
        disorder=disorder,
    )


def numbers(contents: list[str]) -> list[int]:
    return [int(found.group(1)) for text in contents if (found := _NUMBER.search(text))]


async def _posting(scenario: str, prepare: Callable[[DiscordStage, random.Random], Awaitable[None]]) -> Score:
    """Thirty replies through the dispatcher, with what ``prepare`` puts in their way."""
    async with discord_stage() as stage:
        await stage.post("before")
        items = [await stage.item(f"answer {n}", (ADA, BEN)[n % 2]) for n in range(POSTS)]
        await prepare(stage, random.Random(11))
        await stage.dispatcher.drain(items[0].chat_id)
        return scored(scenario, [list(range(POSTS))], [numbers(stage.contents())])


async def _server_errors(stage: DiscordStage, chance: random.Random) -> None:
    for _ in range(4):
        stage.discord.faults.add("POST", "hooktoken", times=2, after=True, status=503)


async def _cut_connections(stage: DiscordStage, chance: random.Random) -> None:
    for _ in range(6):
        stage.discord.faults.add("POST", "hooktoken", times=1, after=chance.random() < 0.6, cut=True)


async def _rate_limits(stage: DiscordStage, chance: random.Random) -> None:
    stage.discord.webhook_limit = Limit(count=5, window_s=0.4, hidden=True)


async def cancelled_sends() -> Score:
    """Every third send is cancelled by its caller while the request is under way."""
    async with discord_stage() as stage:
        await stage.post("before")
        chat = await stage.chat()
        for n in range(POSTS):
            item = await stage.item(f"answer {n}", ADA)
            if n % 3 == 0:
                stage.discord.faults.add("POST", "hooktoken", times=1, only_delay=True, delay_s=0.15)
                sending = asyncio.create_task(stage.adapter.deliver(chat, item, ADA))
                await asyncio.sleep(0.05)
                sending.cancel()
                await asyncio.gather(sending, return_exceptions=True)
            await stage.dispatcher.drain(chat.id)
        return scored("cancelled sends", [list(range(POSTS))], [numbers(stage.contents())])


def _answering(request: Request) -> Reply:
    """Every question ``question N`` has its own answer; a little slow, so that kills meet turns in every state."""
    asked = re.findall(r"question (\d+)", request.text)
    return Reply(text=f"answer {asked[-1]}" if asked else "answer", pace=Pace(first_s=0.05))


async def kills(count: int = KILLS) -> Score:
    """kill -9 at random moments while people talk in six channels."""
    chance = random.Random(5)
    with tempfile.TemporaryDirectory() as folder:
        async with FakeDiscord() as discord, ModelServer(_answering) as model:
            town = a_town(discord)
            channels = [town.channel]
            channels += [discord.world.add_channel(town.guild, f"room-{n}") for n in range(1, CHANNELS)]
            config = write_config(Path(folder), discord, model)
            process = await DiscordProcess.start(config, discord)
            for channel in channels:
                await discord.slash(town.ann, channel, "cast bind")
            asked: list[list[int]] = [[] for _ in channels]
            number = 0
            try:
                for _ in range(count):
                    until = asyncio.get_running_loop().time() + chance.uniform(0.3, 2.0)
                    while asyncio.get_running_loop().time() < until:
                        room = chance.randrange(CHANNELS)
                        await discord.post(channels[room], town.bob, f"Ada, question {number}")
                        asked[room].append(number)
                        number += 1
                        await asyncio.sleep(chance.uniform(0.02, 0.15))
                    await process.kill()
                    process = await DiscordProcess.start(config, discord)
                await _quiet(discord, channels, asked)
            finally:
                await process.kill()
            seen = [numbers([m["content"] for m in discord.said(channel)]) for channel in channels]
            return scored(f"kill -9 x{count}, {CHANNELS} channels", asked, seen)


async def _quiet(discord: FakeDiscord, channels: list[int], asked: list[list[int]]) -> None:
    """Until all is answered, or nothing new came for QUIET_S; then a moment for what should not come."""
    last, since = -1, asyncio.get_running_loop().time()
    while True:
        seen = [numbers([m["content"] for m in discord.said(channel)]) for channel in channels]
        if all(set(a) <= set(s) for a, s in zip(asked, seen, strict=True)):
            break
        total = sum(map(len, seen))
        now = asyncio.get_running_loop().time()
        if total != last:
            last, since = total, now
        if now - since > QUIET_S:
            break
        await asyncio.sleep(0.1)
    await asyncio.sleep(2.0)


async def bench() -> bool:
    """Runs every scenario; True when all are clean."""
    runs: list[Callable[[], Awaitable[Score]]] = [
        lambda: _posting("503 after create x2", _server_errors),
        lambda: _posting("cut connections", _cut_connections),
        lambda: _posting("429 storm", _rate_limits),
        cancelled_sends,
        kills,
    ]
    clean = True
    for run in runs:
        score = await run()
        print(json.dumps({"platform": "discord", **asdict(score)}), flush=True)
        clean &= score.clean
    return clean


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(bench()) else 1)
