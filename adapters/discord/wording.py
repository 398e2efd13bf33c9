"""What goes out as text: the escape of mass mentions, the quote line, the fallback line, the parts. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256
from typing import Final

import regex

from adapters.discord.faces import shortened, visible
from adapters.splitting import split, utf16_units

LIMIT: Final = 2000
MAX_PARTS: Final = 4
"""More parts than this are shown as the first ones and a text file with the whole."""
QUOTE_UNITS: Final = 90
ZERO_WIDTH: Final = "\u200b"

_MASS = regex.compile(r"(?i)@(?=everyone|here)")
_SPACE = regex.compile(r"\s+")
_MARKUP = regex.compile(r"([\\*_~`|<>\[\]()#-])")
_UNSEEN = regex.compile(r"[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Marks of writing direction: they would turn round what stands behind them."""
_TAGS = regex.compile(r"<(?:@[!&]?\d+|#\d+|a?:(\w+):\d+|t:\d+(?::\w)?)>")
_LINKS = regex.compile(r"https?://\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One Discord message to be: its text, and the file that goes with it (name, content) if any."""

    content: str
    file: tuple[str, str] | None = None

    @property
    def hash(self) -> str:
        return content_hash(self.content)


def content_hash(content: str) -> str:
    """A short name of a text, blind to the white space that Discord trims and normalises."""
    return sha256(_SPACE.sub(" ", content.strip()).encode("utf-8", "replace")).hexdigest()[:24]


def harmless(text: str) -> str:
    """The text with ``@everyone`` and ``@here`` broken by an invisible sign (allowed_mentions is the first guard)."""
    return _MASS.sub("@" + ZERO_WIDTH, text)


def with_mention(text: str, *, person_name: str, native_id: str) -> str:
    """``@Name`` of the person answered becomes a real mention, once. Before splitting: it changes the length."""
    if not person_name or not native_id.isdecimal():
        return text
    pattern = regex.compile(rf"(?<![\w@])@{regex.escape(person_name)}(?!\w)")
    return pattern.sub(f"<@{native_id}>", text, count=1)


def quote_line(*, name: str, text: str, link: str) -> str:
    """One small line that says what is answered, with a jump link. Nothing in it pings or opens markup."""
    plain = _TAGS.sub(lambda found: f":{found.group(1)}:" if found.group(1) else "…", _UNSEEN.sub("", text))
    plain = _LINKS.sub("…", plain)
    plain = _SPACE.sub(" ", plain).strip()
    if utf16_units(plain) > QUOTE_UNITS:
        plain = shortened(plain, QUOTE_UNITS) + "…"
    shown = _LINKS.sub("…", _UNSEEN.sub("", _SPACE.sub(" ", name)).strip())
    shown = _escaped(shown) if visible(shown) else "…"
    return f"-# ↪ [{shown}]({link}): {_escaped(plain) or '…'}"


def _escaped(text: str) -> str:
    return harmless(_MARKUP.sub(r"\\\1", text))


def fallback_text(name: str, text: str) -> str:
    """How a reply looks when it has to come from the bot's own account."""
    return f"**{name.replace('*', '').strip()}:** {text}"


def parts_of(
    text: str, *, quote: str = "", speaker: str = "", file_name: str, file_note: str, may_attach: bool = True
) -> list[Part]:
    """The messages of one reply, in order; at least one.

    ``quote`` stands above the first. ``speaker``: the name that leads the first part when the post is the bot's own.
    ``file_note`` is the last line under a reply that was too long; the file then holds the whole text.
    """
    head = f"{quote}\n" if quote else ""
    lead = fallback_text(speaker, "") if speaker else ""
    first = LIMIT - utf16_units(head) - utf16_units(lead)
    pieces = split(text, LIMIT, first=first) or ["…"]
    whole: Part | None = None
    if len(pieces) > MAX_PARTS and may_attach:
        pieces = pieces[: MAX_PARTS - 1]
        whole = Part(content=file_note, file=(file_name, text))
    pieces[0] = head + lead + pieces[0]
    parts = [Part(content=piece) for piece in pieces]
    return [*parts, whole] if whole else parts
