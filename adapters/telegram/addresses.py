"""Telegram's numbers as Troupe's ids, and back. Pure.

A message is known as ``{chat id}:{message id}``: after a move to a supergroup message numbers start anew, and
the old chat's number 5 must never be taken for the new chat's.
"""

from __future__ import annotations

from orchestration.model import ChatKey

PLATFORM = "telegram"
GENERAL_TOPIC = 1
"""The General topic's own number; the server refuses it in requests."""
ANONYMOUS_ADMIN = 1087968824
CHANNEL_SENDER = 136817688
AUTO_FORWARD = 777000


def key_of(chat_id: int, thread_id: int | None = None) -> ChatKey:
    """The address of a group, or of one of its topics. General has no thread id."""
    thread = "" if thread_id in (None, GENERAL_TOPIC) else str(thread_id)
    return ChatKey(platform=PLATFORM, tenant_id=str(chat_id), channel_id=str(chat_id), thread_id=thread)


def chat_id_of(key: ChatKey) -> int:
    return int(key.channel_id)


def thread_id_of(key: ChatKey) -> int | None:
    return int(key.thread_id) if key.thread_id else None


def external_of(chat_id: int, message_id: int) -> str:
    return f"{chat_id}:{message_id}"


def numbers_of(external_id: str) -> tuple[int, int]:
    """(chat id, message id). ValueError for what `external_of` did not make."""
    chat, _, message = external_id.rpartition(":")
    return int(chat), int(message)


def person_of(user_or_chat_id: int) -> str:
    return f"{PLATFORM}:{user_or_chat_id}"


def number_of(person_id: str) -> int | None:
    """The Telegram id behind a person id; None for people of other platforms."""
    platform, _, number = person_id.partition(":")
    return int(number) if platform == PLATFORM and number.lstrip("-").isdigit() else None
