"""One turn from its stored message to its last posted reply. Whatever fails on the way, the chat goes on."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from structlog.contextvars import bound_contextvars

from orchestration.bus import EventBus
from orchestration.cast import Casts
from orchestration.dispatch import Dispatcher
from orchestration.endings import Endings
from orchestration.errors import TroupeError
from orchestration.events import Event, EventKind, Json, NewEvent
from orchestration.playing import Minds, Player
from orchestration.ports import Adapter, Clock, Recall, Storage, UnitOfWork
from orchestration.publish import Publisher, published, unfinished
from orchestration.running import LinesJoined, RunningTurn
from orchestration.scene import load_scene
from orchestration.sessions import SessionState, StopKind
from orchestration.settings import TurnSettings
from orchestration.tracing import Tracer
from orchestration.transactions import patiently, transact
from orchestration.turns import TurnRecord, TurnStatus, chat_of

logger = logging.getLogger(__name__)

PROMPT_S = 1.0
"""A platform that posts within this time gets the turn's end written in one go with its columns."""
MAX_RESTARTS = 16
"""More joined lines than a burst may have cannot happen; the bound is there so that no loop is without one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnParts:
    """What a turn runner is made of."""

    storage: Storage
    casts: Casts
    publisher: Publisher
    dispatcher: Dispatcher
    bus: EventBus
    adapters: Mapping[str, Adapter]
    recall: Recall
    clock: Clock
    settings: TurnSettings


class TurnRunner:
    """Runs turns for the engine (`answer`): think, deliver, finish, each safe to run again after a crash.

    Also hears signals about turns that run in this process (`intake.TurnSignals`).
    """

    def __init__(self, parts: TurnParts) -> None:
        self._parts = parts
        self._endings = Endings(storage=parts.storage, bus=parts.bus, clock=parts.clock, settings=parts.settings)
        self._player: Player | None = None
        self._running: dict[str, RunningTurn] = {}
        self._beginning: dict[str, StopKind | None] = {}
        """Turns that are being read in, and whether a stop came meanwhile."""

    def prepare(self, minds: Minds) -> None:
        """To be called before the first turn."""
        parts = self._parts
        self._player = Player(
            minds=minds,
            storage=parts.storage,
            publisher=parts.publisher,
            adapters=parts.adapters,
            recall=parts.recall,
            settings=parts.settings,
        )

    @property
    def _playing(self) -> Player:
        assert self._player is not None, "prepare() comes before the first turn"
        return self._player

    # ------------------------------------------------------------------ signals

    def lines_joined(self, turn_id: str) -> None:
        running = self._running.get(turn_id)
        if running is not None and not running.posted:
            running.void = True
            running.abort()

    def message_gone(self, turn_id: str) -> None:
        self.stop(turn_id, StopKind.HARD)

    def stop(self, turn_id: str, kind: StopKind) -> None:
        """Soft: the reply being written is finished, nothing more starts. Hard: the model request is dropped now."""
        running = self._running.get(turn_id)
        if running is None:
            if turn_id in self._beginning:
                self._beginning[turn_id] = kind
            return
        running.stop = kind
        if kind is StopKind.HARD:
            running.abort()

    async def answer(self, turn_id: str, run: int) -> None:
        """The whole turn, or what a crash left of it."""
        try:
            await self.think(turn_id, run)
            await self.deliver(turn_id)
            await self.finish(turn_id)
        finally:
            self._running.pop(turn_id, None)

    # ------------------------------------------------------------------ think

    async def think(self, turn_id: str, run: int) -> None:
        """Runs the turn until it is over or waits for an answer; its replies are in the outbox when this returns."""
        await patiently(lambda: self._think(turn_id, run), turn_id)

    async def _think(self, turn_id: str, run: int) -> None:
        for _ in range(MAX_RESTARTS):
            running = await self._begun(turn_id)
            if running is None:
                return
            try:
                with bound_contextvars(trace_id=running.turn.trace_id, chat=str(running.scene.chat.key)):
                    running.ended = await self._playing.play(running, run)
                    logger.info("turn %s: %s", turn_id, running.ended[0].value)
                if not running.posted:  # else its columns are written with its end, once it is posted
                    await self._conclude(running)
            except LinesJoined:
                logger.info("turn %s begins again: a further line joined", turn_id)
                continue
            return
        raise TroupeError(f"turn {turn_id} was begun again too often")

    async def _begun(self, turn_id: str) -> RunningTurn | None:
        """The turn, from here on within reach of signals; None when there is nothing to run."""
        self._beginning[turn_id] = None
        self._running.pop(turn_id, None)  # an attempt that is over hears nothing any more
        try:
            running = await self._begin(turn_id)
            if running is not None:
                running.stop = self._beginning[turn_id] or running.stop
                self._running[turn_id] = running
            return running
        finally:
            del self._beginning[turn_id]

    async def _begin(self, turn_id: str) -> RunningTurn | None:
        parts = self._parts
        now = parts.clock()

        async def work(uow: UnitOfWork) -> tuple[RunningTurn | None, bool, list[Event]]:
            turn = await uow.turns.get(turn_id)
            if turn is None or turn.over or turn.status is TurnStatus.CLARIFYING:
                return None, False, []
            again = turn.started_at is not None
            before = await published(uow, turn) if again else {}
            last_words = await unfinished(uow, turn, before) if again and turn.stop is StopKind.SOFT else frozenset()
            if turn.stop is not None and not last_words:
                await uow.turns.save(turn.move(TurnStatus.STOPPED))
                return None, False, []
            turn = await uow.turns.save(replace(turn.move(TurnStatus.RUNNING), started_at=turn.started_at or now))
            session = await uow.sessions.get(turn.chat_id)
            session = await uow.sessions.save(session.move(SessionState.THINKING, active_turn=turn_id))
            events = await uow.events.append(turn.chat_id, [_started(turn, now, again=again)])
            scene = await load_scene(uow, parts.casts, parts.settings, turn, session, now, again=again)
            if scene is None:
                return None, True, events
            running = RunningTurn(
                scene=scene,
                turn=turn,
                session=session,
                tracer=Tracer(),
                before=before,
                posted=len(before),
                stop=turn.stop,
                last_words=last_words,
            )
            return running, False, events

        running, pointless, events = await transact(parts.storage, work)
        parts.bus.publish(events)
        if pointless:
            await self._endings.end(turn_id, TurnStatus.SILENT, "nothing_to_answer")
        return running

    async def _conclude(self, running: RunningTurn, *, close: bool = False) -> bool:
        """Writes how the thinking ended, once; tells whether a notice was given.

        LinesJoined when a line joined before anything was said.
        """
        if running.ended is None:
            return False

        def check(turn: TurnRecord) -> TurnRecord:
            if turn.generation != running.scene.turn.generation and not running.posted and not running.asked:
                raise LinesJoined
            return replace(
                turn,
                degradation=tuple(running.degradation),
                usage=running.usage,
                spans=running.tracer.spans(),
            )

        status, error = running.ended
        noticed = await self._endings.end(running.turn_id, status, error, check, close=close, running=running)
        running.ended = None
        return noticed

    # ------------------------------------------------------------------ deliver, finish

    async def deliver(self, turn_id: str) -> None:
        """Waits until what the turn said is posted (or known to be impossible to post)."""
        chat_id, dispatcher = chat_of(turn_id), self._parts.dispatcher
        running = self._running.get(turn_id)
        if running is None or running.ended is None:
            await dispatcher.drain(chat_id)
            return
        if not await dispatcher.posted(chat_id, PROMPT_S):
            # The platform takes its time: what is known of the turn shall not wait for it.
            await patiently(lambda: self._conclude(running), turn_id)
            await dispatcher.drain(chat_id)

    async def finish(self, turn_id: str) -> None:
        """Frees the chat, remembers whom a follow-up would go to, and says that the turn is over."""
        await patiently(lambda: self._finish(turn_id), turn_id)

    async def _finish(self, turn_id: str) -> None:
        running = self._running.get(turn_id)
        if running is None or running.ended is None:
            await self._endings.finish(turn_id, running)
        elif await self._conclude(running, close=True):
            await self._parts.dispatcher.drain(chat_of(turn_id))
        # Last, and again after a crash in between: without them the turn would be thought anew.
        if running is None or running.graph_ran:
            await self._forget(turn_id, running)

    async def _forget(self, turn_id: str, running: RunningTurn | None) -> None:
        turn = running.turn if running is not None else None
        if turn is None:
            async with self._parts.storage.read() as uow:
                turn = await uow.turns.get(turn_id)
        if turn is not None:
            await self._playing.forget(turn)

    async def give_up(self, turn_id: str) -> None:
        """The engine has tried this turn too often: it is over, with a notice, and the chat goes on."""
        async with self._parts.storage.read() as uow:
            turn = await uow.turns.get(turn_id)
        self._running.pop(turn_id, None)
        if turn is None or turn.finished_at is not None:
            return
        if not turn.over and turn.status is not TurnStatus.CLARIFYING:
            await self._playing.forget(turn)
            await self._endings.end(turn_id, TurnStatus.FAILED, "given_up", close=True)
        # Not waited for: turns are given up while the process starts, when no platform is connected yet.
        self._parts.dispatcher.kick(turn.chat_id)
        await self._finish(turn_id)


def _started(turn: TurnRecord, at: datetime, *, again: bool) -> NewEvent:
    content: dict[str, Json] = {"message_seqs": list(turn.message_seqs), "again": again}
    return NewEvent(kind=EventKind.TURN_STARTED, at=at, turn_id=turn.id, trace_id=turn.trace_id, content=content)
