"""Long Markdown text -> parts that each fit one platform message. Pure; lengths in UTF-16 units unless told otherwise.

Cuts fall at a paragraph, a line, a sentence or a space, never inside a character cluster, a mention, an emoji code,
a link or inline code. A code fence that a cut divides is closed in one part and reopened, with its language, in the
next. What the parts hold, put together, is the text: only white space at the cuts and the fences' own lines differ.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import accumulate

import regex

FENCE = "```"
_MARK = regex.compile(r"```(?P<language>[\w+#.-]*(?=\n))?")
_WHOLE = regex.compile(
    r"<(?:@[!&]?|\#|a?:\w+:|/[^:>\n]{1,100}:|t:)[^>\s]{1,40}>"  # mentions, emoji, commands, times
    r"|\[[^\]\n]{1,300}\]\([^)\s]{1,1000}\)"  # links with a name
    r"|https?://[^\s<>]+"
    r"|(?<!`)`[^`\n]{1,300}`(?!`)"
    r"|```[\w+#.-]*\n?"
    r"|\|\|[^|\n]{1,300}\|\|"
    r"|:\w{2,32}:"
)
_CLUSTER = regex.compile(r"\X")
_BOUNDARIES = tuple(
    regex.compile(pattern)
    for pattern in (
        r"\n[ \t]*\n\s*",
        r"\n",
        r"[.!?…][\"”’')\]]*\s+|[。！？…][”’」』）]*",
        r"[，、；：,;:]\s*",
        r"\s+",
    )
)
_LINE = (regex.compile(r"\n"),)
_SHORTEST = 0.4
"""A boundary nearer to the start than this share of the room is not worth the space it leaves empty."""


def utf16_units(text: str) -> int:
    """The text's length as Discord and Telegram count it: an emoji outside the first plane counts two."""
    return len(text) + sum(ch > "\uffff" for ch in text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Text:
    """A text with what the search for cuts asks again and again: running lengths, fence marks."""

    text: str
    sums: list[int]
    marks: tuple[tuple[int, int, str], ...]
    """Start, end and language of every fence mark."""

    def reach(self, start: int, room: int) -> int:
        """The furthest end so that text[start:end] is no longer than ``room`` (at least one character)."""
        return max(start + 1, bisect_right(self.sums, self.sums[start] + room) - 1)

    def fence_at(self, at: int) -> str | None:
        """The language of the fence that is open before position ``at`` ("" for none named); None outside."""
        before = [language for _, end, language in self.marks if end <= at]
        return before[-1] if len(before) % 2 else None


def split(text: str, limit: int, *, measure: Callable[[str], int] = utf16_units, first: int | None = None) -> list[str]:
    """The parts, none blank, each at most ``limit`` long by ``measure`` (``first``: the first part's own limit).

    [] for a blank text. ``measure`` must be additive over characters. Raises ValueError below a limit of 80.
    """
    if limit < 80 or (first is not None and first < 80):
        raise ValueError("a part needs room for at least 80 units")
    marks = tuple((m.start(), m.end(), m["language"] or "") for m in _MARK.finditer(text))
    whole = _Text(text=text, sums=[0, *accumulate(measure(ch) for ch in text)], marks=marks)
    return [part for part in _rendered(whole, limit, limit if first is None else first) if part]


def _rendered(whole: _Text, limit: int, first: int) -> Iterator[str]:
    at, room = 0, first
    while at < len(whole.text):
        language = whole.fence_at(at)
        head = 0 if language is None else len(FENCE) + len(language) + 1
        # Four units are kept for the line that closes a fence.
        end = whole.reach(at, room - head - len(FENCE) - 1)
        if end < len(whole.text):
            end = _off_the_marks(whole, at, _cut(whole, at, end, in_fence=language is not None))
        part = _dressed(whole, at, end)
        if part:
            yield part
            room = limit
        at = end


def _off_the_marks(whole: _Text, start: int, cut: int) -> int:
    """A cut right behind an opening mark goes before it, one right before a closing mark goes behind it."""
    if whole.fence_at(cut) is None:
        return cut
    opened = [begin for begin, end, _ in whole.marks if end <= cut][-1:]
    if opened and opened[0] > start and not _code_between(whole, cut):
        return opened[0]
    rest = whole.text[cut : cut + 8]
    if rest.lstrip().startswith(FENCE) and len(rest) - len(rest.lstrip()) <= 1:
        return cut + len(rest) - len(rest.lstrip()) + len(FENCE)
    return cut


def _code_between(whole: _Text, cut: int) -> bool:
    """Whether anything stands between the fence mark before ``cut`` and ``cut`` itself."""
    _, end, _ = [mark for mark in whole.marks if mark[1] <= cut][-1]
    return bool(whole.text[end:cut].strip())


def _dressed(whole: _Text, start: int, end: int) -> str:
    """The slice as a message of its own: fences reopened and closed, blank edges gone; "" when nothing is left."""
    body = whole.text[start:end]
    language = whole.fence_at(start)
    if language is not None and body.lstrip().startswith(FENCE):
        # The fence ends right here: the part before has closed it already.
        body, language = body.lstrip()[len(FENCE) :], None
    if not body.strip():
        return ""
    head = "" if language is None else f"{FENCE}{language}\n"
    tail = "" if whole.fence_at(end) is None else f"\n{FENCE}"
    body = body.strip("\n") if head else body.strip()
    return head + body.rstrip() + tail


def _cut(whole: _Text, start: int, end: int, *, in_fence: bool) -> int:
    """Where to cut text[start:end] so that nothing that belongs together falls apart."""
    window = whole.text[start:end]
    # A little more is looked at: what begins before the edge may reach over it.
    wide = whole.text[start : end + 1100]
    spans = [m.span() for m in _WHOLE.finditer(wide)]
    least = int(len(window) * _SHORTEST)
    for pattern in _LINE if in_fence else _BOUNDARIES:
        found = [m.end() for m in pattern.finditer(window) if m.end() > least]
        free = [cut for cut in found if not _inside(cut, spans)]
        if free:
            return start + free[-1]
    return start + _cluster_edge(wide, len(window), spans)


def _inside(cut: int, spans: list[tuple[int, int]]) -> bool:
    return any(left < cut < right for left, right in spans)


def _cluster_edge(wide: str, room: int, spans: list[tuple[int, int]]) -> int:
    """The last edge between clusters up to ``room`` outside all spans; inside one only where it fills the room."""
    edges = [m.end() for m in _CLUSTER.finditer(wide) if m.end() <= room]
    free = [edge for edge in edges if not _inside(edge, spans)]
    if free:
        return free[-1]
    return edges[-1] if edges else room
