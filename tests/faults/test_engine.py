"""The durable engine alone: order per chat, work taken up again, a turn that always breaks."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from bot.engine import Engine, Fate
from bot.engine_sqlite import EngineConnection


class Steps:
    """Turn steps that write down what they did. ``hold``: each waits for `go`."""

    def __init__(self, *, hold: bool = False, broken: frozenset[str] = frozenset()) -> None:
        self.log: list[tuple[str, str]] = []
        self.running: set[str] = set()
        self.overlaps = 0
        self.go = asyncio.Event()
        self.broken = broken
        if not hold:
            self.go.set()

    async def answer(self, turn_id: str, run: int) -> None:
        chat = turn_id.split(":")[1]
        self.overlaps += chat in self.running
        self.running.add(chat)
        self.log.append(("began", turn_id))
        try:
            await self.go.wait()
            await asyncio.sleep(0.001)
            if turn_id in self.broken:
                raise RuntimeError("a fault of ours")
        finally:
            self.running.discard(chat)
        self.log.append(("ended", turn_id))

    async def give_up(self, turn_id: str) -> None:
        self.log.append(("give_up", turn_id))

    def of(self, step: str) -> list[str]:
        return [turn_id for name, turn_id in self.log if name == step]

    async def until(self, step: str, count: int) -> None:
        async with asyncio.timeout(20):
            while len(self.of(step)) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


@asynccontextmanager
async def engine(folder: Path, steps: Steps, *, executor: str = "embedded") -> AsyncIterator[Engine]:
    running = Engine(database_url=f"sqlite:///{folder / 'engine.db'}", executor_id=executor, listen_s=0.05)
    await running.start(steps)
    try:
        yield running
    finally:
        await running.close()


def turn(chat: int, seq: int) -> str:
    return f"turn:{chat}:{seq:012d}"


async def test_turns_of_a_chat_run_in_order_and_one_at_a_time(tmp_path: Path) -> None:
    steps = Steps()
    async with engine(tmp_path, steps) as queue:
        for seq in range(1, 9):
            for chat in range(1, 5):
                await queue.enqueue(turn(chat, seq), chat)
        await steps.until("ended", 32)
    assert steps.overlaps == 0
    for chat in range(1, 5):
        mine = [turn_id for turn_id in steps.of("began") if turn_id.startswith(f"turn:{chat}:")]
        assert mine == sorted(mine)


async def test_the_same_turn_again_is_not_run_again(tmp_path: Path) -> None:
    steps = Steps()
    async with engine(tmp_path, steps) as queue:
        for _ in range(5):
            await queue.enqueue(turn(1, 1), 1)
        await queue.enqueue(turn(1, 2), 1)
        await steps.until("ended", 2)
    assert steps.of("began") == [turn(1, 1), turn(1, 2)]


async def test_an_answered_clarification_runs_the_turn_once_more(tmp_path: Path) -> None:
    steps = Steps()
    async with engine(tmp_path, steps) as queue:
        await queue.enqueue(turn(1, 1), 1)
        await steps.until("ended", 1)
        await queue.enqueue(turn(1, 1), 1, 1)
        await steps.until("ended", 2)
    assert steps.of("began") == [turn(1, 1)] * 2


async def test_what_was_under_way_at_the_end_goes_on_after_the_next_start(tmp_path: Path) -> None:
    held = Steps(hold=True)
    async with engine(tmp_path, held) as queue:
        await queue.enqueue(turn(1, 1), 1)
        await queue.enqueue(turn(1, 2), 1)
        await held.until("began", 1)
        assert queue.busy
    assert held.of("ended") == held.of("give_up") == []
    steps = Steps()
    async with engine(tmp_path, steps):
        await steps.until("ended", 2)
    assert steps.of("began") == [turn(1, 1), turn(1, 2)]


async def test_what_a_version_with_steps_left_under_way_goes_on(tmp_path: Path) -> None:
    held = Steps(hold=True)
    async with engine(tmp_path, held) as queue:
        await queue.enqueue(turn(1, 1), 1)
        await held.until("began", 1)
    with closing(sqlite3.connect(tmp_path / "engine.db", factory=EngineConnection)) as database, database:
        database.execute(
            "INSERT INTO operation_outputs (workflow_uuid, function_id, function_name) VALUES (?, 1, 'think')",
            (turn(1, 1),),
        )
    steps = Steps()
    async with engine(tmp_path, steps):
        await steps.until("ended", 1)
    assert steps.of("began") == [turn(1, 1)]


async def test_the_turns_of_a_dead_process_are_taken_over(tmp_path: Path) -> None:
    held = Steps(hold=True)
    async with engine(tmp_path, held, executor="first") as queue:
        await queue.enqueue(turn(1, 1), 1)
        await held.until("began", 1)
    steps = Steps()
    async with engine(tmp_path, steps, executor="second") as queue:
        assert await queue.fate(turn(1, 1)) is Fate.UNDER_WAY
        await queue.recover(["first"])
        await steps.until("ended", 1)
    assert steps.of("began") == [turn(1, 1)]


async def test_a_turn_whose_end_could_not_be_written_is_taken_up_again(tmp_path: Path) -> None:
    held = Steps(hold=True)
    async with engine(tmp_path, held, executor="first") as queue:
        await queue.enqueue(turn(1, 1), 1)
        await held.until("began", 1)
    steps = Steps()
    async with engine(tmp_path, steps, executor="second") as queue:
        # What a full disk leaves: pending for a process that lives and does not run it.
        with closing(sqlite3.connect(tmp_path / "engine.db")) as database, database:
            database.execute("UPDATE workflow_status SET executor_id = 'second'")
        await queue.take_up_stranded()
        assert steps.of("began") == []
        await queue.take_up_stranded()
        await steps.until("ended", 1)
        for _ in range(3):
            await queue.take_up_stranded()
    assert steps.of("began") == [turn(1, 1)]


async def test_a_turn_that_breaks_is_given_up_and_the_chat_goes_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    steps = Steps(broken=frozenset({turn(1, 1)}))
    async with engine(tmp_path, steps) as queue:
        await queue.enqueue(turn(1, 1), 1)
        await queue.enqueue(turn(1, 2), 1)
        await steps.until("ended", 1)
    assert steps.of("give_up") == [turn(1, 1)]
    assert steps.of("ended") == [turn(1, 2)]


def test_an_old_sqlite_library_knows_the_time_as_the_engine_asks_for_it_on_newer_pythons() -> None:
    with closing(sqlite3.connect(":memory:", factory=EngineConnection)) as database:
        database.execute("CREATE TABLE t (id INTEGER, at INTEGER NOT NULL DEFAULT (unixepoch('subsec') * 1000))")
        database.execute("INSERT INTO t (id) VALUES (1)")
        (at,) = database.execute("SELECT at FROM t").fetchone()
    assert abs(at / 1000 - time.time()) < 60


async def test_what_a_turn_asks_of_the_engine_is_no_step_of_it(tmp_path: Path) -> None:
    class Asking(Steps):
        async def answer(self, turn_id: str, run: int) -> None:
            if turn_id == turn(1, 1):
                assert await queue.fate(turn(9, 9)) is Fate.UNKNOWN
                await queue.enqueue(turn(2, 1), 2)
            await super().answer(turn_id, run)

    steps = Asking()
    async with engine(tmp_path, steps) as queue:
        await queue.enqueue(turn(1, 1), 1)
        await steps.until("ended", 2)
    assert sorted(steps.of("ended")) == [turn(1, 1), turn(2, 1)]
    with closing(sqlite3.connect(tmp_path / "engine.db")) as database:
        assert database.execute("SELECT function_name FROM operation_outputs").fetchall() == []


async def test_an_unknown_turn_is_known_to_be_unknown(tmp_path: Path) -> None:
    async with engine(tmp_path, Steps()) as queue:
        assert await queue.fate(turn(9, 9)) is Fate.UNKNOWN


async def test_turns_queued_here_do_not_wait_for_the_next_poll(tmp_path: Path) -> None:
    steps = Steps()
    queue = Engine(database_url=f"sqlite:///{tmp_path / 'engine.db'}", executor_id="embedded", poll_s=600)
    await queue.start(steps)
    try:
        for seq in range(1, 5):
            for chat in (1, 2):
                await queue.enqueue(turn(chat, seq), chat)
        await steps.until("ended", 8)
    finally:
        await queue.close()
    assert steps.overlaps == 0
    assert [t for t in steps.of("began") if t.startswith("turn:1:")] == [turn(1, seq) for seq in range(1, 5)]


async def test_a_turn_queued_while_the_end_of_the_last_one_is_written_down_does_not_wait_either(tmp_path: Path) -> None:
    steps = Steps()
    queue = Engine(database_url=f"sqlite:///{tmp_path / 'engine.db'}", executor_id="embedded", poll_s=600)
    await queue.start(steps)
    try:
        for seq in range(1, 31):
            # Its step is over, its workflow is not.
            await queue.enqueue(turn(1, seq), 1)
            await steps.until("ended", seq)
    finally:
        await queue.close()
    assert steps.of("began") == [turn(1, seq) for seq in range(1, 31)]


async def test_a_long_queue_of_one_chat_is_never_left_to_a_poller_that_does_not_come(tmp_path: Path) -> None:
    steps = Steps(hold=True)
    queue = Engine(database_url=f"sqlite:///{tmp_path / 'engine.db'}", executor_id="embedded", poll_s=600)
    await queue.start(steps)
    try:
        for seq in range(1, 121):
            await queue.enqueue(turn(1, seq), 1)
        steps.go.set()
        while len(steps.of("ended")) < 120:
            await steps.until("ended", len(steps.of("ended")) + 1)
    finally:
        await queue.close()
    assert steps.of("began") == [turn(1, seq) for seq in range(1, 121)]


async def test_an_engine_that_was_left_without_being_closed_is_not_in_the_way_of_the_next(tmp_path: Path) -> None:
    left = Engine(database_url=f"sqlite:///{tmp_path / 'left.db'}", executor_id="embedded")
    await left.start(Steps())
    steps = Steps()
    async with engine(tmp_path, steps) as queue:
        await queue.enqueue(turn(1, 1), 1)
        await steps.until("ended", 1)
    await left.close()
    with closing(sqlite3.connect(tmp_path / "engine.db")) as database:
        assert database.execute("SELECT workflow_uuid FROM workflow_status").fetchall() == [(turn(1, 1),)]
