"""What a line is for, from cue tables and, where there is one, the meaning of example lines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from orchestration.decisions import IntentKind
from orchestration.routing.words import Hits

KINDS: Final = ("feel", "quarrel", "plan", "play", "recall", "greet", "bored")
FELT: Final = 0.5
"""From this weight on a line counts as being of a kind."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Leaning:
    """How much a line is of each kind, 0..1 each."""

    feel: float = 0.0
    quarrel: float = 0.0
    plan: float = 0.0
    play: float = 0.0
    recall: float = 0.0
    greet: float = 0.0
    bored: float = 0.0

    def topics(self) -> dict[str, float]:
        """Card topics that such a line leans to."""
        out: dict[str, float] = {}
        for kind, wanted in _TOPICS.items():
            weight = getattr(self, kind)
            if weight >= FAINT:
                for topic, share in wanted.items():
                    out[topic] = max(out.get(topic, 0.0), weight * share)
        return out

    def intent(self) -> IntentKind:
        """The intent of an unaddressed line."""
        strongest = max(KINDS, key=lambda k: (getattr(self, k), -KINDS.index(k)))
        return _INTENTS[strongest] if getattr(self, strongest) >= FELT else IntentKind.CASUAL_CHAT


_TOPICS: Final[Mapping[str, Mapping[str, float]]] = {
    "feel": {"comfort": 1.0},
    "quarrel": {"mediate": 1.0, "comfort": 0.6, "law": 0.2},
    "plan": {"planner": 0.2, "life": 0.1},
    "play": {"rpg": 0.7, "story": 0.25, "wordplay": 0.25, "game": 0.2, "joke": 0.1},
    "bored": {"joke": 0.5, "wordplay": 0.4, "game": 0.3, "music": 0.1, "story": 0.2},
    "greet": {"comfort": 0.1},
}
_INTENTS: Final[Mapping[str, IntentKind]] = {
    "feel": IntentKind.EMOTIONAL_SUPPORT,
    "quarrel": IntentKind.CONFLICT_REPAIR,
    "plan": IntentKind.PLANNING,
    "play": IntentKind.ROLEPLAY,
    "recall": IntentKind.MEMORY_OR_PREFERENCE,
    "greet": IntentKind.CASUAL_CHAT,
    "bored": IntentKind.CASUAL_CHAT,
}
MEANING: Final[Mapping[str, tuple[float, float]]] = {
    "feel": (22.0, 0.009),
    "quarrel": (16.0, 0.0065),
    "plan": (30.0, 0.002),
    "play": (10.0, -0.001),
    "recall": (16.0, 0.011),
    "bored": (20.0, 0.006),
}
"""How strongly a margin of nearness to a kind's example lines counts, and from which margin on (chosen on our cases).

Of lines of another kind one in a hundred reaches 0.028 for sorrow and 0.024 for plans; half of those meant reach it.
"""
UNLIKE: Final = -0.4
"""The most that meaning takes from what the cues tell."""
FAINT: Final = 0.25
"""From this weight on a kind makes its cards a little likelier."""


def leaning_of(hits: Hits, length: int, near: Mapping[str, float] | None = None) -> Leaning:
    """The kinds of a line of ``length`` characters; ``near`` are margins of nearness to example lines."""
    weights = {kind: _by_cues(hits, kind, length) for kind in KINDS}
    if hits.has("feel_soft"):
        weights["feel"] = min(1.0, weights["feel"] + 0.6 * _by_cues(hits, "feel_soft", length))
    told = any(weights[kind] >= FELT for kind in KINDS if kind != "feel")
    for kind, margin in (near or {}).items():
        if kind in MEANING and not (kind == "feel" and told and not hits.has("feel", "feel_soft")):
            gain, floor = MEANING[kind]
            weights[kind] = min(1.0, max(0.0, weights[kind] + max(UNLIKE, gain * (margin - floor))))
    if hits.has("calm") and weights["quarrel"]:
        weights["quarrel"] = min(1.0, weights["quarrel"] + 0.3)
    return Leaning(**weights)


def _by_cues(hits: Hits, kind: str, length: int) -> float:
    """How much of a line its cues of one kind are: one cue in a long line is little, a line of cues is all."""
    spans = _disjoint({(h.start, h.end) for h in hits.of(kind)})
    if not spans:
        return 0.0
    letters = sum(end - start for start, end in spans)
    return min(1.0, 0.45 + 0.12 * (len(spans) - 1) + 1.2 * letters / max(length, 1))


def _disjoint(spans: set[tuple[int, int]]) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda s: (s[0], -s[1])):
        if not out or start >= out[-1][1]:
            out.append((start, end))
    return out
