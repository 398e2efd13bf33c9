"""One webhook per channel, shared by all personas, kept in the database, made once however many ask at a time."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

import discord

from adapters.discord.hook_records import Hook, HookRecords, Losses
from adapters.discord.lanes import Lanes
from adapters.discord.transport import Busy, Interrupted
from adapters.discord.wire import Json, Wire
from adapters.sealing import SecretBox
from orchestration.errors import AdapterError
from orchestration.ports import Clock, Storage

_log = logging.getLogger(__name__)

NAME: Final = "Troupe"
TWICE_WITHIN: Final = timedelta(minutes=10)
DENIED_FOR: Final = timedelta(seconds=60)
FAILS_FOR: Final = timedelta(seconds=15)
"""How long the channel's webhook is asked for in vain before replies come without one."""
UNKNOWN_WEBHOOK, INVALID_TOKEN = 10015, 50027
TOO_MANY_HERE, TOO_MANY_IN_GUILD = 30007, 30058
UNKNOWN_CHANNEL: Final = 10003
TOO_MANY_IN_SERVER: Final = "too_many_webhooks_in_server"


class NoHook(AdapterError):
    """No persona post is possible in this channel now. ``reason`` is a text code without its prefix."""

    def __init__(self, reason: str, **values: object) -> None:
        self.reason = reason
        self.values = values
        super().__init__(f"no webhook: {reason}")


class Webhooks:
    """`of` gives the channel's webhook; `lost` says what to do when it turned out to be gone."""

    def __init__(
        self,
        *,
        wire: Wire,
        client: discord.Client,
        storage: Storage,
        box: Callable[[], SecretBox],
        clock: Clock,
    ) -> None:
        self._wire = wire
        self._client = client
        self._records = HookRecords(storage, box)
        self._clock = clock
        self._known: dict[int, Hook] = {}
        self._looking: dict[int, asyncio.Task[Hook]] = {}
        self._denied: dict[int, tuple[datetime, NoHook]] = {}
        self._failing_since: dict[int, datetime] = {}
        self._ids: set[int] = set()
        self._untried: set[int] = set()
        self._making: set[int] = set()
        """Channels whose next news about webhooks is that we made one."""
        self._losing = Lanes()

    def is_own(self, message_webhook_id: int | None, application_id: int | None) -> bool:
        """Whether a post came through one of our webhooks (by application; by id where that is not told)."""
        if message_webhook_id is None:
            return False
        return application_id == self._client.application_id if application_id else message_webhook_id in self._ids

    async def of(self, channel_id: int) -> Hook:
        """The channel's webhook, found or made. Raises NoHook, or discord's and the transport's errors."""
        known = self._known.get(channel_id)
        if known is not None:
            return known
        denied = self._denied.get(channel_id)
        if denied is not None and self._clock() < denied[0]:
            raise denied[1]
        task = self._looking.get(channel_id)
        if task is None:
            task = asyncio.create_task(self._look(channel_id), name=f"webhook of {channel_id}")
            self._looking[channel_id] = task
            task.add_done_callback(lambda _: self._looking.pop(channel_id, None))
        return await asyncio.shield(task)

    async def _look(self, channel_id: int) -> Hook:
        losses = await self._records.losses(channel_id)
        if losses.paused_until is not None and self._clock() < losses.paused_until:
            raise NoHook("deleted_twice")
        hook = await self._records.hook(channel_id)
        if hook is None or losses.is_ghost(hook):
            hook = await self._asked_for(channel_id, losses)
            await self._records.save_hook(channel_id, hook)
            self._untried.add(hook.id)
        self._known[channel_id] = hook
        self._ids.add(hook.id)
        return hook

    async def _asked_for(self, channel_id: int, losses: Losses) -> Hook:
        """Discord's list has it, or one is made. A refusal is remembered for a while, a long failure is one, too."""
        try:
            hook = await self._listed(channel_id, losses) or await self._made(channel_id)
        except NoHook as refused:
            self._failing_since.pop(channel_id, None)
            self._denied[channel_id] = (self._clock() + DENIED_FOR, refused)
            raise
        except (discord.DiscordServerError, Interrupted) as fault:
            since = self._failing_since.setdefault(channel_id, self._clock())
            if self._clock() - since < FAILS_FOR:
                raise
            given_up = NoHook("refused", error=getattr(fault, "status", "timeout"))
            self._denied[channel_id] = (self._clock() + DENIED_FOR, given_up)
            raise given_up from None
        self._failing_since.pop(channel_id, None)
        return hook

    async def _listed(self, channel_id: int, losses: Losses) -> Hook | None:
        """A webhook of ours that stands in the channel already; ghosts (listed, but dead) are passed over."""
        try:
            hooks = await self._wire.webhooks(channel_id)
        except discord.HTTPException as error:
            if isinstance(error, discord.NotFound) and error.code != UNKNOWN_CHANNEL:
                return None  # a server that keeps no list: what is made is kept in the database
            raise _refusal(error) from None
        mine = [Hook(id=int(h["id"]), token=str(h["token"])) for h in hooks if self._is_ours(h) and h.get("token")]
        return next((hook for hook in mine if not losses.is_ghost(hook)), None)

    def _is_ours(self, hook: Json) -> bool:
        application = hook.get("application_id")
        if application is not None:
            return int(application) == self._client.application_id
        user: Any = hook.get("user") or {}
        own = self._client.user
        return own is not None and str(user.get("id")) == str(own.id) and hook.get("name") == NAME

    async def _made(self, channel_id: int) -> Hook:
        self._making.add(channel_id)
        try:
            made = await self._wire.create_webhook(channel_id, name=NAME)
        except discord.HTTPException as error:
            self._making.discard(channel_id)
            raise _refusal(error) from None
        _log.info("discord: made a webhook in channel %s", channel_id)
        return Hook(id=int(made["id"]), token=str(made["token"]))

    def worked(self, hook: Hook) -> None:
        """A post went through it: should it go away, somebody deleted it."""
        self._untried.discard(hook.id)

    async def lost(self, channel_id: int, hook: Hook) -> None:
        """The webhook is gone. Once it is replaced; a second time within ten minutes it was meant: NoHook.

        One that never worked was a ghost in the list, which is nobody's doing.
        """
        if hook.id in self._untried:
            await self.moved(channel_id, hook)
            return
        async with self._losing.of(channel_id):
            await self._lost(channel_id, hook)

    async def _lost(self, channel_id: int, hook: Hook) -> None:
        losses = await self._records.losses(channel_id)
        if losses.is_ghost(hook):
            return  # somebody noticed before us: one loss is one loss, however many posts it met
        if self._known.get(channel_id) == hook:
            del self._known[channel_id]
        now = self._clock()
        again = losses.last is not None and now - losses.last < TWICE_WITHIN
        losses = replace(losses.with_ghost(hook), last=now, paused_until=now + TWICE_WITHIN if again else None)
        await self._records.save_losses(channel_id, losses)
        if again:
            raise NoHook("deleted_twice")

    async def changed(self, channel_id: int) -> None:
        """Discord says that a channel's webhooks changed: looks whether ours still stands, before a reply finds out."""
        self._denied.pop(channel_id, None)
        hook = self._known.get(channel_id)
        if channel_id in self._making or hook is None:
            self._making.discard(channel_id)
            return
        with contextlib.suppress(NoHook):
            await self.stands(channel_id, hook)

    async def stands(self, channel_id: int, hook: Hook) -> bool:
        """Whether the webhook is the channel's still; one that is not is given up. Raises NoHook as `lost` does."""
        try:
            found = await self._wire.webhook(hook.id, hook.token)
        except discord.HTTPException as error:
            if error.code not in (UNKNOWN_WEBHOOK, INVALID_TOKEN):
                return True
            await self.lost(channel_id, hook)
            return False
        except (Interrupted, Busy) as fault:
            _log.info("discord: the webhook of channel %s was not looked at (%s)", channel_id, fault)
            return True
        if int(found.get("channel_id") or channel_id) == channel_id:
            return True
        await self.moved(channel_id, hook)
        return False

    async def moved(self, channel_id: int, hook: Hook) -> None:
        """The webhook is not this channel's (any more): it is never used here again."""
        self._known.pop(channel_id, None)
        losses = await self._records.losses(channel_id)
        await self._records.save_losses(channel_id, losses.with_ghost(hook))

    async def token_of(self, channel_id: int, hook_id: int) -> Hook | None:
        """The stored webhook of the channel, if it is the one with this id."""
        hook = self._known.get(channel_id) or await self._records.hook(channel_id)
        return hook if hook is not None and hook.id == hook_id else None

    async def trouble(self, channel_id: int) -> NoHook | None:
        """Why replies come without a webhook there just now; None when they need not."""
        losses = await self._records.losses(channel_id)
        if losses.paused_until is not None and self._clock() < losses.paused_until:
            return NoHook("deleted_twice")
        until, reason = self._denied.get(channel_id, (self._clock(), None))
        return reason if self._clock() < until else None

    def rights_changed(self) -> None:
        """Permissions or roles changed somewhere: what was refused may be allowed now."""
        self._denied.clear()

    async def load(self) -> None:
        """Reads which webhooks are ours, so that their posts are known from the first event on."""
        self._ids |= await self._records.ids()


def _refusal(error: discord.HTTPException) -> Exception:
    """Discord's refusal as the reason a person can act on; other faults stay what they are."""
    if error.code == TOO_MANY_HERE:
        return NoHook("too_many_webhooks")
    if error.code == TOO_MANY_IN_GUILD:
        return NoHook(TOO_MANY_IN_SERVER)
    if isinstance(error, discord.Forbidden):
        return NoHook("no_permission")
    if isinstance(error, discord.DiscordServerError) or error.status == 429 or error.code == UNKNOWN_CHANNEL:
        return error
    return NoHook("refused", error=error.code or error.status)
