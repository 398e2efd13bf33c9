"""Posts one part of one outbox item exactly once: under the persona where possible, else by the bot's account.

A part is journaled before its send; when the outcome is unknown, it is looked for before anything is sent again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final

import discord

from adapters.discord.faces import avatar_url, safe_name
from adapters.discord.hook_records import Hook
from adapters.discord.journal import Echoes, Note, PartJournal, pick, seen_in
from adapters.discord.notices import Notices
from adapters.discord.plan import Plan, Planner, choice_view
from adapters.discord.speakers import Speakers
from adapters.discord.transport import READING_FAULTS, Busy, Interrupted
from adapters.discord.webhooks import INVALID_TOKEN, UNKNOWN_CHANNEL, UNKNOWN_WEBHOOK, NoHook, Webhooks
from adapters.discord.wire import HISTORY_PAGE, Wire
from orchestration.errors import DeliveryLater, DeliveryRefused
from orchestration.model import GroupChat, OutboxItem, OutboxKind
from orchestration.ports import Storage

_log = logging.getLogger(__name__)

MISSING_ACCESS, MISSING_PERMISSIONS, TOO_LARGE = 50001, 50013, 40005
INVALID_FORM, ARCHIVED, LOCKED = 50035, 50083, 160005
PERSONA_TRIES: Final = 4
PATIENCE_S: Final = 600.0
"""How long one part is tried while Discord is out of reach."""
FIRST_PAUSE_S, LAST_PAUSE_S = 0.5, 20.0
PAGES: Final = 10
"""How far it is looked for in a busy channel: a thousand messages."""
LOOKS_S: Final = (0.2, 0.8, 2.0)
"""When to look for a post whose outcome is unknown: a slow server may still be at it."""


@dataclass(slots=True, kw_only=True)
class Job:
    """One item on its way: where it goes, what has been journaled, how it is shown at the moment."""

    chat: GroupChat
    item: OutboxItem
    place: int
    parent: int
    plan: Plan
    journal: PartJournal
    as_bot: bool

    @property
    def thread(self) -> int | None:
        return self.place if self.place != self.parent else None

    @property
    def trigger(self) -> int:
        external = self.item.reply_to_external or ""
        return int(external) if external.isdecimal() else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Face:
    """Under which name and picture a part is tried."""

    name: str
    avatar: str


class Poster:
    """`post` is all; what it needs to know of the item is in its `Job`."""

    def __init__(
        self,
        *,
        wire: Wire,
        webhooks: Webhooks,
        storage: Storage,
        planner: Planner,
        notices: Notices,
        echoes: Echoes,
        speakers: Speakers,
    ) -> None:
        self._wire = wire
        self._webhooks = webhooks
        self._storage = storage
        self._planner = planner
        self._notices = notices
        self._echoes = echoes
        self._speakers = speakers

    async def post(self, job: Job, index: int) -> None:
        """Posts one part, however many tries that takes; raises DeliveryRefused or DeliveryLater."""
        if job.journal.in_doubt(index) and await self._found(job, index, waits=LOOKS_S[:1]):
            return
        loop = asyncio.get_running_loop()
        until, pause = loop.time() + PATIENCE_S, FIRST_PAUSE_S
        while True:
            try:
                await self._send(job, index)
                return
            except Busy as busy:
                wait = busy.retry_after_s
            except discord.NotFound:
                raise DeliveryRefused(f"discord_{UNKNOWN_CHANNEL}") from None
            except (Interrupted, discord.DiscordServerError) as fault:
                unknown = not isinstance(fault, Interrupted) or fault.reached
                if unknown and await self._found(job, index, waits=LOOKS_S):
                    return
                wait, pause = pause, min(pause * 2, LAST_PAUSE_S)
                _log.warning("discord: part %s of %s not posted yet: %s", index, job.item.id, _brief(fault))
            if loop.time() + wait > until:
                raise DeliveryLater("Discord is out of reach", wait)
            await asyncio.sleep(wait)

    async def _send(self, job: Job, index: int) -> None:
        """One try: under the persona where that is possible, else by the bot."""
        if job.item.kind is not OutboxKind.REPLY or job.as_bot:
            await self._send_as_bot(job, index)
            return
        try:
            await self._send_as_persona(job, index)
        except NoHook as reason:
            await self._notices.no_persona(job.chat, reason)
            await self._show_as_bot(job)
            await self._send_as_bot(job, index)

    async def _show_as_bot(self, job: Job) -> None:
        """Changes the plan: the bot's account speaks, with the name in bold before the words."""
        job.as_bot = True
        if not job.journal.posted:
            job.plan = await self._planner.of(job.chat, job.item, job.plan.agent, as_bot=True)

    async def _send_as_persona(self, job: Job, index: int) -> None:
        face = _Face(name=job.plan.name, avatar=job.plan.avatar)
        for _ in range(PERSONA_TRIES):
            hook = await self._webhooks.of(job.parent)
            try:
                if await self._executed(job, index, hook, face):
                    return
            except discord.HTTPException as error:
                face = await self._mended(job, hook, face, error)
        raise NoHook("refused", error="persona")

    async def _executed(self, job: Job, index: int, hook: Hook, face: _Face) -> bool:
        """Posts through the webhook; False when that turns out to be another channel's (nothing is left there)."""
        part = job.plan.parts[index]
        note = Note(place=job.place, hook=hook.id, parent=job.parent, name=face.name, after=self._newest(job))
        await job.journal.begin(index, part, note)
        done = await self._wire.execute(
            hook.id,
            hook.token,
            part=part,
            username=face.name,
            avatar_url=face.avatar,
            mentions=job.plan.mentions,
            thread_id=job.thread,
        )
        self._webhooks.worked(hook)
        message_id = int(done["id"])
        if int(done.get("channel_id") or job.place) not in (job.place, job.parent):
            with contextlib.suppress(discord.HTTPException):
                await self._wire.delete_execution(hook.id, hook.token, message_id, thread_id=None)
            await self._webhooks.moved(job.parent, hook)
            return False
        await job.journal.done(index, part, note, message_id)
        self._echoes.note(job.place, message_id)
        self._speakers.spoke(job.place, f"agent:{job.item.agent_id}", face.name)
        return True

    async def _mended(self, job: Job, hook: Hook, face: _Face, error: discord.HTTPException) -> _Face:
        """With which face to try again after a refusal; raises what the caller can do about it where that is no use."""
        agent = job.item.agent_id or ""
        if error.code in (UNKNOWN_WEBHOOK, INVALID_TOKEN):
            await self._webhooks.lost(job.parent, hook)
            return face
        if error.code == UNKNOWN_CHANNEL and not await self._webhooks.stands(job.parent, hook):
            return face  # the webhook is another channel's now, and the thread is none of that one's
        if error.code == INVALID_FORM and "username" in error.text and face.name == job.plan.name:
            return replace(face, name=safe_name(face.name, agent))
        if error.code == INVALID_FORM and "avatar" in error.text:
            return replace(face, avatar=avatar_url("", agent))
        raise self._refused(error) from None

    def _refused(self, error: discord.HTTPException) -> Exception:
        """Discord's answer as what the caller can do about it."""
        if isinstance(error, discord.DiscordServerError):
            return error
        if error.status == 429:
            return Busy(LAST_PAUSE_S)
        if error.code in (MISSING_ACCESS, MISSING_PERMISSIONS) or isinstance(error, discord.Forbidden):
            return NoHook("no_permission")
        if error.code in (UNKNOWN_CHANNEL, LOCKED, ARCHIVED):
            return DeliveryRefused(f"discord_{error.code}")
        return NoHook("refused", error=error.code or error.status)

    async def _send_as_bot(self, job: Job, index: int) -> None:
        part = job.plan.parts[index]
        note = Note(place=job.place, parent=job.parent, after=self._newest(job))
        await job.journal.begin(index, part, note)
        last = index == len(job.plan.parts) - 1
        nonce = sha256(f"{job.item.id}|{index}|{job.item.revision}".encode()).hexdigest()[:24]
        try:
            done = await self._wire.post(
                job.place,
                part,
                nonce=nonce,
                mentions=job.plan.mentions,
                view=choice_view(job.item) if last else None,
            )
        except discord.DiscordServerError:
            raise
        except discord.HTTPException as error:
            if error.status == 429:
                raise Busy(LAST_PAUSE_S) from None
            if part.file is not None and error.code in (MISSING_PERMISSIONS, TOO_LARGE):
                # No right to attach: the words go out in parts, however many.
                job.plan = await self._planner.of(
                    job.chat, job.item, job.plan.agent, as_bot=job.as_bot, may_attach=False
                )
                await self._send_as_bot(job, index)
                return
            if isinstance(error, discord.Forbidden):
                await self._notices.silenced(job.chat)
            raise DeliveryRefused(f"discord_{error.code or error.status}") from None
        await job.journal.done(index, part, note, int(done["id"]))
        self._echoes.note(job.place, int(done["id"]))
        self._speakers.spoke(job.place, "bot", "")

    async def _found(self, job: Job, index: int, *, waits: tuple[float, ...]) -> bool:
        """Looks for a part whose send was begun: in what the gateway told, then in the channel's history."""
        row = job.journal.row(index)
        note = Note.from_text(row.note) if row is not None else None
        if row is None or note is None:
            return False
        part = job.plan.parts[index]
        for wait in waits:
            await asyncio.sleep(wait)
            candidates = self._echoes.of(job.place)
            try:
                candidates += [seen_in(m) for m in await self._history(job, note) if self._is_ours(m)]
            except READING_FAULTS as error:
                _log.warning("discord: history of %s not read: %s", job.place, type(error).__name__)
            taken = job.journal.ids | await self._taken(job, [one.id for one in candidates])
            found = pick(candidates, part=part, note=note, taken=taken)
            if found is not None:
                await job.journal.done(index, part, note, found.id)
                return True
        return False

    def _newest(self, job: Job) -> int:
        return max(job.trigger, self._echoes.newest(job.place))

    async def _history(self, job: Job, note: Note) -> list[dict[str, Any]]:
        """What was said there since the first try; where nothing is known of that, the newest messages."""
        after, found = note.after or job.trigger, list[dict[str, Any]]()
        for _ in range(PAGES):
            page = await self._wire.history(job.place, after=after or None)
            found += page
            if not after or len(page) < HISTORY_PAGE:
                break
            after = int(page[-1]["id"])
        return found

    def _is_ours(self, message: dict[str, Any]) -> bool:
        hook, application = message.get("webhook_id"), message.get("application_id")
        if hook:
            return self._webhooks.is_own(int(hook), int(application) if application else None)
        return self._wire.is_bot(message)

    async def _taken(self, job: Job, ids: list[int]) -> frozenset[int]:
        """Those of the posts that are known to be another reply's."""
        async with self._storage.read() as uow:
            known = [one for one in ids if await uow.messages.by_external(job.chat.id, str(one)) is not None]
        return frozenset(known)


def _brief(fault: Exception) -> str:
    return str(fault) if isinstance(fault, Interrupted) else f"HTTP {getattr(fault, 'status', '?')}"
