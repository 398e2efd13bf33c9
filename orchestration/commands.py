"""Commands as lines of text, for platforms without commands of their own: a line in, an `Answer` out."""

from __future__ import annotations

import difflib
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from orchestration.admin import LAST, About, Admin, Caller, with_field
from orchestration.card_lines import ADD_FIELDS, AddField, card_of, change_of, fields_of
from orchestration.errors import StorageError, UserError
from orchestration.monospace import one_line
from orchestration.sessions import StopKind
from orchestration.texts import text

__all__ = ["ADD_FIELDS", "COMMANDS", "AddField", "Answer", "Commands", "DryRun", "File", "card_of", "is_command"]

DryRun: TypeAlias = Callable[[Caller, str], Awaitable[str]]
"""What `/route` asks: who would answer these words, told in the caller's language; nothing is stored or posted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class File:
    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """``private``: for the asking person alone, where the platform can; ``error``: nothing was done.

    ``personal``: for nobody else's eyes in any case, rather not shown at all.
    """

    text: str
    private: bool = False
    personal: bool = False
    error: bool = False
    file: File | None = None


MAX_DIGITS: Final = 12
MAX_ID_CHARS: Final = 200
COMMANDS: Final = (
    "help",
    "why",
    "trace",
    "stop",
    "resume",
    "regenerate",
    "remove",
    "agent",
    "cast",
    "route",
    "settings",
    "stats",
    "summary",
    "memory",
    "audit",
)
MEMORY_VERBS: Final = ("list", "forget", "off", "on", "export", "add", "reset")
AGENT_VERBS: Final = ("list", "show", "add", "edit", "pause", "wake", "remove", "import", "export")

_LINE: Final = re.compile(r"[/／]([^\s@]+)(?:@\S+)?\s*(.*)", re.DOTALL)


def is_command(line: str) -> bool:
    """Whether the line is meant as a command: it begins with a slash and a letter."""
    found = _LINE.match(line.strip())
    return found is not None and found[1][0].isalpha()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Call:
    """A parsed command on its way: who, what words follow, what it was a reply to, which file came with it."""

    caller: Caller
    words: str
    about: About
    file: bytes | None
    platform: str


_Handler: TypeAlias = Callable[[_Call], Awaitable[Answer]]


class Commands:
    """Reads command lines and runs them. Refusals come back as answers in the caller's language, not as errors."""

    def __init__(self, admin: Admin, *, route: DryRun | None = None) -> None:
        self._admin = admin
        self._route = route
        self._handlers: Mapping[str, _Handler] = {
            "help": self._help,
            "why": self._why,
            "trace": self._trace,
            "stop": self._stop,
            "resume": self._resume,
            "regenerate": self._regenerate,
            "remove": self._remove,
            "agent": self._agent,
            "agents": self._agent_list,
            "cast": self._cast,
            "route": self._dry_run,
            "settings": self._settings,
            "stats": self._stats,
            "summary": self._summary,
            "memory": self._memory,
            "audit": self._audit,
        }
        self._verbs: Mapping[str, _Handler] = {
            "list": self._agent_list,
            "show": self._agent_show,
            "add": self._agent_add,
            "edit": self._agent_edit,
            "pause": self._agent_pause,
            "wake": self._agent_wake,
            "resume": self._agent_wake,
            "remove": self._agent_remove,
            "import": self._agent_import,
            "export": self._agent_export,
        }

    async def run(
        self, line: str, caller: Caller, *, about: About = LAST, file: bytes | None = None, platform: str = ""
    ) -> Answer:
        """Runs one line such as ``/agent add Ada; a calm botanist``.

        ``about``: the message the command replied to; ``file``: the file sent with it; ``platform``: whose help page.
        """
        found = _LINE.fullmatch(line.strip())
        name, words = (found[1].casefold(), found[2].strip()) if found else (line.strip()[:40], "")
        call = _Call(caller=caller, words=words, about=about, file=file, platform=platform)
        try:
            handler = self._handlers.get(name)
            return await handler(call) if handler is not None else self._unknown(call, name)
        except UserError as error:
            return Answer(text=self._admin.refusal(caller, error), private=True, error=True)
        except StorageError:
            return Answer(text=self._say(caller, "storage_unavailable"), private=True, error=True)

    # -------------------------------------------------------------------------------------- seeing

    async def _help(self, call: _Call) -> Answer:
        return Answer(text=self._admin.help(self._admin.locale(call.caller), call.platform), private=True)

    async def _why(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.insight.why(call.caller, _about(call))).text, private=True)

    async def _trace(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.insight.trace(call.caller, _about(call))).text, private=True)

    async def _stats(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.insight.stats(call.caller)).text, private=True)

    async def _summary(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.insight.summary(call.caller)).text, private=True)

    async def _memory(self, call: _Call) -> Answer:
        verb, _, rest = call.words.partition(" ")
        memory, caller, rest = self._admin.memory, call.caller, rest.strip()
        match verb.casefold():
            case "" | "list":
                return Answer(text=(await memory.list(caller, rest)).text, private=True, personal=True)
            case "forget":
                return Answer(text=(await memory.forget(caller, rest)).text, private=True)
            case "off" | "on" as state:
                return Answer(text=(await memory.switch(caller, on=state == "on", whom=rest)).text, private=True)
            case "add":
                return Answer(text=(await memory.add(caller, rest)).text, private=True)
            case "reset":
                return Answer(text=(await memory.reset(caller, rest)).text, private=True)
            case "export":
                made = await memory.export(caller, rest)
                file = File(name=made.file_name, data=made.data)
                return Answer(text=made.text, private=True, personal=True, file=file)
        near = difflib.get_close_matches(verb.casefold(), MEMORY_VERBS, n=1, cutoff=0.6)
        if near:
            raise UserError("command_unknown_hint", command=f"/memory {one_line(verb, 30)}", hint=f"/memory {near[0]}")
        raise UserError("memory_usage")

    async def _audit(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.chats.audit(call.caller)).text, private=True)

    async def _dry_run(self, call: _Call) -> Answer:
        if self._route is None:
            raise UserError("command_no_route")
        if not call.words:
            raise UserError("command_route_usage")
        return Answer(text=await self._route(call.caller, call.words), private=True)

    # -------------------------------------------------------------------------------------- turns

    async def _stop(self, call: _Call) -> Answer:
        how = call.words.casefold()
        if how not in ("", "soft", "now", "hard", "!", "现在", "立即"):
            raise UserError("command_stop_usage")
        kind = StopKind.SOFT if how in ("", "soft") else StopKind.HARD
        return Answer(text=(await self._admin.control.stop(call.caller, kind)).text)

    async def _resume(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.control.resume(call.caller)).text)

    async def _regenerate(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.control.regenerate(call.caller, _about(call))).text, private=True)

    async def _remove(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.control.remove_reply(call.caller, _about(call))).text, private=True)

    # -------------------------------------------------------------------------------------- the chat

    async def _settings(self, call: _Call) -> Answer:
        if not call.words:
            return Answer(text=(await self._admin.chats.settings(call.caller)).text, private=True)
        key, _, value = call.words.replace("=", " ", 1).partition(" ")
        return Answer(text=(await self._admin.chats.set(call.caller, key.strip(), value)).text)

    async def _cast(self, call: _Call) -> Answer:
        match call.words.casefold():
            case "bind":
                return Answer(text=(await self._admin.chats.bind(call.caller)).text)
            case "unbind":
                return Answer(text=(await self._admin.chats.unbind(call.caller)).text)
            case _:
                return await self._agent_list(call)

    # -------------------------------------------------------------------------------------- the cast

    async def _agent(self, call: _Call) -> Answer:
        verb, _, rest = call.words.partition(" ")
        handler = self._verbs.get(verb.casefold() or "list")
        if handler is not None:
            return await handler(replace(call, words=rest.strip()))
        near = difflib.get_close_matches(verb.casefold(), AGENT_VERBS, n=1, cutoff=0.6)
        if near:
            raise UserError("command_unknown_hint", command=f"/agent {one_line(verb, 30)}", hint=f"/agent {near[0]}")
        raise UserError("command_agent_usage")

    async def _agent_list(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.agents.list(call.caller)).text, private=True)

    async def _agent_show(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.agents.show(call.caller, _name(call))).text, private=True)

    async def _agent_add(self, call: _Call) -> Answer:
        values = fields_of(call.words)
        if not values.get("name"):
            raise UserError("command_agent_usage")
        return Answer(text=(await self._admin.agents.add(call.caller, card_of(values))).text)

    async def _agent_edit(self, call: _Call) -> Answer:
        name, field, value = change_of(call.words)
        shown = await self._admin.agents.edit(call.caller, name, lambda card: with_field(card, field, value))
        return Answer(text=shown.text)

    async def _agent_pause(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.agents.pause(call.caller, _name(call))).text)

    async def _agent_wake(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.agents.pause(call.caller, _name(call), paused=False)).text)

    async def _agent_remove(self, call: _Call) -> Answer:
        return Answer(text=(await self._admin.agents.remove(call.caller, _name(call))).text)

    async def _agent_import(self, call: _Call) -> Answer:
        if call.file is None:
            raise UserError("command_no_file")
        return Answer(text=(await self._admin.agents.import_card(call.caller, call.file, name=call.words)).text)

    async def _agent_export(self, call: _Call) -> Answer:
        made = await self._admin.agents.export(call.caller, _name(call))
        return Answer(text=made.text, private=True, file=File(name=made.file_name, data=made.data))

    # -------------------------------------------------------------------------------------- inside

    def _unknown(self, call: _Call, name: str) -> Answer:
        shown = "/" + one_line(name.lstrip("/／"), 40)
        near = difflib.get_close_matches(name, COMMANDS, n=1, cutoff=0.6)
        if near:
            said = self._say(call.caller, "command_unknown_hint", command=shown, hint=f"/{near[0]}")
        else:
            said = self._say(call.caller, "command_unknown", command=shown)
        return Answer(text=said, private=True, error=True)

    def _say(self, caller: Caller, code: str, **values: object) -> str:
        return text(self._admin.locale(caller), code, **values)


def _name(call: _Call) -> str:
    name = call.words.lstrip("@").strip()
    if not name:
        raise UserError("command_missing_name")
    return name


def _about(call: _Call) -> About:
    """``/why 12`` names message 12, ``/why m1`` the one the platform calls so; else the one replied to, or the last."""
    named = call.words.lstrip("#")
    if not named:
        return call.about
    if named.isascii() and named.isdigit() and len(named) <= MAX_DIGITS:
        return About(seq=int(named))
    if len(named) > MAX_ID_CHARS or not named.isprintable() or " " in named:
        raise UserError("message_unknown")
    return About(external_id=named)
