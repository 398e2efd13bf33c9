"""What Troupe itself says to a model, one text table per language.

The templates are ours and are filled with short values of ours (numbers, codes, neutralised names). Cards, memories,
summaries and messages never pass through a template: they are appended as data (`orchestration.prompts.frame`).
"""

from __future__ import annotations

from orchestration.model import Locale
from orchestration.prompts import en, zh

_TABLES = {Locale.EN: en.PROMPTS, Locale.ZH: zh.PROMPTS}


def prompt_text(locale: Locale, code: str, **values: object) -> str:
    """Our text ``code`` in this language with ``values`` in its places. KeyError when the code is unknown."""
    return _TABLES[locale][code].format_map(values)
