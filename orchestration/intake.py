"""The front door: a human message is stored before anything thinks about it, then given its one turn."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Protocol

from orchestration.bus import EventBus
from orchestration.cast import Casts
from orchestration.clarifying import answer_to
from orchestration.cleaning import clean_name, clean_text
from orchestration.events import Event, EventKind, Json, NewEvent
from orchestration.model import AgentCard, ChatKey, Choice, GroupChat, IncomingMessage, Message, Person
from orchestration.ports import Clock, NewId, Received, Storage, TurnQueue, UnitOfWork
from orchestration.sessions import Session, SessionState
from orchestration.settings import TurnSettings
from orchestration.transactions import transact
from orchestration.turns import TurnRecord, TurnStatus, turn_id_of

MAX_JOINED_LINES = 12
"""A burst longer than this starts a new turn: somebody who never stops writing is answered all the same."""


class TurnSignals(Protocol):
    """How the front door reaches a turn that runs in this process. Missing one only costs time, never truth."""

    def lines_joined(self, turn_id: str) -> None:
        """A further line belongs to the turn: what was begun is void."""

    def message_gone(self, turn_id: str) -> None:
        """The turn's message was deleted: stop it."""


@dataclass(slots=True, kw_only=True)
class _Outcome:
    """What one transaction of `receive` did."""

    received: Received
    events: list[NewEvent]
    enqueue: tuple[str, int] | None = None
    joined: str | None = None


class Intake:
    """Implements `ports.Ingress`. Every method returns when the fact is stored; thinking happens elsewhere."""

    def __init__(
        self,
        *,
        storage: Storage,
        casts: Casts,
        queue: TurnQueue,
        signals: TurnSignals,
        bus: EventBus,
        clock: Clock,
        new_id: NewId,
        settings: TurnSettings,
    ) -> None:
        self._storage = storage
        self._casts = casts
        self._queue = queue
        self._signals = signals
        self._bus = bus
        self._clock = clock
        self._new_id = new_id
        self._settings = settings

    async def receive(self, message: IncomingMessage) -> Received:
        """Stores the message and queues its turn. The same external id again is the same message: no second turn.

        Raises StorageUnavailable when it cannot be stored; nothing is half written then.
        """
        message = _cleaned(message)
        outcome, chat_id = await self._stored(message)
        if outcome.enqueue is not None:
            turn_id, run = outcome.enqueue
            await self._queue.enqueue(turn_id, chat_id, run)
        if outcome.joined is not None:
            self._signals.lines_joined(outcome.joined)
        return outcome.received

    async def _stored(self, message: IncomingMessage) -> tuple[_Outcome, int]:
        async def work(uow: UnitOfWork) -> tuple[_Outcome, int, list[Event]]:
            chat = await uow.chats.ensure(message.chat, title=message.chat_title, at=self._clock())
            outcome = await self._take(uow, chat, message)
            events = await uow.events.append(chat.id, outcome.events) if outcome.events else []
            return outcome, chat.id, events

        # Stale: the turn we wanted to join, or the session, moved on in the meantime.
        outcome, chat_id, events = await transact(self._storage, work)
        self._bus.publish(events)
        return outcome, chat_id

    async def _take(self, uow: UnitOfWork, chat: GroupChat, message: IncomingMessage) -> _Outcome:
        stored, new = await uow.messages.add_human(chat.id, message)
        if not new:
            return _Outcome(received=Received(message=stored, turn_id=stored.turn_id, new=False), events=[])
        if not message.wants_turn:
            event = self._stored_event(stored, None, EventKind.MESSAGE_STORED)
            return _Outcome(received=Received(message=stored, turn_id=None, new=True), events=[event])
        return (
            await self._as_answer(uow, chat, stored)
            or await self._as_further_line(uow, chat, stored)
            or await self._as_new_turn(uow, chat, stored)
        )

    def _stored_event(self, message: Message, turn: TurnRecord | None, kind: EventKind) -> NewEvent:
        content: dict[str, Json] = {
            "message_seq": message.seq,
            "message_id": message.external_id,
            "author": message.author.name,
        }
        return NewEvent(
            kind=kind,
            at=self._clock(),
            turn_id=turn.id if turn else None,
            trace_id=turn.trace_id if turn else "",
            content=content,
        )

    async def _as_answer(self, uow: UnitOfWork, chat: GroupChat, message: Message) -> _Outcome | None:
        """The message as the answer to a pending clarification; a new subject of the same person drops the question."""
        session = await uow.sessions.get(chat.id)
        pending = session.pending
        if pending is None or pending.person_id != message.author.id:
            return None
        cast = await self._casts.of(chat.tenant_id)
        choice = answer_to(pending.choices, message.text, cast) if self._clock() < pending.expires_at else None
        if choice is None:
            await self.drop_question(uow, chat.id)
            return None
        turn = await self._resumed(uow, chat.id, pending.turn_id, choice)
        if turn is None:
            return None
        await uow.messages.set_turn(chat.id, message.seq, turn.id)
        answered = self._answer_event(turn, choice)
        return _Outcome(
            received=Received(message=replace(message, turn_id=turn.id), turn_id=turn.id, new=True),
            events=[self._stored_event(message, turn, EventKind.MESSAGE_STORED), answered],
            enqueue=(turn.id, 1),
        )

    def _answer_event(self, turn: TurnRecord, choice: Choice) -> NewEvent:
        return NewEvent(
            kind=EventKind.CLARIFICATION_ANSWERED,
            at=self._clock(),
            turn_id=turn.id,
            trace_id=turn.trace_id,
            content={"choice": choice.id, "agents": list(choice.agent_ids)},
        )

    async def _resumed(self, uow: UnitOfWork, chat_id: int, turn_id: str, choice: Choice) -> TurnRecord | None:
        turn = await uow.turns.get(turn_id)
        session = await uow.sessions.get(chat_id)
        await uow.sessions.save(_without_question(session))
        if turn is None or turn.status is not TurnStatus.CLARIFYING:
            return None
        # The answer itself is not among the lines: the agent answers what was asked first.
        return await uow.turns.save(replace(turn.move(TurnStatus.QUEUED), clarified_agents=choice.agent_ids))

    async def drop_question(self, uow: UnitOfWork, chat_id: int) -> None:
        """Lets a pending clarification go: its turn ends in silence."""
        session = await uow.sessions.get(chat_id)
        if session.pending is None:
            return
        turn = await uow.turns.get(session.pending.turn_id)
        await uow.sessions.save(_without_question(session))
        if turn is not None and turn.status is TurnStatus.CLARIFYING:
            await uow.turns.save(replace(turn.move(TurnStatus.SILENT), finished_at=self._clock()))

    async def _as_further_line(self, uow: UnitOfWork, chat: GroupChat, message: Message) -> _Outcome | None:
        """The message as the next line of a burst: same author, close in time, nobody in between, nothing said yet."""
        newest = await uow.turns.last(chat.id)
        if not newest:
            return None
        turn = newest[0]
        now = self._clock()
        joins = (
            turn.status in (TurnStatus.QUEUED, TurnStatus.RUNNING)
            and turn.person_id == message.author.id
            and turn.stop is None
            and not turn.clarified_agents
            and turn.regenerates is None
            and bool(turn.message_seqs)
            and turn.message_seqs[-1] == message.seq - 1
            and len(turn.message_seqs) < MAX_JOINED_LINES
            and now - turn.last_line_at <= timedelta(seconds=self._settings.burst_s)
        )
        if not joins or await uow.outbox.of_turn(turn.id):
            return None
        cast = await self._casts.of(chat.tenant_id)
        lines = await uow.messages.range(chat.id, turn.message_seqs[0], turn.message_seqs[-1])
        if not _same_address(message, lines, cast):
            return None
        turn = await uow.turns.save(
            replace(
                turn,
                message_seqs=(*turn.message_seqs, message.seq),
                generation=turn.generation + 1,
                last_line_at=now,
            )
        )
        await uow.messages.set_turn(chat.id, message.seq, turn.id)
        return _Outcome(
            received=Received(message=replace(message, turn_id=turn.id), turn_id=turn.id, new=True),
            events=[self._stored_event(message, turn, EventKind.MESSAGE_MERGED)],
            joined=turn.id,
        )

    async def _as_new_turn(self, uow: UnitOfWork, chat: GroupChat, message: Message) -> _Outcome:
        now = self._clock()
        turn = TurnRecord(
            id=turn_id_of(chat.id, message.seq),
            chat_id=chat.id,
            tenant_id=chat.tenant_id,
            seq=message.seq,
            trace_id=self._new_id(),
            person_id=message.author.id,
            message_seqs=(message.seq,),
            created_at=now,
            last_line_at=now,
        )
        await uow.turns.add(turn)
        await uow.messages.set_turn(chat.id, message.seq, turn.id)
        return _Outcome(
            received=Received(message=replace(message, turn_id=turn.id), turn_id=turn.id, new=True),
            events=[self._stored_event(message, turn, EventKind.MESSAGE_STORED)],
            enqueue=(turn.id, 0),
        )

    async def edited(self, chat: ChatKey, external_id: str, text: str) -> None:
        """A human changed a message: context follows, nothing is answered again."""
        async with self._storage.begin() as uow:
            found = await uow.chats.find(chat)
            if found is None:
                return
            message = await uow.messages.edit(found.id, external_id, text=clean_text(text), at=self._clock())
            if message is None:
                return
            events = await uow.events.append(found.id, [self._change(message, EventKind.MESSAGE_EDITED)])
        self._bus.publish(events)

    async def deleted(self, chat: ChatKey, external_id: str) -> None:
        """A human took a message back: its text is gone, and its turn is cancelled while it runs."""
        async with self._storage.begin() as uow:
            found = await uow.chats.find(chat)
            if found is None:
                return
            message = await uow.messages.delete(found.id, external_id, at=self._clock())
            if message is None:
                return
            events = await uow.events.append(found.id, [self._change(message, EventKind.MESSAGE_DELETED)])
        self._bus.publish(events)
        if message.turn_id is not None:
            self._signals.message_gone(message.turn_id)

    def _change(self, message: Message, kind: EventKind) -> NewEvent:
        return NewEvent(kind=kind, at=self._clock(), content={"message_seq": message.seq})

    async def chosen(self, chat: ChatKey, person: Person, choice_id: str) -> bool:
        """A press on a clarification button: resumes the turn when the question is this person's and still open."""

        async def work(uow: UnitOfWork) -> tuple[TurnRecord, list[Event]] | None:
            found = await uow.chats.find(chat)
            session = await uow.sessions.get(found.id) if found else None
            pending = session.pending if session else None
            if found is None or pending is None or pending.person_id != person.id:
                return None
            choice = next((c for c in pending.choices if c.id == choice_id), None)
            if choice is None or self._clock() >= pending.expires_at:
                return None
            turn = await self._resumed(uow, found.id, pending.turn_id, choice)
            if turn is None:
                return None
            return turn, await uow.events.append(found.id, [self._answer_event(turn, choice)])

        resumed = await transact(self._storage, work)
        if resumed is None:
            return False
        turn, events = resumed
        self._bus.publish(events)
        await self._queue.enqueue(turn.id, turn.chat_id, 1)
        return True


def _cleaned(message: IncomingMessage) -> IncomingMessage:
    if not message.external_id:
        raise ValueError("an adapter gave a message without its platform's id")
    return replace(
        message,
        external_id=clean_text(message.external_id),
        text=clean_text(message.text),
        reply_text=clean_text(message.reply_text),
        author=Person(id=clean_text(message.author.id), name=clean_name(message.author.name)),
        reply_to=clean_text(message.reply_to) if message.reply_to else None,
    )


def _without_question(session: Session) -> Session:
    """Another person's turn may run while a question is open: only a session that waits for it becomes idle."""
    if session.state is SessionState.CLARIFYING:
        session = session.move(SessionState.IDLE)
    return replace(session, pending=None)


def _at_names(message: Message, cast: Iterable[AgentCard]) -> frozenset[str]:
    """Agents a line addresses beyond doubt: platform mentions and ``@name``."""
    text = message.text.casefold()
    typed = {card.id for card in cast if any(f"@{name.casefold()}" in text for name in (card.name, *card.aliases))}
    return frozenset(typed | set(message.mentioned_agents))


def _same_address(message: Message, lines: Iterable[Message], cast: tuple[AgentCard, ...]) -> bool:
    """Whether a further line can stand in the same turn: it addresses nobody, or only whom the lines before did."""
    before = list(lines)
    if message.reply_to_seq is not None and message.reply_to_seq not in {line.reply_to_seq for line in before}:
        return False
    asked: set[str] = set()
    for line in before:
        asked |= _at_names(line, cast)
    return _at_names(message, cast) <= asked
