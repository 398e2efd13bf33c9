"""Whom a message is meant for: one pure function from the message and its surroundings to a `RouteDecision`.

The steps are asked in turn; the first that has an answer decides. Proof comes before evidence (a platform mention
before a name, a name before a crowd word), address before silence, silence before suitability.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from orchestration.decisions import RouteDecision
from orchestration.routing.answers import silence
from orchestration.routing.doubts import doubted
from orchestration.routing.evidence import Evidence, gather
from orchestration.routing.gathered import crowd_gathered
from orchestration.routing.inputs import RouteInput
from orchestration.routing.named import mentioned, named, replied
from orchestration.routing.suit import Semantic
from orchestration.routing.unnamed import (
    best_suited,
    between_people,
    continued,
    hushed,
    memory,
    mood,
    summoned,
    wordless,
)

__all__ = ["Semantic", "route"]

_Step = Callable[[Evidence], RouteDecision | None]
STEPS: Final[tuple[_Step, ...]] = (
    hushed,
    mentioned,
    named,
    replied,
    crowd_gathered,
    summoned,
    between_people,
    wordless,
    memory,
    mood,
    continued,
)


def route(inputs: RouteInput, *, semantic: Semantic | None = None) -> RouteDecision:
    """Who answers ``inputs``: a decision whose confidence tells whether a model should still be asked."""
    evidence = gather(inputs, semantic)
    if not evidence.cast:
        return silence("no_agents", 1.0)
    for step in STEPS:
        decision = step(evidence)
        if decision is not None:
            return doubted(evidence, decision)
    return best_suited(evidence)
