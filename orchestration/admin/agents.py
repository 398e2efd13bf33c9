"""`/agent …`: list, show, add, edit, pause, remove, import and export the agents of a group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from orchestration.admin.callers import Caller, ensure_manager, owns
from orchestration.admin.language import Language
from orchestration.card_rules import without_taken_aliases
from orchestration.cards import ImportedCard, export_card, read_card
from orchestration.cast import Casts
from orchestration.errors import UserError
from orchestration.model import AgentCard
from orchestration.monospace import one_line
from orchestration.texts import text


@dataclass(frozen=True, slots=True, kw_only=True)
class CastShown:
    cards: tuple[AgentCard, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentShown:
    card: AgentCard
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentImported:
    """``picture`` is the PNG the card came in (None for JSON): the adapter may make it the avatar."""

    card: AgentCard
    picture: bytes | None
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentExported:
    file_name: str
    data: bytes
    text: str


class AgentCases:
    """Everybody may look; admins change; who made an agent may change that one."""

    def __init__(self, casts: Casts, language: Language) -> None:
        self._casts = casts
        self._language = language

    async def list(self, caller: Caller) -> CastShown:
        cards = await self._casts.of(caller.chat.tenant_id)
        locale = self._language.of(caller)
        lines = [text(locale, "agents_head" if cards else "agents_none", count=len(cards))]
        lines += [_listed(card, locale) for card in cards]
        return CastShown(cards=cards, text="\n".join(lines))

    async def show(self, caller: Caller, agent: str) -> AgentShown:
        """The card; instructions and boundaries only to those who may change them."""
        card = await self._casts.require(caller.chat.tenant_id, agent)
        private = caller.may_manage or owns(caller, card.owner_id)
        return AgentShown(card=card, text=described(card, self._language.of(caller), private=private))

    async def add(self, caller: Caller, card: AgentCard) -> AgentShown:
        """Adds ``card`` (its id is made from its name) to the tenant's cast."""
        ensure_manager(caller)
        added = await self._casts.add(caller.chat.tenant_id, card, actor=caller.person, chat_id=caller.chat.id)
        return AgentShown(card=added, text=text(self._language.of(caller), "agent_added", name=added.name))

    async def edit(
        self, caller: Caller, agent: str, change: Callable[[AgentCard], AgentCard], *, if_version: int | None = None
    ) -> AgentShown:
        """Stores ``change(card)``. ``if_version``: refuse when the card shown to the person is not the newest."""
        card = await self._changeable(caller, agent)
        saved = await self._casts.edit(
            caller.chat.tenant_id,
            card.id,
            change,
            actor=caller.person,
            chat_id=caller.chat.id,
            if_version=if_version,
        )
        return AgentShown(card=saved, text=text(self._language.of(caller), "agent_edited", name=saved.name))

    async def pause(self, caller: Caller, agent: str, *, paused: bool = True) -> AgentShown:
        card = await self._changeable(caller, agent)
        saved = await self._casts.pause(
            caller.chat.tenant_id, card.id, paused=paused, actor=caller.person, chat_id=caller.chat.id
        )
        code = "agent_paused" if paused else "agent_woken"
        return AgentShown(card=saved, text=text(self._language.of(caller), code, name=saved.name))

    async def remove(self, caller: Caller, agent: str) -> AgentShown:
        card = await self._changeable(caller, agent)
        gone = await self._casts.remove(caller.chat.tenant_id, card.id, actor=caller.person, chat_id=caller.chat.id)
        return AgentShown(card=gone, text=text(self._language.of(caller), "agent_removed", name=gone.name))

    async def import_card(self, caller: Caller, data: bytes, *, name: str = "") -> AgentImported:
        """Adds the agent of a character card file (PNG or JSON, V1 to V3), under ``name`` where one is given.

        Other names in it that somebody here has already are left out: nobody can change them in a file.
        """
        ensure_manager(caller)
        locale = self._language.of(caller)
        read: ImportedCard = read_card(data, locale=locale, name=name)
        card = without_taken_aliases(read.card, await self._casts.of(caller.chat.tenant_id))
        added = await self._casts.add(
            caller.chat.tenant_id, card, actor=caller.person, chat_id=caller.chat.id, action="agent_import"
        )
        left_out = ", ".join(alias for alias in read.card.aliases if alias not in card.aliases)
        lines = [text(locale, "agent_imported", name=added.name)]
        lines += [text(locale, note) for note in read.notes]
        lines += [text(locale, "card_note_aliases", names=left_out)] if left_out else []
        return AgentImported(card=added, picture=read.picture, text="\n".join(lines))

    async def export(self, caller: Caller, agent: str) -> AgentExported:
        card = await self._changeable(caller, agent)
        file_name = f"{card.id}.json"
        said = text(self._language.of(caller), "agent_exported", name=card.name, file=file_name)
        return AgentExported(file_name=file_name, data=export_card(card), text=said)

    async def _changeable(self, caller: Caller, agent: str) -> AgentCard:
        card = await self._casts.require(caller.chat.tenant_id, agent)
        if not (caller.may_manage or owns(caller, card.owner_id)):
            raise UserError("not_allowed")
        return card


EDITABLE = (
    "name",
    "aliases",
    "emoji",
    "avatar",
    "description",
    "personality",
    "tone",
    "instructions",
    "backstory",
    "boundaries",
    "talkativeness",
)
"""Fields that people change in words. Model and tools are the operator's: they cost money and give rights."""


def with_field(card: AgentCard, field: str, value: str) -> AgentCard:
    """The card with one field set from words (aliases separated by commas). UserError for a field not in EDITABLE."""
    if field not in EDITABLE:
        raise UserError("agent_field_unknown", field=field, fields=", ".join(EDITABLE))
    if field == "aliases":
        return replace(card, aliases=split_aliases(value))
    if field == "talkativeness":
        return replace(card, talkativeness=_number(value))
    texts: dict[str, str] = {field: value}
    return replace(
        card,
        name=texts.get("name", card.name),
        emoji=texts.get("emoji", card.emoji),
        avatar=texts.get("avatar", card.avatar),
        description=texts.get("description", card.description),
        personality=texts.get("personality", card.personality),
        tone=texts.get("tone", card.tone),
        instructions=texts.get("instructions", card.instructions),
        backstory=texts.get("backstory", card.backstory),
        boundaries=texts.get("boundaries", card.boundaries),
    )


def split_aliases(value: str) -> tuple[str, ...]:
    """``Addy, 小艾、Ada B`` as three aliases."""
    for sign in "，、;；\n":
        value = value.replace(sign, ",")
    return tuple(alias.strip() for alias in value.split(",") if alias.strip())


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError as error:
        raise UserError("card_talkativeness") from error


def _listed(card: AgentCard, locale: str) -> str:
    face = f"{card.emoji} " if card.emoji else ""
    marks = text(locale, "agents_paused_mark") if card.paused else ""
    about = one_line(card.description or card.personality, 48)
    return one_line(f"{face}{card.name}{marks}", 60) + (f": {about}" if about else "")


def described(card: AgentCard, locale: str, *, private: bool) -> str:
    """The card in words, one labelled paragraph a field. ``private``: for those who may change it."""
    head = one_line(f"{card.emoji} {card.name}".strip(), 80)
    lines = [head + (text(locale, "agents_paused_mark") if card.paused else "")]
    fields: list[tuple[str, str]] = [
        ("aliases", ", ".join(card.aliases)),
        ("description", card.description),
        ("personality", card.personality),
        ("tone", card.tone),
        ("backstory", card.backstory),
        ("avatar", card.avatar),
    ]
    if private:
        fields += [("instructions", card.instructions), ("boundaries", card.boundaries), ("model", card.model)]
        fields += [("talkativeness", f"{card.talkativeness:g}")]
    for field, value in fields:
        if value:
            lines.append(text(locale, "agent_field_line", field=text(locale, f"field_{field}"), value=value))
    if card.version and not card.starter:
        lines.append(text(locale, "agent_version", version=card.version))
    return "\n".join(lines)
