"""Outbox items -> Telegram messages, each exactly once; edits and removals of what was posted."""

from __future__ import annotations

import logging

from telegram import InlineKeyboardMarkup

from adapters.telegram.bots import Bots
from adapters.telegram.buttons import Buttons
from adapters.telegram.calls import CallFailed, Calls
from adapters.telegram.failures import Action
from adapters.telegram.gates import Gates
from adapters.telegram.groups import Groups
from adapters.telegram.journal import Parts, Sent, fingerprint, sent_of
from adapters.telegram.limiter import Priority
from adapters.telegram.markup import Marked, entities, header, marked, plain, units
from adapters.telegram.posting import NO_PREVIEW, Keyboard, Part, Posting, Where
from adapters.telegram.splitting import LIMIT, split
from adapters.telegram.telling import Telling
from orchestration.errors import DeliveryLater, DeliveryRefused, DeliveryUnknown
from orchestration.model import AgentCard, GroupChat, OutboxItem, OutboxKind, OutboxState
from orchestration.ports import Storage

logger = logging.getLogger(__name__)


class Delivery:
    """One item of a chat (or topic) at a time, in the order in which they are asked for."""

    def __init__(
        self,
        *,
        bots: Bots,
        groups: Groups,
        posting: Posting,
        calls: Calls,
        buttons: Buttons,
        telling: Telling,
        storage: Storage,
        locale: str,
    ) -> None:
        self._bots = bots
        self._groups = groups
        self._posting = posting
        self._calls = calls
        self._buttons = buttons
        self._telling = telling
        self._storage = storage
        self._locale = locale
        self._gates = Gates()

    async def deliver(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        """Posts what is not posted yet. Raises DeliveryLater, DeliveryRefused or DeliveryUnknown at the end.

        A part that failed does not keep the later ones back.
        """
        async with self._gates.through(str(chat.key)):
            where = self._posting.where(chat.key)
            if not self._groups.of(where.chat_id).inside:
                raise DeliveryRefused("the host is not in this group")
            parts = await Parts.of(self._storage, item.id)
            states = [
                await self._settled(where, part, agent, parts)
                for part in _parts(chat, item, agent, self._keyboard(chat, item))
            ]
        await self._tell(chat, where)
        _raise(states)

    async def _tell(self, chat: GroupChat, where: Where) -> None:
        for fell in where.fell:
            await self._telling.fallback(chat, where, fell)

    def _keyboard(self, chat: GroupChat, item: OutboxItem) -> Keyboard:
        """Buttons for what the host posts, made when it does: an agent's own bot hears no presses, so it gets none."""
        made: list[InlineKeyboardMarkup | None] = []

        async def keyboard() -> InlineKeyboardMarkup | None:
            if not made:
                made.append(await self._buttons.under(item, chat.settings.locale or self._locale))
            return made[0]

        return keyboard

    async def _settled(self, where: Where, part: Part, agent: AgentCard | None, parts: Parts) -> OutboxState:
        state = parts.state(part.index)
        if state is OutboxState.SENDING:  # under way when a process died: nobody can know
            await parts.set(part.index, OutboxState.UNKNOWN)
            state = OutboxState.UNKNOWN
        if state is not OutboxState.PLANNED:
            return state
        return await self._posting.post(where, part, agent, parts)

    # ------------------------------------------------------------------------------------------ afterwards

    async def replace(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        """Edits the posted parts to the new text; further parts are posted, surplus ones deleted."""
        async with self._gates.through(str(chat.key)):
            where = self._posting.where(chat.key)
            parts = await Parts.of(self._storage, item.id)
            wanted = _parts(chat, item, agent, self._keyboard(chat, item))
            states = []
            for part in wanted:
                row = parts.rows.get(part.index)
                sent = sent_of(row) if row else None
                if row is None or sent is None or row.state is not OutboxState.SENT:
                    states.append(await self._settled(where, part, agent, parts))
                elif row.content_hash != fingerprint(part.text.text):
                    states.append(await self._edited(where, part, agent, parts, sent))
            for index in sorted(set(parts.rows) - {p.index for p in wanted}):
                await self._taken_back(parts, index)
        await self._tell(chat, where)
        _raise(states)

    async def _edited(self, where: Where, part: Part, agent: AgentCard | None, parts: Parts, sent: Sent) -> OutboxState:
        client = self._bots.by_number(sent.bot_id)
        if client is None:
            return OutboxState.FAILED
        face = agent if sent.header else None
        text = part.text.after(header(face)) if face is not None and part.first else part.text
        keyboard = await part.keyboard() if part.keyboard and client is self._bots.host else None
        entry = parts.entry(part.index, bot_id=sent.bot_id, header=sent.header, text=part.text.text)
        try:
            await self._calls.write(
                client,
                sent.chat_id,
                Priority.FINAL_EDIT,
                lambda: client.edit_message_text(
                    text.text,
                    chat_id=sent.chat_id,
                    message_id=sent.message_id,
                    entities=entities(text),
                    reply_markup=keyboard,
                    link_preview_options=NO_PREVIEW,
                ),
                repeatable=True,
            )
        except CallFailed as error:
            if error.failure.action is Action.ANEW:
                return await self._posting.post(where, part, agent, parts)
            if error.failure.action is not Action.DONE:
                logger.warning("an edit of %s failed: %s", parts.outbox_id, error.failure.words)
                return OutboxState.FAILED
        await entry.sent(sent.chat_id, sent.message_id)
        return OutboxState.SENT

    async def withdraw(self, chat: GroupChat, item: OutboxItem) -> None:
        """Deletes every part that has a number. Raises DeliveryRefused when the platform keeps one."""
        async with self._gates.through(str(chat.key)):
            parts = await Parts.of(self._storage, item.id)
            gone = [await self._taken_back(parts, index) for index in sorted(parts.rows)]
        await self._buttons.forget(item.id, tuple(c.id for c in item.choices))
        if not all(gone):
            raise DeliveryRefused("a part could not be deleted")

    async def _taken_back(self, parts: Parts, index: int) -> bool:
        row = parts.rows[index]
        sent = sent_of(row)
        client = self._bots.by_number(sent.bot_id) if sent else None
        if row.state is not OutboxState.SENT or sent is None or client is None:
            return row.state is OutboxState.WITHDRAWN
        try:
            await self._calls.write(
                client,
                sent.chat_id,
                Priority.FINAL_EDIT,
                lambda: client.delete_message(sent.chat_id, sent.message_id),
                repeatable=True,
            )
        except CallFailed as error:
            if error.failure.action is not Action.DONE:
                logger.warning("part %s of %s could not be deleted: %s", index, parts.outbox_id, error.failure.words)
                return False
        await parts.set(index, OutboxState.WITHDRAWN)
        return True


def texts_of(item: OutboxItem, agent: AgentCard | None) -> list[Marked]:
    """The bodies of an item's parts. The first leaves room for the header, whether or not it is used: so the cuts are
    the same when a later part, or a restart, finds another look.
    """
    if item.kind is OutboxKind.NOTICE:
        return split(plain(item.text))
    whole = marked(item.text)
    room = units(header(agent).text) if agent is not None else 0
    return split(whole, limit=LIMIT, first_limit=LIMIT - room)


def _parts(chat: GroupChat, item: OutboxItem, agent: AgentCard | None, keyboard: Keyboard) -> list[Part]:
    texts = texts_of(item, agent)
    quiet = chat.settings.mention_policy == "nobody"
    replies = item.kind is not OutboxKind.REPLY or item.idx == 0 or not item.reply_to_is_last
    last = len(texts) - 1
    return [
        Part(
            index=index,
            text=body,
            first=index == 0,
            reply_to=item.reply_to_external if replies else None,
            keyboard=keyboard if index == last else None,
            silent=quiet,
        )
        for index, body in enumerate(texts)
    ]


def _raise(states: list[OutboxState]) -> None:
    if OutboxState.UNKNOWN in states:
        raise DeliveryUnknown("a part may or may not have arrived")
    if OutboxState.FAILED in states:
        raise DeliveryRefused("a part was refused")
    if any(s is not OutboxState.SENT for s in states):
        raise DeliveryLater("a part is not posted yet", 1.0)
