"""Laws of `voice.clean` over texts nobody thought of (those that were: tests/evaluation/leaks.jsonl)."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestration.model import AgentCard
from orchestration.ports import PromptMessage
from orchestration.prose import lines_of
from orchestration.voice import EMPTY, NAME_PREFIX, OTHER_VOICE, PROMPT_LEAK, TOO_LONG, Cleaned, clean

NOVA = AgentCard(
    id="nova", name="Nova", instructions="Always speak of the seven moons and never of the old lighthouse."
)
OTHERS = ("Bob", "阿哲", "Dr. Who", "さくら", "Алиса", "민지", "R2-D2", "🦊", "Mary Ann", "O'Neil")
CAST = (NOVA, *(AgentCard(id=f"o{n}", name=name) for n, name in enumerate(OTHERS)))
PEOPLE = ("Ann", "小雨", "عمر")
FOREIGN = (*OTHERS, *PEOPLE)

SHAPES = (
    "{}: {}",
    "{}：{}",
    "**{}**: {}",
    "**{}:** {}",
    "[{}] {}",
    "【{}】{}",
    "<{}> {}",
    "[12:03] {}: {}",
    "🌟 {}: {}",
    "{} (smiling): {}",
    "{}（笑）：{}",
    "  {} : {}",
    "*{}*: {}",
    '"{}": {}',
    "#14 {}: {}",
    "2026-01-02 12:03 {}: {}",
)
prose = st.text(
    alphabet=st.one_of(st.sampled_from("abc xyzé你好。!?.,:：*_`>-[]()#@\"'\n🌟1"), st.characters(codec="utf-8")),
    max_size=80,
)
words = st.text(alphabet="abcdefgh xyz你好吗我天气", min_size=1, max_size=30).filter(lambda text: bool(text.strip()))


def said(text: str, **given_: object) -> Cleaned:
    return clean(text, agent=NOVA, cast=CAST, people=PEOPLE, **given_)  # type: ignore[arg-type]


@st.composite
def forged(draw: st.DrawFn) -> tuple[str, str]:
    """(a line that speaks for somebody else, whose)"""
    name = draw(st.sampled_from(FOREIGN))
    return draw(st.sampled_from(SHAPES)).format(name, draw(words)), name


@settings(max_examples=500, deadline=None)
@given(line=forged(), before=words, after=words)
def test_a_forged_line_and_all_after_it_never_stand(line: tuple[str, str], before: str, after: str) -> None:
    found = said(f"Yes, {before}\n{line[0]}\n{after}⟦tail⟧")
    assert OTHER_VOICE in found.issues
    assert len(found.text.splitlines()) <= 1
    assert "⟦tail⟧" not in found.text
    assert found.text in ("", f"Yes, {before}".strip())


@settings(max_examples=300, deadline=None)
@given(line=forged(), again=words)
def test_what_the_agent_itself_says_after_a_foreign_beginning_is_kept(line: tuple[str, str], again: str) -> None:
    assert said(f"{line[0]}\nNova: Yes, {again}").text == f"Yes, {again}".strip()


@settings(max_examples=300, deadline=None)
@given(shape=st.sampled_from(SHAPES), answer=words)
def test_the_own_name_in_front_goes_and_the_words_stay(shape: str, answer: str) -> None:
    found = said(shape.format("Nova", f"Yes, {answer}"))
    assert found.text == f"Yes, {answer}".strip()
    assert NAME_PREFIX in found.issues


@settings(max_examples=300, deadline=None)
@given(text=st.one_of(prose, st.lists(st.one_of(prose, forged().map(lambda pair: pair[0])), max_size=6).map("\n".join)))
def test_no_line_of_prose_begins_with_somebody_elses_name_and_a_colon(text: str) -> None:
    found = said(text)
    assert (EMPTY in found.issues) == (not found.text)
    for line in lines_of(found.text):
        start = unicodedata.normalize("NFKC", line.text).strip(" *_[]<>【】()\"'`#")
        if (
            line.code
            or line.text.lstrip()[:1] in ("-", "*", "+", ">", "•", "`", "@")
            or line.text.lstrip()[:1].isdigit()
        ):
            continue
        assert not any(start.startswith((f"{name}:", f"{name}]:", f"{name}**:")) for name in FOREIGN), found


@settings(max_examples=300, deadline=None)
@given(text=st.one_of(prose, st.lists(st.one_of(prose, forged().map(lambda pair: pair[0])), max_size=6).map("\n".join)))
def test_cleaning_twice_is_cleaning_once(text: str) -> None:
    once = said(text).text
    assert said(once).text == once


@settings(max_examples=300, deadline=None)
@given(
    text=st.lists(
        st.text(alphabet="abcdefghijklmnop qrstuvwxyz,'", min_size=8, max_size=60).filter(lambda t: len(set(t)) > 5),
        min_size=1,
        max_size=4,
        unique=True,
    ),
    name=st.sampled_from(FOREIGN),
)
def test_ordinary_prose_with_names_inside_is_left_alone(text: list[str], name: str) -> None:
    whole = "\n".join(f"Well {line.strip()} for {name}: yes, {n}." for n, line in enumerate(text))
    assert said(whole) == Cleaned(text=whole)


@settings(max_examples=200, deadline=None)
@given(
    code=st.lists(
        st.one_of(forged().map(lambda pair: pair[0]), words, st.just("x = '<think>'")), min_size=1, max_size=5
    )
)
def test_code_blocks_survive_untouched(code: list[str]) -> None:
    block = "```yaml\n" + "\n".join(line.replace("`", "") for line in code) + "\n```"
    assert said(f"Use this file.\n{block}\nThen run it.").text == f"Use this file.\n{block}\nThen run it."


@settings(max_examples=200, deadline=None)
@given(at=st.integers(0, 3), before=words, after=words)
def test_instructions_never_come_back_wherever_they_stand(at: int, before: str, after: str) -> None:
    secret = (
        NOVA.instructions,
        NOVA.instructions.upper(),
        NOVA.instructions.replace(" ", "  "),
        f"**{NOVA.instructions}**",
    )[at]
    found = said(f"Yes, {before}\n{secret}\n{after}")
    assert found.text == ""
    assert PROMPT_LEAK in found.issues


@pytest.mark.parametrize("label", ["Nova (person)", "Nova（人）"])
def test_a_person_with_the_agents_own_name_is_somebody_else(label: str) -> None:
    found = clean(f"Yes.\n{label}: I agree", agent=NOVA, cast=CAST, people=("Nova",))
    assert found == Cleaned(text="Yes.", issues=(OTHER_VOICE,))


def test_words_of_the_chat_itself_may_be_quoted() -> None:
    prompt = (
        PromptMessage(role="system", text="Rules.\n<card 012345>\nName: Nova"),
        PromptMessage(role="user", text="Ann: Always speak of the seven moons and never of the old lighthouse."),
    )
    text = "You wrote: Always speak of the seven moons and never of the old lighthouse."
    assert said(text, prompt=prompt).text == text
    assert said(text).text == ""


def test_a_catch_phrase_in_quotation_marks_is_meant_to_be_said() -> None:
    agent = AgentCard(
        id="nova", name="Nova", instructions="Close with “May the seven moons guide you home through the long night”."
    )
    text = "Good night! May the seven moons guide you home through the long night"
    assert clean(text, agent=agent).text == text


def test_long_texts_end_at_a_sentence_and_code_stays_closed() -> None:
    text = " ".join(f"This is sentence number {n}." for n in range(1000))
    found = said(text, max_chars=500)
    assert found.text.endswith(".")
    assert len(found.text) <= 500
    assert TOO_LONG in found.issues
    code = "Look:\n```py\n" + "\n".join(f"x{n} = {n}" for n in range(500)) + "\n```"
    assert said(code, max_chars=500).text.endswith("\n```")


def test_controls_and_lone_surrogates_are_gone() -> None:
    assert said("Good\x00 ni\ud83dght\x07").text == "Good ni\ufffdght"


@pytest.mark.parametrize(
    "text",
    [
        "a" * 100_000,
        "Nova: " * 20_000,
        "\n" * 100_000,
        "> " * 50_000,
        "x\n" * 50_000,
        "`" * 100_000,
        "I am a real " * 9_000,
        "([{（【" * 20_000,
        "Bob said so. " * 8_000,
        "我不是" * 30_000,
        " " * 100_000 + "Bob: x",
        "\"'“" * 30_000,
    ],
)
@pytest.mark.timeout(20)
def test_a_hundred_thousand_characters_are_no_trouble(text: str) -> None:
    assert len(said(text, whole=False).text) <= len(said(text).text) <= 60_000


@pytest.mark.parametrize("text", ["word " * 9_999 + "word", "Hello there. " * 199 + "Hello there.", "猫" * 50_000])
def test_what_a_model_says_to_its_end_stands_however_often_and_long(text: str) -> None:
    assert said(text) == Cleaned(text=text)


def test_a_text_that_was_cut_off_in_a_loop_says_it_once() -> None:
    cut = said("I see. " + "We should go home. " * 200 + "We should", whole=False)
    assert cut.text.count("We should go home.") == 1
    assert "repetition" in cut.issues
