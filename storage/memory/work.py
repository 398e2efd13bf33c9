"""Turns, sessions and the outbox, in memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from orchestration.errors import StaleWrite, StorageError
from orchestration.model import OutboxItem, OutboxPart, OutboxState, Usage
from orchestration.sessions import Session
from orchestration.turns import TurnRecord, TurnStatus, TurnTally
from storage.memory.state import State, aware
from storage.text import clean, cleaned

_UNFINISHED = (TurnStatus.QUEUED, TurnStatus.RUNNING)
_OPEN = (OutboxState.PLANNED, OutboxState.SENDING)


class MemoryTurns:
    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, turn: TurnRecord) -> bool:
        self._check(turn)
        turn = cleaned(turn)
        if turn.id in self._state.turns:
            return False
        self._state.turns[turn.id] = turn
        return True

    async def get(self, turn_id: str) -> TurnRecord | None:
        return self._state.turns.get(turn_id)

    async def version(self, turn_id: str) -> int | None:
        turn = self._state.turns.get(turn_id)
        return None if turn is None else turn.version

    async def save(self, turn: TurnRecord) -> TurnRecord:
        self._check(turn)
        turn = cleaned(turn)
        stored = self._state.turns.get(turn.id)
        if stored is None or stored.version != turn.version:
            raise StaleWrite("the turn was changed by somebody else")
        saved = replace(turn, version=turn.version + 1)
        self._state.turns[turn.id] = saved
        return saved

    async def last(self, chat_id: int, *, limit: int = 1) -> list[TurnRecord]:
        of_chat = [turn for turn in self._state.turns.values() if turn.chat_id == chat_id]
        return sorted(of_chat, key=lambda turn: (turn.created_at, turn.seq), reverse=True)[:limit]

    async def unfinished(self) -> list[TurnRecord]:
        found = [turn for turn in self._state.turns.values() if turn.status in _UNFINISHED]
        return sorted(found, key=lambda turn: (turn.chat_id, turn.seq))

    async def tally(self, chat_id: int) -> TurnTally:
        turns = [turn for turn in self._state.turns.values() if turn.chat_id == chat_id]
        return TurnTally(
            turns=len(turns),
            by_status=dict(Counter(turn.status.value for turn in turns)),
            by_decider=dict(Counter(turn.decided_by.value for turn in turns if turn.decided_by is not None)),
            degraded=sum(1 for turn in turns if turn.degradation),
            usage=sum((turn.usage for turn in turns), start=Usage()),
        )

    def _check(self, turn: TurnRecord) -> None:
        aware(turn.created_at, turn.last_line_at, turn.started_at, turn.finished_at)
        self._state.chat(turn.chat_id)
        self._state.need_tenant(turn.tenant_id)


class MemorySessions:
    def __init__(self, state: State) -> None:
        self._state = state

    async def get(self, chat_id: int) -> Session:
        return self._state.sessions.get(chat_id, Session(chat_id=chat_id))

    async def save(self, session: Session) -> Session:
        self._state.chat(session.chat_id)
        session = cleaned(session)
        stored = self._state.sessions.get(session.chat_id)
        if session.version != (0 if stored is None else stored.version):
            raise StaleWrite("the session was changed by somebody else")
        saved = replace(session, version=session.version + 1)
        self._state.sessions[session.chat_id] = saved
        return saved


class MemoryOutbox:
    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, item: OutboxItem) -> bool:
        aware(item.created_at)
        self._state.chat(item.chat_id)
        item = cleaned(item)
        if item.id in self._state.outbox:
            return False
        self._state.outbox[item.id] = item
        return True

    async def get(self, outbox_id: str) -> OutboxItem | None:
        return self._state.outbox.get(outbox_id)

    async def of_turn(self, turn_id: str) -> list[OutboxItem]:
        return [item for item in self._state.outbox.values() if item.turn_id == turn_id]

    async def open(self, chat_id: int | None = None) -> list[OutboxItem]:
        found = [item for item in self._state.outbox.values() if item.state in _OPEN]
        found.sort(key=lambda item: item.chat_id)  # stable: creation is the dictionary's own order
        return [item for item in found if chat_id in (None, item.chat_id)]

    async def mark(self, outbox_id: str, state: OutboxState, *, error: str = "") -> None:
        item = self._state.outbox.get(outbox_id)
        if item is None:
            raise StorageError("no such outbox item")
        self._state.outbox[outbox_id] = replace(item, state=state, error=clean(error))

    async def rewrite(self, outbox_id: str, text: str) -> OutboxItem | None:
        item = self._state.outbox.get(outbox_id)
        if item is None:
            return None
        anew = replace(item, text=clean(text), revision=item.revision + 1, state=OutboxState.PLANNED, error="")
        self._state.outbox[outbox_id] = anew
        return anew

    async def parts(self, outbox_id: str) -> list[OutboxPart]:
        of_item = [part for part in self._state.parts.values() if part.outbox_id == outbox_id]
        return sorted(of_item, key=lambda part: part.part)

    async def save_part(self, part: OutboxPart) -> None:
        part = cleaned(part)
        if part.outbox_id not in self._state.outbox:
            raise StorageError("no such outbox item")
        self._state.parts[part.outbox_id, part.part] = part
