"""Which names stand in a text: every form of every card, found in one walk over the words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from orchestration.routing.forms import NameIndex, Trust
from orchestration.routing.languages import everyday
from orchestration.routing.words import Word

_GAP: Final = re.compile(r"[\s.·・_\-‐–'*~|()/]{0,3}")
_KANA: Final = re.compile(r"[\u3040-\u30ff]+")


@dataclass(frozen=True, slots=True)
class Found:
    """A name in the text. ``owner`` is an agent's id, or the name of a person when ``human``."""

    owner: str
    start: int
    end: int
    trust: Trust
    weak: bool
    bent: bool = False
    human: bool = False
    typo: bool = False
    rest: str = ""
    """What is glued behind a Hangul name (its particle)."""


def find(words: list[Word], low: str, index: NameIndex, people: dict[tuple[str, ...], str]) -> list[Found]:
    """Names in order of the text; the longest wins, and what a name covers is no other name."""
    found: list[Found] = []
    openings = {form[0] for form in people if form} | index.by_first.keys()
    i = 0
    while i < len(words):
        word = words[i]
        opens = (
            word.kind == "h" or word.text in openings or ("'" in word.text and word.text.split("'", 1)[0] in openings)
        )
        match = _match_at(words, i, low, index, people) if opens else None
        if match:
            found.extend(match[0])
            i = match[1]
        else:
            i += 1
    return sorted([*found, *_pictured(low, index, found)], key=lambda f: f.start)


def _pictured(low: str, index: NameIndex, found: list[Found]) -> list[Found]:
    """A picture that belongs to one card alone may open a text in place of its name."""
    for picture, owner in index.pictures.items():
        if low.lstrip().startswith(picture):
            start = low.find(picture)
            if not any(f.end >= start - 1 and f.start <= start for f in found):
                return [Found(owner, start, start + len(picture), Trust.PART, True)]
    return []


def _match_at(
    words: list[Word], i: int, low: str, index: NameIndex, people: dict[tuple[str, ...], str]
) -> tuple[list[Found], int] | None:
    word = words[i]
    if word.kind == "h":
        return _match_hangul(words, i, index, people)
    text = word.text.split("'", 1)[0]
    person = _person_at(words, i, low, people)
    for form in index.by_first.get(text, ()):
        j = _end_of(form.words, words, i, low)
        if j is None or (person and person[1] > j) or (len(form.words) == 1 and _doubled(word, low)):
            continue
        same = [f for f in index.by_first[text] if f.words == form.words]
        end = _name_end(words[j - 1])
        return [Found(f.owner, word.start, end, f.trust, f.weak, f.bent) for f in same], j
    if person:
        return [Found(person[0], word.start, _name_end(words[person[1] - 1]), Trust.GIVEN, False, human=True)], person[
            1
        ]
    return None


def _doubled(word: Word, low: str) -> bool:
    """Whether a one-character name only is half of a doubled word."""
    return word.kind == "c" and (
        low[word.end : word.end + 1] == word.text or low[max(0, word.start - 1) : word.start] == word.text
    )


def _name_end(word: Word) -> int:
    """Without a possessive ending."""
    return word.start + len(word.text.split("'", 1)[0])


def _person_at(words: list[Word], i: int, low: str, people: dict[tuple[str, ...], str]) -> tuple[str, int] | None:
    best: tuple[str, int] | None = None
    for form, person in people.items():
        if form and form[0] == words[i].text.split("'", 1)[0]:
            j = _end_of(form, words, i, low)
            if j is not None and (best is None or j > best[1]):
                best = (person, j)
    return best


def _end_of(form: tuple[str, ...], words: list[Word], i: int, low: str) -> int | None:
    """The index behind the form's last word when it stands at ``i``, or None."""
    if i + len(form) > len(words):
        return None
    for offset, expected in enumerate(form):
        word = words[i + offset]
        if word.text != expected and word.text.split("'", 1)[0] != expected:
            return None
        if offset and not _GAP.fullmatch(low, words[i + offset - 1].end, word.start):
            return None
    last = words[i + len(form) - 1]
    if _KANA.fullmatch(form[-1]) and _runs_on(low, words[i].start, last.end):
        return None
    return i + len(form)


def _runs_on(low: str, start: int, end: int) -> bool:
    """Whether a katakana name is only a piece of a longer katakana word."""
    before = low[start - 1] if start else " "
    after = low[end] if end < len(low) else " "
    return any("\u30a1" <= c <= "\u30fa" or c == "ー" for c in (before,) if "\u30a1" <= low[start] <= "\u30fa") or any(
        "\u30a1" <= c <= "\u30fa" or c == "ー" for c in (after,) if "\u30a1" <= low[end - 1] <= "\u30fa"
    )


def _match_hangul(
    words: list[Word], i: int, index: NameIndex, people: dict[tuple[str, ...], str]
) -> tuple[list[Found], int] | None:
    word = words[i]
    for n in range(len(word.text), 0, -1):
        head, rest = word.text[:n], word.text[n:]
        if rest and not is_particle(rest):
            continue
        if n == 1 and rest not in everyday.CALL_PARTICLES:
            continue
        forms = [f for f in index.by_first.get(head, ()) if len(f.words) == 1]
        if forms:
            end = word.start + n
            return [Found(f.owner, word.start, end, f.trust, f.weak, f.bent, rest=rest) for f in forms], i + 1
        if (head,) in people:
            return [
                Found(people[(head,)], word.start, word.start + n, Trust.GIVEN, False, human=True, rest=rest)
            ], i + 1
    return None


def is_particle(rest: str) -> bool:
    """Whether Hangul glued behind a name only inflects it."""
    return rest in everyday.PARTICLES
