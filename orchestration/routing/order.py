"""In which order the named are to speak."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import Final

from orchestration.routing.address import Address
from orchestration.routing.pauses import SENTENCE_ENDS, trimmed
from orchestration.routing.words import Hits, outside

NEAR: Final = 14
"""Characters within which an order word belongs to a name."""
ADJACENT: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """``owners`` in speaking order; ``told`` when the text says so rather than only naming them in a row."""

    owners: tuple[str, ...]
    told: bool


def order_of(named: list[Address], low: str, hits: Hits) -> Order:
    """The order the text asks for: ranks ("first", "最后"), "B after A", else the order in which they are named."""
    owners = list(dict.fromkeys(a.owner for a in named))
    if len(owners) < 2:
        return Order(owners=tuple(owners), told=False)
    starts = {a.owner: a.found.start for a in reversed(named)}
    ends = {a.owner: a.found.end for a in reversed(named)}
    ranks: dict[str, float] = {o: 10.0 + i for i, o in enumerate(owners)}
    told = False
    for tag, rank in (("first", 0.0), ("second", 1.0), ("third", 2.0), ("last", 90.0)):
        for hit in hits.of(tag):
            owner = _belongs_to(hit.start, hit.end, owners, starts, ends, low)
            if owner and 10.0 <= ranks[owner] < 90.0:
                told = True
                ranks[owner] = rank + (0.01 * owners.index(owner))
    told = told or hits.has("turns") or _goes_on(starts, ends, hits)
    ordered = sorted(owners, key=lambda o: ranks[o])
    swapped = _after(ordered, starts, ends, low, hits)
    return Order(owners=tuple(swapped or ordered), told=told or swapped is not None)


def _goes_on(starts: dict[str, int], ends: dict[str, int], hits: Hits) -> bool:
    """Whether a "then" stands between the names or right behind the last, not in what all of them are to do."""
    first, last, end = min(ends.values()), max(starts.values()), max(ends.values())
    return any(first <= h.start < last or 0 <= h.start - end <= ADJACENT for h in hits.of("then"))


def _belongs_to(
    start: int, end: int, owners: list[str], starts: dict[str, int], ends: dict[str, int], low: str
) -> str | None:
    """The name an order word stands with: the nearest in its clause."""
    near: list[tuple[int, int, str]] = []
    for o in owners:
        if 0 <= start - ends[o] <= NEAR and not _parted(low[ends[o] : start]):
            near.append((start - ends[o], 0, o))
        if 0 <= starts[o] - end <= NEAR and not _parted(low[end : starts[o]]):
            near.append((starts[o] - end, 1, o))
    return min(near)[2] if near else None


def _parted(between: str) -> bool:
    return any(c in SENTENCE_ENDS or c in ",，、" for c in between)


def _after(owners: list[str], starts: dict[str, int], ends: dict[str, int], low: str, hits: Hits) -> list[str] | None:
    """ "B after A", "before A, B": the order turned round, or None."""
    by_place = sorted(owners, key=lambda o: starts[o])
    first, second = by_place[:2]
    if _after_opening(starts[first], low, hits) and any(c in ",，" for c in low[ends[first] : starts[second]]):
        return [second, first, *by_place[2:]]
    afters = outside(hits.of("after"), [h for h in hits.of("then") if " " in h.text])
    for left, right in itertools.pairwise(by_place):
        between = low[ends[left] : starts[right]]
        if any(c in SENTENCE_ENDS for c in between) or len(between) > 3 * NEAR:
            continue
        turned = any(ends[left] <= h.start and h.end <= starts[right] for h in afters)
        follows = between.strip() in ("在", "排在", "排", "跟在", "接在", "等") and low[
            ends[right] :
        ].lstrip().startswith(("后面", "之后", "后", "说完", "讲完", "先说", "先讲", "结束", "发言完", "答完"))
        if turned or follows:
            out = [o for o in owners if o != left]
            out.insert(out.index(right) + 1, left)
            return out
    return None


def _after_opening(start: int, low: str, hits: Hits) -> bool:
    """ "Before A sings, B speaks": whether the text opens with the word, the name behind it."""
    opening = hits.until(trimmed(start, low), "before")
    return opening is not None and not low[:opening].strip()
