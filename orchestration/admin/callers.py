"""Who asks for a use case, where, and with what right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from orchestration.errors import UserError
from orchestration.model import GroupChat, Locale, Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """One person who gives a command in one group chat.

    ``may_manage`` is what the adapter proved with the platform (Manage Server, Telegram admin, the operator at the
    terminal). ``locale`` is the language the platform knows the person to read; None: the chat's.
    """

    person: Person
    chat: GroupChat
    may_manage: bool = False
    locale: Locale | None = None
    link: Callable[[int, str], str] | None = None
    """How the platform shows a link to a message: (number, platform id) -> text; None: numbers alone."""


def ensure_manager(caller: Caller) -> None:
    """The adapter proved the right already; a use case that changes something looks again."""
    if not caller.may_manage:
        raise UserError("not_allowed")


def owns(caller: Caller, owner_id: str | None) -> bool:
    """Whether the thing belongs to the caller. Nothing known never equals nothing known."""
    return bool(owner_id) and bool(caller.person.id) and owner_id == caller.person.id
