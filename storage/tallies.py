"""Counts over a chat's turns and messages, made by the database."""

from __future__ import annotations

import sqlalchemy as sa

from orchestration.model import AgentTally, MessageKind, Usage
from orchestration.turns import TurnTally
from storage.connection import Connection
from storage.tables import messages, turns


async def tally_turns(db: Connection, chat_id: int) -> TurnTally:
    """The chat's turns, counted in one pass."""
    count = sa.func.count()
    columns = (
        turns.c.status,
        turns.c.decided_by,
        count.label("turns"),
        sa.func.sum(sa.case((turns.c.degradation != (), 1), else_=0)).label("degraded"),
        *_sums(turns),
    )
    query = sa.select(*columns).where(turns.c.chat_id == chat_id).group_by(turns.c.status, turns.c.decided_by)
    by_status: dict[str, int] = {}
    by_decider: dict[str, int] = {}
    total, degraded, usage = 0, 0, Usage()
    for row in await db.rows(query, long=True):
        total += row.turns
        degraded += int(row.degraded)
        usage += _usage(row)
        by_status[row.status] = by_status.get(row.status, 0) + row.turns
        if row.decided_by is not None:
            by_decider[row.decided_by] = by_decider.get(row.decided_by, 0) + row.turns
    return TurnTally(turns=total, by_status=by_status, by_decider=by_decider, degraded=degraded, usage=usage)


async def tally_agents(db: Connection, chat_id: int) -> list[AgentTally]:
    """One row for each agent whose messages stand in the chat, in order of agent id."""
    columns = (
        messages.c.agent_id,
        sa.func.count().label("replies"),
        sa.func.avg(messages.c.quality).label("quality"),
        *_sums(messages),
    )
    spoken = (
        messages.c.chat_id == chat_id,
        messages.c.kind == MessageKind.AGENT,
        messages.c.agent_id.is_not(None),
        messages.c.deleted_at.is_(None),
    )
    query = sa.select(*columns).where(*spoken).group_by(messages.c.agent_id)
    found = [
        AgentTally(
            agent_id=row.agent_id,
            replies=row.replies,
            quality=None if row.quality is None else float(row.quality),
            usage=_usage(row),
        )
        for row in await db.rows(query, long=True)
    ]
    return sorted(found, key=lambda tally: tally.agent_id)  # not by the database: its collation is its own


def _sums(table: sa.Table) -> tuple[sa.ColumnElement[object], ...]:
    names = ("calls", "prompt_tokens", "completion_tokens", "cost")
    sums = (sa.func.coalesce(sa.func.sum(table.c[name]), 0).label(name) for name in names)
    estimated = sa.func.max(sa.case((table.c.estimated, 1), else_=0)).label("estimated")
    return (*sums, estimated)


def _usage(row: sa.Row[tuple[object, ...]]) -> Usage:
    return Usage(
        calls=int(row.calls),
        prompt_tokens=int(row.prompt_tokens),
        completion_tokens=int(row.completion_tokens),
        cost=float(row.cost),
        estimated=bool(row.estimated),
    )
