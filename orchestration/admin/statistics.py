"""`/stats`: who spoke how often, who decided, how good it was and what it cost. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from orchestration.explain import tokens
from orchestration.memory.records import UpkeepState
from orchestration.model import AgentCard, AgentTally, Usage
from orchestration.monospace import one_line, pad
from orchestration.texts import has, text
from orchestration.turns import TurnTally

NAME_COLUMNS = 20
BAR_COLUMNS = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatStatistics:
    turns: TurnTally
    agents: tuple[AgentTally, ...]

    @property
    def usage(self) -> Usage:
        """Of all turns: replies, decisions and checks."""
        return self.turns.usage


def told(statistics: ChatStatistics, cast: Iterable[AgentCard], *, locale: str) -> str:
    """The statistics as lines of at most 80 columns with small bars."""
    if not statistics.turns.turns:
        return text(locale, "stats_none")
    lines = [text(locale, "stats_turns", count=statistics.turns.turns)]
    lines += _counted(statistics.turns.by_status, "why_status", locale)
    lines += [text(locale, "stats_speakers"), *_speakers(statistics.agents, cast, locale)]
    if statistics.turns.by_decider:
        lines += [text(locale, "stats_deciders"), *_counted(statistics.turns.by_decider, "decided", locale)]
    if statistics.turns.degraded:
        lines.append(text(locale, "stats_degraded", count=statistics.turns.degraded))
    spent = tokens(locale, statistics.usage)
    lines.append(text(locale, "stats_spent", calls=statistics.usage.calls, spent=f" · {spent}" if spent else ""))
    return "\n".join(lines)


def upkeep_told(states: Iterable[UpkeepState], memories: int, last_seq: int, *, locale: str) -> list[str]:
    """How far background work has come, and how its last run ended; nothing before its first run."""
    lines = []
    for state in states:
        values = {
            "seq": state.cursor_seq,
            "last": last_seq,
            "memories": memories,
            "outcome": text(locale, f"upkeep_{state.last_outcome or 'nothing'}"),
            "at": f"{state.last_at:%Y-%m-%d %H:%M}" if state.last_at is not None else "–",
            "tokens": state.tokens,
        }
        lines.append(text(locale, f"stats_{state.work}", **values))
    return [text(locale, "stats_upkeep"), *lines] if lines else []


def _speakers(agents: tuple[AgentTally, ...], cast: Iterable[AgentCard], locale: str) -> list[str]:
    names = {card.id: card.name for card in cast}
    most = max((agent.replies for agent in agents), default=0)
    lines = []
    for agent in sorted(agents, key=lambda a: (-a.replies, a.agent_id)):
        name = one_line(names.get(agent.agent_id, agent.agent_id), NAME_COLUMNS)
        quality = "" if agent.quality is None else text(locale, "stats_quality", score=f"{agent.quality:.2f}")
        lines.append(f"  {pad(name, NAME_COLUMNS)} {_bar(agent.replies, most)} {agent.replies:>5}  {quality}".rstrip())
    return lines


def _counted(counts: Mapping[str, int], area: str, locale: str) -> list[str]:
    most = max(counts.values(), default=0)
    lines = []
    for code, count in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0])):
        known = f"{area}_{code}"
        label = text(locale, known) if has(locale, known) else code
        lines.append(f"  {pad(label, NAME_COLUMNS)} {_bar(count, most)} {count:>5}")
    return lines


def _bar(count: int, most: int) -> str:
    length = max(1, round(count / most * BAR_COLUMNS)) if count else 0
    return ("█" * length).ljust(BAR_COLUMNS)
