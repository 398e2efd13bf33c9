"""The tables of memories, summaries, people's choices and upkeep. A source row remembers its message as it was read."""

from __future__ import annotations

import sqlalchemy as sa
from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, Table

from storage.columns import BigId, CleanText, UtcTime
from storage.tables import metadata


def _chat() -> Column[int]:
    return Column("chat_id", BigId, ForeignKey("group_chats.id"), nullable=False)


def _tenant() -> Column[int]:
    return Column("tenant_id", BigId, ForeignKey("tenants.id"), primary_key=True)


memories = Table(
    "memories",
    metadata,
    Column("id", CleanText, primary_key=True),
    _chat(),
    Column("agent_id", CleanText, nullable=False),
    Column("person_id", CleanText, nullable=False),
    Column("subject_id", CleanText, nullable=False),
    Column("kind", CleanText, nullable=False),
    Column("text", CleanText, nullable=False),
    Column("importance", Integer, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("made_by", CleanText, nullable=False),
    Column("created_at", UtcTime),
    Column("used_at", UtcTime),
    Column("superseded_by", CleanText, nullable=False),
    Column("vector", sa.LargeBinary, nullable=False),
    Column("version", Integer, nullable=False),
    Index(None, "chat_id", "agent_id", "person_id"),
    Index(None, "subject_id"),
    Index(None, "person_id"),
)

memory_sources = Table(
    "memory_sources",
    metadata,
    Column("memory_id", CleanText, ForeignKey("memories.id", ondelete="CASCADE"), primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("chat_id", BigId, nullable=False),
    Column("person_id", CleanText, nullable=False),
    Column("edited_at", UtcTime),
    Index(None, "person_id"),
)

summary_lines = Table(
    "summary_lines",
    metadata,
    Column("chat_id", BigId, ForeignKey("group_chats.id"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("first_seq", Integer, nullable=False),
    Column("text", CleanText, nullable=False),
    Column("pinned", Boolean, nullable=False),
    Column("made_by", CleanText, nullable=False),
    Column("created_at", UtcTime, nullable=False),
)

summary_sources = Table(
    "summary_sources",
    metadata,
    Column("chat_id", BigId, primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("seq", Integer, primary_key=True),
    Column("person_id", CleanText, nullable=False),
    Column("edited_at", UtcTime),
    sa.ForeignKeyConstraint(
        ["chat_id", "number"], ["summary_lines.chat_id", "summary_lines.number"], ondelete="CASCADE"
    ),
    Index(None, "person_id"),
)

people = Table(
    "people",
    metadata,
    _tenant(),
    Column("person_id", CleanText, primary_key=True),
    Column("memory_off", Boolean, nullable=False),
    Column("forgotten_at", UtcTime),
)

relationships = Table(
    "relationships",
    metadata,
    _tenant(),
    Column("person_id", CleanText, primary_key=True),
    Column("agent_id", CleanText, primary_key=True),
    Column("exchanges", Integer, nullable=False),
    Column("warmth", Float, nullable=False),
    Column("updated_at", UtcTime, nullable=False),
    Column("version", Integer, nullable=False),
)

upkeep = Table(
    "upkeep",
    metadata,
    Column("chat_id", BigId, ForeignKey("group_chats.id"), primary_key=True),
    Column("work", CleanText, primary_key=True),
    Column("cursor_seq", Integer, nullable=False),
    Column("failures", Integer, nullable=False),
    Column("not_before", UtcTime),
    Column("last_at", UtcTime),
    Column("last_outcome", CleanText, nullable=False),
    Column("tokens", Integer, nullable=False),
    Column("version", Integer, nullable=False),
)

upkeep_tokens = Table(
    "upkeep_tokens",
    metadata,
    _tenant(),
    Column("day", CleanText, primary_key=True),
    Column("tokens", Integer, nullable=False),
)
