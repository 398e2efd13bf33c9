"""How far background work has come, what it may still spend, and texts whose time is over."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from orchestration.errors import StaleWrite
from orchestration.memory.records import Backlog, UpkeepState, Work
from storage.connection import Connection
from storage.memory_tables import upkeep, upkeep_tokens
from storage.tables import group_chats, messages, outbox

_BY_KEY = sa.select(upkeep).where(upkeep.c.chat_id == sa.bindparam("chat"), upkeep.c.work == sa.bindparam("which"))
_UPDATE_VERSION = sa.update(upkeep).where(
    upkeep.c.chat_id == sa.bindparam("chat"),
    upkeep.c.work == sa.bindparam("which"),
    upkeep.c.version == sa.bindparam("read_version"),
)
_SPENT = sa.select(upkeep_tokens.c.tokens).where(
    upkeep_tokens.c.tenant_id == sa.bindparam("tenant"), upkeep_tokens.c.day == sa.bindparam("date")
)
_ADD = sa.update(upkeep_tokens).where(
    upkeep_tokens.c.tenant_id == sa.bindparam("tenant"), upkeep_tokens.c.day == sa.bindparam("date")
)


class SqlUpkeep:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def get(self, chat_id: int, work: Work) -> UpkeepState:
        row = await self._db.row(_BY_KEY, {"chat": chat_id, "which": work.value})
        return UpkeepState(chat_id=chat_id, work=work) if row is None else _state(row)

    async def save(self, state: UpkeepState) -> UpkeepState:
        await self._db.lock_chat(state.chat_id)
        saved = replace(state, version=state.version + 1)
        if state.version == 0:
            fits = await self._db.insert_if_new(upkeep, _values(saved))
        else:
            where = {"chat": state.chat_id, "which": state.work.value, "read_version": state.version}
            fits = bool(await self._db.run(_UPDATE_VERSION, {**where, **_values(saved)}))
        if not fits:
            raise StaleWrite("somebody else did this work")
        return saved

    async def of_chat(self, chat_id: int) -> list[UpkeepState]:
        query = sa.select(upkeep).where(upkeep.c.chat_id == chat_id).order_by(upkeep.c.work)
        return [_state(row) for row in await self._db.rows(query)]

    async def failing(self, *, since: int = 3, limit: int = 100) -> list[UpkeepState]:
        query = sa.select(upkeep).where(upkeep.c.failures >= since)
        query = query.order_by(upkeep.c.failures.desc(), upkeep.c.chat_id, upkeep.c.work).limit(limit)
        return [_state(row) for row in await self._db.rows(query)]

    async def to_retry(self, work: Work, *, now: datetime, limit: int = 100) -> list[UpkeepState]:
        query = sa.select(upkeep).where(upkeep.c.work == work.value, upkeep.c.failures > 0, upkeep.c.not_before <= now)
        query = query.order_by(upkeep.c.not_before, upkeep.c.chat_id).limit(limit)
        return [_state(row) for row in await self._db.rows(query)]

    async def newest(self) -> UpkeepState | None:
        query = sa.select(upkeep).where(upkeep.c.last_at.is_not(None))
        row = await self._db.row(query.order_by(upkeep.c.last_at.desc(), upkeep.c.chat_id, upkeep.c.work).limit(1))
        return None if row is None else _state(row)

    async def behind(self, work: Work, *, by: int, now: datetime, limit: int = 500) -> list[Backlog]:
        done = sa.func.coalesce(upkeep.c.cursor_seq, 0)
        waiting = group_chats.c.message_seq - done
        query = (
            sa.select(
                group_chats.c.id,
                group_chats.c.message_seq,
                group_chats.c.quiet_hours,
                group_chats.c.last_message_at,
                done.label("cursor_seq"),
                sa.func.coalesce(upkeep.c.version, 0).label("version"),
            )
            .select_from(
                group_chats.outerjoin(
                    upkeep, sa.and_(upkeep.c.chat_id == group_chats.c.id, upkeep.c.work == work.value)
                )
            )
            .where(
                sa.true() if work is Work.TIDY else group_chats.c.memory,
                waiting >= by,
                sa.or_(upkeep.c.not_before.is_(None), upkeep.c.not_before <= now),
            )
            .order_by(waiting.desc(), group_chats.c.id)
            .limit(limit)
        )
        return [
            Backlog(
                chat_id=row.id,
                last_seq=row.message_seq,
                cursor_seq=row.cursor_seq,
                version=row.version,
                quiet_hours=row.quiet_hours,
                last_message_at=row.last_message_at,
            )
            for row in await self._db.rows(query)
        ]

    # ------------------------------------------------------------------------------------------ tokens

    async def reserve(self, tenant_id: int, day: str, tokens: int, *, limit: int) -> bool:
        await self._db.insert_if_new(upkeep_tokens, dict(tenant_id=tenant_id, day=day, tokens=0))
        fitting = _ADD.where(upkeep_tokens.c.tokens + tokens <= limit).values(tokens=upkeep_tokens.c.tokens + tokens)
        return bool(await self._db.run(fitting, {"tenant": tenant_id, "date": day}))

    async def settle(self, tenant_id: int, day: str, difference: int) -> None:
        spent = upkeep_tokens.c.tokens + difference
        corrected = _ADD.values(tokens=sa.case((spent < 0, 0), else_=spent))
        await self._db.run(corrected, {"tenant": tenant_id, "date": day})

    async def spent(self, tenant_id: int, day: str) -> int:
        row = await self._db.row(_SPENT, {"tenant": tenant_id, "date": day})
        return 0 if row is None else int(row.tokens)

    # ------------------------------------------------------------------------------------------ retention

    async def bury_before(self, chat_id: int, before: datetime, *, at: datetime, limit: int) -> int:
        await self._db.lock_chat(chat_id)
        await self._db.overwrite()
        old = (
            sa.select(messages.c.seq)
            .where(messages.c.chat_id == chat_id, messages.c.deleted_at.is_(None), messages.c.sent_at < before)
            .order_by(messages.c.seq)
            .limit(limit)
        )
        seqs = [int(row.seq) for row in await self._db.rows(old)]
        if not seqs:
            return 0
        mine = (messages.c.chat_id == chat_id, messages.c.seq.in_(seqs))
        gone: dict[str, Any] = dict(text="", reply_text="", attachments=(), deleted_at=at)
        await self._db.run(sa.update(messages).where(*mine), gone)
        quotes = sa.update(messages).where(messages.c.chat_id == chat_id, messages.c.reply_to_seq.in_(seqs))
        await self._db.run(quotes, {"reply_text": ""})
        posts = sa.update(outbox).where(
            outbox.c.chat_id == chat_id,
            outbox.c.message_seq.in_(seqs),
            outbox.c.state.not_in(("planned", "sending")),
        )
        await self._db.run(posts, {"text": ""})
        return len(seqs)


def _values(state: UpkeepState) -> dict[str, Any]:
    return dict(
        chat_id=state.chat_id,
        work=state.work.value,
        cursor_seq=state.cursor_seq,
        failures=state.failures,
        not_before=state.not_before,
        last_at=state.last_at,
        last_outcome=state.last_outcome,
        tokens=state.tokens,
        version=state.version,
    )


def _state(row: sa.Row[Any]) -> UpkeepState:
    return UpkeepState(
        chat_id=row.chat_id,
        work=Work(row.work),
        cursor_seq=row.cursor_seq,
        failures=row.failures,
        not_before=row.not_before,
        last_at=row.last_at,
        last_outcome=row.last_outcome,
        tokens=row.tokens,
        version=row.version,
    )
