"""The tables. What `/why` shows are columns; JSON text is only for lists that no query looks into.

Nothing here slows down with the age of a chat: numbers are counted in the chat's row, and what is still to be done
(turns, posts, updates, messages without a turn) has a partial index that holds nothing else.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, Table, UniqueConstraint

from orchestration.events import Json
from storage.columns import BigId, CleanText, JsonText, OrderedText, UtcTime

metadata = sa.MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# The same words in the index and in the query, or the planner does not use the index.
TURN_UNFINISHED = sa.text("status IN ('queued', 'running')")
OUTBOX_OPEN = sa.text("state IN ('planned', 'sending')")
INBOX_PENDING = sa.text("state = 'new'")
WITHOUT_TURN = sa.text("wants_turn AND turn_id IS NULL AND deleted_at IS NULL")


def _words(name: str) -> Column[str]:
    return Column(name, CleanText, nullable=False)


def _words_or_none(name: str) -> Column[str]:
    return Column(name, CleanText)


def _number(name: str) -> Column[int]:
    return Column(name, Integer, nullable=False)


def _time(name: str) -> Column[datetime]:
    return Column(name, UtcTime, nullable=False)


def _time_or_none(name: str) -> Column[datetime]:
    return Column(name, UtcTime)


def _list(name: str) -> Column[Json]:
    return Column(name, JsonText, nullable=False)


def _chat_id(*, primary_key: bool = False) -> Column[int]:
    return Column("chat_id", BigId, ForeignKey("group_chats.id"), primary_key=primary_key, nullable=False)


def _usage() -> tuple[Column[int], Column[int], Column[int], Column[float], Column[bool]]:
    return (
        _number("calls"),
        _number("prompt_tokens"),
        _number("completion_tokens"),
        Column("cost", Float, nullable=False),
        Column("estimated", Boolean, nullable=False),
    )


tenants = Table(
    "tenants",
    metadata,
    Column("id", BigId, primary_key=True),
    _words("platform"),
    _words("external_id"),
    _time("created_at"),
    UniqueConstraint("platform", "external_id"),
)

group_chats = Table(
    "group_chats",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("tenant_id", BigId, ForeignKey("tenants.id"), nullable=False),
    _words("channel_id"),
    _words("thread_id"),
    _words("title"),
    Column("agents_max", Integer),
    Column("talkativeness", Float),
    _words_or_none("locale"),
    _words("quiet_hours"),
    _words("mention_policy"),
    Column("clarify_below", Float),
    Column("bound", Boolean, nullable=False),
    Column("memory", Boolean, nullable=False),
    Column("memory_shared", Boolean, nullable=False),
    Column("retention_days", Integer),
    _time("created_at"),
    _time_or_none("last_message_at"),
    _number("message_seq"),
    _number("event_seq"),
    UniqueConstraint("tenant_id", "channel_id", "thread_id"),
)

agents = Table(
    "agents",
    metadata,
    Column("tenant_id", BigId, ForeignKey("tenants.id"), primary_key=True),
    Column("agent_id", CleanText, primary_key=True),
    Column("version", Integer, primary_key=True),
    Column("removed", Boolean, nullable=False),
    _number("place"),
    _words("name"),
    _list("aliases"),
    _words("avatar"),
    _words("emoji"),
    _words("description"),
    _words("personality"),
    _words("tone"),
    _words("instructions"),
    _words("backstory"),
    _words("boundaries"),
    _words("model"),
    _list("tools"),
    Column("talkativeness", Float, nullable=False),
    Column("paused", Boolean, nullable=False),
    Column("starter", Boolean, nullable=False),
    _words("owner_id"),
    _time("saved_at"),
)

messages = Table(
    "messages",
    metadata,
    _chat_id(primary_key=True),
    Column("seq", Integer, primary_key=True),
    _words("kind"),
    _words("author_id"),
    _words("author_name"),
    _words("text"),
    _time("sent_at"),
    _words_or_none("agent_id"),
    _words_or_none("external_id"),
    Column("reply_to_seq", Integer),
    _words("reply_text"),
    _words_or_none("turn_id"),
    Column("wants_turn", Boolean, nullable=False),
    _list("mentioned_agents"),
    _list("mentioned_people"),
    _list("attachments"),
    _time_or_none("edited_at"),
    _time_or_none("deleted_at"),
    # Authorship: empty for humans.
    _words_or_none("provider"),
    _words_or_none("model"),
    _words_or_none("wire_api"),
    Column("calls", Integer),
    Column("prompt_tokens", Integer),
    Column("completion_tokens", Integer),
    Column("cost", Float),
    Column("estimated", Boolean),
    Column("ms", Integer),
    Column("quality", Float),
    Column("quality_issues", JsonText),
    Column("revisions", Integer),
    UniqueConstraint("chat_id", "external_id"),
    Index("ix_messages_without_turn", "chat_id", "seq", sqlite_where=WITHOUT_TURN, postgresql_where=WITHOUT_TURN),
)

turns = Table(
    "turns",
    metadata,
    Column("id", CleanText, primary_key=True),
    _chat_id(),
    Column("tenant_id", BigId, ForeignKey("tenants.id"), nullable=False),
    _number("seq"),
    _words("trace_id"),
    _words("person_id"),
    _words("status"),
    _number("generation"),
    _list("message_seqs"),
    _words_or_none("intent"),
    _words_or_none("mode"),
    Column("confidence", Float),
    _words_or_none("decided_by"),
    _words("reason"),
    _list("selection"),
    _list("candidates"),
    _list("clarified_agents"),
    _words_or_none("regenerates"),
    _words_or_none("stop"),
    _list("degradation"),
    *_usage(),
    _list("spans"),
    _words("error"),
    _time("created_at"),
    _time("last_line_at"),
    _time_or_none("started_at"),
    _time_or_none("finished_at"),
    _number("version"),
    Index("ix_turns_newest", "chat_id", "created_at", "seq"),
    Index("ix_turns_unfinished", "chat_id", "seq", sqlite_where=TURN_UNFINISHED, postgresql_where=TURN_UNFINISHED),
)

events = Table(
    "events",
    metadata,
    _chat_id(primary_key=True),
    Column("seq", Integer, primary_key=True),
    _words("kind"),
    _time("at"),
    _words_or_none("turn_id"),
    _words("trace_id"),
    _words("block_id"),
    _list("content"),
    Index(None, "turn_id", "seq"),
)

outbox = Table(
    "outbox",
    metadata,
    Column("position", BigId, primary_key=True),
    Column("id", CleanText, nullable=False, unique=True),
    _chat_id(),
    Column("turn_id", CleanText, index=True),
    _number("idx"),
    _words("kind"),
    _words_or_none("agent_id"),
    Column("message_seq", Integer),
    Column("reply_to_seq", Integer),
    _words_or_none("reply_to_external"),
    Column("reply_to_is_last", Boolean, nullable=False),
    _words_or_none("person_id"),
    _words("text"),
    _list("choices"),
    _number("revision"),
    _words("state"),
    _words("error"),
    _time("created_at"),
    Index("ix_outbox_open", "chat_id", "position", sqlite_where=OUTBOX_OPEN, postgresql_where=OUTBOX_OPEN),
)

outbox_parts = Table(
    "outbox_parts",
    metadata,
    Column("outbox_id", CleanText, ForeignKey("outbox.id"), primary_key=True),
    Column("part", Integer, primary_key=True),
    _chat_id(),
    _words("state"),
    _words_or_none("external_id"),
    _words("content_hash"),
    _words("note"),
    Index(None, "chat_id", "external_id"),
)

sessions = Table(
    "sessions",
    metadata,
    _chat_id(primary_key=True),
    _words("state"),
    _words_or_none("active_turn"),
    Column("pending", JsonText),
    _list("sticky"),
    _number("failed_turns"),
    _time_or_none("basic_since"),
    _words("basic_reason"),
    _number("version"),
)

audit = Table(
    "audit",
    metadata,
    Column("id", BigId, primary_key=True),
    Column("tenant_id", BigId, ForeignKey("tenants.id"), nullable=False),
    Column("chat_id", BigId, ForeignKey("group_chats.id")),
    _words("actor_id"),
    _words("actor_name"),
    _words("action"),
    _words("target"),
    _words("detail"),
    _time("at"),
    Index(None, "tenant_id", "id"),
)

platform_state = Table(
    "platform_state",
    metadata,
    Column("scope", OrderedText, primary_key=True),
    Column("key", OrderedText, primary_key=True),
    Column("value", JsonText),
)

inbox = Table(
    "inbox",
    metadata,
    Column("source", CleanText, primary_key=True),
    Column("update_id", BigId, primary_key=True, autoincrement=False),
    _words("raw"),
    _words("state"),
    Index("ix_inbox_pending", "source", "update_id", sqlite_where=INBOX_PENDING, postgresql_where=INBOX_PENDING),
)
