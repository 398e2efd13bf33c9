"""Messages on the fake Discord: what a valid one is, and how it comes to stand in a channel."""

from __future__ import annotations

import re
import unicodedata
from datetime import UTC, datetime
from typing import Any

from tests.fake_discord.world import APP_ID, BOT_ID, SEND, SEND_IN_THREADS, THREADS, ApiError, Json, World


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def check_content(body: Json, files: list[tuple[str, bytes]]) -> None:
    content = body.get("content") or ""
    if units(content) > 2000:
        raise form_error("content", "BASE_TYPE_MAX_LENGTH", "Must be 2000 or fewer in length.")
    if not content.strip() and not body.get("embeds") and not files and not body.get("poll"):
        raise ApiError(400, 50006, "Cannot send an empty message")


def check_username(name: Any) -> None:
    """The rules of webhook names, as documented and as reported; zero-width signs do not count as letters."""
    if not isinstance(name, str):
        raise form_error("username", "BASE_TYPE_STRING", "must be a string")
    bare = "".join(ch for ch in name if unicodedata.category(ch) not in ("Cf", "Cc")).strip()
    if not bare or len(bare) < 2 or units(name) > 80:
        raise form_error("username", "BASE_TYPE_BAD_LENGTH", "Must be between 2 and 80 in length.")
    if re.search(r"(?i)clyde|discord", bare):
        raise form_error("username", "USERNAME_INVALID_CONTAINS", "Username cannot contain a reserved word")
    if bare.casefold() in ("everyone", "here") or "```" in bare:
        raise form_error("username", "USERNAME_INVALID", "Username is not allowed")


def form_error(field: str, code: str, message: str) -> ApiError:
    return ApiError(400, 50035, "Invalid Form Body", errors={field: {"_errors": [{"code": code, "message": message}]}})


def check_place(world: World, channel_id: int, *, as_webhook: bool) -> None:
    """Whether anything may be posted there now; posting to an archived thread un-archives it."""
    channel = world.channel(channel_id)
    if channel["type"] in THREADS:
        state = channel["thread_metadata"]
        if state["locked"]:
            raise ApiError(400, 160005, "Thread is locked")
        state["archived"] = False
    if not as_webhook:
        world.require(channel_id, SEND_IN_THREADS if channel["type"] in THREADS else SEND)


def build(
    world: World,
    channel_id: int,
    *,
    author: Json,
    content: str = "",
    webhook_id: int | None = None,
    application_id: int | None = None,
    at: float | None = None,
    **extra: Any,
) -> Json:
    """A message, stored in its channel."""
    message_id = world.snowflake(at=at)
    channel = world.channel(channel_id)
    stamp = datetime.now(UTC) if at is None else datetime.fromtimestamp(at, UTC)
    mentioned = [int(found) for found in re.findall(r"<@!?(\d+)>", content)]
    message: Json = {
        "id": str(message_id),
        "channel_id": str(channel_id),
        "author": author,
        "content": content,
        "timestamp": stamp.isoformat(),
        "edited_timestamp": None,
        "tts": False,
        "mention_everyone": False,
        "mentions": [world.users[user] for user in mentioned if user in world.users],
        "mention_roles": [],
        "attachments": [],
        "embeds": [],
        "components": [],
        "pinned": False,
        "type": 0,
        "flags": 0,
    }
    if webhook_id is not None:
        message["webhook_id"] = str(webhook_id)
    if application_id is not None:
        message["application_id"] = str(application_id)
    message |= extra
    world.messages[channel_id][message_id] = message
    channel["last_message_id"] = str(message_id)
    return message


def event(world: World, message: Json) -> Json:
    """The message as the gateway tells it: with the guild and, for its members, the member."""
    guild = world.guild_of(int(message["channel_id"]))
    told = {**message, "guild_id": str(guild.id), "channel_type": world.channel(int(message["channel_id"]))["type"]}
    member = guild.members.get(int(message["author"]["id"]))
    if member is not None and "webhook_id" not in message:
        told["member"] = {key: value for key, value in member.items() if key != "user"}
    return told


def execute(world: World, hook: Json, body: Json, files: list[tuple[str, bytes]], thread_id: int | None) -> Json:
    """A webhook's post."""
    parent = int(hook["channel_id"])
    target = parent
    if thread_id is not None:
        if world.channel(thread_id)["parent_id"] != str(parent):
            raise ApiError(404, 10003, "Unknown Channel")
        target = thread_id
    elif world.channel(parent)["type"] == 15:
        raise ApiError(400, 220001, "Webhooks posted to forum channels must have a thread_name or thread_id")
    check_place(world, target, as_webhook=True)
    check_content(body, files)
    if "username" in body:
        check_username(body["username"])
    author = {
        "id": hook["id"],
        "username": body.get("username", hook["name"]),
        "avatar": None,
        "discriminator": "0000",
        "bot": True,
    }
    return build(
        world,
        target,
        author=author,
        content=body.get("content") or "",
        webhook_id=int(hook["id"]),
        application_id=int(hook["application_id"]) if hook["application_id"] else None,
        attachments=files_json(world, files),
        avatar_url=body.get("avatar_url"),
    )


def files_json(world: World, files: list[tuple[str, bytes]]) -> list[Json]:
    return [
        {
            "id": str(world.snowflake()),
            "filename": name,
            "size": len(data),
            "url": f"https://files.invalid/{name}",
            "proxy_url": f"https://files.invalid/{name}",
            "data": data.decode("utf-8", "replace"),
        }
        for name, data in files
    ]


def bot_message(world: World, channel_id: int, body: Json, files: list[tuple[str, bytes]]) -> Json:
    """The bot's own post; the same nonce twice is the same message."""
    check_place(world, channel_id, as_webhook=False)
    check_content(body, files)
    nonce = body.get("nonce")
    if nonce and body.get("enforce_nonce"):
        for known in world.messages[channel_id].values():
            if known.get("nonce") == nonce:
                return known
    return build(
        world,
        channel_id,
        author=world.users[BOT_ID],
        content=body.get("content") or "",
        application_id=APP_ID,
        embeds=body.get("embeds", []),
        components=body.get("components", []),
        attachments=files_json(world, files),
        flags=body.get("flags", 0),
        **({"nonce": nonce} if nonce else {}),
    )
