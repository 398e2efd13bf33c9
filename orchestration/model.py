"""The nouns that flow through Troupe: frozen, slotted, keyword-only dataclasses.

Times are aware UTC datetimes. Ids of agents are slugs, unique within a tenant's cast. A person is
known by the platform's own id with the platform as prefix (``discord:1234``), never by a display name.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

MAX_CAST = 8
MAX_AGENTS_A_TURN = 6
MAX_MESSAGE_CHARS = 100_000


class Locale(StrEnum):
    """Languages in which Troupe itself speaks (notices, commands, prompts)."""

    EN = "en"
    ZH = "zh"


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatKey:
    """Where a group chat lives: one addressed place of talk on one platform.

    ``tenant_id`` is the platform's id of the guild or group (the wall that data never crosses),
    ``thread_id`` is empty where the platform has no threads or the talk is in the channel itself.
    """

    platform: str
    tenant_id: str
    channel_id: str
    thread_id: str = ""

    def __str__(self) -> str:
        return ":".join(p for p in (self.platform, self.channel_id, self.thread_id) if p)


@dataclass(frozen=True, slots=True, kw_only=True)
class Person:
    """A human who talks. ``id`` is stable (``platform:native id``); ``name`` is what the chat shows."""

    id: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Attachment:
    """A file that came with a message; ``note`` is the text that stands for it in prompts."""

    kind: str
    name: str = ""
    url: str = ""
    note: str = ""


ANY_AGENT: Final = "*"
"""Among `mentioned_agents`: the account of the cast as a whole was mentioned, so one of them is to answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncomingMessage:
    """One thing a human said, as an adapter translated it; not stored yet.

    ``external_id`` is the platform's message id (unique in its chat), ``mentioned_agents`` the agent ids the
    platform itself proved to be mentioned, ``reply_to`` the external id of the message replied to,
    ``reply_text`` its text where the platform sent it (it may be unknown to us).
    """

    chat: ChatKey
    external_id: str
    author: Person
    text: str
    sent_at: datetime
    mentioned_agents: tuple[str, ...] = ()
    mentioned_people: tuple[str, ...] = ()
    reply_to: str | None = None
    reply_text: str = ""
    attachments: tuple[Attachment, ...] = ()
    chat_title: str = ""
    wants_turn: bool = True
    """False for what is context only: history read after downtime, messages in a chat that is not bound."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentCard:
    """The record of one cast member. Every text field reaches the prompt word for word, as data."""

    id: str
    name: str
    aliases: tuple[str, ...] = ()
    avatar: str = ""
    emoji: str = ""
    description: str = ""
    personality: str = ""
    tone: str = ""
    instructions: str = ""
    backstory: str = ""
    boundaries: str = ""
    model: str = ""
    tools: tuple[str, ...] = ()
    talkativeness: float = 0.5
    paused: bool = False
    starter: bool = False
    owner_id: str = ""
    """Person id of the maker, where the agent belongs to one (empty: to the tenant's admins)."""
    version: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatSettings:
    """What admins set for one group chat. None = the operator's configured default."""

    agents_max: int | None = None
    talkativeness: float | None = None
    locale: Locale | None = None
    quiet_hours: str = ""
    """``22:00-07:00`` in UTC, empty for none."""
    mention_policy: str = "author"
    """Whom an answer may ping: ``author`` (the person answered) or ``nobody``."""
    clarify_below: float | None = None
    bound: bool = True
    memory: bool = True
    """Whether agents remember what is said here, and a summary is kept."""
    memory_shared: bool = False
    """Whether memories of this chat are recalled in the tenant's other chats that share theirs too."""
    retention_days: int | None = None
    """Texts older than this are removed, and all that was learnt from them; None: kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupChat:
    """A stored group chat. ``id`` and ``tenant_id`` are ours; ``key`` is the platform's address and may change."""

    id: int
    tenant_id: int
    key: ChatKey
    title: str = ""
    settings: ChatSettings = field(default_factory=ChatSettings)
    created_at: datetime
    last_message_at: datetime | None = None


class MessageKind(StrEnum):
    HUMAN = "human"
    AGENT = "agent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens and money of one or more model calls; ``estimated`` when the server did not tell."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    estimated: bool = False

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            calls=self.calls + other.calls,
            prompt_tokens=self.prompt_tokens + other.prompt_tokens,
            completion_tokens=self.completion_tokens + other.completion_tokens,
            cost=self.cost + other.cost,
            estimated=self.estimated or other.estimated,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentTally:
    """What one agent said in a chat so far. ``quality`` is the mean of its judged replies (None: none judged)."""

    agent_id: str
    replies: int
    quality: float | None = None
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True, kw_only=True)
class Authorship:
    """How an agent's message came to be: the columns behind `/why` that stand with the message."""

    provider: str = ""
    model: str = ""
    wire_api: str = ""
    usage: Usage = field(default_factory=Usage)
    ms: int = 0
    quality: float | None = None
    quality_issues: tuple[str, ...] = ()
    revisions: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One stored thing said. ``seq`` grows by one in its group chat, over humans and agents alike.

    ``text`` is the current text ("" once deleted). ``turn_id`` is the one turn this message has (humans: the turn
    that answers it; agents: the turn it was said in; None: context only).
    """

    chat_id: int
    seq: int
    kind: MessageKind
    author: Person
    text: str
    sent_at: datetime
    agent_id: str | None = None
    external_id: str | None = None
    reply_to_seq: int | None = None
    reply_text: str = ""
    turn_id: str | None = None
    mentioned_agents: tuple[str, ...] = ()
    mentioned_people: tuple[str, ...] = ()
    attachments: tuple[Attachment, ...] = ()
    edited_at: datetime | None = None
    deleted_at: datetime | None = None
    authorship: Authorship | None = None


class OutboxKind(StrEnum):
    REPLY = "reply"
    NOTICE = "notice"
    CLARIFICATION = "clarification"


class OutboxState(StrEnum):
    """planned -> sending -> sent | unknown | failed; withdrawn: taken back before it was sent."""

    PLANNED = "planned"
    SENDING = "sending"
    SENT = "sent"
    UNKNOWN = "unknown"
    FAILED = "failed"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One button of a clarification: ``id`` travels in the button, the payload stays in the database."""

    id: str
    label: str
    agent_ids: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxItem:
    """One thing to be posted, stored before anything is sent. ``id`` is its idempotency key.

    A reply's id is ``{turn_id}:{idx}``; adapters split ``text`` into parts and journal each part's external id.
    ``reply_to_external`` is the platform id of the human message answered, ``reply_to_is_last`` tells whether
    that message was the chat's last one when the reply was committed (a quote line is then needless).
    """

    id: str
    chat_id: int
    kind: OutboxKind
    text: str
    created_at: datetime
    turn_id: str | None = None
    idx: int = 0
    agent_id: str | None = None
    message_seq: int | None = None
    reply_to_seq: int | None = None
    reply_to_external: str | None = None
    reply_to_is_last: bool = True
    person_id: str | None = None
    """The person answered: the only one an adapter may ping."""
    choices: tuple[Choice, ...] = ()
    state: OutboxState = OutboxState.PLANNED
    error: str = ""
    revision: int = 0
    """Grows when a regenerated text takes the place of the posted one: the dispatcher then edits, it does not post."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OutboxPart:
    """One platform message of an outbox item: the journal an adapter reconciles against before it sends."""

    outbox_id: str
    part: int
    state: OutboxState
    external_id: str | None = None
    content_hash: str = ""
    note: str = ""
    """What the adapter needs to find the part again (webhook id, bot id, thread)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A message as it was when something was learnt from it: whose words, and when it had been edited last."""

    seq: int
    person_id: str = ""
    edited_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One fact an agent may recall, heard in one group chat.

    Owned by (agent, person) where both ids are set, by an agent where only ``agent_id`` is, else by the group.
    ``subject_id`` is whom it is about: a person's id, ``agent:<id>`` or ``group``. ``importance`` is 0..10,
    ``confidence`` 0..1. ``superseded_by``: a newer memory says otherwise. ``vector`` is its meaning (float32), where
    it is known.
    """

    id: str
    subject_id: str
    kind: str
    text: str
    importance: int
    confidence: float
    sources: tuple[Source, ...] = ()
    chat_id: int = 0
    agent_id: str = ""
    person_id: str = ""
    made_by: str = "model"
    created_at: datetime | None = None
    used_at: datetime | None = None
    superseded_by: str = ""
    vector: bytes = b""
    version: int = 1

    @property
    def source_seqs(self) -> tuple[int, ...]:
        return tuple(source.seq for source in self.sources)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEntry:
    """One change an admin made: who, what, to which thing, when."""

    tenant_id: int
    chat_id: int | None
    actor: Person
    action: str
    target: str
    detail: str
    at: datetime
