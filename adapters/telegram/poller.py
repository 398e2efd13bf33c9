"""Raw updates -> the inbox table -> commit -> acknowledged. Nothing is parsed here, so nothing can get stuck here.

The library's own updater acknowledges a batch while its handlers still run, and one update that it cannot parse stalls
it for ever; both lose messages.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any

from telegram.error import TelegramError

from adapters.telegram.failures import Action, failure_of
from adapters.telegram.wire import Client
from orchestration.errors import StorageError
from orchestration.ports import InboxRow, Storage

logger = logging.getLogger(__name__)

ALLOWED_UPDATES = [
    "message",
    "edited_message",
    "callback_query",
    "my_chat_member",
    "message_reaction",
    "managed_bot",
]
"""Always sent in full: the server would keep an older list, and leaves some kinds out by default."""
MAX_UPDATE = 1_000_000
"""Characters; the server's own updates are far smaller."""
NOTHING = "null"
IDLE_S = 0.3
"""Between two polls when the server does not wait for news as it was asked to."""


class Inlet:
    """Where updates come in, by whatever road: sealed, stored, then the ear is woken."""

    def __init__(
        self,
        *,
        storage: Storage,
        source: str,
        seal: Callable[[dict[str, Any]], Awaitable[dict[str, Any]]],
        wake: asyncio.Event,
    ) -> None:
        self._storage = storage
        self._source = source
        self._seal = seal
        self._wake = wake

    async def store(self, updates: list[dict[str, Any]]) -> None:
        """Returns when the updates are committed. Raises StorageError; nothing is stored then."""
        rows = []
        for update in updates:
            number = number_of(update)
            if number is None:
                logger.warning("an update without a number was dropped")
                continue
            rows.append(InboxRow(source=self._source, update_id=number, raw=await self._raw(update)))
        if rows:
            async with self._storage.begin() as uow:
                await uow.inbox.add(rows)
        self._wake.set()

    async def _raw(self, update: dict[str, Any]) -> str:
        """What is stored of the update. One that cannot even be sealed is kept as nothing: the ear sets it aside."""
        try:
            return json.dumps(await self._seal(update))[:MAX_UPDATE]
        except StorageError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever a platform may send: its neighbours are heard
            logger.error("update %s cannot be read: %s", number_of(update), type(error).__name__)
            return NOTHING


def number_of(update: dict[str, Any]) -> int | None:
    """The update's number, if it has one that a database can hold."""
    number = update.get("update_id")
    return number if type(number) is int and 0 <= number < 2**63 else None


class Poller:
    """Long polling that never gives up: a second poller (409) is waited out, a dead token (401) said once."""

    def __init__(
        self,
        client: Client,
        inlet: Inlet,
        *,
        timeout_s: int = 25,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._inlet = inlet
        self._timeout_s = timeout_s
        self._sleep = sleep
        self._monotonic = monotonic
        self._said: Action | None = None

    async def run(self) -> None:
        # No offset at first: what is not acknowledged comes again, and the inbox knows what it has. (Numbers may
        # start anew after a quiet week, so an old offset could throw new messages away.)
        offset: int | None = None
        pause = 1.0
        while True:
            asked_at = self._monotonic()
            try:
                updates = await self._client.raw_updates(
                    offset=offset, timeout_s=self._timeout_s, allowed=ALLOWED_UPDATES
                )
            except TelegramError as error:
                pause = await self._waited(error, pause)
                continue
            if self._said is not None:
                logger.warning("updates come again")
                self._said = None
            pause = 1.0
            try:
                await self._inlet.store(updates)
            except StorageError as error:
                logger.error("updates could not be stored, so they are not acknowledged: %s", type(error).__name__)
                await self._sleep(2.0)
                continue
            numbers = [number for u in updates if (number := number_of(u)) is not None]
            if numbers:
                offset = max(numbers) + 1
            elif updates:  # nothing to acknowledge them by: they will come again at once
                await self._sleep(1.0)
            elif self._monotonic() - asked_at < IDLE_S:
                await self._sleep(IDLE_S)

    async def _waited(self, error: TelegramError, pause: float) -> float:
        """Waits as long as the failure asks for; returns the next pause."""
        failure = failure_of(error)
        if failure.action is Action.WAIT:
            await self._sleep(failure.retry_after_s)
            return 1.0
        if failure.action is not self._said:
            self._said = failure.action
            if failure.action is Action.DEAD_TOKEN:
                logger.error("the host bot's token is refused: put a valid one into the variable and start again")
            elif failure.action is Action.CONFLICT:
                logger.warning("somebody else asks for this bot's updates (409): waiting for them to stop")
            else:
                logger.warning("updates cannot be fetched: %s", failure.words)
        if failure.action is Action.CONFLICT and "webhook" in failure.words.casefold():
            await self._drop_webhook()
        longest = {Action.DEAD_TOKEN: 60.0, Action.CONFLICT: 5.0}.get(failure.action, 10.0)
        await self._sleep(min(pause, longest))
        return min(pause * 2, longest)

    async def _drop_webhook(self) -> None:
        """A webhook of an earlier set-up stands in our way. What waits for it stays."""
        try:
            await self._client.delete_webhook(drop_pending_updates=False)
        except TelegramError as error:
            logger.warning("the old webhook could not be removed: %s", type(error).__name__)
