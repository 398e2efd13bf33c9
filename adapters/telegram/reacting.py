"""An agent that was chosen and then kept silent puts 👀 under the message: it was seen, there is no answer."""

from __future__ import annotations

import asyncio
import logging

from adapters.telegram.addresses import PLATFORM, numbers_of
from adapters.telegram.bots import Bots
from adapters.telegram.calls import CallFailed, Calls
from adapters.telegram.groups import Groups
from adapters.telegram.limiter import Priority
from adapters.telegram.looks import Looks
from orchestration.cast import Casts
from orchestration.errors import StorageError
from orchestration.events import Event, EventKind
from orchestration.model import GroupChat
from orchestration.ports import Storage

logger = logging.getLogger(__name__)
SEEN = "👀"


class Reacting:
    """Implements `ports.EventSink`. A reaction is a kindness: it is dropped when there is no room for it."""

    def __init__(
        self, *, bots: Bots, groups: Groups, looks: Looks, calls: Calls, storage: Storage, casts: Casts
    ) -> None:
        self._bots = bots
        self._groups = groups
        self._looks = looks
        self._calls = calls
        self._storage = storage
        self._casts = casts
        self._tasks: set[asyncio.Task[None]] = set()

    def __call__(self, event: Event) -> None:
        if event.kind is EventKind.REPLY_DROPPED and event.turn_id is not None:
            task = asyncio.create_task(self._react(event.chat_id, event.turn_id, str(event.content.get("agent_id"))))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _react(self, chat_id: int, turn_id: str, agent_id: str) -> None:
        try:
            found = await self._message(chat_id, turn_id)
        except StorageError as error:
            logger.info("a reaction was left out: %s", type(error).__name__)
            return
        if found is None:
            return
        chat, group, message_id = found
        agent = await self._casts.get(chat.tenant_id, agent_id)
        own, _ = await self._looks.own_bot(group, agent, look=False) if agent else (None, None)
        client = own or self._bots.host
        try:
            await self._calls.write(
                client, group, Priority.TYPING, lambda: client.set_message_reaction(group, message_id, reaction=SEEN)
            )
        except CallFailed as error:
            logger.info("a reaction was refused: %s", error.failure.words)

    async def _message(self, chat_id: int, turn_id: str) -> tuple[GroupChat, int, int] | None:
        """(the chat, the group's number, the number of the message the turn answers), on Telegram only."""
        async with self._storage.read() as uow:
            chat = await uow.chats.get(chat_id)
            turn = await uow.turns.get(turn_id)
            message = await uow.messages.get(chat_id, turn.seq) if turn else None
        if chat is None or chat.key.platform != PLATFORM or message is None or message.external_id is None:
            return None
        group, message_id = numbers_of(message.external_id)
        return (chat, group, message_id) if self._groups.of(group).inside else None

    async def stop(self) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
