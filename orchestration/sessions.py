"""The long-lived state of a group chat: a state machine with legal moves only, sticky routing, degradation."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import StrEnum

from orchestration.errors import IllegalMove
from orchestration.model import Choice


class SessionState(StrEnum):
    IDLE = "idle"
    THINKING = "thinking"
    REPLYING = "replying"
    CLARIFYING = "clarifying"
    STOPPING = "stopping"


_S = SessionState
MOVES: dict[SessionState, frozenset[SessionState]] = {
    _S.IDLE: frozenset({_S.THINKING}),
    # A turn may end in silence, speak, ask or be stopped; a crash lets the same turn think again.
    _S.THINKING: frozenset({_S.THINKING, _S.REPLYING, _S.CLARIFYING, _S.STOPPING, _S.IDLE}),
    _S.REPLYING: frozenset({_S.REPLYING, _S.THINKING, _S.STOPPING, _S.IDLE}),
    # An answer resumes the turn, a new message or the expiry lets the question go.
    _S.CLARIFYING: frozenset({_S.THINKING, _S.STOPPING, _S.IDLE}),
    _S.STOPPING: frozenset({_S.STOPPING, _S.IDLE, _S.THINKING}),
}


class StopKind(StrEnum):
    """``soft`` lets the reply being written be posted; ``hard`` aborts it."""

    SOFT = "soft"
    HARD = "hard"


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingClarification:
    """A question put to one person. Only ``person_id`` may answer, until ``expires_at``."""

    turn_id: str
    person_id: str
    question: str
    choices: tuple[Choice, ...]
    asked_at: datetime
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Sticky:
    """Whom a follow-up without a name goes to: the agent it continues with, since when, on which topic words."""

    agent_id: str
    person_id: str
    at: datetime
    topic: tuple[str, ...] = ()
    pending_task: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Degradation:
    """``failed_turns`` in a row; ``basic_since`` is set while the chat is in basic mode (one agent, one call)."""

    failed_turns: int = 0
    basic_since: datetime | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    chat_id: int
    state: SessionState = SessionState.IDLE
    active_turn: str | None = None
    pending: PendingClarification | None = None
    sticky: tuple[Sticky, ...] = ()
    degradation: Degradation = field(default_factory=Degradation)
    version: int = 0

    def move(self, to: SessionState, *, active_turn: str | None = None) -> Session:
        """The session after the move. IllegalMove when the table does not have it."""
        if to is not self.state and to not in MOVES[self.state]:
            raise IllegalMove(f"session cannot go from {self.state} to {to}")
        return replace(self, state=to, active_turn=active_turn)
