"""What the router may look at."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from orchestration.model import ANY_AGENT, AgentCard
from orchestration.sessions import Sticky


@dataclass(frozen=True, slots=True, kw_only=True)
class RecentLine:
    """One earlier line of the chat. ``agent_id`` is None for humans; ``speaker_id`` may equal the display name."""

    speaker_id: str
    speaker: str
    text: str
    minutes_ago: float
    agent_id: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RouteInput:
    """One message to be routed; ``recent`` is oldest first. The order of ``cast`` never matters for the decision."""

    cast: tuple[AgentCard, ...]
    recent: tuple[RecentLine, ...]
    speaker_id: str
    speaker: str
    text: str
    reply_to_agent: str | None = None
    reply_to_human: bool = False
    mentioned_agents: tuple[str, ...] = ()
    mentioned_people: tuple[str, ...] = ()
    agents_max: int = 3
    clarify_below: float = 0.6
    sticky: tuple[Sticky, ...] = ()
    now: datetime | None = None
    """When the message was said; None where only the ages of the recent lines are known."""

    @property
    def proved_agents(self) -> frozenset[str]:
        """Agents that the platform itself proved to be mentioned."""
        return frozenset(self.mentioned_agents) - {ANY_AGENT}

    @property
    def summons(self) -> bool:
        """Whether the cast as a whole was mentioned: one of them is to answer."""
        return ANY_AGENT in self.mentioned_agents
