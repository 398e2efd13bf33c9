"""What a thread brings along from the channel it belongs to: its settings, and the message it was made from."""

from __future__ import annotations

import discord

from adapters.discord.places import Place
from adapters.discord.translate import readable
from adapters.discord.transport import READING_FAULTS
from orchestration.model import ChatKey
from orchestration.ports import Clock, Storage


class Beginnings:
    def __init__(self, *, client: discord.Client, storage: Storage, clock: Clock) -> None:
        self._client = client
        self._storage = storage
        self._clock = clock

    async def of(self, message: discord.Message, place: Place) -> str:
        """For the first message heard in a thread: gives the new chat its channel's settings, and returns the words
        that the thread was made from. "" for every other message.
        """
        if place.parent is None:
            return ""
        channel = ChatKey(platform=place.key.platform, tenant_id=place.key.tenant_id, channel_id=str(place.parent))
        async with self._storage.begin() as uow:
            if await uow.chats.find(place.key) is not None:
                return ""
            chat = await uow.chats.ensure(place.key, title=place.name, at=self._clock())
            parent = await uow.chats.find(channel)
            if parent is not None:
                await uow.chats.save_settings(chat.id, parent.settings)
        # The opening message of a forum post has the post's own id and stands in it.
        return "" if message.id == place.id else await self.words_of(place.parent, place.id)

    async def words_of(self, channel_id: int, message_id: int) -> str:
        """The text of a message, asked of Discord; "" when it is gone or out of reach."""
        channel = self._client.get_partial_messageable(channel_id)
        try:
            return readable(await channel.fetch_message(message_id))
        except READING_FAULTS:
            return ""
