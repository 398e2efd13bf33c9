"""Messages and proposals of a small group, for tests of memory."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from orchestration.memory.guard import Evidence, Proposal
from orchestration.memory.records import MemoryKind
from orchestration.model import Memory, Message, MessageKind, Person, Source

NOW = datetime(2026, 5, 4, 12, 0, tzinfo=UTC)
ANN = Person(id="room:Ann", name="Ann")
BEN = Person(id="room:Ben", name="Ben")
LIN = Person(id="room:Lin", name="小林")
NOVA = Person(id="agent:nova", name="Nova")


def said(seq: int, author: Person, text: str, **more: object) -> Message:
    agent_id = author.id.removeprefix("agent:") if author.id.startswith("agent:") else None
    values: dict[str, object] = dict(
        chat_id=1,
        seq=seq,
        kind=MessageKind.HUMAN if agent_id is None else MessageKind.AGENT,
        author=author,
        text=text,
        sent_at=NOW + timedelta(seconds=seq),
        agent_id=agent_id,
    )
    return Message(**values | more)  # type: ignore[arg-type]


def evidence(*messages: Message) -> Evidence:
    names = {person.id: person.name for person in (ANN, BEN, LIN, NOVA)}
    return Evidence(messages={m.seq: m for m in messages}, names=names | {m.author.id: m.author.name for m in messages})


def proposal(about: Person | str, text: str, *seqs: int, **more: object) -> Proposal:
    subject = about if isinstance(about, str) else about.id
    values: dict[str, object] = dict(subject_id=subject, kind=MemoryKind.FACT, text=text, seqs=seqs)
    return Proposal(**values | more)  # type: ignore[arg-type]


def memory(id: str, text: str, **more: object) -> Memory:
    values: dict[str, object] = dict(
        id=id,
        chat_id=1,
        agent_id="nova",
        person_id=ANN.id,
        subject_id=ANN.id,
        kind=MemoryKind.PREFERENCE,
        text=text,
        importance=5,
        confidence=0.6,
        sources=(Source(seq=int(more.pop("seq", 1)), person_id=ANN.id),),  # type: ignore[call-overload]
        created_at=NOW,
    )
    return Memory(**values | more)  # type: ignore[arg-type]
