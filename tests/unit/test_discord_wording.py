"""What goes out: no ping, no broken markup, nothing lost."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.wording import (
    LIMIT,
    MAX_PARTS,
    content_hash,
    fallback_text,
    harmless,
    parts_of,
    quote_line,
    with_mention,
)
from adapters.splitting import utf16_units

words = st.text(max_size=400) | st.lists(
    st.sampled_from(
        ["@everyone ", "@HERE ", "<@&1> ", "](x) ", "```", "> ", "**", "||", "https://x.example/y ", "\n", "猫"]
    ),
    max_size=40,
).map("".join)


@given(words)
def test_mass_mentions_are_broken_and_nothing_else_is(text: str) -> None:
    safe = harmless(text)
    assert not re.search(r"(?i)@(everyone|here)", safe)
    assert safe.replace("\u200b", "") == text.replace("\u200b", "")


def test_no_mark_of_writing_direction_gets_into_a_quote() -> None:
    line = quote_line(name="\u202eevil](http://x.example)", text="a\u2066b", link="https://discord.com/channels/1/2/3")
    assert line == r"-# ↪ [evil\]\(…](https://discord.com/channels/1/2/3): ab"


@given(words, words)
def test_a_quote_is_one_harmless_line(name: str, text: str) -> None:
    line = quote_line(name=name, text=text, link="https://discord.com/channels/1/2/3")
    assert line.startswith("-# ")
    assert "\n" not in line
    assert utf16_units(line) < 1000
    assert not re.search(r"(?i)@(everyone|here)", line)
    assert not re.search(r"(?<!\\)<@", line)


@given(words.filter(lambda t: bool(t.strip())), st.booleans())
def test_every_part_fits_and_there_is_always_one(text: str, quoted: bool) -> None:
    quote = quote_line(name="Bob", text="what?", link="https://discord.com/channels/1/2/3") if quoted else ""
    parts = parts_of(text * 12, quote=quote, speaker="Ada", file_name="ada.txt", file_note="-# in the file")
    assert 1 <= len(parts) <= MAX_PARTS
    assert all(utf16_units(part.content) <= LIMIT for part in parts)
    assert all(part.content.strip() for part in parts)
    assert parts[0].content.startswith(quote + ("\n" if quote else "") + "**Ada:** ")


def test_a_mention_replaces_the_answered_persons_name_once() -> None:
    assert with_mention("Hi @Bob and @Bobby, @Bob", person_name="Bob", native_id="7") == "Hi <@7> and @Bobby, @Bob"
    assert with_mention("Hi @Bob", person_name="", native_id="7") == "Hi @Bob"
    assert with_mention("Hi @(x", person_name="(x", native_id="7") == "Hi <@7>"


def test_the_fallback_is_a_bold_name_before_the_words() -> None:
    assert fallback_text("Ada", "hello") == "**Ada:** hello"
    assert fallback_text("A*d*a", "x") == "**Ada:** x"


def test_a_hash_is_blind_to_what_discord_trims() -> None:
    assert content_hash(" a  b\n") == content_hash("a b")
    assert content_hash("a b") != content_hash("ab")
