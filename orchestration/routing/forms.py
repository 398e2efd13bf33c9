"""Every way a card may be called: as it is written on the card, in parts, bent, and as people make it up."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

from orchestration.model import AgentCard
from orchestration.routing.languages import cues, everyday
from orchestration.routing.languages.pinyin import sound_of, spelled_out
from orchestration.routing.text import key
from orchestration.routing.words import words_of

_SEPARATED: Final = re.compile(r"[·・•|/()\[\] _-]+")
_HAN_PART: Final = re.compile(r"[\u3400-\u9fff]{2,}")
_HAN: Final = re.compile(r"[\u3400-\u9fff]+")
_KANA: Final = re.compile(r"[\u3040-\u30ff]+")
_CYRILLIC: Final = re.compile(r"[\u0400-\u04ff]+")
_ARABIC: Final = re.compile(r"[\u0600-\u06ff]+")
_LATIN: Final = re.compile(r"[a-z0-9]+")
_PICTURE: Final = re.compile(r"[\u2600-\u27bf\U0001f000-\U0001faff]")
_GRAMMAR: Final = frozenset(("ask", "follow", "a_do", "a_you", "a_may", "a_tell", "b_about", "b_with", "all"))
_RUSSIAN_ENDINGS: Final = ("у", "ю", "ы", "и", "е", "ои", "еи", "ом", "ем", "а", "я")


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


@dataclass(frozen=True, slots=True, kw_only=True)
class NameIndex:
    """All forms of a cast by their first word; ``pictures`` are emoji that belong to one card alone."""

    by_first: dict[str, tuple[Form, ...]]
    pictures: dict[str, str]
    forms: tuple[Form, ...]
    landmarks: re.Pattern[str] | None
    """Finds the names and aliases that stand on the cards."""
    sounds: dict[tuple[str, ...], frozenset[str]]
    """Whose Chinese names of two characters and more sound so."""


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
    return NameIndex(
        by_first={k: tuple(v) for k, v in by_first.items()},
        pictures=pictures,
        forms=tuple(forms),
        landmarks=_landmarks(forms),
        sounds=_sounds(forms),
    )


def _sounds(forms: list[Form]) -> dict[tuple[str, ...], frozenset[str]]:
    owners: dict[tuple[str, ...], set[str]] = {}
    for form in forms:
        if form.trust is Trust.GIVEN and len(form.words) >= 2 and (sound := sound_of("".join(form.words))):
            owners.setdefault(sound, set()).add(form.owner)
    return {sound: frozenset(whose) for sound, whose in owners.items()}


def _landmarks(forms: list[Form]) -> re.Pattern[str] | None:
    given = {f.words for f in forms if f.trust is Trust.GIVEN and (len(f.words) > 1 or len(f.words[0]) > 1)}
    spelled = sorted((r"\W{0,3}".join(re.escape(w) for w in words) for words in given), key=lambda s: (-len(s), s))
    return re.compile("|".join(spelled)) if spelled else None


def _weak(words: tuple[str, ...]) -> bool:
    joined = "".join(words)
    if len(words) > 1 and _LATIN.fullmatch(joined):
        return False
    return (
        joined in everyday.VERBS
        or joined in everyday.NOUNS
        or joined in everyday.SCRIPTS
        or (len(joined) == 1)
        or (joined[:-1] in everyday.SCRIPTS and joined[-1] in everyday.PARTICLES)
        or (len(joined) == 2 and bool(_KANA.fullmatch(joined)))
    )


def _titled(words: tuple[str, ...]) -> bool:
    return "".join(words) in everyday.TITLES


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
    for name in (card.name, *card.aliases):
        yield from (
            ((tuple(part)), Trust.PART, False) for part in _SEPARATED.split(key(name)) if _HAN_PART.fullmatch(part)
        )
    if _LATIN.fullmatch(key(card.id)) and len(card.id) >= 4 and not _grammatical(key(card.id)):
        yield (key(card.id),), Trust.PART, False


def _parts(words: tuple[str, ...]) -> Iterable[tuple[tuple[str, ...], Trust, bool]]:
    if "the" in words[1:]:
        return
    runs = _script_runs(words)
    for run in runs:
        joined = "".join(run)
        usual = joined in everyday.TITLES or joined in everyday.NOUNS
        if (
            run != words
            and not _grammatical(joined)
            and (len(joined) >= 3 or (len(joined) == 2 and _HAN.fullmatch(joined)))
            and joined != "the"
        ):
            yield run, Trust.MADE if usual else Trust.PART, False


def _grammatical(word: str) -> bool:
    """Too common a word to be called by: "Dr. What?" is not called "what"."""
    return not _GRAMMAR.isdisjoint(cues().phrases.get(word, ((), False))[0])


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
    for group in everyday.SYNONYMS:
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
        yield from ((tuple(p + core), Trust.MADE, False) for p in everyday.PREFIXES)
        yield from ((tuple(core + s), Trust.MADE, False) for s in everyday.SUFFIXES)
        yield tuple(core + core), Trust.MADE, False
    if len(name) >= 2 and (latin := spelled_out(name)) and len(latin) >= 5:
        yield (latin,), Trust.MADE, False


def _core(name: str) -> str:
    """The one character a short Chinese name turns on (``阿哲``: ``哲``), or nothing."""
    if len(name) == 2 and name[0] in everyday.PREFIXES:
        return name[1]
    if len(name) == 2 and name[1] in everyday.SUFFIXES:
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
