"""The state behind the fake: bots, people, chats, messages, updates; what each bot may see of it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

DAY = 86400
INSIDE = ("member", "administrator", "creator", "restricted")
DEFAULT_UPDATES = (
    "message",
    "edited_message",
    "channel_post",
    "edited_channel_post",
    "callback_query",
    "my_chat_member",
    "managed_bot",
    "guest_message",
    "inline_query",
    "poll",
)


class ApiError(Exception):
    """An answer with ``ok: false``."""

    def __init__(self, code: int, description: str, **parameters: Any) -> None:
        self.code, self.description, self.parameters = code, description, parameters
        super().__init__(description)


@dataclass
class BotAccount:
    token: str
    user: dict[str, Any]
    privacy: bool = True
    revoked: bool = False
    updates: list[dict[str, Any]] = field(default_factory=list)
    born: dict[int, float] = field(default_factory=dict)
    next_update: int = 1
    allowed: tuple[str, ...] | None = None
    poll: asyncio.Future[str] | None = None
    polls: int = 0
    webhook: dict[str, Any] | None = None
    commands: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    names: dict[str, Any] = field(default_factory=dict)

    @property
    def id(self) -> int:
        return int(self.user["id"])


@dataclass
class ChatRoom:
    id: int
    type: str
    title: str = ""
    username: str = ""
    forum: bool = False
    members: dict[int, str] = field(default_factory=dict)
    messages: dict[int, dict[str, Any]] = field(default_factory=dict)
    topics: dict[int, str] = field(default_factory=dict)
    next_id: int = 1
    migrated_to: int = 0
    deleted: bool = False
    slots: list[int] = field(default_factory=list)
    anonymous: set[int] = field(default_factory=set)

    def seen_id(self, bot_id: int, real: int) -> int:
        """The number under which this account sees the message: its own in basic groups, shared elsewhere."""
        if self.type != "group":
            return real
        if bot_id not in self.slots:
            self.slots.append(bot_id)
        return real + 5000 * self.slots.index(bot_id)

    def real_id(self, bot_id: int, seen: int) -> int:
        return seen - (self.seen_id(bot_id, 0) if self.type == "group" else 0)

    def as_json(self) -> dict[str, Any]:
        out: dict[str, Any] = {"id": self.id, "type": self.type}
        if self.type == "private":
            out["first_name"] = self.title
        else:
            out["title"] = self.title
        if self.username:
            out["username"] = self.username
        if self.forum:
            out["is_forum"] = True
        return out


@dataclass
class Call:
    """One request as it came in. ``early`` marks one that came before a flood wait was over."""

    bot_id: int
    method: str
    params: dict[str, Any]
    at: float
    status: int = 0
    early: bool = False
    answer: Any = None


class World:
    """Everything is synchronous and deterministic; only waiting for updates is left to the server."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.epoch = 1_790_000_000
        self.bots: dict[str, BotAccount] = {}
        self.people: dict[int, dict[str, Any]] = {}
        self.chats: dict[int, ChatRoom] = {}
        self.calls: list[Call] = []
        self.managed: dict[int, str] = {}
        self._next_query = 1

    # ------------------------------------------------------------------------------------------ the cast of the test

    def add_bot(
        self, token: str, name: str, username: str, *, privacy: bool = True, manager: bool = False
    ) -> BotAccount:
        number = int(token.partition(":")[0])
        user = {"id": number, "is_bot": True, "first_name": name, "username": username}
        bot = BotAccount(token=token, user=user, privacy=privacy)
        bot.names = {"can_manage_bots": manager}
        self.bots[token] = bot
        return bot

    def add_user(self, number: int, name: str, username: str = "", language: str = "en") -> dict[str, Any]:
        user: dict[str, Any] = {"id": number, "is_bot": False, "first_name": name, "language_code": language}
        if username:
            user["username"] = username
        self.people[number] = user
        return user

    def add_chat(self, number: int, kind: str, title: str = "", *, forum: bool = False) -> ChatRoom:
        # Message 1 of a forum is the opening of General; no topic has that number.
        self.chats[number] = ChatRoom(id=number, type=kind, title=title, forum=forum, next_id=2 if forum else 1)
        return self.chats[number]

    def put(self, chat_id: int, account_id: int, status: str = "member") -> None:
        """Membership without an update: how things stood before the test began."""
        self.chats[chat_id].members[account_id] = status

    def account(self, number: int) -> dict[str, Any]:
        if number in self.people:
            return self.people[number]
        return next(b.user for b in self.bots.values() if b.id == number)

    def bot(self, number: int) -> BotAccount:
        return next(b for b in self.bots.values() if b.id == number)

    def now(self) -> int:
        return int(self.epoch + self.clock())

    # ------------------------------------------------------------------------------------------ messages and updates

    def new_message(self, chat: ChatRoom, **fields: Any) -> dict[str, Any]:
        number = chat.next_id
        chat.next_id += 1
        message: dict[str, Any] = {"message_id": number, "date": self.now(), "chat": chat.as_json()}
        message.update({k: v for k, v in fields.items() if v is not None})
        chat.messages[number] = message
        return message

    def seen(self, bot: BotAccount, chat: ChatRoom, message: dict[str, Any]) -> dict[str, Any]:
        """The message with the numbers this account knows."""
        out = {k: v for k, v in message.items() if not k.startswith("_")}
        out["message_id"] = chat.seen_id(bot.id, message["message_id"])
        original = out.get("reply_to_message")
        if original:
            out["reply_to_message"] = {k: v for k, v in original.items() if k != "reply_to_message"}
            out["reply_to_message"]["message_id"] = chat.seen_id(bot.id, original["message_id"])
        return out

    def tell(self, kind: str, chat: ChatRoom, message: dict[str, Any]) -> None:
        """The message (or edit) to every bot that may see it."""
        for bot in self.bots.values():
            if self._may_see(bot, chat, message):
                self.push(bot, kind, self.seen(bot, chat, message))

    def _may_see(self, bot: BotAccount, chat: ChatRoom, message: dict[str, Any]) -> bool:
        status = chat.members.get(bot.id)
        sender = message.get("from", {})
        if status not in INSIDE or sender.get("id") == bot.id:
            return False
        # Other bots are heard only in bot-to-bot mode; the stand-ins of chats are no other bots.
        if sender.get("is_bot") and "sender_chat" not in message and not bot.names.get("hears_bots"):
            return "new_chat_members" in message
        if chat.type == "private" or not bot.privacy or status in ("administrator", "creator"):
            return True
        if "text" not in message and "caption" not in message:
            return True
        text = str(message.get("text", ""))
        original = message.get("reply_to_message", {})
        return text.startswith("/") or original.get("from", {}).get("id") == bot.id

    def push(self, bot: BotAccount, kind: str, payload: Any) -> int:
        """An update into the bot's queue, if it wants this kind (remembered from its last getUpdates)."""
        wanted = bot.allowed if bot.allowed is not None else DEFAULT_UPDATES
        if kind not in wanted and kind not in ("unknown_kind",):
            return 0
        return self.push_raw(bot, {kind: payload})

    def push_raw(self, bot: BotAccount, body: dict[str, Any]) -> int:
        number = bot.next_update
        bot.next_update += 1
        bot.updates.append({"update_id": number, **body})
        bot.born[number] = self.clock()
        if bot.poll is not None and not bot.poll.done():
            bot.poll.set_result("news")
        return number

    def pending(self, bot: BotAccount, offset: int | None, limit: int) -> list[dict[str, Any]]:
        """Acknowledges below ``offset`` (negative: all but the last), forgets what is a day old, returns the rest."""
        fresh = [u for u in bot.updates if self.clock() - bot.born[u["update_id"]] < DAY]
        if offset is not None and offset > 0:
            fresh = [u for u in fresh if u["update_id"] >= offset]
        elif offset is not None and offset < 0:
            fresh = fresh[offset:]
        bot.updates = fresh
        return fresh[:limit]

    def next_query(self) -> str:
        self._next_query += 1
        return f"q{self._next_query}"

    # ------------------------------------------------------------------------------------------ what tests ask

    def sent(self, chat_id: int, *, bot_id: int = 0) -> list[dict[str, Any]]:
        """Messages of bots that stand in the chat, oldest first."""
        return [
            m
            for m in self.chats[chat_id].messages.values()
            if m.get("from", {}).get("is_bot")
            and "sender_chat" not in m
            and (not bot_id or m["from"]["id"] == bot_id)
            and ("text" in m or "document" in m or "photo" in m)
        ]

    def calls_of(self, method: str, *, bot_id: int = 0) -> list[Call]:
        low = method.lower()
        return [c for c in self.calls if c.method.lower() == low and (not bot_id or c.bot_id == bot_id)]

    @property
    def early_retries(self) -> int:
        return sum(c.early for c in self.calls)
