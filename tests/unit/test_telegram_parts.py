"""Small parts of the Telegram adapter: addresses, the error table, sealed tokens, what an update says."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from telegram import Update
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, InvalidToken, NetworkError, TimedOut

from adapters.telegram.addresses import external_of, key_of, number_of, numbers_of, person_of, thread_id_of
from adapters.telegram.failures import Action, Ambiguous, Flood, NotSent, ServerTrouble, failure_of
from adapters.telegram.heard import (
    Commanded,
    Edited,
    Heard,
    HostMoved,
    Ignored,
    Joined,
    Migrated,
    Pressed,
    Roster,
    Said,
)
from adapters.telegram.translate import translate
from adapters.telegram.vault import Vault, holds_secret, shown

CHAT = {"id": -1001, "type": "supergroup", "title": "G"}
ANN = {"id": 5, "is_bot": False, "first_name": "Ann"}
ROSTER = Roster(host_id=1, host_username="cast_bot", ours=frozenset({1, 2}), agents=((2, "ava_bot", "ava"),))


def heard(**message: Any) -> Heard:
    """What a message with these fields says."""
    body = {"message_id": 7, "date": 1, "chat": CHAT, "from": ANN, **message}
    update = Update.de_json({"update_id": 1, "message": body}, None)
    return translate(update, ROSTER)


def test_addresses_come_back_as_they_went() -> None:
    assert numbers_of(external_of(-1001, 7)) == (-1001, 7)
    assert thread_id_of(key_of(-1001, 55)) == 55
    assert key_of(-1001, 1) == key_of(-1001) == key_of(-1001, None)
    assert number_of(person_of(-1001)) == -1001
    assert number_of("discord:5") is None


@pytest.mark.parametrize(
    ("error", "action"),
    [
        (Flood(3), Action.WAIT),
        (BadRequest("Bad Request: message is not modified: specified"), Action.DONE),
        (BadRequest("Bad Request: MESSAGE_TOO_LONG"), Action.SPLIT),
        (BadRequest("Bad Request: message is too long"), Action.SPLIT),
        (BadRequest("Bad Request: can't parse entities: Character '.' is reserved"), Action.PLAIN),
        (BadRequest("Bad Request: message to be replied not found"), Action.NO_REPLY),
        (BadRequest("Bad Request: QUOTE_TEXT_INVALID"), Action.NO_REPLY),
        (BadRequest("Bad Request: message thread not found"), Action.NO_THREAD),
        (BadRequest("Bad Request: TOPIC_DELETED"), Action.NO_THREAD),
        (BadRequest("Bad Request: TOPIC_CLOSED"), Action.REFUSED),
        (BadRequest("Bad Request: group chat was upgraded to a supergroup chat"), Action.MIGRATE),
        (ChatMigrated(-1009), Action.MIGRATE),
        (BadRequest("Bad Request: chat not found"), Action.GONE),
        (Forbidden("Forbidden: bot was kicked from the group chat"), Action.GONE),
        (Forbidden("Forbidden: bot was kicked from the supergroup chat"), Action.GONE),
        (Forbidden("Forbidden: bot was kicked from the channel chat"), Action.GONE),
        (Forbidden("Forbidden: bot is not a member of the supergroup chat"), Action.GONE),
        (Forbidden("Forbidden: the group chat was deleted"), Action.GONE),
        (Forbidden("Forbidden: something new"), Action.GONE),
        (BadRequest("Bad Request: message to edit not found"), Action.ANEW),
        (BadRequest("Bad Request: message can't be edited"), Action.ANEW),
        (BadRequest("Bad Request: message to delete not found"), Action.DONE),
        (BadRequest("Bad Request: not enough rights to send text messages to the chat"), Action.REFUSED),
        (InvalidToken("Unauthorized"), Action.DEAD_TOKEN),
        (Conflict("Conflict: terminated by other getUpdates request"), Action.CONFLICT),
        (NotSent("x"), Action.RETRY),
        (ServerTrouble("x"), Action.RETRY),
        (Ambiguous("x"), Action.UNKNOWN),
        (TimedOut(), Action.UNKNOWN),
        (NetworkError("x"), Action.UNKNOWN),
        (BadRequest("Bad Request: never seen before"), Action.REFUSED),
    ],
)
def test_row_19_and_37_every_error_has_its_action(error: Any, action: Action) -> None:
    assert failure_of(error).action is action


def test_tokens_are_sealed_in_every_field_and_found_again(tmp_path: Path) -> None:
    vault = Vault.in_folder(tmp_path)
    token = f"123456:{'T' * 35}"
    hidden = vault.hide({"a": [f"take {token}, please", 5], "b": {"text": token}})
    assert token not in repr(hidden)
    assert hidden["a"][1] == 5
    assert holds_secret(hidden["a"][0])
    assert Vault.in_folder(tmp_path).find(hidden["a"][0]) == token
    assert shown(hidden["a"][0]) == "take …, please"
    assert vault.find(vault.hide_whole(f"it is {token}")) == token
    assert vault.find(vault.hide_whole("no token")) is None
    assert Vault(b"x" * 43 + b"=").open(vault.seal("y")) is None
    assert (tmp_path / "telegram.key").stat().st_mode & 0o777 == 0o600


def test_a_message_a_caption_a_sticker_and_a_poll_all_have_words() -> None:
    said = heard(text="hello")
    assert isinstance(said, Said)
    assert (said.message.text, said.message.external_id) == ("hello", "-1001:7")
    sticker = {
        "file_id": "s",
        "file_unique_id": "u",
        "type": "regular",
        "width": 1,
        "height": 1,
        "emoji": "👍",
        "is_animated": False,
        "is_video": False,
    }
    stuck = heard(sticker=sticker)
    assert isinstance(stuck, Said)
    assert stuck.message.text == "👍"
    voice = heard(voice={"file_id": "v", "file_unique_id": "u", "duration": 9})
    assert isinstance(voice, Said)
    assert voice.message.attachments[0].note == "9 s"


def test_quotes_and_replies_carry_the_words_they_answer() -> None:
    original = {"message_id": 3, "date": 1, "chat": CHAT, "from": ANN, "text": "all of it"}
    said = heard(text="this", reply_to_message=original, quote={"text": "of it", "position": 4})
    assert isinstance(said, Said)
    assert (said.message.reply_to, said.message.reply_text) == ("-1001:3", "of it")
    opening = {**original, "forum_topic_created": {"name": "T", "icon_color": 1}}
    first = heard(text="hi", reply_to_message=opening, message_thread_id=3, is_topic_message=True)
    assert isinstance(first, Said)
    assert first.message.reply_to is None
    assert first.message.chat.thread_id == "3"


def test_mentions_by_user_object_and_by_name() -> None:
    entities = [
        {"type": "text_mention", "offset": 0, "length": 3, "user": {"id": 9, "is_bot": False, "first_name": "Bob"}},
        {"type": "mention", "offset": 4, "length": 8},
        {"type": "mention", "offset": 13, "length": 4},
    ]
    said = heard(text="Bob @AVA_bot @eve", entities=entities)
    assert isinstance(said, Said)
    assert said.message.mentioned_agents == ("ava",)
    assert said.message.mentioned_people == ("telegram:9", "telegram:@eve")


def command(text: str) -> Heard:
    return heard(text=text, entities=[{"type": "bot_command", "offset": 0, "length": len(text.split()[0])}])


def test_commands_and_whom_they_are_for() -> None:
    why = command("/why")
    assert isinstance(why, Commanded)
    assert (why.name, why.words, why.named) == ("why", "", False)
    named = command("/Agent@CAST_bot add Zoe")
    assert isinstance(named, Commanded)
    assert (named.name, named.words, named.named) == ("agent", "add Zoe", True)
    assert isinstance(command("/why@other_bot"), Ignored)
    ask = command("/ask@ava_bot what now")
    assert isinstance(ask, Said)
    assert (ask.message.text, ask.message.mentioned_agents) == ("what now", ("ava",))
    joined = command("/start@ava_bot payload")
    assert isinstance(joined, Joined)
    assert joined.bot_ids == (2,)


def test_bots_ours_and_foreign_are_not_people() -> None:
    for number in (1, 2, 99):
        bot = {"id": number, "is_bot": True, "first_name": "B", "username": "b_bot"}
        assert isinstance(heard(text="hi", **{"from": bot}), Ignored)


def test_edits_run_no_command() -> None:
    body = {
        "message_id": 7,
        "date": 1,
        "edit_date": 2,
        "chat": CHAT,
        "from": ANN,
        "text": "/stop",
        "entities": [{"type": "bot_command", "offset": 0, "length": 5}],
    }
    update = Update.de_json({"update_id": 1, "edited_message": body}, None)
    assert isinstance(translate(update, ROSTER), Ignored)
    update = Update.de_json({"update_id": 1, "edited_message": {**body, "text": "new", "entities": []}}, None)
    edited = translate(update, ROSTER)
    assert isinstance(edited, Edited)
    assert edited.text == "new"


def test_service_messages_and_the_rest() -> None:
    assert heard(migrate_to_chat_id=-1002, text=None) == Migrated(old=-1001, new=-1002)
    assert heard(migrate_from_chat_id=-5, text=None) == Migrated(old=-5, new=-1001)
    assert isinstance(heard(pinned_message={"message_id": 1, "date": 0, "chat": CHAT}), Ignored)
    member = {"user": {"id": 1, "is_bot": True, "first_name": "C"}, "status": "kicked", "until_date": 0}
    change = {"chat": CHAT, "from": ANN, "date": 1, "old_chat_member": member, "new_chat_member": member}
    moved = translate(Update.de_json({"update_id": 1, "my_chat_member": change}, None), ROSTER)
    assert isinstance(moved, HostMoved)
    assert not moved.inside
    query = {
        "id": "q",
        "from": ANN,
        "chat_instance": "c",
        "data": "x",
        "message": {"message_id": 3, "date": 0, "chat": CHAT},
    }
    pressed = translate(Update.de_json({"update_id": 1, "callback_query": query}, None), ROSTER)
    assert isinstance(pressed, Pressed)
    assert pressed.message_id == 3
    assert isinstance(translate(Update.de_json({"update_id": 1, "novelty": {"a": 1}}, None), ROSTER), Ignored)
