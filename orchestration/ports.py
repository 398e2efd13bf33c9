"""What the core needs from outside. Each port has few methods and implementations that pass one contract test."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from pydantic import BaseModel

from orchestration.events import Event, Json, NewEvent
from orchestration.memory.stores import Memories, People, Summaries, Upkeep
from orchestration.model import (
    AgentCard,
    AgentTally,
    AuditEntry,
    Authorship,
    ChatKey,
    ChatSettings,
    GroupChat,
    IncomingMessage,
    Memory,
    Message,
    OutboxItem,
    OutboxPart,
    OutboxState,
    Person,
    Usage,
)
from orchestration.sessions import Session
from orchestration.turns import TurnRecord, TurnTally

Clock = Callable[[], datetime]
"""Now, as an aware UTC datetime."""
NewId = Callable[[], str]
"""A fresh random id (32 hex digits)."""


# ---------------------------------------------------------------------------------------------- storage


class Chats(Protocol):
    async def ensure(self, key: ChatKey, *, title: str = "", at: datetime) -> GroupChat:
        """The chat at this address, made (with its tenant) when it is new."""

    async def find(self, key: ChatKey) -> GroupChat | None: ...

    async def get(self, chat_id: int) -> GroupChat | None: ...

    async def all(self, *, tenant_id: int | None = None, platform: str | None = None) -> list[GroupChat]:
        """Chats of a tenant and/or a platform, oldest first."""

    async def save_settings(self, chat_id: int, settings: ChatSettings) -> None: ...

    async def rename(self, old: ChatKey, new: ChatKey) -> int:
        """Moves every chat of the old tenant and channel to the new one (threads keep their ids); returns how many.

        Idempotent: 0 when it has been done already. Where the new address was already taken, the chat that stands
        there keeps its number and the old one's messages stay readable under the old.
        """

    async def tenant_of(self, platform: str, external_tenant: str, *, at: datetime) -> int:
        """Our id of a guild or group, made when it is new."""


class Agents(Protocol):
    """A tenant's own cards. Starter agents of the configuration are laid under them by `orchestration.cast`."""

    async def lock(self, tenant_id: int) -> None:
        """Makes this the only writer of the tenant's cast until the transaction ends: what is read after it stands."""

    async def all(self, tenant_id: int) -> list[AgentCard]:
        """The newest version of each card, tombstones included (see `removed`), in order of creation."""

    async def save(self, tenant_id: int, card: AgentCard, *, at: datetime) -> AgentCard:
        """Stores the card as its next version. StaleWrite unless ``card.version`` is the newest one (0: a new card)."""

    async def remove(self, tenant_id: int, agent_id: str, *, at: datetime) -> bool:
        """Lays a tombstone: the agent is gone from the cast, its versions and messages stay. False if it was."""

    async def removed(self, tenant_id: int) -> frozenset[str]:
        """Ids of the agents with a tombstone."""

    async def versions(self, tenant_id: int, agent_id: str) -> list[AgentCard]: ...


class Messages(Protocol):
    async def add_human(self, chat_id: int, message: IncomingMessage) -> tuple[Message, bool]:
        """Stores a human message under the next ``seq``; (the stored one, False) when its external id is known."""

    async def add_agent(
        self,
        chat_id: int,
        *,
        agent: AgentCard,
        text: str,
        turn_id: str,
        reply_to_seq: int | None,
        authorship: Authorship,
        at: datetime,
    ) -> Message: ...

    async def get(self, chat_id: int, seq: int) -> Message | None: ...

    async def by_external(self, chat_id: int, external_id: str) -> Message | None:
        """The message with this platform id: a human's, or an agent's any part of which was posted under it."""

    async def recent(self, chat_id: int, *, limit: int, before_seq: int | None = None) -> list[Message]:
        """The last ``limit`` messages (not deleted ones) below ``before_seq``, oldest first."""

    async def range(self, chat_id: int, first_seq: int, last_seq: int) -> list[Message]:
        """Messages first..last inclusive, oldest first, tombstones included."""

    async def set_turn(self, chat_id: int, seq: int, turn_id: str) -> None: ...

    async def edit(self, chat_id: int, external_id: str, *, text: str, at: datetime) -> Message | None:
        """The message with its new text; None when it is unknown or the text is the same."""

    async def delete(self, chat_id: int, external_id: str, *, at: datetime) -> Message | None:
        """Tombstone: the text is gone, the number stays. None when unknown or gone already."""

    async def replace_text(self, chat_id: int, seq: int, *, text: str, authorship: Authorship, at: datetime) -> None:
        """A regenerated reply takes the place of the old text."""

    async def withdraw(self, chat_id: int, seq: int, *, at: datetime) -> None:
        """Tombstone for an agent's message that was taken back."""

    async def without_turn(self, *, limit: int = 1000) -> list[Message]:
        """Human messages that want a turn and have none: stored right before a crash."""

    async def tally(self, chat_id: int) -> list[AgentTally]:
        """One row for each agent that spoke (deleted messages not counted), in order of agent id."""


class Turns(Protocol):
    async def add(self, turn: TurnRecord) -> bool:
        """False when a turn of this id exists."""

    async def get(self, turn_id: str) -> TurnRecord | None: ...

    async def version(self, turn_id: str) -> int | None:
        """The stored version: a turn read or saved with it is still as it was."""

    async def save(self, turn: TurnRecord) -> TurnRecord:
        """Writes all columns; StaleWrite unless ``turn.version`` is the stored one. Returns it with its new version."""

    async def last(self, chat_id: int, *, limit: int = 1) -> list[TurnRecord]:
        """The newest turns of a chat, newest first."""

    async def tally(self, chat_id: int) -> TurnTally:
        """The chat's turns, counted."""

    async def unfinished(self) -> list[TurnRecord]:
        """Queued and running turns of all chats, in order of chat and seq."""


class Events(Protocol):
    async def append(self, chat_id: int, events: Sequence[NewEvent]) -> list[Event]: ...

    async def since(self, chat_id: int, seq: int, *, limit: int = 1000) -> list[Event]:
        """Events with a number above ``seq``, oldest first."""

    async def edits(self, chat_id: int, seq: int, *, since: datetime, limit: int) -> list[Event]:
        """Events above ``seq`` that tell of a message people changed at or after ``since``, oldest first."""

    async def newest(self, chat_id: int) -> int: ...

    async def of_turn(self, turn_id: str) -> list[Event]: ...


class Outbox(Protocol):
    async def add(self, item: OutboxItem) -> bool:
        """False when an item of this id exists (then nothing changes)."""

    async def get(self, outbox_id: str) -> OutboxItem | None: ...

    async def of_turn(self, turn_id: str) -> list[OutboxItem]: ...

    async def open(self, chat_id: int | None = None) -> list[OutboxItem]:
        """Items planned or sending, in order of chat and creation."""

    async def mark(self, outbox_id: str, state: OutboxState, *, error: str = "") -> None: ...

    async def rewrite(self, outbox_id: str, text: str) -> OutboxItem | None:
        """Gives the item a new text, the next revision and the state planned; None when it is unknown."""

    async def parts(self, outbox_id: str) -> list[OutboxPart]: ...

    async def save_part(self, part: OutboxPart) -> None:
        """Inserts or replaces the journal row (outbox id, part)."""


class Sessions(Protocol):
    async def get(self, chat_id: int) -> Session:
        """The stored session, or a fresh one (version 0)."""

    async def save(self, session: Session) -> Session:
        """StaleWrite unless ``session.version`` is the stored one. Returns it with its new version."""


class Audit(Protocol):
    async def add(self, entry: AuditEntry) -> None: ...

    async def newest(self, tenant_id: int, *, limit: int = 100) -> list[AuditEntry]:
        """Newest first."""


class PlatformState(Protocol):
    """What an adapter must remember over restarts: webhooks, cursors, button payloads. ``scope`` is the adapter's."""

    async def get(self, scope: str, key: str) -> Json: ...

    async def put(self, scope: str, key: str, value: Json) -> None: ...

    async def put_if_absent(self, scope: str, key: str, value: Json) -> bool:
        """False when the key exists: the database is the gate, not a cache."""

    async def delete(self, scope: str, key: str) -> None: ...

    async def items(self, scope: str, *, prefix: str = "") -> dict[str, Json]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class InboxRow:
    """A raw platform update, stored before it is acknowledged."""

    source: str
    update_id: int
    raw: str


class Inbox(Protocol):
    async def add(self, rows: Sequence[InboxRow]) -> int:
        """Stores rows that are new; returns how many were."""

    async def pending(self, source: str, *, limit: int = 100) -> list[InboxRow]:
        """Rows neither done nor poison, oldest first."""

    async def done(self, source: str, update_id: int, *, poison: bool = False) -> None: ...

    async def last_id(self, source: str) -> int | None: ...

    async def clear(self, *, keep: int) -> int:
        """Removes rows that are done or poison, except the newest ``keep`` (at least one) of each source; how many."""


class UnitOfWork(Protocol):
    """One transaction over all aggregates. Commits when its block ends well, rolls back when it raises."""

    @property
    def chats(self) -> Chats: ...
    @property
    def agents(self) -> Agents: ...
    @property
    def messages(self) -> Messages: ...
    @property
    def turns(self) -> Turns: ...
    @property
    def events(self) -> Events: ...
    @property
    def outbox(self) -> Outbox: ...
    @property
    def sessions(self) -> Sessions: ...
    @property
    def audit(self) -> Audit: ...
    @property
    def platform_state(self) -> PlatformState: ...
    @property
    def inbox(self) -> Inbox: ...
    @property
    def memories(self) -> Memories: ...
    @property
    def summaries(self) -> Summaries: ...
    @property
    def people(self) -> People: ...
    @property
    def upkeep(self) -> Upkeep: ...


class Storage(Protocol):
    """Each call gives a fresh unit of work; no network wait ever happens inside one.

    Raises StorageUnavailable when the database is locked, full or unreachable, StaleWrite as documented.
    """

    def begin(self) -> AbstractAsyncContextManager[UnitOfWork]:
        """For writing."""

    def read(self) -> AbstractAsyncContextManager[UnitOfWork]:
        """For reading only."""


# ---------------------------------------------------------------------------------------------- models


@dataclass(frozen=True, slots=True, kw_only=True)
class PromptMessage:
    """``role`` is system, user or assistant. No display name ever travels beside the text."""

    role: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """Text as the model meant it for people: think blocks, tool XML and envelopes are gone already."""

    text: str
    model: str
    provider: str
    wire_api: str
    usage: Usage
    ms: int
    finish: str = "stop"


SchemaT = TypeVar("SchemaT", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class WriteRequest:
    """One free-text call. ``agent`` is who is to speak (set phrases need it), ``locale`` the chat's language."""

    messages: tuple[PromptMessage, ...]
    agent: AgentCard | None = None
    locale: str = "en"
    max_tokens: int = 700
    model: str = ""
    """An agent's own model name, overriding the role's."""
    words: str = ""
    """The user's words, for set phrases."""


class ChatModel(Protocol):
    """A model behind a role. Every failure is a ModelError; cancellation closes the request."""

    @property
    def label(self) -> str:
        """What notices call it, e.g. ``demo model SmolLM2-135M``."""

    async def write(self, request: WriteRequest) -> Completion: ...

    async def decide(self, messages: Sequence[PromptMessage], schema: type[SchemaT]) -> tuple[SchemaT, Usage]:
        """A validated object, by whatever rung of the structured-output ladder works on this server."""


class Models(Protocol):
    """The models of this process, one per role. None where a role has no model (the rules then decide)."""

    @property
    def writer(self) -> ChatModel: ...
    @property
    def router(self) -> ChatModel | None: ...
    @property
    def checker(self) -> ChatModel | None: ...
    @property
    def summariser(self) -> ChatModel | None: ...


# ---------------------------------------------------------------------------------------------- platforms


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a platform can show."""

    max_chars: int
    personas: bool
    edits: bool
    buttons: bool


class Ingress(Protocol):
    """What an adapter may tell the core. Every call returns once the fact is stored, never after thinking."""

    async def receive(self, message: IncomingMessage) -> Received: ...

    async def edited(self, chat: ChatKey, external_id: str, text: str) -> None: ...

    async def deleted(self, chat: ChatKey, external_id: str) -> None: ...

    async def chosen(self, chat: ChatKey, person: Person, choice_id: str) -> bool:
        """A press on a clarification button; False when it is not (or no longer) theirs to press."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Received:
    """``turn_id`` is the turn that answers the message (None: context only); ``new`` False for a repeat."""

    message: Message
    turn_id: str | None
    new: bool


class Adapter(Protocol):
    """A platform: translates in, posts out, does not think."""

    @property
    def platform(self) -> str: ...

    @property
    def limits(self) -> Limits: ...

    async def run(self) -> None:
        """Hears until cancelled. Faults of the platform are waited out inside."""

    async def close(self) -> None: ...

    async def deliver(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        """Posts the item exactly once: reconciles the journal (`Outbox.parts`) with the platform before it sends.

        Raises DeliveryLater, DeliveryRefused or DeliveryUnknown; returning means every part stands.
        """

    async def writing(self, chat: GroupChat, agent: AgentCard | None) -> None:
        """Shows who is writing; None: nobody any more. Never raises."""

    async def replace(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        """Shows the item's new text in place of what was posted for it (regenerate)."""

    async def withdraw(self, chat: GroupChat, item: OutboxItem) -> None:
        """Removes what was posted for the item."""


class TurnQueue(Protocol):
    """The durable engine, as the core sees it."""

    async def enqueue(self, turn_id: str, chat_id: int, run: int = 0) -> None:
        """Runs the turn after all earlier ones of its chat, once, whatever crashes. Idempotent by (turn id, run).

        ``run`` is 1 when an answered clarification lets the turn go on.
        """


class EventSink(Protocol):
    """Hears every stored event of this process (consoles, web streams). Never raises, never waits."""

    def __call__(self, event: Event) -> None: ...


class Recall(Protocol):
    """What an agent may remember for a reply. Bounded in time; may raise `recall.RecallFailed`."""

    async def best(self, chat: GroupChat, agent: AgentCard, person: Person, words: str) -> Sequence[Memory]:
        """At most six memories of this agent, the fittest first."""

    async def lookup(self, chat: GroupChat, seqs: Sequence[int]) -> Sequence[Message]:
        """Messages of the chat by number, word for word; those that are gone are left out."""
