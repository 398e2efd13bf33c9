"""Cards as people type them: `Ada; a calm botanist; tone: dry`, and the questions of the `/agent add` dialogue."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from orchestration.admin.agents import EDITABLE, with_field
from orchestration.errors import UserError
from orchestration.model import AgentCard

_FIELD: Final = re.compile(r"\s*(\w{1,20})\s*[:：=]\s*(.*)", re.DOTALL)
_INLINE: Final = re.compile(r"(?:^|(?<=\s))(\w{1,20})\s*[:：=]")
# `Kai: a calm botanist`, `Kai, who sings`, `小林，爱唱歌`: what stands behind is no part of a name.
_NAME_AND_WORDS: Final = re.compile(
    r"(?P<name>[^:：，]*[^:：，,\s])(?:\s*[：，]|\s*:(?=\s)|,(?=\s+\S+\s))\s*(?P<words>\S.*)", re.DOTALL
)
_WORDS: Final = {
    "character": "description",
    "face": "emoji",
    "名字": "name",
    "人设": "description",
    "性格": "personality",
    "语气": "tone",
    "别名": "aliases",
    "头像": "avatar",
    "表情": "emoji",
    "指令": "instructions",
    "背景": "backstory",
    "底线": "boundaries",
    "活跃度": "talkativeness",
}
"""Words people use for fields, besides the fields' own names."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AddField:
    """One question of the `/agent add` dialogue. ``ask`` is the text code of the question (it may name {name})."""

    field: str
    ask: str
    required: bool


ADD_FIELDS: Final = (
    AddField(field="name", ask="add_ask_name", required=True),
    AddField(field="emoji", ask="add_ask_emoji", required=False),
    AddField(field="description", ask="add_ask_character", required=True),
    AddField(field="tone", ask="add_ask_tone", required=False),
)
"""What a dialogue asks for, one thing a message; `card_of` makes the card of the answers."""


def card_of(values: Mapping[str, str]) -> AgentCard:
    """A new card from field names (of EDITABLE) and the words people gave for them. UserError for a wrong field."""
    card = AgentCard(id="", name=values.get("name", ""))
    for field, value in values.items():
        card = with_field(card, field, value)
    return card


def fields_of(words: str) -> dict[str, str]:
    """``Ada; a calm botanist; loves ferns; tone: dry`` as name, description and tone.

    The first piece is the name, ``field: text`` sets a field of EDITABLE, everything else is the character. Without
    semicolons (``Ada tone: dry description: calm``, ``Ada: a calm botanist``) the name ends where these begin.
    """
    first, *pieces = words.replace("；", ";").split(";")
    name, values, character = _first_piece(first)
    for piece in pieces:
        found = _FIELD.fullmatch(piece)
        field = _known_field(found[1]) if found is not None else None
        if found is not None and field is not None:
            values[field] = found[2].strip()
        elif piece.strip():
            character.append(piece.strip())
    if character:
        values["description"] = "; ".join(filter(None, (values.get("description", ""), *character)))
    return {"name": name} | values


def change_of(words: str) -> tuple[str, str, str]:
    """``Ada; tone: dry`` (or without the semicolon) as name, field and value. UserError when it is not of that form."""
    name, _, change = words.replace("；", ";").partition(";")
    if inline := _inline_fields(name):
        name, change = words[: inline[0].start()], words[inline[0].start() :]
    return name.strip(), *field_of(change)


def field_of(words: str) -> tuple[str, str]:
    """``tone: dry`` as (field, value). UserError when it is not of that form; the field need not exist."""
    found = _FIELD.fullmatch(words)
    if found is None:
        raise UserError("command_agent_usage")
    return _known_field(found[1]) or found[1], found[2].strip()


def _first_piece(piece: str) -> tuple[str, dict[str, str], list[str]]:
    """The name, and what was written behind it without a semicolon: fields, and words of the character."""
    inline = _inline_fields(piece)
    values: dict[str, str] = {}
    end = len(piece)
    for found in reversed(inline):
        values[_known_field(found[1]) or ""] = piece[found.end() : end].strip()
        end = found.start()
    named = values.pop("name", "")
    name = piece[:end].strip().strip('"“”').strip() or named
    if found_words := _NAME_AND_WORDS.fullmatch(name):
        return found_words["name"].strip(), values, [found_words["words"].strip()]
    return name, values, []


def _inline_fields(piece: str) -> list[re.Match[str]]:
    return [found for found in _INLINE.finditer(piece) if _known_field(found[1])]


def _known_field(word: str) -> str | None:
    folded = word.casefold()
    return folded if folded in EDITABLE else _WORDS.get(folded)
