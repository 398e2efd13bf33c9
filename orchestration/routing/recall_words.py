"""The words of a line by which it is met again: long words, and pairs of characters where words have no spaces."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from orchestration.routing.text import key
from orchestration.routing.words import Word, words_of

LONG: Final = 4
MAX_CHARS: Final = 2000


def content_of(text: str) -> frozenset[str]:
    """Content of a text: words of four letters and more, Hangul words of two syllables, pairs of characters."""
    return frozenset(content(words_of(key(text[:MAX_CHARS]))))


def content(words: list[Word]) -> list[str]:
    """The same of words already read, in order and with repeats."""
    single = [w.text for w in words if (w.kind == "w" and len(w.text) >= LONG) or (w.kind == "h" and len(w.text) >= 2)]
    pairs = [a.text + b.text for a, b in pairwise(words) if a.kind == b.kind == "c" and a.end == b.start]
    return single + pairs
