"""The engine's claim of the next turn of one group chat, as one statement over the engine's own table."""

from __future__ import annotations

import sqlalchemy as sa

_WAITING, _RUNNING = "'ENQUEUED'", "'PENDING'"


def next_of_partition(workflow_status: sa.Table) -> sa.Update:
    """Marks the head of a partition as running unless one of it runs already; gives the id of what it claimed, if any.

    Built once and run with these parameters: ``queue``, ``partition``, ``version``, ``application``, ``executor``,
    ``owner`` (a token of this claim) and ``now_ms``. Two claimers never get the same row, nor two rows of a partition:
    both see the same head, and whoever comes second finds its state changed.
    """
    head, busy = workflow_status.alias("head"), workflow_status.alias("busy")
    first = (
        sa.select(head.c.workflow_uuid)
        .where(*_in_flight(head, _WAITING), head.c.application_version == sa.bindparam("version"))
        .order_by(head.c.priority, head.c.created_at, head.c.workflow_uuid)
        .limit(1)
    )
    running = sa.select(sa.literal_column("1")).where(*_in_flight(busy, _RUNNING)).exists()
    return (
        sa.update(workflow_status)
        .where(
            workflow_status.c.workflow_uuid == first.scalar_subquery(),
            workflow_status.c.status == sa.literal_column(_WAITING),
            ~running,
        )
        .values(
            status=sa.literal_column(_RUNNING),
            owner_xid=sa.bindparam("owner"),
            executor_id=sa.bindparam("executor"),
            application_name=sa.bindparam("application"),
            started_at_epoch_ms=sa.bindparam("now_ms"),
            updated_at=sa.bindparam("now_ms"),
            rate_limited=sa.false(),
            recovery_attempts=workflow_status.c.recovery_attempts + 1,
        )
        .returning(workflow_status.c.workflow_uuid)
    )


def waiting_in_partition(workflow_status: sa.Table) -> sa.Select[str]:
    """The ids of a partition that wait. Run with ``queue`` and ``partition``."""
    return sa.select(workflow_status.c.workflow_uuid).where(*_in_flight(workflow_status, _WAITING))


def _in_flight(rows: sa.FromClause, state: str) -> tuple[sa.ColumnElement[bool], ...]:
    """Rows of the partition in this state. The states stand in it word for word, as in the index that it uses."""
    both: list[sa.ColumnElement[str]] = [sa.literal_column(_WAITING), sa.literal_column(_RUNNING)]
    return (
        rows.c.queue_name == sa.bindparam("queue"),
        rows.c.status == sa.literal_column(state),
        rows.c.status.in_(both),
        rows.c.queue_partition_key == sa.bindparam("partition"),
        rows.c.queue_partition_key.is_not(None),
    )
