"""The fake Discord itself: a server on loopback, and what its members do."""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import Any

from aiohttp import web

from tests.fake_discord import interactions, messages
from tests.fake_discord.faults import Faults, Handler, Limit, answer
from tests.fake_discord.gateway import Gateway
from tests.fake_discord.interactions import Interaction
from tests.fake_discord.rest import Rest
from tests.fake_discord.world import BOT_ID, ApiError, Guild, Json, World

TOKEN = "fake-discord-token-0123456789"


@dataclass(frozen=True, slots=True)
class Asked:
    """One request the bot made."""

    method: str
    path: str
    query: dict[str, str]
    body: Any


class FakeDiscord:
    """Use as ``async with FakeDiscord() as discord``. ``api_url`` and ``gateway_url`` go into the bot's settings."""

    def __init__(self, *, shards: int = 1, port: int = 0) -> None:
        self.world = World()
        self.gateway = Gateway(self.world, TOKEN)
        self.faults = Faults()
        self.interactions: dict[str, Interaction] = {}
        self.asked: list[Asked] = []
        self.webhook_limit: Limit | None = None
        self.shards = shards
        self.token = TOKEN
        self._port = port
        self._runner: web.AppRunner | None = None
        self._changed = asyncio.Event()

    async def __aenter__(self) -> FakeDiscord:
        app = web.Application(middlewares=[self._serve], client_max_size=30_000_000)
        for method, path, handler in Rest(self).routes():
            app.router.add_route(method, "/api/v10" + path, self._json(handler))
        app.router.add_get("/gateway/", self.gateway.handle)
        app.router.add_get("/gateway", self.gateway.handle)
        app.router.add_get("/cdn/{name}", self._file)
        self.files: dict[str, bytes] = {}
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        self.gateway.url = self.gateway_url
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.gateway.cut()
        assert self._runner is not None
        await self._runner.cleanup()

    @property
    def api_url(self) -> str:
        return f"http://127.0.0.1:{self._port}/api/v10"

    @property
    def gateway_url(self) -> str:
        return f"ws://127.0.0.1:{self._port}/gateway/"

    def file_url(self, name: str, data: bytes) -> str:
        self.files[name] = data
        return f"http://127.0.0.1:{self._port}/cdn/{name}"

    # ---------------------------------------------------------------- serving

    @web.middleware
    async def _serve(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        if not request.path.startswith("/api/"):
            return await handler(request)
        await self._note(request)
        if request.method == "POST" and "/webhooks/" in request.path and self.webhook_limit is not None:
            key = request.match_info.get("hook", "") if not self.webhook_limit.hidden else "hidden"
            refused = self.webhook_limit.check(key)
            if refused is not None:
                return refused
            response = await self.faults.run(request, handler)
            response.headers.update(self.webhook_limit.headers(key))
            return response
        return await self.faults.run(request, handler)

    async def _note(self, request: web.Request) -> None:
        body: Any = None
        if request.content_type == "application/json" and request.can_read_body:
            body = await request.json()
        path = request.path.removeprefix("/api/v10")
        self.asked.append(Asked(request.method, path, dict(request.query), body))
        self._changed.set()

    def _json(self, handler: Any) -> Handler:
        async def served(request: web.Request) -> web.StreamResponse:
            public = "/webhooks/{hook}/{token}" in request.match_info.route.resource.canonical
            public = public or "/interactions/" in request.path
            if not public and request.headers.get("Authorization") != f"Bot {self.token}":
                return answer({"code": 0, "message": "401: Unauthorized"}, status=401)
            try:
                result = await handler(request)
            except ApiError as error:
                return answer(error.body, status=error.status)
            finally:
                self._changed.set()
            return web.Response(status=204) if result is None else answer(result, status=200)

        return served

    async def _file(self, request: web.Request) -> web.Response:
        return web.Response(body=self.files[request.match_info["name"]])

    # ---------------------------------------------------------------- telling the bot

    async def tell(self, name: str, data: Json) -> None:
        await self.gateway.tell(int(data["guild_id"]), name, data)
        self._changed.set()

    async def remove(self, channel_id: int, message_id: int) -> None:
        """A message disappears, whoever did it."""
        self.world.message(channel_id, message_id)
        del self.world.messages[channel_id][message_id]
        guild = self.world.guild_of(channel_id)
        await self.tell(
            "MESSAGE_DELETE", {"id": str(message_id), "channel_id": str(channel_id), "guild_id": str(guild.id)}
        )

    async def webhooks_changed(self, channel_id: int) -> None:
        guild = self.world.guild_of(channel_id)
        await self.tell("WEBHOOKS_UPDATE", {"guild_id": str(guild.id), "channel_id": str(channel_id)})

    async def delete_webhook(self, hook: Json) -> None:
        """An admin deletes a webhook."""
        self.world.webhooks.pop(int(hook["id"]))
        await self.webhooks_changed(int(hook["channel_id"]))

    async def announce_thread(self, thread_id: int) -> None:
        thread = self.world.channel(thread_id)
        await self.tell("THREAD_CREATE", {**thread, "newly_created": True})

    async def update_channel(self, channel_id: int) -> None:
        name = "THREAD_UPDATE" if self.world.channel(channel_id)["type"] in (10, 11, 12) else "CHANNEL_UPDATE"
        await self.tell(name, self.world.channel(channel_id))

    async def delete_channel(self, channel_id: int) -> None:
        channel = self.world.channels.pop(channel_id)
        self.world.guilds[int(channel["guild_id"])].channels.pop(channel_id, None)
        await self.tell("CHANNEL_DELETE", channel)

    async def add_channel(self, guild: Guild, name: str, *, kind: int = 0) -> int:
        channel_id = self.world.add_channel(guild, name, kind=kind)
        await self.tell("CHANNEL_CREATE", self.world.channel(channel_id))
        return channel_id

    # ---------------------------------------------------------------- what members do

    async def post(self, channel_id: int, user_id: int, content: str, **extra: Any) -> Json:
        """A member writes. ``extra`` are further fields of the message (``reply_to`` makes it a reply)."""
        reply_to = extra.pop("reply_to", None)
        if reply_to is not None:
            extra |= {
                "type": 19,
                "message_reference": {"message_id": str(reply_to), "channel_id": str(channel_id)},
                "referenced_message": self.world.messages[channel_id].get(int(reply_to)),
            }
        message = messages.build(self.world, channel_id, author=self.world.users[user_id], content=content, **extra)
        await self.tell("MESSAGE_CREATE", messages.event(self.world, message))
        return message

    async def foreign_webhook_post(
        self, channel_id: int, name: str, content: str, *, application_id: int | None, **more: Any
    ) -> Json:
        """Another bot's webhook writes (a bridge, a proxy)."""
        hook_id = self.world.snowflake()
        author = {"id": str(hook_id), "username": name, "avatar": None, "discriminator": "0000", "bot": True}
        message = messages.build(
            self.world, channel_id, author=author, content=content, webhook_id=hook_id, application_id=application_id
        )
        message |= more
        await self.tell("MESSAGE_CREATE", messages.event(self.world, message))
        return message

    async def edit(self, channel_id: int, message_id: int | str, **changes: Any) -> None:
        message = self.world.message(channel_id, int(message_id))
        message |= changes
        if "content" in changes:
            message["edited_timestamp"] = "2026-01-01T00:00:09+00:00"
        await self.tell("MESSAGE_UPDATE", messages.event(self.world, message))

    async def slash(self, user_id: int, channel_id: int, path: str, **options: Any) -> Interaction:
        """A slash command, answered (or its modal shown)."""
        data = interactions.command_data(self.world, path, options)
        return await self._use(interactions.new(self.world, user_id=user_id, channel_id=channel_id, kind=2, data=data))

    async def autocomplete(self, user_id: int, channel_id: int, path: str, **options: Any) -> list[str]:
        """The choices offered for the last option."""
        data = interactions.command_data(self.world, path, options, focused=list(options)[-1])
        used = await self._use(interactions.new(self.world, user_id=user_id, channel_id=channel_id, kind=4, data=data))
        return [choice["name"] for choice in used.choices]

    async def message_command(self, user_id: int, channel_id: int, name: str, message_id: int | str) -> Interaction:
        target = self.world.message(channel_id, int(message_id))
        command = next(c for c in self.world.commands if c["name"] == name and c.get("type") == 3)
        data: Json = {"id": command["id"], "name": name, "type": 3, "target_id": str(message_id)}
        data["resolved"] = {"messages": {str(message_id): target}}
        return await self._use(interactions.new(self.world, user_id=user_id, channel_id=channel_id, kind=2, data=data))

    async def click(self, user_id: int, message: Json, label: str) -> Interaction:
        """A press on the button with this label."""
        buttons = [button for row in message["components"] for button in row.get("components", [])]
        button = next(b for b in buttons if b.get("label") == label)
        data = {"custom_id": button["custom_id"], "component_type": 2}
        channel_id = int(message["channel_id"])
        return await self._use(
            interactions.new(
                self.world, user_id=user_id, channel_id=channel_id, kind=3, data=data, message=dict(message)
            )
        )

    async def submit(self, user_id: int, shown: Interaction, **values: str) -> Interaction:
        """A shown modal, filled in and sent."""
        assert shown.modal is not None, shown.text
        data = interactions.modal_data(shown.modal, values)
        return await self._use(
            interactions.new(self.world, user_id=user_id, channel_id=shown.channel_id, kind=5, data=data)
        )

    async def _use(self, interaction: Interaction) -> Interaction:
        self.interactions[interaction.token] = interaction
        await self.tell("INTERACTION_CREATE", interaction.payload)
        return await interaction.answered()

    # ---------------------------------------------------------------- looking

    def said(self, channel_id: int) -> list[Json]:
        """All messages of the bot and its webhooks in a channel, oldest first."""
        return [m for _, m in sorted(self.world.messages[channel_id].items()) if self.is_ours(m)]

    def is_ours(self, message: Json) -> bool:
        own_hook = message.get("application_id") and message.get("webhook_id") in map(str, self.world.webhooks)
        return message["author"]["id"] == str(BOT_ID) or bool(own_hook)

    async def until(self, condition: Any, *, timeout: float = 40.0) -> Any:
        """Waits until ``condition()`` is true, looking again whenever anything happens; returns its value."""
        async with asyncio.timeout(timeout):
            while not (value := condition()):
                self._changed.clear()
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._changed.wait(), 0.05)
        return value

    def requests(self, method: str, part: str) -> list[Asked]:
        return [one for one in self.asked if one.method == method and part in one.path]
