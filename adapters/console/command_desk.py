"""Command lines typed at the terminal: whoever sits there runs this Troupe, so every command is allowed."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from pathlib import Path

from orchestration.admin import LAST, About, Admin, Caller
from orchestration.commands import Commands, File, card_of
from orchestration.errors import UserError
from orchestration.model import GroupChat, Locale, Person
from orchestration.texts import text

MAX_CARD_BYTES = 20_000_000
_IMPORT = re.compile(r"/agents?\s+import\s+(?P<file>.+)", re.IGNORECASE)


class CommandDesk:
    """Answers in words. Files are read from where the person says, and written under ``exports``."""

    def __init__(self, *, admin: Admin, commands: Commands, locale: Locale, exports: Path) -> None:
        self._admin = admin
        self._commands = commands
        self._locale = locale
        self._exports = exports

    async def answer(self, line: str, person: Person, chat: GroupChat, *, about: str | None) -> str:
        """``about`` is the id of the message that was replied to. Raises UserError for a file that is none."""
        caller = self._caller(person, chat)
        file: bytes | None = None
        if found := _IMPORT.fullmatch(line.strip()):
            line = "/agent import"
            file = await asyncio.to_thread(_read, found["file"].strip().strip("\"'"))
        meant = LAST if about is None else About(external_id=about)
        answer = await self._commands.run(line, caller, about=meant, file=file, platform="console")
        if answer.file is None:
            return answer.text
        written = await asyncio.to_thread(_write, self._exports, answer.file)
        return text(self._locale, "console_exported", text=answer.text, file=written)

    async def add_agent(self, values: Mapping[str, str], person: Person, chat: GroupChat) -> str:
        """The card of a dialogue. Raises UserError for a name that is taken, a field that is wrong."""
        return (await self._admin.agents.add(self._caller(person, chat), card_of(values))).text

    def _caller(self, person: Person, chat: GroupChat) -> Caller:
        return Caller(person=person, chat=chat, may_manage=True, locale=None)


def _read(name: str) -> bytes:
    try:
        with Path(name).expanduser().open("rb") as file:
            return file.read(MAX_CARD_BYTES)
    except (OSError, ValueError):
        raise UserError("console_card_unreadable", file=name) from None


def _write(folder: Path, file: File) -> Path:
    """Under the folder and nowhere else, whatever the file is called."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / (Path(file.name).name or "card.json")
    path.write_bytes(file.data)
    return path
