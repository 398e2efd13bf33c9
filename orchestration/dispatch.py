"""Posts what stands in the outbox, in order per group chat, until it is delivered or known to be impossible."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from contextlib import suppress

from structlog.contextvars import bound_contextvars

from orchestration.bus import EventBus
from orchestration.cast import Casts
from orchestration.errors import DeliveryLater, DeliveryRefused, DeliveryUnknown, StorageUnavailable
from orchestration.events import EventKind, Json, NewEvent
from orchestration.model import GroupChat, OutboxItem, OutboxKind, OutboxState
from orchestration.ports import Adapter, Clock, Storage
from orchestration.transactions import patiently

logger = logging.getLogger(__name__)

MAX_TRIES = 6
MAX_WAIT_S = 120.0
FIRST_PAUSE_S = 0.5


class Dispatcher:
    """One worker task per chat that has something to post; it ends when the chat's outbox is empty.

    Adapters reconcile before they send, so posting an item again after a crash is safe.
    """

    def __init__(
        self, *, storage: Storage, casts: Casts, bus: EventBus, clock: Clock, adapters: Mapping[str, Adapter]
    ) -> None:
        self._storage = storage
        self._casts = casts
        self._bus = bus
        self._clock = clock
        self._adapters = adapters
        self._workers: dict[int, asyncio.Task[None]] = {}
        self._again: set[int] = set()
        self._left: set[int] = set()
        """Chats whose worker failed: something may lie unposted."""
        self._closing = False

    def kick(self, chat_id: int) -> None:
        """Sees to it that the chat's open items get posted. Returns at once."""
        if self._closing:
            return
        worker = self._workers.get(chat_id)
        if worker is not None and not worker.done():
            self._again.add(chat_id)
            return
        work = patiently(lambda: self._work(chat_id), f"delivery to chat {chat_id}")
        task = asyncio.create_task(work, name=f"deliver chat {chat_id}")
        self._workers[chat_id] = task
        task.add_done_callback(lambda done: self._retire(chat_id, done))

    def _retire(self, chat_id: int, task: asyncio.Task[None]) -> None:
        if self._workers.get(chat_id) is task:
            del self._workers[chat_id]
        failed = task.cancelled() or task.exception() is not None
        (self._left.add if failed else self._left.discard)(chat_id)
        if not task.cancelled() and (error := task.exception()) is not None:
            logger.error("delivery worker of chat %s failed: %s", chat_id, type(error).__name__)

    async def posted(self, chat_id: int, limit_s: float) -> bool:
        """Whether everything that was kicked is posted by now or within ``limit_s``; kicks nothing itself."""
        with suppress(TimeoutError):
            async with asyncio.timeout(limit_s):
                await self._idle(chat_id)
                return chat_id not in self._left
        return False

    async def drain(self, chat_id: int) -> None:
        """Waits until the chat has nothing left to post (each item's tries are bounded, so this ends)."""
        self.kick(chat_id)
        await self._idle(chat_id)

    async def _idle(self, chat_id: int) -> None:
        while (worker := self._workers.get(chat_id)) is not None:
            await asyncio.wait({worker})
            await asyncio.sleep(0)  # lets the worker's own done-callback retire it

    async def recover(self, platforms: frozenset[str]) -> None:
        """Takes up what earlier processes left unposted on these platforms."""
        async with self._storage.read() as uow:
            items = await uow.outbox.open()
            chats = {item.chat_id: await uow.chats.get(item.chat_id) for item in items}
        for chat_id, chat in chats.items():
            if chat is not None and chat.key.platform in platforms:
                self.kick(chat_id)

    async def close(self) -> None:
        """Ends all workers; what they did not finish is taken up again after the next start."""
        self._closing = True
        workers = list(self._workers.values())
        for worker in workers:
            worker.cancel()
        await asyncio.gather(*workers, return_exceptions=True)

    async def _work(self, chat_id: int) -> None:
        while True:
            self._again.discard(chat_id)
            async with self._storage.read() as uow:
                chat = await uow.chats.get(chat_id)
                items = await uow.outbox.open(chat_id)
            if chat is None or chat.key.platform not in self._adapters:
                return
            for item in items:
                with bound_contextvars(trace_id="", chat=str(chat.key), turn=item.turn_id or ""):
                    await self._post(chat, item)
            if chat_id not in self._again:
                return

    async def _post(self, chat: GroupChat, item: OutboxItem) -> None:
        adapter = self._adapters[chat.key.platform]
        agent = await self._casts.get(chat.tenant_id, item.agent_id) if item.agent_id else None
        pause = FIRST_PAUSE_S
        waited = 0.0
        for attempt in range(1, MAX_TRIES + 1):
            try:
                post = adapter.replace if item.revision else adapter.deliver
                await post(chat, item, agent)
            except DeliveryRefused as error:
                await self._settle(chat, item, OutboxState.FAILED, str(error))
                return
            except DeliveryUnknown as error:
                await self._settle(chat, item, OutboxState.UNKNOWN, str(error))
                return
            except DeliveryLater as error:
                pause = max(error.retry_after_s, FIRST_PAUSE_S)
            except StorageUnavailable:
                raise  # the journal cannot be kept: nothing is posted, and no try is lost, until it can
            except Exception as error:  # noqa: BLE001 - the edge to a platform: whatever it throws, the others go on
                logger.warning("posting %s failed (try %s): %s", item.id, attempt, type(error).__name__)
            else:
                await self._settle(chat, item, OutboxState.SENT, "")
                return
            waited += pause
            if waited > MAX_WAIT_S:
                break
            await asyncio.sleep(pause)
            pause *= 2
        await self._settle(chat, item, OutboxState.FAILED, "gave_up")

    async def _settle(self, chat: GroupChat, item: OutboxItem, state: OutboxState, error: str) -> None:
        content: dict[str, Json] = {"outbox_id": item.id, "state": state.value, "agent_id": item.agent_id}
        if error:
            content["error"] = error
        async with self._storage.begin() as uow:
            await uow.outbox.mark(item.id, state, error=error)
            events = []
            if item.kind is not OutboxKind.NOTICE:
                posted = NewEvent(
                    kind=EventKind.REPLY_POSTED,
                    at=self._clock(),
                    turn_id=item.turn_id,
                    block_id=item.id,
                    content=content,
                )
                events = await uow.events.append(chat.id, [posted])
        self._bus.publish(events)
