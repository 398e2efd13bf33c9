"""Text for eighty columns: names and words as one plain line, cut and padded by what a terminal really shows."""

from __future__ import annotations

import unicodedata

WIDTH = 78
"""Eighty columns, less the two that a terminal's view puts before a word of Troupe's own."""
_NEVER_FIRST = frozenset("，。！？、；：）】》」』〉”’…—～·")
_NEVER_LAST = frozenset("（【《「『〈“‘")
_TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c")


def one_line(value: str, width: int = WIDTH) -> str:
    """The value as one line of at most ``width`` columns: no control or direction signs, ``…`` where it was cut."""
    if len(value) > width * 8:
        value = value[: width * 8]
    kept = "".join(
        c for c in value if c.isspace() or (unicodedata.category(c) not in ("Cc", "Cs") and c not in _TURNING)
    )
    return cut(" ".join(kept.split()), width)


def columns(value: str) -> int:
    """How many terminal columns the line takes (wide signs two, combining and joining ones none)."""
    return sum(_columns_of(char) for char in value)


def cut(value: str, width: int) -> str:
    """The longest beginning that fits, with ``…`` when something is missing."""
    if columns(value) <= width:
        return value
    kept, used = [], 1
    for char in value:
        used += _columns_of(char)
        if used > width:
            break
        kept.append(char)
    return "".join(kept).rstrip() + "…"


def pad(value: str, width: int) -> str:
    """The line cut and filled with spaces to exactly ``width`` columns (where wide signs allow)."""
    shown = cut(value, width)
    return shown + " " * (width - columns(shown))


def wrapped(line: str, width: int = WIDTH, indent: str = "    ") -> list[str]:
    """The line in pieces of at most ``width`` columns, broken at spaces, inside a word only where it must be.

    Between Chinese signs it may break anywhere, but no piece begins with a closing mark or ends with an opening one.
    """
    out: list[str] = []
    lead, start = "", 0
    while (end := _fitting(line, start, width - columns(lead))) < len(line):
        space = line.rfind(" ", start + 1, end + 1)
        at = space if space > (start + end) // 2 else _well_broken(line, start, end)
        out.append((lead + line[start:at]).rstrip())
        while at < len(line) and line[at].isspace():
            at += 1
        lead, start = indent, at
    return [*out, lead + line[start:]]


def _fitting(line: str, start: int, width: int) -> int:
    """Where what fits into ``width`` columns ends; at least one sign does."""
    used = 0
    for at in range(start, len(line)):
        used += _columns_of(line[at])
        if used > width:
            return max(at, start + 1)
    return len(line)


def _well_broken(line: str, start: int, end: int) -> int:
    """The last place before ``end`` where no mark is torn from its words, if there is one near."""
    for at in range(end, max(start, end - 4), -1):
        if line[at] not in _NEVER_FIRST and line[at - 1] not in _NEVER_LAST:
            return at
    return end


def _columns_of(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
