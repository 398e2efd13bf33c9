"""Which names stand in a text: every way a card may be called, found in one walk over the words."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

from orchestration.model import AgentCard
from orchestration.routing.languages import common
from orchestration.routing.languages.pinyin import spelled_out
from orchestration.routing.text import key
from orchestration.routing.words import Word, words_of

_GAP: Final = re.compile(r"[\s.·・_\-‐–'*~|()/]{0,3}")
_HAN: Final = re.compile(r"[\u3400-\u9fff]+")
_KANA: Final = re.compile(r"[\u3040-\u30ff]+")
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]+")
_ARABIC: Final = re.compile(r"[\u0600-\u06ff]+")
_LATIN: Final = re.compile(r"[a-z0-9]+")
_PICTURE: Final = re.compile(r"[\u2600-\u27bf\U0001f000-\U0001faff]")
_RUSSIAN_ENDINGS: Final = ("у", "ю", "ы", "и", "е", "ой", "ей", "ом", "ем", "а", "я")


class Trust(IntEnum):
    """How sure a form names its card: ``GIVEN`` stands on the card, ``PART`` is a part of it, ``MADE`` is inferred."""

    MADE = 1
    PART = 2
    GIVEN = 3


@dataclass(frozen=True, slots=True)
class Form:
    """One way to call a card. ``weak``: an everyday word too. ``bent``: an inflected form, no vocative."""

    words: tuple[str, ...]
    owner: str
    trust: Trust
    weak: bool
    bent: bool = False


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


@dataclass(frozen=True, slots=True)
class NameIndex:
    """All forms of a cast by their first word; ``pictures`` are emoji that belong to one card alone."""

    by_first: dict[str, tuple[Form, ...]]
    pictures: dict[str, str]
    forms: tuple[Form, ...]


@lru_cache(maxsize=256)
def index_of(cast: tuple[AgentCard, ...]) -> NameIndex:
    """The ways to call the agents of a cast. A made-up form that two agents could mean is left out."""
    given: dict[tuple[str, ...], set[str]] = {}
    guessed: dict[tuple[str, ...], dict[str, Trust]] = {}
    bent: set[tuple[str, ...]] = set()
    pictures: dict[str, set[str]] = {}
    for card in cast:
        for name in (card.name, *card.aliases):
            words = tuple(w.text for w in words_of(key(name)))
            if words:
                given.setdefault(words, set()).add(card.id)
            for picture in _PICTURE.findall(name):
                pictures.setdefault(picture, set()).add(card.id)
        for words, trust, is_bent in _guesses(card):
            guessed.setdefault(words, {})[card.id] = max(trust, guessed.get(words, {}).get(card.id, Trust.MADE))
            if is_bent:
                bent.add(words)
    forms = [
        Form(words, owner, Trust.GIVEN, _weak(words)) for words, owners in given.items() for owner in sorted(owners)
    ]
    for words, owners in guessed.items():
        if words not in given and len(owners) == 1:
            owner, trust = next(iter(owners.items()))
            forms.append(Form(words, owner, trust, _weak(words) or _titled(words), words in bent))
    return _indexed(forms, {p: next(iter(o)) for p, o in pictures.items() if len(o) == 1})


def _indexed(forms: list[Form], pictures: dict[str, str]) -> NameIndex:
    by_first: dict[str, list[Form]] = {}
    for form in sorted(forms, key=lambda f: (-len(f.words), -f.trust, f.words, f.owner)):
        by_first.setdefault(form.words[0], []).append(form)
    return NameIndex({k: tuple(v) for k, v in by_first.items()}, pictures, tuple(forms))


def _weak(words: tuple[str, ...]) -> bool:
    joined = "".join(words)
    if len(words) > 1 and _LATIN.fullmatch(joined):
        return False
    return (
        joined in common.VERBS
        or joined in common.NOUNS
        or joined in common.SCRIPTS
        or (len(joined) == 1)
        or (joined[:-1] in common.SCRIPTS and is_particle(joined[-1]))
        or (len(joined) == 2 and bool(_KANA.fullmatch(joined)))
    )


def _titled(words: tuple[str, ...]) -> bool:
    return "".join(words) in common.TITLES


def _guesses(card: AgentCard) -> Iterable[tuple[tuple[str, ...], Trust, bool]]:
    names = [tuple(w.text for w in words_of(key(n))) for n in (card.name, *card.aliases)]
    names = [n for n in names if n]
    for words in names:
        joined = "".join(words)
        if len(words) > 1 and not _HAN.fullmatch(joined) and not _KANA.fullmatch(joined):
            yield (joined,), Trust.PART, False
            yield from _parts(words)
        if _HAN.fullmatch(joined):
            yield from _han_guesses(joined, names)
        if _KANA.search(joined):
            yield tuple(_other_kana(joined)), Trust.PART, False
        if len(words) == 1:
            yield from _inflections(joined)
    if _LATIN.fullmatch(key(card.id)) and len(card.id) >= 4:
        yield (key(card.id),), Trust.PART, False


def _parts(words: tuple[str, ...]) -> Iterable[tuple[tuple[str, ...], Trust, bool]]:
    if "the" in words[1:]:
        return
    runs = _script_runs(words)
    for run in runs:
        joined = "".join(run)
        usual = joined in common.TITLES or joined in common.NOUNS
        if run != words and (len(joined) >= 3 or (len(joined) == 2 and _HAN.fullmatch(joined))) and joined != "the":
            yield run, Trust.MADE if usual else Trust.PART, False


def _script_runs(words: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Latin words one by one; characters that follow each other together."""
    runs: list[tuple[str, ...]] = []
    for word in words:
        is_han = bool(_HAN.fullmatch(word) or _KANA.fullmatch(word))
        if is_han and runs and (_HAN.fullmatch(runs[-1][-1]) or _KANA.fullmatch(runs[-1][-1])):
            runs[-1] = (*runs[-1], word)
        else:
            runs.append((word,))
    return runs


def _han_guesses(name: str, names: list[tuple[str, ...]]) -> Iterable[tuple[tuple[str, ...], Trust, bool]]:
    for group in common.SYNONYMS:
        for ending in group:
            if name.endswith(ending) and len(name) > len(ending):
                stem = name[: -len(ending)]
                yield from ((tuple(stem + other), Trust.PART, False) for other in group if other != ending)
                if len(ending) >= 2:
                    yield tuple(ending), Trust.MADE, False
    for other in names:
        inner = "".join(other)
        if inner != name and len(inner) >= 2 and name.endswith(inner) and len(name) - len(inner) >= 2:
            yield tuple(name[: -len(inner)]), Trust.MADE, False
    core = _core(name)
    if core:
        yield from ((tuple(p + core), Trust.MADE, False) for p in common.PREFIXES)
        yield from ((tuple(core + s), Trust.MADE, False) for s in common.SUFFIXES)
        yield tuple(core + core), Trust.MADE, False
    if len(name) >= 2 and (latin := spelled_out(name)) and len(latin) >= 5:
        yield (latin,), Trust.MADE, False


def _core(name: str) -> str:
    """The one character a short Chinese name turns on (``阿哲``: ``哲``), or nothing."""
    if len(name) == 2 and name[0] in common.PREFIXES:
        return name[1]
    if len(name) == 2 and name[1] in common.SUFFIXES:
        return name[0]
    return name[0] if len(name) == 2 and name[0] == name[1] else ""


def _other_kana(name: str) -> str:
    flipped = []
    for c in name:
        code = ord(c)
        if 0x3041 <= code <= 0x3096:
            c = chr(code + 0x60)
        elif 0x30A1 <= code <= 0x30F6:
            c = chr(code - 0x60)
        flipped.append(c)
    return "".join(flipped)


def _inflections(name: str) -> Iterable[tuple[tuple[str, ...], Trust, bool]]:
    if _CYRILLIC.fullmatch(name) and len(name) >= 3:
        stem = name[:-1] if name[-1] in "аяьйео" else name
        yield from (((stem + e,), Trust.PART, True) for e in _RUSSIAN_ENDINGS if stem + e != name)
        if name[-1] in "ая" and len(stem) >= 2:
            yield (stem,), Trust.MADE, False
            yield (stem + "ь",), Trust.MADE, False
    elif _ARABIC.fullmatch(name) and len(name) >= 3:
        yield from (((p + name,), Trust.PART, p not in ("يا", "و")) for p in ("ل", "ب", "و", "يا", "ف"))
    elif name.isascii() and len(name) >= 3:
        yield (name + "s",), Trust.PART, True


def find(words: list[Word], low: str, index: NameIndex, people: dict[tuple[str, ...], str]) -> list[Found]:
    """Names in order of the text; the longest wins, and what a name covers is no other name."""
    found: list[Found] = []
    i = 0
    while i < len(words):
        match = _match_at(words, i, low, index, people)
        if match:
            found.extend(match[0])
            i = match[1]
        else:
            i += 1
    return found


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
        if j is None or (person and person[1] > j):
            continue
        same = [f for f in index.by_first[text] if f.words == form.words]
        end = _name_end(words[j - 1])
        return [Found(f.owner, word.start, end, f.trust, f.weak, f.bent) for f in same], j
    if person:
        return [Found(person[0], word.start, _name_end(words[person[1] - 1]), Trust.GIVEN, False, human=True)], person[1]
    return None


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
    for n in range(len(word.text), 1, -1):
        head, rest = word.text[:n], word.text[n:]
        if rest and not is_particle(rest):
            continue
        forms = [f for f in index.by_first.get(head, ()) if len(f.words) == 1]
        if forms:
            end = word.start + n
            return [Found(f.owner, word.start, end, f.trust, f.weak, f.bent, rest=rest) for f in forms], i + 1
        if (head,) in people:
            return [Found(people[(head,)], word.start, word.start + n, Trust.GIVEN, False, human=True, rest=rest)], i + 1
    return None


_PARTICLES: Final = (
    "아 야 이 님 씨 은 는 가 을 를 도 의 와 과 랑 이랑 하고 한테 에게 께 만 형 누나 언니 오빠 이야 이는 이가 이랑 이도 이를 이한테 이에게 "
    "이의 선생님 쌤 군 양 부터 까지 이부터 먼저 한테는 에게는 말고 빼고 보다 처럼 님은 님이 님도 님한테 씨는 씨도 형은 형이 형도 형한테 언니는 언니도 "
    "누나는 누나도 오빠는 오빠도 라면 이라면 야말로 이야말로 나 이나"
).split()
_PARTICLE_SET: Final = frozenset(_PARTICLES)


def is_particle(rest: str) -> bool:
    """Whether Hangul glued behind a name only inflects it."""
    return rest in _PARTICLE_SET
