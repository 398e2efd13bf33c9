"""The fake gateway: IDENTIFY, RESUME with replay, heartbeats; every session keeps what it was sent."""

from __future__ import annotations

import asyncio
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from aiohttp import WSMsgType, web

from tests.fake_discord.world import APP_ID, BOT_ID, Guild, Json, World

MESSAGE_CONTENT = 1 << 15


@dataclass(slots=True)
class Session:
    """One gateway session; it outlives its sockets until it is invalidated."""

    id: str
    shard: list[int]
    intents: int
    socket: web.WebSocketResponse | None = None
    seq: int = 0
    sent: list[Json] = field(default_factory=list)


class Gateway:
    """Counts what clients ask for: ``identifies``, ``resumes``. ``refuse`` closes new sockets at once.

    A poor gateway: ``lacking`` names the fields that events of a name come without, ``untold`` the events that never
    come.
    """

    def __init__(self, world: World, token: str) -> None:
        self._world = world
        self._token = token
        self._sessions: dict[str, Session] = {}
        self.identifies = 0
        self.resumes = 0
        self.refuse = 0
        self.lacking: dict[str, frozenset[str]] = {}
        self.untold: set[str] = set()
        self.url = ""
        self.connected = asyncio.Event()

    async def handle(self, request: web.Request) -> web.StreamResponse:
        if self.refuse > 0:
            self.refuse -= 1
            return web.Response(status=503)
        socket = web.WebSocketResponse()
        await socket.prepare(request)
        await socket.send_json({"op": 10, "d": {"heartbeat_interval": 41250}, "s": None, "t": None})
        session: Session | None = None
        async for frame in socket:
            if frame.type is not WSMsgType.TEXT:
                break
            said = json.loads(frame.data)
            if said["op"] == 1:
                await socket.send_json({"op": 11, "d": None, "s": None, "t": None})
            elif said["op"] == 2:
                session = await self._identify(socket, said["d"])
            elif said["op"] == 6:
                session = await self._resume(socket, said["d"])
        if session is not None and session.socket is socket:
            session.socket = None
        return socket

    async def _identify(self, socket: web.WebSocketResponse, asked: Json) -> Session | None:
        self.identifies += 1
        if asked["token"] != self._token:
            await socket.close(code=4004)
            return None
        if asked["intents"] & MESSAGE_CONTENT and not self._world.message_content:
            await socket.close(code=4014)
            return None
        session = Session(id=secrets.token_hex(8), shard=asked.get("shard", [0, 1]), intents=asked["intents"])
        session.socket = socket
        self._sessions[session.id] = session
        mine = [guild for guild in self._world.guilds.values() if self._is_mine(session, guild.id)]
        ready: Json = {
            "v": 10,
            "user": self._world.users[BOT_ID],
            "guilds": [{"id": str(guild.id), "unavailable": True} for guild in mine],
            "session_id": session.id,
            # A host that does not exist: a client that is told where the gateway is must not follow this.
            "resume_gateway_url": "wss://gateway.invalid",
            "shard": session.shard,
            "application": {"id": str(APP_ID), "flags": 0},
        }
        await self._send(session, "READY", ready)
        for guild in mine:
            await self._send(session, "GUILD_CREATE", guild_json(self._world, guild))
        self.connected.set()
        return session

    async def _resume(self, socket: web.WebSocketResponse, asked: Json) -> Session | None:
        self.resumes += 1
        session = self._sessions.get(asked["session_id"])
        if session is None:
            await socket.send_json({"op": 9, "d": False, "s": None, "t": None})
            return None
        session.socket = socket
        for event in session.sent:
            if event["s"] > asked["seq"]:
                await socket.send_json(event)
        await self._send(session, "RESUMED", {})
        self.connected.set()
        return session

    def _is_mine(self, session: Session, guild_id: int) -> bool:
        return (guild_id >> 22) % session.shard[1] == session.shard[0]

    async def _send(self, session: Session, name: str, data: Json) -> None:
        if name in self.untold:
            return
        lacking = self.lacking.get(name, frozenset())
        data = {key: value for key, value in data.items() if key not in lacking}
        session.seq += 1
        event = {"op": 0, "t": name, "s": session.seq, "d": data}
        session.sent.append(event)
        if session.socket is not None and not session.socket.closed:
            try:
                await session.socket.send_json(event)
            except ConnectionError:
                session.socket = None

    async def tell(self, guild_id: int, name: str, data: Json) -> None:
        """An event to every session that has the guild (sessions without a socket get it when they resume)."""
        for session in list(self._sessions.values()):
            if self._is_mine(session, guild_id):
                await self._send(session, name, self._seen_by(session, name, data))

    def _seen_by(self, session: Session, name: str, data: Json) -> Json:
        if name in ("MESSAGE_CREATE", "MESSAGE_UPDATE") and not session.intents & MESSAGE_CONTENT:
            named = any(user["id"] == str(BOT_ID) for user in data.get("mentions", []))
            if not named and data["author"]["id"] != str(BOT_ID):
                return {**data, "content": "", "embeds": [], "attachments": [], "components": []}
        return data

    async def raw(self, text: str) -> None:
        """Any text at all to every socket: malformed payloads."""
        for session in self._sessions.values():
            if session.socket is not None:
                await session.socket.send_str(text)

    async def cut(self, *, code: int | None = None) -> None:
        """Cuts every connection: rudely, or with a close code."""
        self.connected.clear()
        for session in self._sessions.values():
            socket, session.socket = session.socket, None
            if socket is None or socket.closed:
                continue
            if code is not None:
                await socket.close(code=code)
            elif socket._req is not None and socket._req.transport is not None:
                socket._req.transport.abort()

    def forget_sessions(self) -> None:
        """Sessions cannot be resumed any more."""
        self._sessions.clear()

    @property
    def sockets(self) -> int:
        return sum(1 for session in self._sessions.values() if session.socket is not None)


def guild_json(world: World, guild: Guild) -> dict[str, Any]:
    return {
        "id": str(guild.id),
        "name": guild.name,
        "owner_id": str(guild.owner_id),
        "roles": list(guild.roles.values()),
        "channels": list(guild.channels.values()),
        "threads": world.threads(guild),
        "members": list(guild.members.values()),
        "member_count": len(guild.members),
        "emojis": [],
        "stickers": [],
        "features": [],
        "presences": [],
        "voice_states": [],
        "guild_scheduled_events": [],
        "stage_instances": [],
        "soundboard_sounds": [],
        "large": False,
        "unavailable": False,
        "verification_level": 0,
        "default_message_notifications": 0,
        "explicit_content_filter": 0,
        "mfa_level": 0,
        "nsfw_level": 0,
        "premium_tier": 0,
        "premium_progress_bar_enabled": False,
        "preferred_locale": guild.locale,
        "afk_timeout": 300,
        "system_channel_flags": 0,
        "joined_at": "2026-01-01T00:00:00+00:00",
    }
