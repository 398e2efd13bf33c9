"""`/settings`, `/cast bind|unbind` and the audit log: what admins set for one group chat."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from orchestration.admin.callers import Caller, ensure_manager
from orchestration.admin.language import Language
from orchestration.errors import UserError
from orchestration.memory.switching import start_from_here, tidy_soon
from orchestration.model import MAX_AGENTS_A_TURN, AuditEntry, ChatSettings, Locale
from orchestration.monospace import one_line
from orchestration.ports import Clock, Storage, UnitOfWork
from orchestration.settings import TurnSettings
from orchestration.texts import text

SETTINGS = (
    "agents_max",
    "talkativeness",
    "locale",
    "quiet_hours",
    "mention_policy",
    "clarify_below",
    "memory",
    "memory_shared",
    "retention_days",
)
"""What `/settings KEY VALUE` knows, in the order it is shown."""

MENTION_POLICIES = ("author", "nobody")
_UNSET = frozenset({"default", "auto", "none", "off", "-", "默认", "无"})
_ON = frozenset({"on", "yes", "true", "1", "开", "是"})
_OFF = frozenset({"off", "no", "false", "0", "关", "否"})
MAX_RETENTION_DAYS = 3650
_HOURS = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)\s*[-–~至到]\s*([01]?\d|2[0-3]):([0-5]\d)")


@dataclass(frozen=True, slots=True, kw_only=True)
class SettingsShown:
    settings: ChatSettings
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditShown:
    entries: tuple[AuditEntry, ...]
    text: str


class ChatCases:
    """Everybody may see the settings; admins change them."""

    def __init__(self, storage: Storage, language: Language, defaults: TurnSettings, clock: Clock) -> None:
        self._storage = storage
        self._language = language
        self._defaults = defaults
        self._clock = clock

    async def settings(self, caller: Caller) -> SettingsShown:
        async with self._storage.read() as unit:
            settings = await _settings(unit, caller.chat.id)
        locale = self._language.of(caller)
        lines = [text(locale, "settings_head"), *(self._line(settings, key, locale) for key in SETTINGS)]
        return SettingsShown(settings=settings, text="\n".join(lines))

    async def set(self, caller: Caller, key: str, value: str) -> SettingsShown:
        """Sets one of SETTINGS from words; ``default`` takes it back to the operator's. UserError says what fits."""
        ensure_manager(caller)
        async with self._storage.begin() as unit:
            before = await _settings(unit, caller.chat.id)
            settings = changed(before, key, value)
            if settings.memory and not before.memory:
                await start_from_here(unit, caller.chat.id)
            if settings.retention_days != before.retention_days:
                await tidy_soon(unit, caller.chat.id)
            await unit.chats.save_settings(caller.chat.id, settings)
            await unit.audit.add(self._entry(caller, "settings", key, value))
        locale = self._language.of(replace(caller, chat=replace(caller.chat, settings=settings)))
        line = self._line(settings, key, locale).strip()
        return SettingsShown(settings=settings, text=text(locale, "settings_saved", line=line))

    async def bind(self, caller: Caller, *, bound: bool = True) -> SettingsShown:
        """Lets the cast speak in this chat, or keeps it silent."""
        ensure_manager(caller)
        async with self._storage.begin() as unit:
            settings = replace(await _settings(unit, caller.chat.id), bound=bound)
            await unit.chats.save_settings(caller.chat.id, settings)
            await unit.audit.add(self._entry(caller, "bind" if bound else "unbind", caller.chat.key.channel_id, ""))
        said = text(self._language.of(caller), "chat_bound" if bound else "chat_unbound")
        return SettingsShown(settings=settings, text=said)

    async def unbind(self, caller: Caller) -> SettingsShown:
        return await self.bind(caller, bound=False)

    async def audit(self, caller: Caller, *, limit: int = 15) -> AuditShown:
        """The newest changes in this group, newest first; for admins."""
        ensure_manager(caller)
        async with self._storage.read() as unit:
            entries = tuple(await unit.audit.newest(caller.chat.tenant_id, limit=limit))
        locale = self._language.of(caller)
        lines = [text(locale, "audit_head" if entries else "audit_none")]
        for entry in entries:
            what = " ".join(part for part in (entry.action, entry.target, entry.detail) if part)
            lines.append(one_line(f"{entry.at:%Y-%m-%d %H:%M} {entry.actor.name}: {what}", 80))
        return AuditShown(entries=entries, text="\n".join(lines))

    def _line(self, settings: ChatSettings, key: str, locale: str) -> str:
        value = getattr(settings, key)
        if value in (None, ""):
            default = getattr(self._defaults, key, None)
            shown = text(locale, "settings_default", value=default) if default is not None else "–"
        elif isinstance(value, bool):
            shown = "on" if value else "off"
        else:
            shown = str(value)
        return text(locale, "settings_line", key=key, value=shown, about=text(locale, f"settings_{key}"))

    def _entry(self, caller: Caller, action: str, target: str, detail: str) -> AuditEntry:
        return AuditEntry(
            tenant_id=caller.chat.tenant_id,
            chat_id=caller.chat.id,
            actor=caller.person,
            action=action,
            target=target,
            detail=one_line(detail, 200),
            at=self._clock(),
        )


def changed(settings: ChatSettings, key: str, value: str) -> ChatSettings:
    """The settings with ``key`` set from the words ``value``. Pure; UserError when key or value is none we know."""
    words = value.strip()
    unset = words.casefold() in _UNSET
    match key:
        case "agents_max":
            return replace(settings, agents_max=None if unset else _whole(key, words, MAX_AGENTS_A_TURN))
        case "talkativeness":
            return replace(settings, talkativeness=None if unset else _share(key, words))
        case "clarify_below":
            return replace(settings, clarify_below=None if unset else _share(key, words))
        case "locale":
            return replace(settings, locale=None if unset else _locale(words))
        case "quiet_hours":
            return replace(settings, quiet_hours="" if unset else _hours(words))
        case "memory":
            return replace(settings, memory=_switch(key, words, otherwise=True))
        case "memory_shared":
            return replace(settings, memory_shared=_switch(key, words, otherwise=False))
        case "retention_days":
            return replace(settings, retention_days=None if unset else _whole(key, words, MAX_RETENTION_DAYS))
        case "mention_policy":
            return replace(settings, mention_policy=MENTION_POLICIES[0] if unset else _policy(words))
        case _:
            raise UserError("settings_unknown", key=one_line(key, 40), keys=", ".join(SETTINGS))


async def _settings(unit: UnitOfWork, chat_id: int) -> ChatSettings:
    chat = await unit.chats.get(chat_id)
    if chat is None:
        raise UserError("chat_unknown")
    return chat.settings


def _refused(key: str, value: str, expected: str) -> UserError:
    return UserError("settings_value", key=key, value=one_line(value, 40), expected=expected)


def _switch(key: str, value: str, *, otherwise: bool) -> bool:
    folded = value.casefold()
    if folded in _ON or folded in _OFF:
        return folded in _ON
    if folded in _UNSET:
        return otherwise
    raise _refused(key, value, "on, off")


def _whole(key: str, value: str, most: int) -> int:
    if not value.isascii() or not value.isdigit() or len(value) > 4 or not 1 <= int(value) <= most:
        raise _refused(key, value, f"1–{most}")
    return int(value)


def _share(key: str, value: str) -> float:
    try:
        number = float(value)
    except ValueError as error:
        raise _refused(key, value, "0–1") from error
    if not 0.0 <= number <= 1.0:
        raise _refused(key, value, "0–1")
    return number


def _locale(value: str) -> Locale:
    try:
        return Locale(value.casefold())
    except ValueError as error:
        raise _refused("locale", value, ", ".join(Locale)) from error


def _policy(value: str) -> str:
    if value.casefold() not in MENTION_POLICIES:
        raise _refused("mention_policy", value, ", ".join(MENTION_POLICIES))
    return value.casefold()


def _hours(value: str) -> str:
    found = _HOURS.fullmatch(value)
    if found is None:
        raise _refused("quiet_hours", value, "22:00-07:00 (UTC)")
    start_h, start_m, end_h, end_m = (int(part) for part in found.groups())
    if (start_h, start_m) == (end_h, end_m):
        raise _refused("quiet_hours", value, "22:00-07:00 (UTC)")
    return f"{start_h:02}:{start_m:02}-{end_h:02}:{end_m:02}"
