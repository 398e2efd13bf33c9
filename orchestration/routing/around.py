"""What stands around a name: the tags left and right of it, and a few plain facts."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from orchestration.routing.languages import everyday
from orchestration.routing.names import Found
from orchestration.routing.text import HOLE
from orchestration.routing.words import Hits

CLAUSE_ENDS: Final = frozenset('.,!?;:。、，！？；：…\n~〜—–)]}」』”"|' + HOLE + "،؟؛·•→")
SENTENCE_ENDS: Final = frozenset(".!?。！？\n…;；؟")
_SKIPPED: Final = frozenset(" \t@*_([{<¿¡#")
_KANA: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")


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


def around(f: Found, i: int, found: list[Found], low: str, cased: str, hits: Hits) -> Around:
    start = f.start
    at_sign = False
    while start and low[start - 1] in _SKIPPED:
        at_sign = at_sign or low[start - 1] == "@"
        start -= 1
    left = _left(start, i, found, low, hits)
    end = _after_title(f, low, hits)
    right, text = _right(f, end, i, found, low, hits)
    rest = low[end:]
    stop = next((n for n, c in enumerate(rest) if c in SENTENCE_ENDS), len(rest))
    return Around(
        word=low[f.start : f.end],
        firm=left == "list" and _is_firm(found[i - 1], start, low),
        left=left,
        right=right,
        right_text=text,
        acts=_acts(end, low, hits),
        hailed=hits.until(start, "hail") is not None,
        at_sign=at_sign,
        mid_capital=_mid_capital(f, start, low, cased),
        start_of_text=not low[:start].strip(" \n\t" + "".join(CLAUSE_ENDS)),
        end_of_text=not any(c.isalnum() for c in rest),
        question=stop < len(rest) and rest[stop] in "?？؟",
    )


def _acts(end: int, low: str, hits: Hits) -> bool:
    """Whether what follows asks for an act, or gives the name its place in a queue ("sings first")."""
    position = forth(end, low)
    if hits.at(position, "a_act", "a_own") is not None:
        return True
    for hit in hits.of("first", "second", "third", "last"):
        between = low[position : hit.start]
        if 0 <= hit.start - position <= PLACE_WITHIN and not any(c in CLAUSE_ENDS for c in between):
            return True
    return False


PLACE_WITHIN: Final = 12
"""Characters between a name and the word that gives it a place."""


def _is_firm(before: Found, start: int, low: str) -> bool:
    """Whether two names are joined by more than a pause. The Japanese comma is a pause, the Chinese one is an "and"."""
    between = low[before.end + len(before.rest) : start]
    pauses = " ,，、" if _KANA.search(low) else " ,，"
    joined = bool(between.strip(pauses)) or not between or low[start : start + 2].strip().startswith("و")
    return joined or before.rest in everyday.JOINING_PARTICLES


def _mid_capital(f: Found, start: int, low: str, cased: str) -> bool:
    """Written with a capital where a sentence does not ask for one, in a text that is not all capitals."""
    initial = cased[f.start : f.start + 1]
    if not initial.isupper() or cased.isupper():
        return False
    before = low[:start].rstrip()
    return bool(before) and before[-1] not in SENTENCE_ENDS and before[-1] not in ':"“(*'


def _left(start: int, i: int, found: list[Found], low: str, hits: Hits) -> str:
    """The tag of what stands before ``start``: start, call, list, or a ``b_`` tag without its prefix, or word."""
    if start == 0:
        return "start"
    if i and _is_join(
        low[found[i - 1].end + len(found[i - 1].rest) : start], found[i - 1], hits, start, low[found[i].start]
    ):
        return "list"
    if _pauses(low, start - 1):
        return _behind_pause(start, low, hits)
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
        return "turn" if i or _begins_clause(best_start, low, hits) else "word"
    if best == "call" and not _begins_clause(best_start, low, hits):
        return "word" if hits.until(start, "b_about", "b_with") is None else "about"
    if best == "about" and hits.until(start, "b_ask") == best_start:
        return "ask"
    return best


def _behind_pause(start: int, low: str, hits: Hits) -> str:
    """ "Not you, Ann", "be quiet, Ann": the clause before tells how the name is meant."""
    if low[start - 1] not in ",，":
        return "start"
    before = trimmed(start - 1, low)
    if hits.until(before, "b_notyou") is not None:
        return "not"
    hush = hits.until(before, "hush_all")
    return "hush" if hush is not None and _begins_clause(hush, low, hits) else "start"


_LEFT_TAGS: Final = (
    *("b_drop", "b_notyou", "b_not", "b_be"),
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


def trimmed(position: int, low: str) -> int:
    while position and low[position - 1] in " \t":
        position -= 1
    return position


def _begins_clause(position: int, low: str, hits: Hits, depth: int = 4) -> bool:
    """Whether a clause begins here, greetings and fillers before it included."""
    before = position
    while before and low[before - 1] in _SKIPPED:
        before -= 1
    if before == 0 or _pauses(low, before - 1):
        return True
    earlier = hits.until(before, "b_call")
    return depth > 0 and earlier is not None and earlier < before and _begins_clause(earlier, low, hits, depth - 1)


def _is_join(between: str, before: Found, hits: Hits, start: int, low_start: str = "") -> bool:
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
    end = start - (len(between) - len(between.rstrip()))
    joined = False
    while words:
        joiner = hits.until(end, "and", "or", "then", "after", "before")
        if joiner is None or end - joiner > len(words):
            break
        joined, words = True, words[: len(words) - (end - joiner)].rstrip(" ,，、&+")
        end = start - len(between) + between.find(words) + len(words) if words else joiner
    return joined and (not words or words in everyday.HONORIFICS)


def _pauses(low: str, i: int) -> bool:
    """Whether there is a pause at ``i``: punctuation, a picture, a dash between spaces."""
    c = low[i]
    if c == "-":
        return (i == 0 or low[i - 1].isspace()) and (i + 1 == len(low) or low[i + 1].isspace())
    return c in CLAUSE_ENDS or is_picture(c)


def is_picture(c: str) -> bool:
    return c >= "\u2600" and ("\u2600" <= c <= "\u27bf" or c >= "\U0001f000")


def forth(position: int, low: str) -> int:
    while position < len(low) and low[position] in " \t":
        position += 1
    return position


def _after_title(f: Found, low: str, hits: Hits) -> int:
    """The end of the name with what belongs to it: Hangul particles, honorifics, closing brackets, a trailing emoji."""
    end = f.end + len(f.rest)
    longer = hits.at(end, "a_title")
    if longer is not None and (low[end : end + 1] > "\u3000"):
        end = longer
    while end < len(low) and (low[end] in "*_)]}'\"" or is_picture(low[end]) or low[end] in "\u200d"):
        end += 1
    return end


def _right(f: Found, end: int, i: int, found: list[Found], low: str, hits: Hits) -> tuple[str, str]:
    if low.startswith(("'s ", "' "), f.end) or (
        f.bent and low[f.end - 1 : f.end] == "s" and low[f.end : f.end + 1] == " "
    ):
        own = hits.at(f.end + (3 if low.startswith("'s ", f.end) else 1), "opinion", "a_own")
        return ("own" if own is not None else "tell"), "'s"
    if i + 1 < len(found):
        following = _start_of(found[i + 1], low)
        if _is_join(low[end:following], f, hits, following, low[found[i + 1].start]):
            return "list", ""
    position = end
    while position < len(low) and low[position] in " \t":
        position += 1
    if position >= len(low) or _pauses(low, position):
        return ("hush" if _hushed_next(position, low, hits) else "end"), ""
    if f.rest in ("한테", "에게", "께", "한테는", "에게는") and hits.at(position, "a_dative") is not None:
        return "own", f.rest
    if f.rest in everyday.CALL_PARTICLES:
        return "end", f.rest
    if f.rest in everyday.TELL_PARTICLES:
        return ("do" if hits.at(position, "a_act") is not None else "tell"), f.rest
    tag, text = _tagged(position, low, hits)
    if tag == "you" and _hushes(_next_word(position, low), low, hits):
        return "hush", text
    return tag, text


def _hushes(position: int, low: str, hits: Hits) -> bool:
    end = hits.at(position, "a_hush")
    if end is None:
        return hits.at(position, "a_drop") is not None
    return hits.at(position, "a_halt") != end or _falls_silent(end, low, hits)


def _next_word(position: int, low: str) -> int:
    while position < len(low) and low[position].isalnum():
        position += 1
    return forth(position, low)


def _hushed_next(position: int, low: str, hits: Hits) -> bool:
    """ "Ann, be quiet": the clause behind the name silences it."""
    following = position
    while following < len(low) and low[following] in ",，!！ \t":
        following += 1
    if following == position:
        return False
    if hits.at(following, "hush_all", "b_notyou") is not None:
        return True
    return hits.at(following, "a_hush") is not None and _hushes(following, low, hits)


def _start_of(f: Found, low: str) -> int:
    start = f.start
    while start and low[start - 1] in "@*_([{\"'":
        start -= 1
    return start


_RIGHT_OF: Final = (
    *((f"a_{tag}", tag) for tag in ("hush", "drop", "done", "own", "you", "do")),
    *((tag, "do") for tag in ("a_act", "first", "second", "third", "last")),
    ("a_tell", "tell"),
    ("a_may", "may"),
)


def _tagged(position: int, low: str, hits: Hits) -> tuple[str, str]:
    best, best_end = "word", position
    for tag, meaning in _RIGHT_OF:
        end = hits.at(position, tag)
        if end is not None and end > best_end:
            best, best_end = meaning, end
    if best == "hush" and hits.at(position, "a_halt") == best_end and not _falls_silent(best_end, low, hits):
        return "you", low[position:best_end]
    return best, low[position:best_end]


def _falls_silent(position: int, low: str, hits: Hits) -> bool:
    """ "stop" and "please don't" silence alone or with a word of talking; "please don't call me Annie" does not."""
    following = forth(position, low)
    if following >= len(low):
        return True
    if _pauses(low, following):
        return "?" not in low[following:]
    return hits.at(following, "a_still") is not None
