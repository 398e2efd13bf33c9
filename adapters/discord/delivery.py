"""The adapter's `deliver`, `replace` and `withdraw`: one outbox item at a time and place, never half done unnoticed."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import replace
from typing import Any

import discord

from adapters.discord.addresses import place_id
from adapters.discord.faces import looks
from adapters.discord.journal import Note, PartJournal
from adapters.discord.lanes import Lanes
from adapters.discord.plan import Planner, button_id
from adapters.discord.posting import ARCHIVED, Job, Poster
from adapters.discord.scope import SCOPE
from adapters.discord.speakers import Speakers
from adapters.discord.transport import Interrupted
from adapters.discord.typing import Typing
from adapters.discord.webhooks import INVALID_TOKEN, Webhooks
from adapters.discord.wire import Wire
from adapters.discord.wording import Part
from orchestration.errors import DeliveryLater
from orchestration.model import AgentCard, GroupChat, OutboxItem, OutboxKind
from orchestration.ports import Storage

_log = logging.getLogger(__name__)

UNKNOWN_MESSAGE = 10008
CLOSING_S = 60.0


class _HookGone(Exception):
    """The webhook of a post is not there any more: nobody can change the post."""


class Delivery:
    """`deliver`, `replace` and `withdraw` of the adapter. One item at a time per place; a cancelled caller leaves
    the send to its end, so that its outcome is journaled.
    """

    def __init__(
        self,
        *,
        wire: Wire,
        webhooks: Webhooks,
        storage: Storage,
        planner: Planner,
        poster: Poster,
        typing: Typing,
        speakers: Speakers,
    ) -> None:
        self._wire = wire
        self._webhooks = webhooks
        self._storage = storage
        self._planner = planner
        self._poster = poster
        self._typing = typing
        self._speakers = speakers
        self._lanes = Lanes()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closing = False
        self.deleted_by_us: set[int] = set()
        """Ids of posts that we deleted: their deletion is no news."""

    # ---------------------------------------------------------------- the port's calls

    async def deliver(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        await self._kept(self._deliver(chat, item, agent))

    async def replace(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        await self._kept(self._replace(chat, item, agent))

    async def withdraw(self, chat: GroupChat, item: OutboxItem) -> None:
        await self._kept(self._withdraw(chat, item))

    async def _kept(self, work: Coroutine[Any, Any, None]) -> None:
        if self._closing:
            work.close()
            raise DeliveryLater("the process is closing", CLOSING_S)
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        await asyncio.shield(task)

    async def close(self, *, within_s: float = 5.0) -> None:
        """Begins nothing new, and lets sends that are under way end and be journaled; what takes longer is
        reconciled after the next start.
        """
        self._closing = True
        if self._tasks:
            _, late = await asyncio.wait(self._tasks, timeout=within_s)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    # ---------------------------------------------------------------- posting

    async def _job(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> Job:
        place = place_id(chat.key)
        journal = await PartJournal.read(self._storage, item.id)
        before = journal.rows[0] if journal.rows else None
        note = Note.from_text(before.note) if before is not None else None
        as_bot = item.kind is OutboxKind.REPLY and note is not None and not note.hook
        unlike = self._speakers.name_before(place, f"agent:{item.agent_id}")
        plan = await self._planner.of(chat, item, agent, unlike=unlike, as_bot=as_bot)
        shown = self._speakers.shown_as(place, f"agent:{item.agent_id}")
        if shown and looks(shown) == looks(plan.name):
            plan = replace(plan, name=shown)
        parent = int(chat.key.channel_id)
        return Job(chat=chat, item=item, place=place, parent=parent, plan=plan, journal=journal, as_bot=as_bot)

    async def _deliver(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        async with self._lanes.of(place_id(chat.key)):
            job = await self._job(chat, item, agent)
            await self._keep_choices(job)
            await self._typing.stop(job.place)
            index = 0
            while index < len(job.plan.parts):
                if not job.journal.is_posted(index):
                    await self._poster.post(job, index)
                index += 1

    async def _keep_choices(self, job: Job) -> None:
        """What the buttons stand for, stored before they can be pressed."""
        if not job.item.choices:
            return
        async with self._storage.begin() as uow:
            for choice in job.item.choices:
                payload = {"choice": choice.id, "label": choice.label, "person": job.item.person_id}
                await uow.platform_state.put(SCOPE, button_id(job.item, choice.id), dict(payload))

    # ---------------------------------------------------------------- regenerate and remove

    async def _replace(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        async with self._lanes.of(place_id(chat.key)):
            job = await self._job(chat, item, agent)
            await self._typing.stop(job.place)
            for index, part in enumerate(job.plan.parts):
                if not await self._stands(job, index, part):
                    await self._poster.post(job, index)
            for row in job.journal.posted:
                if row.part >= len(job.plan.parts):
                    await self._erase(job, row.external_id or "", Note.from_text(row.note))
                    await job.journal.withdrawn(row)

    async def _stands(self, job: Job, index: int, part: Part) -> bool:
        """Whether the part is posted with its new text, by an edit if need be."""
        row = job.journal.row(index)
        if row is None or row.external_id is None or not job.journal.is_posted(index):
            return False
        return row.content_hash == part.hash or await self._edited(job, index, part)

    async def _edited(self, job: Job, index: int, part: Part) -> bool:
        """Changes a posted part; False when it has to be posted anew (gone, archived, or a file is involved)."""
        row = job.journal.row(index)
        note = Note.from_text(row.note) if row is not None else None
        if row is None or note is None or row.external_id is None:
            return False
        message_id = int(row.external_id)
        if part.file is not None:
            await self._erase(job, row.external_id, note)
            return False
        try:
            await self._change(job, note, message_id, part)
        except (discord.NotFound, discord.Forbidden, _HookGone):
            return False
        except discord.HTTPException as error:
            if error.code in (ARCHIVED, INVALID_TOKEN):
                return False
            raise
        except Interrupted as fault:
            raise DeliveryLater(str(fault), 2.0) from None
        await job.journal.done(index, part, note, message_id)
        return True

    async def _change(self, job: Job, note: Note, message_id: int, part: Part) -> None:
        hook = await self._webhooks.token_of(note.parent, note.hook) if note.hook else None
        thread = note.place if note.place != note.parent else None
        if hook is not None:
            await self._wire.edit_execution(
                hook.id,
                hook.token,
                message_id,
                content=part.content,
                mentions=job.plan.mentions,
                thread_id=thread,
            )
        elif note.hook:
            await self._erase(job, str(message_id), note)
            raise _HookGone
        else:
            await self._wire.edit(note.place, message_id, content=part.content, mentions=job.plan.mentions)

    async def _withdraw(self, chat: GroupChat, item: OutboxItem) -> None:
        async with self._lanes.of(place_id(chat.key)):
            job = await self._job(chat, item, None)
            for row in reversed(job.journal.posted):
                await self._erase(job, row.external_id or "", Note.from_text(row.note))
                await job.journal.withdrawn(row)

    async def _erase(self, job: Job, external_id: str, note: Note | None) -> None:
        """Deletes a post: through its webhook, else as the bot (which needs Manage Messages). Gone already is fine."""
        message_id = int(external_id)
        place = note.place if note is not None else job.place
        hook = await self._webhooks.token_of(note.parent, note.hook) if note is not None and note.hook else None
        self.deleted_by_us.add(message_id)
        try:
            if hook is not None:
                thread = place if note is not None and place != note.parent else None
                await self._wire.delete_execution(hook.id, hook.token, message_id, thread_id=thread)
                return
        except discord.HTTPException as error:
            if error.code == UNKNOWN_MESSAGE:
                return
        try:
            await self._wire.delete(place, message_id)
        except discord.NotFound:
            return
        except discord.Forbidden:
            _log.warning("discord: not allowed to delete a post in %s", place)
