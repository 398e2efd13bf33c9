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
    """Name, aliases, character, tone, avatar; filled in already where ``card`` is given.

    Discord's fields are short: what does not fit is not shown whole, and kept whole as long as nobody changes it.
    """

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
        """The card with what was changed in the form."""
        aliases = self.aliases_field
        return replace(
            card,
            name=_now(self.name_field, card.name),
            aliases=card.aliases if _is_as_shown(aliases) else split_aliases(aliases.value),
            description=_now(self.character_field, card.description),
            tone=_now(self.tone_field, card.tone),
            avatar=_now(self.avatar_field, card.avatar).strip(),
        )

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        await self._submitted(interaction, self)


def _now(field: discord.ui.TextInput[AgentForm], known: str) -> str:
    """What was written into the field; ``known`` where nobody changed it."""
    return known if _is_as_shown(field) else field.value


def _is_as_shown(field: discord.ui.TextInput[AgentForm]) -> bool:
    """Whether nobody changed what stood in the field."""
    return _lines(field.value) == _lines(field.default or "")


def _lines(words: str) -> list[str]:
    """A client may send other line ends back, and no spaces at the ends."""
    return [line.rstrip() for line in words.strip().splitlines()]
