"""Which permissions Troupe needs in a channel, and which are missing. Pure."""

from __future__ import annotations

from typing import Final

import discord

NEEDED: Final = (
    "view_channel",
    "send_messages",
    "send_messages_in_threads",
    "manage_webhooks",
    "embed_links",
    "attach_files",
    "read_message_history",
    "use_external_emojis",
)
"""In the order in which `/cast check` names them."""


def invite_permissions() -> discord.Permissions:
    return discord.Permissions(**dict.fromkeys(NEEDED, True))


def invite_link(application_id: int | str) -> str:
    """The address with which an admin adds the bot, with exactly the permissions it needs."""
    return (
        "https://discord.com/oauth2/authorize"
        f"?client_id={application_id}&scope=bot+applications.commands&permissions={invite_permissions().value}"
    )


def missing(permissions: discord.Permissions, *, names: tuple[str, ...] = NEEDED) -> list[str]:
    return [name for name in names if not getattr(permissions, name)]


def missing_in(channel: discord.abc.GuildChannel | discord.Thread) -> list[str] | None:
    """Missing permissions, channel overrides counted; None when the cache does not know enough to say."""
    guild = channel.guild
    me = guild.me if guild is not None else None
    place = channel.parent if isinstance(channel, discord.Thread) else channel
    if me is None or place is None:
        return None
    return missing(place.permissions_for(me))


def permission_title(name: str) -> str:
    """The permission as Discord's own settings call it in English."""
    return {"use_external_emojis": "Use External Emoji"}.get(
        name, name.replace("_", " ").title().replace(" In ", " in ")
    )
