"""What a database would hold, as dictionaries of frozen records."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, NoReturn

from orchestration.errors import StorageError
from orchestration.events import Event, Json
from orchestration.memory.records import PersonChoices, Relationship, SummaryLine, UpkeepState
from orchestration.model import AgentCard, AuditEntry, ChatSettings, Memory, Message, OutboxItem, OutboxPart
from orchestration.ports import InboxRow
from orchestration.sessions import Session
from orchestration.turns import TurnRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRow:
    """A group chat without its tenant's name."""

    id: int
    tenant_id: int
    channel_id: str
    thread_id: str
    title: str
    settings: ChatSettings
    created_at: datetime
    last_message_at: datetime | None = None
    message_seq: int = 0
    event_seq: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """One version of a card, or the tombstone over the ones before it."""

    card: AgentCard
    removed: bool


class ReadOnly(dict[Any, Any]):
    """A table of a unit of work that is for reading only."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise StorageError("this unit of work is for reading only")

    __setitem__ = __delitem__ = pop = setdefault = update = _refuse


@dataclass(slots=True, kw_only=True)
class State:
    """All tables. A unit of work changes a copy of its own, which takes the original's place when it commits."""

    tenants: dict[tuple[str, str], int] = field(default_factory=dict)
    chats: dict[int, ChatRow] = field(default_factory=dict)
    agents: dict[tuple[int, str], tuple[CardRow, ...]] = field(default_factory=dict)
    messages: dict[tuple[int, int], Message] = field(default_factory=dict)
    without_turn: dict[tuple[int, int], None] = field(default_factory=dict)
    turns: dict[str, TurnRecord] = field(default_factory=dict)
    events: dict[tuple[int, int], Event] = field(default_factory=dict)
    outbox: dict[str, OutboxItem] = field(default_factory=dict)
    parts: dict[tuple[str, int], OutboxPart] = field(default_factory=dict)
    sessions: dict[int, Session] = field(default_factory=dict)
    audit: dict[int, AuditEntry] = field(default_factory=dict)
    platform_state: dict[tuple[str, str], Json] = field(default_factory=dict)
    inbox: dict[tuple[str, int], tuple[InboxRow, str]] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)
    summary_lines: dict[tuple[int, int], SummaryLine] = field(default_factory=dict)
    people: dict[tuple[int, str], PersonChoices] = field(default_factory=dict)
    relationships: dict[tuple[int, str, str], Relationship] = field(default_factory=dict)
    upkeep: dict[tuple[int, str], UpkeepState] = field(default_factory=dict)
    upkeep_tokens: dict[tuple[int, str], int] = field(default_factory=dict)

    def copy(self, table: type[dict[Any, Any]] = dict) -> State:
        """The records are frozen: copying the dictionaries is enough."""
        return State(**{f.name: table(getattr(self, f.name)) for f in fields(self)})

    def chat(self, chat_id: int) -> ChatRow:
        """StorageError when there is no such chat: what a foreign key does."""
        try:
            return self.chats[chat_id]
        except KeyError:
            raise StorageError("no such group chat") from None

    def need_tenant(self, tenant_id: int) -> None:
        if tenant_id not in self.tenants.values():
            raise StorageError("no such tenant")


def aware(*times: datetime | None) -> None:
    """StorageError for a time without its zone."""
    if any(time is not None and time.tzinfo is None for time in times):
        raise StorageError("a time without its zone cannot be stored")
