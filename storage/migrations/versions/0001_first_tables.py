"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_big = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_ordered = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "inbox",
        sa.Column("source", sa.Text(), nullable=False),
        sa.Column("update_id", _big, autoincrement=False, nullable=False),
        sa.Column("raw", sa.Text(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("source", "update_id", name=op.f("pk_inbox")),
    )
    op.create_index(
        "ix_inbox_pending",
        "inbox",
        ["source", "update_id"],
        unique=False,
        sqlite_where=sa.text("state = 'new'"),
        postgresql_where=sa.text("state = 'new'"),
    )
    op.create_table(
        "platform_state",
        sa.Column("scope", _ordered, nullable=False),
        sa.Column("key", _ordered, nullable=False),
        sa.Column("value", sa.Text(), nullable=True),
        sa.PrimaryKeyConstraint("scope", "key", name=op.f("pk_platform_state")),
    )
    op.create_table(
        "tenants",
        sa.Column("id", _big, nullable=False),
        sa.Column("platform", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tenants")),
        sa.UniqueConstraint("platform", "external_id", name=op.f("uq_tenants_platform_external_id")),
    )
    op.create_table(
        "agents",
        sa.Column("tenant_id", _big, nullable=False),
        sa.Column("agent_id", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("removed", sa.Boolean(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("aliases", sa.Text(), nullable=False),
        sa.Column("avatar", sa.Text(), nullable=False),
        sa.Column("emoji", sa.Text(), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("personality", sa.Text(), nullable=False),
        sa.Column("tone", sa.Text(), nullable=False),
        sa.Column("instructions", sa.Text(), nullable=False),
        sa.Column("backstory", sa.Text(), nullable=False),
        sa.Column("boundaries", sa.Text(), nullable=False),
        sa.Column("model", sa.Text(), nullable=False),
        sa.Column("tools", sa.Text(), nullable=False),
        sa.Column("talkativeness", sa.Float(), nullable=False),
        sa.Column("paused", sa.Boolean(), nullable=False),
        sa.Column("starter", sa.Boolean(), nullable=False),
        sa.Column("owner_id", sa.Text(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_agents_tenant_id_tenants")),
        sa.PrimaryKeyConstraint("tenant_id", "agent_id", "version", name=op.f("pk_agents")),
    )
    op.create_table(
        "group_chats",
        sa.Column("id", _big, nullable=False),
        sa.Column("tenant_id", _big, nullable=False),
        sa.Column("channel_id", sa.Text(), nullable=False),
        sa.Column("thread_id", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("agents_max", sa.Integer(), nullable=True),
        sa.Column("talkativeness", sa.Float(), nullable=True),
        sa.Column("locale", sa.Text(), nullable=True),
        sa.Column("quiet_hours", sa.Text(), nullable=False),
        sa.Column("mention_policy", sa.Text(), nullable=False),
        sa.Column("clarify_below", sa.Float(), nullable=True),
        sa.Column("bound", sa.Boolean(), nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_message_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("message_seq", sa.Integer(), nullable=False),
        sa.Column("event_seq", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_group_chats_tenant_id_tenants")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_group_chats")),
        sa.UniqueConstraint(
            "tenant_id", "channel_id", "thread_id", name=op.f("uq_group_chats_tenant_id_channel_id_thread_id")
        ),
    )
    op.create_table(
        "audit",
        sa.Column("id", _big, nullable=False),
        sa.Column("tenant_id", _big, nullable=False),
        sa.Column("chat_id", _big, nullable=True),
        sa.Column("actor_id", sa.Text(), nullable=False),
        sa.Column("actor_name", sa.Text(), nullable=False),
        sa.Column("action", sa.Text(), nullable=False),
        sa.Column("target", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["chat_id"], ["group_chats.id"], name=op.f("fk_audit_chat_id_group_chats")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_audit_tenant_id_tenants")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_tenant_id_id"), "audit", ["tenant_id", "id"], unique=False)
    op.create_table(
        "events",
        sa.Column("chat_id", _big, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("turn_id", sa.Text(), nullable=True),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("block_id", sa.Text(), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["chat_id"], ["group_chats.id"], name=op.f("fk_events_chat_id_group_chats")),
        sa.PrimaryKeyConstraint("chat_id", "seq", name=op.f("pk_events")),
    )
    op.create_index(op.f("ix_events_turn_id_seq"), "events", ["turn_id", "seq"], unique=False)
    op.create_table(
        "messages",
        sa.Column("chat_id", _big, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("author_id", sa.Text(), nullable=False),
        sa.Column("author_name", sa.Text(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("agent_id", sa.Text(), nullable=True),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("reply_to_seq", sa.Integer(), nullable=True),
        sa.Column("reply_text", sa.Text(), nullable=False),
        sa.Column("turn_id", sa.Text(), nullable=True),
        sa.Column("wants_turn", sa.Boolean(), nullable=False),
        sa.Column("mentioned_agents", sa.Text(), nullable=False),
        sa.Column("mentioned_people", sa.Text(), nullable=False),
        sa.Column("attachments", sa.Text(), nullable=False),
        sa.Column("edited_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deleted_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("provider", sa.Text(), nullable=True),
        sa.Column("model", sa.Text(), nullable=True),
        sa.Column("wire_api", sa.Text(), nullable=True),
        sa.Column("calls", sa.Integer(), nullable=True),
        sa.Column("prompt_tokens", sa.Integer(), nullable=True),
        sa.Column("completion_tokens", sa.Integer(), nullable=True),
        sa.Column("cost", sa.Float(), nullable=True),
        sa.Column("estimated", sa.Boolean(), nullable=True),
        sa.Column("ms", sa.Integer(), nullable=True),
        sa.Column("quality", sa.Float(), nullable=True),
        sa.Column("quality_issues", sa.Text(), nullable=True),
        sa.Column("revisions", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["chat_id"], ["group_chats.id"], name=op.f("fk_messages_chat_id_group_chats")),
        sa.PrimaryKeyConstraint("chat_id", "seq", name=op.f("pk_messages")),
        sa.UniqueConstraint("chat_id", "external_id", name=op.f("uq_messages_chat_id_external_id")),
    )
    op.create_index(
        "ix_messages_without_turn",
        "messages",
        ["chat_id", "seq"],
        unique=False,
        sqlite_where=sa.text("wants_turn AND turn_id IS NULL AND deleted_at IS NULL"),
        postgresql_where=sa.text("wants_turn AND turn_id IS NULL AND deleted_at IS NULL"),
    )
    op.create_table(
        "outbox",
        sa.Column("position", _big, nullable=False),
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("chat_id", _big, nullable=False),
        sa.Column("turn_id", sa.Text(), nullable=True),
        sa.Column("idx", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("agent_id", sa.Text(), nullable=True),
        sa.Column("message_seq", sa.Integer(), nullable=True),
        sa.Column("reply_to_seq", sa.Integer(), nullable=True),
        sa.Column("reply_to_external", sa.Text(), nullable=True),
        sa.Column("reply_to_is_last", sa.Boolean(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=True),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("choices", sa.Text(), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["chat_id"], ["group_chats.id"], name=op.f("fk_outbox_chat_id_group_chats")),
        sa.PrimaryKeyConstraint("position", name=op.f("pk_outbox")),
        sa.UniqueConstraint("id", name=op.f("uq_outbox_id")),
    )
    op.create_index(
        "ix_outbox_open",
        "outbox",
        ["chat_id", "position"],
        unique=False,
        sqlite_where=sa.text("state IN ('planned', 'sending')"),
        postgresql_where=sa.text("state IN ('planned', 'sending')"),
    )
    op.create_index(op.f("ix_outbox_turn_id"), "outbox", ["turn_id"], unique=False)
    op.create_table(
        "sessions",
        sa.Column("chat_id", _big, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("active_turn", sa.Text(), nullable=True),
        sa.Column("pending", sa.Text(), nullable=True),
        sa.Column("sticky", sa.Text(), nullable=False),
        sa.Column("failed_turns", sa.Integer(), nullable=False),
        sa.Column("basic_since", sa.DateTime(timezone=True), nullable=True),
        sa.Column("basic_reason", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["chat_id"], ["group_chats.id"], name=op.f("fk_sessions_chat_id_group_chats")),
        sa.PrimaryKeyConstraint("chat_id", name=op.f("pk_sessions")),
    )
    op.create_table(
        "turns",
        sa.Column("id", sa.Text(), nullable=False),
        sa.Column("chat_id", _big, nullable=False),
        sa.Column("tenant_id", _big, nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("trace_id", sa.Text(), nullable=False),
        sa.Column("person_id", sa.Text(), nullable=False),
        sa.Column("status", sa.Text(), nullable=False),
        sa.Column("generation", sa.Integer(), nullable=False),
        sa.Column("message_seqs", sa.Text(), nullable=False),
        sa.Column("intent", sa.Text(), nullable=True),
        sa.Column("mode", sa.Text(), nullable=True),
        sa.Column("confidence", sa.Float(), nullable=True),
        sa.Column("decided_by", sa.Text(), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("selection", sa.Text(), nullable=False),
        sa.Column("candidates", sa.Text(), nullable=False),
        sa.Column("clarified_agents", sa.Text(), nullable=False),
        sa.Column("regenerates", sa.Text(), nullable=True),
        sa.Column("stop", sa.Text(), nullable=True),
        sa.Column("degradation", sa.Text(), nullable=False),
        sa.Column("calls", sa.Integer(), nullable=False),
        sa.Column("prompt_tokens", sa.Integer(), nullable=False),
        sa.Column("completion_tokens", sa.Integer(), nullable=False),
        sa.Column("cost", sa.Float(), nullable=False),
        sa.Column("estimated", sa.Boolean(), nullable=False),
        sa.Column("spans", sa.Text(), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("last_line_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["chat_id"], ["group_chats.id"], name=op.f("fk_turns_chat_id_group_chats")),
        sa.ForeignKeyConstraint(["tenant_id"], ["tenants.id"], name=op.f("fk_turns_tenant_id_tenants")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_turns")),
    )
    op.create_index("ix_turns_newest", "turns", ["chat_id", "created_at", "seq"], unique=False)
    op.create_index(
        "ix_turns_unfinished",
        "turns",
        ["chat_id", "seq"],
        unique=False,
        sqlite_where=sa.text("status IN ('queued', 'running')"),
        postgresql_where=sa.text("status IN ('queued', 'running')"),
    )
    op.create_table(
        "outbox_parts",
        sa.Column("outbox_id", sa.Text(), nullable=False),
        sa.Column("part", sa.Integer(), nullable=False),
        sa.Column("chat_id", _big, nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("external_id", sa.Text(), nullable=True),
        sa.Column("content_hash", sa.Text(), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["chat_id"], ["group_chats.id"], name=op.f("fk_outbox_parts_chat_id_group_chats")),
        sa.ForeignKeyConstraint(["outbox_id"], ["outbox.id"], name=op.f("fk_outbox_parts_outbox_id_outbox")),
        sa.PrimaryKeyConstraint("outbox_id", "part", name=op.f("pk_outbox_parts")),
    )
    op.create_index(
        op.f("ix_outbox_parts_chat_id_external_id"), "outbox_parts", ["chat_id", "external_id"], unique=False
    )


def downgrade() -> None:
    op.drop_index(op.f("ix_outbox_parts_chat_id_external_id"), table_name="outbox_parts")
    op.drop_table("outbox_parts")
    op.drop_index(
        "ix_turns_unfinished",
        table_name="turns",
        sqlite_where=sa.text("status IN ('queued', 'running')"),
        postgresql_where=sa.text("status IN ('queued', 'running')"),
    )
    op.drop_index("ix_turns_newest", table_name="turns")
    op.drop_table("turns")
    op.drop_table("sessions")
    op.drop_index(op.f("ix_outbox_turn_id"), table_name="outbox")
    op.drop_index(
        "ix_outbox_open",
        table_name="outbox",
        sqlite_where=sa.text("state IN ('planned', 'sending')"),
        postgresql_where=sa.text("state IN ('planned', 'sending')"),
    )
    op.drop_table("outbox")
    op.drop_index(
        "ix_messages_without_turn",
        table_name="messages",
        sqlite_where=sa.text("wants_turn AND turn_id IS NULL AND deleted_at IS NULL"),
        postgresql_where=sa.text("wants_turn AND turn_id IS NULL AND deleted_at IS NULL"),
    )
    op.drop_table("messages")
    op.drop_index(op.f("ix_events_turn_id_seq"), table_name="events")
    op.drop_table("events")
    op.drop_index(op.f("ix_audit_tenant_id_id"), table_name="audit")
    op.drop_table("audit")
    op.drop_table("group_chats")
    op.drop_table("agents")
    op.drop_table("tenants")
    op.drop_table("platform_state")
    op.drop_index(
        "ix_inbox_pending",
        table_name="inbox",
        sqlite_where=sa.text("state = 'new'"),
        postgresql_where=sa.text("state = 'new'"),
    )
    op.drop_table("inbox")
