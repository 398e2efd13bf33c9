"""What was said: numbered in its chat, never lost, edited in place, deleted to a tombstone."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from orchestration.errors import StorageError
from orchestration.model import (
    AgentCard,
    AgentTally,
    Attachment,
    Authorship,
    IncomingMessage,
    Message,
    MessageKind,
    Person,
    Usage,
)
from storage.connection import Connection
from storage.records import packed_all, unpacked_all
from storage.tables import WITHOUT_TURN, group_chats, messages, outbox, outbox_parts
from storage.tallies import tally_agents

_ALL = sa.select(messages).where(messages.c.chat_id == sa.bindparam("chat"))
_BY_SEQ = _ALL.where(messages.c.seq == sa.bindparam("at"))
_BY_EXTERNAL = _ALL.where(messages.c.external_id == sa.bindparam("external"))
_POSTED_AS = (
    sa.select(outbox.c.message_seq)
    .join(outbox_parts, outbox_parts.c.outbox_id == outbox.c.id)
    .where(
        outbox_parts.c.chat_id == sa.bindparam("chat"),
        outbox_parts.c.external_id == sa.bindparam("external"),
        outbox.c.message_seq.is_not(None),
    )
    .limit(1)
)
_RECENT = (
    _ALL.where(messages.c.deleted_at.is_(None), messages.c.seq < sa.bindparam("before"))
    .order_by(messages.c.seq.desc())
    .limit(sa.bindparam("most"))
)
_RANGE = _ALL.where(messages.c.seq.between(sa.bindparam("first"), sa.bindparam("last"))).order_by(messages.c.seq)
_WITHOUT_TURN = (
    sa.select(messages).where(WITHOUT_TURN).order_by(messages.c.chat_id, messages.c.seq).limit(sa.bindparam("most"))
)
_COUNT = (
    sa.update(group_chats)
    .where(group_chats.c.id == sa.bindparam("chat"))
    .values(message_seq=group_chats.c.message_seq + 1)
    .returning(group_chats.c.message_seq)
)
_INSERT = sa.insert(messages).returning(messages)
_UPDATE = (
    sa.update(messages)
    .where(messages.c.chat_id == sa.bindparam("chat"), messages.c.seq == sa.bindparam("at"))
    .returning(messages)
)
_LAST_SEQ = 2**31 - 1


class SqlMessages:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def add_human(self, chat_id: int, message: IncomingMessage) -> tuple[Message, bool]:
        await self._db.lock_chat(chat_id)
        known = await self._one(_BY_EXTERNAL, chat=chat_id, external=message.external_id)
        if known is not None:
            return known, False
        answered = None
        if message.reply_to is not None:
            answered = await self.by_external(chat_id, message.reply_to)
        values = dict(
            kind=MessageKind.HUMAN,
            author_id=message.author.id,
            author_name=message.author.name,
            text=message.text,
            sent_at=message.sent_at,
            external_id=message.external_id,
            reply_to_seq=None if answered is None else answered.seq,
            reply_text=message.reply_text,
            wants_turn=message.wants_turn,
            mentioned_agents=message.mentioned_agents,
            mentioned_people=message.mentioned_people,
            attachments=packed_all(message.attachments),
        )
        return await self._add(chat_id, values), True

    async def add_agent(
        self,
        chat_id: int,
        *,
        agent: AgentCard,
        text: str,
        turn_id: str,
        reply_to_seq: int | None,
        authorship: Authorship,
        at: datetime,
    ) -> Message:
        await self._db.lock_chat(chat_id)
        values = dict(
            kind=MessageKind.AGENT,
            author_id=f"agent:{agent.id}",
            author_name=agent.name,
            text=text,
            sent_at=at,
            agent_id=agent.id,
            reply_to_seq=reply_to_seq,
            reply_text="",
            turn_id=turn_id,
            wants_turn=False,
            mentioned_agents=(),
            mentioned_people=(),
            attachments=(),
            **_authorship_values(authorship),
        )
        return await self._add(chat_id, values)

    async def get(self, chat_id: int, seq: int) -> Message | None:
        return await self._one(_BY_SEQ, chat=chat_id, at=seq)

    async def by_external(self, chat_id: int, external_id: str) -> Message | None:
        said = await self._one(_BY_EXTERNAL, chat=chat_id, external=external_id)
        if said is not None:
            return said
        row = await self._db.row(_POSTED_AS, {"chat": chat_id, "external": external_id})
        return None if row is None else await self.get(chat_id, row.message_seq)

    async def recent(self, chat_id: int, *, limit: int, before_seq: int | None = None) -> list[Message]:
        before = _LAST_SEQ if before_seq is None else before_seq
        rows = await self._db.rows(_RECENT, {"chat": chat_id, "before": before, "most": limit})
        return [_message(row) for row in reversed(rows)]

    async def range(self, chat_id: int, first_seq: int, last_seq: int) -> list[Message]:
        rows = await self._db.rows(_RANGE, {"chat": chat_id, "first": first_seq, "last": last_seq})
        return [_message(row) for row in rows]

    async def set_turn(self, chat_id: int, seq: int, turn_id: str) -> None:
        await self._update(chat_id, seq, turn_id=turn_id)

    async def edit(self, chat_id: int, external_id: str, *, text: str, at: datetime) -> Message | None:
        """A deleted message stays deleted."""
        await self._db.lock_chat(chat_id)
        found = await self.by_external(chat_id, external_id)
        if found is None or found.deleted_at is not None or found.text == text:
            return None
        return await self._update(chat_id, found.seq, text=text, edited_at=at)

    async def delete(self, chat_id: int, external_id: str, *, at: datetime) -> Message | None:
        """What came with it (files, quoted words) goes too."""
        await self._db.lock_chat(chat_id)
        found = await self.by_external(chat_id, external_id)
        if found is None or found.deleted_at is not None:
            return None
        return await self._update(chat_id, found.seq, **_tombstone(at))

    async def replace_text(self, chat_id: int, seq: int, *, text: str, authorship: Authorship, at: datetime) -> None:
        await self._update(chat_id, seq, text=text, edited_at=at, **_authorship_values(authorship))

    async def withdraw(self, chat_id: int, seq: int, *, at: datetime) -> None:
        """Once gone it stays as it is."""
        await self._db.lock_chat(chat_id)
        found = await self.get(chat_id, seq)
        if found is None or found.deleted_at is None:
            await self._update(chat_id, seq, **_tombstone(at))

    async def without_turn(self, *, limit: int = 1000) -> list[Message]:
        """In order of chat and seq; deleted ones need no turn any more."""
        return [_message(row) for row in await self._db.rows(_WITHOUT_TURN, {"most": limit})]

    async def tally(self, chat_id: int) -> list[AgentTally]:
        return await tally_agents(self._db, chat_id)

    async def _add(self, chat_id: int, values: dict[str, Any]) -> Message:
        counted = await self._db.row(_COUNT, {"chat": chat_id, "last_message_at": values["sent_at"]})
        if counted is None:
            raise StorageError("no such group chat")
        stored = await self._db.row(_INSERT, dict(chat_id=chat_id, seq=counted.message_seq, **values))
        assert stored is not None, "RETURNING gives the row"
        return _message(stored)

    async def _one(self, query: sa.Select[Any], **where: Any) -> Message | None:
        row = await self._db.row(query, where)
        return None if row is None else _message(row)

    async def _update(self, chat_id: int, seq: int, **values: Any) -> Message:
        await self._db.lock_chat(chat_id)
        row = await self._db.row(_UPDATE, {"chat": chat_id, "at": seq, **values})
        if row is None:
            raise StorageError("no such message")
        return _message(row)


def _tombstone(at: datetime) -> dict[str, Any]:
    return dict(text="", reply_text="", attachments=(), deleted_at=at)


def _authorship_values(authorship: Authorship) -> dict[str, Any]:
    usage = authorship.usage
    return dict(
        provider=authorship.provider,
        model=authorship.model,
        wire_api=authorship.wire_api,
        calls=usage.calls,
        prompt_tokens=usage.prompt_tokens,
        completion_tokens=usage.completion_tokens,
        cost=usage.cost,
        estimated=usage.estimated,
        ms=authorship.ms,
        quality=authorship.quality,
        quality_issues=authorship.quality_issues,
        revisions=authorship.revisions,
    )


def _authorship(row: sa.Row[Any]) -> Authorship | None:
    if row.provider is None:
        return None
    return Authorship(
        provider=row.provider,
        model=row.model,
        wire_api=row.wire_api,
        usage=Usage(
            calls=row.calls,
            prompt_tokens=row.prompt_tokens,
            completion_tokens=row.completion_tokens,
            cost=row.cost,
            estimated=row.estimated,
        ),
        ms=row.ms,
        quality=row.quality,
        quality_issues=tuple(row.quality_issues or ()),
        revisions=row.revisions,
    )


def _message(row: sa.Row[Any]) -> Message:
    return Message(
        chat_id=row.chat_id,
        seq=row.seq,
        kind=MessageKind(row.kind),
        author=Person(id=row.author_id, name=row.author_name),
        text=row.text,
        sent_at=row.sent_at,
        agent_id=row.agent_id,
        external_id=row.external_id,
        reply_to_seq=row.reply_to_seq,
        reply_text=row.reply_text,
        turn_id=row.turn_id,
        mentioned_agents=tuple(row.mentioned_agents),
        mentioned_people=tuple(row.mentioned_people),
        attachments=unpacked_all(Attachment, row.attachments),
        edited_at=row.edited_at,
        deleted_at=row.deleted_at,
        authorship=_authorship(row),
    )
