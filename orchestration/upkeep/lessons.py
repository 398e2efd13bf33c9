"""Messages to learn from, with what is needed to understand them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orchestration.memory.guard import Evidence
from orchestration.memory.play import LASTS, played
from orchestration.memory.terms import names_in, without_address
from orchestration.model import AgentCard, GroupChat, Memory, Message, MessageKind
from orchestration.ports import UnitOfWork
from orchestration.turns import TurnStatus
from orchestration.upkeep.parts import allowed, names_of, private_among

BEFORE = 6
AHEAD = 16
"""So many messages after the last one are looked at for the answers to it."""
KNOWN = 400
OF_OWNER = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Lesson:
    """``heard``: turn id -> agents that spoke in it or were spoken to. ``played`` are numbers of messages in which
    somebody plays a part, ``private`` the people who do not want to be remembered.
    """

    chat: GroupChat
    messages: tuple[Message, ...]
    """Those that may be read."""
    before: tuple[Message, ...]
    played: frozenset[int]
    heard: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    private: frozenset[str]
    cast: tuple[str, ...]
    known: tuple[Memory, ...]

    @property
    def evidence(self) -> Evidence:
        """Those that may be sources, and who is who."""
        return Evidence(
            messages={m.seq: m for m in self.messages if m.seq not in self.played},
            names=self.names,
            cast=self.cast,
            private=self.private,
        )

    def exchanges(self) -> list[tuple[str, str, list[str]]]:
        """(agent id, person id, what the person said to it) of each turn."""
        said: dict[tuple[str, str], list[str]] = {}
        for message in self.messages:
            if message.kind is MessageKind.HUMAN and message.turn_id is not None:
                said.setdefault((message.turn_id, message.author.id), []).append(message.text)
        return [
            (agent_id, person_id, texts)
            for (turn_id, person_id), texts in said.items()
            for agent_id in self.heard.get(turn_id, ())
        ]


async def lesson_of(uow: UnitOfWork, chat: GroupChat, said: Sequence[Message], cast: Sequence[AgentCard]) -> Lesson:
    """These messages with what belongs to them: what was said before, who heard it, who is who, what is known."""
    first, last = said[0].seq, said[-1].seq
    earlier = await uow.messages.range(chat.id, max(1, first - LASTS), first - 1)
    ahead = await uow.messages.range(chat.id, first, last + AHEAD)
    heard: dict[str, tuple[str, ...]] = {}
    for message in ahead:
        if message.turn_id is not None and message.deleted_at is None:
            agents = _spoken_to(message, cast) if message.agent_id is None else (message.agent_id,)
            heard[message.turn_id] = tuple(dict.fromkeys((*heard.get(message.turn_id, ()), *agents)))
    names = await names_of(uow, chat.id, said)
    return Lesson(
        chat=chat,
        messages=tuple(await allowed(uow, chat.tenant_id, said)),
        before=tuple(await allowed(uow, chat.tenant_id, earlier[-BEFORE:])),
        played=played([*earlier, *said]),
        heard=heard,
        names=names,
        private=await private_among(uow, chat.tenant_id, names),
        cast=names_of_cast(cast),
        known=tuple(await _known_of(uow, chat, said)),
    )


def names_of_cast(cast: Sequence[AgentCard]) -> tuple[str, ...]:
    """What the agents are called, aliases too, the longest first."""
    names = {name for card in cast for name in (card.name, *card.aliases)}
    return tuple(sorted(names, key=lambda name: (-len(name), name)))


def _spoken_to(message: Message, cast: Sequence[AgentCard]) -> tuple[str, ...]:
    """Agents that a person calls by name: they hear it, also where they had better say nothing."""
    text = message.text.strip()
    return tuple(
        card.id
        for card in cast
        if card.id in message.mentioned_agents
        or names_in(text, (f"@{name}" for name in (card.name, *card.aliases)))
        or without_address(text, (card.name, *card.aliases)) != text
    )


async def _known_of(uow: UnitOfWork, chat: GroupChat, said: Sequence[Message]) -> list[Memory]:
    """What is remembered here of those who speak, and of the group; the newest last."""
    found = await of_owner(uow, chat.id, "", "")
    for person_id in dict.fromkeys(m.author.id for m in said if m.agent_id is None):
        mine = await uow.memories.of_person(chat.tenant_id, person_id)
        found += [m for m in mine if m.chat_id == chat.id and m.subject_id == person_id and not m.superseded_by]
    return found[-KNOWN:]


async def of_owner(uow: UnitOfWork, chat_id: int, agent_id: str, person_id: str) -> list[Memory]:
    found = await uow.memories.standing([chat_id], agent_id=agent_id, person_id=person_id, limit=OF_OWNER)
    return [m for m in found if (m.agent_id, m.person_id) == (agent_id, person_id)]


async def until_under_way(uow: UnitOfWork, said: Sequence[Message]) -> list[Message]:
    """The messages up to the first whose turn is not over yet: its answers are still to come."""
    status: dict[str, bool] = {}
    for at, message in enumerate(said):
        if message.turn_id is None:
            continue
        if message.turn_id not in status:
            turn = await uow.turns.get(message.turn_id)
            status[message.turn_id] = turn is not None and turn.status in (TurnStatus.QUEUED, TurnStatus.RUNNING)
        if status[message.turn_id]:
            return list(said[:at])
    return list(said)
