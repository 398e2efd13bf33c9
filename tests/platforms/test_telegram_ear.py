"""The ear alone, over a real inbox: albums stay whole, and what the database refuses silences nobody else."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from adapters.telegram.ear import Done, Ear
from adapters.telegram.heard import Heard, Roster, Said
from adapters.telegram.wire import Clients
from orchestration.errors import StorageError, StorageUnavailable
from orchestration.ports import InboxRow
from storage.memory import MemoryStorage
from tests.platforms.telegram_stage import ANN, BOB, GROUP, HOST, HOST_TOKEN
from tests.waiting import until

SOURCE = "telegram:test"
OTHER_GROUP = GROUP - 7


def update(number: int, words: str, *, by: int = ANN, chat: int = GROUP, album: str = "") -> InboxRow:
    message: dict[str, Any] = {
        "message_id": number,
        "date": 0,
        "chat": {"id": chat, "type": "supergroup"},
        "from": {"id": by, "is_bot": False, "first_name": "Ann"},
    }
    if album:
        photo = [{"file_id": "f", "file_unique_id": "u", "width": 9, "height": 9}]
        message |= {"media_group_id": album, "caption": words, "photo": photo}
    else:
        message |= {"text": words}
    return InboxRow(source=SOURCE, update_id=number, raw=json.dumps({"update_id": number, "message": message}))


class Listener:
    """Notes what the ear hands over; ``refuse`` may raise before that."""

    def __init__(self, refuse: Callable[[str], None] = lambda _: None) -> None:
        self.heard: list[str] = []
        self._refuse = refuse

    async def handle(self, heard: Heard, done: Done) -> bool:
        assert isinstance(heard, Said)
        await self._take(heard.message.text)
        return True

    async def album(self, parts: list[Said]) -> None:
        await self._take(" + ".join(said.message.text for said in parts))

    async def _take(self, words: str) -> None:
        self._refuse(words)
        self.heard.append(words)


@asynccontextmanager
async def hearing(rows: list[InboxRow], listener: Listener) -> AsyncIterator[None]:
    """An ear that hears these rows."""
    storage, clients = MemoryStorage(), Clients()
    async with storage.begin() as uow:
        await uow.inbox.add(rows)

    ear = Ear(
        client=clients.client(HOST_TOKEN),
        storage=storage,
        source=SOURCE,
        wake=asyncio.Event(),
        roster=lambda _: Roster(host_id=HOST, host_username="cast_bot", ours=frozenset({HOST})),
        handle=listener.handle,
        album=listener.album,
        album_wait_s=0.1,
    )
    task = asyncio.create_task(ear.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})
        await ear.flush()
        await clients.close()


async def test_somebody_elses_words_between_two_parts_do_not_tear_an_album_apart() -> None:
    listener = Listener()
    rows = [update(1, "one", album="a"), update(2, "and I?", by=BOB), update(3, "two", album="a"), update(4, "yes")]
    async with hearing(rows, listener):
        await until(lambda: len(listener.heard) == 3)
    assert listener.heard == ["one + two", "and I?", "yes"]


@pytest.mark.parametrize("album", ["", "a"])
async def test_what_the_database_refuses_for_ever_silences_nobody_else(album: str) -> None:
    def refuse(words: str) -> None:
        if words == "cursed":
            raise StorageError("the database refused the statement")

    listener = Listener(refuse)
    rows = [update(1, "cursed", album=album), update(2, "good day"), update(3, "hello", chat=OTHER_GROUP)]
    async with hearing(rows, listener):
        await until(lambda: len(listener.heard) == 2)
    assert sorted(listener.heard) == ["good day", "hello"]


@pytest.mark.parametrize("album", ["", "a"])
async def test_what_a_busy_database_cannot_take_now_is_heard_later_and_in_order(album: str) -> None:
    tries = 0

    def refuse(words: str) -> None:
        nonlocal tries
        tries += words == "first"
        if tries < 5:
            raise StorageUnavailable("locked")

    listener = Listener(refuse)
    async with hearing([update(1, "first", album=album), update(2, "second")], listener):
        await until(lambda: len(listener.heard) == 2)
    assert listener.heard == ["first", "second"]
