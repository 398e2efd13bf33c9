"""The model's text as Telegram shows it: complete Markdown constructs become entities, all else stays word for word.

Offsets and lengths are UTF-16 units, as the Bot API counts. No parse mode is ever used, so no text can break a send.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from itertools import groupby
from urllib.parse import urlsplit

from telegram import MessageEntity

from orchestration.model import AgentCard


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """One entity over [start, end) in characters of its text."""

    kind: str
    start: int
    end: int
    url: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Marked:
    """Text and what stands over it; pieces are in order and never cross one another."""

    text: str
    pieces: tuple[Piece, ...] = ()

    def after(self, head: Marked) -> Marked:
        shift = len(head.text)
        moved = tuple(replace(p, start=p.start + shift, end=p.end + shift) for p in self.pieces)
        return Marked(text=head.text + self.text, pieces=head.pieces + moved)


def units(text: str) -> int:
    """Length in UTF-16 units."""
    return len(text) + sum(1 for c in text if ord(c) > 0xFFFF)


_FENCE = re.compile(r"(?m)^```([A-Za-z0-9_+#.-]*)[ \t]*\n(.*?)\n?^```[ \t]*$", re.DOTALL)
# Code begins and ends with ink: a lone ` among other signs must not pair with the next one.
_CODE = re.compile(r"(?<!`)`(?!\s)([^`\n]+)(?<!\s)`(?!`)")
_LINK = re.compile(r"(?<![\\!])\[([^\[\]\n]+)\]\((https?://[^\s()<>\"]+(?:\([^\s()<>\"]*\)[^\s()<>\"]*)*)\)")
_STYLES: tuple[tuple[re.Pattern[str], tuple[str, ...]], ...] = (
    (re.compile(r"(?<![*\\])\*\*\*(?=[^\s*])([^\n]+?)(?<=[^\s*\\])\*\*\*(?!\*)"), ("bold", "italic")),
    (re.compile(r"(?<![*\\])\*\*(?=[^\s*])([^\n]+?)(?<=[^\s*\\])\*\*(?!\*)"), ("bold",)),
    # A lone lower-case word between double lines is a name in code (__init__), not emphasis.
    (re.compile(r"(?<![\w\\])__(?![a-z0-9_]+__)(?=[^\s_])([^\n]+?)(?<=[^\s_\\])__(?!\w)"), ("bold",)),
    (re.compile(r"(?<![~\\])~~(?=[^\s~])([^\n]+?)(?<=[^\s~\\])~~(?!~)"), ("strikethrough",)),
    (re.compile(r"(?<![|\\])\|\|(?=[^\s|])([^\n|]+?)(?<=[^\s|\\])\|\|(?!\|)"), ("spoiler",)),
    (re.compile(r"(?<![*\w\\])\*(?=[^\s*])([^*\n]+?)(?<=[^\s*\\])\*(?![*\w])"), ("italic",)),
    (re.compile(r"(?<![\w\\])_(?=[^\s_])([^_\n]+?)(?<=[^\s_\\])_(?!\w)"), ("italic",)),
)
_MENTION = re.compile(r"(?<![\w@/.])@[A-Za-z]\w{2,31}(?![\w@])", re.ASCII)
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """Without what the server refuses or what would turn the line around: NUL, lone surrogates, bidi overrides."""
    return _CONTROL.sub("", text.replace("\r\n", "\n"))


def header(agent: AgentCard) -> Marked:
    """The whole first line: emoji and name, one bold entity."""
    name = " ".join(clean(f"{agent.emoji} {agent.name}").split()) or agent.id
    name = name.replace("@", "@\u200b")  # a name must not ping whoever has it as a username
    return Marked(text=f"{name}\n", pieces=(Piece(kind="bold", start=0, end=len(name)),))


def marked(text: str) -> Marked:
    """Markdown to entities. Incomplete constructs stay as they were written."""
    text = clean(text)
    out = Marked(text="")
    at = 0
    for fence in _FENCE.finditer(text):
        out = _inline(text[at : fence.start()]).after(out)
        body = fence.group(2)
        if body.strip():
            piece = Piece(kind="pre", start=0, end=len(body), language=fence.group(1))
            out = Marked(text=body, pieces=(piece,)).after(out)
        else:
            out = Marked(text=fence.group(0)).after(out)
        at = fence.end()
    return _inline(text[at:]).after(out)


def _inline(text: str) -> Marked:
    out = Marked(text="")
    at = 0
    for code in _CODE.finditer(text):
        out = _links(text[at : code.start()]).after(out)
        piece = Piece(kind="code", start=0, end=len(code.group(1)))
        out = Marked(text=code.group(1), pieces=(piece,)).after(out)
        at = code.end()
    return _links(text[at:]).after(out)


def _links(text: str) -> Marked:
    out = Marked(text="")
    at = 0
    for link in _LINK.finditer(text):
        label, url = link.group(1), link.group(2)
        if not _honest(label, url):
            continue
        out = _styled(text[at : link.start()]).after(out)
        piece = Piece(kind="text_link", start=0, end=len(label), url=url)
        out = Marked(text=label, pieces=(piece,)).after(out)
        at = link.end()
    return _styled(text[at:]).after(out)


def _honest(label: str, url: str) -> bool:
    """False where the label shows another address than the link leads to: then both stay visible."""
    try:
        host = (urlsplit(url).hostname or "").casefold()
    except ValueError:
        return False
    shown = re.search(r"[\w-]+(?:\.[\w-]+)+", label)
    return "." in host and (shown is None or shown.group(0).casefold().removeprefix("www.") in host)


def _styled(text: str) -> Marked:
    """The leftmost complete construct first; what stands inside it is looked at again."""
    out = Marked(text="")
    while True:
        found = [(m, kinds) for pattern, kinds in _STYLES if (m := pattern.search(text))]
        if not found:
            return _quiet(text).after(out)
        first, kinds = min(found, key=lambda f: f[0].start())
        inner = _styled(first.group(1))
        over = tuple(Piece(kind=k, start=0, end=len(inner.text)) for k in kinds)
        whole = Marked(text=inner.text, pieces=over + inner.pieces)
        out = whole.after(_quiet(text[: first.start()]).after(out))
        text = text[first.end() :]


def _quiet(text: str) -> Marked:
    """The server makes a ping of every ``@name`` it finds; under a code entity it does not, and the words stay."""
    pieces = tuple(Piece(kind="code", start=m.start(), end=m.end()) for m in _MENTION.finditer(text))
    return Marked(text=text, pieces=pieces)


def plain(text: str) -> Marked:
    """The text as it is, without markup and without pings."""
    return _quiet(clean(text))


_ALIGNED = re.compile(r"\S {2,}\S|[█·─]{4,}")


def tabular(text: str) -> Marked:
    """`plain`, and a fixed-width font over what stands in columns: aligned lines, and indented ones beside them."""
    whole = plain(text)
    tables, at = [], 0
    for table, lines in groupby(whole.text.splitlines(keepends=True), key=_in_table):
        block = "".join(lines)
        end = at + len(block.rstrip("\n"))
        if table and _ALIGNED.search(block):
            tables.append(Piece(kind="pre", start=at, end=end))
        at += len(block)
    outside = [p for p in whole.pieces if not any(t.start <= p.start < t.end for t in tables)]
    return Marked(text=whole.text, pieces=tuple(sorted([*tables, *outside], key=lambda p: p.start)))


def _in_table(line: str) -> bool:
    return line.startswith("  ") or _ALIGNED.search(line) is not None


def entities(part: Marked) -> list[MessageEntity]:
    """The pieces in UTF-16 units, at most the 100 that the server looks at."""
    starts = [0]
    for character in part.text:
        starts.append(starts[-1] + (2 if ord(character) > 0xFFFF else 1))
    out = []
    for piece in part.pieces[:100]:
        offset, length = starts[piece.start], starts[piece.end] - starts[piece.start]
        if length:
            out.append(
                MessageEntity(
                    type=piece.kind,
                    offset=offset,
                    length=length,
                    url=piece.url or None,
                    language=piece.language or None,
                )
            )
    return out
