"""How text of others stands in a prompt as data: it keeps its words and cannot leave its place.

A card, a summary or a draft goes between two tags whose token does not occur in the text; a line of chat is
``speaker: text`` with every further line indented, so that no text can begin a line that looks like ours.
"""

from __future__ import annotations

import hashlib
import unicodedata

import regex

from orchestration.card_rules import name_key
from orchestration.llm_tokens import tokens_of
from orchestration.model import Locale
from orchestration.prompts import prompt_text

NAME_CHARS = 40
_FRAME_CHARS = regex.compile(r"[:：∶﹕<>\[\]【】〈〉《》⟦⟧`|#*\\\"“”]")
_RESERVED = frozenset(
    {
        *("system", "assistant", "user", "developer", "tool", "function", "human", "ai", "admin", "moderator"),
        *("now", "turn", "系统", "助手", "用户", "人类", "管理员", "现在"),
    }
)


def spoken_name(name: str, locale: Locale = Locale.EN) -> str:
    """The name as it may stand before a colon: one line, at most NAME_CHARS, without marks of our frame.

    Letters of every script and emoji stay; direction marks, zero-width marks, controls and colons go.
    """
    kept = name[: NAME_CHARS * 8]
    if not kept.isprintable():
        kept = "".join(c if _is_visible(c) else " " if c.isspace() else "" for c in kept)
    bare = " ".join(_FRAME_CHARS.sub(" ", kept).split())[:NAME_CHARS].strip()
    return bare or prompt_text(locale, "nobody")


def _is_visible(char: str) -> bool:
    # U+200D joins emoji into one picture and is harmless inside a name.
    return char in " \u200d" or unicodedata.category(char)[0] not in "CZ"


def is_reserved(name: str) -> bool:
    """Whether a person of this name would look like a role of the protocol or a mark of ours."""
    return name_key(name) in _RESERVED


def token_for(text: str) -> str:
    """Six hex digits that do not occur in ``text``; the same text always has the same token (prefixes stay cached)."""
    digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
    lowered = text.casefold()
    for start in range(len(digest) - 6):
        if digest[start : start + 6] not in lowered:
            return digest[start : start + 6]
    return token_for(digest + text)


def framed(label: str, text: str) -> str:
    """``text`` word for word between two tags that it cannot contain."""
    token = token_for(text)
    return f"<{label} {token}>\n{text}\n</{label} {token}>"


def speech(name: str, text: str) -> str:
    """One thing said, as a line of chat; further lines are indented, whatever line break the text uses."""
    return f"{name}: " + "\n  ".join(text.splitlines() or [""])


def excerpt(text: str, tokens: int, locale: Locale = Locale.EN) -> str:
    """``text`` itself when it fits, else its head and its tail with a mark of what is left out between them.

    The result has at most about ``tokens`` tokens, the mark included.
    """
    if len(text) <= tokens or tokens_of(text) <= tokens:
        return text
    room = max(tokens - 16, 8)
    head = _prefix_of(text, room * 2 // 3)
    tail = _prefix_of(text[::-1], room - room * 2 // 3)[::-1]
    left_out = len(text) - len(head) - len(tail)
    return head + prompt_text(locale, "left_out", count=left_out) + tail


def _prefix_of(text: str, tokens: int) -> str:
    quarters = 0
    for at, char in enumerate(text[: tokens * 4]):
        quarters += 1 if char.isascii() else 4
        if quarters > tokens * 4:
            return text[:at]
    return text[: tokens * 4]
