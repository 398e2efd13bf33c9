"""The record of a turn: the columns behind `/why`, and the states a turn may be in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from orchestration.decisions import Candidate, DecidedBy, IntentKind, ReplyMode
from orchestration.errors import IllegalMove
from orchestration.events import EventKind, Json, NewEvent, Span
from orchestration.model import Usage
from orchestration.sessions import StopKind


class TurnStatus(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    CLARIFYING = "clarifying"
    FINISHED = "finished"
    SILENT = "silent"
    STOPPED = "stopped"
    FAILED = "failed"


_T = TurnStatus
MOVES: dict[TurnStatus, frozenset[TurnStatus]] = {
    # A queued turn may be stopped, or its message deleted, before it begins.
    _T.QUEUED: frozenset({_T.RUNNING, _T.STOPPED, _T.SILENT, _T.FAILED}),
    # Running again is what recovery after a crash does.
    _T.RUNNING: frozenset({_T.RUNNING, _T.CLARIFYING, _T.FINISHED, _T.SILENT, _T.STOPPED, _T.FAILED}),
    # The answer puts the turn back into the queue; expiry or a change of subject ends it.
    _T.CLARIFYING: frozenset({_T.QUEUED, _T.SILENT, _T.STOPPED}),
    _T.FINISHED: frozenset(),
    _T.SILENT: frozenset(),
    _T.STOPPED: frozenset(),
    _T.FAILED: frozenset(),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Selected:
    """An agent that was chosen to speak, and the reason code why."""

    agent_id: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnRecord:
    """One turn. ``seq`` is the number of its (first) human message, ``message_seqs`` all lines it answers.

    ``generation`` grows whenever a further line of a burst joins: work begun for an older generation is void.
    ``degradation`` lists what failed and was stood in for (``intent:model_unavailable``, ``graph``, ...).
    """

    id: str
    chat_id: int
    tenant_id: int
    seq: int
    trace_id: str
    person_id: str
    status: TurnStatus = TurnStatus.QUEUED
    generation: int = 0
    message_seqs: tuple[int, ...] = ()
    intent: IntentKind | None = None
    mode: ReplyMode | None = None
    confidence: float | None = None
    decided_by: DecidedBy | None = None
    reason: str = ""
    selection: tuple[Selected, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    clarified_agents: tuple[str, ...] = ()
    """The answer to a clarification: these agents speak when the turn resumes."""
    regenerates: str | None = None
    """The outbox id of the reply that this turn writes anew."""
    stop: StopKind | None = None
    degradation: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    spans: tuple[Span, ...] = ()
    error: str = ""
    created_at: datetime
    last_line_at: datetime
    started_at: datetime | None = None
    finished_at: datetime | None = None
    version: int = 0

    @property
    def over(self) -> bool:
        return not MOVES[self.status]

    def move(self, to: TurnStatus) -> TurnRecord:
        """The turn after the move. IllegalMove when the table does not have it."""
        if to is not self.status and to not in MOVES[self.status]:
            raise IllegalMove(f"turn {self.id} cannot go from {self.status} to {to}")
        return replace(self, status=to)


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTally:
    """The turns of a chat, counted: by status, and (where something was decided) by who decided.

    ``degraded`` counts turns in which something failed and was stood in for; ``usage`` is that of all turns.
    """

    turns: int = 0
    by_status: Mapping[str, int] = field(default_factory=dict)
    by_decider: Mapping[str, int] = field(default_factory=dict)
    degraded: int = 0
    usage: Usage = field(default_factory=Usage)


def turn_finished(turn: TurnRecord, at: datetime) -> NewEvent:
    """The last event of a turn, however it ended."""
    content: dict[str, Json] = {"status": turn.status.value, "error": turn.error}
    return NewEvent(kind=EventKind.TURN_FINISHED, at=at, turn_id=turn.id, trace_id=turn.trace_id, content=content)


def turn_id_of(chat_id: int, seq: int) -> str:
    """The turn's id: ordered within its chat (the engine starts queued turns in this order)."""
    return f"turn:{chat_id}:{seq:012d}"


def chat_of(turn_id: str) -> int:
    """The chat a turn belongs to. ValueError for what is no turn's id."""
    kind, chat_id, *_ = turn_id.split(":")
    if kind != "turn":
        raise ValueError("not a turn's id")
    return int(chat_id)
