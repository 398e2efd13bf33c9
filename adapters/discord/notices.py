"""What the bot itself has to say about a channel: at most once a day and reason, naming what to do."""

from __future__ import annotations

import logging
from hashlib import sha256

import discord

from adapters.discord.addresses import place_id
from adapters.discord.rights import missing_in, permission_title
from adapters.discord.scope import SCOPE
from adapters.discord.transport import Busy, Interrupted
from adapters.discord.webhooks import TOO_MANY_IN_SERVER, NoHook
from adapters.discord.wire import Wire, mentions_of
from adapters.discord.wording import Part
from orchestration.model import GroupChat, Locale
from orchestration.ports import Clock, Storage
from orchestration.texts import has, text

_log = logging.getLogger(__name__)


class Notices:
    """Never raises: a notice that cannot be posted is a line in the log."""

    def __init__(
        self, *, wire: Wire, client: discord.Client, storage: Storage, clock: Clock, default_locale: Locale
    ) -> None:
        self._wire = wire
        self._client = client
        self._storage = storage
        self._clock = clock
        self._default_locale = default_locale

    async def no_persona(self, chat: GroupChat, why: NoHook) -> None:
        """A reply has to come from the bot's account: says why, and what an admin can do.

        The webhook is the channel's, so its threads hear of it in one place.
        """
        channel = int(chat.key.channel_id)
        words = self.why_no_persona(channel, why, chat.settings.locale or self._default_locale)
        whose = chat.key.tenant_id if why.reason == TOO_MANY_IN_SERVER else channel
        await self._once_a_day(place_id(chat.key), why.reason, cause=f"{why.reason}:{whose}", words=words)

    def why_no_persona(self, channel: int, why: NoHook, locale: Locale) -> str:
        """The reason in words, with what an admin can do."""
        values: dict[str, object] = {"channel": self._name(channel), "error": why.reason, **why.values}
        if why.reason == "no_permission":
            values["permissions"] = self._missing(channel, "manage_webhooks")
        code = f"discord_no_persona_{why.reason}"
        return text(locale, code if has(locale, code) else "discord_no_persona_refused", **values)

    async def silenced(self, chat: GroupChat) -> None:
        """Not even the bot may write there: the server's system channel is told, where that is possible."""
        place = place_id(chat.key)
        channel = self._client.get_channel(place)
        locale = chat.settings.locale or self._default_locale
        words = text(
            locale,
            "discord_silenced",
            channel=self._name(place),
            permissions=self._missing(place, "send_messages"),
        )
        guild = getattr(channel, "guild", None)
        system = guild.system_channel if guild is not None else None
        _log.warning("discord: cannot write in channel %s", place)
        if system is not None and system.id != place:
            await self._once_a_day(system.id, "silenced", cause=f"silenced:{chat.key.channel_id}", words=words)

    async def content_hidden(self, place: int, *, channel: int, locale: Locale) -> None:
        """The privileged intent is off: only mentions and commands are heard. Said in one place of the channel."""
        await self._once_a_day(
            place,
            "message_content",
            cause=f"message_content:{channel}",
            words=text(locale, "discord_no_message_content"),
        )

    async def _once_a_day(self, place: int, reason: str, *, cause: str, words: str) -> None:
        """``cause``: what two notices share that say the same of the same thing."""
        key = f"notice:{cause}:{self._clock():%Y-%m-%d}"
        async with self._storage.begin() as uow:
            first = await uow.platform_state.put_if_absent(SCOPE, key, True)
        if not first:
            return
        _log.warning("discord notice in channel %s: %s", place, reason)
        nonce = sha256(key.encode()).hexdigest()[:24]
        try:
            await self._wire.post(place, Part(content=words[:2000]), nonce=nonce, mentions=mentions_of(None))
        except (discord.DiscordServerError, Interrupted, Busy) as fault:
            # It may stand or not: the nonce lets the next occasion try again without saying it twice.
            _log.warning("discord notice not posted yet: %s", type(fault).__name__)
            async with self._storage.begin() as uow:
                await uow.platform_state.delete(SCOPE, key)
        except discord.HTTPException as error:
            _log.warning("discord notice not posted: %s", type(error).__name__)

    def _name(self, channel_id: int) -> str:
        """The channel's name; where the client does not know it, Discord's own way to show it."""
        name = getattr(self._client.get_channel(channel_id), "name", None)
        return f"#{name}" if name else f"<#{channel_id}>"

    def _missing(self, place: int, default: str) -> str:
        channel = self._client.get_channel(place)
        names = None
        if isinstance(channel, discord.abc.GuildChannel | discord.Thread):
            names = missing_in(channel)
        return ", ".join(permission_title(name) for name in names or [default])
