"""What a card may hold: names made comparable, field limits, and the checks before a card joins a cast. Pure."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from orchestration.errors import UserError
from orchestration.model import AgentCard

MAX_NAME_CHARS: Final = 80
MAX_ALIASES: Final = 12
MAX_SLUG_CHARS: Final = 40

FIELD_LIMITS: Final[dict[str, int]] = {
    "description": 8_000,
    "personality": 8_000,
    "tone": 4_000,
    "instructions": 16_000,
    "backstory": 16_000,
    "boundaries": 4_000,
    "avatar": 2_000,
    "emoji": 16,
    "model": 200,
}
"""Characters each text field may have."""

# Invisible signs that turn the reading direction: in a name they let one agent pose as another.
_TURNING: Final = dict.fromkeys([0x202A, 0x202B, 0x202C, 0x202D, 0x202E, 0x2066, 0x2067, 0x2068, 0x2069])


def name_key(name: str) -> str:
    """What two names are compared by: NFKC, case folded, without invisible signs, single spaces."""
    if name.isascii():  # most names, and nothing of this is in ASCII
        return " ".join(name.casefold().split())
    folded = unicodedata.normalize("NFKC", name).casefold()
    seen = "".join(c for c in folded if unicodedata.category(c) != "Cf" and not 0xFE00 <= ord(c) <= 0xFE0F)
    return " ".join(seen.split())


def slug(name: str) -> str:
    """The agent id made from a name: its letters and digits of any script, folded, joined by ``-``.

    Never empty, at most 40 characters. A name without a letter or digit (``🦊``) gives a short stable hash.
    """
    out: list[str] = []
    for char in name_key(name):
        kind = unicodedata.category(char)[0]
        # A mark (Thai, Hindi vowels) belongs to the letter before it; alone it is nothing.
        if kind in "LN" or (kind == "M" and out and out[-1] != "-"):
            out.append(char)
        elif out and out[-1] != "-":
            out.append("-")
    made = "".join(out)[:MAX_SLUG_CHARS].strip("-")
    return made or "agent-" + hashlib.sha256(name_key(name).encode("utf-8", "replace")).hexdigest()[:8]


def free_slug(name: str, taken: Iterable[str]) -> str:
    """The name's slug, with ``-2``, ``-3``, … where another agent has it."""
    used = set(taken)
    base = slug(name)
    made, n = base, 1
    while made in used:
        n += 1
        made = f"{base}-{n}"
    return made


def clean_text(value: str) -> str:
    """The text without NUL, lone surrogates and control characters; line ends become ``\\n``. Nothing else changes."""
    unified = value.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(c for c in unified if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs")).strip()


def clean_name(value: str) -> str:
    """The name as it is kept. UserError when it is empty, invisible, too long or holds control characters."""
    stripped = value.strip().translate(_TURNING)
    if any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in stripped):
        raise UserError("card_name_control")
    name = " ".join(stripped.split())
    if not name_key(name):
        raise UserError("card_name_empty")
    if len(name) > MAX_NAME_CHARS:
        raise UserError("card_name_too_long", limit=MAX_NAME_CHARS, length=len(name))
    return name


def checked(card: AgentCard) -> AgentCard:
    """The card cleaned and within all limits; UserError names the first field that is not."""
    name = clean_name(card.name)
    texts = {field: clean_text(getattr(card, field)) for field in FIELD_LIMITS}
    for field, limit in FIELD_LIMITS.items():
        if len(texts[field]) > limit:
            raise UserError("card_field_too_long", field=field, limit=limit, length=len(texts[field]))
    if texts["avatar"] and not texts["avatar"].startswith(("https://", "http://")):
        raise UserError("card_avatar_not_url")
    if any(c.isspace() for c in texts["avatar"] + texts["emoji"]):
        raise UserError("card_avatar_not_url" if any(c.isspace() for c in texts["avatar"]) else "card_emoji")
    if not 0.0 <= card.talkativeness <= 1.0:
        raise UserError("card_talkativeness")
    return replace(
        card,
        name=name,
        aliases=_clean_aliases(name, card.aliases),
        description=texts["description"],
        personality=texts["personality"],
        tone=texts["tone"],
        instructions=texts["instructions"],
        backstory=texts["backstory"],
        boundaries=texts["boundaries"],
        avatar=texts["avatar"],
        emoji=texts["emoji"],
        model=texts["model"],
    )


def _clean_aliases(name: str, aliases: Iterable[str]) -> tuple[str, ...]:
    kept = {name_key(name): ""}
    for alias in aliases:
        if alias.strip():
            kept.setdefault(name_key(clean_name(alias)), clean_name(alias))
    made = tuple(alias for alias in kept.values() if alias)
    if len(made) > MAX_ALIASES:
        raise UserError("card_aliases_too_many", limit=MAX_ALIASES, count=len(made))
    return made


def ensure_unique(card: AgentCard, others: Iterable[AgentCard]) -> None:
    """UserError with a hint when a name or alias of the card is another agent's name or alias."""
    holders = _holders(card, others)
    for wanted in (card.name, *card.aliases):
        holder = holders.get(name_key(wanted))
        if holder is None:
            continue
        if wanted is card.name:
            raise UserError("card_name_taken", name=wanted, holder=holder.name, hint=_free_name(wanted, holders))
        raise UserError("card_alias_taken", name=wanted, holder=holder.name)


def without_taken_aliases(card: AgentCard, others: Iterable[AgentCard]) -> AgentCard:
    """The card with those of its aliases that nobody else has."""
    holders = _holders(card, others)
    return replace(card, aliases=tuple(alias for alias in card.aliases if name_key(alias) not in holders))


def _holders(card: AgentCard, others: Iterable[AgentCard]) -> dict[str, AgentCard]:
    """Whom each name and alias of the others stands for, by `name_key`."""
    rest = [other for other in others if other.id != card.id]
    return {name_key(known): other for other in rest for known in (other.name, *other.aliases)}


def _free_name(name: str, taken: Iterable[str]) -> str:
    used = set(taken)
    n = 2
    while name_key(f"{name} {n}") in used:
        n += 1
    return f"{name} {n}"
