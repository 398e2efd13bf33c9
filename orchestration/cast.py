"""The cast of a tenant: the operator's starter cards with the tenant's own cards laid over them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from orchestration.card_rules import checked, ensure_unique, free_slug, name_key, slug
from orchestration.errors import UserError
from orchestration.model import MAX_CAST, AgentCard, AuditEntry, Person
from orchestration.monospace import one_line
from orchestration.ports import Clock, Storage, UnitOfWork
from orchestration.transactions import transact

__all__ = ["Casts", "called", "find", "name_key", "overlay", "slug"]

MAX_CARDS: Final = 64
"""Cards a tenant may keep, paused ones included."""
MAX_TENANTS_KEPT: Final = 4096


@dataclass(frozen=True, slots=True, kw_only=True)
class _Kept:
    cast: tuple[AgentCard, ...]
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stored:
    """A tenant's cards as one transaction sees them. ``rows`` holds removed cards too (their version counts)."""

    cast: tuple[AgentCard, ...]
    rows: dict[str, AgentCard]

    def version_of(self, agent_id: str) -> int:
        """What the next save must name: the newest stored version, 0 where nothing is stored yet."""
        return self.rows[agent_id].version if agent_id in self.rows else 0


def overlay(
    starters: Iterable[AgentCard], own: Iterable[AgentCard], removed: frozenset[str] = frozenset()
) -> tuple[AgentCard, ...]:
    """Starters in their order, each replaced by the tenant's own card of the same id, then the tenant's other cards.

    An own name or alias wins over a starter's: a starter that came later loses the alias, or steps back whole
    when its very name is taken.
    """
    rows = {card.id: card for card in own if card.id not in removed}
    first = [card for card in starters if card.id not in removed]
    starter_ids = {card.id for card in first}
    taken = {name_key(name) for card in rows.values() for name in (card.name, *card.aliases)}
    laid: list[AgentCard] = []
    for card in first:
        if card.id in rows:
            laid.append(replace(rows[card.id], starter=True))
        elif name_key(card.name) not in taken:
            aliases = tuple(alias for alias in card.aliases if name_key(alias) not in taken)
            laid.append(replace(card, aliases=aliases, starter=True))
    laid += [replace(card, starter=False) for card in rows.values() if card.id not in starter_ids]
    return tuple(laid)


def find(cast: Iterable[AgentCard], wanted: str) -> AgentCard | None:
    """The agent with this id, else with this name or alias: for callers that hold an id."""
    cards = tuple(cast)
    return next((card for card in cards if card.id == wanted), None) or called(cards, wanted)


def called(cast: Iterable[AgentCard], words: str) -> AgentCard | None:
    """The agent with this name, else alias, else id: for words of people.

    A renamed agent keeps its id, so an id may read like somebody else's name; whoever bears the name is meant.
    """
    cards = tuple(cast)
    key = name_key(words)
    tests: tuple[Callable[[AgentCard], bool], ...] = (
        lambda card: name_key(card.name) == key,
        lambda card: any(name_key(alias) == key for alias in card.aliases),
        lambda card: card.id == words,
    )
    return next((card for test in tests for card in cards if test(card)), None)


class Casts:
    """Reads and changes casts. Reads come from memory for ``fresh_s`` seconds: so soon a change by another
    process (a worker, the command line) is seen; a change through this object is seen at once.
    """

    def __init__(
        self, storage: Storage, starters: tuple[AgentCard, ...], *, clock: Clock, fresh_s: float = 2.0
    ) -> None:
        self._storage = storage
        self._starters = tuple(replace(card, starter=True) for card in starters)
        self._clock = clock
        self._fresh_s = fresh_s
        self._kept: dict[int, _Kept] = {}
        self._changes: dict[int, int] = {}

    # -------------------------------------------------------------------------------------- reading

    async def of(self, tenant_id: int) -> tuple[AgentCard, ...]:
        """All agents of the tenant in order, paused ones included, removed ones not."""
        kept = self._kept.get(tenant_id)
        if kept is not None and abs((self._clock() - kept.at).total_seconds()) < self._fresh_s:
            return kept.cast
        changes = self._changes.get(tenant_id, 0)
        async with self._storage.read() as unit:
            stored = await self._stored(unit, tenant_id)
        if self._changes.get(tenant_id, 0) == changes:  # else: changed while we read, what we have is old
            self._keep(tenant_id, stored.cast)
        return stored.cast

    async def speaking(self, tenant_id: int) -> tuple[AgentCard, ...]:
        """The agents that may be chosen: not paused, at most `MAX_CAST`. A tenant's own agents come before starters
        where a grown configuration makes them too many.
        """
        awake = [card for card in await self.of(tenant_id) if not card.paused]
        own_first = sorted(awake, key=lambda card: card.starter)[:MAX_CAST]
        chosen = {card.id for card in own_first}
        return tuple(card for card in awake if card.id in chosen)

    async def get(self, tenant_id: int, id_or_name: str) -> AgentCard | None:
        return find(await self.of(tenant_id), id_or_name)

    async def require(self, tenant_id: int, words: str) -> AgentCard:
        """The agent people mean by these words (name, alias or id), or UserError with the names there are."""
        cast = await self.of(tenant_id)
        return _known(called(cast, words), cast, words)

    def names(self, tenant_id: int) -> tuple[str, ...]:
        """Names from memory, without waiting (autocomplete); the starters' until the tenant was read once."""
        kept = self._kept.get(tenant_id)
        return tuple(card.name for card in (kept.cast if kept is not None else self._starters))

    # -------------------------------------------------------------------------------------- changing

    async def add(
        self, tenant_id: int, card: AgentCard, *, actor: Person, chat_id: int | None = None, action: str = "agent_add"
    ) -> AgentCard:
        """Adds the card under an id made from its name (``card.id`` and ``card.version`` do not count).

        UserError when a field is wrong, a name is taken or the cast is full.
        """
        wanted = checked(card)

        async def work(unit: UnitOfWork) -> AgentCard:
            stored = await self._stored(unit, tenant_id)
            agent_id = free_slug(wanted.name, (other.id for other in stored.cast))
            new = replace(wanted, id=agent_id, version=stored.version_of(agent_id), starter=False)
            ensure_unique(new, stored.cast)
            _ensure_room(new, stored.cast)
            added = await unit.agents.save(tenant_id, new, at=self._clock())
            await unit.audit.add(self._entry(tenant_id, chat_id, actor, action, agent_id, new.name))
            return added

        return await self._change(tenant_id, work)

    async def edit(
        self,
        tenant_id: int,
        agent_id: str,
        change: Callable[[AgentCard], AgentCard],
        *,
        actor: Person,
        chat_id: int | None = None,
        action: str = "agent_edit",
        if_version: int | None = None,
    ) -> AgentCard:
        """Stores ``change(card)`` as the agent's next version; its id stays, whatever its new name.

        UserError as in `add`, when the agent is gone, or when ``if_version`` is given and not its version any more.
        ``change`` must be pure: it may be called again after a conflict.
        """

        async def work(unit: UnitOfWork) -> AgentCard:
            stored = await self._stored(unit, tenant_id)
            before = _required(stored.cast, agent_id)
            if if_version is not None and if_version != before.version:
                raise UserError("agent_changed_meanwhile", name=before.name)
            version = stored.version_of(before.id)
            after = replace(checked(change(before)), id=before.id, version=version, starter=before.starter)
            ensure_unique(after, stored.cast)
            if before.paused and not after.paused:
                _ensure_room(after, stored.cast)
            saved = await unit.agents.save(tenant_id, after, at=self._clock())
            detail = _changed_fields(before, after)
            await unit.audit.add(self._entry(tenant_id, chat_id, actor, action, before.id, detail))
            return replace(saved, starter=before.starter)

        return await self._change(tenant_id, work)

    async def pause(
        self, tenant_id: int, agent_id: str, *, paused: bool, actor: Person, chat_id: int | None = None
    ) -> AgentCard:
        """Silences an agent or wakes it; UserError when eight others speak already."""
        return await self.edit(
            tenant_id,
            agent_id,
            lambda card: replace(card, paused=paused),
            actor=actor,
            chat_id=chat_id,
            action="agent_pause" if paused else "agent_wake",
        )

    async def remove(self, tenant_id: int, agent_id: str, *, actor: Person, chat_id: int | None = None) -> AgentCard:
        """Takes the agent out of the cast; its messages and versions stay. Returns its last card."""

        async def work(unit: UnitOfWork) -> AgentCard:
            stored = await self._stored(unit, tenant_id)
            card = _required(stored.cast, agent_id)
            if card.id not in stored.rows:  # a starter leaves this tenant only; its card stays readable here
                await unit.agents.save(tenant_id, replace(card, version=0), at=self._clock())
            await unit.agents.remove(tenant_id, card.id, at=self._clock())
            await unit.audit.add(self._entry(tenant_id, chat_id, actor, "agent_remove", card.id, card.name))
            return card

        return await self._change(tenant_id, work)

    # -------------------------------------------------------------------------------------- inside

    async def _stored(self, unit: UnitOfWork, tenant_id: int) -> _Stored:
        rows = await unit.agents.all(tenant_id)
        removed = await unit.agents.removed(tenant_id)
        return _Stored(cast=overlay(self._starters, rows, removed), rows={card.id: card for card in rows})

    async def _change(self, tenant_id: int, work: Callable[[UnitOfWork], Awaitable[AgentCard]]) -> AgentCard:
        async def alone(unit: UnitOfWork) -> AgentCard:
            await unit.agents.lock(tenant_id)  # names and the number of speakers are checked over the whole cast
            return await work(unit)

        card = await transact(self._storage, alone)
        self._changes[tenant_id] = self._changes.get(tenant_id, 0) + 1
        self._kept.pop(tenant_id, None)
        await self.of(tenant_id)  # so that `names` knows it at once
        return card

    def _entry(
        self, tenant_id: int, chat_id: int | None, actor: Person, action: str, target: str, detail: str
    ) -> AuditEntry:
        return AuditEntry(
            tenant_id=tenant_id,
            chat_id=chat_id,
            actor=actor,
            action=action,
            target=target,
            detail=detail,
            at=self._clock(),
        )

    def _keep(self, tenant_id: int, cast: tuple[AgentCard, ...]) -> None:
        if len(self._kept) >= MAX_TENANTS_KEPT and tenant_id not in self._kept:
            self._kept.pop(next(iter(self._kept)))
        self._kept[tenant_id] = _Kept(cast=cast, at=self._clock())


def _required(cast: tuple[AgentCard, ...], id_or_name: str) -> AgentCard:
    return _known(find(cast, id_or_name), cast, id_or_name)


def _known(card: AgentCard | None, cast: tuple[AgentCard, ...], wanted: str) -> AgentCard:
    if card is None:
        names = ", ".join(other.name for other in cast)
        raise UserError("agent_unknown", name=one_line(wanted, 40), names=names)
    return card


def _ensure_room(card: AgentCard, cast: tuple[AgentCard, ...]) -> None:
    others = [other for other in cast if other.id != card.id]
    if len(others) >= MAX_CARDS:
        raise UserError("cast_full", limit=MAX_CARDS)
    if not card.paused and sum(not other.paused for other in others) >= MAX_CAST:
        raise UserError("cast_full_speaking", limit=MAX_CAST)


def _changed_fields(before: AgentCard, after: AgentCard) -> str:
    ignored = ("id", "version", "starter")
    names = [name for name in AgentCard.__dataclass_fields__ if name not in ignored]
    return ", ".join(name for name in names if getattr(before, name) != getattr(after, name))
