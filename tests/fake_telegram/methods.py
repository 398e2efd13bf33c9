"""The methods of the Bot API that act on messages and chats. One function a method; the table stands at the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.fake_telegram import access
from tests.fake_telegram.access import CAPTION_LIMIT, TEXT_LIMIT, number, value
from tests.fake_telegram.happenings import member_json
from tests.fake_telegram.world import INSIDE, ApiError, BotAccount, ChatRoom, World

Params = dict[str, Any]
Method = Callable[[World, BotAccount, Params], Any]


def get_me(world: World, bot: BotAccount, params: Params) -> Any:
    return {
        **bot.user,
        "can_join_groups": True,
        "can_read_all_group_messages": not bot.privacy,
        "supports_inline_queries": False,
        "can_manage_bots": bool(bot.names.get("can_manage_bots")),
    }


def _posted(world: World, bot: BotAccount, chat: ChatRoom, params: Params, **content: Any) -> Any:
    thread = access.thread_for(chat, params)
    original, quote = access.reply_for(chat, bot, params)
    if original is not None and original.get("message_thread_id") in chat.topics and thread is None:
        thread = original["message_thread_id"]
    markup = access.keyboard_for(params)
    fields: dict[str, Any] = {"from": bot.user, **content}
    if thread is not None:
        fields.update(message_thread_id=thread, is_topic_message=True)
    if original is not None:
        fields["reply_to_message"] = original
    if quote:
        fields["quote"] = {"text": quote, "position": 0}
    if markup and "inline_keyboard" in markup:
        fields["reply_markup"] = markup
    if markup and "keyboard" in markup:
        fields["_keyboard"] = markup
    for extra in ("ephemeral_message_parameters", "receiver_user_id"):
        if params.get(extra):
            fields[f"_{extra}"] = value(params, extra)
    message = world.new_message(chat, **fields)
    world.tell("message", chat, message)
    return world.seen(bot, chat, message)


def send_message(world: World, bot: BotAccount, params: Params) -> Any:
    text, entities = access.text_of(params, "text", TEXT_LIMIT, "entities")
    chat = access.chat_for(world, bot, params)
    return _posted(world, bot, chat, params, text=text.strip("\n "), entities=entities or None)


def send_document(world: World, bot: BotAccount, params: Params) -> Any:
    caption, entities = access.text_of(params, "caption", CAPTION_LIMIT, "caption_entities")
    chat = access.chat_for(world, bot, params)
    document = {"file_id": f"doc{chat.next_id}", "file_unique_id": f"d{chat.next_id}", "file_name": "file"}
    return _posted(
        world, bot, chat, params, document=document, caption=caption or None, caption_entities=entities or None
    )


def send_photo(world: World, bot: BotAccount, params: Params) -> Any:
    caption, _ = access.text_of(params, "caption", CAPTION_LIMIT, "caption_entities")
    chat = access.chat_for(world, bot, params)
    size = {"file_id": f"ph{chat.next_id}", "file_unique_id": f"p{chat.next_id}", "width": 90, "height": 90}
    return _posted(world, bot, chat, params, photo=[size], caption=caption or None)


def send_media_group(world: World, bot: BotAccount, params: Params) -> Any:
    return [send_photo(world, bot, {**params, "caption": m.get("caption", "")}) for m in value(params, "media") or []]


def edit_message_text(world: World, bot: BotAccount, params: Params) -> Any:
    text, entities = access.text_of(params, "text", TEXT_LIMIT, "entities")
    chat = access.chat_for(world, bot, params)
    message = access.own_message(chat, bot, params)
    markup = access.keyboard_for(params)
    new = (text.strip("\n "), entities or [], markup)
    if new == (message.get("text"), message.get("entities", []), message.get("reply_markup")):
        raise ApiError(
            400,
            "Bad Request: message is not modified: specified new message content and reply markup are exactly the "
            "same as a current content and reply markup of the message",
        )
    message.update(text=new[0], entities=new[1], edit_date=world.now())
    message.pop("reply_markup", None)
    if markup:
        message["reply_markup"] = markup
    return world.seen(bot, chat, message)


def edit_message_reply_markup(world: World, bot: BotAccount, params: Params) -> Any:
    chat = access.chat_for(world, bot, params)
    message = access.own_message(chat, bot, params)
    markup = access.keyboard_for(params)
    if markup == message.get("reply_markup"):
        raise ApiError(400, "Bad Request: message is not modified")
    message.pop("reply_markup", None)
    if markup:
        message["reply_markup"] = markup
    return world.seen(bot, chat, message)


def delete_message(world: World, bot: BotAccount, params: Params) -> Any:
    chat = access.chat_for(world, bot, params, write=False)
    real = chat.real_id(bot.id, number(params, "message_id"))
    message = chat.messages.get(real)
    if message is None:
        raise ApiError(400, "Bad Request: message to delete not found")
    mine = message.get("from", {}).get("id") == bot.id
    if not mine and chat.type != "private" and chat.members.get(bot.id) not in ("administrator", "creator"):
        raise ApiError(400, "Bad Request: message can't be deleted")
    del chat.messages[real]
    return True


def delete_messages(world: World, bot: BotAccount, params: Params) -> Any:
    for one in value(params, "message_ids") or []:
        try:
            delete_message(world, bot, {**params, "message_id": one})
        except ApiError:
            continue
    return True


def send_chat_action(world: World, bot: BotAccount, params: Params) -> Any:
    access.thread_for(access.chat_for(world, bot, params), params)
    return True


def set_message_reaction(world: World, bot: BotAccount, params: Params) -> Any:
    chat = access.chat_for(world, bot, params, write=False)
    if chat.real_id(bot.id, number(params, "message_id")) not in chat.messages:
        raise ApiError(400, "Bad Request: message to react not found")
    if len(value(params, "reaction") or []) > 1:
        raise ApiError(400, "Bad Request: REACTIONS_TOO_MANY")
    return True


def send_message_draft(world: World, bot: BotAccount, params: Params) -> Any:
    if access.chat_for(world, bot, params).type != "private":
        raise ApiError(400, "Bad Request: TEXTDRAFT_PEER_INVALID")
    return True


def answer_callback_query(world: World, bot: BotAccount, params: Params) -> Any:
    if not str(params.get("callback_query_id", "")).startswith("q"):
        raise ApiError(400, "Bad Request: query is too old and response timeout expired or query ID is invalid")
    return True


def get_chat(world: World, bot: BotAccount, params: Params) -> Any:
    chat = access.chat_for(world, bot, params, write=False)
    return {
        **chat.as_json(),
        "accent_color_id": 0,
        "max_reaction_count": 11,
        "accepted_gift_types": dict.fromkeys(
            ("unlimited_gifts", "limited_gifts", "unique_gifts", "premium_subscription", "gifts_from_channels"), False
        ),
    }


def get_chat_member(world: World, bot: BotAccount, params: Params) -> Any:
    chat = access.chat_for(world, bot, params, write=False)
    wanted = number(params, "user_id")
    try:
        user = world.account(wanted)
    except StopIteration:
        raise ApiError(400, "Bad Request: PARTICIPANT_ID_INVALID") from None
    return member_json(user, chat.members.get(wanted, "left"))


def get_chat_administrators(world: World, bot: BotAccount, params: Params) -> Any:
    chat = access.chat_for(world, bot, params, write=False)
    return [
        member_json(world.account(n), status)
        for n, status in chat.members.items()
        if status in ("administrator", "creator") and not world.account(n)["is_bot"]
    ]


def get_chat_member_count(world: World, bot: BotAccount, params: Params) -> Any:
    chat = access.chat_for(world, bot, params, write=False)
    return sum(status in INSIDE for status in chat.members.values())


def leave_chat(world: World, bot: BotAccount, params: Params) -> Any:
    access.chat_for(world, bot, params, write=False).members[bot.id] = "left"
    return True


def _commands_key(params: Params) -> str:
    scope = value(params, "scope") or {"type": "default"}
    place = f":{scope['chat_id']}" if "chat_id" in scope else ""
    return f"{scope.get('type')}{place}/{params.get('language_code') or ''}"


def set_my_commands(world: World, bot: BotAccount, params: Params) -> Any:
    commands = value(params, "commands") or []
    if len(commands) > 100:
        raise ApiError(400, "Bad Request: too many commands")
    for one in commands:
        name = str(one.get("command", ""))
        if not 1 <= len(name) <= 32 or not name.replace("_", "a").isalnum() or name != name.lower():
            raise ApiError(400, "Bad Request: BOT_COMMAND_INVALID")
        if not 1 <= len(str(one.get("description", ""))) <= 256:
            raise ApiError(400, "Bad Request: BOT_COMMAND_DESCRIPTION_INVALID")
    bot.commands[_commands_key(params)] = commands
    return True


def get_my_commands(world: World, bot: BotAccount, params: Params) -> Any:
    return bot.commands.get(_commands_key(params), [])


def delete_my_commands(world: World, bot: BotAccount, params: Params) -> Any:
    bot.commands.pop(_commands_key(params), None)
    return True


def set_name(world: World, bot: BotAccount, params: Params) -> Any:
    bot.names.update({k: v for k, v in params.items() if v is not None})
    return True


def create_forum_topic(world: World, bot: BotAccount, params: Params) -> Any:
    chat = access.chat_for(world, bot, params)
    if not chat.forum:
        raise ApiError(400, "Bad Request: the chat is not a forum")
    message = world.new_message(chat, **{"from": bot.user, "forum_topic_created": {"name": params.get("name")}})
    chat.topics[message["message_id"]] = "open"
    return {"message_thread_id": message["message_id"], "name": params.get("name"), "icon_color": 7322096}


def _topic_state(state: str) -> Method:
    def change(world: World, bot: BotAccount, params: Params) -> Any:
        chat = access.chat_for(world, bot, params)
        thread = number(params, "message_thread_id")
        if thread not in chat.topics:
            raise ApiError(400, "Bad Request: message thread not found")
        if state:
            chat.topics[thread] = state
        return True

    return change


def set_chat_member_tag(world: World, bot: BotAccount, params: Params) -> Any:
    access.chat_for(world, bot, params)
    if len(str(params.get("tag", ""))) > 16:
        raise ApiError(400, "Bad Request: TAG_INVALID")
    return True


def get_managed_bot_token(world: World, bot: BotAccount, params: Params) -> Any:
    token = world.managed.get(number(params, "user_id"))
    if token is None or not bot.names.get("can_manage_bots"):
        raise ApiError(400, "Bad Request: BOT_INVALID")
    return token


def get_file(world: World, bot: BotAccount, params: Params) -> Any:
    name = str(params.get("file_id") or "")
    return {"file_id": name, "file_unique_id": name, "file_size": 4, "file_path": f"documents/{name}"}


def answer_guest_query(world: World, bot: BotAccount, params: Params) -> Any:
    return {"inline_message_id": "guest1"}


METHODS: dict[str, Method] = {
    name.lower(): method
    for name, method in {
        "getMe": get_me,
        "sendMessage": send_message,
        "sendDocument": send_document,
        "sendPhoto": send_photo,
        "sendMediaGroup": send_media_group,
        "editMessageText": edit_message_text,
        "editMessageReplyMarkup": edit_message_reply_markup,
        "deleteMessage": delete_message,
        "deleteMessages": delete_messages,
        "sendChatAction": send_chat_action,
        "setMessageReaction": set_message_reaction,
        "sendMessageDraft": send_message_draft,
        "answerCallbackQuery": answer_callback_query,
        "getChat": get_chat,
        "getChatMember": get_chat_member,
        "getChatAdministrators": get_chat_administrators,
        "getChatMemberCount": get_chat_member_count,
        "leaveChat": leave_chat,
        "setMyCommands": set_my_commands,
        "getMyCommands": get_my_commands,
        "deleteMyCommands": delete_my_commands,
        "setMyName": set_name,
        "setMyShortDescription": set_name,
        "setMyDescription": set_name,
        "setMyProfilePhoto": set_name,
        "createForumTopic": create_forum_topic,
        "editForumTopic": _topic_state(""),
        "closeForumTopic": _topic_state("closed"),
        "reopenForumTopic": _topic_state("open"),
        "deleteForumTopic": _topic_state("deleted"),
        "setChatMemberTag": set_chat_member_tag,
        "getManagedBotToken": get_managed_bot_token,
        "replaceManagedBotToken": get_managed_bot_token,
        "getFile": get_file,
        "answerGuestQuery": answer_guest_query,
    }.items()
}
