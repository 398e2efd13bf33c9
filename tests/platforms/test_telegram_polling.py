"""The poller alone against our Bot API server: what it asks for, how it waits, when it acknowledges. Its pauses are
recorded, not waited for.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from adapters.telegram.poller import ALLOWED_UPDATES, Inlet, Poller
from adapters.telegram.wire import Clients
from orchestration.errors import StorageUnavailable
from storage.memory import MemoryStorage
from tests.fake_telegram import FakeTelegram
from tests.platforms.telegram_stage import ANN, GROUP, HOST, HOST_TOKEN, a_world


@dataclass(slots=True, kw_only=True)
class Polling:
    server: FakeTelegram
    storage: MemoryStorage
    pauses: list[float] = field(default_factory=list)
    broken: int = 0
    """So many batches cannot be stored."""
    slept: asyncio.Event = field(default_factory=asyncio.Event)

    async def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.slept.set()
        await asyncio.sleep(0)

    async def seal(self, update: dict[str, Any]) -> dict[str, Any]:
        if self.broken:
            self.broken -= 1
            raise StorageUnavailable("the disk is full")
        return update

    async def stored(self, number: int) -> None:
        """Waits until the update with this number is in the inbox."""
        async with asyncio.timeout(20):
            while True:
                async with self.storage.read() as uow:
                    if (await uow.inbox.last_id("host") or 0) >= number:
                        return
                await asyncio.sleep(0.01)

    def offsets(self) -> list[str | None]:
        return [call.params.get("offset") for call in self.server.world.calls_of("getUpdates")]


@asynccontextmanager
async def polling(
    *, broken: int = 0, timeout_s: int = 2, monotonic: Callable[[], float] = time.monotonic, **fault: Any
) -> AsyncIterator[Polling]:
    async with FakeTelegram(a_world()) as server:
        if fault:
            server.fail("status", method="getUpdates", **fault)
        clients = Clients(server.url)
        bench = Polling(server=server, storage=MemoryStorage(), broken=broken)
        inlet = Inlet(storage=bench.storage, source="host", seal=bench.seal, wake=asyncio.Event())
        client = clients.client(HOST_TOKEN)
        poller = Poller(client, inlet, timeout_s=timeout_s, sleep=bench.sleep, monotonic=monotonic)
        task = asyncio.create_task(poller.run())
        try:
            yield bench
        finally:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            await clients.close()


async def test_every_poll_names_every_kind_and_acknowledges_what_is_stored() -> None:
    async with polling() as bench:
        bench.server.acts.say(GROUP, ANN, "one")
        await bench.stored(1)
        bench.server.acts.say(GROUP, ANN, "two")
        await bench.stored(2)
        calls = bench.server.world.calls_of("getUpdates")
        for call in calls:
            asked = call.params["allowed_updates"]
            assert all(kind in asked for kind in ALLOWED_UPDATES)
        assert {"message", "edited_message", "callback_query", "my_chat_member", "managed_bot"} <= set(ALLOWED_UPDATES)
        assert bench.offsets()[0] is None
        assert "2" in bench.offsets()
        assert bench.pauses == []


async def test_what_cannot_be_stored_is_not_acknowledged() -> None:
    async with polling(broken=2) as bench:
        bench.server.acts.say(GROUP, ANN, "one")
        await bench.stored(1)
        assert bench.offsets()[:3] == [None, None, None]
        assert [u["update_id"] for u in bench.server.world.bot(HOST).updates] in ([1], [])


async def test_a_dead_token_is_said_once(caplog: pytest.LogCaptureFixture) -> None:
    async with polling(code=401, description="Unauthorized", times=5) as bench:
        bench.server.acts.say(GROUP, ANN, "one")
        await bench.stored(1)
        assert bench.pauses == [1.0, 2.0, 4.0, 8.0, 16.0]
    said = [r.getMessage() for r in caplog.records if r.name.startswith("adapters.telegram")]
    assert sum("refused" in words for words in said) == 1
    assert sum("come again" in words for words in said) == 1


async def test_a_second_poller_is_waited_out_however_long_it_takes(caplog: pytest.LogCaptureFixture) -> None:
    async with polling(code=409, description="Conflict: terminated by other getUpdates request", times=40) as bench:
        bench.server.acts.say(GROUP, ANN, "one")
        await bench.stored(1)
        assert len(bench.pauses) == 40
        assert max(bench.pauses) <= 10
    said = [r.getMessage() for r in caplog.records if r.name.startswith("adapters.telegram")]
    assert sum("409" in words for words in said) == 1


async def test_retry_after_is_waited_for_to_the_second() -> None:
    async with polling(code=429, parameters={"retry_after": 17}, times=2) as bench:
        bench.server.acts.say(GROUP, ANN, "one")
        await bench.stored(1)
        assert bench.pauses == [17.0, 17.0]


async def test_a_server_that_does_not_wait_for_news_is_not_hammered() -> None:
    async with polling(timeout_s=0, monotonic=lambda: 0.0) as bench, asyncio.timeout(20):
        await bench.slept.wait()
        assert set(bench.pauses) == {0.3}
