"""What people send, made safe to store: nothing visible is lost, nothing in it can break a database or a log."""

from __future__ import annotations

import regex

from orchestration.model import MAX_MESSAGE_CHARS

_SURROGATES = regex.compile(r"[\ud800-\udfff]")
_CONTROLS = regex.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
# Colour, cursor and title codes of a terminal, whole: without its first sign one would be left as words ("[31m").
_TERMINAL_CODE = regex.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]{0,1000}(?:\x07|\x1b\\))")
_HAN = regex.compile(r"\p{Han}")
_LETTER = regex.compile(r"\p{L}")


def clean_text(text: str) -> str:
    """The text without NUL, other control characters and codes for a terminal.

    Surrogate pairs are joined, lone ones become U+FFFD. Line breaks and tabs stay. Above MAX_MESSAGE_CHARS the tail is
    cut and the cut is marked.
    """
    if _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    if "\x1b" in text:
        text = _TERMINAL_CODE.sub("", text)
    text = _CONTROLS.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if len(text) > MAX_MESSAGE_CHARS:
        text = text[:MAX_MESSAGE_CHARS] + " […]"
    return text


def clean_name(name: str) -> str:
    """One line without control characters, at most 80 characters; ``?`` when nothing is left."""
    return " ".join(clean_text(name).split())[:80] or "?"


def is_chinese(text: str) -> bool:
    """Whether a third or more of the letters of the first 2,000 characters are Han."""
    head = text[:2000]
    letters = len(_LETTER.findall(head))
    return letters > 0 and len(_HAN.findall(head)) * 3 >= letters
