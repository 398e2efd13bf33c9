"""What only a database server can do to its clients."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from orchestration.errors import StorageUnavailable
from storage.database import Database
from storage.sql import SqlStorage
from tests.contracts.samples import new_chat, said
from tests.databases import PostgresServer

_END_THE_OTHERS = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"


@pytest.fixture
async def storage(fresh_postgres_url: str) -> AsyncIterator[SqlStorage]:
    database = Database(fresh_postgres_url, busy_timeout_s=0.2)
    await database.open()
    try:
        yield SqlStorage(database)
    finally:
        await database.close()


@pytest.fixture
def fresh_postgres_url(postgres: PostgresServer) -> str:
    return postgres.fresh_url()


async def test_connections_cut_between_two_units_of_work_are_made_anew(
    storage: SqlStorage, postgres: PostgresServer, fresh_postgres_url: str
) -> None:
    chat = await new_chat(storage)
    postgres.run(_END_THE_OTHERS, url=fresh_postgres_url)
    assert await new_chat(storage) == chat


async def test_a_connection_cut_half_way_is_told_and_leaves_nothing(
    storage: SqlStorage, postgres: PostgresServer, fresh_postgres_url: str
) -> None:
    chat = await new_chat(storage)

    async def write() -> None:
        async with storage.begin() as unit:
            await unit.messages.add_human(chat.id, said())
            postgres.run(_END_THE_OTHERS, url=fresh_postgres_url)
            await unit.messages.add_human(chat.id, said(external_id="m2"))

    with pytest.raises(StorageUnavailable):
        await write()
    async with storage.begin() as unit:
        assert await unit.messages.recent(chat.id, limit=9) == []
        message, _ = await unit.messages.add_human(chat.id, said())
    assert message.seq == 1


async def test_a_connection_cut_before_the_commit_is_told(
    storage: SqlStorage, postgres: PostgresServer, fresh_postgres_url: str
) -> None:
    chat = await new_chat(storage)

    async def write() -> None:
        async with storage.begin() as unit:
            await unit.messages.add_human(chat.id, said())
            postgres.run(_END_THE_OTHERS, url=fresh_postgres_url)

    with pytest.raises(StorageUnavailable):
        await write()
    async with storage.read() as unit:
        assert await unit.messages.recent(chat.id, limit=9) == []


async def test_a_chat_held_by_somebody_else_is_told_after_a_while(storage: SqlStorage) -> None:
    chat = await new_chat(storage)

    async def write() -> None:
        async with storage.begin() as unit:
            await unit.messages.add_human(chat.id, said(external_id="m2"))

    async with storage.begin() as unit:
        await unit.messages.add_human(chat.id, said())
        with pytest.raises(StorageUnavailable, match="locked"):
            await write()
    await write()
    async with storage.read() as unit:
        assert [message.external_id for message in await unit.messages.recent(chat.id, limit=9)] == ["m1", "m2"]
