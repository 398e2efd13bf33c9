"""Migrations and the tables they make, backups, and that nothing slows down with the age of a chat."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import event

from orchestration.errors import StorageError
from orchestration.model import OutboxPart, OutboxState
from orchestration.ports import InboxRow
from storage.database import Database
from storage.schema import alembic_config
from storage.sql import SqlStorage
from storage.tables import metadata
from tests.contracts.samples import MIRA, NOW, a_post, a_turn, filled, happened, key, new_chat, said
from tests.databases import PostgresServer


@pytest.fixture(params=["sqlite", "postgres"])
def empty_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'troupe.db'}"
    server: PostgresServer = request.getfixturevalue("postgres")
    return server.empty_url()


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    database = Database(url)
    await database.open()
    try:
        yield database
    finally:
        await database.close()


async def test_the_migrations_make_exactly_the_tables_of_the_code(empty_url: str) -> None:
    def differences(connection: sa.Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "target_metadata": metadata})
        return compare_metadata(context, metadata)

    async with opened(empty_url) as database:
        await database.upgrade()
        async with database.writing() as transaction:
            assert await transaction.call(differences) == []


async def test_partial_indexes_hold_only_what_is_to_be_done(empty_url: str) -> None:
    def conditions(connection: sa.Connection) -> dict[str, str]:
        found = {}
        for table in sa.inspect(connection).get_table_names():
            for index in sa.inspect(connection).get_indexes(table):
                where = index.get("dialect_options", {}).get(f"{connection.dialect.name}_where")
                if where is not None:
                    found[str(index["name"])] = str(where)
        return found

    async with opened(empty_url) as database:
        await database.upgrade()
        async with database.reading() as transaction:
            partial = await transaction.call(conditions)
    assert set(partial) == {"ix_messages_without_turn", "ix_turns_unfinished", "ix_outbox_open", "ix_inbox_pending"}


async def test_an_upgrade_may_be_repeated_and_loses_nothing(empty_url: str) -> None:
    async with opened(empty_url) as database:
        await database.upgrade()
        chat = await new_chat(SqlStorage(database))
        await database.upgrade()
        assert await new_chat(SqlStorage(database)) == chat


async def test_the_first_revision_can_be_taken_back(empty_url: str) -> None:
    async with opened(empty_url) as database:
        await database.upgrade()
        async with database.writing() as transaction:
            await transaction.call(lambda connection: command.downgrade(alembic_config(connection), "base"))
            left = await transaction.call(lambda connection: sa.inspect(connection).get_table_names())
            assert left == ["alembic_version"]
        await database.upgrade()
        await new_chat(SqlStorage(database))


_UPGRADE_WHEN_TOLD = """
import asyncio, sys
from storage.database import Database
async def main():
    database = Database(sys.argv[1], busy_timeout_s=30)
    await database.open()
    print("ready", flush=True)
    sys.stdin.readline()
    await database.upgrade()
    await database.close()
asyncio.run(main())
"""


async def test_two_processes_may_upgrade_at_once(empty_url: str) -> None:
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, "-c", _UPGRADE_WHEN_TOLD, empty_url, cwd=Path(__file__).parents[2], stdin=PIPE, stdout=PIPE
        )
        for _ in range(2)
    ]
    try:
        async with asyncio.timeout(60):
            for process in processes:
                assert process.stdout is not None
                assert await process.stdout.readline() == b"ready\n"
            ends = await asyncio.gather(*(process.communicate(b"go\n") for process in processes))
        assert [process.returncode for process in processes] == [0, 0], ends
    finally:
        for process in processes:
            if process.returncode is None:
                process.kill()
                await process.communicate()
    async with opened(empty_url) as database:
        await new_chat(SqlStorage(database))


# ------------------------------------------------------------------------------------------ files


async def test_the_file_and_its_folder_are_made_for_the_owner_only(tmp_path: Path) -> None:
    path = tmp_path / "a folder" / "deep" / "troupe.db"
    async with opened(f"sqlite:///{path}") as database:
        await database.upgrade()
    assert path.stat().st_mode & 0o077 == 0


async def test_a_backup_taken_in_use_is_a_database_of_its_own(tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    async with opened(f"sqlite:///{tmp_path / 'troupe.db'}") as database:
        await database.upgrade()
        storage = SqlStorage(database)
        chat = await new_chat(storage)
        async with storage.begin() as unit:
            await unit.messages.add_human(chat.id, said("not committed yet"))
            await database.backup(copy)
        with pytest.raises(StorageError, match="exists already"):
            await database.backup(copy)
        with pytest.raises(StorageError, match="cannot be written"):
            await database.backup(tmp_path / "no folder" / "copy.db")
    assert copy.stat().st_mode & 0o077 == 0
    async with opened(f"sqlite:///{copy}") as restored, SqlStorage(restored).read() as unit:
        assert await unit.chats.find(key()) == chat
        assert await unit.messages.recent(chat.id, limit=9) == []
    with closing(sqlite3.connect(copy)) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


async def test_a_backup_that_fails_leaves_no_file(tmp_path: Path) -> None:
    (tmp_path / "troupe.db").write_bytes(b"no database at all, only words" * 50)
    with pytest.raises(StorageError):
        await Database(f"sqlite:///{tmp_path / 'troupe.db'}").backup(tmp_path / "copy.db")
    assert not (tmp_path / "copy.db").exists()


async def test_a_postgres_database_is_backed_up_by_its_own_tool(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="pg_dump"):
        await Database("postgresql://u:p@nowhere/x").backup(tmp_path / "copy.db")


# ------------------------------------------------------------------------------------------ speed by design

_PARTIAL = ("ix_turns_unfinished", "ix_outbox_open", "ix_messages_without_turn")
"""Indexes that may be walked whole: they hold only what is still to be done."""


async def test_no_query_of_a_turn_walks_through_a_chats_past(tmp_path: Path) -> None:
    async with opened(f"sqlite:///{tmp_path / 'troupe.db'}") as database:
        await database.upgrade()
        statements: list[tuple[str, object]] = []

        def note(_conn: object, _cursor: object, statement: str, parameters: object, _ctx: object, many: bool) -> None:
            if not many and statement.startswith(("SELECT", "UPDATE", "DELETE")):
                statements.append((statement, parameters))

        event.listen(sa.Engine, "before_cursor_execute", note)
        try:
            await everything_a_turn_does(SqlStorage(database))
        finally:
            event.remove(sa.Engine, "before_cursor_execute", note)
        assert len({statement for statement, _ in statements}) > 25
        with closing(sqlite3.connect(tmp_path / "troupe.db")) as connection:
            for statement, parameters in statements:
                plan = connection.execute(f"EXPLAIN QUERY PLAN {statement}", parameters).fetchall()  # type: ignore[call-overload]
                for *_, step in plan:
                    assert not step.startswith("SCAN") or step.endswith(_PARTIAL), f"{step}: {statement}"
                    assert "TEMP B-TREE" not in step, f"{step}: {statement}"


async def everything_a_turn_does(storage: SqlStorage) -> None:
    chat = await new_chat(storage)
    part = filled(OutboxPart, outbox_id="o:1", external_id="p1")
    async with storage.begin() as unit:
        await unit.chats.ensure(key(), title="Lobby", at=NOW)
        await unit.messages.add_human(chat.id, said(reply_to="m0"))
        await unit.messages.set_turn(chat.id, 1, "t")
        await unit.messages.edit(chat.id, "m1", text="x", at=NOW)
        await unit.turns.add(a_turn(chat))
        await unit.turns.save(a_turn(chat))
        session = await unit.sessions.save(await unit.sessions.get(chat.id))
        await unit.sessions.save(replace(session, active_turn="t"))
        await unit.events.append(chat.id, [happened()])
        await unit.outbox.add(a_post(chat, message_seq=1))
        await unit.outbox.save_part(part)
        await unit.outbox.mark("o:1", OutboxState.SENT)
        await unit.outbox.rewrite("o:1", "anew")
        await unit.platform_state.put("s", "k", 1)
        await unit.inbox.add([InboxRow(source="s", update_id=1, raw="{}")])
        await unit.inbox.done("s", 1)
        await unit.agents.remove(chat.tenant_id, MIRA.id, at=NOW)
    async with storage.read() as unit:
        await unit.chats.get(chat.id)
        await unit.messages.recent(chat.id, limit=30, before_seq=9)
        await unit.messages.range(chat.id, 1, 9)
        await unit.messages.by_external(chat.id, "p1")
        await unit.messages.without_turn()
        await unit.turns.get("t")
        await unit.turns.last(chat.id)
        await unit.turns.unfinished()
        await unit.events.since(chat.id, 0)
        await unit.events.of_turn("t")
        await unit.outbox.open()
        await unit.outbox.open(chat.id)
        await unit.outbox.of_turn("t")
        await unit.outbox.parts("o:1")
        await unit.platform_state.items("s", prefix="k")
        await unit.inbox.pending("s")
        await unit.inbox.last_id("s")
        await unit.audit.newest(chat.tenant_id)
        await unit.agents.versions(chat.tenant_id, MIRA.id)
