"""The command menus that Telegram shows, for members, for admins and in private, in each language."""

from __future__ import annotations

import asyncio
import logging

from telegram import (
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllChatAdministrators,
    BotCommandScopeAllGroupChats,
    BotCommandScopeDefault,
)
from telegram.error import TelegramError

from adapters.telegram.failures import Action, failure_of
from adapters.telegram.wire import Client
from orchestration.model import Locale
from orchestration.texts import text

logger = logging.getLogger(__name__)

MEMBER = (
    "why",
    "stop",
    "ask",
    "resume",
    "regenerate",
    "remove",
    "trace",
    "cast",
    "stats",
    "summary",
    "route",
    "memory",
    "check",
    "help",
)
ADMIN = ("agent", "settings", "audit")
PRIVATE = ("agent", "skip", "cancel", "check", "help")
_LANGUAGES = ((Locale.EN, ""), (Locale.ZH, "zh"), (Locale.EN, "en"))
"""English is the menu of everybody whose language has none of its own, so the last is only said for clearness' sake."""


async def set_menus(client: Client, *, few_calls: bool = False) -> None:
    """Nine calls, or six. Who can type misses no menu, so failures are only logged."""
    scopes: tuple[tuple[BotCommandScope, tuple[str, ...]], ...] = (
        (BotCommandScopeAllGroupChats(), MEMBER),
        (BotCommandScopeAllChatAdministrators(), MEMBER + ADMIN),
        (BotCommandScopeDefault(), PRIVATE),
    )
    for scope, names in scopes:
        for locale, code in _LANGUAGES[: 2 if few_calls else 3]:
            commands = [BotCommand(name, text(locale, f"telegram_menu_{name}")) for name in names]
            await _set(client, commands, scope, code)


async def _set(client: Client, commands: list[BotCommand], scope: BotCommandScope, code: str) -> None:
    for last in (False, True):
        try:
            await client.set_my_commands(commands, scope=scope, language_code=code or None)
        except TelegramError as error:
            failure = failure_of(error)
            if last or failure.action not in (Action.WAIT, Action.RETRY, Action.UNKNOWN):
                logger.warning("a command menu could not be set: %s", failure.words)
                return
            await asyncio.sleep(max(1.0, failure.retry_after_s))
        else:
            return
