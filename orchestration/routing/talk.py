"""What the lines before the message tell: who talks with whom, and whom a follow-up continues with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from orchestration.model import AgentCard
from orchestration.routing.forms import index_of
from orchestration.routing.inputs import RecentLine, RouteInput
from orchestration.routing.languages import cues
from orchestration.routing.names import Found, find
from orchestration.routing.recall_words import content_of
from orchestration.routing.text import key, read
from orchestration.routing.words import words_of
from orchestration.sessions import Sticky

THREAD_MINUTES: Final = 20.0
"""A line this old still belongs to the conversation going on."""
FRESH_MINUTES: Final = 8.0
"""Two people exchanging lines this fast are in a talk of their own."""
WHO_WITHIN: Final = 200
"""Characters of a line in which a "who" is looked for."""
STICKY_MINUTES: Final = 30.0
FORGOTTEN_MINUTES: Final = 60.0
"""After this long a follow-up without a name is a new beginning."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What goes on in the lines before."""

    with_person: bool = False
    """The thread's last word was another person's, or two people exchange lines fast."""
    who_asked: bool = False
    """The last line is another person's and asks who it was."""
    between_agents: bool = False
    """The last two lines of the thread are two agents'."""
    continues: tuple[tuple[str, float], ...] = ()
    """Agents a follow-up goes to, likeliest first, with a strength 0..1."""
    agents: tuple[str, ...] = ()
    """Agents that spoke in the thread, latest first."""


def talk_of(inputs: RouteInput, known: frozenset[str]) -> Talk:
    """Reads the recent lines of the thread."""
    thread = tuple(line for line in inputs.recent if line.minutes_ago <= THREAD_MINUTES)
    spoke = [line.agent_id for line in thread if line.agent_id in known and line.agent_id]
    return Talk(
        with_person=_with_person(thread, inputs),
        who_asked=_who_asked(thread, inputs),
        between_agents=len({line.agent_id for line in thread[-2:] if line.agent_id in known}) == 2,
        continues=_continued(inputs, known),
        agents=tuple(dict.fromkeys(reversed(spoke))),
    )


def _with_person(thread: tuple[RecentLine, ...], inputs: RouteInput) -> bool:
    people = [line for line in thread if line.agent_id is None and not _same(line, inputs)]
    if not people or thread[-1].agent_id is not None:
        return False
    return not _same(thread[-1], inputs) or people[-1].minutes_ago <= FRESH_MINUTES


def _who_asked(thread: tuple[RecentLine, ...], inputs: RouteInput) -> bool:
    if not thread or thread[-1].agent_id is not None or _same(thread[-1], inputs):
        return False
    return cues().scan(words_of(key(thread[-1].text[:WHO_WITHIN]))).has("who")


def _same(line: RecentLine, inputs: RouteInput) -> bool:
    return line.speaker_id == inputs.speaker_id or line.speaker == inputs.speaker


def _continued(inputs: RouteInput, known: frozenset[str]) -> tuple[tuple[str, float], ...]:
    """Whom the speaker's own last line was for comes first, then who spoke last, then what the session remembers."""
    scores: dict[str, float] = {}
    lines = [line for line in inputs.recent if line.minutes_ago <= STICKY_MINUTES]
    cast = tuple(c for c in inputs.cast if c.id in known)
    after = [i for i, line in enumerate(lines) if line.agent_id is None]
    own = [i for i, line in enumerate(lines) if line.agent_id is None and _same(line, inputs)]
    fresh = lines[after[-1] + 1 :] if after else lines
    for line in fresh:
        if line.agent_id in known and line.agent_id:
            scores[line.agent_id] = max(scores.get(line.agent_id, 0.0), 0.8 * _decay(line.minutes_ago))
    if fresh and fresh[-1].agent_id in scores:
        scores[fresh[-1].agent_id or ""] += 0.05
    if own and fresh:
        named = names_in(lines[own[-1]].text, cast)
        for agent_id in named:
            if agent_id in scores:
                scores[agent_id] += 0.15
    for sticky in inputs.sticky:
        if sticky.agent_id in known and sticky.person_id == inputs.speaker_id:
            scores[sticky.agent_id] = max(
                scores.get(sticky.agent_id, 0.0), _remembered(sticky, inputs, fresh=bool(fresh))
            )
    scores = {agent_id: score for agent_id, score in scores.items() if score > 0}
    return tuple(sorted(scores.items(), key=lambda item: (-item[1], item[0])))


def _remembered(sticky: Sticky, inputs: RouteInput, *, fresh: bool) -> float:
    """How strongly the session's memory holds: it fades within the hour, a shared topic or an open question keep it."""
    minutes = (inputs.now - sticky.at).total_seconds() / 60 if inputs.now else 0.0
    fade = max(0.0, 1.0 - minutes / FORGOTTEN_MINUTES)
    shared = bool(set(sticky.topic) & content_of(inputs.text))
    if not fade or (fresh and not shared):
        return 0.0
    kept = (0.45 if shared else 0.0) + (0.1 if sticky.pending_task and not fresh else 0.0)
    return min(0.95, 0.6 * fade + kept)


def _decay(minutes: float) -> float:
    return max(0.0, 1.0 - minutes / (2 * STICKY_MINUTES))


def names_in(text: str, cast: tuple[AgentCard, ...]) -> tuple[str, ...]:
    """Ids of the agents named in a line, in order."""
    outer = read(text)
    found: list[Found] = find(words_of(outer.low), outer.low, index_of(cast), {})
    return tuple(dict.fromkeys(f.owner for f in found))


def people_of(inputs: RouteInput, taken: frozenset[tuple[str, ...]]) -> dict[tuple[str, ...], str]:
    """How the people of the chat are called, besides the speaker: word sequences to the shown name.

    ``taken`` are forms of agents: where a person and an agent share a name, it is the agent's.
    """
    people: dict[tuple[str, ...], str] = {}
    names = [line.speaker for line in inputs.recent if line.agent_id is None and not _same(line, inputs)]
    for name in (*names, *inputs.mentioned_people):
        words = tuple(w.text for w in words_of(key(name)))
        if words and words not in taken:
            people[words] = name
            if len(words) > 1 and words[0].isascii() and len(words[0]) >= 3 and (words[0],) not in taken:
                people.setdefault((words[0],), name)
    return people
