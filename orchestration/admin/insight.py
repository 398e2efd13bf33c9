"""`/why`, `/trace`, `/stats`, `/summary`: what happened and why. Everybody in the chat may ask."""

from __future__ import annotations

from dataclasses import dataclass

from orchestration.admin.callers import Caller
from orchestration.admin.language import Language
from orchestration.admin.statistics import ChatStatistics, told, upkeep_told
from orchestration.cast import Casts
from orchestration.errors import UserError
from orchestration.explain import why
from orchestration.memory.records import SummaryLine
from orchestration.model import Message, OutboxItem
from orchestration.ports import Storage, UnitOfWork
from orchestration.texts import text
from orchestration.trace_view import trace
from orchestration.turns import TurnRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class About:
    """What a question is about: a message by platform id, by number, or an outbox item; nothing set: the last turn."""

    external_id: str | None = None
    seq: int | None = None
    outbox_id: str | None = None


LAST = About()
CITED = 4
"""So many messages are named beside a line of the summary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnTold:
    turn: TurnRecord
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatisticsTold:
    statistics: ChatStatistics
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryTold:
    """``summary`` is empty while the chat has none; ``lines`` are what it is made of, each with its messages."""

    summary: str
    text: str
    lines: tuple[SummaryLine, ...] = ()


class InsightCases:
    """Reads only; looks only into the caller's own chat."""

    def __init__(self, storage: Storage, casts: Casts, language: Language) -> None:
        self._storage = storage
        self._casts = casts
        self._language = language

    async def why(self, caller: Caller, about: About = LAST) -> TurnTold:
        """Why the turn (of the message, or the last one) was answered as it was. UserError when there is none."""
        async with self._storage.read() as unit:
            turn = await _turn(unit, caller.chat.id, about)
            items = await _items(unit, turn)
            seqs = [*turn.message_seqs, *(i.message_seq for i in items if i.message_seq is not None)]
            messages = [m for seq in seqs if (m := await unit.messages.get(caller.chat.id, seq)) is not None]
        cast = await self._casts.of(caller.chat.tenant_id)
        return TurnTold(turn=turn, text=why(turn, messages, cast, items, locale=self._language.of(caller)))

    async def trace(self, caller: Caller, about: About = LAST) -> TurnTold:
        async with self._storage.read() as unit:
            turn = await _turn(unit, caller.chat.id, about)
            events = await unit.events.of_turn(turn.id)
        names = {card.id: card.name for card in await self._casts.of(caller.chat.tenant_id)}
        return TurnTold(turn=turn, text=trace(turn, events, locale=self._language.of(caller), names=names))

    async def stats(self, caller: Caller) -> StatisticsTold:
        async with self._storage.read() as unit:
            turns = await unit.turns.tally(caller.chat.id)
            agents = await unit.messages.tally(caller.chat.id)
            states = await unit.upkeep.of_chat(caller.chat.id)
            memories = await unit.memories.count(caller.chat.id)
            newest = await unit.messages.recent(caller.chat.id, limit=1)
        cast = await self._casts.of(caller.chat.tenant_id)
        statistics = ChatStatistics(turns=turns, agents=tuple(agents))
        locale = self._language.of(caller)
        kept = upkeep_told(states, memories, newest[-1].seq if newest else 0, locale=locale)
        said = told(statistics, cast, locale=locale)
        return StatisticsTold(statistics=statistics, text="\n".join([said, *kept]))

    async def summary(self, caller: Caller) -> SummaryTold:
        """The summary, each line with the messages it rests on (as links where the platform has them)."""
        async with self._storage.read() as unit:
            lines = tuple(await unit.summaries.standing(caller.chat.id))
            rows = [await self._cited(unit, caller, line) for line in lines]
        summary = "\n".join(rows)
        said = summary or text(self._language.of(caller), "summary_none")
        return SummaryTold(summary=summary, text=said, lines=lines)

    async def _cited(self, unit: UnitOfWork, caller: Caller, line: SummaryLine) -> str:
        marks = [await _mark(unit, caller, seq) for seq in line.seqs[:CITED]]
        more = " …" if len(line.seqs) > CITED else ""
        return f"- {line.text} [{' '.join(marks)}{more}]"


async def _mark(unit: UnitOfWork, caller: Caller, seq: int) -> str:
    """A message's number, as a link where its platform can show one."""
    if caller.link is None:
        return f"#{seq}"
    external_id = await external_of(unit, caller.chat.id, seq)
    return f"#{seq}" if external_id is None else caller.link(seq, external_id)


async def external_of(unit: UnitOfWork, chat_id: int, seq: int) -> str | None:
    """The platform's id of a message: an agent's is that of its first posted part."""
    message = await unit.messages.get(chat_id, seq)
    if message is None or message.external_id is not None or message.turn_id is None:
        return message.external_id if message is not None else None
    for item in await unit.outbox.of_turn(message.turn_id):
        if item.message_seq == seq:
            parts = await unit.outbox.parts(item.id)
            return next((part.external_id for part in parts if part.external_id is not None), None)
    return None


async def _turn(unit: UnitOfWork, chat_id: int, about: About) -> TurnRecord:
    """The turn asked about, never one of another chat."""
    turn_id: str | None = None
    if about == LAST:
        newest = await unit.turns.last(chat_id)
        if not newest:
            raise UserError("why_no_turn_yet")
        return newest[0]
    if about.outbox_id is not None:
        item = await unit.outbox.get(about.outbox_id)
        turn_id = item.turn_id if item is not None else None
    else:
        message = await _message(unit, chat_id, about)
        turn_id = message.turn_id
    turn = await unit.turns.get(turn_id) if turn_id else None
    if turn is None or turn.chat_id != chat_id:
        raise UserError("why_no_turn")
    return turn


async def _items(unit: UnitOfWork, turn: TurnRecord) -> list[OutboxItem]:
    """What the turn posted; a turn that wrote a reply anew has it in the older turn's row."""
    items = await unit.outbox.of_turn(turn.id)
    renewed = await unit.outbox.get(turn.regenerates) if turn.regenerates is not None else None
    return items if renewed is None else [renewed, *items]


async def _message(unit: UnitOfWork, chat_id: int, about: About) -> Message:
    message: Message | None = None
    if about.external_id is not None:
        message = await unit.messages.by_external(chat_id, about.external_id)
    elif about.seq is not None:
        message = await unit.messages.get(chat_id, about.seq)
    if message is None:
        raise UserError("message_unknown")
    return message
