"""Words that mean several agents at once: whom they gather, how many, and whether together or apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from orchestration.routing.languages import everyday
from orchestration.routing.pauses import CLAUSE_ENDS
from orchestration.routing.text import Outer
from orchestration.routing.words import Hit, Hits, outside


@dataclass(frozen=True, slots=True, kw_only=True)
class Crowd:
    """``size``: 0 nobody gathered, 2 or 3 that many, 9 everybody. ``spoken``: as a vocative, or with an at sign."""

    size: int = 0
    sure: float = 0.0
    spoken: bool = False
    who_of: bool = False
    """ "Who of you can ...": one or two are enough."""
    others: bool = False
    """The rest, besides those named."""
    each: bool = False
    apart: bool = False
    apart_firm: bool = False
    """Said in so many words ("don't look at each other"), which needs no other sign of a crowd."""
    debate: bool = False
    talk: bool = False
    turns: bool = False


def crowd_of(outer: Outer, hits: Hits) -> Crowd:
    """What the crowd words of a text gather."""
    shadows = hits.of("all_not")
    best, size, spoken = 0.0, 0, False
    for tag, standing in (("all", 9), ("all_call", 9), ("two", 2), ("three", 3), ("bots", 9)):
        for hit in hits.of(tag):
            if any(
                s.start <= hit.start and hit.end <= s.end and s.end - s.start > hit.end - hit.start for s in shadows
            ):
                continue
            sure, is_spoken = _reading(tag, hit, outer, hits)
            if sure > best or (sure == best and standing < size):
                best, size, spoken = sure, standing, is_spoken
    no_talk = hits.has("no_talk")
    debate = [h for h in hits.of("debate") if not _within(h, hits.of("no_talk"))]
    apart = hits.has("apart")
    return Crowd(
        size=size,
        sure=best,
        spoken=spoken,
        who_of=any(not any(_covers(a, h) for a in hits.of("all", "all_not")) for h in hits.of("whoever")),
        others=bool(outside(hits.of("other"), shadows)),
        each=any(not any(_covers(t, h) for t in hits.of("talk")) for h in hits.of("each")),
        apart=apart or (no_talk and hits.has("apart", "each")),
        apart_firm=any(_several(h.text) for h in hits.of("apart")),
        debate=bool(debate),
        talk=hits.has("talk") and not no_talk,
        turns=hits.has("turns"),
    )


def _several(text: str) -> bool:
    return " " in text or (not text.isascii() and len(text) >= 4)


def _covers(outer: Hit, inner: Hit) -> bool:
    longer = outer.end - outer.start > inner.end - inner.start
    return longer and outer.start <= inner.start and inner.end <= outer.end


def _within(hit: Hit, others: list[Hit]) -> bool:
    return any(o.start <= hit.start and hit.end <= o.end for o in others)


def _reading(tag: str, hit: Hit, outer: Outer, hits: Hits) -> tuple[float, bool]:
    low = outer.low
    left, right = _sides(hit, low)
    at_sign = low[: hit.start].rstrip(" ").endswith("@")
    opens = left in CLAUSE_ENDS or left == "" or hits.until(_back(hit.start, low), "b_call") is not None
    closes = right in CLAUSE_ENDS or right == ""
    accompanied = hits.until(_back(hit.start, low), "b_with") is not None and not opens and not _second_person(hit.text)
    if at_sign:
        return 0.97, True
    if accompanied:
        return 0.2, False
    if tag in ("all_call", "bots"):
        return _loose_reading(tag, hit, low, hits, opens=opens, closes=closes)
    if opens and closes:
        return 0.95, True
    if opens:
        return 0.93, True
    if closes:
        return 0.9, True
    return 0.87 if not hit.text.isascii() or " " in hit.text else 0.75, False


def _second_person(text: str) -> bool:
    """ "You all" is spoken to even behind a preposition; "with everyone" is not."""
    return text.startswith(_YOU) or text.endswith(" you")


_YOU: Final = (
    "you",
    "y'all",
    "yall",
    "你们",
    "你俩",
    "vosotr",
    "ustedes",
    "ihr",
    "euch",
    "вы",
    "вам",
    "너희",
    "vous",
    "voces",
)


def _loose_reading(tag: str, hit: Hit, low: str, hits: Hits, *, opens: bool, closes: bool) -> tuple[float, bool]:
    """ "Team", "folks", "朋友们" gather only as an address."""
    if opens and closes:
        return 0.93, True
    greeted = hits.until(_back(hit.start, low), "b_call", "greet") is not None
    if greeted and (closes or tag == "all_call"):
        return 0.9, True
    following = _forth(hit.end, low)
    asked = hits.at(following, "a_you", "a_do", "a_may")
    if opens and asked is not None and low[following:asked] not in everyday.NO_CALL:
        return 0.9, True
    if tag == "bots" and (opens or hits.at(_forth(hit.end, low), "a_hush", "a_do", "a_you") is not None):
        return 0.86, True
    return (0.5 if tag == "bots" else 0.1), False


def _back(position: int, low: str) -> int:
    while position and low[position - 1] in " \t@":
        position -= 1
    return position


def _forth(position: int, low: str) -> int:
    while position < len(low) and low[position] in " \t":
        position += 1
    return position


def _sides(hit: Hit, low: str) -> tuple[str, str]:
    before, after = _back(hit.start, low), _forth(hit.end, low)
    return low[before - 1 : before], low[after : after + 1]
