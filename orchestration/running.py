"""A turn while it runs: what is gathered on the way, and how it is told to stop."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field

from orchestration.decisions import IntentKind
from orchestration.model import OutboxItem, Usage
from orchestration.ports import Completion, PromptMessage
from orchestration.scene import Scene
from orchestration.sessions import Session, StopKind
from orchestration.tracing import Tracer
from orchestration.turns import TurnRecord, TurnStatus


class LinesJoined(Exception):
    """A further line of the burst belongs to this turn: what was begun without it is void."""


class TurnStopped(Exception):
    """The turn was stopped before this could be said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """What a model wrote for an agent, and the prompt it had before it."""

    prompt: tuple[PromptMessage, ...]
    completion: Completion


@dataclass(frozen=True, slots=True, kw_only=True)
class Ahead:
    """A reply being written before it is decided that it will be wanted, and the intent it is written for."""

    intent: IntentKind
    task: asyncio.Task[Writing]


@dataclass(slots=True, kw_only=True)
class RunningTurn:
    """The mutable side of one attempt at a turn. Owned by the turn runner; nodes add to it, signals mark it.

    ``turn`` and ``session`` are the rows as this process last read or wrote them. They are written over their version
    without being read again; ``stale`` says that somebody else was faster, so they must be.
    """

    scene: Scene
    turn: TurnRecord
    session: Session
    stale: bool = False
    tracer: Tracer
    usage: Usage = field(default_factory=Usage)
    degradation: list[str] = field(default_factory=list)
    stop: StopKind | None = None
    last_words: frozenset[int] = frozenset()
    """Places whose reply was being written when a crash came: they are finished though nothing more may start."""
    void: bool = False
    before: Mapping[int, OutboxItem] = field(default_factory=dict)
    """What earlier attempts have published, by place: it is not written again."""
    posted: int = 0
    """Replies published so far, by earlier attempts too."""
    said: dict[str, str] = field(default_factory=dict)
    """Each agent's reply of this attempt."""
    begun: set[int] = field(default_factory=set)
    """Places whose beginning stands in the event stream."""
    failures: list[str] = field(default_factory=list)
    """Codes of replies that could not be had or may not be posted."""
    asked: bool = False
    """A clarification was put: the turn waits for its answer."""
    ahead: dict[str, Ahead] = field(default_factory=dict)
    """What the likeliest agents write while a model is asked who answers (`orchestration.ahead`), by agent."""
    task: asyncio.Task[None] | None = None
    graph_ran: bool = False
    ended: tuple[TurnStatus, str] | None = None
    """How the thinking ended, with an error code; not in the turn's columns yet."""

    @property
    def turn_id(self) -> str:
        return self.turn.id

    def may_speak(self, idx: int) -> bool:
        """Whether the reply at this place may be begun, or (after a crash) finished."""
        return self.stop is None or (self.stop is StopKind.SOFT and idx in self.last_words)

    def degrade(self, what: str) -> None:
        if what not in self.degradation:
            self.degradation.append(what)

    def abort(self) -> None:
        """Cancels whatever is under way, model requests included."""
        if self.task is not None:
            self.task.cancel()


class OrderGate:
    """Lets parallel replies out in their order, unless an earlier one is much slower than a finished later one."""

    def __init__(self, count: int, grace_s: float) -> None:
        self._done = [asyncio.Event() for _ in range(count)]
        self._grace_s = grace_s

    async def wait(self, idx: int) -> None:
        """Returns when all replies before ``idx`` are out, or after the grace."""
        before = [event.wait() for event in self._done[:idx] if not event.is_set()]
        if not before:
            return
        try:
            async with asyncio.timeout(self._grace_s):
                await asyncio.gather(*before)
        except TimeoutError:
            return

    def open(self, idx: int) -> None:
        """Reply ``idx`` is out, or will never be."""
        self._done[idx].set()
