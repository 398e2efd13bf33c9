"""Discord's ids and our addresses: chat keys, person ids, snowflakes. Pure."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

import discord

from orchestration.model import ChatKey, Person

PLATFORM: Final = "discord"


def chat_key(*, guild_id: int, channel_id: int, parent_id: int | None) -> ChatKey:
    """The address of a channel or thread: a thread is its own group chat under its parent channel."""
    if parent_id is None:
        return ChatKey(platform=PLATFORM, tenant_id=str(guild_id), channel_id=str(channel_id))
    return ChatKey(platform=PLATFORM, tenant_id=str(guild_id), channel_id=str(parent_id), thread_id=str(channel_id))


def place_id(key: ChatKey) -> int:
    """The id of the channel or thread where the talk is."""
    return int(key.thread_id or key.channel_id)


def person_id(native_id: int) -> str:
    return f"{PLATFORM}:{native_id}"


def native_id(person: str | None) -> int | None:
    """The Discord id in a person id; None for anybody else's."""
    prefix, _, rest = (person or "").partition(":")
    return int(rest) if prefix == PLATFORM and rest.isdecimal() else None


def person_of(user: discord.User | discord.Member | discord.abc.User) -> Person:
    return Person(id=person_id(user.id), name=user.display_name or user.name)


def guild_of(message: discord.Message) -> int | None:
    """The guild a message was said in, also one that the client knows nothing of; None for private talk."""
    if message.guild is not None:
        return message.guild.id
    channel = message.channel
    return channel.guild_id if isinstance(channel, discord.PartialMessageable) else None


def jump_link(key: ChatKey, message_id: int | str) -> str:
    return f"https://discord.com/channels/{key.tenant_id}/{place_id(key)}/{message_id}"


def sent_at(message_id: int) -> datetime:
    """When a message with this id was made, by Discord's clock."""
    return discord.utils.snowflake_time(message_id).astimezone(UTC)
