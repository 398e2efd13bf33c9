"""Takes updates out of the inbox, one by one and in order, and has each handled; a bad one is set aside.

A row is done when what it says is stored elsewhere. Albums wait a moment for their other parts, and what people say in
the same chat meanwhile waits behind them; commands run beside the rest, so that /stop never queues behind anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from telegram import Update

from adapters.telegram.addresses import chat_id_of
from adapters.telegram.heard import Edited, Heard, Roster, Said
from adapters.telegram.shapes import update_shape
from adapters.telegram.translate import translate
from adapters.telegram.wire import Client
from orchestration.errors import StaleWrite, StorageError, StorageUnavailable
from orchestration.ports import InboxRow, Storage

logger = logging.getLogger(__name__)

Done = Callable[[], Awaitable[None]]
"""Marks the row as dealt with: a command calls it between acting and answering."""
MAX_TRIES = 3
ALBUM_WAIT_S = 1.0


@dataclass(slots=True)
class _Album:
    """Stays until it is stored; ``whole``: no further part is waited for."""

    parts: list[tuple[InboxRow, Said]] = field(default_factory=list)
    timer: asyncio.TimerHandle | None = None
    whole: bool = False


class Ear:
    """``handle`` gets everything but albums' single parts; ``album`` gets an album whole. ``look_s``: so often it
    looks without being woken, for what other processes stored.
    """

    def __init__(
        self,
        *,
        client: Client,
        storage: Storage,
        source: str,
        wake: asyncio.Event,
        roster: Callable[[int], Roster],
        handle: Callable[[Heard, Done], Awaitable[bool]],
        album: Callable[[list[Said]], Awaitable[None]],
        album_wait_s: float = ALBUM_WAIT_S,
        look_s: float | None = None,
    ) -> None:
        self._client = client
        self._storage = storage
        self._source = source
        self._wake = wake
        self._roster = roster
        self._handle = handle
        self._album = album
        self._album_wait_s = album_wait_s
        self._look_s = look_s
        self._albums: dict[tuple[int, str], _Album] = {}
        self._whole_albums: deque[str] = deque(maxlen=256)
        self._held: set[int] = set()
        self._tries: dict[int, int] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Hears until cancelled; what an earlier process left in the inbox comes first."""
        while True:
            self._wake.clear()
            try:
                busy = await self._round()
            except StorageError as error:
                logger.error("the inbox cannot be read: %s", type(error).__name__)
                await asyncio.sleep(1.0)
                continue
            if not busy:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._wake.wait(), self._look_s)

    async def _round(self) -> bool:
        """Takes in what can be taken in; False when there was nothing. Raises StorageError: what comes later must not
        overtake what could not be stored.
        """
        async with self._storage.read() as uow:
            rows = await uow.inbox.pending(self._source, limit=100 + len(self._held))
        busy = False
        waiting: set[int] = set()
        for row in rows:
            if row.update_id not in self._held:
                busy |= await self._one(row, waiting)
        return busy

    async def _one(self, row: InboxRow, waiting: set[int]) -> bool:
        """False when the row must wait behind an album; ``waiting`` are the chats in which something does."""
        heard = self._parsed(row)
        if heard is None:
            await self._mark(row, poison=True)
            return True
        if not isinstance(heard, Said | Edited):
            await self._guarded(row, heard)
            return True
        chat_id = heard.place.chat_id if isinstance(heard, Said) else chat_id_of(heard.key)
        late = heard.album in self._whole_albums
        open_here = {album for chat, album in self._albums if chat == chat_id}
        begins = chat_id not in waiting and not open_here
        if isinstance(heard, Said) and heard.album and not late and (begins or heard.album in open_here):
            self._hold(row, heard)
            return True
        if chat_id in waiting or open_here:
            waiting.add(chat_id)
            return False
        if isinstance(heard, Said) and late:
            # A part that came too late for its turn: heard, but it asks for no turn of its own.
            heard = replace(heard, message=replace(heard.message, wants_turn=False))
        await self._guarded(row, heard)
        return True

    def _parsed(self, row: InboxRow) -> Heard | None:
        try:
            update = Update.de_json(update_shape(json.loads(row.raw)), self._client)
            chat = update.effective_chat
            return translate(update, self._roster(chat.id if chat else 0))
        except Exception as error:  # noqa: BLE001 - whatever a platform may send: it is set aside, the next one is heard
            logger.error("update %s cannot be understood and is set aside: %s", row.update_id, type(error).__name__)
            return None

    async def _guarded(self, row: InboxRow, heard: Heard) -> None:
        """Handles one thing; after a third failure it is set aside. Raises StorageError, for a database that is out of
        reach as often as need be.
        """
        marked = False

        async def done() -> None:
            nonlocal marked
            if not marked:
                await self._mark(row)
                marked = True
                self._held.discard(row.update_id)

        try:
            self._held.add(row.update_id)
            if await self._handle(heard, done):
                await done()
        except StorageError as error:
            self._held.discard(row.update_id)
            if not self._is_refused(row, error):
                raise
            await self._mark(row, poison=True)
        except Exception:  # the adapter's edge: one update must not silence the rest
            self._held.discard(row.update_id)
            logger.exception("update %s failed", row.update_id)
            if self._hopeless(row):
                await self._mark(row, poison=True)

    def _is_refused(self, row: InboxRow, error: StorageError) -> bool:
        """Whether the database will never take this: nothing that comes later may wait for it for ever."""
        if isinstance(error, StorageUnavailable | StaleWrite) or not self._hopeless(row):
            return False
        logger.error("update %s is set aside: %s", row.update_id, error)
        return True

    def _hopeless(self, row: InboxRow) -> bool:
        """Counts a failed try; True after the last."""
        tries = self._tries[row.update_id] = self._tries.get(row.update_id, 0) + 1
        if tries >= MAX_TRIES:
            del self._tries[row.update_id]
        return tries >= MAX_TRIES

    async def _mark(self, row: InboxRow, *, poison: bool = False) -> None:
        async with self._storage.begin() as uow:
            await uow.inbox.done(self._source, row.update_id, poison=poison)

    # ------------------------------------------------------------------------------------------ albums

    def _hold(self, row: InboxRow, said: Said) -> None:
        key = (said.place.chat_id, said.album)
        album = self._albums.setdefault(key, _Album())
        self._held.add(row.update_id)
        album.parts.append((row, said))
        if album.timer is not None:
            album.timer.cancel()
        loop = asyncio.get_running_loop()
        album.timer = loop.call_later(self._album_wait_s, self._release, key)

    def _release(self, key: tuple[int, str]) -> None:
        task = asyncio.create_task(self._whole(key))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _whole(self, key: tuple[int, str]) -> None:
        album = self._albums.get(key)
        if album is None or album.whole:
            return
        album.whole = True
        self._whole_albums.append(key[1])
        poison = False
        try:
            await self._album([said for _, said in album.parts])
        except StorageError as error:
            poison = self._is_refused(album.parts[0][0], error)
            if not poison:
                logger.error("an album waits: %s", type(error).__name__)
                await self._postponed(key)
                return
        except Exception:  # the adapter's edge: the rows stay in the inbox for the next round
            logger.exception("an album could not be taken in")
            poison = self._hopeless(album.parts[0][0])
            if not poison:
                await self._postponed(key)
                return
        await self._stored(key, poison)

    async def _stored(self, key: tuple[int, str], poison: bool) -> None:
        """All at once: parts left over by a crash would come back as an album of their own."""
        album = self._albums[key]
        try:
            async with self._storage.begin() as uow:
                for row, _ in album.parts:
                    await uow.inbox.done(self._source, row.update_id, poison=poison)
        except StorageError as error:
            logger.error("an album waits: %s", type(error).__name__)
            await self._postponed(key)
        else:
            self._let_go(key)

    async def _postponed(self, key: tuple[int, str]) -> None:
        """The parts are taken out of the inbox anew."""
        await asyncio.sleep(1.0)
        with contextlib.suppress(ValueError):  # many others may have pushed it out meanwhile
            self._whole_albums.remove(key[1])
        self._let_go(key)

    def _let_go(self, key: tuple[int, str]) -> None:
        album = self._albums.pop(key)
        self._held -= {row.update_id for row, _ in album.parts}
        self._wake.set()

    async def flush(self) -> None:
        """Takes waiting albums in at once (shutting down)."""
        for key in list(self._albums):
            timer = self._albums[key].timer
            if timer is not None:
                timer.cancel()
            await self._whole(key)
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=5.0)
