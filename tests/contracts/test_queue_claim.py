"""The engine's claim of a chat's next turn, raced by many claimers on both databases."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import sqlalchemy as sa

from storage.queue_claim import next_of_partition
from tests.databases import PostgresServer

CLAIMERS = 6
TURNS = 5

_TABLE = sa.Table(
    "workflow_status",
    sa.MetaData(),
    sa.Column("workflow_uuid", sa.Text, primary_key=True),
    *(sa.Column(name, sa.Text) for name in ("status", "queue_name", "queue_partition_key", "application_version")),
    *(sa.Column(name, sa.Text) for name in ("owner_xid", "executor_id", "application_name")),
    *(sa.Column(name, sa.BigInteger) for name in ("created_at", "updated_at", "started_at_epoch_ms")),
    sa.Column("priority", sa.Integer),
    sa.Column("recovery_attempts", sa.Integer),
    sa.Column("rate_limited", sa.Boolean),
)


@pytest.fixture(params=["sqlite", "postgres"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[sa.Engine]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'engine.db'}"
    else:
        server: PostgresServer = request.getfixturevalue("postgres")
        url = server.empty_url().replace("postgresql://", "postgresql+psycopg://", 1)
    made = sa.create_engine(url, pool_size=CLAIMERS)
    _TABLE.metadata.create_all(made)
    try:
        yield made
    finally:
        made.dispose()


def queue_turns(engine: sa.Engine, chat: str) -> list[str]:
    """Turns of one chat, stored in an order that is not theirs."""
    ids = [f"turn:{chat}:{seq:012d}" for seq in range(1, TURNS + 1)]
    row = dict(status="ENQUEUED", queue_name="chat", application_version="1", priority=0, recovery_attempts=0)
    rows = [dict(workflow_uuid=one, queue_partition_key=chat, created_at=7, **row) for one in reversed(ids)]
    with engine.begin() as connection:
        connection.execute(sa.insert(_TABLE), rows)
    return ids


def claim(engine: sa.Engine, chat: str, *, version: str = "1") -> str | None:
    parameters = dict(
        queue="chat", partition=chat, version=version, application="troupe", executor="e", owner="o", now_ms=9
    )
    with engine.begin() as connection:
        claimed: str | None = connection.execute(next_of_partition(_TABLE), parameters).scalar()
        return claimed


def race(engine: sa.Engine, chat: str) -> list[str]:
    start = threading.Barrier(CLAIMERS)

    def one() -> str | None:
        start.wait(20)
        return claim(engine, chat)

    with ThreadPoolExecutor(CLAIMERS) as claimers:
        results = [future.result(30) for future in [claimers.submit(one) for _ in range(CLAIMERS)]]
    return [result for result in results if result is not None]


def end(engine: sa.Engine, turn: str) -> None:
    with engine.begin() as connection:
        connection.execute(sa.update(_TABLE).where(_TABLE.c.workflow_uuid == turn).values(status="SUCCESS"))


def test_of_many_claimers_one_gets_the_oldest_turn_and_the_next_waits_for_its_end(engine: sa.Engine) -> None:
    ids = queue_turns(engine, "1")
    for expected in ids:
        assert race(engine, "1") == [expected]
        assert race(engine, "1") == []
        end(engine, expected)
    assert race(engine, "1") == []


def test_a_busy_chat_holds_up_no_other(engine: sa.Engine) -> None:
    first, second = queue_turns(engine, "1"), queue_turns(engine, "2")
    assert claim(engine, "1") == first[0]
    assert claim(engine, "2") == second[0]


def test_turns_of_another_version_are_left_alone(engine: sa.Engine) -> None:
    queue_turns(engine, "1")
    assert claim(engine, "1", version="2") is None


def test_a_claim_writes_who_runs_the_turn(engine: sa.Engine) -> None:
    claimed = claim(engine, queue_turns(engine, "3")[0].split(":")[1])
    with engine.connect() as connection:
        row = connection.execute(sa.select(_TABLE).where(_TABLE.c.workflow_uuid == claimed)).one()
    assert (row.status, row.executor_id, row.owner_xid) == ("PENDING", "e", "o")
    assert (row.started_at_epoch_ms, row.recovery_attempts, row.application_name) == (9, 1, "troupe")
