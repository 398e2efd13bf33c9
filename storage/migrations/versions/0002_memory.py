"""Memories, cited summaries, people's choices and the states of upkeep."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False)


def _whole(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer(), nullable=False)


def _time(name: str, *, nullable: bool = True) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=nullable)


def _chat(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["chat_id"], ["group_chats.id"], name=op.f(f"fk_{table}_chat_id_group_chats"))


def _tenant(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f(f"fk_{table}_tenant_id_tenants"))


def upgrade() -> None:
    op.add_column("group_chats", sa.Column("memory", sa.Boolean(), nullable=False, server_default=sa.true()))
    op.add_column("group_chats", sa.Column("memory_shared", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("group_chats", sa.Column("retention_days", sa.Integer(), nullable=True))
    _memories()
    _summaries()
    _people()
    _upkeep()


def _memories() -> None:
    op.create_table(
        "memories",
        _text("id"),
        sa.Column("chat_id", _big, nullable=False),
        _text("agent_id"),
        _text("person_id"),
        _text("subject_id"),
        _text("kind"),
        _text("text"),
        _whole("importance"),
        sa.Column("confidence", sa.Float(), nullable=False),
        _text("made_by"),
        _time("created_at"),
        _time("used_at"),
        _text("superseded_by"),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        _whole("version"),
        _chat("memories"),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_memories")),
    )
    op.create_index(op.f("ix_memories_chat_id_agent_id_person_id"), "memories", ["chat_id", "agent_id", "person_id"])
    op.create_index(op.f("ix_memories_subject_id"), "memories", ["subject_id"])
    op.create_index(op.f("ix_memories_person_id"), "memories", ["person_id"])
    op.create_table(
        "memory_sources",
        _text("memory_id"),
        _whole("seq"),
        sa.Column("chat_id", _big, nullable=False),
        _text("person_id"),
        _time("edited_at"),
        sa.ForeignKeyConstraint(
            ["memory_id"], ["memories.id"], name=op.f("fk_memory_sources_memory_id_memories"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("memory_id", "seq", name=op.f("pk_memory_sources")),
    )
    op.create_index(op.f("ix_memory_sources_person_id"), "memory_sources", ["person_id"])


def _summaries() -> None:
    op.create_table(
        "summary_lines",
        sa.Column("chat_id", _big, nullable=False),
        _whole("number"),
        _whole("first_seq"),
        _text("text"),
        sa.Column("pinned", sa.Boolean(), nullable=False),
        _text("made_by"),
        _time("created_at", nullable=False),
        _chat("summary_lines"),
        sa.PrimaryKeyConstraint("chat_id", "number", name=op.f("pk_summary_lines")),
    )
    op.create_table(
        "summary_sources",
        sa.Column("chat_id", _big, nullable=False),
        _whole("number"),
        _whole("seq"),
        _text("person_id"),
        _time("edited_at"),
        sa.ForeignKeyConstraint(
            ["chat_id", "number"],
            ["summary_lines.chat_id", "summary_lines.number"],
            name=op.f("fk_summary_sources_chat_id_number_summary_lines"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("chat_id", "number", "seq", name=op.f("pk_summary_sources")),
    )
    op.create_index(op.f("ix_summary_sources_person_id"), "summary_sources", ["person_id"])


def _people() -> None:
    op.create_table(
        "people",
        sa.Column("tenant_id", _big, nullable=False),
        _text("person_id"),
        sa.Column("memory_off", sa.Boolean(), nullable=False),
        _time("forgotten_at"),
        _tenant("people"),
        sa.PrimaryKeyConstraint("tenant_id", "person_id", name=op.f("pk_people")),
    )
    op.create_table(
        "relationships",
        sa.Column("tenant_id", _big, nullable=False),
        _text("person_id"),
        _text("agent_id"),
        _whole("exchanges"),
        sa.Column("warmth", sa.Float(), nullable=False),
        _time("updated_at", nullable=False),
        _whole("version"),
        _tenant("relationships"),
        sa.PrimaryKeyConstraint("tenant_id", "person_id", "agent_id", name=op.f("pk_relationships")),
    )


def _upkeep() -> None:
    op.create_table(
        "upkeep",
        sa.Column("chat_id", _big, nullable=False),
        _text("work"),
        _whole("cursor_seq"),
        _whole("failures"),
        _time("not_before"),
        _time("last_at"),
        _text("last_outcome"),
        _whole("tokens"),
        _whole("version"),
        _chat("upkeep"),
        sa.PrimaryKeyConstraint("chat_id", "work", name=op.f("pk_upkeep")),
    )
    op.create_table(
        "upkeep_tokens",
        sa.Column("tenant_id", _big, nullable=False),
        _text("day"),
        _whole("tokens"),
        _tenant("upkeep_tokens"),
        sa.PrimaryKeyConstraint("tenant_id", "day", name=op.f("pk_upkeep_tokens")),
    )


def downgrade() -> None:
    for table in (
        "upkeep_tokens",
        "upkeep",
        "relationships",
        "people",
        "summary_sources",
        "summary_lines",
        "memory_sources",
        "memories",
    ):
        op.drop_table(table)
    for column in ("retention_days", "memory_shared", "memory"):
        op.drop_column("group_chats", column)
