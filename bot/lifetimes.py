"""Things that last as long as a block: a task that repeats, one that runs beside, sole use of a folder."""

from __future__ import annotations

import asyncio
import gc
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from orchestration.errors import StorageUnavailable

logger = logging.getLogger(__name__)

LOCK_FILE = "troupe.lock"
WORK_FILES = ("engine.db", "checkpoints.db")
"""What only holds work under way (on SQLite)."""
SQLITE_START = b"SQLite format 3\0"
WARM_S = 15.0
"""By then what warms up beside the start (imports, embeddings) is done."""


@asynccontextmanager
async def repeating(work: Callable[[], Awaitable[None]], every_s: float) -> AsyncIterator[None]:
    """Runs ``work`` every so often while the block lasts."""

    async def loop() -> None:
        while True:
            await asyncio.sleep(every_s)
            try:
                await work()
            except Exception:
                logger.exception("upkeep failed")

    task = asyncio.create_task(loop())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def beside(work: Coroutine[Any, Any, None]) -> AsyncIterator[None]:
    """Runs ``work`` beside the block, which does not wait for it; a failure is only noted."""
    task = asyncio.create_task(work)
    task.add_done_callback(lambda done: done.cancelled() or done.exception())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


@asynccontextmanager
async def light_collector(after_s: float = WARM_S) -> AsyncIterator[None]:
    """Takes what lives as long as the process (libraries, mostly) out of the garbage collector's sight, once all is up.

    A full collection walks hundreds of thousands of such objects, in which time nothing else runs: 5 to 10 % of a
    turn's CPU, in pauses of a fifth of a second. Only for a process that serves one app and ends with it.
    """

    async def freeze() -> None:
        await asyncio.sleep(after_s)
        gc.freeze()

    async with beside(freeze()):
        yield
    gc.unfreeze()


def ensure_sqlite(file: Path) -> None:
    """StorageUnavailable for a file of work under way that something else has overwritten; one may be missing."""
    try:
        with file.open("rb") as opened:
            start = opened.read(len(SQLITE_START))
    except FileNotFoundError:
        return
    except OSError as fault:
        raise StorageUnavailable(f"{file}: cannot be read ({fault.strerror})") from None
    if start not in (b"", SQLITE_START):
        raise StorageUnavailable(
            f"{file}: expected a SQLite database, got something else; it only holds work under way: move it away"
        )


@contextmanager
def sole_use(data_dir: Path) -> Iterator[None]:
    """Only one process may hold a data directory: two would answer the same message."""
    lock = FileLock(data_dir / LOCK_FILE)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise StorageUnavailable("another troupe is running on this data directory: stop it first") from None
    try:
        yield
    finally:
        lock.release()
