"""Descriptions of commands in Discord's own localisations, and the language a person reads."""

from __future__ import annotations

from typing import Any, Final

import discord
from discord import app_commands

from orchestration.model import Locale
from orchestration.texts import text

_LANGUAGES: Final = {
    discord.Locale.american_english: Locale.EN,
    discord.Locale.british_english: Locale.EN,
    discord.Locale.chinese: Locale.ZH,
    discord.Locale.taiwan_chinese: Locale.ZH,
}
_TRANSLATED: Final = (discord.Locale.chinese, discord.Locale.taiwan_chinese)


def said(code: str) -> app_commands.locale_str:
    """A description: English for all, translated where we have the language."""
    return app_commands.locale_str(text(Locale.EN, code), code=code)


def language_of(interaction: discord.Interaction[Any]) -> Locale | None:
    """What the person's client is set to, where we speak it."""
    return _LANGUAGES.get(interaction.locale)


class OurTexts(app_commands.Translator):
    async def translate(
        self, string: app_commands.locale_str, locale: discord.Locale, context: app_commands.TranslationContextTypes
    ) -> str | None:
        code = string.extras.get("code")
        if not code or locale not in _TRANSLATED:
            return None
        return text(_LANGUAGES[locale], code)
