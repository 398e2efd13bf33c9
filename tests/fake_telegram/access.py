"""Who may do what where: the checks of the server, in its order, with its words."""

from __future__ import annotations

import json
from typing import Any

from tests.fake_telegram.text_rules import TextError, checked, cut, parsed, units, with_found
from tests.fake_telegram.world import INSIDE, ApiError, BotAccount, ChatRoom, World

TEXT_LIMIT = 4096
CAPTION_LIMIT = 1024
_NOT_MEMBER = {"group": "group chat", "supergroup": "supergroup chat", "channel": "channel chat"}


def value(params: dict[str, Any], name: str) -> Any:
    """A parameter that may have come as JSON text (forms) or as JSON."""
    raw = params.get(name)
    if isinstance(raw, str) and raw[:1] in ("[", "{"):
        try:
            return json.loads(raw)
        except ValueError:
            raise ApiError(400, f"Bad Request: can't parse {name}: JSON object expected") from None
    return raw


def number(params: dict[str, Any], name: str) -> int:
    raw = params.get(name)
    try:
        return int(raw) if raw not in (None, "") else 0
    except (TypeError, ValueError):
        return 0


def flag(params: dict[str, Any], name: str) -> bool:
    return str(params.get(name, "")).lower() in ("true", "1")


def text_of(params: dict[str, Any], name: str, limit: int, entities: str) -> tuple[str, list[dict[str, Any]]]:
    """Parsed text and entities. Entities are checked before the chat is looked at."""
    text = str(params.get(name) or "")
    mode = str(params.get("parse_mode") or "")
    try:
        if mode:
            text, given = parsed(text, mode)
        else:
            given = checked(text, value(params, entities) or [])
    except TextError as error:
        raise ApiError(400, str(error)) from None
    if name == "text" and not text.strip():
        raise ApiError(400, "Bad Request: message text is empty")
    if units(text) > limit:
        kind = "message is too long" if name == "text" else "message caption is too long"
        raise ApiError(400, f"Bad Request: {kind}")
    return text, with_found(text, given)


def chat_for(world: World, bot: BotAccount, params: dict[str, Any], *, write: bool = True) -> ChatRoom:
    """The chat, if this bot may act in it."""
    raw = params.get("chat_id")
    if raw in (None, ""):
        raise ApiError(400, "Bad Request: chat_id is empty")
    try:
        chat = world.chats.get(int(str(raw)))
    except ValueError:
        chat = None
    if chat is None:
        raise ApiError(400, "Bad Request: chat not found")
    if chat.migrated_to:
        raise ApiError(
            400,
            "Bad Request: group chat was upgraded to a supergroup chat",
            migrate_to_chat_id=chat.migrated_to,
        )
    if chat.deleted:
        raise ApiError(403, "Forbidden: the group chat was deleted")
    status = chat.members.get(bot.id)
    if status == "kicked":
        if chat.type == "private":
            raise ApiError(403, "Forbidden: bot was blocked by the user")
        raise ApiError(403, f"Forbidden: bot was kicked from the {_NOT_MEMBER[chat.type]}")
    if status not in INSIDE:
        if chat.type == "private":
            raise ApiError(403, "Forbidden: bot can't initiate conversation with a user")
        if chat.type == "group":
            raise ApiError(400, "Bad Request: chat not found")
        raise ApiError(403, f"Forbidden: bot is not a member of the {_NOT_MEMBER[chat.type]}")
    if write and status == "restricted":
        raise ApiError(400, "Bad Request: not enough rights to send text messages to the chat")
    return chat


def thread_for(chat: ChatRoom, params: dict[str, Any]) -> int | None:
    """The topic to post into. General has no number, 1 least of all."""
    thread = number(params, "message_thread_id")
    if not thread:
        return None
    if not chat.forum or thread not in chat.topics:
        raise ApiError(400, "Bad Request: message thread not found")
    if chat.topics[thread] == "closed":
        raise ApiError(400, "Bad Request: TOPIC_CLOSED")
    if chat.topics[thread] == "deleted":
        raise ApiError(400, "Bad Request: TOPIC_DELETED")
    return thread


def reply_for(chat: ChatRoom, bot: BotAccount, params: dict[str, Any]) -> tuple[dict[str, Any] | None, str]:
    """(the message replied to, the quote)."""
    wanted = value(params, "reply_parameters") or {}
    seen = int(wanted.get("message_id", 0) or number(params, "reply_to_message_id"))
    if not seen:
        return None, ""
    message = chat.messages.get(chat.real_id(bot.id, seen))
    if message is None:
        if wanted.get("allow_sending_without_reply") or flag(params, "allow_sending_without_reply"):
            return None, ""
        raise ApiError(400, "Bad Request: message to be replied not found")
    quote = str(wanted.get("quote") or "")
    if quote and quote not in str(message.get("text") or message.get("caption") or ""):
        raise ApiError(400, "Bad Request: QUOTE_TEXT_INVALID")
    return message, quote


def keyboard_for(params: dict[str, Any]) -> dict[str, Any] | None:
    markup = value(params, "reply_markup")
    for row in (markup or {}).get("inline_keyboard", []):
        for button in row:
            if len(str(button.get("callback_data", "")).encode()) > 64:
                raise ApiError(400, "Bad Request: BUTTON_DATA_INVALID")
            if not button.get("text"):
                raise ApiError(400, "Bad Request: can't parse inline keyboard button: Text buttons are unallowed")
    return markup if isinstance(markup, dict) else None


def own_message(chat: ChatRoom, bot: BotAccount, params: dict[str, Any]) -> dict[str, Any]:
    """A message that this bot may edit."""
    message = chat.messages.get(chat.real_id(bot.id, number(params, "message_id")))
    if message is None:
        raise ApiError(400, "Bad Request: message to edit not found")
    if message.get("from", {}).get("id") != bot.id:
        raise ApiError(400, "Bad Request: message can't be edited")
    return message


__all__ = [
    "CAPTION_LIMIT",
    "TEXT_LIMIT",
    "chat_for",
    "cut",
    "flag",
    "keyboard_for",
    "number",
    "own_message",
    "reply_for",
    "text_of",
    "thread_for",
    "value",
]
