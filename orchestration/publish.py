"""What a turn decided and said, written down: decisions, replies with their outbox rows and events, questions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from orchestration.bus import EventBus
from orchestration.decisions import Quality, ReplyMode, RouteDecision
from orchestration.dispatch import Dispatcher
from orchestration.events import Event, EventKind, Json, NewEvent
from orchestration.model import AgentCard, Authorship, Choice, OutboxItem, OutboxKind
from orchestration.ports import Clock, Completion, Storage, UnitOfWork
from orchestration.running import LinesJoined, RunningTurn, TurnStopped
from orchestration.sessions import PendingClarification, SessionState, StopKind
from orchestration.standing import both_rows, renewing
from orchestration.transactions import transact
from orchestration.turns import Selected, TurnRecord, TurnStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """A reply that may be posted."""

    agent: AgentCard
    idx: int
    text: str
    completion: Completion
    quality: Quality


class _SaidElsewhere(Exception):
    """The reply at this place was published by another process that took the turn for dead: ours is dropped whole."""


class Publisher:
    """Each method is one transaction that fails whole: LinesJoined or TurnStopped when the turn has moved on."""

    def __init__(
        self, *, storage: Storage, dispatcher: Dispatcher, bus: EventBus, clock: Clock, clarify_expires_s: float
    ) -> None:
        self._storage = storage
        self._dispatcher = dispatcher
        self._bus = bus
        self._clock = clock
        self._expires = timedelta(seconds=clarify_expires_s)

    async def decided(self, running: RunningTurn, decision: RouteDecision) -> None:
        """Stores intent and selection with their reasons in the turn's columns, and who begins to write at once."""
        reasons = {candidate.agent_id: candidate.reason for candidate in decision.candidates}
        selection = tuple(
            Selected(agent_id=agent_id, reason=reasons.get(agent_id, decision.reason))
            for agent_id in decision.agent_ids
        )

        async def work(uow: UnitOfWork) -> list[Event]:
            turn = replace(
                await self._current(uow, running, saved=True),
                intent=decision.intent,
                mode=decision.mode,
                confidence=decision.confidence,
                decided_by=decision.decided_by,
                reason=decision.reason,
                selection=selection,
                candidates=decision.candidates,
                degradation=tuple(running.degradation),
            )
            running.turn = await uow.turns.save(turn)
            intent: dict[str, Json] = {
                "intent": decision.intent.value,
                "confidence": round(decision.confidence, 2),
                "decided_by": decision.decided_by.value,
                "reason": decision.reason,
                "respond": decision.respond,
            }
            chosen: dict[str, Json] = {
                "agents": [s.agent_id for s in selection],
                "mode": decision.mode.value,
                "reasons": {s.agent_id: s.reason for s in selection},
            }
            told = [
                self._event(turn, EventKind.INTENT_DECIDED, intent),
                self._event(turn, EventKind.AGENTS_SELECTED, chosen),
            ]
            return await uow.events.append(turn.chat_id, told + [self._began(turn, s, idx) for idx, s in first.items()])

        first = _first_to_write(decision)
        self._bus.publish(await self._transact(running, work))
        running.begun.update(first)

    async def begins(self, running: RunningTurn, agent_id: str, idx: int) -> None:
        """Says that an agent begins to write, unless that was said with the decision."""
        if idx not in running.begun:
            await self.notes(running, [self._began(running.turn, agent_id, idx)])

    def _began(self, turn: TurnRecord, agent_id: str, idx: int) -> NewEvent:
        return self._event(turn, EventKind.REPLY_STARTED, {"agent_id": agent_id}, block_id=f"{turn.id}:{idx}")

    async def _transact(
        self, running: RunningTurn, work: Callable[[UnitOfWork], Awaitable[list[Event]]]
    ) -> list[Event]:
        return await transact(self._storage, renewing(work, running))

    async def said(self, running: RunningTurn, spoken: Spoken) -> None:
        """Stores the reply as a message, its outbox row and its event, and has it posted."""
        item_id = f"{running.turn_id}:{spoken.idx}"

        async def work(uow: UnitOfWork) -> list[Event]:
            turn = await self._current(uow, running)
            if turn.regenerates is not None:
                return await self._said_anew(uow, turn, spoken)
            message = await uow.messages.add_agent(
                turn.chat_id,
                agent=spoken.agent,
                text=spoken.text,
                turn_id=turn.id,
                reply_to_seq=running.scene.lines[-1].seq,
                authorship=_authorship(spoken),
                at=self._clock(),
            )
            if not await uow.outbox.add(self._item(running, spoken, item_id, message.seq)):
                raise _SaidElsewhere
            await self._replying(uow, running)
            return await uow.events.append(turn.chat_id, [self._written(turn, spoken, item_id, message.seq)])

        try:
            events = await self._transact(running, work)
        except _SaidElsewhere:
            events = []
        running.posted += 1
        running.said[spoken.agent.id] = spoken.text
        self._bus.publish(events)
        self._dispatcher.kick(running.scene.chat.id)

    async def _said_anew(self, uow: UnitOfWork, turn: TurnRecord, spoken: Spoken) -> list[Event]:
        """A regenerated reply takes the old one's place: same message, same outbox row, next revision."""
        assert turn.regenerates is not None
        item = await uow.outbox.rewrite(turn.regenerates, spoken.text)
        if item is None or item.message_seq is None:
            raise TurnStopped
        await uow.messages.replace_text(
            turn.chat_id, item.message_seq, text=spoken.text, authorship=_authorship(spoken), at=self._clock()
        )
        return await uow.events.append(turn.chat_id, [self._written(turn, spoken, item.id, item.message_seq)])

    def _written(self, turn: TurnRecord, spoken: Spoken, item_id: str, seq: int) -> NewEvent:
        content: dict[str, Json] = {
            "agent_id": spoken.agent.id,
            "message_seq": seq,
            "model": spoken.completion.model,
            "ms": spoken.completion.ms,
            "quality": round(spoken.quality.score, 2),
            "issues": list(spoken.quality.issues),
        }
        return self._event(turn, EventKind.REPLY_WRITTEN, content, block_id=item_id)

    def _item(self, running: RunningTurn, spoken: Spoken, item_id: str, seq: int) -> OutboxItem:
        answered = running.scene.lines[-1]
        return OutboxItem(
            id=item_id,
            chat_id=running.scene.chat.id,
            kind=OutboxKind.REPLY,
            text=spoken.text,
            created_at=self._clock(),
            turn_id=running.turn_id,
            idx=spoken.idx,
            agent_id=spoken.agent.id,
            message_seq=seq,
            reply_to_seq=answered.seq,
            reply_to_external=answered.external_id,
            # What colleagues said in this very turn does not part an answer from its question.
            reply_to_is_last=seq - answered.seq - 1 <= running.posted,
            person_id=running.scene.person.id,
        )

    async def corrected(self, running: RunningTurn, idx: int, text: str, issues: tuple[str, ...]) -> None:
        """A better text takes the place of a posted one; the platform's message is edited."""
        item_id = f"{running.turn_id}:{idx}"

        async def work(uow: UnitOfWork) -> list[Event]:
            turn = await self._current(uow, running)
            item = await uow.outbox.rewrite(item_id, text)
            message = await uow.messages.get(turn.chat_id, item.message_seq) if item and item.message_seq else None
            if message is None or message.authorship is None:
                return []
            authorship = replace(message.authorship, revisions=message.authorship.revisions + 1)
            await uow.messages.replace_text(
                turn.chat_id, message.seq, text=text, authorship=authorship, at=self._clock()
            )
            content: dict[str, Json] = {"revised": True, "issues": list(issues)}
            return await uow.events.append(
                turn.chat_id, [self._event(turn, EventKind.QUALITY_CHECKED, content, block_id=item_id)]
            )

        self._bus.publish(await self._transact(running, work))
        self._dispatcher.kick(running.scene.chat.id)

    async def asked(self, running: RunningTurn, question: str, choices: tuple[Choice, ...]) -> None:
        """Puts a clarification: the turn waits for this person's answer, the chat is free."""
        now = self._clock()
        answered = running.scene.lines[-1]

        async def work(uow: UnitOfWork) -> list[Event]:
            turn = await self._current(uow, running, saved=True)
            if turn.stop is not None:
                raise TurnStopped  # a question is no last word: it would want more
            running.turn = await uow.turns.save(turn.move(TurnStatus.CLARIFYING))
            session = running.session
            if session.pending is not None:
                await self._let_go(uow, session.pending.turn_id)
            pending = PendingClarification(
                turn_id=turn.id,
                person_id=running.scene.person.id,
                question=question,
                choices=choices,
                asked_at=now,
                expires_at=now + self._expires,
            )
            asking = replace(session.move(SessionState.CLARIFYING), pending=pending)
            running.session = await uow.sessions.save(asking)
            item = OutboxItem(
                id=f"{turn.id}:question",
                chat_id=turn.chat_id,
                kind=OutboxKind.CLARIFICATION,
                text=question,
                created_at=now,
                turn_id=turn.id,
                reply_to_seq=answered.seq,
                reply_to_external=answered.external_id,
                person_id=running.scene.person.id,
                choices=choices,
            )
            await uow.outbox.add(item)
            content: dict[str, Json] = {
                "question": question,
                "choices": [{"id": c.id, "label": c.label, "agents": list(c.agent_ids)} for c in choices],
            }
            asked = self._event(turn, EventKind.CLARIFICATION_ASKED, content, block_id=item.id)
            return await uow.events.append(turn.chat_id, [asked])

        events = await self._transact(running, work)
        running.asked = True
        self._bus.publish(events)
        self._dispatcher.kick(running.scene.chat.id)

    async def _let_go(self, uow: UnitOfWork, turn_id: str) -> None:
        """One question at a time: the turn of an older one ends in silence."""
        old = await uow.turns.get(turn_id)
        if old is not None and old.status is TurnStatus.CLARIFYING:
            await uow.turns.save(replace(old.move(TurnStatus.SILENT), finished_at=self._clock()))

    async def note(
        self, running: RunningTurn, kind: EventKind, content: dict[str, Json], *, block_id: str = ""
    ) -> None:
        """An event of the turn that changes nothing else."""
        await self.notes(running, [self._event(running.turn, kind, content, block_id=block_id)])

    async def notes(self, running: RunningTurn, new: Sequence[NewEvent]) -> None:
        async with self._storage.begin() as uow:
            events = await uow.events.append(running.scene.chat.id, new)
        self._bus.publish(events)

    async def _current(self, uow: UnitOfWork, running: RunningTurn, *, saved: bool = False) -> TurnRecord:
        """The turn as it stands, if it may still go on. ``saved``: its version is looked at when it is saved."""
        if not saved and not running.stale and await uow.turns.version(running.turn_id) != running.turn.version:
            running.stale = True
        turn, _ = await both_rows(uow, running.turn_id, running)
        if turn is None or turn.over or turn.stop is StopKind.HARD:
            raise TurnStopped
        if turn.generation != running.scene.turn.generation:
            raise LinesJoined
        if turn.stop is StopKind.SOFT:
            running.stop = StopKind.SOFT  # asked of another process: what is being said now is the last word
        return turn

    async def _replying(self, uow: UnitOfWork, running: RunningTurn) -> None:
        session = running.session
        if session.state is SessionState.STOPPING:
            return  # the last words of a turn that was told to stop
        if session.state is not SessionState.REPLYING or session.active_turn != running.turn_id:
            replying = session.move(SessionState.REPLYING, active_turn=running.turn_id)
            running.session = await uow.sessions.save(replying)

    def _event(self, turn: TurnRecord, kind: EventKind, content: dict[str, Json], *, block_id: str = "") -> NewEvent:
        return NewEvent(
            kind=kind,
            at=self._clock(),
            turn_id=turn.id,
            trace_id=turn.trace_id,
            block_id=block_id,
            content=content,
        )


def _first_to_write(decision: RouteDecision) -> dict[int, str]:
    """Who begins as soon as this is decided, by place: everybody where all speak at once, else the first."""
    if not decision.respond or decision.clarify:
        return {}
    together = decision.mode is ReplyMode.PARALLEL
    return dict(enumerate(decision.agent_ids if together else decision.agent_ids[:1]))


async def published(uow: UnitOfWork, turn: TurnRecord) -> dict[int, OutboxItem]:
    """What earlier attempts at the turn published, by place. A reply written anew goes by its older turn's name."""
    if turn.regenerates is None:
        replies = [item for item in await uow.outbox.of_turn(turn.id) if item.kind is OutboxKind.REPLY]
        return {item.idx: item for item in replies}
    written = [event for event in await uow.events.of_turn(turn.id) if event.kind is EventKind.REPLY_WRITTEN]
    item = await uow.outbox.get(turn.regenerates) if written else None
    return {} if item is None else {0: item}


async def unfinished(uow: UnitOfWork, turn: TurnRecord, before: Mapping[int, OutboxItem]) -> frozenset[int]:
    """The places whose reply was begun and neither published (``before``) nor given up."""
    begun: set[str] = set()
    for event in await uow.events.of_turn(turn.id):
        if event.kind is EventKind.REPLY_STARTED:
            begun.add(event.block_id)
        elif event.kind is EventKind.REPLY_DROPPED:
            begun.discard(event.block_id)
        elif event.kind is EventKind.MESSAGE_MERGED:
            begun.clear()  # the turn began anew
    return frozenset(int(block.rpartition(":")[2]) for block in begun) - before.keys()


def notice_item(turn: TurnRecord, words: str, at: datetime) -> OutboxItem:
    """The one notice about a turn (its id keeps it one, whatever crashes)."""
    return OutboxItem(
        id=f"notice:{turn.id}", chat_id=turn.chat_id, kind=OutboxKind.NOTICE, text=words, created_at=at, turn_id=turn.id
    )


def _authorship(spoken: Spoken) -> Authorship:
    return Authorship(
        provider=spoken.completion.provider,
        model=spoken.completion.model,
        wire_api=spoken.completion.wire_api,
        usage=spoken.completion.usage,
        ms=spoken.completion.ms,
        quality=spoken.quality.score,
        quality_issues=spoken.quality.issues,
        revisions=spoken.quality.revisions,
    )
