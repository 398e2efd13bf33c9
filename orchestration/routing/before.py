"""What stands before a name."""

from __future__ import annotations

import re
from typing import Final

from orchestration.routing.languages import everyday
from orchestration.routing.names import Found
from orchestration.routing.pauses import forth, pauses, trimmed
from orchestration.routing.words import Hits

SKIPPED: Final = frozenset(" \t@*_([{<¿¡#")
"""What may stand between a pause and a name."""


def left_of(start: int, i: int, found: list[Found], low: str, hits: Hits) -> str:
    """The tag of what stands before ``start``: start, call, list, or a ``b_`` tag without its prefix, or word."""
    if start == 0:
        return "start"
    if i and is_join(
        low[found[i - 1].end + len(found[i - 1].rest) : start], found[i - 1], hits, start, low[found[i].start]
    ):
        return "list"
    if pauses(low, start - 1):
        followed = any(f.owner != found[i].owner for f in found[i + 1 :])
        return _behind_pause(start, low, hits, followed=followed)
    if (
        low[start] == " "
        and "\u3040" <= low[start - 1] <= "\u9fff"
        and hits.until(start, "b_ask", "b_not", "b_be", "b_drop") is None
    ):
        return "start"
    if (
        low[start - 1] in everyday.FINAL_PARTICLES
        and low[start:].strip(" !！?？~.。") == low[found[i].start : found[i].end]
    ):
        return "start"
    best, best_start = "word", start
    for tag in _LEFT_TAGS:
        at = hits.until(start, tag)
        if at is None or at >= best_start:
            continue
        if tag == "b_ask" and low[at:start].strip() in everyday.AUXILIARIES and not _begins_clause(at, low, hits):
            continue
        best, best_start = _LEFT_OF.get(tag, tag[2:]), at
    if best == "then":
        return "next" if i or _begins_clause(best_start, low, hits) else "word"
    if best == "call" and not _begins_clause(best_start, low, hits):
        return "word" if hits.until(start, "b_about", "b_with") is None else "about"
    if best == "about" and hits.until(start, "b_ask") == best_start:
        return "ask"
    return best


def _behind_pause(start: int, low: str, hits: Hits, *, followed: bool) -> str:
    """ "Not you, Ann", "be quiet, Ann": the clause before tells how the name is meant.

    Where the name is ``followed`` by another one, the beginning of that clause is enough ("no more songs, Ann.
    Ben, go on").
    """
    if low[start - 1] not in ",，":
        return "start"
    before = trimmed(start - 1, low)
    if hits.until(before, "b_notyou") is not None:
        return "not"
    hush = hits.until(before, "hush_all")
    if hush is not None and _begins_clause(hush, low, hits):
        return "hush"
    if followed and hits.at(_clause_start(before, low), "b_notyou", "b_stop") is not None:
        return "not"
    return "start"


def _clause_start(position: int, low: str) -> int:
    while position and not pauses(low, position - 1):
        position -= 1
    return forth(position, low)


_LEFT_TAGS: Final = (
    *("b_drop", "b_notyou", "b_not", "b_be", "b_turn"),
    *("then", "first", "second", "third", "last"),
    *("b_ask", "b_call", "b_about", "b_with"),
)
"""What may stand before a name; of tags that begin at the same place the earlier one counts."""
_LEFT_OF: Final = {
    "b_notyou": "not",
    "then": "then",
    "first": "then",
    "second": "then",
    "third": "then",
    "last": "then",
}


def _begins_clause(position: int, low: str, hits: Hits, depth: int = 4) -> bool:
    """Whether a clause begins here, greetings and fillers before it included."""
    before = position
    while before and low[before - 1] in SKIPPED:
        before -= 1
    if before == 0 or pauses(low, before - 1):
        return True
    earlier = hits.until(before, "b_call")
    return depth > 0 and earlier is not None and earlier < before and _begins_clause(earlier, low, hits, depth - 1)


def is_join(between: str, before: Found, hits: Hits, start: int, low_start: str = "") -> bool:
    gap = between.strip()
    if not gap and before.rest in everyday.JOINING_PARTICLES:
        return True
    if not gap and (low_start == "و" or not between):
        return low_start == "و" or "\u3400" <= low_start <= "\u9fff"
    if not gap:
        return bool(between) and before.rest not in everyday.CALL_PARTICLES | everyday.TELL_PARTICLES
    if gap in ("、", ",", "&", "+", "/", "，", "،", "·"):
        return True
    words = gap.strip("、,，&+/،· ")
    if words == "o" and words != gap:
        # Behind a comma it is the Portuguese article, not the Spanish "or".
        return False
    end = start - (len(between) - len(between.rstrip()))
    joined = False
    while words:
        joiner = hits.until(end, "and", "or", "then", "after", "before")
        if joiner is None or end - joiner > len(words):
            break
        joined, words = True, words[: len(words) - (end - joiner)].rstrip(" ,，、&+")
        end = start - len(between) + between.find(words) + len(words) if words else joiner
    return joined and (not words or words in everyday.HONORIFICS)


def is_firm(before: Found, start: int, low: str) -> bool:
    """Whether two names are joined by more than a pause. The Japanese comma is a pause, the Chinese one is an "and"."""
    between = low[before.end + len(before.rest) : start]
    pauses = " ,，、" if _KANA.search(low) else " ,，"
    joined = bool(between.strip(pauses)) or not between or low[start : start + 2].strip().startswith("و")
    return joined or before.rest in everyday.JOINING_PARTICLES


_KANA: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
