"""Everything Troupe itself says to people, per language. Templates are ours; values are data."""

from __future__ import annotations

from collections.abc import Mapping

from orchestration.errors import UserError
from orchestration.model import Locale
from orchestration.texts import en, zh

_TEXTS: Mapping[str, Mapping[str, str]] = {Locale.EN: en.TEXTS, Locale.ZH: zh.TEXTS}


def text(locale: str, code: str, **values: object) -> str:
    """The text ``code`` in the language ``locale`` (English where a language is not known).

    Values are put in as data: braces inside a value stay braces. Raises KeyError for an unknown code or when a
    placeholder has no value; a test proves that every code named in the source exists in every language.
    """
    template = _TEXTS.get(locale, en.TEXTS)[code]
    return template.format_map({name: _plain(value) for name, value in values.items()})


def has(locale: str, code: str) -> bool:
    """Whether there is a text ``code``: for codes that are made from data (reason codes)."""
    return code in _TEXTS.get(locale, en.TEXTS)


def refusal(locale: str, error: UserError) -> str:
    """What a person is told who asked for something impossible."""
    values = dict(error.values)
    if has(locale, f"field_{values.get('field')}"):
        values["field"] = text(locale, f"field_{values['field']}")
    return text(locale, error.code, **values)


def _plain(value: object) -> object:
    """Numbers keep their type, because templates format them; all else becomes plain text."""
    return value if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
