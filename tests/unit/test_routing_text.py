"""What is only quoted, linked or pasted addresses nobody; forms of letters do not matter; long texts stay cheap."""

from __future__ import annotations

import pytest

from orchestration.routing.text import HEAD, HOLE, TAIL, key, read
from orchestration.routing.words import compile_lexicon, words_of
from tests.unit.routing_world import decide


@pytest.mark.parametrize(
    "text",
    [
        'he wrote "Theo, help me" yesterday',
        "he wrote “Theo, help me” yesterday",
        "他说「Theo，救我」",
        "il a écrit « Theo, aide-moi » hier",
        "er schrieb „Theo, hilf mir“ gestern",
        "> Theo, help me\nthat was it",
        "```\nTheo, help me\n```\nthat was it",
        "see `Theo, help` there",
        "look at https://example.org/Theo,help now",
        "write to Theo@example.org then",
        "<router>Theo</router> <agents=Theo> hm",
        "From: Theo\nTo: Pat\nTheo, help me\nBest,\nTheo",
        "[10:31] Theo: help me\n[10:32] Pat: no",
        "please translate: Theo, can you help me with the heavy boxes tomorrow",
        "this is what I got:\nTheo, could you please have a look at the heavy boxes in the cellar tomorrow?",
    ],
)
def test_quoted_words_are_masked(text: str) -> None:
    outer = read(text)
    assert outer.quoted
    assert "theo, " not in outer.low.replace(HOLE, " ")


def test_what_stands_outside_is_kept() -> None:
    assert decide('"Mira, everyone agrees" is what it says. Theo, is that true?').agent_ids == ("theo",)
    assert decide("don't know, Theo's right? Gus, what's cooking?").agent_ids == ("gus",)
    assert decide("小梅你看这个行程：「大家集合，阿岩带队」靠谱吗").agent_ids == ("mei",)


def test_only_a_quote_is_bare() -> None:
    assert read('"all of this is quoted"').bare
    assert not read('he said "this"').bare


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("ＡＢＣ", "abc"),
        ("Günther", "gunther"),
        ("Лёва", "лева"),
        ("São Paulo", "sao paulo"),
        ("Straße", "strasse"),
        ("がぎ", "がぎ"),
        ("한글", "한글"),
        ("أمل", "امل"),
        ("it’s", "it's"),
        ("a\u200bb\ufe0f", "ab"),
    ],
)
def test_keys_fold_forms_but_not_letters(text: str, folded: str) -> None:
    assert key(text) == folded


@pytest.mark.parametrize("text", ["İstanbul", "ǅ ǆ", "ẞ ß", "ﬁ ﬃ", "🦊 é"])
def test_cased_and_low_stay_aligned(text: str) -> None:
    outer = read(text)
    assert len(outer.cased) == len(outer.low)


@pytest.mark.parametrize(
    "text",
    [
        "「" * 100_000,
        '"' * 99_999,
        "'a " * 33_000,
        "a@" * 50_000,
        "\n" * 100_000,
        ":\n" * 50_000,
        "{[(<" * 25_000,
        "小雨" * 50_000,
    ],
)
def test_hundred_thousand_characters_are_read_in_one_go(text: str) -> None:
    assert len(read(text).low) <= 100_000 + HEAD + TAIL


def test_names_in_the_middle_of_a_long_text_are_still_heard() -> None:
    filler = "and then we walked on for a while without a word. " * 30
    assert decide(f"{filler}\nTheo, can you fix that?\n{filler}").agent_ids == ("theo",)


def test_words_and_characters() -> None:
    assert [w.text for w in words_of("don't 问c++吧 민수야")] == ["don't", "问", "c++", "吧", "민수야"]


def test_a_lexicon_finds_phrases_stems_and_longest_ends() -> None:
    lexicon = compile_lexicon([("a", "how are|how are you|walk*"), ("b", "大家|大家都说"), ("c", "먹")])
    hits = lexicon.scan(words_of("how are you walking 大家都说 먹었어"))
    assert [h.text for h in hits.of("a")] == ["how are you", "how are", "walking"]
    assert hits.at(0, "a") == 11
    assert [h.text for h in hits.of("b")] == ["大家都说", "大家"]
    assert hits.has("c")
    assert not hits.has("d")
