"""Turns: what was decided, in columns; saved only over the version that was read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from orchestration.decisions import Candidate, DecidedBy, IntentKind, ReplyMode
from orchestration.errors import StaleWrite
from orchestration.events import Span
from orchestration.model import Usage
from orchestration.sessions import StopKind
from orchestration.turns import Selected, TurnRecord, TurnStatus, TurnTally
from storage.connection import Connection
from storage.records import packed_all, unpacked_all
from storage.tables import TURN_UNFINISHED, turns
from storage.tallies import tally_turns

_BY_ID = sa.select(turns).where(turns.c.id == sa.bindparam("turn"))
_VERSION = sa.select(turns.c.version).where(turns.c.id == sa.bindparam("turn"))
_UPDATE_VERSION = sa.update(turns).where(
    turns.c.id == sa.bindparam("turn"), turns.c.version == sa.bindparam("read_version")
)
_NEWEST = (
    sa.select(turns)
    .where(turns.c.chat_id == sa.bindparam("chat"))
    .order_by(turns.c.created_at.desc(), turns.c.seq.desc())
    .limit(sa.bindparam("most"))
)


class SqlTurns:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def add(self, turn: TurnRecord) -> bool:
        await self._db.lock_chat(turn.chat_id)
        return await self._db.insert_if_new(turns, _values(turn))

    async def get(self, turn_id: str) -> TurnRecord | None:
        row = await self._db.row(_BY_ID, {"turn": turn_id})
        return None if row is None else _turn(row)

    async def version(self, turn_id: str) -> int | None:
        row = await self._db.row(_VERSION, {"turn": turn_id})
        return None if row is None else int(row.version)

    async def save(self, turn: TurnRecord) -> TurnRecord:
        await self._db.lock_chat(turn.chat_id)
        saved = replace(turn, version=turn.version + 1)
        where = {"turn": turn.id, "read_version": turn.version}
        if await self._db.run(_UPDATE_VERSION, where | _values(saved)) == 0:
            raise StaleWrite("the turn was changed by somebody else")
        return saved

    async def last(self, chat_id: int, *, limit: int = 1) -> list[TurnRecord]:
        return [_turn(row) for row in await self._db.rows(_NEWEST, {"chat": chat_id, "most": limit})]

    async def tally(self, chat_id: int) -> TurnTally:
        return await tally_turns(self._db, chat_id)

    async def unfinished(self) -> list[TurnRecord]:
        query = sa.select(turns).where(TURN_UNFINISHED).order_by(turns.c.chat_id, turns.c.seq)
        return [_turn(row) for row in await self._db.rows(query)]


def _values(turn: TurnRecord) -> dict[str, Any]:
    return dict(
        id=turn.id,
        chat_id=turn.chat_id,
        tenant_id=turn.tenant_id,
        seq=turn.seq,
        trace_id=turn.trace_id,
        person_id=turn.person_id,
        status=turn.status,
        generation=turn.generation,
        message_seqs=turn.message_seqs,
        intent=turn.intent,
        mode=turn.mode,
        confidence=turn.confidence,
        decided_by=turn.decided_by,
        reason=turn.reason,
        selection=packed_all(turn.selection),
        candidates=packed_all(turn.candidates),
        clarified_agents=turn.clarified_agents,
        regenerates=turn.regenerates,
        stop=turn.stop,
        degradation=turn.degradation,
        calls=turn.usage.calls,
        prompt_tokens=turn.usage.prompt_tokens,
        completion_tokens=turn.usage.completion_tokens,
        cost=turn.usage.cost,
        estimated=turn.usage.estimated,
        spans=packed_all(turn.spans),
        error=turn.error,
        created_at=turn.created_at,
        last_line_at=turn.last_line_at,
        started_at=turn.started_at,
        finished_at=turn.finished_at,
        version=turn.version,
    )


def _turn(row: sa.Row[Any]) -> TurnRecord:
    return TurnRecord(
        id=row.id,
        chat_id=row.chat_id,
        tenant_id=row.tenant_id,
        seq=row.seq,
        trace_id=row.trace_id,
        person_id=row.person_id,
        status=TurnStatus(row.status),
        generation=row.generation,
        message_seqs=tuple(row.message_seqs),
        intent=None if row.intent is None else IntentKind(row.intent),
        mode=None if row.mode is None else ReplyMode(row.mode),
        confidence=row.confidence,
        decided_by=None if row.decided_by is None else DecidedBy(row.decided_by),
        reason=row.reason,
        selection=unpacked_all(Selected, row.selection),
        candidates=unpacked_all(Candidate, row.candidates),
        clarified_agents=tuple(row.clarified_agents),
        regenerates=row.regenerates,
        stop=None if row.stop is None else StopKind(row.stop),
        degradation=tuple(row.degradation),
        usage=Usage(
            calls=row.calls,
            prompt_tokens=row.prompt_tokens,
            completion_tokens=row.completion_tokens,
            cost=row.cost,
            estimated=row.estimated,
        ),
        spans=unpacked_all(Span, row.spans),
        error=row.error,
        created_at=row.created_at,
        last_line_at=row.last_line_at,
        started_at=row.started_at,
        finished_at=row.finished_at,
        version=row.version,
    )
