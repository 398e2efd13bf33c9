"""Words of a folded text, and the one scan that finds every cue of every language table in it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

from orchestration.routing.text import key

MIN_STEM: Final = 3
MAX_STEM: Final = 14

_CJK: Final = r"\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff々〇"
_TOKEN: Final = re.compile(
    rf"(?P<cjk>[{_CJK}])|(?P<hangul>[\uac00-\ud7a3]+)|(?P<word>[^\W_{_CJK}\uac00-\ud7a3]+(?:'[^\W\d_]+)*[+#]{{0,2}})"
)
_HANGUL: Final = re.compile(r"[\uac00-\ud7a3]+")
_CJK_ONLY: Final = re.compile(rf"(?:[{_CJK}]|[^\w\s])+")


class Word(NamedTuple):
    """One word, or one character of a script without spaces. ``kind``: c (cjk), h (hangul), w (any other)."""

    text: str
    start: int
    end: int
    kind: str


def words_of(low: str) -> list[Word]:
    """The words of a text in lower case, in order."""
    return [Word(m.group(), *m.span(), _KINDS[m.lastindex or 3]) for m in _TOKEN.finditer(low)]


_KINDS: Final = ("", "c", "h", "w")


class Hit(NamedTuple):
    """A cue found at ``start``..``end``."""

    start: int
    end: int
    text: str


class Hits:
    """All cues of a text, by tag, and where each tag starts and ends (indexed when first asked)."""

    __slots__ = ("_by_end", "_by_start", "by_tag")

    def __init__(self, by_tag: dict[str, list[Hit]]) -> None:
        self.by_tag = by_tag
        self._by_start: dict[str, dict[int, int]] = {}
        self._by_end: dict[str, dict[int, int]] = {}

    def of(self, *tags: str) -> list[Hit]:
        """Hits of any of the tags, in order of the text, the longest first where they start together."""
        return sorted((h for t in tags for h in self.by_tag.get(t, ())), key=lambda h: (h.start, -h.end))

    def has(self, *tags: str) -> bool:
        return any(t in self.by_tag for t in tags)

    def at(self, position: int, *tags: str) -> int | None:
        """The end of the longest hit of one of the tags that starts at ``position``."""
        best = None
        for tag in tags:
            if tag in self.by_tag:
                end = self._starts(tag).get(position)
                if end is not None and (best is None or end > best):
                    best = end
        return best

    def until(self, position: int, *tags: str) -> int | None:
        """The start of the longest hit of one of the tags that ends at ``position``."""
        best = None
        for tag in tags:
            if tag in self.by_tag:
                start = self._ends(tag).get(position)
                if start is not None and (best is None or start < best):
                    best = start
        return best

    def _starts(self, tag: str) -> dict[int, int]:
        if tag not in self._by_start:
            index: dict[int, int] = {}
            for hit in self.by_tag[tag]:
                index[hit.start] = max(hit.end, index.get(hit.start, 0))
            self._by_start[tag] = index
        return self._by_start[tag]

    def _ends(self, tag: str) -> dict[int, int]:
        if tag not in self._by_end:
            index: dict[int, int] = {}
            for hit in self.by_tag[tag]:
                index[hit.end] = min(hit.start, index.get(hit.end, hit.start))
            self._by_end[tag] = index
        return self._by_end[tag]


def outside(hits: list[Hit], shadows: list[Hit]) -> list[Hit]:
    """The hits that no shadow overlaps: the same words, meant otherwise."""
    return [h for h in hits if not any(s.start < h.end and h.start < s.end for s in shadows)]


_Entry = tuple[tuple[str, ...], bool]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """Cue tables compiled for the scan.

    ``phrases`` holds every phrase and every beginning of one, each with its tags (none for a mere beginning) and
    whether a longer phrase begins so; ``stems`` what ends in ``*``, ``heads`` the first letters of those.
    """

    phrases: Mapping[str, _Entry]
    stems: Mapping[str, tuple[str, ...]]
    heads: frozenset[str]

    def scan(self, words: list[Word]) -> Hits:
        """Every cue in the words. Linear: each word is looked up a bounded number of times."""
        found: dict[str, list[Hit]] = {}
        phrases, heads = self.phrases, self.heads
        for i, (text, start, end, kind) in enumerate(words):
            entry = phrases.get(text)
            if entry is not None:
                self._follow(words, i, entry, found)
            if kind == "c":
                continue
            if "'" in text:
                self._note(text.split("'", 1)[0], start, found)
            if "\u0621" <= text[0] <= "\u064a":
                self._scan_arabic(words[i], found)
            if kind == "h" or text[:MIN_STEM] in heads:
                self._scan_stems(text, start, end, kind, found)
        return Hits(found)

    def _follow(self, words: list[Word], i: int, entry: _Entry, found: dict[str, list[Hit]]) -> None:
        """Notes the phrase at ``i`` and every longer one that begins with it."""
        text, start, end, kind = words[i]
        gap, joint = (0, "") if kind == "c" else (1, " ")
        following: _Entry | None = entry
        while following is not None:
            tags, longer = following
            for tag in tags:
                found.setdefault(tag, []).append(Hit(start, end, text))
            i += 1
            if not longer or i >= len(words) or words[i].kind != kind or words[i].start - end != gap:
                return
            text, end = text + joint + words[i].text, words[i].end
            following = self.phrases.get(text)

    def _note(self, text: str, start: int, found: dict[str, list[Hit]]) -> None:
        for tag in self.phrases.get(text, ((), False))[0]:
            found.setdefault(tag, []).append(Hit(start, start + len(text), text))

    def _scan_stems(self, text: str, start: int, end: int, kind: str, found: dict[str, list[Hit]]) -> None:
        for n in range(1 if kind == "h" else MIN_STEM, min(len(text), MAX_STEM) + 1):
            for tag in self.stems.get(text[:n], ()):
                hits = found.setdefault(tag, [])
                if not hits or hits[-1].start != start or hits[-1].end != end:
                    hits.append(Hit(start, end, text))

    def _scan_arabic(self, word: Word, found: dict[str, list[Hit]]) -> None:
        """Conjunction, preposition and article are glued before an Arabic word."""
        for prefix in _ARABIC_PREFIXES:
            rest = word.text[len(prefix) :]
            if word.text.startswith(prefix) and len(rest) >= MIN_STEM:
                self._note(rest, word.start + len(prefix), found)


_ARABIC_PREFIXES: Final = ("وال", "بال", "فال", "كال", "لل", "ال", "و", "ف", "ب", "ل")


def compile_lexicon(tables: Iterable[tuple[str, str]]) -> Lexicon:
    """A lexicon from (tag, "cue|cue|stem*") pairs. Hangul cues of one word are stems: particles are glued to them."""
    phrases: dict[str, set[str]] = {}
    stems: dict[str, set[str]] = {}
    for tag, cues in tables:
        for cue in cues.split("|"):
            _place(tag, " ".join(cue.split()), phrases, stems)
    entries = {phrase: (tuple(sorted(tags)), False) for phrase, tags in phrases.items()}
    for phrase in phrases:
        parts = phrase.split(" ") if " " in phrase else list(phrase)
        joint = " " if " " in phrase else ""
        if not joint and not _CJK_ONLY.fullmatch(phrase):
            continue
        for n in range(1, len(parts)):
            beginning = joint.join(parts[:n])
            entries[beginning] = (entries.get(beginning, ((), False))[0], True)
    return Lexicon(
        phrases=entries,
        stems={stem: tuple(sorted(tags)) for stem, tags in stems.items()},
        heads=frozenset(stem[:MIN_STEM] for stem in stems),
    )


def _place(tag: str, cue: str, phrases: dict[str, set[str]], stems: dict[str, set[str]]) -> None:
    if not cue:
        return
    folded = key(cue)
    if folded.endswith("*"):
        stems.setdefault(folded[:-1], set()).add(tag)
    elif _HANGUL.fullmatch(folded):
        stems.setdefault(folded, set()).add(tag)
    else:
        phrases.setdefault(_spelled(folded), set()).add(tag)


def _spelled(folded: str) -> str:
    """As the scan builds it: characters joined, words with one space."""
    return "".join(folded.split()) if _CJK_ONLY.fullmatch(folded) else folded
