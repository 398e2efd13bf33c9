"""Avatars from uploads. A link to an attachment stops working after a day, an application emoji's does not."""

from __future__ import annotations

from hashlib import sha256
from typing import Any, Final

import discord

from adapters.discord.transport import Busy, Interrupted
from orchestration.errors import UserError

MAX_BYTES: Final = 256 * 1024
MAX_CARD_BYTES: Final = 12 * 1024 * 1024
_SIGNS: Final = (b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff", b"RIFF")


async def read_file(attachment: discord.Attachment, *, limit: int = MAX_CARD_BYTES) -> bytes:
    """The uploaded file. UserError when it is too big or cannot be read."""
    if attachment.size > limit:
        raise UserError("discord_avatar_too_big", limit=limit // 1024)
    try:
        return await attachment.read()
    except (discord.DiscordException, OSError) as error:
        raise UserError("discord_file_unreadable") from error


async def keep_picture(client: discord.Client, data: bytes) -> str:
    """A lasting web address for the picture. UserError when Discord does not take it."""
    if len(data) > MAX_BYTES:
        raise UserError("discord_avatar_too_big", limit=MAX_BYTES // 1024)
    if not data.startswith(_SIGNS):
        raise UserError("discord_avatar_kind")
    name = f"face_{sha256(data).hexdigest()[:20]}"
    try:
        emoji: Any = await client.create_application_emoji(name=name, image=data)
    except (discord.HTTPException, ValueError, Interrupted, Busy, OSError) as error:
        raise UserError("discord_avatar_unreadable") from error
    return f"https://cdn.discordapp.com/emojis/{emoji.id}.png?size=256"
