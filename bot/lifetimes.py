"""Things that last as long as a block: a task that repeats, one that runs beside, sole use of a folder."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout

from orchestration.errors import StorageUnavailable

logger = logging.getLogger(__name__)

LOCK_FILE = "troupe.lock"


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
