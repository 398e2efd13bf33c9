"""How people are forgotten: everything made of their words, and on wish the words themselves.

Their words are what they said and what agents answered them: an answer repeats what it answers.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

import sqlalchemy as sa

from orchestration.events import EventKind
from orchestration.memory.records import NOBODY, Forgotten
from orchestration.memory.terms import names_known
from storage.connection import Connection
from storage.memories import ids_of_person
from storage.memory_tables import memories, memory_sources, relationships, summary_lines, summary_sources
from storage.tables import events, group_chats, messages, outbox, turns

_NAMING = (EventKind.MESSAGE_STORED.value, EventKind.MESSAGE_MERGED.value)
"""Events that name a message's author."""
_UNDER_WAY = ("queued", "running")
_ON_ITS_WAY = ("planned", "sending")
_RENAME = sa.update(events).where(events.c.chat_id == sa.bindparam("chat"), events.c.seq == sa.bindparam("number"))


class Forgetting:
    """One person of one tenant. The chats have to be locked by the transaction."""

    def __init__(self, connection: Connection, tenant_id: int, person_id: str, chat_ids: list[int]) -> None:
        self._db = connection
        self._tenant_id = tenant_id
        self._person_id = person_id
        self._chats = sa.select(group_chats.c.id).where(group_chats.c.tenant_id == tenant_id)
        self._chat_ids = chat_ids

    async def run(self, *, texts: bool, at: datetime) -> Forgotten:
        await self._db.overwrite()
        gone = Forgotten(
            memories=await self._memories(),
            lines=await self._lines(),
            relationships=await self._relationships(),
            messages=await self._count(self._said()) if texts else 0,
            answers=await self._count(self._answered()) if texts else 0,
        )
        if texts:
            await self._texts(at)
            await self._posts()
            await self._names()
        return gone

    # ------------------------------------------------------------------------------------------ what was learnt

    async def _memories(self) -> int:
        heard = sa.select(memory_sources.c.memory_id).where(
            memory_sources.c.chat_id.in_(self._chats), self._from_words(memory_sources)
        )
        theirs = sa.or_(memories.c.id.in_(ids_of_person(self._tenant_id, self._person_id)), memories.c.id.in_(heard))
        gone = await self._db.run(sa.delete(memories).where(theirs))
        naming = await self._naming()
        return gone + (await self._db.run(sa.delete(memories).where(memories.c.id.in_(naming))) if naming else 0)

    async def _naming(self) -> list[str]:
        """Memories of others that name them: "I moved in with Olga"."""
        called = (
            sa.select(messages.c.author_name, sa.func.min(messages.c.sent_at).label("since"))
            .where(self._said(), messages.c.author_name != NOBODY)
            .group_by(messages.c.author_name)
        )
        since = {row.author_name: row.since for row in await self._db.rows(called, long=True)}
        if not since:
            return []
        # A database knows less than `names_known` of capitals and of signs that look alike: all texts are read.
        query = sa.select(memories.c.id, memories.c.text, memories.c.created_at).where(
            memories.c.chat_id.in_(self._chats)
        )
        return [row.id for row in await self._db.rows(query, long=True) if names_known(row.text, row.created_at, since)]

    async def _lines(self) -> int:
        rests = sa.exists().where(
            summary_sources.c.chat_id == summary_lines.c.chat_id,
            summary_sources.c.number == summary_lines.c.number,
            self._from_words(summary_sources),
        )
        return await self._db.run(sa.delete(summary_lines).where(summary_lines.c.chat_id.in_(self._chats), rests))

    async def _relationships(self) -> int:
        known = sa.delete(relationships).where(
            relationships.c.tenant_id == self._tenant_id, relationships.c.person_id == self._person_id
        )
        return await self._db.run(known)

    def _from_words(self, sources: sa.Table) -> sa.ColumnElement[bool]:
        answer = sa.exists().where(
            messages.c.chat_id == sources.c.chat_id,
            messages.c.seq == sources.c.seq,
            messages.c.agent_id.is_not(None),
            turns.c.id == messages.c.turn_id,
            turns.c.person_id == self._person_id,
        )
        return sa.or_(sources.c.person_id == self._person_id, answer)

    # ------------------------------------------------------------------------------------------ the words

    def _said(self, table: Any = messages) -> sa.ColumnElement[bool]:
        return sa.and_(table.c.chat_id.in_(self._chats), table.c.author_id == self._person_id)

    def _answered(self, table: Any = messages) -> sa.ColumnElement[bool]:
        """What agents answered them; not what is still being said."""
        return sa.and_(
            table.c.chat_id.in_(self._chats), table.c.agent_id.is_not(None), table.c.turn_id.in_(self._turns())
        )

    def _turns(self, *, under_way: bool = False) -> sa.Select[Any]:
        """Ids of the turns that answer them; with ``under_way`` also of those that still do."""
        query = sa.select(turns.c.id).where(turns.c.tenant_id == self._tenant_id, turns.c.person_id == self._person_id)
        return query if under_way else query.where(turns.c.status.not_in(_UNDER_WAY))

    async def _count(self, which: sa.ColumnElement[bool]) -> int:
        """How many of them still have their text."""
        query = (
            sa.select(sa.func.count().label("n")).select_from(messages).where(which, messages.c.deleted_at.is_(None))
        )
        return int((await self._db.rows(query, long=True))[0].n)

    async def _texts(self, at: datetime) -> None:
        quoted = messages.alias("quoted")
        quotes = sa.exists().where(
            quoted.c.chat_id == messages.c.chat_id,
            quoted.c.seq == messages.c.reply_to_seq,
            sa.or_(self._said(quoted), self._answered(quoted)),
        )
        await self._db.run(
            sa.update(messages).where(messages.c.chat_id.in_(self._chats), quotes), {"reply_text": ""}, long=True
        )
        theirs = sa.or_(self._said(), self._answered())
        gone: dict[str, Any] = dict(text="", reply_text="", attachments=(), deleted_at=at)
        await self._db.run(sa.update(messages).where(theirs, messages.c.deleted_at.is_(None)), gone, long=True)
        await self._db.run(sa.update(messages).where(self._said()), {"author_name": NOBODY}, long=True)

    async def _posts(self) -> None:
        """Replies as they were handed to the platform, and questions that were put to the person."""
        theirs = sa.and_(
            outbox.c.chat_id.in_(self._chats),
            sa.or_(outbox.c.turn_id.in_(self._turns()), outbox.c.person_id == self._person_id),
            outbox.c.state.not_in(_ON_ITS_WAY),
        )
        await self._db.run(sa.update(outbox).where(theirs), {"text": ""}, long=True)

    async def _names(self) -> None:
        """The name in the events of what they said."""
        for chat_id in self._chat_ids:
            mine = sa.select(messages.c.seq).where(
                messages.c.chat_id == chat_id, messages.c.author_id == self._person_id
            )
            seqs = {row.seq for row in await self._db.rows(mine, long=True)}
            if not seqs:
                continue
            told = sa.select(events.c.seq, events.c.content).where(
                events.c.chat_id == chat_id,
                events.c.kind.in_(_NAMING),
                sa.or_(events.c.turn_id.is_(None), events.c.turn_id.in_(self._turns(under_way=True))),
            )
            nameless = [
                {"chat": chat_id, "number": row.seq, "content": {**row.content, "author": NOBODY}}
                for row in await self._db.rows(told, long=True)
                if row.content.get("message_seq") in seqs
            ]
            if nameless:
                await self._db.run(_RENAME, nameless, long=True)
