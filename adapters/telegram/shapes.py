"""What we read of the server's JSON, in the shape that the library asks for. Pure.

A newer server sends fields that the library cannot read, another one leaves out what the library insists on; neither
may cost a message. So what we do not read is left out, and what we can do without is filled in.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

Json = dict[str, Any]

_PLAIN: Final = (
    "author_signature",
    "caption",
    "date",
    "is_topic_message",
    "media_group_id",
    "message_id",
    "message_thread_id",
    "migrate_from_chat_id",
    "migrate_to_chat_id",
    "text",
)
_FILE: Final[Json] = {"file_id": "", "file_unique_id": ""}
_SIZED: Final[Json] = {**_FILE, "width": 0, "height": 0}
_DEFAULTS: Final[Mapping[str, Json]] = {
    "animation": {**_SIZED, "duration": 0},
    "audio": {**_FILE, "duration": 0},
    "contact": {"phone_number": "", "first_name": ""},
    "dice": {"value": 0, "emoji": ""},
    "document": _FILE,
    "forum_topic_created": {"name": "", "icon_color": 0},
    "location": {"longitude": 0.0, "latitude": 0.0},
    "quote": {"text": "", "position": 0},
    "sticker": {**_SIZED, "is_animated": False, "is_video": False, "type": "regular"},
    "video": {**_SIZED, "duration": 0},
    "video_note": {**_FILE, "length": 0, "duration": 0},
    "voice": {**_FILE, "duration": 0},
}
_POLL: Final[Json] = {
    "id": "",
    "question": "",
    "total_voter_count": 0,
    "is_closed": False,
    "is_anonymous": True,
    "type": "regular",
    "allows_multiple_answers": False,
    "allows_revoting": False,
    "members_only": False,
}
_READ: Final = ("duration", "emoji", "file_name", "file_size", "set_name")
"""What we read of a file or a sticker, beside what the library asks for."""
_RIGHTS: Final = (
    "can_add_web_page_previews",
    "can_be_edited",
    "can_change_info",
    "can_delete_messages",
    "can_delete_stories",
    "can_edit_stories",
    "can_edit_tag",
    "can_invite_users",
    "can_manage_chat",
    "can_manage_topics",
    "can_manage_video_chats",
    "can_pin_messages",
    "can_post_stories",
    "can_promote_members",
    "can_restrict_members",
    "can_send_audios",
    "can_send_documents",
    "can_send_messages",
    "can_send_other_messages",
    "can_send_photos",
    "can_send_polls",
    "can_send_video_notes",
    "can_send_videos",
    "can_send_voice_notes",
    "is_anonymous",
    "is_member",
)
_FORWARDED: Final[Json] = {"type": "hidden_user", "date": 0, "sender_user_name": ""}


def update_shape(update: Json) -> Json:
    """The update with the one thing in it that we read; {} beside its number when there is none."""
    out: Json = {"update_id": update["update_id"]}
    for kind, shape in _KINDS.items():
        if kind in update:
            out[kind] = shape(update[kind])
    return out


def answer_shape(answer: Any) -> Any:
    """The result of a call: a message, a user, a member or some in their shape, anything else as it is."""
    if isinstance(answer, list):
        return [answer_shape(one) for one in answer]
    if not isinstance(answer, dict):
        return answer
    if "message_id" in answer:
        # A sent message is known by its number, a shown picture by its file; the rest is not read.
        photo = {"photo": _photo(answer["photo"])} if isinstance(answer.get("photo"), list) else {}
        return {"message_id": answer["message_id"], "date": 0, "chat": {"id": 0, "type": "private"}, **photo}
    if "status" in answer and "user" in answer:
        return _member(answer)
    return {"is_bot": True, "first_name": "", **answer} if "id" in answer and "title" not in answer else answer


def message_shape(message: Json, *, original: bool = True) -> Json:
    """``original``: with the message that it replies to."""
    out = {"date": 0, **_kept(message, _PLAIN), "chat": chat_shape(message["chat"])}
    for name in ("from", "sender_chat"):
        if isinstance(message.get(name), dict):
            out[name] = (user_shape if name == "from" else chat_shape)(message[name])
    for name in ("entities", "caption_entities"):
        if isinstance(message.get(name), list):
            out[name] = [_entity(e) for e in message[name] if _whole(e)]
    for name, defaults in _DEFAULTS.items():
        if isinstance(message.get(name), dict):
            out[name] = {**defaults, **_kept(message[name], (*defaults, *_READ))}
    if isinstance(message.get("photo"), list):
        out["photo"] = _photo(message["photo"])
    if isinstance(message.get("venue"), dict):
        out["venue"] = {"location": _DEFAULTS["location"], "address": "", "title": str(message["venue"].get("title"))}
    if isinstance(message.get("poll"), dict):
        out["poll"] = _poll(message["poll"])
    if "forward_origin" in message or "forward_date" in message:
        out["forward_origin"] = _FORWARDED
    if isinstance(message.get("new_chat_members"), list):
        out["new_chat_members"] = [user_shape(user) for user in message["new_chat_members"]]
    if isinstance(message.get("managed_bot_created"), dict):
        out["managed_bot_created"] = {"bot": user_shape(message["managed_bot_created"]["bot"])}
    if original and isinstance(message.get("reply_to_message"), dict):
        out["reply_to_message"] = message_shape({"chat": out["chat"], **message["reply_to_message"]}, original=False)
    return out


def user_shape(user: Json) -> Json:
    read = ("id", "is_bot", "first_name", "last_name", "username", "language_code")
    return {"is_bot": False, "first_name": "", **_kept(user, read)}


def chat_shape(chat: Json) -> Json:
    number = chat["id"]
    kind = "private" if number > 0 else "group" if number > -(10**12) else "supergroup"
    return {"type": kind, **_kept(chat, ("id", "type", "title", "username", "first_name", "last_name"))}


def _kept(body: Json, names: tuple[str, ...]) -> Json:
    return {name: body[name] for name in names if body.get(name) is not None}


def _whole(entity: Any) -> bool:
    return isinstance(entity, dict) and all(type(entity.get(n)) is int for n in ("offset", "length"))


def _entity(entity: Json) -> Json:
    out = {"type": str(entity.get("type")), "offset": entity["offset"], "length": entity["length"]}
    return {**out, "user": user_shape(entity["user"])} if isinstance(entity.get("user"), dict) else out


def _photo(sizes: list[Json]) -> list[Json]:
    return [{**_SIZED, **_kept(size, tuple(_SIZED))} for size in sizes]


def _poll(poll: Json) -> Json:
    options = [{"text": str(option.get("text", "")), "voter_count": 0} for option in poll.get("options", [])]
    return {**_POLL, **_kept(poll, ("id", "question")), "options": options}


def _press(query: Json) -> Json:
    out = {"chat_instance": "", **_kept(query, ("id", "data")), "from": user_shape(query["from"])}
    return {**out, "message": message_shape(query["message"])} if isinstance(query.get("message"), dict) else out


def _moved(change: Json) -> Json:
    after = _member(change["new_chat_member"])
    return {
        "date": 0,
        "chat": chat_shape(change["chat"]),
        "from": user_shape(change["from"]),
        "old_chat_member": {"status": "left", "user": after["user"]},
        "new_chat_member": after,
    }


def _member(member: Json) -> Json:
    """A status, and whether one is inside. Rights are not read; the library asks for each."""
    rights = dict.fromkeys(_RIGHTS, False) if member["status"] in ("administrator", "restricted") else {}
    more = {"is_anonymous": False} if member["status"] == "creator" else {}
    until = {"until_date": 0} if member["status"] in ("kicked", "restricted") else {}
    return {
        **rights,
        **more,
        **until,
        "status": member["status"],
        "user": user_shape(member["user"]),
        **_kept(member, ("is_member",)),
    }


def _made(made: Json) -> Json:
    return {"user": user_shape(made["user"]), "bot": user_shape(made["bot"])}


_KINDS: Final[Mapping[str, Callable[[Json], Json]]] = {
    "message": message_shape,
    "edited_message": message_shape,
    "callback_query": _press,
    "my_chat_member": _moved,
    "managed_bot": _made,
}
