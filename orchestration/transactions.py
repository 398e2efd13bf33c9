"""Read, change and write again when somebody else was faster."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from orchestration.errors import StaleWrite
from orchestration.ports import Storage, UnitOfWork

T = TypeVar("T")

TRIES = 8


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
