"""Raw platform updates, stored before they are acknowledged."""

from __future__ import annotations

from collections.abc import Sequence

import sqlalchemy as sa

from orchestration.ports import InboxRow
from storage.connection import Connection
from storage.tables import INBOX_PENDING, inbox

_ROWS_A_STATEMENT = 500
"""Four values a row: far below the 32,766 that SQLite takes in one statement."""


class SqlInbox:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def add(self, rows: Sequence[InboxRow]) -> int:
        stored = 0
        for start in range(0, len(rows), _ROWS_A_STATEMENT):
            values = [
                dict(source=row.source, update_id=row.update_id, raw=row.raw, state="new")
                for row in rows[start : start + _ROWS_A_STATEMENT]
            ]
            stored += await self._db.insert_new_ones(inbox, values)
        return stored

    async def pending(self, source: str, *, limit: int = 100) -> list[InboxRow]:
        query = sa.select(inbox).where(inbox.c.source == source, INBOX_PENDING).order_by(inbox.c.update_id)
        rows = await self._db.rows(query.limit(limit))
        return [InboxRow(source=row.source, update_id=row.update_id, raw=row.raw) for row in rows]

    async def done(self, source: str, update_id: int, *, poison: bool = False) -> None:
        """The number stays, so that the update is known if it comes again; the words go, unless they are poison."""
        values = {"state": "poison"} if poison else {"state": "done", "raw": ""}
        which = sa.update(inbox).where(inbox.c.source == source, inbox.c.update_id == update_id)
        await self._db.touch(which, values, "inbox row")

    async def clear(self, *, keep: int) -> int:
        gone = 0
        for row in await self._db.rows(sa.select(inbox.c.source).distinct()):
            newest = sa.select(inbox.c.update_id).where(inbox.c.source == row.source)
            oldest_kept = await self._db.row(newest.order_by(inbox.c.update_id.desc()).offset(keep - 1).limit(1))
            if oldest_kept is not None:
                old = (inbox.c.source == row.source, inbox.c.update_id < oldest_kept.update_id, inbox.c.state != "new")
                gone += await self._db.run(sa.delete(inbox).where(*old))
        return gone

    async def last_id(self, source: str) -> int | None:
        query = sa.select(sa.func.max(inbox.c.update_id).label("last")).where(inbox.c.source == source)
        row = await self._db.row(query)
        return None if row is None else row.last
