"""Lines of the chats' summaries with their sources."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from orchestration.memory.records import SummaryLine
from orchestration.model import Source
from storage.connection import Connection
from storage.memory_tables import summary_lines, summary_sources
from storage.tables import messages

_BROKEN = (
    sa.select(sa.literal_column("1"))
    .select_from(
        summary_sources.outerjoin(
            messages, sa.and_(messages.c.chat_id == summary_sources.c.chat_id, messages.c.seq == summary_sources.c.seq)
        )
    )
    .where(
        summary_sources.c.chat_id == summary_lines.c.chat_id,
        summary_sources.c.number == summary_lines.c.number,
        sa.or_(
            messages.c.seq.is_(None),
            messages.c.deleted_at.is_not(None),
            messages.c.edited_at.is_distinct_from(summary_sources.c.edited_at),
        ),
    )
    .exists()
)
_OF_CHAT = (
    sa.select(summary_lines)
    .where(summary_lines.c.chat_id == sa.bindparam("chat"))
    .order_by(summary_lines.c.first_seq, summary_lines.c.number)
    .limit(sa.bindparam("most"))
)
_STANDING = _OF_CHAT.where(sa.not_(_BROKEN))
_SHAKEN = _OF_CHAT.where(_BROKEN)
_SOURCES = (
    sa.select(summary_sources)
    .where(
        summary_sources.c.chat_id == sa.bindparam("chat"),
        summary_sources.c.number.in_(sa.bindparam("numbers", expanding=True)),
    )
    .order_by(summary_sources.c.seq)
)
_LAST = sa.select(sa.func.coalesce(sa.func.max(summary_lines.c.number), 0).label("last")).where(
    summary_lines.c.chat_id == sa.bindparam("chat")
)


class SqlSummaries:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def add(self, chat_id: int, lines: Sequence[SummaryLine]) -> list[SummaryLine]:
        await self._db.lock_chat(chat_id)
        last = await self._db.row(_LAST, {"chat": chat_id})
        number = 0 if last is None else int(last.last)
        added = []
        for line in lines:
            number += 1
            numbered = replace(line, number=number, chat_id=chat_id)
            await self._db.run(sa.insert(summary_lines), _values(numbered))
            rows = [
                dict(chat_id=chat_id, number=number, seq=s.seq, person_id=s.person_id, edited_at=s.edited_at)
                for s in line.sources
            ]
            if rows:
                await self._db.run(sa.insert(summary_sources), rows)
            added.append(numbered)
        return added

    async def standing(self, chat_id: int, *, limit: int = 200) -> list[SummaryLine]:
        return await self._all(_STANDING, chat_id, limit)

    async def shaken(self, chat_id: int, *, limit: int = 100) -> list[SummaryLine]:
        return await self._all(_SHAKEN, chat_id, limit)

    async def remove(self, chat_id: int, numbers: Collection[int]) -> int:
        if not numbers:
            return 0
        await self._db.lock_chat(chat_id)
        where = (summary_lines.c.chat_id == chat_id, summary_lines.c.number.in_(list(numbers)))
        return await self._db.run(sa.delete(summary_lines).where(*where))

    async def _all(self, query: sa.Select[Any], chat_id: int, limit: int) -> list[SummaryLine]:
        rows = await self._db.rows(query, {"chat": chat_id, "most": limit})
        if not rows:
            return []
        sources: dict[int, list[Source]] = {}
        for row in await self._db.rows(_SOURCES, {"chat": chat_id, "numbers": [row.number for row in rows]}):
            source = Source(seq=row.seq, person_id=row.person_id, edited_at=row.edited_at)
            sources.setdefault(row.number, []).append(source)
        return [_line(row, tuple(sources.get(row.number, ()))) for row in rows]


def _values(line: SummaryLine) -> dict[str, Any]:
    return dict(
        chat_id=line.chat_id,
        number=line.number,
        first_seq=min(line.seqs, default=0),
        text=line.text,
        pinned=line.pinned,
        made_by=line.made_by,
        created_at=line.created_at,
    )


def _line(row: sa.Row[Any], sources: tuple[Source, ...]) -> SummaryLine:
    return SummaryLine(
        chat_id=row.chat_id,
        number=row.number,
        text=row.text,
        sources=sources,
        pinned=row.pinned,
        made_by=row.made_by,
        created_at=row.created_at,
    )
