"""Commands, buttons and modals as a member uses them, and what the bot answers to them."""

from __future__ import annotations

import asyncio
import secrets
import time
from dataclasses import dataclass, field
from typing import Any

from tests.fake_discord.messages import files_json
from tests.fake_discord.world import APP_ID, BOT_ID, ApiError, Json, World

EPHEMERAL = 64
MODAL, DEFER, MESSAGE, DEFER_UPDATE, UPDATE, AUTOCOMPLETE = 9, 5, 4, 6, 7, 8


@dataclass(slots=True)
class Interaction:
    """One use of a command or button. ``acknowledged_s``: how long until the bot's first sign of life."""

    id: int
    token: str
    channel_id: int
    payload: Json
    began: float = field(default_factory=time.monotonic)
    kind: int | None = None
    acknowledged_s: float | None = None
    modal: Json | None = None
    choices: list[Json] = field(default_factory=list)
    ephemeral: bool = False
    replies: list[Json] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def text(self) -> str:
        """All that was answered, as one text."""
        return "\n".join(self._words(reply) for reply in self.replies)

    @staticmethod
    def _words(reply: Json) -> str:
        embeds = [f"{e.get('title') or ''}\n{e.get('description') or ''}" for e in reply.get("embeds", [])]
        files = [str(item.get("data", "")) for item in reply.get("attachments", [])]
        return "\n".join([reply.get("content") or "", *embeds, *files]).strip()

    def answer(self, world: World, said: Json) -> Json:
        if self.kind is not None:
            raise ApiError(400, 40060, "Interaction has already been acknowledged.")
        if time.monotonic() - self.began > 3:
            raise ApiError(404, 10062, "Unknown interaction")
        self.kind = said["type"]
        self.acknowledged_s = time.monotonic() - self.began
        data = said.get("data") or {}
        result: Json = {"interaction": {"id": str(self.id), "type": 2}}
        if self.kind == MODAL:
            self.modal = data
        elif self.kind == AUTOCOMPLETE:
            self.choices = data["choices"]
        elif self.kind == DEFER:
            self.ephemeral = bool(data.get("flags", 0) & EPHEMERAL)
            result["interaction"] |= {"response_message_loading": True, "response_message_ephemeral": self.ephemeral}
        elif self.kind == MESSAGE:
            self.ephemeral = bool(data.get("flags", 0) & EPHEMERAL)
            message = self._message(world, data, [])
            result["interaction"] |= {"response_message_id": message["id"]}
            result["resource"] = {"type": 4, "message": message}
        elif self.kind == UPDATE:
            message = self.payload["message"] | {k: data[k] for k in ("content", "components", "embeds") if k in data}
            stored = world.messages[self.channel_id].get(int(message["id"]))
            if stored is not None:
                stored |= message
            result["resource"] = {"type": 7, "message": message}
        self.changed.set()
        return result

    def _message(self, world: World, data: Json, files: list[tuple[str, bytes]]) -> Json:
        if len((data.get("content") or "").encode("utf-16-le")) // 2 > 2000:
            raise ApiError(400, 50035, "Invalid Form Body")
        message: Json = {
            "id": str(world.snowflake()),
            "channel_id": str(self.channel_id),
            "author": world.users[BOT_ID],
            "content": data.get("content") or "",
            "timestamp": "2026-01-01T00:00:00+00:00",
            "edited_timestamp": None,
            "tts": False,
            "mention_everyone": False,
            "mentions": [],
            "mention_roles": [],
            "attachments": files_json(world, files),
            "embeds": data.get("embeds") or [],
            "components": data.get("components") or [],
            "pinned": False,
            "type": 20,
            "flags": EPHEMERAL if self.ephemeral else 0,
            "application_id": str(APP_ID),
            "webhook_id": str(APP_ID),
        }
        self.replies.append(message)
        return message

    def followup(self, world: World, said: Json, files: list[tuple[str, bytes]]) -> Json:
        if self.kind is None:
            raise ApiError(404, 10015, "Unknown Webhook")
        message = self._message(world, said, files)
        self.changed.set()
        return message

    def find(self, message_id: str) -> Json:
        if message_id == "@original":
            if not self.replies and self.kind == DEFER:
                return {"__pending__": True}
            if not self.replies:
                raise ApiError(404, 10008, "Unknown Message")
            return self.replies[0]
        for reply in self.replies:
            if reply["id"] == message_id:
                return reply
        raise ApiError(404, 10008, "Unknown Message")

    def edit(self, world: World, message: Json, said: Json, files: list[tuple[str, bytes]]) -> Json:
        if "__pending__" in message:
            message = self._message(world, said, files)
        else:
            message |= {key: said[key] for key in ("content", "embeds", "components") if key in said}
        self.changed.set()
        return message

    async def answered(self, timeout: float = 30.0) -> Interaction:
        """Waits for the first answer that holds text, a modal or choices."""
        async with asyncio.timeout(timeout):
            while not (self.replies or self.modal or self.kind in (AUTOCOMPLETE, DEFER_UPDATE, UPDATE)):
                self.changed.clear()
                await self.changed.wait()
        return self


def new(world: World, *, user_id: int, channel_id: int, kind: int, data: Json, **extra: Any) -> Interaction:
    """An interaction of a member in a channel, ready to be told over the gateway."""
    guild = world.guild_of(channel_id)
    channel = world.channel(channel_id)
    interaction_id = world.snowflake()
    token = f"interaction-{secrets.token_hex(12)}"
    permissions = str(world.permissions(user_id, channel_id))
    payload: Json = {
        "id": str(interaction_id),
        "application_id": str(APP_ID),
        "type": kind,
        "token": token,
        "version": 1,
        "guild_id": str(guild.id),
        "guild": {"id": str(guild.id), "locale": guild.locale, "features": []},
        "channel_id": str(channel_id),
        "channel": {**channel, "permissions": permissions},
        "member": {**guild.members[user_id], "permissions": permissions},
        "locale": guild.locale,
        "guild_locale": guild.locale,
        "app_permissions": str(world.permissions(BOT_ID, channel_id)),
        "data": data,
        "entitlements": [],
        "authorizing_integration_owners": {},
        "context": 0,
        "attachment_size_limit": 10_485_760,
        **extra,
    }
    return Interaction(id=interaction_id, token=token, channel_id=channel_id, payload=payload)


def command_data(world: World, path: str, options: Json, *, focused: str | None = None) -> Json:
    """The data of a slash command such as ``agent pause``: option types are taken from what the bot registered."""
    names = path.split()
    root = next((c for c in world.commands if c["name"] == names[0] and c.get("type", 1) == 1), None)
    if root is None:
        raise LookupError(f"no command {names[0]!r} is registered")
    spec = root
    for name in names[1:]:
        spec = next(option for option in spec["options"] if option["name"] == name)
    types = {option["name"]: option["type"] for option in spec.get("options", [])}
    resolved: Json = {}
    values: list[Json] = []
    for name, value in options.items():
        if types[name] == 7:
            channel = world.channel(int(value))
            resolved.setdefault("channels", {})[str(value)] = {**channel, "permissions": "0"}
            value = str(value)
        if types[name] == 11:
            resolved.setdefault("attachments", {})[value["id"]] = value
            value = value["id"]
        values.append(
            {"name": name, "type": types[name], "value": value} | ({"focused": True} if name == focused else {})
        )
    for name in reversed(names[1:]):
        values = [{"name": name, "type": 1, "options": values}]
    data: Json = {"id": root["id"], "name": root["name"], "type": 1, "options": values}
    return data | ({"resolved": resolved} if resolved else {})


def modal_data(modal: Json, values: dict[str, str]) -> Json:
    """What is sent when the modal's text fields are filled in with ``values`` (by custom id; else the default)."""
    rows: list[Json] = []
    for row in modal["components"]:
        inner = row.get("component") or row["components"][0]
        value = values.get(inner["custom_id"], inner.get("value") or "")
        filled = {"type": inner["type"], "custom_id": inner["custom_id"], "value": value, "id": 1}
        rows.append(
            {"type": row["type"], "component": filled} if "component" in row else {"type": 1, "components": [filled]}
        )
    return {"custom_id": modal["custom_id"], "components": rows}
