"""The one form of `/agent add` and `/agent edit`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any, Final

import discord

from orchestration.admin import split_aliases
from orchestration.model import AgentCard, Locale
from orchestration.texts import text

MAX_SHORT: Final = 200
MAX_LONG: Final = 4000

Submitted = Callable[[discord.Interaction[Any], "AgentForm"], Awaitable[None]]


class AgentForm(discord.ui.Modal):
    """Name, aliases, character, tone, avatar; filled in already where ``card`` is given."""

    def __init__(self, title_code: str, *, locale: Locale, submitted: Submitted, card: AgentCard | None = None) -> None:
        super().__init__(title=text(locale, title_code)[:45], timeout=1800)
        self._submitted = submitted
        self._locale = locale
        known = card or AgentCard(id="", name="")
        self.name_field = self._field("name", known.name, most=MAX_SHORT, required=True)
        self.aliases_field = self._field("aliases", ", ".join(known.aliases), most=MAX_SHORT)
        self.character_field = self._field("character", known.description, most=MAX_LONG, long=True, required=True)
        self.tone_field = self._field("tone", known.tone, most=MAX_LONG, long=True)
        self.avatar_field = self._field("avatar", known.avatar, most=2000)

    def _field(
        self, name: str, value: str, *, most: int, long: bool = False, required: bool = False
    ) -> discord.ui.TextInput[AgentForm]:
        field: discord.ui.TextInput[AgentForm] = discord.ui.TextInput(
            custom_id=name,
            style=discord.TextStyle.paragraph if long else discord.TextStyle.short,
            default=value[:most] or None,
            required=required,
            max_length=most,
        )
        self.add_item(discord.ui.Label(text=text(self._locale, f"discord_field_{name}")[:45], component=field))
        return field

    def filled(self, card: AgentCard) -> AgentCard:
        """The card with what was written into the form."""
        return replace(
            card,
            name=self.name_field.value,
            aliases=split_aliases(self.aliases_field.value),
            description=self.character_field.value,
            tone=self.tone_field.value,
            avatar=self.avatar_field.value.strip(),
        )

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        await self._submitted(interaction, self)
