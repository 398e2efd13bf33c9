"""Text for eighty columns: names and words as one plain line, cut and padded by what a terminal really shows."""

from __future__ import annotations

import unicodedata

WIDTH = 80
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
    """The line in pieces of at most ``width`` columns, broken at spaces, inside a word only where it must be."""
    out: list[str] = []
    while columns(line) > width:
        fits = 0
        used = 0
        for char in line:
            used += _columns_of(char)
            if used > width:
                break
            fits += 1
        space = line.rfind(" ", len(indent) + 1, fits + 1)
        at = space if space > fits // 2 else max(fits, len(indent) + 1)
        out.append(line[:at].rstrip())
        line = indent + line[at:].lstrip()
    return [*out, line]


def _shown(char: str) -> bool:
    return unicodedata.category(char) not in ("Cc", "Cs") and char not in _TURNING


def _columns_of(char: str) -> int:
    if unicodedata.combining(char) or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1
