"""Two processes on one database: one hears, the other stands by and takes over."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from adapters.telegram.addresses import key_of
from adapters.telegram.reader import READER, NotReader, Reader
from storage.memory import MemoryStorage
from tests.fake_telegram import FakeTelegram
from tests.platforms.telegram_stage import ANN, AVA_BOT, AVA_TOKEN, GROUP, HOST, a_world, telegram_stage

START = datetime(2026, 1, 1, tzinfo=UTC)


class Clock:
    """Time that passes with the sleeps of those who ask."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        await asyncio.sleep(0)


def reader(storage: MemoryStorage, clock: Clock, me: str, dead_after_s: float = 8.0) -> Reader:
    return Reader(storage=storage, clock=clock, source="bot", me=me, dead_after_s=dead_after_s, sleep=clock.sleep)


async def nothing() -> None:
    """No work while waiting."""


async def test_who_comes_second_waits_until_the_first_is_silent_for_too_long() -> None:
    storage, clock = MemoryStorage(), Clock()
    await reader(storage, clock, "first").wait(nothing)
    began = clock.now
    await reader(storage, clock, "second").wait(nothing)
    assert timedelta(seconds=7) < clock.now - began < timedelta(seconds=14)


async def test_who_resigns_is_followed_at_once_and_whoever_was_replaced_learns_it() -> None:
    storage, clock = MemoryStorage(), Clock()
    first, second = reader(storage, clock, "first"), reader(storage, clock, "second")
    await first.wait(nothing)
    await second.resign()
    await first.resign()
    began = clock.now
    await second.wait(nothing)
    assert clock.now - began < timedelta(seconds=2)
    with pytest.raises(NotReader):
        await first.keep()


async def test_a_process_alone_writes_nothing_and_waits_for_nobody() -> None:
    storage, clock = MemoryStorage(), Clock()
    alone = reader(storage, clock, "only", 0.0)
    await alone.wait(nothing)
    await alone.resign()
    assert alone.alone
    assert clock.now == START
    async with storage.read() as uow:
        assert await uow.platform_state.items(READER) == {}


async def test_one_hears_and_the_other_takes_over_with_all_that_was_learnt(tmp_path: Path) -> None:
    storage, pool = MemoryStorage(), {"ava": AVA_TOKEN}
    both: dict[str, Any] = {"storage": storage, "pool": pool, "data_dir": tmp_path, "stand_by_s": 4.0}
    async with FakeTelegram(a_world()) as server:
        server.world.put(GROUP, AVA_BOT)
        async with telegram_stage("Once.", server=server, **both) as first:
            assert await first.say("Ava, hello") == ["Once."]
            async with telegram_stage("Second.", server=server, **both) as second:
                server.acts.remove(GROUP, AVA_BOT, by=ANN)
                assert (await first.say("Ava, and now?"))[0] == "🦊 Ava\nOnce."
                answer = await first.command("/cast")
                assert len([m for m in server.world.sent(GROUP) if m["text"] == answer["text"]]) == 1
                assert [c.status for c in server.world.calls_of("getUpdates")].count(409) == 0
                first.running.cancel()
                await asyncio.gather(first.running, return_exceptions=True)
                server.acts.say(GROUP, ANN, "Ava, who hears?")
                await second.until(lambda: [m for m in server.world.sent(GROUP) if "Second." in m["text"]])
                assert server.world.sent(GROUP)[-1]["text"] == "🦊 Ava\nSecond."
                assert server.world.sent(GROUP)[-1]["from"]["id"] == HOST
                assert await second.chat(key_of(GROUP))
