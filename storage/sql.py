"""The Storage port over a database."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from orchestration.ports import UnitOfWork
from storage.connection import Connection
from storage.database import Database
from storage.unit_of_work import SqlUnitOfWork


class SqlStorage:
    """Implements `orchestration.ports.Storage`. The database must be open and upgraded."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._postgres = not database.is_sqlite

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[UnitOfWork]:
        async with self._database.writing() as transaction:
            yield SqlUnitOfWork(Connection(transaction, postgres=self._postgres))

    @asynccontextmanager
    async def read(self) -> AsyncIterator[UnitOfWork]:
        async with self._database.reading() as transaction:
            yield SqlUnitOfWork(Connection(transaction, postgres=self._postgres))
