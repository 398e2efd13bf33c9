"""What a new memory does to the older ones: joins one that says the same, supersedes one it contradicts. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import regex

from orchestration.memory.records import MemoryKind
from orchestration.memory.terms import alike, numbers, share, terms
from orchestration.model import Memory, Source

SAME = 0.6
CONTAINED = 0.85
SAME_MATTER = 0.4
"""How alike two texts must be to speak of one matter, when their polarity differs."""
MAX_SOURCES = 12

_NEGATIVE = regex.compile(
    r"\b(?:not|no|never|don['’]?t|doesn['’]?t|can['’]?t|cannot|won['’]?t|isn['’]?t|hates?|dislikes?|detests?"
    r"|stopped|quit|"
    r"gave up|no longer)\b|不再|不|没|讨厌|受不了|别|戒",
    regex.IGNORECASE,
)
# What a person has one of: a newer value takes the older one's place.
_SLOTS = {
    "home": regex.compile(
        r"\b(?:lives? (?:in|at|near)|(?:has |have |just )*moved to|based in)\b|住在|搬到|搬去|家在", regex.IGNORECASE
    ),
    "name": regex.compile(
        r"\b(?:my name is|name is|call me|i go by|is called|goes by)\b|(?:^|我|名字)叫(?!了)|叫我|名字是",
        regex.IGNORECASE,
    ),
    "birthday": regex.compile(r"\bbirthday\b|\bborn (?:on|in)\b|生日|出生", regex.IGNORECASE),
    "work": regex.compile(
        r"\bworks? (?:at|for|as)\b|\bjob (?:at|as)\b|在.{1,12}(?:工作|上班)|(?:职业|工作)是", regex.IGNORECASE
    ),
    "age": regex.compile(r"\b\d{1,3} years old\b|今年\d{1,3}岁|\d{1,3}岁", regex.IGNORECASE),
    "budget": regex.compile(r"\bbudget\b|预算", regex.IGNORECASE),
    "favourite": regex.compile(r"\bfavou?rite (?P<of>\w+)|最喜欢的(?P<zh>\p{Han}{1,3}?)(?=是)", regex.IGNORECASE),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """``kept`` is to be written (a new memory, or an old one changed), ``superseded`` are older ones it replaces.

    ``is_new`` tells whether ``kept`` has to be added.
    """

    kept: Memory
    is_new: bool
    superseded: tuple[Memory, ...] = ()


def settled(new: Memory, old: Sequence[Memory], replaces: Sequence[str] = ()) -> Settled:
    """How ``new`` joins the memories of the same owner. A contradiction keeps the sources of both."""
    mine = [m for m in old if _same_place(m, new) and not m.superseded_by]
    gone = [m for m in mine if m.id in replaces or contradicts(new, m)]
    if gone:
        kept = replace(
            new,
            sources=_joined(new.sources, *(m.sources for m in gone)),
            importance=max([new.importance, *(m.importance for m in gone)]),
        )
        return Settled(kept=kept, is_new=True, superseded=tuple(replace(m, superseded_by=new.id) for m in gone))
    same = next((m for m in mine if says_the_same(new.text, m.text)), None)
    if same is None:
        return Settled(kept=new, is_new=True)
    return Settled(kept=_merged(same, new), is_new=False)


def _same_place(one: Memory, other: Memory) -> bool:
    mine = (one.chat_id, one.agent_id, one.person_id, one.subject_id)
    return mine == (other.chat_id, other.agent_id, other.person_id, other.subject_id)


def _merged(old: Memory, new: Memory) -> Memory:
    """The old one strengthened; of the two wordings the newer stands when it says at least as much."""
    fuller = len(terms(new.text)) >= len(terms(old.text))
    known = {source.seq for source in old.sources}
    again = any(source.seq not in known for source in new.sources)
    return replace(
        old,
        text=new.text if fuller else old.text,
        vector=b"" if fuller and new.text != old.text else old.vector,
        sources=_joined(new.sources, old.sources),
        importance=max(old.importance, new.importance),
        confidence=min(1.0, old.confidence + (0.1 if again else 0.0)),
        used_at=new.created_at if again else old.used_at,
    )


def _joined(first: Sequence[Source], *others: Sequence[Source]) -> tuple[Source, ...]:
    """The sources together, the newest reading of each; the oldest ones go when there are too many."""
    found = {source.seq: source for sources in (*others[::-1], first) for source in sources}
    return tuple(found[seq] for seq in sorted(found))[-MAX_SOURCES:]


def says_the_same(one: str, other: str) -> bool:
    """Whether two texts say the same: nearly the same terms, the same numbers, the same polarity."""
    if is_negative(one) != is_negative(other):
        return False
    first, second = terms(one), terms(other)
    if not first or not second:
        return " ".join(one.split()).casefold() == " ".join(other.split()).casefold()
    shorter, longer = sorted((first, second), key=len)
    if numbers(one) != numbers(other) and numbers(one) and numbers(other):
        return False
    return alike(first, second) >= SAME or (len(shorter) >= 2 and share(shorter, longer) >= CONTAINED)


def contradicts(new: Memory, old: Memory) -> bool:
    """Whether the newer one says otherwise: another value for what one has one of, or yes where there was no."""
    if says_the_same(new.text, old.text) or MemoryKind.BOUNDARY in (new.kind, old.kind):
        return False
    slot = _slot(new.text)
    if slot is not None and slot == _slot(old.text):
        return True
    if is_negative(new.text) == is_negative(old.text):
        return False
    first, second = terms(_neutral(new.text)), terms(_neutral(old.text))
    shorter = min(len(first), len(second))
    return shorter > 0 and len(first & second) / shorter >= max(SAME_MATTER, 0.5) and new.kind == old.kind


def is_negative(text: str) -> bool:
    return len(_NEGATIVE.findall(text)) % 2 == 1


def _neutral(text: str) -> str:
    """Without the words that carry the polarity."""
    return regex.sub(r"喜欢|喜爱|爱吃|爱喝|\b(?:loves?|likes?|enjoys?|adores?)\b", " ", _NEGATIVE.sub(" ", text))


def _slot(text: str) -> str | None:
    for name, pattern in _SLOTS.items():
        found = pattern.search(text)
        if found is not None:
            of = found.groupdict()
            return f"{name} {(of.get('of') or of.get('zh') or '').casefold()}"
    return None
