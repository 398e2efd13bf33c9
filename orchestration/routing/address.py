"""How each name in a text is meant: spoken to, asked for, spoken about, turned down, told to be quiet."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from orchestration.routing.languages import common
from orchestration.routing.names import Found, Trust
from orchestration.routing.text import HOLE
from orchestration.routing.words import Hits

CLAUSE_ENDS: Final = frozenset(".,!?;:。、，！？；：…\n~〜—–)]}」』”\"|" + HOLE + "،؟؛·•→")
SENTENCE_ENDS: Final = frozenset(".!?。！？\n…;；؟")
_SKIPPED: Final = frozenset(" \t@*_([{<¿¡#")


class Role(StrEnum):
    CALLED = "called"
    """Spoken to: a vocative, an at sign."""
    ASKED = "asked"
    """Its word is wanted: "ask X", "X's opinion"."""
    ABOUT = "about"
    """Spoken about, or a part to be played."""
    REFUSED = "refused"
    """Not this one: "not you X", "except X"."""
    HUSHED = "hushed"
    """This one is to be quiet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One name and how it is meant, with how sure that reading is (0..1). ``clause`` counts commas before it."""

    found: Found
    role: Role
    sure: float
    at_sign: bool = False
    isolated: bool = False
    """Between two pauses: nothing but the name in its clause."""

    @property
    def owner(self) -> str:
        return self.found.owner


@dataclass(frozen=True, slots=True)
class _Around:
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


def addresses(found: list[Found], low: str, cased: str, hits: Hits) -> list[Address]:
    """How every name is meant, in order of the text. Names in a row ("A, B and C") share the role of their row."""
    spots = [_around(f, i, found, low, cased, hits) for i, f in enumerate(found)]
    out: list[Address] = []
    for i, (f, spot) in enumerate(zip(found, spots, strict=True)):
        role, sure = _role(f, spot)
        out.append(
            Address(
                found=f,
                role=role,
                sure=sure,
                at_sign=spot.at_sign,
                isolated=spot.left in ("start", "call") and spot.right == "end",
            )
        )
        if spot.left == "list" and i:
            out[i] = _joined(out[i - 1], out[i], spot)
    return _share_backwards(_after_others(out, spots, low, hits), spots)


def _after_others(out: list[Address], spots: list[_Around], low: str, hits: Hits) -> list[Address]:
    """ "Ann should speak after Ben": both are to speak."""
    for i in range(1, len(out)):
        first, second = out[i - 1], out[i]
        told = first.role in (Role.CALLED, Role.ASKED) and spots[i - 1].acts
        if told and second.role is Role.ABOUT and hits.until(_trimmed(second.found.start, low), "after") is not None:
            out[i] = replace(second, role=Role.ASKED, sure=0.86)
    return out


def _read_alone(f: Found, spot: _Around) -> tuple[Role, float]:
    return _role(f, replace(spot, left="start"))


def _joined(before: Address, own: Address, spot: _Around) -> Address:
    """A later name of a row is meant as the first one, unless its own right side says otherwise."""
    if spot.right in ("hush", "drop") or own.at_sign:
        return own
    if not spot.firm and (own.found.weak or before.role not in (Role.CALLED, Role.ASKED)):
        role, sure = _read_alone(own.found, spot)
        return replace(own, role=role, sure=sure)
    if not spot.firm and spot.right in ("tell", "word", "may"):
        # "Ann, Ben took my pen": Ann is told about Ben.
        return replace(own, role=Role.ABOUT, sure=0.75)
    if before.role in (Role.CALLED, Role.ASKED, Role.REFUSED, Role.ABOUT, Role.HUSHED):
        role, sure = before.role, before.sure
        if role is Role.ABOUT and spot.right in ("you", "do", "own") and not own.found.bent:
            role, sure = Role.CALLED, 0.85
        if role is Role.REFUSED and spot.right in ("you", "do"):
            role, sure = Role.CALLED, 0.85
        return replace(own, role=role, sure=sure)
    return own


def _share_backwards(out: list[Address], spots: list[_Around]) -> list[Address]:
    """ "Ann and Ben said": what the last of a row makes of it holds for the names before it."""
    firm = False
    for i in range(len(out) - 1, 0, -1):
        firm = spots[i].left == "list" and (firm or spots[i].firm)
        if not firm or out[i - 1].at_sign:
            continue
        if spots[i].right == "tell" and out[i].role is Role.ABOUT:
            out[i - 1] = replace(out[i - 1], role=Role.ABOUT, sure=0.8)
        elif spots[i].right in ("hush", "drop"):
            out[i - 1] = replace(out[i - 1], role=out[i].role, sure=out[i].sure)
        elif out[i - 1].role is Role.ABOUT and out[i].role in (Role.CALLED, Role.ASKED) and spots[i - 1].left in ("start", "call", "ask", "list"):
            out[i - 1] = replace(out[i - 1], role=out[i].role, sure=out[i].sure)
    return out


# ---------------------------------------------------------------------------------------------- surroundings


def _around(f: Found, i: int, found: list[Found], low: str, cased: str, hits: Hits) -> _Around:
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
    return _Around(
        word=low[f.start : f.end],
        firm=left == "list" and _is_firm(found[i - 1], start, low),
        left=left,
        right=right,
        right_text=text,
        acts=hits.at(_forth(end, low), "a_act", "a_own", "first", "second", "third", "last") is not None,
        hailed=hits.until(start, "hail") is not None,
        at_sign=at_sign,
        mid_capital=_mid_capital(f, start, low, cased),
        start_of_text=not low[:start].strip(" \n\t" + "".join(CLAUSE_ENDS)),
        end_of_text=not any(c.isalnum() for c in rest),
        question=stop < len(rest) and rest[stop] in "?？؟",
    )


def _is_firm(before: Found, start: int, low: str) -> bool:
    """Whether two names are joined by more than a pause. The Japanese comma is a pause, the Chinese one is an "and"."""
    between = low[before.end + len(before.rest) : start]
    pauses = " ,，、" if _KANA.search(low) else " ,，"
    joined = bool(between.strip(pauses)) or not between or low[start : start + 2].strip().startswith("و")
    return joined or before.rest in _JOINING


_KANA: Final = re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")
_JOINING: Final = ("랑", "이랑", "하고", "과", "와")


def _mid_capital(f: Found, start: int, low: str, cased: str) -> bool:
    """Written with a capital where a sentence does not ask for one, in a text that is not all capitals."""
    initial = cased[f.start : f.start + 1]
    if not initial.isupper() or cased.isupper():
        return False
    before = low[:start].rstrip()
    return bool(before) and before[-1] not in SENTENCE_ENDS and before[-1] not in ":\"“(*"


def _left(start: int, i: int, found: list[Found], low: str, hits: Hits) -> str:
    """The tag of what stands before ``start``: start, call, list, or a ``b_`` tag without its prefix, or word."""
    if start == 0:
        return "start"
    if i and _is_join(low[found[i - 1].end + len(found[i - 1].rest) : start], found[i - 1], hits, start, low[found[i].start]):
        return "list"
    if low[start - 1] in CLAUSE_ENDS or _is_picture(low[start - 1]):
        return _behind_pause(start, low, hits)
    if low[start] == " " and "\u3040" <= low[start - 1] <= "\u9fff" and hits.until(start, "b_ask", "b_not", "b_be", "b_drop") is None:
        return "start"
    best, best_start = "word", start
    for tag in ("b_drop", "b_notyou", "b_not", "b_be", "b_ask", "then", "first", "second", "third", "last", "b_call", "b_about", "b_with"):
        at = hits.until(start, tag)
        if at is None or at >= best_start:
            continue
        if tag == "b_ask" and low[at:start].strip() in _AUXILIARIES and not _begins_clause(at, low, hits):
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
    before = _trimmed(start - 1, low)
    if hits.until(before, "b_notyou") is not None:
        return "not"
    hush = hits.until(before, "hush_all")
    return "hush" if hush is not None and _begins_clause(hush, low, hits) else "start"


_LEFT_OF: Final = {"b_notyou": "not", "then": "then", "first": "then", "second": "then", "third": "then", "last": "then"}


def _trimmed(position: int, low: str) -> int:
    while position and low[position - 1] in " \t":
        position -= 1
    return position


def _begins_clause(position: int, low: str, hits: Hits, depth: int = 4) -> bool:
    """Whether a clause begins here, greetings and fillers before it included."""
    before = position
    while before and low[before - 1] in _SKIPPED:
        before -= 1
    if before == 0 or low[before - 1] in CLAUSE_ENDS or _is_picture(low[before - 1]):
        return True
    earlier = hits.until(before, "b_call")
    return depth > 0 and earlier is not None and earlier < before and _begins_clause(earlier, low, hits, depth - 1)


def _is_join(between: str, before: Found, hits: Hits, start: int, low_start: str = "") -> bool:
    gap = between.strip()
    if not gap and before.rest in _JOINING:
        return True
    if not gap and (low_start == "و" or not between):
        return low_start == "و" or "\u3400" <= low_start <= "\u9fff"
    if not gap:
        return bool(between) and before.rest not in _PARTICLE_TAGS
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
    return joined and (not words or words in _TITLE_GAPS)


_TITLE_GAPS: Final = frozenset("さん ちゃん くん 先生 様 君 哥 姐 叔 老师 老師 医生 님 씨 형 누나 언니 오빠".split())


def _is_picture(c: str) -> bool:
    return c >= "\u2600" and ("\u2600" <= c <= "\u27bf" or c >= "\U0001f000")


def _forth(position: int, low: str) -> int:
    while position < len(low) and low[position] in " \t":
        position += 1
    return position


def _after_title(f: Found, low: str, hits: Hits) -> int:
    """The end of the name with what belongs to it: Hangul particles, honorifics, closing brackets, a trailing emoji."""
    end = f.end + len(f.rest)
    longer = hits.at(end, "a_title")
    if longer is not None and (low[end : end + 1] > "\u3000"):
        end = longer
    while end < len(low) and (low[end] in "*_)]}'\"" or _is_picture(low[end]) or low[end] in "\u200d"):
        end += 1
    return end


def _right(f: Found, end: int, i: int, found: list[Found], low: str, hits: Hits) -> tuple[str, str]:
    if low.startswith(("'s ", "' "), f.end) or (f.bent and low[f.end - 1 : f.end] == "s" and low[f.end : f.end + 1] == " "):
        own = hits.at(f.end + (3 if low.startswith("'s ", f.end) else 1), "opinion", "a_own")
        return ("own" if own is not None else "tell"), "'s"
    if i + 1 < len(found) and _is_join(low[end : _start_of(found[i + 1], low)], f, hits, _start_of(found[i + 1], low)):
        return "list", ""
    position = end
    while position < len(low) and low[position] in " \t":
        position += 1
    if position >= len(low) or low[position] in CLAUSE_ENDS or _is_picture(low[position]):
        return ("hush" if _hushed_next(position, low, hits) else "end"), ""
    if f.rest in ("한테", "에게", "께", "한테는", "에게는") and hits.at(position, "a_dative") is not None:
        return "own", f.rest
    particle = _PARTICLE_TAGS.get(f.rest)
    if particle == "call":
        return "end", f.rest
    if particle == "tell":
        return ("do" if hits.at(position, "a_act") is not None else "tell"), f.rest
    tag, text = _tagged(position, low, hits)
    if tag == "you" and hits.at(_next_word(position, low), "a_hush", "a_drop") is not None:
        return "hush", text
    return tag, text


def _next_word(position: int, low: str) -> int:
    while position < len(low) and low[position].isalnum():
        position += 1
    return _forth(position, low)


def _hushed_next(position: int, low: str, hits: Hits) -> bool:
    """ "Ann, be quiet": the clause behind the name silences it."""
    following = position
    while following < len(low) and low[following] in ",，!！ \t":
        following += 1
    return following > position and hits.at(following, "hush_all", "b_notyou") is not None


_PARTICLE_TAGS: Final = {
    "아": "call", "야": "call", "이야": "call", "님": "call", "씨": "call", "형": "call", "누나": "call", "언니": "call",
    "오빠": "call", "선생님": "call", "쌤": "call",
    "가": "tell", "이가": "tell", "의": "tell", "이의": "tell", "보다": "tell", "처럼": "tell", "을": "tell", "를": "tell",
}  # fmt: skip


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
    return best, low[position:best_end]


# ---------------------------------------------------------------------------------------------- the reading

_AUXILIARIES: Final = frozenset("is are was were does do did has have can could should would will am may might".split())
_PLEAS: Final = frozenset(("please", "pls", "plz", "kindly"))
_LOOSE: Final = frozenset(
    "on with the a an one for about in at to of also again still just now so but and or not out off down over there here "
    "around up this that these it's its my our your today tomorrow because since if i i'm we no ok yes".split()
)
"""Words that may follow a noun as well as a vocative."""


def _role(f: Found, a: _Around) -> tuple[Role, float]:
    if a.right == "hush" or (a.left == "hush" and a.right == "end"):
        return Role.HUSHED, 0.93
    if a.left in ("drop", "not") or a.right == "drop":
        return _refused(f, a)
    if a.right == "done" and a.left != "be":
        return Role.ASKED, 0.88
    if a.left == "turn":
        return (Role.ASKED, 0.88) if a.right != "tell" else (Role.ABOUT, 0.6)
    if a.left == "be":
        return (Role.CALLED, 0.8) if a.at_sign else (Role.ABOUT, 0.85)
    if a.at_sign:
        return (Role.ABOUT, 0.6) if a.right == "tell" else (Role.CALLED, 0.97)
    if f.weak or f.trust is Trust.MADE:
        return _weak_role(f, a)
    if f.bent:
        return _bent_role(a)
    if a.left in ("start", "call"):
        return _opening_role(f, a)
    if a.left == "ask":
        return _asked_role(a)
    if a.left in ("about", "with"):
        return (Role.CALLED, 0.7) if a.right == "you" else (Role.ABOUT, 0.8)
    return _inner_role(f, a)


def _refused(f: Found, a: _Around) -> tuple[Role, float]:
    if a.left == "not" and a.right in ("tell", "own") and a.right_text not in ("'s",):
        return Role.ABOUT, 0.7
    if (f.weak or f.trust is Trust.MADE) and a.right in ("word", "tell") and not a.mid_capital:
        return Role.ABOUT, 0.6
    return Role.REFUSED, 0.9


def _opening_role(f: Found, a: _Around) -> tuple[Role, float]:
    """The name opens its clause, at most a greeting before it."""
    match a.right:
        case "end":
            return Role.CALLED, 0.97 if f.trust is Trust.GIVEN else 0.92
        case "own":
            return Role.ASKED, 0.93
        case "you":
            return Role.CALLED, 0.95
        case "do":
            if a.right_text in _AUXILIARIES and not a.question:
                return Role.ABOUT, 0.6
            return Role.CALLED, 0.93 if f.trust is Trust.GIVEN else 0.87
        case "tell":
            return (Role.CALLED, 0.6) if a.question and a.start_of_text and a.right_text in _AUXILIARIES else (Role.ABOUT, 0.8)
        case "list":
            return Role.CALLED, 0.93
        case "may":
            return Role.CALLED, 0.86
        case _:
            return Role.CALLED, 0.8 if a.start_of_text else 0.7


def _asked_role(a: _Around) -> tuple[Role, float]:
    match a.right:
        case "tell":
            return (Role.ASKED, 0.8) if a.question else (Role.ABOUT, 0.55)
        case "own" | "you" | "do" | "list":
            return Role.ASKED, 0.92
        case _:
            return Role.ASKED, 0.88


def _inner_role(f: Found, a: _Around) -> tuple[Role, float]:
    """Words before the name that say nothing: only its right side, or the end of the text, tells."""
    if a.right == "you":
        return Role.CALLED, 0.88
    if a.right == "own":
        return Role.ASKED, 0.9
    if a.end_of_text and a.right == "end":
        return Role.CALLED, 0.82 if f.trust is Trust.GIVEN else 0.7
    if a.right == "do" and not a.right_text.isascii() and a.acts:
        return Role.CALLED, 0.78
    if a.right == "tell":
        return Role.ABOUT, 0.85
    return Role.ABOUT, 0.6


def _bent_role(a: _Around) -> tuple[Role, float]:
    if a.left == "ask":
        return Role.ASKED, 0.88
    if a.right == "own":
        return Role.ASKED, 0.88
    return Role.ABOUT, 0.75


def _weak_role(f: Found, a: _Around) -> tuple[Role, float]:
    """An everyday word is a name only with a pause, an at sign, a capital inside a sentence, or a call around it."""
    opening = a.left in ("start", "call")
    modest = f.trust is not Trust.GIVEN
    verb = a.word in common.VERBS
    if opening and a.right == "end":
        return Role.CALLED, 0.88 if modest else 0.94
    if opening and a.right == "own":
        return Role.ASKED, 0.88
    if opening and a.right == "list":
        return Role.CALLED, 0.88
    if opening and a.hailed and a.right not in ("tell", "hush") and (not verb or a.right != "word"):
        return Role.CALLED, 0.87
    if opening and a.right == "you" and not (verb and not a.mid_capital):
        return Role.CALLED, 0.88
    if opening and a.right == "you" and a.right_text in _PLEAS:
        return Role.CALLED, 0.87
    if opening and a.right == "do" and (a.acts or a.mid_capital):
        return Role.CALLED, 0.87
    if opening and a.right == "do" and not verb and a.right_text.isascii() and a.right_text not in _AUXILIARIES | _LOOSE:
        return Role.CALLED, 0.86 if f.trust is Trust.GIVEN else 0.8
    if opening and a.mid_capital and a.right != "tell":
        return Role.CALLED, 0.75
    if a.left == "ask" and (a.right in ("end", "you", "own", "list") or a.acts or a.mid_capital):
        return Role.ASKED, 0.87
    if a.mid_capital and a.end_of_text and a.left not in ("about", "with"):
        return Role.CALLED, 0.75
    if a.right == "own" and (a.mid_capital or f.rest):
        return Role.ASKED, 0.88
    return Role.ABOUT, 0.7
