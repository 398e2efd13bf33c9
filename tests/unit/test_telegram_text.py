"""Text as Telegram shows it: complete Markdown becomes entities, all else stays; long text is cut and never dropped."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.telegram.markup import Marked, entities, header, marked, tabular, units
from adapters.telegram.splitting import LIMIT, MAX_ENTITIES, split
from orchestration.model import AgentCard

RESERVED = "_*[]()~`>#+-=|{}.!\\ <b> & &amp; </b> <script>"
ANY_TEXT = st.text(st.one_of(st.sampled_from("*_`~|[]()#\n \\😀é@a1"), st.characters(codec="utf-8")), max_size=300)


def seen(text: str) -> tuple[str, list[tuple[str, str]]]:
    """The shown text and (kind, words under it)."""
    found = marked(text)
    return found.text, [(p.kind, found.text[p.start : p.end]) for p in found.pieces]


@pytest.mark.parametrize(
    ("text", "shown", "over"),
    [
        ("**bold** and *it* and _it_", "bold and it and it", [("bold", "bold"), ("italic", "it"), ("italic", "it")]),
        ("***both***", "both", [("bold", "both"), ("italic", "both")]),
        ("**a *b* c**", "a b c", [("bold", "a b c"), ("italic", "b")]),
        ("~~gone~~ ||hidden||", "gone hidden", [("strikethrough", "gone"), ("spoiler", "hidden")]),
        ("`x*y*z`", "x*y*z", [("code", "x*y*z")]),
        ("see [moss](https://moss.example/a_(b))", "see moss", [("text_link", "moss")]),
        ("```py\nx = 1\n```\nso", "x = 1\nso", [("pre", "x = 1")]),
        ("__very bold__ in __init__", "very bold in __init__", [("bold", "very bold")]),
        ("2 * 3 * 4, snake_case_name, **open", "2 * 3 * 4, snake_case_name, **open", []),
        ("[here](javascript:alert(1))", "[here](javascript:alert(1))", []),
        ("[bank.example](https://evil.example)", "[bank.example](https://evil.example)", []),
        (RESERVED, RESERVED, []),
        ("a ` here > and there ` stand alone", "a ` here > and there ` stand alone", []),
        ("hey @everyone, mail a@b.co", "hey @everyone, mail a@b.co", [("code", "@everyone")]),
    ],
)
def test_complete_constructs_become_entities_and_nothing_else_changes(
    text: str, shown: str, over: list[tuple[str, str]]
) -> None:
    assert seen(text) == (shown, over)


def test_the_header_is_the_whole_first_line() -> None:
    whole = marked("hello").after(header(AgentCard(id="a", name="Ava\n*x*", emoji="🦊")))
    assert whole.text == "🦊 Ava *x*\nhello"
    [bold] = entities(whole)
    assert (bold.type, bold.offset, bold.length) == ("bold", 0, units("🦊 Ava *x*"))
    assert header(AgentCard(id="a", name="Ava")).text == "Ava\n"


@given(ANY_TEXT)
@settings(max_examples=300, deadline=None)
def test_entities_lie_inside_the_text_and_never_cross(text: str) -> None:
    found = marked(text)
    raw = found.text.encode("utf-16-le")
    for entity in entities(found):
        piece = raw[entity.offset * 2 : (entity.offset + entity.length) * 2]
        assert piece.decode("utf-16-le")
    for one in found.pieces:
        for two in found.pieces:
            crossing = one.start < two.start < one.end < two.end
            assert not crossing


@given(st.text(st.sampled_from("ab \n.😀👍🏽\u200dé**`"), max_size=3000), st.integers(16, 200))
@settings(max_examples=200, deadline=None)
def test_parts_fit_lose_nothing_and_carry_entities_on(text: str, limit: int) -> None:
    whole = marked(text)
    parts = split(whole, limit=limit)
    assert all(units(p.text) <= limit and p.text.strip() for p in parts)
    joined = "".join(p.text for p in parts)
    assert joined.replace(" ", "").replace("\n", "") == whole.text.replace(" ", "").replace("\n", "")
    for part in parts:
        part.text.encode("utf-16-le")
        assert all(0 <= p.start < p.end <= len(part.text) for p in part.pieces)


@pytest.mark.parametrize("count", [2049, 5000])
def test_emoji_count_twice(count: int) -> None:
    parts = split(Marked(text="😀" * count))
    assert sum(p.text.count("😀") for p in parts) == count
    assert max(units(p.text) for p in parts) <= LIMIT


def test_more_than_a_hundred_entities_are_spread_over_parts() -> None:
    parts = split(marked("**a** " * 350))
    assert all(len(p.pieces) <= MAX_ENTITIES for p in parts)
    assert sum(len(p.pieces) for p in parts) == 350


def test_a_hundred_thousand_characters_are_no_trouble() -> None:
    for text in ("**a **" * 16_000, "*_`[" * 25_000, "[x](https://a.example) " * 4_000, "`a" * 50_000):
        assert split(marked(text))


def test_columns_stand_in_a_fixed_width_font_and_nothing_else_does() -> None:
    table = "  Ava      0.97  @ava_bot\n  and more\nwrite ██████"
    text = f"Turn 1 · @bob_smith\nSpeaks: Ava  (why)\nConsidered:\n{table}\nLast, @eve_x"
    whole = tabular(text)
    assert whole.text == text
    shown = [(p.kind, whole.text[p.start : p.end]) for p in whole.pieces]
    assert shown == [
        ("code", "@bob_smith"),
        ("pre", "Speaks: Ava  (why)"),
        ("pre", table),
        ("code", "@eve_x"),
    ]
    assert tabular("  two\n  lines").pieces == ()
