"""One open transaction, as the repositories see it: statements in, rows out, failures in our own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import sqlalchemy as sa
from sqlalchemy import exc
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from orchestration.errors import StorageError
from storage.failures import translated
from storage.tables import group_chats

Insert = sqlite.Insert | postgresql.Insert


class Connection:
    """Wraps the driver's connection for one unit of work. Every method raises StorageError or its children only."""

    def __init__(self, raw: AsyncConnection) -> None:
        self._raw = raw
        self._postgres = raw.dialect.name == "postgresql"
        self._locked_chats: set[int] = set()

    async def run(self, statement: sa.Executable) -> int:
        """Executes and tells how many rows an UPDATE or DELETE touched."""
        try:
            result = await self._raw.execute(statement)
        except exc.SQLAlchemyError as error:
            raise translated(error) from None
        return result.rowcount

    async def rows(self, statement: sa.Executable) -> Sequence[sa.Row[Any]]:
        try:
            result = await self._raw.execute(statement)
            return result.all()
        except exc.SQLAlchemyError as error:
            raise translated(error) from None

    async def row(self, statement: sa.Executable) -> sa.Row[Any] | None:
        found = await self.rows(statement)
        return found[0] if found else None

    def insert(self, table: sa.Table) -> Insert:
        """An INSERT that knows ON CONFLICT, in the database's own tongue."""
        return postgresql.insert(table) if self._postgres else sqlite.insert(table)

    async def insert_if_new(self, table: sa.Table, values: Mapping[str, Any]) -> bool:
        """False when a row with the same key is there (then nothing changes)."""
        insert = self.insert(table).values(values).on_conflict_do_nothing()
        # Not by rowcount, which PostgreSQL's driver does not tell for an INSERT.
        return bool(await self.rows(insert.returning(sa.literal(1))))

    async def touch(self, statement: sa.Executable, what: str) -> None:
        """Executes a write that must meet a row; StorageError (``no such ...``) when it meets none."""
        if await self.run(statement) == 0:
            raise StorageError(f"no such {what}")

    async def lock_chat(self, chat_id: int) -> None:
        """Makes this the only writer of the chat until the transaction ends.

        Every write of a chat's rows takes this lock first, so that two of them can wait for each other only one way
        round (no deadlock) and numbers are given in the order of commits. SQLite has one writer anyway.
        """
        if not self._postgres or chat_id in self._locked_chats:
            return
        # NO KEY UPDATE: rows that refer to the chat may still be inserted elsewhere.
        query = sa.select(group_chats.c.id).where(group_chats.c.id == chat_id).with_for_update(key_share=True)
        await self.run(query)
        self._locked_chats.add(chat_id)
