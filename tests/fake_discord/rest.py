"""The fake REST API: the routes a persona bot needs, with the permission checks and the error codes of the real one."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

from aiohttp import web

from tests.fake_discord import messages
from tests.fake_discord.gateway import guild_json
from tests.fake_discord.world import APP_ID, BOT_ID, HISTORY, MANAGE_MESSAGES, MANAGE_WEBHOOKS, VIEW, ApiError, Json

if TYPE_CHECKING:
    from tests.fake_discord.server import FakeDiscord

Route = Callable[[web.Request], Awaitable[Any]]
MAX_WEBHOOKS = 15


async def body_of(request: web.Request) -> tuple[Json, list[tuple[str, bytes]]]:
    """The JSON of a request and its files, from either form."""
    if not request.content_type.startswith("multipart/"):
        raw = await request.text()
        return (json.loads(raw) if raw else {}), []
    said: Json = {}
    files: list[tuple[str, bytes]] = []
    async for part in await request.multipart():
        if part.name == "payload_json":
            said = json.loads(await part.text())
        else:
            files.append((part.filename or "file", bytes(await part.read())))
    return said, files


class Rest:
    """Handlers. Each returns JSON (None: 204) or raises `ApiError`."""

    def __init__(self, server: FakeDiscord) -> None:
        self._server = server
        self._world = server.world

    def routes(self) -> list[tuple[str, str, Route]]:
        hook = "/webhooks/{hook}/{token}"
        return [
            ("GET", "/users/@me", self.me),
            ("GET", "/oauth2/applications/@me", self.application),
            ("GET", "/gateway/bot", self.gateway),
            ("PUT", "/applications/{app}/commands", self.put_commands),
            ("GET", "/applications/{app}/commands", self.get_commands),
            ("POST", "/applications/{app}/emojis", self.add_emoji),
            ("GET", "/guilds/{guild}", self.guild),
            ("GET", "/guilds/{guild}/threads/active", self.active_threads),
            ("GET", "/channels/{channel}", self.channel),
            ("GET", "/channels/{channel}/webhooks", self.list_webhooks),
            ("POST", "/channels/{channel}/webhooks", self.add_webhook),
            ("GET", "/channels/{channel}/messages", self.history),
            ("POST", "/channels/{channel}/messages", self.post),
            ("GET", "/channels/{channel}/messages/{message}", self.message),
            ("PATCH", "/channels/{channel}/messages/{message}", self.edit),
            ("DELETE", "/channels/{channel}/messages/{message}", self.delete),
            ("POST", "/channels/{channel}/typing", self.typing),
            ("PATCH", "/webhooks/{hook}", self.edit_webhook),
            ("GET", hook, self.show_webhook),
            ("POST", hook, self.execute),
            ("GET", hook + "/messages/{message}", self.hook_message),
            ("PATCH", hook + "/messages/{message}", self.hook_edit),
            ("DELETE", hook + "/messages/{message}", self.hook_delete),
            ("POST", "/interactions/{id}/{token}/callback", self.callback),
        ]

    # ---------------------------------------------------------------- the application

    async def me(self, request: web.Request) -> Json:
        return {**self._world.users[BOT_ID], "email": None, "verified": True, "mfa_enabled": False}

    async def application(self, request: web.Request) -> Json:
        flags = (1 << 19) if self._world.message_content else 0
        return {
            "id": str(APP_ID),
            "name": "Troupe",
            "description": "",
            "icon": None,
            "bot_public": True,
            "bot_require_code_grant": False,
            "verify_key": "00",
            "flags": flags,
            "owner": self._world.users[BOT_ID],
            "team": None,
        }

    async def gateway(self, request: web.Request) -> Json:
        limit = {"total": 1000, "remaining": 999, "reset_after": 1000, "max_concurrency": 1}
        return {"url": "wss://gateway.invalid", "shards": self._server.shards, "session_start_limit": limit}

    async def put_commands(self, request: web.Request) -> list[Json]:
        said, _ = await body_of(request)
        commands: Any = said
        self._world.commands = [
            {**command, "id": str(self._world.snowflake()), "application_id": str(APP_ID), "version": "1"}
            for command in commands
        ]
        return self._world.commands

    async def get_commands(self, request: web.Request) -> list[Json]:
        return self._world.commands

    async def add_emoji(self, request: web.Request) -> Json:
        said, _ = await body_of(request)
        emoji = {"id": str(self._world.snowflake()), "name": said["name"], "animated": False, "available": True}
        emoji |= {"roles": [], "require_colons": True, "managed": False, "user": self._world.users[BOT_ID]}
        self._world.emojis.append(emoji)
        return emoji

    async def guild(self, request: web.Request) -> Json:
        return guild_json(self._world, self._world.guilds[int(request.match_info["guild"])])

    async def active_threads(self, request: web.Request) -> Json:
        guild = self._world.guilds[int(request.match_info["guild"])]
        return {"threads": self._world.threads(guild), "members": []}

    # ---------------------------------------------------------------- channels

    def _channel_id(self, request: web.Request) -> int:
        channel_id = int(request.match_info["channel"])
        self._world.channel(channel_id)
        return channel_id

    async def channel(self, request: web.Request) -> Json:
        channel_id = self._channel_id(request)
        self._world.require(channel_id, VIEW)
        return self._world.channel(channel_id)

    async def history(self, request: web.Request) -> list[Json]:
        channel_id = self._channel_id(request)
        self._world.require(channel_id, VIEW | HISTORY)
        ids = sorted(self._world.messages[channel_id])
        limit = int(request.query.get("limit", 50))
        if "after" in request.query:
            ids = [m for m in ids if m > int(request.query["after"])][:limit]
        elif "around" in request.query:
            ids = [m for m in ids if abs(m - int(request.query["around"])) < 1 << 40][:limit]
        else:
            ids = [m for m in ids if m < int(request.query.get("before", 1 << 63))][-limit:]
        return [self._world.messages[channel_id][m] for m in reversed(ids)]

    async def message(self, request: web.Request) -> Json:
        channel_id = self._channel_id(request)
        self._world.require(channel_id, VIEW | HISTORY)
        return self._world.message(channel_id, int(request.match_info["message"]))

    async def post(self, request: web.Request) -> Json:
        channel_id = self._channel_id(request)
        said, files = await body_of(request)
        known = set(self._world.messages[channel_id])
        message = messages.bot_message(self._world, channel_id, said, files)
        if int(message["id"]) not in known:
            await self._server.tell("MESSAGE_CREATE", messages.event(self._world, message))
        return message

    async def edit(self, request: web.Request) -> Json:
        channel_id = self._channel_id(request)
        message = self._world.message(channel_id, int(request.match_info["message"]))
        if message["author"]["id"] != str(BOT_ID):
            raise ApiError(403, 50005, "Cannot edit a message authored by another user")
        return await self._changed(request, message)

    async def _changed(self, request: web.Request, message: Json) -> Json:
        said, _ = await body_of(request)
        if "content" in said:
            messages.check_content(said, [("kept", b"")] if message["attachments"] else [])
        message |= {key: said[key] for key in ("content", "embeds", "components") if key in said}
        message["edited_timestamp"] = "2026-01-01T00:00:01+00:00"
        await self._server.tell("MESSAGE_UPDATE", messages.event(self._world, message))
        return message

    async def delete(self, request: web.Request) -> None:
        channel_id = self._channel_id(request)
        message = self._world.message(channel_id, int(request.match_info["message"]))
        if message["author"]["id"] != str(BOT_ID):
            self._world.require(channel_id, MANAGE_MESSAGES)
        await self._server.remove(channel_id, int(message["id"]))

    async def typing(self, request: web.Request) -> None:
        self._channel_id(request)

    # ---------------------------------------------------------------- webhooks

    async def list_webhooks(self, request: web.Request) -> list[Json]:
        channel_id = self._channel_id(request)
        self._world.require(channel_id, MANAGE_WEBHOOKS)
        hooks = [hook for hook in self._world.webhooks.values() if hook["channel_id"] == str(channel_id)]
        own = str(APP_ID)
        return [hook if hook["application_id"] == own else {**hook, "token": None} for hook in hooks]

    async def add_webhook(self, request: web.Request) -> Json:
        channel_id = self._channel_id(request)
        self._world.require(channel_id, MANAGE_WEBHOOKS)
        said, _ = await body_of(request)
        if len([h for h in self._world.webhooks.values() if h["channel_id"] == str(channel_id)]) >= MAX_WEBHOOKS:
            raise ApiError(400, 30007, "Maximum number of webhooks reached (15)")
        hook = self._world.add_webhook(channel_id, said["name"], application_id=APP_ID)
        await self._server.webhooks_changed(channel_id)
        return hook

    async def edit_webhook(self, request: web.Request) -> Json:
        raise ApiError(400, 30007, "Maximum number of webhooks reached (15)")

    def _hook(self, request: web.Request) -> Json:
        hook_id = int(request.match_info["hook"])
        hook = self._world.webhooks.get(hook_id)
        if hook is None or hook_id in self._world.dead_webhooks:
            raise ApiError(404, 10015, "Unknown Webhook")
        if hook["token"] != request.match_info["token"]:
            raise ApiError(401, 50027, "Invalid Webhook Token")
        self._world.channel(int(hook["channel_id"]))
        return hook

    async def show_webhook(self, request: web.Request) -> Json:
        return self._hook(request)

    async def execute(self, request: web.Request) -> Json | None:
        said, files = await body_of(request)
        interaction = self._server.interactions.get(request.match_info["token"])
        if interaction is not None:
            return interaction.followup(self._world, said, files)
        hook = self._hook(request)
        thread = request.query.get("thread_id")
        message = messages.execute(self._world, hook, said, files, int(thread) if thread else None)
        await self._server.tell("MESSAGE_CREATE", messages.event(self._world, message))
        return message if request.query.get("wait") in ("1", "true") else None

    def _hook_message(self, request: web.Request) -> Json:
        interaction = self._server.interactions.get(request.match_info["token"])
        if interaction is not None:
            return interaction.find(request.match_info["message"])
        hook = self._hook(request)
        channel_id = int(request.query.get("thread_id") or hook["channel_id"])
        message = self._world.message(channel_id, int(request.match_info["message"]))
        if message.get("webhook_id") != hook["id"]:
            raise ApiError(404, 10008, "Unknown Message")
        return message

    async def hook_message(self, request: web.Request) -> Json:
        return self._hook_message(request)

    async def hook_edit(self, request: web.Request) -> Json:
        message = self._hook_message(request)
        interaction = self._server.interactions.get(request.match_info["token"])
        if interaction is not None:
            said, files = await body_of(request)
            return interaction.edit(self._world, message, said, files)
        return await self._changed(request, message)

    async def hook_delete(self, request: web.Request) -> None:
        message = self._hook_message(request)
        await self._server.remove(int(message["channel_id"]), int(message["id"]))

    async def callback(self, request: web.Request) -> Json | None:
        interaction = self._server.interactions.get(request.match_info["token"])
        if interaction is None:
            raise ApiError(404, 10062, "Unknown interaction")
        said, _ = await body_of(request)
        answer = interaction.answer(self._world, said)
        return answer if request.query.get("with_response") in ("1", "true") else None
