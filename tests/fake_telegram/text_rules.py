"""What the server does to a text: UTF-16 counting, entities found by itself, parse modes and their complaints. Pure."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

_FOUND = (
    ("mention", re.compile(r"(?<![\w@])@[A-Za-z]\w{2,31}", re.ASCII)),
    ("bot_command", re.compile(r"(?<![\w/])/[A-Za-z0-9_]{1,64}(?:@\w{3,32})?", re.ASCII)),
    ("url", re.compile(r"https?://[^\s<>\"]+")),
)
_MD_RESERVED = "_*[]()~`>#+-=|{}.!"
_HTML_TAGS = {
    "b": "bold",
    "strong": "bold",
    "i": "italic",
    "em": "italic",
    "u": "underline",
    "s": "strikethrough",
    "code": "code",
    "pre": "pre",
}


class TextError(Exception):
    """The server's description of what is wrong."""


def units(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def cut(text: str, offset: int, length: int) -> str:
    raw = text.encode("utf-16-le", "surrogatepass")
    return raw[offset * 2 : (offset + length) * 2].decode("utf-16-le", "replace")


def checked(text: str, entities: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Given entities as the server keeps them: sorted, inside the text; the first 100 count."""
    kept = []
    size = units(text)
    for entity in entities[:100]:
        offset, length = int(entity.get("offset", -1)), int(entity.get("length", -1))
        if offset < 0 or length < 0 or offset + length > size:
            raise TextError("Bad Request: ENTITY_BOUNDS_INVALID")
        if entity.get("type") == "text_link" and not str(entity.get("url", "")).startswith(("http", "tg:", "mailto:")):
            raise TextError("Bad Request: can't parse entities: URL_INVALID")
        kept.append({k: v for k, v in entity.items() if v is not None})
    return sorted(kept, key=lambda e: (e["offset"], -e["length"]))


def with_found(text: str, given: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Given entities plus mentions, commands and addresses that stand outside of code and links."""
    closed = [(e["offset"], e["offset"] + e["length"]) for e in given if e["type"] in ("code", "pre", "text_link")]
    out = list(given)
    for kind, pattern in _FOUND:
        for match in pattern.finditer(text):
            start = units(text[: match.start()])
            end = start + units(match.group(0))
            if not any(a < end and start < b for a, b in closed):
                out.append({"type": kind, "offset": start, "length": end - start})
                closed.append((start, end))
    return sorted(out, key=lambda e: (e["offset"], -e["length"]))


def parsed(text: str, mode: str) -> tuple[str, list[dict[str, Any]]]:
    """Text and entities of a parse mode, or the server's complaint."""
    if mode.lower() == "markdownv2":
        return _markdown_v2(text)
    if mode.lower() == "html":
        return _html(text)
    if mode.lower() == "markdown":
        return text, []
    raise TextError("Bad Request: unsupported parse_mode")


def _markdown_v2(text: str) -> tuple[str, list[dict[str, Any]]]:
    out, entities = "", []
    opened: list[tuple[str, int, int]] = []
    kinds = {"*": "bold", "_": "italic", "~": "strikethrough", "`": "code"}
    at = 0
    while at < len(text):
        c = text[at]
        if c == "\\" and at + 1 < len(text):
            out += text[at + 1]
            at += 2
            continue
        if c in kinds and (not opened or opened[-1][0] != "`" or c == "`"):
            if opened and opened[-1][0] == c:
                _, start, _ = opened.pop()
                entities.append({"type": kinds[c], "offset": start, "length": units(out) - start})
            else:
                opened.append((c, units(out), len(text[:at].encode())))
        elif c in _MD_RESERVED and not (opened and opened[-1][0] == "`"):
            raise TextError(
                f"Bad Request: can't parse entities: Character '{c}' is reserved and must be escaped "
                "with the preceding '\\'"
            )
        else:
            out += c
        at += 1
    if opened:
        name = kinds[opened[-1][0]].capitalize()
        raise TextError(
            f"Bad Request: can't parse entities: Can't find end of {name} entity at byte offset {opened[-1][2]}"
        )
    return out, entities


def _html(text: str) -> tuple[str, list[dict[str, Any]]]:
    out, entities = "", []
    opened: list[tuple[str, int]] = []
    at = 0
    while at < len(text):
        if text[at] != "<":
            end = text.find("<", at)
            end = len(text) if end < 0 else end
            out += unescape(text[at:end])
            at = end
            continue
        tag = re.match(r"<(/?)([A-Za-z]*)[^>]*>?", text[at:])
        assert tag is not None
        closing, name = tag.group(1), tag.group(2).lower()
        where = len(text[:at].encode())
        if name not in _HTML_TAGS:
            raise TextError(
                f'Bad Request: can\'t parse entities: Unsupported start tag "{name}" at byte offset {where}'
            )
        if closing:
            if not opened or opened[-1][0] != name:
                raise TextError(f"Bad Request: can't parse entities: Unmatched end tag at byte offset {where}")
            _, start = opened.pop()
            entities.append({"type": _HTML_TAGS[name], "offset": start, "length": units(out) - start})
        else:
            opened.append((name, units(out)))
        at += tag.end()
    if opened:
        raise TextError(
            f"Bad Request: can't parse entities: Can't find end tag corresponding to start tag \"{opened[-1][0]}\""
        )
    return out, entities
