"""Posts one part of an item: own bot first, the host with a header where that fails, every refusal turned into the
next best thing, and a journal entry that is true at any moment.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace

from telegram import InlineKeyboardMarkup, LinkPreviewOptions, ReplyParameters

from adapters.telegram.addresses import chat_id_of, numbers_of, thread_id_of
from adapters.telegram.bots import Bots
from adapters.telegram.calls import CallFailed, Calls
from adapters.telegram.failures import Action, Failure
from adapters.telegram.groups import Groups
from adapters.telegram.journal import Entry, Parts
from adapters.telegram.limiter import Priority
from adapters.telegram.looks import Looks, Reason, reason_of
from adapters.telegram.markup import Marked, entities, header
from adapters.telegram.splitting import LIMIT, split
from adapters.telegram.wire import Client
from orchestration.errors import DeliveryLater
from orchestration.model import AgentCard, ChatKey, OutboxState

logger = logging.getLogger(__name__)
NO_PREVIEW = LinkPreviewOptions(is_disabled=True)
_LATER = {Action.RETRY: 5.0, Action.WAIT: 5.0, Action.CONFLICT: 5.0, Action.DEAD_TOKEN: 30.0}
"""Troubles of the host that may pass: the item waits so many seconds and is tried again."""


Keyboard = Callable[[], Awaitable[InlineKeyboardMarkup | None]]
"""Makes the buttons of an item when the host comes to post it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part to post. ``first`` parts carry the header and the reply; ``keyboard`` goes under the host's last."""

    index: int
    text: Marked
    first: bool
    reply_to: str | None = None
    keyboard: Keyboard | None = None
    silent: bool = False
    priority: Priority = Priority.ANSWER


@dataclass(slots=True, kw_only=True)
class Where:
    """Where an item goes; changes while it is posted when the group moved or the topic is gone."""

    chat_id: int
    thread_id: int | None
    fell: list[tuple[AgentCard, int, Reason]] = field(default_factory=list)
    """Fall-backs that nobody was told of yet: (agent, bot, why)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Try:
    """What one attempt leaves out; each refusal takes one thing away."""

    reply: bool = True
    entities: bool = True


class Posting:
    def __init__(self, *, bots: Bots, looks: Looks, groups: Groups, calls: Calls) -> None:
        self._bots = bots
        self._looks = looks
        self._groups = groups
        self._calls = calls

    def where(self, key: ChatKey) -> Where:
        """The place as it is now: a stored address may be older than a move."""
        chat_id = self._groups.now(chat_id_of(key))
        thread_id = thread_id_of(key)
        if thread_id is not None and self._groups.topic_lost(chat_id, thread_id):
            thread_id = None
        return Where(chat_id=chat_id, thread_id=thread_id)

    async def post(self, where: Where, part: Part, agent: AgentCard | None, parts: Parts) -> OutboxState:
        """SENT, UNKNOWN or FAILED, as the journal has it then."""
        own, why_not = await self._looks.own_bot(where.chat_id, agent) if agent else (None, None)
        if agent and why_not is not None:
            await self._fell(where, agent, why_not)
        if own is not None and agent is not None:
            state, failure = await self._by(own, where, part, None, parts)
            if failure is None:
                return state
            if failure.action in (Action.GONE, Action.DEAD_TOKEN, Action.REFUSED) and not _topic(failure):
                await self._fell(where, agent, reason_of(failure.action, failure.words))
        state, failure = await self._by(self._bots.host, where, part, agent, parts)
        if failure is None:
            return state
        if failure.action in _LATER:
            raise DeliveryLater(f"not now: {failure.action}", _LATER[failure.action])
        if failure.action is Action.GONE:
            await self._groups.left(where.chat_id)
        logger.warning("part %s of %s was refused: %s", part.index, parts.outbox_id, failure.words)
        await self._entry(parts, part, self._bots.host, agent).failed()
        return OutboxState.FAILED

    async def _fell(self, where: Where, agent: AgentCard, reason: Reason) -> None:
        bot = self._bots.bot_of(where.chat_id, agent.id)
        if bot is not None and await self._looks.fell(where.chat_id, bot.number, reason):
            where.fell.append((agent, bot.number, reason))

    async def _by(
        self, client: Client, where: Where, part: Part, face: AgentCard | None, parts: Parts
    ) -> tuple[OutboxState, Failure | None]:
        """Posts with this bot; (state, None) when the part's fate is settled, else why this bot cannot."""
        shape = _Try()
        entry = self._entry(parts, part, client, face)
        for _ in range(6):
            try:
                await self._send(client, where, part, face, shape, entry)
            except CallFailed as error:
                failure = error.failure
            else:
                return OutboxState.SENT, None
            if failure.action is Action.UNKNOWN:
                await entry.unknown()
                return OutboxState.UNKNOWN, None
            if failure.action is Action.SPLIT:
                return await self._halved(client, where, part, face, parts), None
            changed = await self._changed(failure, where, shape)
            if changed is None:
                return OutboxState.FAILED, failure
            shape = changed
        return OutboxState.FAILED, failure

    async def _changed(self, failure: Failure, where: Where, shape: _Try) -> _Try | None:
        """What to leave out or put right before the next try; None when another try cannot help."""
        if failure.action is Action.NO_REPLY and shape.reply:
            return replace(shape, reply=False)
        if failure.action is Action.PLAIN and shape.entities:
            return replace(shape, entities=False)
        if failure.action is Action.NO_THREAD and where.thread_id is not None:
            await self._groups.lose_topic(where.chat_id, where.thread_id)
            where.thread_id = None
            return shape
        if failure.action is Action.MIGRATE:
            new = failure.new_chat_id or self._groups.now(where.chat_id)
            if new == where.chat_id:
                return None
            await self.migrate(where.chat_id, new)
            where.chat_id = new
            return shape
        return None

    async def migrate(self, old: int, new: int) -> None:
        await self._groups.migrate(old, new)
        self._bots.moved(old, new)
        self._looks.moved(old, new)

    async def _send(
        self, client: Client, where: Where, part: Part, face: AgentCard | None, shape: _Try, entry: Entry
    ) -> None:
        text = part.text.after(header(face)) if face is not None and part.first else part.text
        reply = _reply(part, where.chat_id) if shape.reply else None
        keyboard = await part.keyboard() if part.keyboard and client is self._bots.host else None

        async def call() -> None:
            message = await client.send_message(
                where.chat_id,
                text.text,
                entities=entities(text) if shape.entities else None,
                message_thread_id=where.thread_id,
                reply_parameters=reply,
                reply_markup=keyboard,
                link_preview_options=NO_PREVIEW,
                disable_notification=part.silent or None,
            )
            await entry.sent(where.chat_id, message.message_id)

        await self._calls.write(client, where.chat_id, part.priority, call, journal=entry)

    async def _halved(
        self, client: Client, where: Where, part: Part, face: AgentCard | None, parts: Parts
    ) -> OutboxState:
        """The server counts otherwise than we do: smaller pieces, each with its own line in the journal."""
        pieces = split(part.text, limit=LIMIT // 3)
        states: list[OutboxState] = []
        for n, piece in enumerate(pieces):
            index = part.index if n == 0 else 1000 * (part.index + 1) + n
            first = part.first and n == 0
            keyboard = part.keyboard if n == len(pieces) - 1 else None
            smaller = replace(part, index=index, text=piece, first=first, keyboard=keyboard)
            if len(pieces) == 1:
                await self._entry(parts, smaller, client, face).failed()
                return OutboxState.FAILED
            states.append((await self._by(client, where, smaller, face, parts))[0])
        return next((s for s in (OutboxState.UNKNOWN, OutboxState.FAILED) if s in states), OutboxState.SENT)

    def _entry(self, parts: Parts, part: Part, client: Client, face: AgentCard | None) -> Entry:
        return parts.entry(part.index, bot_id=client.number, header=face is not None, text=part.text.text)


def _topic(failure: Failure) -> bool:
    return "topic" in failure.words.casefold()


def _reply(part: Part, chat_id: int) -> ReplyParameters | None:
    """A reply to the message answered, if it stands in this very chat (not in the group it once was)."""
    if not part.first or part.reply_to is None:
        return None
    try:
        chat, message = numbers_of(part.reply_to)
    except ValueError:
        return None
    if chat != chat_id:
        return None
    return ReplyParameters(message_id=message, allow_sending_without_reply=True)
