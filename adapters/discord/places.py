"""Where in Discord something is: guild, channel, thread; and which channels are bound."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import discord

from adapters.discord.addresses import chat_key
from adapters.discord.scope import SCOPE
from adapters.discord.transport import READING_FAULTS
from orchestration.model import ChatKey
from orchestration.ports import Storage

THREAD_TYPES: Final = (10, 11, 12)
BINDABLE: Final = (discord.ChannelType.text, discord.ChannelType.voice, discord.ChannelType.forum)
MAX_KEPT: Final = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """``parent`` is the channel a thread belongs to; None: this is a channel itself."""

    guild: int
    id: int
    parent: int | None
    name: str

    @property
    def channel(self) -> int:
        """The channel that can be bound and holds the webhook."""
        return self.id if self.parent is None else self.parent

    @property
    def key(self) -> ChatKey:
        return chat_key(guild_id=self.guild, channel_id=self.id, parent_id=self.parent)


def place_of(channel: object) -> Place | None:
    """The place that a channel or thread of a guild is; None for anything else."""
    if isinstance(channel, discord.Thread):
        return Place(guild=channel.guild.id, id=channel.id, parent=channel.parent_id, name=channel.name)
    if isinstance(channel, discord.abc.GuildChannel):
        return Place(guild=channel.guild.id, id=channel.id, parent=None, name=channel.name)
    return None


class Places:
    """Resolves channel ids: from discord.py's cache, else by asking Discord once."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self._asked: dict[int, Place | None] = {}

    def known(self, channel_id: int) -> Place | None:
        return place_of(self._client.get_channel(channel_id)) or self._asked.get(channel_id)

    def open_in(self, channel_id: int) -> list[Place]:
        """The channel and those of its threads that are open, as far as the client knows them."""
        threads = getattr(self._client.get_channel(channel_id), "threads", [])
        return [place for one in (channel_id, *(thread.id for thread in threads)) if (place := self.known(one))]

    async def of(self, channel_id: int) -> Place | None:
        """None for what is no guild's, is gone, or may not be seen."""
        known = self.known(channel_id)
        if known is not None or channel_id in self._asked:
            return known
        try:
            raw: Any = await self._client.http.get_channel(channel_id)
        except READING_FAULTS:
            return None
        place = None
        if raw.get("guild_id"):
            parent = int(raw["parent_id"]) if raw["type"] in THREAD_TYPES and raw.get("parent_id") else None
            name = str(raw.get("name") or "")
            place = Place(guild=int(raw["guild_id"]), id=channel_id, parent=parent, name=name)
        if len(self._asked) > MAX_KEPT:
            self._asked.clear()
        self._asked[channel_id] = place
        return place

    def forget(self, channel_id: int) -> None:
        self._asked.pop(channel_id, None)


class Bindings:
    """The channels in which the cast speaks. In memory for the gate, in the database for the next start."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._since: dict[int, int] = {}
        self._guilds: dict[int, int] = {}

    async def load(self) -> None:
        async with self._storage.read() as uow:
            rows = await uow.platform_state.items(SCOPE, prefix="bound:")
        for row in rows.values():
            if isinstance(row, dict):
                channel = int(str(row["channel"]))
                self._since[channel] = int(str(row["since"]))
                self._guilds[channel] = int(str(row["guild"]))

    def is_bound(self, channel_id: int) -> bool:
        return channel_id in self._since

    def since(self, channel_id: int) -> int:
        """The snowflake of the moment of binding: nothing older is read from history."""
        return self._since[channel_id]

    def place(self, channel_id: int) -> Place | None:
        """A bound channel as far as its binding tells, for when Discord tells nothing of it."""
        guild = self._guilds.get(channel_id)
        return Place(guild=guild, id=channel_id, parent=None, name="") if guild is not None else None

    def of_guild(self, guild_id: int) -> list[int]:
        return [channel for channel, guild in self._guilds.items() if guild == guild_id]

    @property
    def all(self) -> list[int]:
        return list(self._since)

    async def bind(self, *, guild_id: int, channel_id: int, since: int) -> None:
        """Binding a bound channel again changes nothing: what was missed in it is still to be read."""
        if channel_id in self._since:
            return
        async with self._storage.begin() as uow:
            row = {"guild": str(guild_id), "channel": str(channel_id), "since": str(since)}
            await uow.platform_state.put(SCOPE, f"bound:{channel_id}", dict(row))
        self._since[channel_id] = since
        self._guilds[channel_id] = guild_id

    async def unbind(self, channel_id: int) -> None:
        async with self._storage.begin() as uow:
            await uow.platform_state.delete(SCOPE, f"bound:{channel_id}")
        self._since.pop(channel_id, None)
        self._guilds.pop(channel_id, None)
