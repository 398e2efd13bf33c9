"""Locked, full, read-only, gone: a clear error, nothing half written, and work again once the fault is over."""

from __future__ import annotations

import asyncio
import sqlite3
import sys
from asyncio.subprocess import PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from orchestration.errors import StorageError, StorageUnavailable
from orchestration.model import GroupChat
from storage.database import Database
from storage.sql import SqlStorage
from tests.contracts.samples import NOW, a_turn, happened, new_chat, said


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "troupe.db"


@asynccontextmanager
async def opened(path: Path, *, busy_timeout_s: float = 0.1) -> AsyncIterator[tuple[SqlStorage, GroupChat]]:
    database = Database(f"sqlite:///{path}", busy_timeout_s=busy_timeout_s)
    await database.open()
    try:
        await database.upgrade()
        storage = SqlStorage(database)
        yield storage, await new_chat(storage)
    finally:
        await database.close()


async def write_a_turn(storage: SqlStorage, chat: GroupChat, text: str = "hello") -> None:
    async with storage.begin() as unit:
        await unit.messages.add_human(chat.id, said(text))
        await unit.turns.add(a_turn(chat))
        await unit.events.append(chat.id, [happened()])


async def nothing_of_it_is_stored(storage: SqlStorage, chat: GroupChat) -> bool:
    async with storage.read() as unit:
        return not (
            await unit.messages.recent(chat.id, limit=9)
            or await unit.turns.last(chat.id)
            or await unit.events.since(chat.id, 0)
        )


async def test_a_locked_database_is_told_and_passes(path: Path) -> None:
    async with opened(path) as (storage, chat):
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(StorageUnavailable, match="locked"):
                await write_a_turn(storage, chat)
            assert await nothing_of_it_is_stored(storage, chat), "readers go on reading"
            other.execute("ROLLBACK")
        await write_a_turn(storage, chat)
        assert not await nothing_of_it_is_stored(storage, chat)


async def test_a_short_lock_is_waited_out(path: Path) -> None:
    async with opened(path, busy_timeout_s=20) as (storage, chat):
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.create_task(write_a_turn(storage, chat))
            beats = 0
            while beats < 20:  # the loop is free while the write waits
                await asyncio.sleep(0.005)
                beats += 1
            assert not writing.done()
            other.execute("ROLLBACK")
        await asyncio.wait_for(writing, 20)
        assert not await nothing_of_it_is_stored(storage, chat)


async def test_a_write_that_waits_can_be_cancelled(path: Path) -> None:
    async with opened(path, busy_timeout_s=1) as (storage, chat):
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            writing = asyncio.create_task(write_a_turn(storage, chat))
            await asyncio.sleep(0.02)
            writing.cancel()
            with pytest.raises(asyncio.CancelledError):
                await writing
            other.execute("ROLLBACK")
        async with asyncio.timeout(20):
            await write_a_turn(storage, chat)
        assert not await nothing_of_it_is_stored(storage, chat)


_STOP_HALF_WAY = """
import asyncio, sys
from storage.database import Database
from storage.sql import SqlStorage
from tests.contracts.samples import said
async def main():
    database = Database(sys.argv[1])
    await database.open()
    async with SqlStorage(database).begin() as unit:
        await unit.messages.add_human(int(sys.argv[2]), said())
        print("half way", flush=True)
        await asyncio.sleep(60)
asyncio.run(main())
"""


async def test_a_process_killed_half_way_leaves_nothing_and_blocks_nobody(path: Path) -> None:
    async with opened(path) as (storage, chat):
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _STOP_HALF_WAY,
            f"sqlite:///{path}",
            str(chat.id),
            cwd=Path(__file__).parents[2],
            stdout=PIPE,
        )
        try:
            assert process.stdout is not None
            assert await asyncio.wait_for(process.stdout.readline(), 60) == b"half way\n"
            with pytest.raises(StorageUnavailable, match="locked"):
                await write_a_turn(storage, chat)
        finally:
            process.kill()
            await process.communicate()
        assert await nothing_of_it_is_stored(storage, chat)
        await write_a_turn(storage, chat)
        async with storage.read() as unit:
            assert [message.seq for message in await unit.messages.recent(chat.id, limit=9)] == [1]


async def test_a_writer_that_never_ends_does_not_hang_the_others(path: Path) -> None:
    async with opened(path) as (storage, chat), storage.begin():
        with pytest.raises(StorageUnavailable, match="busy"):
            await write_a_turn(storage, chat)


async def test_a_full_disk_is_told_and_leaves_no_half_turn(path: Path) -> None:
    async with opened(path) as (storage, chat):
        engine = storage._database
        async with engine.writing() as transaction:
            pages = await transaction.call(
                lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            )
            await transaction.call(
                lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 4}").scalar_one()
            )
        with pytest.raises(StorageUnavailable, match="full"):
            await write_a_turn(storage, chat, text="x" * 60_000)
        assert await nothing_of_it_is_stored(storage, chat)
        await write_a_turn(storage, chat, text="short")
        assert not await nothing_of_it_is_stored(storage, chat)


async def test_a_disk_that_fills_up_at_the_end_leaves_no_half_turn(path: Path) -> None:
    """The error comes after the first writes of the unit of work have gone well."""
    async with opened(path) as (storage, chat):
        async with storage._database.writing() as transaction:
            pages = await transaction.call(
                lambda connection: connection.exec_driver_sql("PRAGMA page_count").scalar_one()
            )
            await transaction.call(
                lambda connection: connection.exec_driver_sql(f"PRAGMA max_page_count = {pages + 4}").scalar_one()
            )

        async def fill() -> None:
            async with storage.begin() as unit:
                await unit.messages.add_human(chat.id, said())
                await unit.turns.add(a_turn(chat))
                for _ in range(500):
                    await unit.events.append(chat.id, [happened(content={"text": "x" * 1000})])

        with pytest.raises(StorageUnavailable, match="full"):
            await fill()
        assert await nothing_of_it_is_stored(storage, chat)


async def test_a_read_only_file_is_told(path: Path) -> None:
    async with opened(path) as (storage, chat):
        await write_a_turn(storage, chat)
    database = Database(f"sqlite:///file:{path}?mode=ro&uri=true")
    await database.open()
    try:
        with pytest.raises(StorageUnavailable, match="read-only"):
            await write_a_turn(SqlStorage(database), chat)
        assert not await nothing_of_it_is_stored(SqlStorage(database), chat)
    finally:
        await database.close()


async def test_a_folder_where_the_file_should_be_is_told(tmp_path: Path) -> None:
    with pytest.raises(StorageUnavailable, match="cannot be opened"):
        await Database(f"sqlite:///{tmp_path}").open()
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageUnavailable, match="cannot be made"):
        await Database(f"sqlite:///{tmp_path}/file/troupe.db").open()


async def test_a_file_that_is_no_database_is_told(path: Path) -> None:
    await asyncio.to_thread(path.write_bytes, b"these are the minutes of a meeting, " * 100)
    with pytest.raises(StorageError, match="not a SQLite database"):
        await Database(f"sqlite:///{path}").open()


async def test_a_database_without_tables_is_told(path: Path) -> None:
    database = Database(f"sqlite:///{path}")
    await database.open()
    try:
        with pytest.raises(StorageError):
            await new_chat(SqlStorage(database))
    finally:
        await database.close()


async def test_an_unreachable_server_is_told_without_its_password() -> None:
    database = Database("postgresql://troupe:hunter2@127.0.0.1:1/chat")
    with pytest.raises(StorageUnavailable) as caught:
        await database.open()
    assert "hunter2" not in f"{caught.value!r} {caught.value.__cause__!r} {database.label}"
    assert caught.value.__suppress_context__, "a driver's own words are not shown"


@pytest.mark.parametrize(
    ("url", "problem"),
    [
        ("mysql://root:hunter2@localhost/x", "must begin with"),
        ("hunter2", "not a database address"),
        ("postgresql://u:hunter2@host:port/x", "not a database address"),
        ("sqlite://", "must name a file"),
        ("sqlite:///:memory:", "must name a file"),
    ],
)
def test_a_wrong_url_is_refused_without_being_repeated(url: str, problem: str) -> None:
    with pytest.raises(StorageError, match=problem) as caught:
        Database(url)
    assert "hunter2" not in str(caught.value)


async def test_a_database_that_is_not_open_says_so(path: Path) -> None:
    storage = SqlStorage(Database(f"sqlite:///{path}"))
    with pytest.raises(StorageError, match="not open"):
        await new_chat(storage)


async def test_a_unit_of_work_is_over_when_its_block_is(path: Path) -> None:
    async with opened(path) as (storage, chat):
        async with storage.begin() as unit:
            pass
        with pytest.raises(StorageError):
            await unit.messages.add_human(chat.id, said(sent_at=NOW))
