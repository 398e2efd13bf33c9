"""Where every command is served: answered in time, with the caller's rights proved, and its failure told in words."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

import discord

from adapters.discord.addresses import PLATFORM, person_of
from adapters.discord.apart import Apart
from adapters.discord.commands.languages import language_of
from adapters.discord.places import Place, Places, place_of
from adapters.discord.transport import Busy, Interrupted
from adapters.splitting import split, utf16_units
from orchestration.admin import Admin, Caller
from orchestration.cast import Casts
from orchestration.commands import DryRun
from orchestration.errors import StorageError, UserError
from orchestration.model import ChatKey, Locale
from orchestration.ports import Clock, Storage
from orchestration.texts import text

_log = logging.getLogger(__name__)

LIMIT: Final = 2000
MAX_MESSAGES: Final = 3
WORK_S: Final = 600.0
MAX_CHOICES: Final = 25
ALREADY_ACKNOWLEDGED: Final = 40060


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a command answers: words, and a file if any."""

    text: str
    file_name: str = ""
    data: bytes = b""


Work = Callable[[Caller], Awaitable[Reply]]


class Desk:
    """Serves commands. All answers are seen by the asking person alone."""

    def __init__(
        self,
        *,
        admin: Admin,
        route: DryRun,
        casts: Casts,
        storage: Storage,
        places: Places,
        clock: Clock,
        default_locale: Locale,
        apart: Apart,
    ) -> None:
        self.admin = admin
        self.route = route
        self.casts = casts
        self.storage = storage
        self.places = places
        self.clock = clock
        self.default_locale = default_locale
        self._apart = apart
        self._tenants: dict[int, int] = {}

    # ---------------------------------------------------------------- who asks, where

    async def tenant(self, guild_id: int) -> int:
        """Our number of the guild; known from memory once it was asked for."""
        known = self._tenants.get(guild_id)
        if known is None:
            async with self.storage.begin() as uow:
                known = await uow.chats.tenant_of(PLATFORM, str(guild_id), at=self.clock())
            self._tenants[guild_id] = known
        return known

    async def warm(self, guild_id: int) -> None:
        """Reads the guild's cast, so that autocomplete can answer from memory."""
        await self.casts.of(await self.tenant(guild_id))

    def suggestions(self, guild_id: int | None, typed: str) -> list[discord.app_commands.Choice[str]]:
        """Names of the guild's agents that hold what was typed; from memory, without waiting."""
        names = self.casts.names(self._tenants.get(guild_id or 0, -1))
        wanted = typed.casefold().strip()
        fitting = [name for name in names if wanted in name.casefold() and utf16_units(name) <= 100]
        return [discord.app_commands.Choice(name=name, value=name) for name in fitting[:MAX_CHOICES]]

    def locale(self, interaction: discord.Interaction[Any]) -> Locale:
        return language_of(interaction) or self.default_locale

    async def place(self, interaction: discord.Interaction[Any]) -> Place | None:
        """Where it was asked; what the interaction tells of it has to do where Discord tells nothing else."""
        return await self.places.of(interaction.channel_id or 0) or place_of(interaction.channel)

    async def caller(
        self, interaction: discord.Interaction[Any], *, place: Place | None = None, or_messages: bool = False
    ) -> Caller:
        """The person and what Discord says they may do (``or_messages``: Manage Messages is enough)."""
        place = place or await self.place(interaction)
        if place is None or interaction.guild_id is None:
            raise UserError("discord_channel_kind")
        async with self.storage.begin() as uow:
            chat = await uow.chats.ensure(place.key, title=place.name, at=self.clock())
        self._tenants[interaction.guild_id] = chat.tenant_id
        rights = _rights_of(interaction)
        return Caller(
            person=person_of(interaction.user),
            chat=chat,
            may_manage=rights.manage_guild or rights.administrator or (or_messages and rights.manage_messages),
            locale=language_of(interaction),
            link=_link_in(interaction.guild_id, place.key),
        )

    # ---------------------------------------------------------------- serving

    async def serve(
        self,
        interaction: discord.Interaction[Any],
        work: Work,
        *,
        place: Place | None = None,
        or_messages: bool = False,
    ) -> None:
        """Acknowledges at once, works, answers. Whatever fails is told in words and logged."""
        if not await self.acknowledged(interaction):
            return
        reply = await self._outcome(interaction, work, place, or_messages)
        await self.answer(interaction, reply)

    async def acknowledged(self, interaction: discord.Interaction[Any]) -> bool:
        """Tells Discord that an answer will come; False when it does not hear of it in time.

        Where it is unknown whether Discord heard, it is told again: a second time is refused and does no harm.
        """
        failure: Exception | None = None
        for _ in range(2):
            try:
                await interaction.response.defer(ephemeral=True, thinking=True)
                return True
            except (discord.DiscordServerError, Interrupted) as unknown:
                failure = unknown
            except (discord.HTTPException, Busy) as refused:
                if isinstance(refused, discord.HTTPException) and refused.code == ALREADY_ACKNOWLEDGED:
                    return True
                failure = refused
                break
        _log.warning("discord: an interaction could not be acknowledged (%s)", type(failure).__name__)
        return False

    async def _outcome(
        self, interaction: discord.Interaction[Any], work: Work, place: Place | None, or_messages: bool
    ) -> Reply:
        locale = self.locale(interaction)
        try:
            async with asyncio.timeout(WORK_S):
                caller = await self.caller(interaction, place=place, or_messages=or_messages)
                return await self._apart(work(caller))
        except UserError as error:
            return Reply(text=text(locale, error.code, **error.values))
        except StorageError as error:
            _log.warning("discord: a command met a busy database (%s)", type(error).__name__)
            return Reply(text=text(locale, "storage_unavailable"))
        except Exception:  # noqa: BLE001 - the adapter's callback: the person is told, the log has the reason
            _log.exception("discord: a command failed")
            return Reply(text=text(locale, "discord_command_failed"))

    async def answer(self, interaction: discord.Interaction[Any], reply: Reply) -> None:
        """Shows the reply, long ones in parts or as a file. A lost interaction is a line in the log."""
        data, name = reply.data, reply.file_name
        pieces = split(reply.text, LIMIT) or ["…"]
        if len(pieces) > MAX_MESSAGES and not data:
            data, name = reply.text.encode("utf-8", "replace"), "answer.txt"
            pieces = pieces[:1]
        try:
            for piece in pieces[:-1]:
                await interaction.followup.send(piece, ephemeral=True)
            if data:
                file = discord.File(io.BytesIO(data), filename=name)
                await interaction.followup.send(pieces[-1], file=file, ephemeral=True)
            else:
                await interaction.followup.send(pieces[-1], ephemeral=True)
        except (discord.HTTPException, Interrupted, Busy, OSError) as error:
            _log.warning("discord: an answer could not be shown (%s)", type(error).__name__)


def _rights_of(interaction: discord.Interaction[Any]) -> discord.Permissions:
    """What Discord says the person may do there; where it says nothing, what their roles give."""
    user = interaction.user
    if isinstance(user, discord.Member) and user.resolved_permissions is None:
        return user.guild_permissions
    return interaction.permissions


def _link_in(guild_id: int, key: ChatKey) -> Callable[[int, str], str]:
    """How a message of this place is linked: its number, without the preview that a bare address would unfold."""
    channel = key.thread_id or key.channel_id
    return lambda seq, external_id: f"[#{seq}](<https://discord.com/channels/{guild_id}/{channel}/{external_id}>)"
