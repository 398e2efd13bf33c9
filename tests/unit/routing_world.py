"""A small cast and a short way to ask who answers."""

from __future__ import annotations

from orchestration.decisions import RouteDecision
from orchestration.model import AgentCard
from orchestration.routing.decide import Semantic, route
from orchestration.routing.inputs import RecentLine, RouteInput


def card(agent_id: str, name: str, *aliases: str, description: str = "", talkativeness: float = 0.5) -> AgentCard:
    return AgentCard(
        id=agent_id, name=name, aliases=aliases, description=description, talkativeness=talkativeness, version=1
    )


CAST = (
    card("mira", "Mira", "Mimi", description="warm listener: comfort, feelings, relationships"),
    card("theo", "Theo", description="software engineer: code, databases, servers"),
    card("gus", "Gus", "Chef Gus", description="chef: recipes, wine, restaurants"),
    card("mei", "小梅", "梅姐", description="旅行规划：签证、机票、路线"),
    card("an", "阿岩", "岩哥", description="法律、租房合同"),
    card("yuna", "유나", description="게임과 애니"),
    card("ken", "ケン先生", "ケン", description="英語と国語の勉強"),
    card("olga", "Ольга", "Оля", description="планирование дел и поездок"),
)


def line(speaker: str, text: str, minutes: float, agent_id: str | None = None) -> RecentLine:
    return RecentLine(speaker_id=speaker, speaker=speaker, text=text, minutes_ago=minutes, agent_id=agent_id)


def asked(
    text: str,
    *,
    cast: tuple[AgentCard, ...] = CAST,
    recent: tuple[RecentLine, ...] = (),
    speaker: str = "Pat",
    reply: str | None = None,
    mentions: tuple[str, ...] = (),
    cap: int = 3,
) -> RouteInput:
    return RouteInput(
        cast=cast,
        recent=recent,
        speaker_id=speaker,
        speaker=speaker,
        text=text,
        reply_to_agent=reply,
        mentioned_agents=mentions,
        agents_max=cap,
    )


def decide(
    text: str,
    *,
    cast: tuple[AgentCard, ...] = CAST,
    recent: tuple[RecentLine, ...] = (),
    reply: str | None = None,
    mentions: tuple[str, ...] = (),
    semantic: Semantic | None = None,
    cap: int = 3,
) -> RouteDecision:
    return route(asked(text, cast=cast, recent=recent, reply=reply, mentions=mentions, cap=cap), semantic=semantic)
