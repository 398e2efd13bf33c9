"""A reply as lines, with those inside code fences told apart: what is code is never touched."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import regex

_OPENS = regex.compile(r"^[ ]{0,3}(?P<sign>`{3,}|~{3,})(?P<info>[^`\n]*)$")
_SEPARATORS = regex.compile(r"\r\n?|[\u2028\u2029\x85]")
_INLINE_CODE = regex.compile(r"`[^`\n]{1,400}`")


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line without its end. ``code``: inside a fence, or the fence itself."""

    text: str
    code: bool


def lines_of(text: str) -> list[Line]:
    """The lines of ``text``, whatever line break it uses. A fence that is never closed reaches to the end."""
    lines: list[Line] = []
    sign = ""
    for line in _SEPARATORS.sub("\n", text).split("\n"):
        if sign:
            lines.append(Line(text=line, code=True))
            bare = line.strip()
            if bare.startswith(sign) and not bare.strip(sign[0]):
                sign = ""
            continue
        found = _OPENS.match(line)
        sign = found["sign"] if found else ""
        lines.append(Line(text=line, code=bool(found)))
    return lines


def joined(lines: Iterable[Line]) -> str:
    return "\n".join(line.text for line in lines)


def prose_of(text: str) -> str:
    """The text without code: fenced lines become empty, inline code a blank."""
    return _INLINE_CODE.sub(" ", "\n".join("" if line.code else line.text for line in lines_of(text)))


def has_code(lines: Iterable[Line]) -> bool:
    return any(line.code for line in lines)
