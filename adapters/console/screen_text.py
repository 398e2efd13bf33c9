"""What others wrote, made harmless for a terminal: no colour, cursor or title codes, no turned reading direction."""

from __future__ import annotations

import re

_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069\ufeff]")
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def harmless(text: str) -> str:
    """The text with its line breaks and tabs; every other control sign becomes a visible one."""
    text = _TURNING.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _CONTROL.sub(_picture, text).expandtabs(4)


def harmless_line(text: str) -> str:
    """The same, on one line."""
    return " ".join(harmless(text).split())


def _picture(found: re.Match[str]) -> str:
    code = ord(found.group())
    if code < 0x20:
        return chr(0x2400 + code)
    return "␡" if code == 0x7F else "\ufffd"
