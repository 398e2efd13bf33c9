"""One open transaction, as the repositories see it: statements in, rows out, failures in our own words."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.dialects import postgresql, sqlite

from orchestration.errors import StorageError
from storage.failures import translated
from storage.tables import group_chats
from storage.transactions import Fetched, Parameters, Transaction

# NO KEY UPDATE: rows that refer to the chat may still be inserted elsewhere.
_LOCK_CHAT = sa.select(group_chats.c.id).where(group_chats.c.id == sa.bindparam("chat")).with_for_update(key_share=True)

_OVERWRITE = sa.text("PRAGMA secure_delete = ON")


class Connection:
    """For one unit of work. Every method raises StorageError or its children only.

    Statements that run all the time are built once, with `bindparam`, and get their values as ``parameters``:
    building a statement costs more than SQLite needs to run it.
    """

    def __init__(self, transaction: Transaction, *, postgres: bool) -> None:
        self._transaction = transaction
        self._postgres = postgres
        self._locked_chats: set[int] = set()

    @property
    def one_writer(self) -> bool:
        """Whether the database has a single writer, so that nothing needs a lock of its own."""
        return not self._postgres

    async def rows(
        self, statement: sa.Executable, parameters: Parameters = None, *, long: bool = False
    ) -> Sequence[sa.Row[Any]]:
        """``long``: the statement may walk through a chat's whole history."""
        return (await self._execute(statement, parameters, long=long))[0]

    async def row(self, statement: sa.Executable, parameters: Parameters = None) -> sa.Row[Any] | None:
        found = await self.rows(statement, parameters)
        return found[0] if found else None

    async def run(self, statement: sa.Executable, parameters: Parameters = None, *, long: bool = False) -> int:
        """Executes and tells how many rows an UPDATE or DELETE touched."""
        return (await self._execute(statement, parameters, long=long))[1]

    async def touch(self, statement: sa.Executable, parameters: Parameters, what: str) -> None:
        """Executes a write that must meet a row; StorageError (``no such ...``) when it meets none."""
        if await self.run(statement, parameters) == 0:
            raise StorageError(f"no such {what}")

    async def insert_if_new(self, table: sa.Table, values: Mapping[str, Any]) -> bool:
        """False when a row with the same key is there (then nothing changes)."""
        return bool(await self.rows(_insert_if_new(table, self._postgres), values))

    async def upsert(self, table: sa.Table, values: Mapping[str, Any]) -> None:
        """Inserts the row, or replaces the one with the same primary key."""
        await self.run(_upsert(table, self._postgres), values)

    async def insert_new_ones(self, table: sa.Table, rows: Sequence[Mapping[str, Any]]) -> int:
        """Inserts those whose keys are not there; how many that were."""
        insert = _insert(table, self._postgres).values(rows).on_conflict_do_nothing()
        return len(await self.rows(insert.returning(sa.literal_column("1"))))

    async def lock_chat(self, chat_id: int) -> None:
        """Makes this the only writer of the chat until the transaction ends.

        Every write of a chat's rows takes this lock first, so that two of them can wait for each other only one way
        round (no deadlock) and numbers are given in the order of commits. SQLite has one writer anyway.
        """
        if self._postgres and chat_id not in self._locked_chats:
            await self.rows(_LOCK_CHAT, {"chat": chat_id})
            self._locked_chats.add(chat_id)

    async def overwrite(self) -> None:
        """What is deleted from here on is overwritten in SQLite's file; else it stays readable there till reused."""
        if not self._postgres:
            await self.rows(_OVERWRITE)

    async def lock(self, query: sa.Select[Any], parameters: Parameters) -> None:
        """Locks the rows of a query against other writers until the transaction ends."""
        if self._postgres:
            await self.rows(query.with_for_update(key_share=True), parameters)

    async def _execute(self, statement: sa.Executable, parameters: Parameters, *, long: bool = False) -> Fetched:
        try:
            return await self._transaction.execute(statement, parameters, long=long)
        except exc.SQLAlchemyError as error:
            raise translated(error) from None


def _insert(table: sa.Table, postgres: bool) -> sqlite.Insert | postgresql.Insert:
    """An INSERT that knows ON CONFLICT, in the database's own tongue."""
    return postgresql.insert(table) if postgres else sqlite.insert(table)


@functools.cache
def _insert_if_new(table: sa.Table, postgres: bool) -> sa.Executable:
    # What it returns tells whether it inserted: PostgreSQL's driver has no row count for an INSERT.
    return _insert(table, postgres).on_conflict_do_nothing().returning(sa.literal_column("1"))


@functools.cache
def _upsert(table: sa.Table, postgres: bool) -> sa.Executable:
    insert = _insert(table, postgres)
    keys = [column.name for column in table.primary_key]
    changed = {column.name: insert.excluded[column.name] for column in table.c if column.name not in keys}
    return insert.on_conflict_do_update(index_elements=keys, set_=changed)
