"""A group chat with a cast, one answered turn and everything the use cases need."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from orchestration.admin import Admin, Caller
from orchestration.cast import Casts
from orchestration.decisions import DecidedBy, IntentKind, ReplyMode
from orchestration.events import Span
from orchestration.model import (
    AgentCard,
    AuditEntry,
    Authorship,
    ChatKey,
    GroupChat,
    IncomingMessage,
    OutboxItem,
    OutboxKind,
    OutboxPart,
    OutboxState,
    Person,
    Usage,
)
from orchestration.sessions import StopKind
from orchestration.settings import TurnSettings
from orchestration.turns import Selected, TurnRecord, TurnStatus, turn_id_of
from storage.memory import MemoryStorage

ANN = Person(id="console:Ann", name="Ann")
BEN = Person(id="console:Ben", name="Ben")
ADA = AgentCard(id="ada", name="Ada", emoji="🌿", description="A calm botanist.", instructions="Speak of plants only.")
BOB = AgentCard(id="bob", name="Bob")
START = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)


@dataclass
class RecordedTurns:
    """A turn runner that only writes down what it was told to do."""

    stops: list[tuple[int, StopKind]] = field(default_factory=list)
    regenerated: list[str] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    busy: bool = True

    async def stop(self, chat_id: int, kind: StopKind) -> bool:
        self.stops.append((chat_id, kind))
        return self.busy

    async def resume(self, chat_id: int) -> bool:
        return self.busy

    async def regenerate(self, chat_id: int, outbox_id: str, person: Person) -> str:
        self.regenerated.append(outbox_id)
        return "turn:new"

    async def remove(self, chat_id: int, outbox_id: str) -> None:
        self.removed.append(outbox_id)


class World:
    def __init__(self) -> None:
        self.now = START
        self.storage = MemoryStorage()
        self.casts = Casts(self.storage, (ADA, BOB), clock=self.clock)
        self.turns = RecordedTurns()
        self.admin = Admin(
            storage=self.storage, casts=self.casts, clock=self.clock, defaults=TurnSettings(), turns=self.turns
        )
        self.chat = GroupChat(
            id=0, tenant_id=0, key=ChatKey(platform="console", tenant_id="t", channel_id="c"), created_at=START
        )

    def clock(self) -> datetime:
        return self.now

    async def open(self) -> World:
        self.chat = await self.new_chat("c")
        return self

    async def new_chat(self, channel: str, tenant: str = "t") -> GroupChat:
        async with self.storage.begin() as unit:
            key = ChatKey(platform="console", tenant_id=tenant, channel_id=channel)
            return await unit.chats.ensure(key, at=self.clock())

    def ann(self, **changes: object) -> Caller:
        return replace(Caller(person=ANN, chat=self.chat, may_manage=True), **changes)  # type: ignore[arg-type]

    def ben(self, **changes: object) -> Caller:
        """A member without rights."""
        return replace(Caller(person=BEN, chat=self.chat), **changes)  # type: ignore[arg-type]

    async def audit(self) -> list[AuditEntry]:
        async with self.storage.read() as unit:
            return await unit.audit.newest(self.chat.tenant_id)

    async def actions(self) -> list[str]:
        return [entry.action for entry in await self.audit()]

    async def answered(self, number: int = 1, *, asked_by: Person = BEN) -> TurnRecord:
        """One finished turn: a question (external id ``m{number}``) and Ada's answer (``a{number}``)."""
        self.now += timedelta(seconds=10)
        asked = IncomingMessage(
            chat=self.chat.key, external_id=f"m{number}", author=asked_by, text="Ada, ferns?", sent_at=self.now
        )
        usage = Usage(calls=1, prompt_tokens=100, completion_tokens=20, cost=0.001)
        authorship = Authorship(
            provider="local", model="tiny", wire_api="chat_completions", usage=usage, ms=900, quality=0.9
        )
        async with self.storage.begin() as unit:
            question, _ = await unit.messages.add_human(self.chat.id, asked)
            turn = self._turn(question.seq, asked_by, usage)
            await unit.messages.set_turn(self.chat.id, question.seq, turn.id)
            await unit.turns.add(turn)
            said = await unit.messages.add_agent(
                self.chat.id,
                agent=ADA,
                text="Ferns!",
                turn_id=turn.id,
                reply_to_seq=question.seq,
                authorship=authorship,
                at=self.now,
            )
            await unit.outbox.add(
                OutboxItem(
                    id=f"{turn.id}:0",
                    chat_id=self.chat.id,
                    kind=OutboxKind.REPLY,
                    text="Ferns!",
                    created_at=self.now,
                    turn_id=turn.id,
                    agent_id="ada",
                    message_seq=said.seq,
                    state=OutboxState.SENT,
                    person_id=asked_by.id,
                )
            )
            await unit.outbox.save_part(
                OutboxPart(outbox_id=f"{turn.id}:0", part=0, state=OutboxState.SENT, external_id=f"a{number}")
            )
        return turn

    def _turn(self, seq: int, person: Person, usage: Usage) -> TurnRecord:
        return TurnRecord(
            id=turn_id_of(self.chat.id, seq),
            chat_id=self.chat.id,
            tenant_id=self.chat.tenant_id,
            seq=seq,
            trace_id="c0ffee",
            person_id=person.id,
            status=TurnStatus.FINISHED,
            message_seqs=(seq,),
            intent=IntentKind.DIRECT_MENTION,
            mode=ReplyMode.SINGLE,
            confidence=0.95,
            decided_by=DecidedBy.RULE,
            reason="name_vocative",
            selection=(Selected(agent_id="ada", reason="name_vocative"),),
            usage=usage,
            spans=(Span(name="turn", start_ms=0, ms=950),),
            created_at=self.now,
            last_line_at=self.now,
            started_at=self.now,
            finished_at=self.now + timedelta(seconds=1),
        )


async def a_world() -> World:
    return await World().open()
