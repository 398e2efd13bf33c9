"""Read, change and write again when somebody else was faster, or when the database was away for a while."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

from orchestration.errors import StaleWrite, StorageUnavailable
from orchestration.ports import Storage, UnitOfWork

T = TypeVar("T")

TRIES = 8
PATIENT_TRIES = 20
FIRST_PAUSE_S = 0.5
LONGEST_PAUSE_S = 30.0

logger = logging.getLogger(__name__)


async def transact(storage: Storage, work: Callable[[UnitOfWork], Awaitable[T]]) -> T:
    """Runs ``work`` in one transaction; on StaleWrite all of it again, from fresh reads, at most TRIES times.

    ``work`` must have no effect outside its unit of work. Raises what the storage raises.
    """
    for attempt in range(1, TRIES + 1):
        try:
            async with storage.begin() as uow:
                return await work(uow)
        except StaleWrite:
            if attempt == TRIES:
                raise
    raise AssertionError("unreachable")


async def patiently(work: Callable[[], Awaitable[T]], what: str) -> T:
    """Runs ``work`` again while the database is away (locked, full), with growing pauses, for some eight minutes.

    ``work`` must be safe to run again. Raises StorageUnavailable when the database does not come back.
    """
    pause = FIRST_PAUSE_S
    for attempt in range(1, PATIENT_TRIES + 1):
        try:
            return await work()
        except StorageUnavailable as error:
            if attempt == PATIENT_TRIES:
                raise
            logger.warning("%s waits for the database: %s", what, error)
        await asyncio.sleep(pause)
        pause = min(2 * pause, LONGEST_PAUSE_S)
    raise AssertionError("unreachable")
