"""What people send, made safe to store."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestration.cleaning import clean_name, clean_text, is_chinese
from orchestration.model import MAX_MESSAGE_CHARS

ANY_TEXT = st.text(st.characters(codec=None), max_size=400)


@given(ANY_TEXT)
def test_cleaned_text_can_be_stored_anywhere(text: str) -> None:
    cleaned = clean_text(text)
    cleaned.encode("utf-8")
    assert "\x00" not in cleaned
    assert clean_text(cleaned) == cleaned


def test_surrogate_pairs_are_joined_and_lone_ones_marked() -> None:
    assert clean_text("a\ud83e\udd8ab\ud800c") == "a🦊b\ufffdc"


def test_lines_and_tabs_stay() -> None:
    assert clean_text("a\r\nb\tc\rd\x07") == "a\nb\tc\nd"


def test_codes_for_a_terminal_go_whole() -> None:
    pasted = "\x1b[1;31mred\x1b[0m \x1b]0;a title\x07and \x1b]8;;http://x\x1b\\a link\x1b]8;;\x1b\\"
    assert clean_text(pasted) == "red and a link"
    assert clean_text("\x1b(no code, \x1b]left open") == "(no code, ]left open"


def test_bidi_and_zero_width_marks_are_words_of_the_person_and_stay() -> None:
    assert clean_text("שלום\u200f \u200bok") == "שלום\u200f \u200bok"


def test_a_hundred_thousand_characters_stay_and_more_are_cut_with_a_mark() -> None:
    assert clean_text("x" * MAX_MESSAGE_CHARS) == "x" * MAX_MESSAGE_CHARS
    assert clean_text("x" * (MAX_MESSAGE_CHARS + 1)).endswith("[…]")


@pytest.mark.parametrize(("name", "want"), [("  Ann\n\nB ", "Ann B"), ("\x00", "?"), ("", "?"), ("x" * 200, "x" * 80)])
def test_names_are_one_short_line(name: str, want: str) -> None:
    assert clean_name(name) == want


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("你好，今天怎么样", True),
        ("hello", False),
        ("", False),
        ("123 !!", False),
        ("我 love 你", True),
        ("see 火锅 at the corner", False),
    ],
)
def test_the_language_of_the_words(text: str, want: bool) -> None:
    assert is_chinese(text) is want
