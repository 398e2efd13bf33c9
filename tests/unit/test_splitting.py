"""Long texts in parts: nothing lost, nothing too long, nothing torn."""

from __future__ import annotations

import random
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from adapters.splitting import FENCE, split, utf16_units

FRAGMENTS = (
    "Hello there. ",
    "今天天气很好。我们去公园吧！",
    "\n\n",
    "\n",
    " ",
    "👨‍👩‍👧‍👦",
    "😀" * 30,
    "<@123456789012345678>",
    "<:party:123456789012345678>",
    "https://example.org/a/long/path?with=query&more=1",
    "`inline code` ",
    "```python\nfor i in range(3):\n    print(i)\n```\n",
    "```\n" + "x = 1\n" * 60 + "```\n",
    "a" * 250,
    "||a secret||",
    "word " * 40,
)
texts = st.lists(st.sampled_from(FRAGMENTS), max_size=40).map("".join)


def _bare(text: str) -> str:
    """What must not get lost: everything but white space and fence marks with their language."""
    return re.sub(r"\s+", "", re.sub(r"```[\w+#.-]*(?=\n)|```", "", text))


@settings(max_examples=150, deadline=None)
@given(texts, st.integers(min_value=300, max_value=2000))
def test_parts_hold_the_whole_text_within_the_limit_with_balanced_fences(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert _bare("\n".join(parts)) == _bare(text)
    for part in parts:
        assert part.strip()
        assert utf16_units(part) <= limit
        assert part.count(FENCE) % 2 == 0
        part.encode("utf-8")  # no half of a surrogate pair


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=3000), st.integers(min_value=80, max_value=200))
def test_any_text_at_all_keeps_its_letters(text: str, limit: int) -> None:
    parts = split(text, limit)
    assert all(utf16_units(part) <= limit for part in parts)
    if FENCE not in text:
        assert _bare("\n".join(parts)) == _bare(text)


@pytest.mark.parametrize(
    "whole",
    [
        "<@123456789012345678>",
        "<a:wave:123456789012345678>",
        "https://example.org/" + "p" * 60,
        "👨‍👩‍👧‍👦",
        "`some code here`",
    ],
)
def test_what_belongs_together_is_never_torn(whole: str) -> None:
    for lead in range(150, 200):
        parts = split("x" * lead + whole + "y" * 150, 200)
        assert any(whole in part for part in parts), (lead, parts)


def test_a_long_code_block_is_closed_and_reopened_with_its_language() -> None:
    code = "\n".join(f"value_{n} = compute({n})" for n in range(300))
    parts = split(f"Here it is:\n```python\n{code}\n```\nThat is all.", 2000)
    assert len(parts) > 3
    inner = parts[1:-1]
    assert all(part.startswith("```python\n") and part.endswith("\n```") for part in inner)
    assert [line for part in parts for line in part.split("\n") if line.startswith("value_")] == code.split("\n")
    assert parts[-1].endswith("That is all.")


def test_an_unbalanced_fence_is_closed() -> None:
    assert split("look:\n```py\nx = 1", 2000) == ["look:\n```py\nx = 1\n```"]


def test_cuts_prefer_paragraphs_then_sentences() -> None:
    first, second = "One sentence here. " * 5, "另一句话。" * 20
    parts = split(first.strip() + "\n\n" + second, 130)
    assert parts[0] == first.strip()
    assert all(part.endswith("。") for part in parts[1:])


def test_the_first_part_may_have_less_room() -> None:
    parts = split("word " * 100, 200, first=100)
    assert len(parts[0]) <= 100 < len(parts[1]) <= 200


def test_a_blank_text_has_no_parts() -> None:
    assert split(" \n ", 100) == []


def test_fifty_thousand_characters_are_no_trouble() -> None:
    chance = random.Random(7)
    text = "".join(chance.choice(FRAGMENTS) for _ in range(1500))[:50_000]
    parts = split(text, 2000)
    assert _bare("\n".join(parts)) == _bare(text)
