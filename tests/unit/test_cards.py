"""Character cards from strangers: every version is read, nothing hostile gets further than a clear refusal."""

from __future__ import annotations

import base64
import json
import struct
import zlib
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from orchestration.cards import MAX_FILE_BYTES, export_card, fill_macros, read_card
from orchestration.errors import UserError
from orchestration.model import AgentCard
from orchestration.png_text import MAX_TEXT_BYTES, SIGNATURE

V1 = {
    "name": "Ada",
    "description": "{{char}} is a botanist. <BOT> likes {{user}}.",
    "personality": "calm",
    "scenario": "A glasshouse with {{ CHAR }} and <user>.",
    "first_mes": "Hello!",
    "mes_example": "<START>\n{{user}}: Hi\n{{char}}: Look, a fern.",
}
V2 = {
    "spec": "chara_card_v2",
    "spec_version": "2.0",
    "data": V1
    | {
        "system_prompt": "Speak of plants. {{original}}",
        "post_history_instructions": "Stay {{Char}}.",
        "character_book": {"entries": []},
        "extensions": {"talkativeness": "0.8"},
    },
}
V3 = {
    "spec": "chara_card_v3",
    "spec_version": "3.0",
    "data": V2["data"]  # type: ignore[operator]
    | {
        "nickname": "Addy",
        "assets": [{"type": "icon", "uri": "ccdefault:"}, {"type": "icon", "uri": "https://x.test/a.png"}],
    },
}


def as_json(card: object) -> bytes:
    return json.dumps(card).encode()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(*chunks: bytes) -> bytes:
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0))
    return SIGNATURE + header + b"".join(chunks) + chunk(b"IDAT", zlib.compress(b"\0\0\0\0")) + chunk(b"IEND", b"")


def text_chunk(card: object, keyword: bytes = b"chara") -> bytes:
    return chunk(b"tEXt", keyword + b"\0" + base64.b64encode(as_json(card)))


def refused(data: bytes) -> str:
    with pytest.raises(UserError) as error:
        read_card(data, locale="en")
    return error.value.code


# ---------------------------------------------------------------------------------------------- reading


def test_a_v1_card_is_read_and_its_macros_are_filled() -> None:
    card = read_card(as_json(V1), locale="en").card
    assert card.name == "Ada"
    assert card.description == "Ada is a botanist. Ada likes the other person."
    assert card.backstory == "A glasshouse with Ada and the other person."
    assert card.tone == "the other person: Hi\nAda: Look, a fern."
    assert (card.instructions, card.talkativeness) == ("", 0.5)


def test_the_user_macro_becomes_a_word_of_the_language() -> None:
    assert "对方" in read_card(as_json(V1), locale="zh").card.description


def test_a_v2_card_brings_its_instructions_and_notes_what_was_left_out() -> None:
    read = read_card(as_json(V2), locale="en")
    assert read.card.instructions == "Speak of plants.\n\nStay Ada."
    assert read.card.talkativeness == 0.8
    assert read.notes == ("card_note_book", "card_note_greeting")
    assert read.picture is None


def test_a_v3_card_answers_to_its_nickname() -> None:
    card = read_card(as_json(V3), locale="en").card
    assert (card.name, card.aliases) == ("Ada", ("Addy",))
    assert card.description.startswith("Addy is a botanist")
    assert card.avatar == "https://x.test/a.png"


def test_a_card_may_be_given_another_name() -> None:
    card = read_card(as_json(V3), locale="en", name="Flora").card
    assert (card.name, card.aliases) == ("Flora", ())
    assert card.description.startswith("Flora is a botanist")


@pytest.mark.parametrize(
    "body",
    [
        text_chunk(V2),
        text_chunk(V2, b"Chara"),
        chunk(b"zTXt", b"chara\0\0" + zlib.compress(base64.b64encode(as_json(V2)))),
        chunk(b"iTXt", b"chara\0\0\0\0\0" + base64.b64encode(as_json(V2))),
        chunk(b"iTXt", b"chara\0\1\0en\0x\0" + zlib.compress(base64.b64encode(as_json(V2)))),
        chunk(b"tEXt", b"chara\0" + as_json(V2)),
        chunk(b"tEXt", b"Comment\0hello") + text_chunk(V2),
    ],
)
def test_a_png_carries_its_card_in_any_kind_of_text_chunk(body: bytes) -> None:
    whole = png(body)
    read = read_card(whole, locale="en")
    assert read.card.name == "Ada"
    assert read.picture == whole


def test_the_v3_chunk_of_a_png_wins() -> None:
    newer = {**V3, "data": V3["data"] | {"name": "Newer"}}  # type: ignore[operator]
    assert read_card(png(text_chunk(V2), text_chunk(newer, b"ccv3")), locale="en").card.name == "Newer"


def test_a_byte_order_mark_is_no_obstacle() -> None:
    assert read_card(b"\xef\xbb\xbf" + as_json(V2), locale="en").card.name == "Ada"


def test_old_tavern_fields_are_known() -> None:
    old = {"char_name": "Ada", "char_persona": "calm", "world_scenario": "garden"}
    card = read_card(as_json(old), locale="en").card
    assert (card.name, card.description, card.backstory) == ("Ada", "calm", "garden")


def test_a_stranger_cannot_bring_tools_or_a_model() -> None:
    data = {
        "name": "Ada",
        "tools": ["shell"],
        "model": "dear",
        "extensions": {"troupe": {"tools": ["x"], "model": "y"}},
    }
    card = read_card(as_json({"spec": "chara_card_v2", "data": data}), locale="en").card
    assert (card.tools, card.model) == ((), "")


# ---------------------------------------------------------------------------------------------- macros


def test_what_is_filled_in_is_never_filled_again() -> None:
    assert fill_macros("{{char}} <BOT>", char="{{user}}", user="X") == "{{user}} {{user}}"


@pytest.mark.parametrize("kept", ["{char}", "{{random:a,b}}", "{{}}", "{{{x}}}", "</BOT>", "100% {{ charm }}"])
def test_other_marks_stay_word_for_word(kept: str) -> None:
    assert fill_macros(kept, char="C", user="U") == kept


def test_comments_of_the_format_vanish() -> None:
    assert fill_macros("a{{// note }}b", char="C", user="U") == "ab"


# ---------------------------------------------------------------------------------------------- refusing


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "card_empty"),
        (b"  \n", "card_empty"),
        (b"<html>", "card_not_json"),
        (b"\xff\xfe{}", "card_not_json"),
        (b"[1]", "card_not_json"),
        (b"null", "card_not_json"),
        (b"{}", "card_no_fields"),
        (b'{"data": []}', "card_no_fields"),
        (b'{"name": 7}', "card_name_empty"),
        (b'{"name": " "}', "card_name_empty"),
        (b'{"spec": "chara_card_v2", "data": {}}', "card_name_empty"),
        (b'{"name": "' + b"x" * 81 + b'"}', "card_name_too_long"),
        (b'{"name": "a\\u0000b"}', "card_name_control"),
        (b'{"name": "a\\ud800"}', "card_name_control"),
        (b"[" * 100_000, "card_not_json"),
        (b'{"a":' * 100_000, "card_not_json"),
        (b'{"name": "A", "x": ' + b"9" * 5000 + b"}", "card_not_json"),
        (b'{"name": "A", "description": "' + b"x" * 20_000 + b'"}', "card_field_too_long"),
        (b"x" * (MAX_FILE_BYTES + 1), "card_too_big"),
        (b'"' + b"x" * MAX_TEXT_BYTES + b'"', "card_too_big"),
        (b"GIF89a", "card_not_json"),
        (b"\x89PNG\r\n\x1a\n", "card_png_without_card"),
        (b"\x89PNG\r\n\x1a\n\0\0", "card_png_broken"),
        (png()[:-20], "card_png_broken"),
        (png(chunk(b"tEXt", b"chara\0!!!!")), "card_png_broken"),
        (png(chunk(b"tEXt", b"chara\0" + base64.b64encode(b"nonsense"))), "card_not_json"),
        (png(chunk(b"zTXt", b"chara\0\0not zlib")), "card_png_broken"),
        (png(chunk(b"tEXt", b"no separator"), chunk(b"iTXt", b"x\0"), chunk(b"zTXt", b"y")), "card_png_without_card"),
        (SIGNATURE + struct.pack(">I", 0xFFFFFFFF) + b"tEXt" + b"x", "card_png_broken"),
    ],
)
def test_what_is_no_card_is_refused_in_words(data: bytes, code: str) -> None:
    assert refused(data) == code


def test_a_decompression_bomb_is_stopped_at_the_limit() -> None:
    bomb = zlib.compress(b"A" * 50_000_000, 9)
    assert refused(png(chunk(b"zTXt", b"chara\0\0" + bomb))) == "card_too_big"
    assert refused(png(chunk(b"iTXt", b"chara\0\1\0\0\0" + bomb))) == "card_too_big"


def test_texts_that_are_not_the_card_are_not_unpacked() -> None:
    """Each of a thousand packed texts may be as big as a card: together they would hold up everybody for minutes."""
    broken = chunk(b"zTXt", b"comment\0\0no zlib stream")
    packed = base64.b64encode(json.dumps({"name": "Ada"}).encode())
    kept = chunk(b"tEXt", b"chara\0" + packed)
    second = chunk(b"zTXt", b"chara\0\0" + zlib.compress(b"A" * (MAX_TEXT_BYTES + 1)))
    assert read_card(png(broken, kept, second), locale="en").card.name == "Ada"


def test_base64_without_its_padding_is_read() -> None:
    packed = base64.b64encode(json.dumps({"name": "Ada!"}).encode())
    assert packed.endswith(b"=")
    assert read_card(png(chunk(b"tEXt", b"chara\0" + packed.rstrip(b"="))), locale="en").card.name == "Ada!"


def test_a_png_of_endless_empty_chunks_ends() -> None:
    assert refused(SIGNATURE + chunk(b"tIME", b"") * 20_000) == "card_png_broken"


JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
FIELDS = st.sampled_from(
    ["name", "nickname", "description", "mes_example", "extensions", "assets", "avatar", "system_prompt", "tags"]
)


def outcome(data: bytes) -> AgentCard | None:
    """Either a card or a refusal: anything else that is raised fails the test."""
    try:
        return read_card(data, locale="en").card
    except UserError:
        return None


@given(st.binary(max_size=400))
def test_random_bytes_are_a_card_or_a_refusal(data: bytes) -> None:
    outcome(data)


@given(st.binary(max_size=200), st.sampled_from([b"tEXt", b"zTXt", b"iTXt", b"IDAT"]))
def test_random_chunks_are_a_card_or_a_refusal(body: bytes, kind: bytes) -> None:
    outcome(png(chunk(kind, b"chara\0" + body)))


@given(st.integers(min_value=0, max_value=400), st.integers(min_value=0, max_value=255))
def test_a_flipped_byte_is_a_card_or_a_refusal(place: int, value: int) -> None:
    whole = bytearray(png(text_chunk(V2)))
    whole[place % len(whole)] = value
    outcome(bytes(whole))


@given(st.dictionaries(FIELDS, JSON_VALUES), st.booleans())
def test_cards_with_wrong_types_are_a_card_or_a_refusal(fields: dict[str, object], wrapped: bool) -> None:
    whole = {"spec": "chara_card_v3", "data": fields} if wrapped else fields
    card = outcome(json.dumps(whole).encode())
    if card is not None:
        assert isinstance(card.name, str)
        assert all(isinstance(alias, str) for alias in card.aliases)


# ---------------------------------------------------------------------------------------------- writing

SAFE = st.text(st.characters(exclude_categories=("Cc", "Cs")), max_size=60).map(str.strip)
PLAIN_NAMES = st.text(st.sampled_from("Ada贝éЖ {}<>'\"7"), min_size=1, max_size=20).filter(
    lambda n: any(c.isalpha() for c in n)
)


@settings(max_examples=60)
@given(PLAIN_NAMES, SAFE, SAFE, SAFE, st.floats(min_value=0, max_value=1))
def test_an_exported_card_comes_back_the_same(name: str, tone: str, words: str, boundaries: str, talk: float) -> None:
    marks = ("{{", "<bot>", "<user>", "<char>")
    if any(mark in value.casefold() for value in (tone, words, boundaries) for mark in marks):
        return  # those are the format's placeholders: filled on the way in
    card = AgentCard(
        id="",
        name=" ".join(name.split()),
        aliases=("Addy", "小艾"),
        avatar="https://x.test/a.png",
        emoji="🦊",
        description=words,
        personality=words,
        tone=tone,
        instructions=words,
        backstory=words,
        boundaries=boundaries,
        talkativeness=talk,
    )
    assert read_card(export_card(card), locale="en").card == card


def test_an_export_is_a_v2_card_that_others_read() -> None:
    made = json.loads(export_card(AgentCard(id="ada", name="Ada", instructions="Be kind.", model="m", tools=("t",))))
    assert (made["spec"], made["spec_version"]) == ("chara_card_v2", "2.0")
    assert made["data"]["name"] == "Ada"
    assert made["data"]["system_prompt"] == "Be kind."
    assert "m" not in made["data"]["extensions"]["troupe"].values()
    needed = {
        "first_mes",
        "mes_example",
        "scenario",
        "creator_notes",
        "alternate_greetings",
        "tags",
        "creator",
        "extensions",
    }
    assert needed <= set(made["data"])


def test_an_export_survives_a_lone_surrogate() -> None:
    assert b"Ada" in export_card(replace(AgentCard(id="ada", name="Ada"), tone="\ud800"))
