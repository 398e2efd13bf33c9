"""Sessions: one row a chat, saved only over the version that was read."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from orchestration.errors import StaleWrite
from orchestration.sessions import Degradation, PendingClarification, Session, SessionState, Sticky
from storage.connection import Connection
from storage.records import packed, packed_all, unpacked, unpacked_all
from storage.tables import sessions

_OF_CHAT = sa.select(sessions).where(sessions.c.chat_id == sa.bindparam("chat"))
_UPDATE_VERSION = sa.update(sessions).where(
    sessions.c.chat_id == sa.bindparam("chat"), sessions.c.version == sa.bindparam("read_version")
)


class SqlSessions:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def get(self, chat_id: int) -> Session:
        row = await self._db.row(_OF_CHAT, {"chat": chat_id})
        return Session(chat_id=chat_id) if row is None else _session(row)

    async def save(self, session: Session) -> Session:
        await self._db.lock_chat(session.chat_id)
        saved = replace(session, version=session.version + 1)
        if session.version == 0:
            fits = await self._db.insert_if_new(sessions, _values(saved))
        else:
            where = {"chat": session.chat_id, "read_version": session.version}
            fits = await self._db.run(_UPDATE_VERSION, where | _values(saved)) > 0
        if not fits:
            raise StaleWrite("the session was changed by somebody else")
        return saved


def _values(session: Session) -> dict[str, Any]:
    return dict(
        chat_id=session.chat_id,
        state=session.state,
        active_turn=session.active_turn,
        pending=None if session.pending is None else packed(session.pending),
        sticky=packed_all(session.sticky),
        failed_turns=session.degradation.failed_turns,
        basic_since=session.degradation.basic_since,
        basic_reason=session.degradation.reason,
        version=session.version,
    )


def _session(row: sa.Row[Any]) -> Session:
    return Session(
        chat_id=row.chat_id,
        state=SessionState(row.state),
        active_turn=row.active_turn,
        pending=None if row.pending is None else unpacked(PendingClarification, row.pending),
        sticky=unpacked_all(Sticky, row.sticky),
        degradation=Degradation(failed_turns=row.failed_turns, basic_since=row.basic_since, reason=row.basic_reason),
        version=row.version,
    )
