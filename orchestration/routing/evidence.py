"""Everything that is read off a message once, before anything is decided."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from orchestration.model import AgentCard
from orchestration.routing.address import Address, addresses
from orchestration.routing.crowd import Crowd, crowd_of
from orchestration.routing.forms import index_of
from orchestration.routing.inputs import RouteInput
from orchestration.routing.intents import FAINT, Leaning, leaning_of
from orchestration.routing.languages import cues
from orchestration.routing.misspelt import misspelt
from orchestration.routing.names import find
from orchestration.routing.roles import Role
from orchestration.routing.suit import Ranked, Semantic, comfort_of, rank
from orchestration.routing.talk import Talk, people_of, talk_of
from orchestration.routing.text import Outer, read
from orchestration.routing.words import Hits, Word, words_of

CALL_FLOOR = 0.55
"""Below this a reading as an address is not one."""


@dataclass(frozen=True, kw_only=True)
class Evidence:
    """What the rules look at. ``cast`` is in order of ids, so that its order never matters; parts are lazy."""

    inputs: RouteInput
    cast: tuple[AgentCard, ...]
    semantic: Semantic | None
    outer: Outer
    words: list[Word]
    hits: Hits
    spoken: tuple[Address, ...]
    """Names of agents and how they are meant, in order of the text."""
    persons: tuple[Address, ...]
    """Names of people in the chat and how they are meant."""

    @property
    def cap(self) -> int:
        return max(1, min(self.inputs.agents_max, len(self.cast)))

    @cached_property
    def known(self) -> frozenset[str]:
        return frozenset(c.id for c in self.cast)

    @cached_property
    def called(self) -> list[Address]:
        """Names spoken to or asked for, without those refused elsewhere in the text."""
        wanted = [a for a in self.spoken if a.role in (Role.CALLED, Role.ASKED) and a.sure >= CALL_FLOOR]
        return [a for a in wanted if a.owner not in self.refused or a.sure > 0.9]

    @cached_property
    def refused(self) -> frozenset[str]:
        return frozenset(a.owner for a in self.spoken if a.role in (Role.REFUSED, Role.HUSHED))

    @cached_property
    def about(self) -> frozenset[str]:
        """Agents talked about by a name that is no everyday word."""
        called = {a.owner for a in self.called}
        return frozenset(a.owner for a in self.spoken if a.role is Role.ABOUT and not a.found.weak) - called

    @cached_property
    def crowd(self) -> Crowd:
        return crowd_of(self.outer, self.hits)

    @cached_property
    def talk(self) -> Talk:
        return talk_of(self.inputs, self.known)

    @cached_property
    def near(self) -> dict[str, float]:
        return self.semantic.leanings(self.meaning) if self.semantic and self.meaning else {}

    @cached_property
    def meaning(self) -> str:
        """The text whose meaning is compared: the speaker's own words, or what they quoted when there are none."""
        text = self.inputs.text if self.outer.bare else " ".join(self.outer.cased.replace("\ufffc", " ").split())
        return text[:600]

    @cached_property
    def leaning(self) -> Leaning:
        return leaning_of(self.hits, len(self.outer.low.strip()), self.near)

    @cached_property
    def ranked(self) -> Ranked:
        """The agents by suitability."""
        return self._matter if self.technical else self._ranked(self.leaning.topics())

    @cached_property
    def technical(self) -> bool:
        """The line is about a matter that some card knows, and is only coloured by a feeling or a quarrel."""
        if max(self.leaning.feel, self.leaning.quarrel) < FAINT or self.hits.has("feel", "calm"):
            return False
        matter = self._matter
        clear = matter.margin >= (1.0 if self.hits.has("ask") else 2.0)
        return clear and matter.by_words and matter.best != comfort_of(self.cast, "comfort")

    @cached_property
    def _matter(self) -> Ranked:
        return self._ranked({})

    def _ranked(self, lean: Mapping[str, float]) -> Ranked:
        return rank(
            self.words,
            self.meaning,
            self.cast,
            semantic=self.semantic,
            lean=lean,
            favoured=self.about,
            quoted=self.inputs.text[:1500] if self.outer.quoted else "",
        )

    def suited(self, *, among: frozenset[str] | None = None, without: frozenset[str] = frozenset()) -> list[str]:
        """Agent ids, best suited first."""
        return [a for a, _ in self.ranked.scores if a not in without and (among is None or a in among)]


def gather(inputs: RouteInput, semantic: Semantic | None) -> Evidence:
    """Reads a message and its surroundings."""
    cast = tuple(sorted((c for c in inputs.cast if not c.paused), key=lambda c: c.id))
    index = index_of(cast)
    outer = read(inputs.text, index.landmarks)
    words = words_of(outer.low)
    hits = cues().scan(words)
    people = people_of(inputs, frozenset(f.words for f in index.forms if f.trust >= 2))
    found = find(words, outer.low, index, people)
    meant = addresses(found, outer.low, outer.cased, hits)
    if not any(a.role in (Role.CALLED, Role.ASKED) and a.sure >= 0.85 and not a.found.human for a in meant):
        near = misspelt(words, outer.low, hits, index, found)
        if near:
            meant = addresses(sorted([*found, *near], key=lambda f: f.start), outer.low, outer.cased, hits)
    return Evidence(
        inputs=inputs,
        cast=cast,
        semantic=semantic,
        outer=outer,
        words=words,
        hits=hits,
        spoken=tuple(a for a in meant if not a.found.human),
        persons=tuple(a for a in meant if a.found.human),
    )
