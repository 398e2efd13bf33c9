"""Rules asked from the event loop, which must not stand still while meaning is computed."""

from __future__ import annotations

import asyncio

from orchestration.decisions import RouteDecision
from orchestration.model import AgentCard
from orchestration.routing.decide import Semantic, route
from orchestration.routing.inputs import RouteInput


async def by_rules(inputs: RouteInput, semantic: Semantic | None) -> RouteDecision:
    """The rules' decision. Where they ask for meaning they run in a thread: embeddings take tens of milliseconds."""
    if semantic is None:
        return route(inputs)
    try:
        return route(inputs, semantic=_Elsewhere())
    except _MeaningAsked:
        return await asyncio.to_thread(route, inputs, semantic=semantic)


class _MeaningAsked(Exception):
    """The rules cannot do without meaning."""


class _Elsewhere:
    """`Semantic` that is not to be had in the event loop."""

    def nearness(self, text: str, cast: tuple[AgentCard, ...]) -> dict[str, float]:
        raise _MeaningAsked

    def leanings(self, text: str) -> dict[str, float]:
        raise _MeaningAsked
