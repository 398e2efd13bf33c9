"""What the host says by itself: commands' answers, hints, questions. Plain text, never a parse mode."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from telegram import InlineKeyboardMarkup, InputFile, ReplyKeyboardMarkup, ReplyKeyboardRemove, ReplyParameters
from telegram.error import TelegramError

from adapters.telegram.bots import Bots
from adapters.telegram.calls import CallFailed, Calls
from adapters.telegram.failures import Action, Failure
from adapters.telegram.groups import Groups
from adapters.telegram.limiter import Priority
from adapters.telegram.markup import Marked, entities, tabular
from adapters.telegram.posting import NO_PREVIEW
from adapters.telegram.splitting import split

logger = logging.getLogger(__name__)
MAX_FILE_BYTES = 8_000_000
Migrate = Callable[[int, int], Awaitable[None]]
Keyboard = InlineKeyboardMarkup | ReplyKeyboardMarkup | ReplyKeyboardRemove
How = dict[str, Any]
"""What a message is sent with: topic, reply, keyboard, whom it is for."""


class Saying:
    """Failures are logged, not raised: there is nobody further to tell."""

    def __init__(self, *, bots: Bots, groups: Groups, calls: Calls, migrate: Migrate) -> None:
        self._bots = bots
        self._groups = groups
        self._calls = calls
        self._migrate = migrate

    async def say(
        self,
        chat_id: int,
        text: str,
        *,
        thread_id: int | None = None,
        reply_to: int | None = None,
        keyboard: Keyboard | None = None,
        only_for: int | None = None,
    ) -> bool:
        """True when every part was posted (or may have been).

        ``only_for``: a user who alone should see it, where the server can.
        """
        sent = True
        for n, part in enumerate(split(tabular(text))):
            how = {
                "message_thread_id": thread_id,
                "reply_parameters": _reply(reply_to) if n == 0 else None,
                "reply_markup": keyboard if n == 0 else None,
                "api_kwargs": _ephemeral(only_for),
            }
            sent &= await self._sent(chat_id, partial(self._text, part), how)
        return sent

    async def send_file(self, chat_id: int, name: str, data: bytes, *, thread_id: int | None = None) -> bool:
        """True when it was posted (or may have been)."""
        return await self._sent(chat_id, partial(self._file, name, data), {"message_thread_id": thread_id})

    async def _text(self, part: Marked, chat_id: int, how: How) -> None:
        marks = entities(part)
        await self._bots.host.send_message(chat_id, part.text, entities=marks, link_preview_options=NO_PREVIEW, **how)

    async def _file(self, name: str, data: bytes, chat_id: int, how: How) -> None:
        await self._bots.host.send_document(chat_id, InputFile(data, filename=name), **how)

    async def _sent(self, chat_id: int, send: Callable[[int, How], Awaitable[None]], how: How) -> bool:
        """Sends, leaving out one thing after the other that the server refuses."""
        chat_id = self._groups.now(chat_id)
        for _ in range(4):
            failure = await self._tried(chat_id, partial(send, chat_id, how))
            if failure is None or failure.action is Action.UNKNOWN:  # perhaps it arrived: never twice
                return True
            if failure.action is Action.MIGRATE and failure.new_chat_id:
                await self._migrate(chat_id, failure.new_chat_id)
                chat_id, how = failure.new_chat_id, {**how, "reply_parameters": None}
                continue
            changed = _without(how, failure.action)
            if changed is None:
                logger.warning("the host could not answer: %s", failure.words)
                return False
            how = changed
        return False

    async def _tried(self, chat_id: int, call: Callable[[], Awaitable[None]]) -> Failure | None:
        try:
            await self._calls.write(self._bots.host, chat_id, Priority.COMMAND, call)
        except CallFailed as error:
            return error.failure
        return None

    async def show_picture(self, chat_id: int, url: str, *, caption: str) -> str:
        """Has Telegram fetch a picture and show it there; its file id, "" where Telegram could not."""
        host = self._bots.host
        try:
            shown = await self._calls.write(
                host, chat_id, Priority.COMMAND, lambda: host.send_photo(chat_id, url, caption=caption)
            )
        except CallFailed as error:
            logger.info("a picture could not be shown: %s", error.failure.words)
            return ""
        return shown.photo[-1].file_id if shown is not None and shown.photo else ""

    async def fetch(self, file_id: str) -> bytes | None:
        """A file that came with a command; None when it is too large or cannot be had."""
        try:
            file = await self._bots.host.get_file(file_id)
            if (file.file_size or 0) > MAX_FILE_BYTES:
                return None
            return bytes(await file.download_as_bytearray())
        except TelegramError as error:
            logger.warning("a file could not be fetched: %s", type(error).__name__)
            return None

    async def delete(self, chat_id: int, message_id: int) -> bool:
        """Removes a message (one that held a token, above all)."""
        if not message_id:
            return False
        host = self._bots.host
        try:
            await self._calls.write(
                host,
                chat_id,
                Priority.ANSWER,
                lambda: host.delete_message(chat_id, message_id),
                repeatable=True,
            )
        except CallFailed as error:
            if error.failure.action is not Action.DONE:
                logger.warning("a message could not be deleted: %s", error.failure.words)
                return False
        return True

    async def confirm(self, query_id: str, words: str = "") -> None:
        """Ends the spinner of a pressed button, with a short word for the presser alone."""
        try:
            await self._bots.host.answer_callback_query(query_id, text=words[:200] or None, show_alert=bool(words))
        except TelegramError as error:
            logger.info("a button's press could not be confirmed: %s", type(error).__name__)

    async def drop_keyboard(self, chat_id: int, message_id: int) -> None:
        if not message_id:
            return
        host = self._bots.host
        try:
            await self._calls.write(
                host,
                chat_id,
                Priority.PASSING_EDIT,
                lambda: host.edit_message_reply_markup(chat_id=chat_id, message_id=message_id, reply_markup=None),
                repeatable=True,
            )
        except CallFailed as error:
            logger.info("old buttons could not be removed: %s", error.failure.words)


def _reply(message_id: int | None) -> ReplyParameters | None:
    return ReplyParameters(message_id=message_id, allow_sending_without_reply=True) if message_id else None


def _ephemeral(user_id: int | None) -> dict[str, Any] | None:
    """The newer servers' way to answer one person in a group; older ones do not know the fields and ignore them."""
    if user_id is None:
        return None
    return {"ephemeral_message_parameters": {"receiver_user_id": user_id}, "receiver_user_id": user_id}


def _without(how: How, action: Action) -> How | None:
    """What to leave out after a refusal; None when nothing is left to leave out."""
    if action is Action.NO_REPLY and how.get("reply_parameters"):
        return {**how, "reply_parameters": None}
    if action is Action.NO_THREAD and how.get("message_thread_id"):
        return {**how, "message_thread_id": None}
    if action is Action.REFUSED and how.get("api_kwargs"):
        return {**how, "api_kwargs": None}
    return None
