"""What was forgotten cannot be read in SQLite's file either."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from orchestration.model import ChatKey, IncomingMessage, Memory, Person, Source
from storage.database import Database
from storage.sql import SqlStorage
from tests.unit.memory_world import ANN, NOW

SECRET = "the-lighthouse-of-Porto"


def on_disk(file: Path) -> bool:
    """Whether the words stand anywhere in the file, once everything is written to it."""
    with closing(sqlite3.connect(file)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return SECRET.encode() in file.read_bytes()


async def filled(storage: SqlStorage) -> tuple[int, int]:
    """(tenant, chat) with a hundred messages and a memory that tell the secret."""
    key = ChatKey(platform="room", tenant_id="t", channel_id="c")
    async with storage.begin() as uow:
        chat = await uow.chats.ensure(key, at=NOW)
        for n in range(100):
            said = IncomingMessage(chat=key, external_id=f"m{n}", author=ANN, text=f"{n} {SECRET}" * 9, sent_at=NOW)
            await uow.messages.add_human(chat.id, said)
        await uow.memories.add(
            Memory(
                id="m",
                chat_id=chat.id,
                agent_id="nova",
                person_id=ANN.id,
                subject_id=ANN.id,
                kind="fact",
                text=SECRET,
                importance=5,
                confidence=1.0,
                sources=(Source(seq=1, person_id=ANN.id),),
                created_at=NOW,
            )
        )
        other = IncomingMessage(
            chat=key, external_id="other", author=Person(id="room:Ben", name="Ben"), text="hi", sent_at=NOW
        )
        await uow.messages.add_human(chat.id, other)
    return chat.tenant_id, chat.id


@pytest.mark.parametrize("how", ["forgotten", "retention"])
async def test_the_words_are_gone_from_the_file(tmp_path: Path, how: str) -> None:
    file = tmp_path / "troupe.db"
    database = Database(f"sqlite:///{file}")
    await database.open()
    try:
        await database.upgrade()
        storage = SqlStorage(database)
        tenant_id, chat_id = await filled(storage)
        assert on_disk(file)
        later = NOW + timedelta(days=1)
        async with storage.begin() as uow:
            if how == "forgotten":
                await uow.people.forget(tenant_id, ANN.id, messages=True, at=later)
            else:
                assert await uow.upkeep.bury_before(chat_id, later, at=later, limit=1000) == 101
                assert await uow.memories.remove(["m"]) == 1
        assert not on_disk(file)
    finally:
        await database.close()
