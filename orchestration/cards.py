"""Character cards (V1, V2, V3; JSON or PNG) into agent cards, and agent cards out as V2 JSON.

A card file is written by strangers: every wrong thing in it is a UserError, and it never brings tools or a model name
with it, because those give rights and cost money.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from orchestration.card_rules import FIELD_LIMITS, checked, name_key
from orchestration.errors import UserError
from orchestration.events import Json
from orchestration.model import AgentCard
from orchestration.png_text import MAX_TEXT_BYTES, SIGNATURE, texts_of
from orchestration.texts import text

Fields: TypeAlias = Mapping[str, Json]

MAX_FILE_BYTES: Final = 10_000_000
OURS: Final = "troupe"
"""Where in a card's ``extensions`` the fields stand that the format does not know."""

_MACRO: Final = re.compile(
    r"\{\{\s{0,8}(?P<name>char|user|original)\s{0,8}\}\}|<(?P<tag>bot|user|char)>|\{\{//[^{}]{0,2000}\}\}",
    re.IGNORECASE,
)
_EXAMPLE_START: Final = re.compile(r"^[ \t]*<START>[ \t]*$\n?", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedCard:
    """``card`` has no id yet; ``picture`` is the PNG itself; ``notes`` are text codes of what was left out."""

    card: AgentCard
    picture: bytes | None = None
    notes: tuple[str, ...] = ()


def read_card(data: bytes, *, locale: str, name: str = "") -> ImportedCard:
    """The agent in a character card file, under ``name`` where one is given.

    ``{{char}}`` and ``<BOT>`` become the agent's name, ``{{user}}`` and ``<USER>`` a neutral word of the language.
    UserError for anything that is not a usable card.
    """
    if len(data) > MAX_FILE_BYTES:
        raise UserError("card_too_big")
    if not data.strip():
        raise UserError("card_empty")
    is_png = data.startswith(SIGNATURE)
    fields, spec = _fields(_json(_embedded(data) if is_png else data))
    card, notes = _agent(fields, locale=locale, name=name)
    if not name and spec == 3:
        card = _with_nickname(card, fields)
    return ImportedCard(card=checked(card), picture=data if is_png else None, notes=notes)


def export_card(card: AgentCard) -> bytes:
    """The card as V2 JSON (UTF-8): `read_card` of it gives the same card, without id, version, tools and model."""
    ours: dict[str, Json] = {
        "aliases": list(card.aliases),
        "emoji": card.emoji,
        "avatar": card.avatar,
        "tone": card.tone,
        "boundaries": card.boundaries,
    }
    data: dict[str, Json] = {
        "name": card.name,
        "description": card.description,
        "personality": card.personality,
        "scenario": card.backstory,
        "first_mes": "",
        "mes_example": "",
        "creator_notes": "",
        "system_prompt": card.instructions,
        "post_history_instructions": "",
        "alternate_greetings": [],
        "tags": [],
        "creator": "",
        "character_version": str(card.version),
        "extensions": {"talkativeness": card.talkativeness, OURS: ours},
    }
    whole: dict[str, Json] = {"spec": "chara_card_v2", "spec_version": "2.0", "data": data}
    return (json.dumps(whole, ensure_ascii=False, indent=2) + "\n").encode("utf-8", "replace")


def fill_macros(value: str, *, char: str, user: str) -> str:
    """The text with the card format's placeholders filled once; what is filled in is not looked at again."""

    def filled(found: re.Match[str]) -> str:
        match (found["name"] or found["tag"] or "").lower():
            case "char" | "bot":
                return char
            case "user":
                return user
            case _:  # {{original}} stands for a prompt we do not have, {{// …}} is a comment
                return ""

    return _MACRO.sub(filled, value)


# ------------------------------------------------------------------------------------------ reading


def _embedded(png: bytes) -> bytes:
    """The JSON inside a PNG: the V3 chunk where there is one, else the V1/V2 chunk."""
    found = texts_of(png, frozenset({"ccv3", "chara"}))
    packed = found.get("ccv3", found.get("chara"))
    if packed is None:
        raise UserError("card_png_without_card")
    if packed.lstrip().startswith(b"{"):  # some programs skip the base64
        return packed
    try:
        packed = b"".join(packed.split())
        return base64.b64decode(packed + b"=" * (-len(packed) % 4), validate=True)  # some leave the padding out
    except binascii.Error as error:
        raise UserError("card_png_broken") from error


def _json(raw: bytes) -> Json:
    if len(raw) > MAX_TEXT_BYTES:
        raise UserError("card_too_big")
    try:
        parsed: Json = json.loads(raw.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:  # also: not UTF-8, a number of 5,000 digits, 100,000 brackets
        raise UserError("card_not_json") from error
    return parsed


def _fields(parsed: Json) -> tuple[Fields, int]:
    """The card's fields, wherever its version keeps them, and the version."""
    if not isinstance(parsed, dict):
        raise UserError("card_not_json")
    spec = parsed.get("spec")
    data = parsed.get("data")
    if isinstance(data, dict) and ("name" in data or "name" not in parsed):
        return data, 3 if spec == "chara_card_v3" else 2
    if "name" in parsed or "char_name" in parsed:
        return parsed, 1
    raise UserError("card_no_fields")


def _agent(fields: Fields, *, locale: str, name: str) -> tuple[AgentCard, tuple[str, ...]]:
    own = _own(fields)
    called = " ".join((name or _word(fields, "name") or _word(fields, "char_name")).split())
    if not name_key(called):
        raise UserError("card_name_empty")
    # {{char}} is the nickname where a V3 card has one: it is what the card's texts are written for.
    spoken = called if name else " ".join(_word(fields, "nickname").split()) or called
    user = text(locale, "card_user_word")

    def words(*keys: str) -> str:
        parts = [fill_macros(_word(fields, key), char=spoken, user=user).strip() for key in keys]
        return "\n\n".join(part for part in parts if part)

    def extra(key: str) -> str:
        return fill_macros(_word(own, key), char=spoken, user=user)

    notes: list[str] = []
    tone = extra("tone")
    if not tone and (example := _example(words("mes_example", "example_dialogue"))):
        tone = example
    card = AgentCard(
        id="",
        name=called,
        aliases=tuple(_words(own, "aliases")),
        avatar=_avatar(fields, own),
        emoji=_word(own, "emoji"),
        description=words("description", "char_persona"),
        personality=words("personality"),
        tone=tone,
        instructions=words("system_prompt", "post_history_instructions"),
        backstory=words("scenario", "world_scenario"),
        boundaries=extra("boundaries"),
        talkativeness=_talkativeness(fields),
    )
    if isinstance(fields.get("character_book"), dict):
        notes.append("card_note_book")
    if _word(fields, "first_mes") or fields.get("alternate_greetings"):
        notes.append("card_note_greeting")
    return card, tuple(notes)


def _with_nickname(card: AgentCard, fields: Fields) -> AgentCard:
    nickname = " ".join(_word(fields, "nickname").split())
    return replace(card, aliases=(nickname, *card.aliases)) if nickname else card


def _example(dialogue: str) -> str:
    """Example lines as a sample of tone; left out whole where they are longer than a tone may be."""
    lines = _EXAMPLE_START.sub("", dialogue).strip()
    return lines if len(lines) <= FIELD_LIMITS["tone"] else ""


def _own(fields: Fields) -> Fields:
    extensions = fields.get("extensions")
    ours = extensions.get(OURS) if isinstance(extensions, dict) else None
    return ours if isinstance(ours, dict) else {}


def _avatar(fields: Fields, own: Fields) -> str:
    """A web address for the face: our own field, a V3 icon, or what some sites write; anything else is ignored."""
    assets = fields.get("assets")
    icons = [
        _word(asset, "uri")
        for asset in (assets if isinstance(assets, list) else [])
        if isinstance(asset, dict) and asset.get("type") == "icon"
    ]
    return next(_web_addresses((_word(own, "avatar"), *icons, _word(fields, "avatar"))), "")


def _web_addresses(values: Iterable[str]) -> Iterator[str]:
    limit = FIELD_LIMITS["avatar"]
    return (v for v in values if v.startswith(("https://", "http://")) and len(v) <= limit and len(v.split()) == 1)


def _talkativeness(fields: Fields) -> float:
    extensions = fields.get("extensions")
    value = extensions.get("talkativeness") if isinstance(extensions, dict) else None
    if isinstance(value, str):
        try:
            value = float(value)
        except ValueError:
            value = None
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return 0.5
    return float(value)


def _word(fields: Fields, key: str) -> str:
    value = fields.get(key)
    return value if isinstance(value, str) else ""


def _words(fields: Fields, key: str) -> list[str]:
    value = fields.get(key)
    return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []
