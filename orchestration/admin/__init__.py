"""The use cases behind the commands, the same on every platform: a caller in, a result with a ready text out.

Every method takes a `Caller`; rights are checked here once more, and every change leaves an audit row. What cannot be
done is a UserError, which `refusal` puts into words.
"""

from __future__ import annotations

import uuid

from orchestration.admin.agents import (
    EDITABLE,
    AgentCases,
    AgentExported,
    AgentImported,
    AgentShown,
    CastShown,
    split_aliases,
    with_field,
)
from orchestration.admin.callers import Caller
from orchestration.admin.chats import SETTINGS, AuditShown, ChatCases, SettingsShown
from orchestration.admin.control import ControlCases, Done, TurnControl
from orchestration.admin.insight import LAST, About, InsightCases, StatisticsTold, SummaryTold, TurnTold
from orchestration.admin.language import Language
from orchestration.admin.memories import MemoriesShown, MemoryCases, MemoryChanged, MemoryExported
from orchestration.cast import Casts
from orchestration.errors import UserError
from orchestration.model import Locale
from orchestration.ports import Clock, NewId, Storage
from orchestration.settings import TurnSettings
from orchestration.texts import has, refusal, text

__all__ = [
    "EDITABLE",
    "LAST",
    "SETTINGS",
    "About",
    "Admin",
    "AgentExported",
    "AgentImported",
    "AgentShown",
    "AuditShown",
    "Caller",
    "CastShown",
    "Done",
    "MemoriesShown",
    "MemoryChanged",
    "MemoryExported",
    "SettingsShown",
    "StatisticsTold",
    "SummaryTold",
    "TurnControl",
    "TurnTold",
    "split_aliases",
    "with_field",
]


def _new_id() -> str:
    return uuid.uuid4().hex


class Admin:
    """``agents`` (the cast), ``insight`` (why, trace, stats, summary), ``control`` (stop, resume, regenerate,
    remove), ``chats`` (settings, bind, audit) and ``memory`` (list, forget, off, export …).
    """

    def __init__(
        self,
        *,
        storage: Storage,
        casts: Casts,
        clock: Clock,
        defaults: TurnSettings,
        turns: TurnControl,
        new_id: NewId = _new_id,
    ) -> None:
        language = Language(defaults.locale)
        self._language = language
        self.agents = AgentCases(casts, language)
        self.insight = InsightCases(storage, casts, language)
        self.control = ControlCases(storage, turns, language, clock)
        self.chats = ChatCases(storage, language, defaults, clock)
        self.memory = MemoryCases(storage, casts, language, clock, new_id)

    def locale(self, caller: Caller) -> Locale:
        """The language in which this caller is answered."""
        return self._language.of(caller)

    def refusal(self, caller: Caller, error: UserError) -> str:
        """What the caller is told when something could not be done."""
        return refusal(self._language.of(caller), error)

    def help(self, locale: str, platform: str) -> str:
        """The commands of a platform, those of the text platforms where it has no page of its own."""
        own = f"help_{platform}"
        return text(locale, own if has(locale, own) else "help_text")
