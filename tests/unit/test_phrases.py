"""Set phrases: in character, in the language of the chat, the same again for the same turn, and honest."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from bot.config import load
from orchestration.errors import ModelRefused
from orchestration.llm_text import visible
from orchestration.model import AgentCard, Locale
from orchestration.phrases import MAX_TOPIC_CHARS, PhraseModel, mood, phrase, topic
from orchestration.ports import WriteRequest

CAST = load(None, environ={}).starter_cards()


def request(words: str, agent: AgentCard | None = CAST[0], locale: str = "en") -> WriteRequest:
    return WriteRequest(messages=(), agent=agent, words=words, locale=locale)


async def test_it_says_what_it_is_and_costs_nothing() -> None:
    model = PhraseModel(Locale.EN)
    said = await model.write(request("What about a picnic on Saturday?"))
    assert model.label == "set phrases (no model)"
    assert "a picnic on Saturday" in said.text
    assert (said.model, said.provider, said.usage.calls, said.usage.cost) == ("phrases", "troupe", 0, 0.0)
    assert said.text == (await model.write(request("What about a picnic on Saturday?"))).text


async def test_it_decides_nothing() -> None:
    class Anything(BaseModel):
        x: int = 0

    with pytest.raises(ModelRefused):
        await PhraseModel(Locale.EN).decide([], Anything)


def test_the_starter_cast_speaks_in_five_moods() -> None:
    assert [mood(card) for card in CAST] == ["warm", "dry", "lively", "measured", "bold"]
    said = {phrase(card, "shall we go hiking on Sunday", "en") for card in CAST}
    assert len(said) == len(CAST)


def test_one_agent_has_several_phrases() -> None:
    said = {phrase(CAST[1], f"hiking number {i}", "en").replace(str(i), "") for i in range(40)}
    assert len(said) >= 3


@pytest.mark.parametrize(
    ("words", "han"), [("大家觉得周末去爬山怎么样？", True), ("Shall we go hiking?", False), ("", False), ("嗨", True)]
)
def test_it_answers_in_the_language_of_the_words(words: str, han: bool) -> None:
    assert any("\u4e00" <= sign <= "\u9fff" for sign in phrase(CAST[2], words, "en")) is han


def test_grief_is_met_gently_by_everybody() -> None:
    for card in CAST:
        assert "!" not in phrase(card, "My dog died yesterday", "en")
        assert "!" not in phrase(card, "我失恋了，好难过", "zh")


@pytest.mark.parametrize(
    ("words", "want"),
    [
        ("Hugo, what do you think about trains?", "trains"),
        ("@Hugo trains", "trains"),
        ("雨果你们觉得火车怎么样？", "火车怎么样"),
        ("hi", ""),
        ("Hugo?", ""),
        ("see https://example.org/x now then", "see now then"),
        ("{braces} and {{char}}", "braces"),
    ],
)
def test_the_topic_is_in_the_persons_own_words(words: str, want: str) -> None:
    assert topic(words, ("Hugo", "雨果")) == want


@given(st.text(max_size=400), st.sampled_from(CAST), st.sampled_from(["en", "zh", "xx"]))
def test_anything_may_be_said_to_it(words: str, agent: AgentCard, locale: str) -> None:
    said = phrase(agent, words, locale)
    assert visible(said)
    assert len(topic(words, (agent.name,))) <= MAX_TOPIC_CHARS
