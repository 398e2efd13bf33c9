"""The way in: which events are a person's words, in which order they are heard, and what edits and deletions mean."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final

import discord

from adapters.discord.addresses import PLATFORM, guild_of, person_of
from adapters.discord.beginnings import Beginnings
from adapters.discord.catchup import CatchUp
from adapters.discord.journal import Seen
from adapters.discord.lanes import Lanes
from adapters.discord.outward import Outward
from adapters.discord.places import Bindings, Place, Places
from adapters.discord.proxies import PROXY_APPLICATIONS, Originals
from adapters.discord.received import ReceivedLog
from adapters.discord.scope import SCOPE
from adapters.discord.translate import has_content, incoming, own_words, proxied_reply, readable
from adapters.discord.wording import content_hash
from orchestration.errors import StorageError
from orchestration.model import Locale, MessageKind, OutboxKind, OutboxState, Person
from orchestration.ports import Ingress, Storage

_log = logging.getLogger(__name__)

STORE_TRIES_S: Final = (0.2, 1.0, 3.0, 10.0, 30.0)
TURN_END_S: Final = 5.0


@dataclass(frozen=True, slots=True, kw_only=True)
class BotsPolicy:
    """Foreign bots are not heard, but for those listed; ``hop_limit`` of their messages in a row may get a turn."""

    allowed: frozenset[int] = frozenset()
    hop_limit: int = 3
    proxy_guard: bool = True


class Gate:
    """Event handlers. Messages of one place pass one after the other, in the order in which the gateway told them."""

    def __init__(
        self,
        *,
        client: discord.Client,
        ingress: Ingress,
        storage: Storage,
        places: Places,
        bindings: Bindings,
        out: Outward,
        catchup: CatchUp,
        received: ReceivedLog,
        beginnings: Beginnings,
        policy: BotsPolicy,
        locale: Locale,
    ) -> None:
        self._client = client
        self._ingress = ingress
        self._storage = storage
        self._places = places
        self._bindings = bindings
        self._webhooks, self._delivery, self._notices = out.webhooks, out.delivery, out.notices
        self._echoes, self._speakers = out.echoes, out.speakers
        self._catchup = catchup
        self._received = received
        self._beginnings = beginnings
        self._policy = policy
        self._locale = locale
        self._originals = Originals()
        self._lanes = Lanes()
        self._hops: dict[int, int] = {}
        self.content_may_be_hidden = False
        """Set when Discord did not confirm the privileged intent."""

    # ---------------------------------------------------------------- messages

    def arrived(self, message: discord.Message) -> None:
        """First sight of a message, before anything waits."""
        self._echoes.note(message.channel.id, message.id)
        place = self._places.known(message.channel.id)
        silent = place is not None and not self._bindings.is_bound(place.channel)
        if not silent and not self._is_ours(message) and self._is_heard(message):
            self._received.note(message.id)

    async def on_message(self, message: discord.Message) -> None:
        if guild_of(message) is None:
            return
        place_id = message.channel.id
        if self._is_ours(message):
            name = message.author.name if message.webhook_id else ""
            self._echoes.hear(place_id, Seen(id=message.id, hash=content_hash(message.content), name=name))
            return
        async with self._lanes.of(place_id):
            try:
                await self._hear(message)
            finally:
                self._received.stored(message.id)

    async def _bound_place(self, channel_id: int) -> Place | None:
        """The place, when it is a bound channel or a thread of one."""
        place = await self._places.of(channel_id) or self._bindings.place(channel_id)
        return place if place is not None and self._bindings.is_bound(place.channel) else None

    def _is_ours(self, message: discord.Message) -> bool:
        if message.webhook_id is not None:
            return self._webhooks.is_own(message.webhook_id, message.application_id)
        return self._client.user is not None and message.author.id == self._client.user.id

    def _is_heard(self, message: discord.Message) -> bool:
        """Whether the bots policy lets the author be heard at all."""
        if message.webhook_id is None and not message.author.bot:
            return True
        return self._is_proxy(message) or self._is_allowed_bot(message)

    def _is_proxy(self, message: discord.Message) -> bool:
        return self._policy.proxy_guard and bool(message.webhook_id) and message.application_id in PROXY_APPLICATIONS

    def _is_allowed_bot(self, message: discord.Message) -> bool:
        return bool({message.author.id, message.webhook_id, message.application_id} & self._policy.allowed)

    async def _hear(self, message: discord.Message) -> None:
        if not self._is_heard(message):
            return
        place = await self._bound_place(message.channel.id)
        if place is None:
            return
        if not has_content(message):
            await self._look_for_hidden_content(message, place)
            return
        await self._catchup.of(place, before=message.id)
        if self._is_proxy(message):
            await self._hear_copy(message, place)
            return
        bot = message.webhook_id is not None or message.author.bot
        if not bot:
            self._hops.pop(place.id, None)
            self._originals.heard(place.id, message.id, readable(message), message.created_at)
        await self._store(message, place, person_of(message.author), wants_turn=not bot or self._hop(place))

    def _hop(self, place: Place) -> bool:
        """Whether a foreign bot may have one more answer before a person speaks again."""
        self._hops[place.id] = self._hops.get(place.id, 0) + 1
        return self._hops[place.id] <= self._policy.hop_limit

    async def _look_for_hidden_content(self, message: discord.Message, place: Place) -> None:
        plain = message.type in (discord.MessageType.default, discord.MessageType.reply)
        if plain and self.content_may_be_hidden and not message.author.bot:
            await self._notices.content_hidden(place.id, channel=place.channel, locale=self._locale)

    async def _store(self, message: discord.Message, place: Place, author: Person, *, wants_turn: bool) -> None:
        """Hands the message to the core; while the database is out of reach, again and again for a while."""
        reply_to, reply_text = await self._reply(message, place)
        self._speakers.spoke(place.id, author.id, author.name)
        heard = incoming(
            message,
            chat=place.key,
            author=author,
            bot_id=self._client.user.id if self._client.user else 0,
            title=place.name,
            reply_to=reply_to,
            reply_text=reply_text,
            wants_turn=wants_turn,
            proxied=self._is_proxy(message),
        )
        await persistently(lambda: self._ingress.receive(heard))

    async def _reply(self, message: discord.Message, place: Place) -> tuple[str | None, str]:
        """What the message replies to, and its text: from the event, else from Discord; a thread's opening words."""
        opening = await self._beginnings.of(message, place)
        reference = message.reference
        if reference is None or reference.message_id is None or message.message_snapshots:
            linked = proxied_reply(message) if self._is_proxy(message) else None
            return (str(await self._original_id(linked)) if linked is not None else None), opening
        target = await self._original_id(reference.message_id)
        resolved = reference.resolved
        if isinstance(resolved, discord.Message):
            return str(target), readable(resolved)
        if isinstance(resolved, discord.DeletedReferencedMessage):
            return str(target), ""
        return str(target), await self._beginnings.words_of(reference.channel_id, reference.message_id)

    # ---------------------------------------------------------------- proxied people

    async def _hear_copy(self, message: discord.Message, place: Place) -> None:
        words = own_words(message)
        original = self._originals.of_copy(place.id, words, message.created_at)
        speaker = Person(id=f"{PLATFORM}:proxy-{message.author.name}", name=message.author.name)
        if original is None:
            await self._store(message, place, speaker, wants_turn=True)
            return
        if original.deleted:
            # It was taken for a deletion: the copy takes its place, unless the answer stands already.
            answered = await self._was_answered(place, original.message_id)
            await self._store(message, place, speaker, wants_turn=not answered)
            return
        async with self._storage.begin() as uow:
            await uow.platform_state.put(SCOPE, f"copy:{message.id}", str(original.message_id))
            await uow.platform_state.put(SCOPE, f"copied:{original.message_id}", str(message.id))
        await self._ingress.edited(place.key, str(original.message_id), words)

    async def _was_answered(self, place: Place, message_id: int) -> bool:
        """Whether a reply to the message stands, once its turn has come to its end."""
        loop = asyncio.get_running_loop()
        until = loop.time() + TURN_END_S
        while True:
            async with self._storage.read() as uow:
                chat = await uow.chats.find(place.key)
                asked = await uow.messages.by_external(chat.id, str(message_id)) if chat else None
                if asked is None or asked.turn_id is None:
                    return False
                turn = await uow.turns.get(asked.turn_id)
                items = await uow.outbox.of_turn(asked.turn_id)
            gone = (OutboxState.WITHDRAWN, OutboxState.FAILED)
            if any(item.kind is OutboxKind.REPLY and item.state not in gone for item in items):
                return True
            if turn is None or turn.over or loop.time() > until:
                return False
            await asyncio.sleep(0.05)

    async def _original_id(self, message_id: int) -> int:
        """The stored message that a proxied copy stands for; the id itself for everything else."""
        async with self._storage.read() as uow:
            original = await uow.platform_state.get(SCOPE, f"copy:{message_id}")
        return int(original) if isinstance(original, str) else message_id

    # ---------------------------------------------------------------- edits and deletions

    async def on_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        message = event.message
        if event.guild_id is None or self._is_ours(message) or not self._is_heard(message):
            return
        place = await self._bound_place(event.channel_id)
        if place is not None and has_content(message):
            async with self._lanes.of(place.id):
                target = await self._original_id(event.message_id)
                read = own_words if self._is_proxy(message) else readable
                text = read(message, bot_id=self._client.user.id if self._client.user else None)
                await persistently(lambda: self._ingress.edited(place.key, str(target), text))

    async def on_delete(self, channel_id: int, message_id: int) -> None:
        if message_id in self._delivery.deleted_by_us:
            self._delivery.deleted_by_us.discard(message_id)
            return
        place = await self._bound_place(channel_id)
        if place is None:
            return
        async with self._lanes.of(place.id):
            if self._originals.deleted(place.id, message_id):
                return
            target = await self._original_id(message_id)
            async with self._storage.read() as uow:
                chat = await uow.chats.find(place.key)
                stored = await uow.messages.by_external(chat.id, str(target)) if chat else None
            if stored is not None and stored.kind is MessageKind.HUMAN:
                await persistently(lambda: self._ingress.deleted(place.key, str(target)))


async def persistently(work: Callable[[], Awaitable[object]]) -> None:
    """Does it again while the database is out of reach, for about three quarters of a minute; then gives it up."""
    for pause in STORE_TRIES_S:
        try:
            await work()
            return
        except StorageError as error:
            _log.warning("discord: not stored yet (%s), again in %.1f s", type(error).__name__, pause)
            await asyncio.sleep(pause)
    try:
        await work()
    except StorageError:
        _log.exception("discord: an event could not be stored")
