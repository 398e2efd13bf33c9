"""`/memory …`: what is remembered of oneself, and how to have it forgotten, switched off or taken along."""

from __future__ import annotations

from typing import Any, Final, Literal

import discord
from discord import app_commands

from adapters.discord.commands.desk import Desk, Reply
from adapters.discord.commands.languages import said
from orchestration.admin import Caller

Ask = discord.Interaction[Any]
Whom = Literal["me", "group"]
MAX_WORDS: Final = 300


class MemoryCommands(app_commands.Group):
    """For everybody: the use cases themselves keep what is the group's for its admins."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(
            name="memory",
            description=said("discord_cmd_memory"),
            guild_only=True,
            allowed_contexts=app_commands.AppCommandContext(guild=True),
        )
        self._desk = desk
        self._memory = desk.admin.memory

    async def _names(self, interaction: Ask, typed: str) -> list[app_commands.Choice[str]]:
        return self._desk.suggestions(interaction.guild_id, typed)

    @app_commands.command(name="list", description=said("discord_cmd_memory_list"))
    @app_commands.describe(whom=said("discord_option_whom"))
    async def list_memories(self, interaction: Ask, whom: Whom = "me") -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._memory.list(caller, whom)).text)

        await self._desk.serve(interaction, work)

    @app_commands.command(name="forget", description=said("discord_cmd_memory_forget"))
    @app_commands.describe(what=said("discord_option_forget"))
    async def forget(self, interaction: Ask, what: app_commands.Range[str, 1, 100]) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._memory.forget(caller, what)).text)

        await self._desk.serve(interaction, work)

    @app_commands.command(name="off", description=said("discord_cmd_memory_off"))
    @app_commands.describe(whom=said("discord_option_whom"))
    async def off(self, interaction: Ask, whom: Whom = "me") -> None:
        await self._switch(interaction, whom, on=False)

    @app_commands.command(name="on", description=said("discord_cmd_memory_on"))
    @app_commands.describe(whom=said("discord_option_whom"))
    async def on(self, interaction: Ask, whom: Whom = "me") -> None:
        await self._switch(interaction, whom, on=True)

    async def _switch(self, interaction: Ask, whom: str, *, on: bool) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._memory.switch(caller, on=on, whom=whom)).text)

        await self._desk.serve(interaction, work)

    @app_commands.command(name="export", description=said("discord_cmd_memory_export"))
    @app_commands.describe(whom=said("discord_option_whom"))
    async def export(self, interaction: Ask, whom: Whom = "me") -> None:
        async def work(caller: Caller) -> Reply:
            made = await self._memory.export(caller, whom)
            return Reply(text=made.text, file_name=made.file_name, data=made.data)

        await self._desk.serve(interaction, work)

    @app_commands.command(name="add", description=said("discord_cmd_memory_add"))
    @app_commands.describe(words=said("discord_option_remember"))
    async def add(self, interaction: Ask, words: app_commands.Range[str, 1, MAX_WORDS]) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._memory.add(caller, words)).text)

        await self._desk.serve(interaction, work)

    @app_commands.command(name="reset", description=said("discord_cmd_memory_reset"))
    @app_commands.describe(agent=said("discord_option_agent"))
    @app_commands.autocomplete(agent=_names)
    async def reset(self, interaction: Ask, agent: str) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._memory.reset(caller, agent)).text)

        await self._desk.serve(interaction, work)
