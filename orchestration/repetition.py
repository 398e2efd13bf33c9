"""A model that got stuck says the same again and again; here the repeats are taken away. Pure and linear."""

from __future__ import annotations

import regex

from orchestration.prose import Line, has_code, joined, lines_of

TIMES = 3
"""A line or sentence this often in a row is a loop."""
# The end is optional, so that a piece without one is stepped over once and not tried from each of its letters.
_SENTENCE = regex.compile(r"[^.!?。！？\n]++(?:[.!?。！？]++[\"'”’」』）)]*+[ \t]*+)?|[.!?。！？]++[ \t]*+")
_MIN_SENTENCE = 6
_TAIL = 4_000
_MIN_TAIL = 48
_SHORT_PERIOD = 4
_SHORT_KEPT = 12


def without_loops(text: str) -> str:
    """The text with every loop cut down to its first round; code blocks stay as they are."""
    lines = _fewer_lines(lines_of(text))
    lines = [line if line.code else Line(text=_fewer_sentences(line.text), code=False) for line in lines]
    whole = joined(lines)
    return whole if has_code(lines) else _without_tail_loop(whole)


def _fewer_lines(lines: list[Line]) -> list[Line]:
    kept: list[Line] = []
    at = 0
    while at < len(lines):
        end = at
        while end < len(lines) and lines[end] == lines[at]:
            end += 1
        loop = end - at >= TIMES and not lines[at].code and lines[at].text.strip()
        kept += [lines[at]] if loop else lines[at:end]
        at = end
    return kept


def _fewer_sentences(line: str) -> str:
    found = list(_SENTENCE.finditer(line))
    if len(found) < TIMES:
        return line
    kept, at, first = [], 0, 0
    while first < len(found):
        last = first
        while last + 1 < len(found) and _same(found[last + 1][0], found[first][0]):
            last += 1
        loop = last - first + 1 >= TIMES and len(found[first][0].strip()) >= _MIN_SENTENCE
        kept.append(line[at : found[first].end()])
        if not loop:
            kept.append(line[found[first].end() : found[last].end()])
        at = found[last].end()
        first = last + 1
    return "".join(kept) + line[at:]


def _same(one: str, other: str) -> bool:
    return one.strip().casefold() == other.strip().casefold()


def _without_tail_loop(text: str) -> str:
    """A text that ends in the same piece over and over, cut after the first piece (a long laugh keeps a dozen)."""
    end = len(text.rstrip())
    tail = text[max(0, end - _TAIL) : end][::-1]
    period, length = _periodic_prefix(tail)
    if length < max(_MIN_TAIL, 4 * period):
        return text
    start = end - length
    if length == len(tail):  # the loop may be older than the tail that was looked at
        while start >= period and text[start - period : start] == text[start : start + period]:
            start -= period
    kept = _SHORT_KEPT if period <= _SHORT_PERIOD else period
    return text[: start + kept].rstrip()


def _periodic_prefix(text: str) -> tuple[int, int]:
    """(period, length) of the longest prefix that repeats its period at least four times; (1, 0) when none does."""
    border = [0] * (len(text) + 1)
    best = (1, 0)
    k = 0
    for i in range(1, len(text)):
        while k and text[i] != text[k]:
            k = border[k]
        k += text[i] == text[k]
        border[i + 1] = k
        period = i + 1 - k
        if (i + 1) >= 4 * period and i + 1 > best[1]:
            best = (period, i + 1)
    return best
