"""One write to the Bot API: waits its turn, tells what became of it, tries again only where nothing was applied."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any, Protocol, TypeVar, cast

from telegram.error import TelegramError

from adapters.telegram.failures import Action, Failure, failure_of
from adapters.telegram.limiter import Limiter, Priority
from adapters.telegram.wire import Client
from orchestration.ports import Clock, Storage

logger = logging.getLogger(__name__)

T = TypeVar("T")
CLOSED = "telegram:closed"
"""Scope of deadlines after a 429, so that a restart does not knock too early: ``bot:chat`` -> ISO time."""


LAST_S = 6.0
"""So long may what is under way take when its caller gives up: its fate should be known and written down."""


class CallFailed(Exception):
    """A write that did not come to pass (or of which nobody knows); ``failure`` says what to do."""

    def __init__(self, failure: Failure) -> None:
        self.failure = failure
        super().__init__(failure.words)


class Journal(Protocol):
    """Where a write's fate is kept: before it leaves, and when it surely did not."""

    async def sending(self) -> None: ...

    async def not_sent(self) -> None: ...


class Calls:
    """All writes of all bots go through here."""

    def __init__(
        self,
        *,
        limiter: Limiter,
        storage: Storage,
        clock: Clock,
        patience_s: float = 900.0,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._limiter = limiter
        self._storage = storage
        self._clock = clock
        self._patience_s = patience_s
        self._monotonic = monotonic
        self._sleep = sleep
        self._under_way: set[asyncio.Future[Any]] = set()
        self._ends_at: float | None = None

    async def restore(self) -> None:
        """Closes again what an earlier process was told to leave alone; forgets what is over."""
        async with self._storage.begin() as uow:
            for key, until in (await uow.platform_state.items(CLOSED)).items():
                left = (datetime.fromisoformat(str(until)) - self._clock()).total_seconds()
                bot, _, chat = key.partition(":")
                if left > 0:
                    self._limiter.close(int(bot), int(chat), left)
                else:
                    await uow.platform_state.delete(CLOSED, key)

    async def write(
        self,
        client: Client,
        chat_id: int,
        priority: Priority,
        call: Callable[[], Awaitable[T]],
        *,
        journal: Journal | None = None,
        repeatable: bool = False,
    ) -> T | None:
        """The call's result; None when a write of low priority was dropped.

        ``repeatable``: doing it twice is doing it once (edits), so an ambiguous failure may be tried again.
        Raises CallFailed; a cancelled call that is under way is waited for, so that its journal is true.
        """
        ends = self._monotonic() + self._patience_s
        pause = 0.5
        while True:
            if not await self._limiter.admit(client.number, chat_id, priority):
                return None
            attempt = self._attempt(client, chat_id, call, journal)
            # What may be dropped may be cut off too.
            failure, result = await (attempt if priority >= Priority.PASSING_EDIT else self._to_its_end(attempt))
            if failure is None:
                return result
            again = failure.action in (Action.WAIT, Action.RETRY) or (repeatable and failure.action is Action.UNKNOWN)
            if not again or priority >= Priority.PASSING_EDIT or self._monotonic() + pause > ends:
                raise CallFailed(failure)
            if failure.action is not Action.WAIT:  # the limiter itself waits out a closed door
                await self._sleep(pause)
                pause = min(pause * 2, 15.0)

    async def ask(
        self, client: Client, chat_id: int, question: Callable[[], Awaitable[T]], *, patience_s: float = 30.0
    ) -> T:
        """The answer to a question about a chat: not counted, but a 429 closes the door by it and for it like for a
        write. Raises CallFailed, at once when the door stays closed for longer than ``patience_s``.
        """
        for last in (False, False, True):
            closed = self._limiter.closed_for(client.number, chat_id)
            if closed > patience_s:
                raise CallFailed(Failure(action=Action.WAIT, retry_after_s=closed))
            if closed:
                await self._sleep(closed)
            failure, result = await self._attempt(client, chat_id, question, None)
            if failure is None:
                return cast(T, result)
            if last or failure.action not in (Action.WAIT, Action.RETRY, Action.UNKNOWN):
                raise CallFailed(failure)
        raise AssertionError("the last try returns or raises")

    async def _attempt(
        self, client: Client, chat_id: int, call: Callable[[], Awaitable[T]], journal: Journal | None
    ) -> tuple[Failure | None, T | None]:
        if journal is not None:
            await journal.sending()
            closed = self._limiter.closed_for(client.number, chat_id)
            if closed:  # the door was shut while this was written down
                await journal.not_sent()
                return Failure(action=Action.WAIT, retry_after_s=closed), None
        try:
            return None, await call()
        except TelegramError as error:
            failure = failure_of(error)
        if failure.action is Action.WAIT:
            self._limiter.close(client.number, chat_id, failure.retry_after_s)
        if journal is not None and failure.action is not Action.UNKNOWN:
            await journal.not_sent()
        if failure.action is Action.WAIT:
            await self._remember(client.number, chat_id, failure.retry_after_s)
        return failure, None

    async def _remember(self, bot_id: int, chat_id: int, seconds: float) -> None:
        until = (self._clock() + timedelta(seconds=seconds)).isoformat()
        async with self._storage.begin() as uow:
            await uow.platform_state.put(CLOSED, f"{bot_id}:{chat_id}", until)

    async def _to_its_end(self, work: Awaitable[T]) -> T:
        """Awaits the work; when cancelled meanwhile, lets what is under way come to its end first (at most LAST_S)."""
        task = asyncio.ensure_future(work)
        self._under_way.add(task)
        task.add_done_callback(self._under_way.discard)
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if not task.done():
                await asyncio.wait({task}, timeout=self._last())
            if not task.done():
                task.cancel()
            raise

    def end_soon(self) -> None:
        """The process ends: from now on all that is under way has LAST_S together, however many wait for it."""
        if self._ends_at is None:
            self._ends_at = self._monotonic() + LAST_S

    def _last(self) -> float:
        return LAST_S if self._ends_at is None else max(0.0, self._ends_at - self._monotonic())

    async def settle(self) -> None:
        """Waits until no request is under way, as long as there is time for it."""
        if self._under_way:
            await asyncio.wait(set(self._under_way), timeout=self._last())
