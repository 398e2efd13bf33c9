"""Long text -> parts of at most so many UTF-16 units, entities carried on across the cut. Pure.

Nothing is dropped: the texts of the parts, put together, are the text. Cuts fall at a blank line, a line end, a
sentence end or a space where one stands in the last half of the part, and never inside a character or a cluster.
"""

from __future__ import annotations

import re
from dataclasses import replace

from adapters.telegram.markup import Marked, Piece

LIMIT = 4096
MAX_ENTITIES = 100
_BREAKS = (
    re.compile(r"\n\s*\n"),
    re.compile(r"\n"),
    re.compile(r"[.!?。！？…]+[\s”\"')\]]*"),
    re.compile(r"[\s、，,；;]+"),
)
_JOINERS = re.compile(r"[\u200d\ufe0f\u20e3\U0001f3fb-\U0001f3ff\u0300-\u036f]")


def split(whole: Marked, *, limit: int = LIMIT, first_limit: int | None = None) -> list[Marked]:
    """At least one part unless the text is blank. ``first_limit`` is the room of the first part, if it has less."""
    parts: list[Marked] = []
    at = 0
    while at < len(whole.text):
        end = _end(whole, at, first_limit if at == 0 and first_limit else limit)
        parts.append(_cut(whole, at, end))
        at = end
    return _no_blank(parts)


def _end(whole: Marked, at: int, limit: int) -> int:
    text = whole.text
    end, used = at, 0
    while end < len(text):
        cost = 2 if ord(text[end]) > 0xFFFF else 1
        if used + cost > limit:
            break
        used += cost
        end += 1
    end = _under_entities(whole, at, end)
    if end == len(text):
        return end
    window = text[at:end]
    for pattern in _BREAKS:
        found = [m.end() for m in pattern.finditer(window) if m.end() > len(window) // 2]
        if found:
            return at + found[-1]
    cut = end
    while cut > at + len(window) // 2 and (_JOINERS.match(text[cut]) or text[cut - 1] == "\u200d"):
        cut -= 1
    return cut if cut > at + len(window) // 2 else end


def _under_entities(whole: Marked, at: int, end: int) -> int:
    """The server ignores what stands beyond the hundredth entity: cut before it."""
    inside = [p for p in whole.pieces if p.end > at and p.start < end]
    if len(inside) <= MAX_ENTITIES:
        return end
    return max(at + 1, sorted(p.start for p in inside)[MAX_ENTITIES])


def _cut(whole: Marked, start: int, end: int) -> Marked:
    pieces: list[Piece] = []
    for p in whole.pieces:
        left, right = max(p.start, start), min(p.end, end)
        if left < right:
            pieces.append(replace(p, start=left - start, end=right - start))
    return Marked(text=whole.text[start:end], pieces=tuple(pieces))


def _no_blank(parts: list[Marked]) -> list[Marked]:
    """A part of nothing but white space is refused by the server and shows nothing: it is left out."""
    return [p for p in parts if p.text.strip()]
