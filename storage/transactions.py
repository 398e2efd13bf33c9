"""What a transaction is to the repositories, whichever database it is in."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Any, Protocol, TypeVar

import sqlalchemy as sa

_T = TypeVar("_T")
Parameters = Mapping[str, Any] | Sequence[Mapping[str, Any]] | None
Fetched = tuple[Sequence[sa.Row[Any]], int]
"""All rows of a statement, and how many it touched (UPDATE and DELETE only)."""


class Transaction(Protocol):
    """Open, for one task at a time. Raises SQLAlchemy's errors."""

    async def execute(self, statement: sa.Executable, parameters: Parameters = None, *, long: bool = False) -> Fetched:
        """``long``: it may read many rows, so it must not hold up the event loop."""

    async def call(self, work: Callable[[sa.Connection], _T]) -> _T:
        """Runs ``work`` in the transaction, where blocking does not hold up the event loop."""


class Engine(Protocol):
    """Gives out transactions. Raises StorageError and its children at begin and end."""

    def writing(self) -> AbstractAsyncContextManager[Transaction]:
        """Commits at the end of its block, rolls back when the block raises."""

    def reading(self) -> AbstractAsyncContextManager[Transaction]:
        """One unchanging view; nothing can be written in it."""

    async def close(self) -> None: ...


def fetched(result: sa.CursorResult[Any]) -> Fetched:
    """Everything a statement gave, read to the end."""
    return (result.all() if result.returns_rows else ()), result.rowcount
