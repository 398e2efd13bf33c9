"""`/agent …`: list, show, add, edit, pause, wake, remove, import, export."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final
from weakref import WeakSet

import discord
from discord import app_commands

from adapters.discord.commands.desk import Desk, Reply
from adapters.discord.commands.forms import AgentForm
from adapters.discord.commands.languages import said
from adapters.discord.commands.pictures import MAX_BYTES, keep_picture, read_file
from adapters.discord.faces import avatar_problem
from orchestration.admin import Caller, with_field
from orchestration.admin.agents import EDITABLE
from orchestration.errors import StorageError, UserError
from orchestration.model import AgentCard
from orchestration.texts import text

FORM_WAIT_S: Final = 0.7
Ask = discord.Interaction[Any]


class AgentCommands(app_commands.Group):
    """Discord shows the group to those with Manage Server, or to whom admins grant it; the use cases look again."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            name="agent",
            description=said("discord_cmd_agent"),
            guild_only=True,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
            default_permissions=discord.Permissions(manage_guild=True),
        )
        self._desk = desk
        self._open_forms: WeakSet[AgentForm] = WeakSet()

    def close(self) -> None:
        """Ends the forms that somebody has before them still: each waits in a task of its own."""
        for form in list(self._open_forms):
            form.stop()

    async def _show_form(self, interaction: Ask, form: AgentForm) -> None:
        self._open_forms.add(form)
        await interaction.response.send_modal(form)

    async def _names(self, interaction: Ask, typed: str) -> list[app_commands.Choice[str]]:
        return self._desk.suggestions(interaction.guild_id, typed)

    @app_commands.command(name="list", description=said("discord_cmd_agent_list"))
    async def list_agents(self, interaction: Ask) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._desk.admin.agents.list(caller)).text)

        await self._desk.serve(interaction, work)

    @app_commands.command(name="show", description=said("discord_cmd_agent_show"))
    @app_commands.describe(agent=said("discord_option_agent"))
    @app_commands.autocomplete(agent=_names)
    async def show(self, interaction: Ask, agent: str) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._desk.admin.agents.show(caller, agent)).text)

        await self._desk.serve(interaction, work)

    @app_commands.command(name="add", description=said("discord_cmd_agent_add"))
    @app_commands.describe(avatar=said("discord_option_avatar"))
    async def add(self, interaction: Ask, avatar: discord.Attachment | None = None) -> None:
        async def submitted(answer: Ask, form: AgentForm) -> None:
            async def work(caller: Caller) -> Reply:
                card = form.filled(AgentCard(id="", name="", owner_id=caller.person.id))
                card = await self._with_picture(answer, caller, card, avatar)
                added = await self._desk.admin.agents.add(caller, card)
                await self._desk.warm(answer.guild_id or 0)
                return Reply(text=added.text)

            await self._desk.serve(answer, work)

        locale = self._desk.locale(interaction)
        await self._show_form(interaction, AgentForm("discord_modal_add", locale=locale, submitted=submitted))

    @app_commands.command(name="edit", description=said("discord_cmd_agent_edit"))
    @app_commands.describe(
        agent=said("discord_option_agent"),
        field=said("discord_option_field"),
        value=said("discord_option_value"),
        avatar=said("discord_option_avatar"),
    )
    @app_commands.choices(field=[app_commands.Choice(name=name, value=name) for name in EDITABLE])
    @app_commands.autocomplete(agent=_names)
    async def edit(
        self,
        interaction: Ask,
        agent: str,
        field: str | None = None,
        value: str | None = None,
        avatar: discord.Attachment | None = None,
    ) -> None:
        if field is None and avatar is None:
            await self._edit_by_form(interaction, agent)
            return

        async def work(caller: Caller) -> Reply:
            if avatar is not None:
                picture = (await self._with_picture(interaction, caller, AgentCard(id="", name=""), avatar)).avatar
                return await self._changed(interaction, caller, agent, lambda card: replace(card, avatar=picture))
            if field == "avatar" and value:
                _ensure_avatar(value)
            return await self._changed(
                interaction, caller, agent, lambda card: with_field(card, field or "", value or "")
            )

        await self._desk.serve(interaction, work)

    async def _changed(
        self,
        interaction: Ask,
        caller: Caller,
        agent: str,
        change: Callable[[AgentCard], AgentCard],
        if_version: int | None = None,
    ) -> Reply:
        shown = await self._desk.admin.agents.edit(caller, agent, change, if_version=if_version)
        await self._desk.warm(interaction.guild_id or 0)
        return Reply(text=shown.text)

    async def _edit_by_form(self, interaction: Ask, agent: str) -> None:
        """A form cannot follow an acknowledgement: the card must be at hand within Discord's three seconds."""
        locale = self._desk.locale(interaction)
        try:
            async with asyncio.timeout(FORM_WAIT_S):
                card = await self._desk.casts.require(await self._desk.tenant(interaction.guild_id or 0), agent)
        except UserError as error:
            await interaction.response.send_message(text(locale, error.code, **error.values), ephemeral=True)
            return
        except (TimeoutError, StorageError):
            await interaction.response.send_message(text(locale, "discord_too_slow"), ephemeral=True)
            return

        async def submitted(answer: Ask, form: AgentForm) -> None:
            async def work(caller: Caller) -> Reply:
                _ensure_avatar(form.filled(card).avatar)
                return await self._changed(answer, caller, card.id, form.filled, if_version=card.version)

            await self._desk.serve(answer, work)

        form = AgentForm("discord_modal_edit", locale=locale, submitted=submitted, card=card)
        await self._show_form(interaction, form)

    @app_commands.command(name="pause", description=said("discord_cmd_agent_pause"))
    @app_commands.describe(agent=said("discord_option_agent"))
    @app_commands.autocomplete(agent=_names)
    async def pause(self, interaction: Ask, agent: str) -> None:
        await self._pause(interaction, agent, paused=True)

    @app_commands.command(name="wake", description=said("discord_cmd_agent_wake"))
    @app_commands.describe(agent=said("discord_option_agent"))
    @app_commands.autocomplete(agent=_names)
    async def wake(self, interaction: Ask, agent: str) -> None:
        await self._pause(interaction, agent, paused=False)

    async def _pause(self, interaction: Ask, agent: str, *, paused: bool) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._desk.admin.agents.pause(caller, agent, paused=paused)).text)

        await self._desk.serve(interaction, work)

    @app_commands.command(name="remove", description=said("discord_cmd_agent_remove"))
    @app_commands.describe(agent=said("discord_option_agent"))
    @app_commands.autocomplete(agent=_names)
    async def remove(self, interaction: Ask, agent: str) -> None:
        async def work(caller: Caller) -> Reply:
            removed = await self._desk.admin.agents.remove(caller, agent)
            await self._desk.warm(interaction.guild_id or 0)
            return Reply(text=removed.text)

        await self._desk.serve(interaction, work)

    @app_commands.command(name="import", description=said("discord_cmd_agent_import"))
    @app_commands.describe(file=said("discord_option_file"), name=said("discord_option_name"))
    async def import_card(self, interaction: Ask, file: discord.Attachment, name: str = "") -> None:
        async def work(caller: Caller) -> Reply:
            imported = await self._desk.admin.agents.import_card(caller, await read_file(file), name=name)
            lines = [imported.text]
            if imported.picture is not None and not imported.card.avatar:
                lines += await self._take_picture(interaction, caller, imported.card, imported.picture)
            await self._desk.warm(interaction.guild_id or 0)
            return Reply(text="\n".join(lines))

        await self._desk.serve(interaction, work)

    async def _take_picture(self, interaction: Ask, caller: Caller, card: AgentCard, picture: bytes) -> list[str]:
        """Makes the card's picture the avatar; a picture that does not fit costs a line, not the import."""
        try:
            address = await keep_picture(interaction.client, picture)
            await self._desk.admin.agents.edit(caller, card.id, lambda old: replace(old, avatar=address))
        except UserError as error:
            return [text(self._desk.locale(interaction), error.code, **error.values)]
        return []

    @app_commands.command(name="export", description=said("discord_cmd_agent_export"))
    @app_commands.describe(agent=said("discord_option_agent"))
    @app_commands.autocomplete(agent=_names)
    async def export(self, interaction: Ask, agent: str) -> None:
        async def work(caller: Caller) -> Reply:
            exported = await self._desk.admin.agents.export(caller, agent)
            return Reply(text=exported.text, file_name=exported.file_name, data=exported.data)

        await self._desk.serve(interaction, work)

    async def _with_picture(
        self, interaction: Ask, caller: Caller, card: AgentCard, avatar: discord.Attachment | None
    ) -> AgentCard:
        """The card with the uploaded picture, or with its own address once that is proved usable."""
        if avatar is None:
            _ensure_avatar(card.avatar)
            return card
        if not caller.may_manage:
            raise UserError("not_allowed")
        return replace(card, avatar=await keep_picture(interaction.client, await read_file(avatar, limit=MAX_BYTES)))


def _ensure_avatar(address: str) -> None:
    problem = avatar_problem(address) if address else None
    if problem is not None:
        raise UserError(problem)
