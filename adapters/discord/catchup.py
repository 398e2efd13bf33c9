"""What was said while nobody listened: read from history, stored as context, at most the newest question answered."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import discord

from adapters.discord.addresses import person_of
from adapters.discord.places import Bindings, Place
from adapters.discord.received import ReceivedLog
from adapters.discord.translate import has_content, incoming
from adapters.discord.transport import READING_FAULTS
from orchestration.cast import Casts
from orchestration.errors import StorageError
from orchestration.model import GroupChat, IncomingMessage, MessageKind
from orchestration.ports import Clock, Ingress, Storage
from orchestration.routing.decide import route
from orchestration.routing.inputs import RouteInput

_log = logging.getLogger(__name__)

ANSWERED_WITHIN: Final = timedelta(minutes=10)
MOST: Final = 500
YOUNG: Final = timedelta(seconds=10)
GRACE_S: Final = 1.0
"""History may show a message before the gateway tells of it; then it is no missed one."""
SURE_ENOUGH: Final = 0.85


class CatchUp:
    """`of` catches up with one place, once a connection; whoever comes later waits for the first."""

    def __init__(
        self,
        *,
        client: discord.Client,
        ingress: Ingress,
        storage: Storage,
        casts: Casts,
        bindings: Bindings,
        received: ReceivedLog,
        clock: Clock,
    ) -> None:
        self._client = client
        self._ingress = ingress
        self._storage = storage
        self._casts = casts
        self._bindings = bindings
        self._received = received
        self._clock = clock
        self._done: set[int] = set()
        self._locks: dict[int, asyncio.Lock] = {}
        self.reached_us: Callable[[int], bool] = lambda _: False
        """Whether a message had been sent to an earlier process: it is answered as if nothing had happened."""

    def again(self) -> None:
        """The connection was lost: every place has to be caught up with anew."""
        self._done.clear()

    async def all(self, places: Callable[[int], list[Place]]) -> None:
        """Catches up with every bound channel and its threads; faults are logged, one place never stops another."""
        for channel_id in self._bindings.all:
            for place in places(channel_id):
                await self.of(place)

    async def of(self, place: Place, *, before: int | None = None) -> None:
        """``before``: the message that is about to be heard live; only what is older is caught up with."""
        if place.id in self._done:
            return
        lock = self._locks.setdefault(place.id, asyncio.Lock())
        async with lock:
            if place.id in self._done:
                return
            try:
                await self._read(place, before)
            except (*READING_FAULTS, StorageError) as error:
                _log.warning("discord: history of channel %s not read: %s", place.id, type(error).__name__)
            self._done.add(place.id)
        self._locks.pop(place.id, None)

    async def _read(self, place: Place, before: int | None) -> None:
        async with self._storage.read() as uow:
            chat = await uow.chats.find(place.key)
        after = await self._cursor(place, chat)
        if after is None:
            return
        channel = self._client.get_partial_messageable(place.id, guild_id=place.guild)
        missed = [m async for m in channel.history(after=discord.Object(after), limit=MOST, oldest_first=True)]
        heard = [m for m in missed if not m.author.bot and m.webhook_id is None and has_content(m)]
        heard = await self._missed(m for m in heard if before is None or m.id < before)
        if not heard:
            return
        _log.info("discord: %s missed messages in channel %s", len(heard), place.id)
        told = [self._told(message, place) for message in heard]
        answered = await self._to_answer(told, chat, place)
        for message in told:
            wants_turn = message is answered or self.reached_us(int(message.external_id))
            await self._ingress.receive(message if wants_turn else _as_context(message))

    async def _missed(self, messages: Iterable[discord.Message]) -> list[discord.Message]:
        """Those of the messages that the gateway does not tell of by itself. A very young one may be on its way."""
        found = [m for m in messages if not self._received.has_arrived(m.id)]
        if any(abs(self._clock() - m.created_at) < YOUNG for m in found):
            await asyncio.sleep(GRACE_S)
        return [m for m in found if not self._received.has_arrived(m.id)]

    def _told(self, message: discord.Message, place: Place) -> IncomingMessage:
        reference = message.reference
        return incoming(
            message,
            chat=place.key,
            author=person_of(message.author),
            bot_id=self._client.user.id if self._client.user else 0,
            title=place.name,
            reply_to=str(reference.message_id) if reference and reference.message_id else None,
        )

    async def _cursor(self, place: Place, chat: GroupChat | None) -> int | None:
        """The newest message known there. None: nothing to catch up with (never bound, or the very first run)."""
        if not self._bindings.is_bound(place.channel):
            return None
        known = [self._bindings.since(place.channel)]
        if chat is not None:
            async with self._storage.read() as uow:
                recent = await uow.messages.recent(chat.id, limit=40)
            known += [int(m.external_id) for m in recent if m.kind is MessageKind.HUMAN and m.external_id]
        return max(known)

    async def _to_answer(
        self, told: list[IncomingMessage], chat: GroupChat | None, place: Place
    ) -> IncomingMessage | None:
        """The newest message of the last ten minutes that addresses the cast beyond doubt."""
        for message in reversed(told):
            if self._clock() - message.sent_at > ANSWERED_WITHIN:
                return None
            if await self._addressed(message, chat, place):
                return message
        return None

    async def _addressed(self, message: IncomingMessage, chat: GroupChat | None, place: Place) -> bool:
        async with self._storage.begin() as uow:
            tenant = await uow.chats.tenant_of(place.key.platform, place.key.tenant_id, at=self._clock())
            target = await uow.messages.by_external(chat.id, message.reply_to) if chat and message.reply_to else None
        decision = route(
            RouteInput(
                cast=await self._casts.speaking(tenant),
                recent=(),
                speaker_id=message.author.id,
                speaker=message.author.name,
                text=message.text,
                reply_to_agent=target.agent_id if target is not None else None,
                reply_to_human=target is not None and target.agent_id is None,
                mentioned_agents=message.mentioned_agents,
                mentioned_people=message.mentioned_people,
            )
        )
        return decision.respond and decision.confidence >= SURE_ENOUGH


def _as_context(message: IncomingMessage) -> IncomingMessage:
    """The message, which nobody is to answer."""
    return replace(message, wants_turn=False)
