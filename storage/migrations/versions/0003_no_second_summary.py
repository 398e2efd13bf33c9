"""The summary of a chat stands in its own tables, line by line with sources: the old column is gone."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_column("group_chats", "summary")


def downgrade() -> None:
    op.add_column("group_chats", sa.Column("summary", sa.Text(), nullable=False, server_default=""))
