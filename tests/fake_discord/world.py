"""What there is on the fake Discord: users, guilds, channels, webhooks, messages. Objects are the API's own JSON."""

from __future__ import annotations

import itertools
import time
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]

VIEW, SEND, MANAGE_MESSAGES, MANAGE_WEBHOOKS, MANAGE_GUILD, ADMINISTRATOR = (
    1 << 10,
    1 << 11,
    1 << 13,
    1 << 29,
    1 << 5,
    8,
)
SEND_IN_THREADS, HISTORY, EMBED, ATTACH = 1 << 38, 1 << 16, 1 << 14, 1 << 15
EVERYONE = VIEW | SEND | HISTORY | EMBED | ATTACH | SEND_IN_THREADS | (1 << 31)
BOT = EVERYONE | MANAGE_WEBHOOKS | MANAGE_MESSAGES | (1 << 18)

TEXT, VOICE, STAGE, PUBLIC_THREAD, FORUM = 0, 2, 13, 11, 15
THREADS = (10, 11, 12)
BOT_ID, APP_ID = 900_000_000_000_000_001, 900_000_000_000_000_002
EPOCH = 1_420_070_400_000


class ApiError(Exception):
    """An answer with a Discord error code."""

    def __init__(self, status: int, code: int, message: str = "error", *, errors: Json | None = None) -> None:
        self.status, self.code = status, code
        self.body: Json = {"code": code, "message": message, **({"errors": errors} if errors else {})}
        super().__init__(message)


@dataclass(slots=True)
class Guild:
    id: int
    name: str
    owner_id: int
    roles: dict[int, Json] = field(default_factory=dict)
    members: dict[int, Json] = field(default_factory=dict)
    channels: dict[int, Json] = field(default_factory=dict)
    locale: str = "en-US"


@dataclass(slots=True)
class World:
    """All state of one fake Discord. Ids are snowflakes of the real clock, strictly rising."""

    users: dict[int, Json] = field(default_factory=dict)
    guilds: dict[int, Guild] = field(default_factory=dict)
    channels: dict[int, Json] = field(default_factory=dict)
    messages: dict[int, dict[int, Json]] = field(default_factory=dict)
    webhooks: dict[int, Json] = field(default_factory=dict)
    dead_webhooks: set[int] = field(default_factory=set)
    """Ghosts: still listed, but execution answers 10015."""
    commands: list[Json] = field(default_factory=list)
    emojis: list[Json] = field(default_factory=list)
    message_content: bool = True
    """Whether the portal switch for the privileged intent is on."""
    _last_ms: int = 0
    _counter: Any = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self.users[BOT_ID] = user_json(BOT_ID, "Troupe", bot=True)

    def snowflake(self, *, at: float | None = None) -> int:
        ms = int((time.time() if at is None else at) * 1000) - EPOCH
        return (ms << 22) | (next(self._counter) & 0x3FFFFF)

    def add_user(self, name: str, *, bot: bool = False) -> int:
        user_id = self.snowflake()
        self.users[user_id] = user_json(user_id, name, bot=bot)
        return user_id

    def add_guild(self, name: str, *, locale: str = "en-US") -> Guild:
        owner = self.add_user("Owner")
        guild = Guild(id=self.snowflake(), name=name, owner_id=owner, locale=locale)
        guild.roles[guild.id] = role_json(guild.id, "@everyone", EVERYONE)
        bot_role = self.snowflake()
        guild.roles[bot_role] = role_json(bot_role, "Troupe", BOT)
        self.guilds[guild.id] = guild
        self.join(guild, owner)
        self.join(guild, BOT_ID, [bot_role])
        return guild

    def join(self, guild: Guild, user_id: int, roles: list[int] | None = None) -> None:
        guild.members[user_id] = {
            "user": self.users[user_id],
            "roles": [str(role) for role in roles or []],
            "joined_at": "2026-01-01T00:00:00+00:00",
            "deaf": False,
            "mute": False,
            "flags": 0,
        }

    def add_role(self, guild: Guild, name: str, permissions: int) -> int:
        role_id = self.snowflake()
        guild.roles[role_id] = role_json(role_id, name, permissions)
        return role_id

    def add_channel(self, guild: Guild, name: str, *, kind: int = TEXT) -> int:
        channel_id = self.snowflake()
        channel: Json = {
            "id": str(channel_id),
            "type": kind,
            "name": name,
            "guild_id": str(guild.id),
            "position": len(guild.channels),
            "permission_overwrites": [],
            "nsfw": False,
            "parent_id": None,
            "rate_limit_per_user": 0,
            "topic": None,
            "last_message_id": None,
        }
        if kind in (VOICE, STAGE):
            channel |= {"bitrate": 64000, "user_limit": 0, "rtc_region": None}
        if kind == FORUM:
            channel |= {"available_tags": [], "default_reaction_emoji": None, "default_forum_layout": 0, "flags": 0}
        guild.channels[channel_id] = channel
        self.channels[channel_id] = channel
        self.messages[channel_id] = {}
        return channel_id

    def add_thread(self, guild: Guild, parent_id: int, name: str, *, thread_id: int | None = None) -> int:
        thread_id = thread_id or self.snowflake()
        thread: Json = {
            "id": str(thread_id),
            "type": PUBLIC_THREAD,
            "name": name,
            "guild_id": str(guild.id),
            "parent_id": str(parent_id),
            "owner_id": str(guild.owner_id),
            "message_count": 0,
            "member_count": 1,
            "rate_limit_per_user": 0,
            "last_message_id": None,
            "thread_metadata": {
                "archived": False,
                "locked": False,
                "auto_archive_duration": 1440,
                "archive_timestamp": "2026-01-01T00:00:00+00:00",
            },
        }
        self.channels[thread_id] = thread
        self.messages[thread_id] = {}
        return thread_id

    def channel(self, channel_id: int) -> Json:
        if channel_id not in self.channels:
            raise ApiError(404, 10003, "Unknown Channel")
        return self.channels[channel_id]

    def guild_of(self, channel_id: int) -> Guild:
        return self.guilds[int(self.channel(channel_id)["guild_id"])]

    def message(self, channel_id: int, message_id: int) -> Json:
        self.channel(channel_id)
        if message_id not in self.messages[channel_id]:
            raise ApiError(404, 10008, "Unknown Message")
        return self.messages[channel_id][message_id]

    def threads(self, guild: Guild) -> list[Json]:
        mine = [c for c in self.channels.values() if c["type"] in THREADS and c["guild_id"] == str(guild.id)]
        return [thread for thread in mine if not thread["thread_metadata"]["archived"]]

    def permissions(self, user_id: int, channel_id: int) -> int:
        """What a member may do in a channel (a thread asks its parent), overrides counted in Discord's order."""
        channel = self.channel(channel_id)
        if channel["type"] in THREADS:
            channel = self.channel(int(channel["parent_id"]))
        guild = self.guilds[int(channel["guild_id"])]
        if user_id == guild.owner_id:
            return (1 << 53) - 1
        roles = [guild.id, *map(int, guild.members[user_id]["roles"])]
        allowed = 0
        for role in roles:
            allowed |= int(guild.roles[role]["permissions"])
        if allowed & ADMINISTRATOR:
            return (1 << 53) - 1
        overwrites = {int(o["id"]): o for o in channel["permission_overwrites"]}
        everyone = overwrites.get(guild.id)
        if everyone:
            allowed = allowed & ~int(everyone["deny"]) | int(everyone["allow"])
        mine = [overwrites[role] for role in roles[1:] if role in overwrites]
        for deny in mine:
            allowed &= ~int(deny["deny"])
        for allow in mine:
            allowed |= int(allow["allow"])
        own = overwrites.get(user_id)
        if own:
            allowed = allowed & ~int(own["deny"]) | int(own["allow"])
        return allowed if allowed & VIEW else 0

    def require(self, channel_id: int, bits: int) -> None:
        """50001 or 50013 unless the bot has these permissions in the channel."""
        has = self.permissions(BOT_ID, channel_id)
        if not has & VIEW:
            raise ApiError(403, 50001, "Missing Access")
        if has & bits != bits:
            raise ApiError(403, 50013, "Missing Permissions")

    def deny(self, channel_id: int, bits: int, *, target: int | None = None) -> None:
        """A channel override that takes permissions from everybody's role or from one member (default: the bot)."""
        who = BOT_ID if target is None else target
        kind = 1 if who in self.users else 0
        overwrite = {"id": str(who), "type": kind, "allow": "0", "deny": str(bits)}
        self.channel(channel_id)["permission_overwrites"] = [overwrite]

    def own_webhooks(self, channel_id: int) -> list[Json]:
        return [
            hook
            for hook in self.webhooks.values()
            if hook["channel_id"] == str(channel_id) and hook["application_id"] == str(APP_ID)
        ]

    def add_webhook(self, channel_id: int, name: str, *, application_id: int | None) -> Json:
        hook_id = self.snowflake()
        hook: Json = {
            "id": str(hook_id),
            "type": 1,
            "guild_id": self.channel(channel_id)["guild_id"],
            "channel_id": str(channel_id),
            "name": name,
            "avatar": None,
            "token": f"hooktoken-{hook_id}-abcdefghijklmnop",
            "application_id": str(application_id) if application_id else None,
            "user": self.users[BOT_ID] if application_id == APP_ID else None,
        }
        self.webhooks[hook_id] = hook
        return hook


def user_json(user_id: int, name: str, *, bot: bool) -> Json:
    return {
        "id": str(user_id),
        "username": name.lower().replace(" ", "_"),
        "global_name": name,
        "discriminator": "0",
        "avatar": None,
        "bot": bot,
        "public_flags": 0,
    }


def role_json(role_id: int, name: str, permissions: int) -> Json:
    return {
        "id": str(role_id),
        "name": name,
        "permissions": str(permissions),
        "position": 0,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": None, "tertiary_color": None},
        "hoist": False,
        "managed": False,
        "mentionable": False,
        "flags": 0,
    }
