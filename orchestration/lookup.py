"""Looking a doubtful line of the summary up at its source: an agent names message numbers and reads them word for word.

What is looked up belongs to this turn alone; the asking itself is never posted.
"""

from __future__ import annotations

from collections.abc import Sequence

import regex

from orchestration.model import Locale, Message
from orchestration.prompts import prompt_text
from orchestration.prompts.frame import excerpt, framed, speech, spoken_name

MOST = 6
TOKENS = 120
"""What each message may take of the prompt."""

_ASKED = regex.compile(
    r"^\W*lookup\s*\(\s*(?P<seqs>#?\d{1,9}(?:\s*[,，]\s*#?\d{1,9}){0,19})\s*\)\W*$", regex.IGNORECASE
)
_NUMBER = regex.compile(r"\d{1,9}")


def asked_for(text: str) -> tuple[int, ...]:
    """The message numbers, when the whole text only asks to look them up; else none. At most MOST."""
    found = _ASKED.match(text.strip()) if len(text) < 300 else None
    return tuple(dict.fromkeys(int(n) for n in _NUMBER.findall(found["seqs"])))[:MOST] if found is not None else ()


def answer(messages: Sequence[Message], locale: Locale) -> str:
    """What the agent reads then."""
    rows = [
        f"#{m.seq} " + speech(spoken_name(m.author.name, locale), excerpt(m.text, TOKENS, locale)) for m in messages
    ]
    told = "\n".join(rows) or prompt_text(locale, "lookup_nothing")
    return prompt_text(locale, "lookup_answer") + "\n" + framed("chat", told)
