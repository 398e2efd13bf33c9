"""Where a text pauses: the ends of clauses and sentences, pictures, spaces."""

from __future__ import annotations

from typing import Final

from orchestration.routing.text import HOLE

CLAUSE_ENDS: Final = frozenset('.,!?;:。、，！？；：…\n~〜—–)]}」』”"|' + HOLE + "،؟؛·•→")
SENTENCE_ENDS: Final = frozenset(".!?。！？\n…;；؟")


def pauses(low: str, i: int) -> bool:
    """Whether there is a pause at ``i``: punctuation, a picture, a dash between spaces."""
    c = low[i]
    if c == "-":
        return (i == 0 or low[i - 1].isspace()) and (i + 1 == len(low) or low[i + 1].isspace())
    return c in CLAUSE_ENDS or is_picture(c)


def is_picture(c: str) -> bool:
    return c >= "\u2600" and ("\u2600" <= c <= "\u27bf" or c >= "\U0001f000")


def trimmed(position: int, low: str) -> int:
    while position and low[position - 1] in " \t":
        position -= 1
    return position


def forth(position: int, low: str) -> int:
    while position < len(low) and low[position] in " \t":
        position += 1
    return position


def word_at(position: int, low: str) -> str:
    """The letters from the first that is no space on."""
    start = end = forth(position, low)
    while end < len(low) and low[end].isalnum():
        end += 1
    return low[start:end]
