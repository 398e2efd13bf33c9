"""Background work in the durable engine: its own queue, one at a time per chat, once for one name, over any crash."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from bot.backups import Backups
from bot.engine import Engine
from bot.scheduler import OPEN_S, Scheduler, Ticks
from orchestration.events import Event, EventKind
from orchestration.memory.records import Work
from orchestration.upkeep import Due
from storage.database import Database
from tests.chat_process import ChatProcess, write_config
from tests.chats.stage import Time
from tests.faults.test_engine import Steps, turn
from tests.model_server import ModelServer, Reply, Request
from tests.upkeep_world import is_digest, is_reading, shown


class Jobs:
    """Background work that writes down what it did. ``hold``: it waits for `go`."""

    def __init__(self, *, hold: bool = False) -> None:
        self.done: list[tuple[str, int]] = []
        self.began: list[tuple[str, int]] = []
        self.running: set[int] = set()
        self.overlaps = 0
        self.go = asyncio.Event()
        if not hold:
            self.go.set()

    async def __call__(self, kind: str, chat_id: int) -> None:
        self.overlaps += chat_id in self.running
        self.running.add(chat_id)
        self.began.append((kind, chat_id))
        try:
            await self.go.wait()
            await asyncio.sleep(0.001)
            self.done.append((kind, chat_id))
        finally:
            self.running.discard(chat_id)

    async def until(self, count: int, *, began: bool = False) -> None:
        async with asyncio.timeout(30):
            while len(self.began if began else self.done) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def started(folder: Path, jobs: Jobs, steps: Steps | None = None) -> Engine:
    engine = Engine(database_url=f"sqlite:///{folder / 'engine.db'}", executor_id="embedded", listen_s=0.05)
    await engine.start(steps or Steps(), jobs)
    return engine


async def test_one_piece_at_a_time_per_chat_and_each_name_once(tmp_path: Path) -> None:
    jobs = Jobs()
    engine = await started(tmp_path, jobs)
    try:
        for _ in range(3):
            for chat in (1, 2):
                for kind in ("compact", "remember", "tidy"):
                    await engine.enqueue_job(f"{kind}:{chat}:0", kind, chat)
        await jobs.until(6)
        assert not engine.busy, "background work never keeps a process that wants to end"
    finally:
        await engine.close()
    assert sorted(jobs.done) == sorted((k, c) for c in (1, 2) for k in ("compact", "remember", "tidy"))
    assert jobs.overlaps == 0


async def test_turns_do_not_wait_behind_background_work(tmp_path: Path) -> None:
    jobs, steps = Jobs(hold=True), Steps()
    engine = await started(tmp_path, jobs, steps)
    try:
        for number in range(12):
            await engine.enqueue_job(f"tidy:{number}:0", "tidy", number)
        await jobs.until(1, began=True)
        await engine.enqueue(turn(1, 1), 1)
        await steps.until("ended", 1)
        assert jobs.done == []
    finally:
        await engine.close()


async def test_what_was_under_way_goes_on_after_the_next_start(tmp_path: Path) -> None:
    held = Jobs(hold=True)
    engine = await started(tmp_path, held)
    await engine.enqueue_job("compact:1:0", "compact", 1)
    await held.until(1, began=True)
    await engine.close()
    assert held.done == []
    jobs = Jobs()
    engine = await started(tmp_path, jobs)
    try:
        await jobs.until(1)
    finally:
        await engine.close()
    assert jobs.done == [("compact", 1)]


async def test_a_tick_that_fails_is_noted_and_the_next_one_comes(caplog: pytest.LogCaptureFixture) -> None:
    ticks = asyncio.Queue[int]()

    async def tick() -> None:
        ticks.put_nowait(1)
        raise RuntimeError("a fault of ours")

    scheduler = Scheduler(tick, every_s=0.05)
    scheduler.start()
    try:
        async with asyncio.timeout(10):
            for _ in range(3):
                await ticks.get()
    finally:
        scheduler.close()
    assert "looking for background work failed" in caplog.text


async def test_a_tick_under_way_when_the_process_closes_is_no_failure(caplog: pytest.LogCaptureFixture) -> None:
    begun = asyncio.Event()

    async def tick() -> None:
        begun.set()
        await asyncio.Event().wait()

    scheduler = Scheduler(tick, every_s=0.05)
    scheduler.start()
    async with asyncio.timeout(10):
        await begun.wait()
    scheduler.close()
    await asyncio.sleep(0.05)
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


async def test_backups_are_made_once_a_day_and_the_oldest_go(tmp_path: Path) -> None:
    database, time = Database(f"sqlite:///{tmp_path / 'troupe.db'}"), Time()
    await database.open()
    try:
        await database.upgrade()
        backups = Backups(database, tmp_path / "backups", time, kept=2)
        (tmp_path / "backups").mkdir()
        (tmp_path / "backups" / "troupe-20260504.part").write_bytes(b"cut off by a crash")
        assert await backups.make()
        assert not await backups.make()
        for _ in range(3):
            time.pass_(86_400)
            assert await backups.make()
    finally:
        await database.close()
    assert [f.name for f in sorted((tmp_path / "backups").iterdir())] == ["troupe-20260506.db", "troupe-20260507.db"]
    assert backups.newest() == tmp_path / "backups" / "troupe-20260507.db"


# ------------------------------------------------------------------------------------------ the whole process


def script(request: Request) -> Any:
    if is_reading(request):
        found = [n for n, words in shown(request).items() if "oolong" in words and re.match(r"p\d", words)]
        item = {"about": "p1", "kind": "preference", "text": "drinks oolong tea", "from": found, "quote": "oolong tea"}
        return Reply(obj={"memories": [item] if found else []}, delay_s=0.3)
    if is_digest(request):
        told = list(shown(request).items())
        return Reply(obj={"lines": [{"text": words[:100], "from": [n]} for n, words in told[:4]]}, delay_s=0.3)
    return "Good."


def config_of(folder: Path, base_url: str) -> Path:
    role = {"provider": "loopback", "model": "scripted", "timeout_s": 20}
    models = {
        "providers": {"loopback": {"base_url": base_url}},
        "roles": {"writer": role, "router": None, "checker": None, "summariser": role},
    }
    return write_config(folder, base_url, models=models, upkeep={"every_s": 0.2})


async def talked(chat: ChatProcess, first: int, count: int) -> None:
    before = len(chat.events("turn_finished"))
    for number in range(first, first + count):
        await chat.send(id=f"m{number}", author="Ann", text=f"@Nova I drink oolong tea number {number}")
        await chat.finished(before + number - first + 1)


async def test_killed_in_every_kind_of_background_call_and_nothing_is_lost_or_doubled(tmp_path: Path) -> None:
    async with ModelServer(script) as server:
        config = config_of(tmp_path, server.base_url)
        chat = await ChatProcess.start(config)
        try:
            await talked(chat, 1, 22)
            await server.until(lambda: any(is_reading(r) for r in server.requests), timeout=60)
        finally:
            await chat.kill()
        chat = await ChatProcess.start(config)
        try:
            await server.until(lambda: any(is_digest(r) for r in server.requests), timeout=60)
        finally:
            await chat.kill()
        chat = await ChatProcess.start(config)
        try:
            await settled(tmp_path)
            await chat.send(command="/stats")
            await chat.send(id="last", author="Ann", text="@Nova which tea do I drink?")
            await chat.finished()
            assert await chat.end() == 0, chat.errors
        finally:
            await chat.kill()
        prompt = server.requests[-1].system
    assert "drinks oolong tea" in prompt
    assert "Earlier in this chat:" in prompt
    with opened(tmp_path) as rows:
        cited = rows(
            "SELECT seq FROM summary_sources s JOIN summary_lines l USING (chat_id, number) WHERE NOT l.pinned"
        )
        assert cited
        assert len(cited) == len(set(cited))
        assert rows("SELECT cursor_seq FROM upkeep WHERE work = 'compact'") == [(20,)]
        assert len(rows("SELECT id FROM memories WHERE text = 'drinks oolong tea'")) == 1


@contextmanager
def opened(folder: Path) -> Iterator[Callable[[str], list[tuple[Any, ...]]]]:
    """The chat's database, read from outside."""
    with closing(sqlite3.connect(folder / "data" / "troupe.db")) as connection:
        yield lambda query: connection.execute(query).fetchall()


async def settled(folder: Path) -> None:
    """Waits until both kinds of reading have come as far as they can."""
    with opened(folder) as rows:
        async with asyncio.timeout(60):
            while True:
                cursors = dict(rows("SELECT work, cursor_seq FROM upkeep"))
                last = rows("SELECT max(seq) FROM messages")[0][0]
                if cursors.get("compact") == 20 and cursors.get("remember") == last:
                    return
                await asyncio.sleep(0.1)


class Looks:
    """Upkeep that only counts how often it was asked what is due."""

    def __init__(self) -> None:
        self.count = 0

    async def due(self, _: datetime) -> list[Due]:
        self.count += 1
        return [Due(work=Work.TIDY, chat_id=1, slot="0")]


class Queue:
    def __init__(self) -> None:
        self.jobs: list[str] = []

    async def enqueue_job(self, job_id: str, kind: str, chat_id: int) -> None:
        self.jobs.append(job_id)


async def test_ticks_look_seldom_while_nothing_happens_and_queue_nothing_twice() -> None:
    looks, queue, at = Looks(), Queue(), [0.0]
    ticks = Ticks(looks, queue, Time(), seconds=lambda: at[0])  # type: ignore[arg-type]
    for second in range(0, 1000, 5):
        at[0] = float(second)
        await ticks()
    awake, asleep = 120 // 5 + 1, (1000 - 120) // 60
    assert awake <= looks.count <= awake + asleep + 1
    assert queue.jobs == ["tidy:1:0"]
    happened = dict(chat_id=1, seq=1, at=Time()(), turn_id=None, trace_id="", block_id="", content={})
    ticks.hear(Event(kind=EventKind.TURN_FINISHED, **happened))  # type: ignore[arg-type]
    before = looks.count
    for _ in range(3):
        at[0] += 5
        await ticks()
    assert looks.count == before + 3


def an_event(kind: EventKind, seq: int, *, chat_id: int = 1, turn_id: str | None = None, block_id: str = "") -> Event:
    return Event(
        kind=kind, chat_id=chat_id, seq=seq, at=Time()(), turn_id=turn_id, trace_id="", block_id=block_id, content={}
    )


async def test_what_rests_on_a_changed_message_is_mended_at_the_next_tick() -> None:
    queue = Queue()
    ticks = Ticks(Looks(), queue, Time(), seconds=lambda: 0.0)  # type: ignore[arg-type]
    first, again = "turn:5:000000000001", "turn:5:000000000001:again"
    for event in (
        an_event(EventKind.MESSAGE_EDITED, 7),
        an_event(EventKind.MESSAGE_DELETED, 9),
        an_event(EventKind.REPLY_REMOVED, 4, chat_id=2),
        an_event(EventKind.MESSAGE_STORED, 5, chat_id=3),
        an_event(EventKind.REPLY_WRITTEN, 6, chat_id=4, turn_id=first, block_id=f"{first}:0"),
        an_event(EventKind.REPLY_WRITTEN, 8, chat_id=5, turn_id=again, block_id=f"{first}:0"),
    ):
        ticks.hear(event)
    await ticks()
    assert queue.jobs == ["mend:1:9", "mend:2:4", "mend:5:8", "tidy:1:0"]
    await ticks()
    assert len(queue.jobs) == 4
    ticks.hear(an_event(EventKind.MESSAGE_EDITED, 11))
    await ticks()
    assert len(queue.jobs) == 4, "the one before is still under way"
    ticks.done("mend", 1)
    await ticks()
    assert queue.jobs[4:] == ["mend:1:11"]


class Moving(Looks):
    """Work whose state changes with every portion, so that it has another name at every look."""

    async def due(self, _: datetime) -> list[Due]:
        self.count += 1
        return [Due(work=Work.COMPACT, chat_id=1, slot=str(self.count)), Due(work=Work.COMPACT, chat_id=2, slot="0")]


async def test_work_that_is_under_way_is_not_queued_again_until_it_is_done_or_long_unheard_of() -> None:
    queue, at = Queue(), [0.0]
    ticks = Ticks(Moving(), queue, Time(), seconds=lambda: at[0])  # type: ignore[arg-type]
    for _ in range(3):
        await ticks()
    assert queue.jobs == ["compact:1:1", "compact:2:0"]
    ticks.done("compact", 1)
    await ticks()
    assert queue.jobs[2:] == ["compact:1:4"]
    at[0] += OPEN_S
    await ticks()
    assert queue.jobs[3:] == ["compact:1:5"], "the process that did it has died"
