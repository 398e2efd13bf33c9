"""What stands around a name: the tags left and right of it, and a few plain facts."""

from __future__ import annotations

from dataclasses import dataclass

from orchestration.routing.before import SKIPPED, is_firm, left_of
from orchestration.routing.behind import acts, right_of, titled_end
from orchestration.routing.languages import everyday
from orchestration.routing.names import Found
from orchestration.routing.pauses import CLAUSE_ENDS, SENTENCE_ENDS, forth, word_at
from orchestration.routing.words import Hits


@dataclass(frozen=True, slots=True)
class Around:
    """What stands left and right of a name. ``left`` and ``right`` are the strongest tags there."""

    word: str
    firm: bool
    """The name before is joined by a word, not by a comma or a space alone."""
    left: str
    right: str
    right_text: str
    acts: bool
    """What follows can only be asked of somebody: it makes a name of an everyday word."""
    hailed: bool
    """A real greeting or call stands before, no mere filler."""
    at_sign: bool
    mid_capital: bool
    start_of_text: bool
    end_of_text: bool
    question: bool
    """The sentence ends in a question mark."""
    inverted: bool
    """The word behind may open a question: "is the build done?", not "did on Friday"."""


def around(f: Found, i: int, found: list[Found], low: str, cased: str, hits: Hits) -> Around:
    start = f.start
    at_sign = False
    while start and low[start - 1] in SKIPPED:
        at_sign = at_sign or low[start - 1] == "@"
        start -= 1
    left = left_of(start, i, found, low, hits)
    end = titled_end(f, low, hits)
    right, text = right_of(f, end, i, found, low, hits)
    if right in ("word", "may", "do") and left in ("start", "call") and _spaced(end, low):
        right, text = "end", ""
    rest = low[end:]
    stop = next((n for n, c in enumerate(rest) if c in SENTENCE_ENDS), len(rest))
    question = stop < len(rest) and rest[stop] in "?？؟"
    return Around(
        word=low[f.start : f.end],
        firm=left == "list" and is_firm(found[i - 1], start, low),
        left=left,
        right=right,
        right_text=text,
        acts=acts(end, found, low, hits),
        hailed=hits.until(start, "hail") is not None,
        at_sign=at_sign,
        mid_capital=_mid_capital(f, start, low, cased),
        start_of_text=not low[:start].strip(" \n\t" + "".join(CLAUSE_ENDS)),
        end_of_text=not any(c.isalnum() for c in rest),
        question=question,
        inverted=question and word_at(forth(end, low) + len(text), low) not in everyday.NO_SUBJECT,
    )


def _spaced(end: int, low: str) -> bool:
    """Whether a space stands behind a Chinese name: in a script without spaces it is a pause."""
    return low[end : end + 1] == " " and "\u3400" <= low[end - 1] <= "\u9fff"


def _mid_capital(f: Found, start: int, low: str, cased: str) -> bool:
    """Written with a capital where a sentence does not ask for one, in a text that is not all capitals."""
    initial = cased[f.start : f.start + 1]
    if not initial.isupper() or cased.isupper():
        return False
    before = low[:start].rstrip()
    return bool(before) and before[-1] not in SENTENCE_ENDS and before[-1] not in ':"“(*'
