"""The limiter under a clock of its own: no test waits."""

from __future__ import annotations

import asyncio

import pytest

from adapters.telegram.calls import Calls
from adapters.telegram.limiter import Limiter, Priority, Rates
from adapters.telegram.wire import Clients
from storage.memory import MemoryStorage
from tests.core import real_time

BOT, OTHER_BOT, GROUP, OTHER = 1, 2, -100, -200


class Clock:
    """Time that passes only when somebody sleeps; sleepers wake in order."""

    def __init__(self) -> None:
        self.now = 1000.0
        self._sleepers: list[tuple[float, int, asyncio.Future[None]]] = []

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        woken: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._sleepers.append((self.now + seconds, len(self._sleepers), woken))
        await woken

    async def run(self, until: float) -> None:
        """Lets time pass until then."""
        while True:
            await self.calm()
            due = [s for s in self._sleepers if not s[2].done() and s[0] <= until]
            if not due:
                break
            at, _, woken = min(due, key=lambda s: (s[0], s[1]))
            self.now = max(self.now, at)
            woken.set_result(None)
        self.now = until

    async def calm(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)


@pytest.fixture
def clock() -> Clock:
    return Clock()


def limiter_with(clock: Clock, rates: Rates | None = None) -> Limiter:
    return Limiter(rates, monotonic=clock, sleep=clock.sleep)


async def send(limiter: Limiter, clock: Clock, log: list[tuple[float, str]], name: str, priority: Priority) -> None:
    if await limiter.admit(BOT, GROUP, priority):
        log.append((clock.now - 1000.0, name))


async def test_row_02_sixty_answers_at_once_never_go_over_the_groups_budget(clock: Clock) -> None:
    limiter, log = limiter_with(clock), list[tuple[float, str]]()
    tasks = [asyncio.create_task(send(limiter, clock, log, str(n), Priority.ANSWER)) for n in range(60)]
    await clock.run(1000.0 + 600)
    assert [name for _, name in log] == [str(n) for n in range(60)]
    times = [at for at, _ in log]
    assert all(sum(a <= t < a + 60 for t in times) <= 18 for a in times)
    assert all(sum(a <= t < a + 0.99 for t in times) <= 3 for a in times)
    await asyncio.gather(*tasks)


async def test_answers_go_before_edits_and_those_before_commands(clock: Clock) -> None:
    limiter, log = limiter_with(clock, Rates(burst=1)), list[tuple[float, str]]()
    await send(limiter, clock, log, "first", Priority.ANSWER)
    order = (Priority.COMMAND, Priority.FINAL_EDIT, Priority.ANSWER, Priority.ANSWER)
    names = ("command", "edit", "answer 1", "answer 2")
    tasks = [
        asyncio.create_task(send(limiter, clock, log, name, priority))
        for name, priority in zip(names, order, strict=True)
    ]
    await clock.run(1000.0 + 60)
    assert [name for _, name in log] == ["first", "answer 1", "answer 2", "edit", "command"]
    await asyncio.gather(*tasks)


async def test_a_commands_answer_waits_for_no_minute_of_a_busy_cast(clock: Clock) -> None:
    limiter, log = limiter_with(clock), list[tuple[float, str]]()
    tasks = [asyncio.create_task(send(limiter, clock, log, str(n), Priority.ANSWER)) for n in range(40)]
    await clock.run(1000.0 + 30)
    assert len(log) == 18
    tasks += [asyncio.create_task(send(limiter, clock, log, name, Priority.COMMAND)) for name in ("why", "trace")]
    await clock.run(1000.0 + 31)
    assert [name for _, name in log[18:]] == ["why"]
    await clock.run(1000.0 + 600)
    times = [at for at, _ in log]
    assert [name for _, name in log if name.isdigit()] == [str(n) for n in range(40)]
    assert "trace" in [name for _, name in log]
    assert all(sum(a <= t < a + 60 for t in times) <= 19 for a in times)
    await asyncio.gather(*tasks)


async def test_typing_and_passing_edits_are_dropped_not_queued(clock: Clock) -> None:
    limiter = limiter_with(clock, Rates(burst=1))
    assert await limiter.admit(BOT, GROUP, Priority.ANSWER)
    assert not await limiter.admit(BOT, GROUP, Priority.PASSING_EDIT)
    assert await limiter.admit(BOT, GROUP, Priority.TYPING)
    for _ in range(40):
        await limiter.admit(BOT, GROUP, Priority.TYPING)
    assert not await limiter.admit(BOT, GROUP, Priority.TYPING)


async def test_row_24_typing_takes_nothing_from_the_answers(clock: Clock) -> None:
    limiter = limiter_with(clock)
    for _ in range(30):
        await limiter.admit(BOT, GROUP, Priority.TYPING)
    assert await asyncio.wait_for(limiter.admit(BOT, GROUP, Priority.ANSWER), 10)


async def test_row_01_a_closed_door_stays_shut_for_every_kind_until_its_deadline(clock: Clock) -> None:
    limiter, log = limiter_with(clock), list[tuple[float, str]]()
    limiter.close(BOT, GROUP, 30)
    limiter.close(BOT, GROUP, 5)
    assert limiter.closed_for(BOT, GROUP) == 30
    assert not await limiter.admit(BOT, GROUP, Priority.TYPING)
    assert not await limiter.admit(BOT, GROUP, Priority.PASSING_EDIT)
    tasks = [
        asyncio.create_task(send(limiter, clock, log, p.name, p))
        for p in (Priority.COMMAND, Priority.FINAL_EDIT, Priority.ANSWER)
    ]
    await clock.run(1000.0 + 29.9)
    assert log == []
    await clock.run(1000.0 + 40)
    assert [name for _, name in log] == ["ANSWER", "FINAL_EDIT", "COMMAND"]
    assert log[0][0] >= 30
    await asyncio.gather(*tasks)


async def test_a_door_that_closes_again_while_one_waits_is_waited_for(clock: Clock) -> None:
    limiter, log = limiter_with(clock), list[tuple[float, str]]()
    limiter.close(BOT, GROUP, 10)
    task = asyncio.create_task(send(limiter, clock, log, "late", Priority.ANSWER))
    await clock.run(1000.0 + 9)
    limiter.close(BOT, GROUP, 20)
    await clock.run(1000.0 + 28)
    assert log == []
    await clock.run(1000.0 + 30)
    assert [name for _, name in log] == ["late"]
    await task


async def test_row_03_one_closed_door_closes_no_other(clock: Clock) -> None:
    limiter = limiter_with(clock)
    limiter.close(BOT, GROUP, 30)
    assert await limiter.admit(BOT, OTHER, Priority.ANSWER)
    assert await limiter.admit(OTHER_BOT, GROUP, Priority.ANSWER)


async def test_one_bot_keeps_to_its_own_overall_rate(clock: Clock) -> None:
    limiter = limiter_with(clock, Rates(bot_a_second=5))
    admitted = [asyncio.create_task(limiter.admit(BOT, -n - 1, Priority.ANSWER)) for n in range(12)]
    await clock.calm()
    assert sum(t.done() for t in admitted) == 5
    await clock.run(1003.0)
    assert all(await asyncio.gather(*admitted))


async def test_who_gives_up_waiting_blocks_nobody(clock: Clock) -> None:
    limiter, log = limiter_with(clock, Rates(burst=1)), list[tuple[float, str]]()
    await send(limiter, clock, log, "first", Priority.ANSWER)
    gone = asyncio.create_task(send(limiter, clock, log, "gone", Priority.ANSWER))
    stays = asyncio.create_task(send(limiter, clock, log, "stays", Priority.ANSWER))
    await clock.calm()
    gone.cancel()
    await clock.run(1005.0)
    assert [name for _, name in log] == ["first", "stays"]
    await asyncio.gather(gone, stays, return_exceptions=True)


async def test_private_chats_know_no_minute_budget(clock: Clock) -> None:
    limiter = limiter_with(clock, Rates(a_minute=2, burst=100))
    for _ in range(10):
        assert await limiter.admit(BOT, 77, Priority.ANSWER)


async def test_row_01_a_door_that_shuts_between_the_turn_and_the_request_is_not_knocked_at(clock: Clock) -> None:
    """A part is written down before it leaves; a 429 of another write may come in meanwhile."""
    limiter = Limiter(monotonic=clock, sleep=clock.sleep)
    client = Clients().client(f"{BOT}:{'t' * 35}")
    calls = Calls(limiter=limiter, storage=MemoryStorage(), clock=real_time, monotonic=clock, sleep=clock.sleep)
    told: list[str] = []

    class Journal:
        async def sending(self) -> None:
            told.append("sending")
            if len(told) == 1:
                limiter.close(BOT, GROUP, 5.0)

        async def not_sent(self) -> None:
            told.append("not sent")

    async def send() -> float:
        return clock.now

    task = asyncio.create_task(calls.write(client, GROUP, Priority.ANSWER, send, journal=Journal()))
    await clock.run(1010.0)
    assert await task == 1005.0
    assert told == ["sending", "not sent", "sending"]
