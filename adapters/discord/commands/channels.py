"""`/cast …`: in which channels the cast speaks, and whether it can."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import discord
from discord import app_commands

from adapters.discord.commands.desk import Desk, Reply
from adapters.discord.commands.languages import said
from adapters.discord.commands.registering import Registry
from adapters.discord.places import BINDABLE, Bindings, Place
from adapters.discord.rights import missing, permission_title
from orchestration.admin import Caller
from orchestration.errors import UserError
from orchestration.model import Locale
from orchestration.texts import text

Ask = discord.Interaction[Any]
Bindable = discord.TextChannel | discord.VoiceChannel | discord.ForumChannel


class ChannelCommands(app_commands.Group):
    """``bound`` is told of every channel that was just bound; ``troubles`` tells what else is amiss in one."""

    def __init__(
        self,
        desk: Desk,
        bindings: Bindings,
        registry: Registry,
        *,
        bound: Callable[[int], Awaitable[None]],
        troubles: Callable[[int, Locale], Awaitable[list[str]]],
    ) -> None:
        super().__init__(
            name="cast",
            description=said("discord_cmd_cast"),
            guild_only=True,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self._desk = desk
        self._bindings = bindings
        self._registry = registry
        self._bound = bound
        self._troubles = troubles

    @app_commands.command(name="bind", description=said("discord_cmd_cast_bind"))
    @app_commands.describe(channel=said("discord_option_channel"))
    async def bind(self, interaction: Ask, channel: Bindable | None = None) -> None:
        async def work(caller: Caller) -> Reply:
            place = await self._place(interaction, channel)
            await self._desk.admin.chats.bind(await self._desk.caller(interaction, place=place))
            await self._bindings.bind(guild_id=place.guild, channel_id=place.id, since=self._since(interaction))
            await self._bound(place.id)
            locale = self._desk.locale(interaction)
            lines = [text(locale, "discord_bound", channel=f"<#{place.id}>")]
            lacking = self._lacking(interaction.client, place.id)
            if lacking:
                lines.append(text(locale, "discord_bound_missing", permissions=_titles(lacking)))
            return Reply(text="\n".join(lines))

        await self._desk.serve(interaction, work)

    def _since(self, interaction: Ask) -> int:
        """The moment of binding as a message id. By our clock where that is behind Discord's: nothing is left out."""
        return min(interaction.id, discord.utils.time_snowflake(self._desk.clock()))

    @app_commands.command(name="unbind", description=said("discord_cmd_cast_unbind"))
    @app_commands.describe(channel=said("discord_option_channel"))
    async def unbind(self, interaction: Ask, channel: Bindable | None = None) -> None:
        async def work(caller: Caller) -> Reply:
            place = await self._place(interaction, channel)
            await self._desk.admin.chats.unbind(await self._desk.caller(interaction, place=place))
            await self._bindings.unbind(place.id)
            return Reply(text=text(self._desk.locale(interaction), "discord_unbound", channel=f"<#{place.id}>"))

        await self._desk.serve(interaction, work)

    async def _place(self, interaction: Ask, channel: Bindable | None) -> Place:
        """The channel meant: the one given, else this one (a thread's parent). UserError for other kinds."""
        here = await self._desk.place(interaction)
        wanted = channel.id if channel is not None else (here.channel if here is not None else 0)
        place = here if here is not None and here.id == wanted else await self._desk.places.of(wanted)
        known = interaction.client.get_channel(wanted)
        kind = known.type if isinstance(known, discord.abc.GuildChannel) else None
        if place is None or place.guild != interaction.guild_id or (kind is not None and kind not in BINDABLE):
            raise UserError("discord_channel_kind")
        return place

    @app_commands.command(name="show", description=said("discord_cmd_cast_show"))
    async def show(self, interaction: Ask) -> None:
        async def work(caller: Caller) -> Reply:
            locale = self._desk.locale(interaction)
            bound = self._bindings.of_guild(interaction.guild_id or 0)
            channels = ", ".join(f"<#{channel}>" for channel in bound)
            line = text(locale, "discord_show_channels", channels=channels)
            head = line if bound else text(locale, "discord_show_nowhere")
            listed = await self._desk.admin.agents.list(caller)
            return Reply(text=f"{head}\n{listed.text}")

        await self._desk.serve(interaction, work)

    @app_commands.command(name="check", description=said("discord_cmd_cast_check"))
    async def check(self, interaction: Ask) -> None:
        async def work(caller: Caller) -> Reply:
            locale = self._desk.locale(interaction)
            channels = self._bindings.of_guild(interaction.guild_id or 0)
            if not channels:
                return Reply(text=text(locale, "discord_check_none"))
            lines = [text(locale, "discord_check_head")]
            for channel in channels:
                lines += await self._checked(interaction, channel, locale)
            return Reply(text="\n".join(lines))

        await self._desk.serve(interaction, work)

    async def _checked(self, interaction: Ask, channel_id: int, locale: Locale) -> list[str]:
        """What is missing in a channel, overrides counted, and what that means; one line where all is well."""
        channel = interaction.client.get_channel(channel_id)
        lacking = self._lacking(interaction.client, channel_id)
        if channel is None and lacking is None:
            return [text(locale, "discord_check_unknown", channel=f"<#{channel_id}>")]
        shown = f"<#{channel_id}> (#{getattr(channel, 'name', channel_id)})"
        if lacking is None and channel_id == interaction.channel_id:
            lacking = missing(interaction.app_permissions)
        troubles = await self._troubles(channel_id, locale)
        if lacking:
            head = text(locale, "discord_check_missing", channel=shown, permissions=_titles(lacking))
            troubles = [
                text(locale, "discord_check_effect", permission=permission_title(name), effect=_effect(locale, name))
                for name in lacking
            ]
        elif troubles:
            head = text(locale, "discord_check_trouble", channel=shown)
            troubles = [f"- {trouble}" for trouble in troubles]
        else:
            forum = isinstance(channel, discord.ForumChannel)
            head = text(locale, "discord_check_forum" if forum else "discord_check_fine", channel=shown)
        return [head, *troubles]

    def _lacking(self, client: discord.Client, channel_id: int) -> list[str] | None:
        channel = client.get_channel(channel_id)
        if not isinstance(channel, discord.abc.GuildChannel) or channel.guild.me is None:
            return None
        return missing(channel.permissions_for(channel.guild.me))

    @app_commands.command(name="sync", description=said("discord_cmd_cast_sync"))
    async def sync(self, interaction: Ask) -> None:
        async def work(caller: Caller) -> Reply:
            if not caller.may_manage:
                raise UserError("not_allowed")
            count = await self._registry.put()
            return Reply(text=text(self._desk.locale(interaction), "discord_synced", count=count))

        await self._desk.serve(interaction, work)


def _titles(names: list[str]) -> str:
    return ", ".join(permission_title(name) for name in names)


def _effect(locale: Locale, permission: str) -> str:
    """What happens without the permission."""
    return text(locale, f"discord_without_{permission}")
