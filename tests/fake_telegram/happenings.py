"""What people and the platform do in a test: talk, edit, press, join, leave, migrate. Each makes the right updates."""

from __future__ import annotations

from typing import Any

from tests.fake_telegram.text_rules import with_found
from tests.fake_telegram.world import BotAccount, ChatRoom, World

ANONYMOUS = {"id": 1087968824, "is_bot": True, "first_name": "Group", "username": "GroupAnonymousBot"}
CHANNEL = {"id": 136817688, "is_bot": True, "first_name": "Channel", "username": "Channel_Bot"}
SERVICE = {"id": 777000, "is_bot": False, "first_name": "Telegram"}


class Happenings:
    """Acts on a `World`. Methods return the message as stored (ids as supergroups show them)."""

    def __init__(self, world: World) -> None:
        self.world = world

    def say(self, chat_id: int, user_id: int, text: str | None = None, **more: Any) -> dict[str, Any]:
        """``more``: reply_to, thread, topic (False: a reply chain in General), entities, caption, photo, document,
        media_group_id, quote, sender_chat, forward_origin, sticker, poll."""
        chat = self.world.chats[chat_id]
        message = self._post(chat, dict(self.world.account(user_id)), text, more)
        self.world.tell("message", chat, message)
        return message

    def _post(self, chat: ChatRoom, sender: dict[str, Any], text: str | None, more: dict[str, Any]) -> dict[str, Any]:
        fields = dict(more)
        reply_to, thread, topic = fields.pop("reply_to", None), fields.pop("thread", None), fields.pop("topic", None)
        body: dict[str, Any] = {"from": sender, **fields}
        if text is not None:
            body["text"] = text
            body["entities"] = with_found(text, list(fields.get("entities", [])))
        elif "caption" in fields:
            body["caption_entities"] = with_found(fields["caption"], list(fields.get("caption_entities", [])))
        if not body.get("entities"):
            body.pop("entities", None)
        if reply_to is not None:
            body["reply_to_message"] = chat.messages[reply_to]
        if thread is not None:
            body["message_thread_id"] = thread
            if topic is not False:
                body["is_topic_message"] = True
                if reply_to is None and thread in chat.messages:
                    body["reply_to_message"] = chat.messages[thread]
        return self.world.new_message(chat, **body)

    def say_as_group(self, chat_id: int, text: str, **more: Any) -> dict[str, Any]:
        """An anonymous admin."""
        chat = self.world.chats[chat_id]
        message = self._post(chat, dict(ANONYMOUS), text, {"sender_chat": chat.as_json(), **more})
        self.world.tell("message", chat, message)
        return message

    def say_as_channel(self, chat_id: int, channel_id: int, title: str, text: str, *, forwarded: bool = False) -> Any:
        """Somebody who speaks as a channel, or a linked channel's post."""
        chat = self.world.chats[chat_id]
        more: dict[str, Any] = {"sender_chat": {"id": channel_id, "type": "channel", "title": title}}
        if forwarded:
            more["is_automatic_forward"] = True
        message = self._post(chat, dict(SERVICE if forwarded else CHANNEL), text, more)
        self.world.tell("message", chat, message)
        return message

    def album(self, chat_id: int, user_id: int, count: int, caption: str, group: str = "album1") -> list[Any]:
        out = []
        for i in range(count):
            photo = [{"file_id": f"f{i}", "file_unique_id": f"u{i}", "width": 90, "height": 90}]
            more = {"photo": photo, "media_group_id": group, **({"caption": caption} if i == 0 else {})}
            out.append(self.say(chat_id, user_id, None, **more))
        return out

    def edit(self, chat_id: int, message_id: int, text: str | None = None, **metadata: Any) -> None:
        """New text, or (without text) only metadata, as a changed member tag does."""
        chat = self.world.chats[chat_id]
        message = chat.messages[message_id]
        if text is not None:
            message["text"] = text
            message["entities"] = with_found(text, [])
        message.update(metadata)
        message["edit_date"] = self.world.now()
        self.world.tell("edited_message", chat, message)

    def press(self, chat_id: int, user_id: int, message_id: int, data: str) -> None:
        """On a button: only the bot that sent the message hears it."""
        chat = self.world.chats[chat_id]
        message = chat.messages[message_id]
        bot = self.world.bot(message["from"]["id"])
        query = {
            "id": self.world.next_query(),
            "from": self.world.account(user_id),
            "message": self.world.seen(bot, chat, message),
            "chat_instance": "c",
            "data": data,
        }
        self.world.push(bot, "callback_query", query)

    # ------------------------------------------------------------------------------------------ coming and going

    def join(self, chat_id: int, account_id: int, *, by: int, status: str = "member", payload: str = "") -> None:
        """Adds an account; for bots also ``my_chat_member`` and, from a startgroup link, "/start@bot payload"."""
        chat = self.world.chats[chat_id]
        before = chat.members.get(account_id, "left")
        chat.members[account_id] = status
        account = self.world.account(account_id)
        message = self.world.new_message(chat, **{"from": self.world.account(by), "new_chat_members": [account]})
        self.world.tell("message", chat, message)
        if account["is_bot"]:
            self._moved(chat, account_id, by, before, status)
            if payload:
                self.say(chat_id, by, f"/start@{account['username']} {payload}")

    def remove(self, chat_id: int, account_id: int, *, by: int, quiet: bool = False) -> None:
        """Kicks an account. ``quiet``: the update never comes (it was lost, or the bot was down for a day)."""
        chat = self.world.chats[chat_id]
        before = chat.members.get(account_id, "left")
        chat.members[account_id] = "kicked"
        if self.world.account(account_id)["is_bot"] and not quiet:
            self._moved(chat, account_id, by, before, "kicked")

    def promote(self, chat_id: int, account_id: int, *, by: int) -> None:
        chat = self.world.chats[chat_id]
        before = chat.members.get(account_id, "left")
        chat.members[account_id] = "administrator"
        if self.world.account(account_id)["is_bot"]:
            self._moved(chat, account_id, by, before, "administrator")

    def _moved(self, chat: ChatRoom, bot_id: int, by: int, before: str, after: str) -> None:
        bot = self.world.bot(bot_id)
        change = {
            "chat": chat.as_json(),
            "from": self.world.account(by),
            "date": self.world.now(),
            "old_chat_member": member_json(bot.user, before),
            "new_chat_member": member_json(bot.user, after),
        }
        self.world.push(bot, "my_chat_member", change)

    def migrate(self, old_id: int, new_id: int, *, order: str = "old,new") -> None:
        """Upgrades a basic group. ``order`` says which service messages come, and in which order."""
        old = self.world.chats[old_id]
        new = self.world.add_chat(new_id, "supergroup", old.title)
        new.members = dict(old.members)
        old.migrated_to = new_id
        sender = {"from": dict(ANONYMOUS)}
        for which in [w for w in order.split(",") if w]:
            chat = old if which == "old" else new
            field = {"migrate_to_chat_id": new_id} if which == "old" else {"migrate_from_chat_id": old_id}
            extra = {"sender_chat": chat.as_json()}
            self.world.tell("message", chat, self.world.new_message(chat, **sender, **extra, **field))

    # ------------------------------------------------------------------------------------------ topics and the odd ones

    def open_topic(self, chat_id: int, name: str, *, by: int) -> int:
        chat = self.world.chats[chat_id]
        created = {
            "from": self.world.account(by),
            "is_topic_message": True,
            "forum_topic_created": {"name": name, "icon_color": 7322096},
        }
        message = self.world.new_message(chat, **created)
        message["message_thread_id"] = message["message_id"]
        chat.topics[message["message_id"]] = "open"
        return int(message["message_id"])

    def make_managed_bot(self, owner_id: int, token: str, name: str, username: str) -> BotAccount:
        """The user confirmed a managed bot: the managers hear of it."""
        made = self.world.add_bot(token, name, username)
        self.world.managed[made.id] = token
        for bot in list(self.world.bots.values()):
            if bot.names.get("can_manage_bots"):
                self.world.push(bot, "managed_bot", {"user": self.world.account(owner_id), "bot": made.user})
        return made

    def react(self, chat_id: int, user_id: int, message_id: int, emoji: str) -> None:
        """A person's reaction: told to admin bots that asked for this kind of update."""
        chat = self.world.chats[chat_id]
        reaction = {
            "chat": chat.as_json(),
            "message_id": message_id,
            "user": self.world.account(user_id),
            "date": self.world.now(),
            "old_reaction": [],
            "new_reaction": [{"type": "emoji", "emoji": emoji}],
        }
        for bot in self.world.bots.values():
            asked = bot.allowed is not None and "message_reaction" in bot.allowed
            if asked and chat.members.get(bot.id) == "administrator":
                self.world.push(bot, "message_reaction", reaction)

    def ask_guest(self, bot_id: int, user_id: int, text: str) -> None:
        """Somebody calls the bot as a guest in a chat that it is no member of."""
        chat = {"id": user_id, "type": "private", "first_name": "elsewhere"}
        message = {"message_id": 1, "date": self.world.now(), "chat": chat, "from": self.world.account(user_id)}
        self.world.push(
            self.world.bot(bot_id),
            "guest_message",
            {**message, "text": text, "guest_query_id": self.world.next_query()},
        )

    def poison(self, bot_id: int) -> int:
        """An update that no client can parse."""
        return self.world.push_raw(self.world.bot(bot_id), {"message": {"message_id": "x", "date": [], "chat": 7}})

    def unknown_kind(self, bot_id: int) -> int:
        return self.world.push_raw(self.world.bot(bot_id), {"stopped_message_generation": {"chat": {"id": 1}}})


def member_json(user: dict[str, Any], status: str) -> dict[str, Any]:
    out: dict[str, Any] = {"user": user, "status": status}
    if status == "administrator":
        flags = (
            "can_be_edited",
            "is_anonymous",
            "can_manage_chat",
            "can_delete_messages",
            "can_manage_video_chats",
            "can_restrict_members",
            "can_promote_members",
            "can_change_info",
            "can_invite_users",
            "can_post_stories",
            "can_edit_stories",
            "can_delete_stories",
        )
        out.update(dict.fromkeys(flags, True))
        out["is_anonymous"] = False
    elif status == "creator":
        out["is_anonymous"] = False
    elif status == "kicked":
        out["until_date"] = 0
    return out
