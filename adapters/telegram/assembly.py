"""The parts of the Telegram adapter, put together. No call is made and no file is touched until `open` is awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from adapters.telegram.albums import Albums
from adapters.telegram.bots import Bots
from adapters.telegram.buttons import Buttons
from adapters.telegram.calls import Calls
from adapters.telegram.checking import TokenSource
from adapters.telegram.commanding import Commanding
from adapters.telegram.delivery import Delivery
from adapters.telegram.diagnosis import Diagnosis
from adapters.telegram.dialogue import Dialogue
from adapters.telegram.groups import Groups
from adapters.telegram.hearing import Hearing
from adapters.telegram.limiter import Limiter, Rates
from adapters.telegram.looks import Looks
from adapters.telegram.membership import Membership
from adapters.telegram.owned import Owned
from adapters.telegram.posting import Posting
from adapters.telegram.pressing import Pressing
from adapters.telegram.profile import Profiles
from adapters.telegram.reacting import Reacting
from adapters.telegram.rights import Rights
from adapters.telegram.saying import Saying
from adapters.telegram.telling import Telling
from adapters.telegram.vault import Vault
from adapters.telegram.webhook import WebhookPlan
from adapters.telegram.wire import DEFAULT_ROOT, Clients
from adapters.telegram.writing import Typing
from orchestration.admin import Admin
from orchestration.cast import Casts
from orchestration.commands import Commands
from orchestration.ports import Clock, Ingress, NewId, Storage


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """Times that tests make short; seconds."""

    rates: Rates = field(default_factory=Rates)
    poll_s: int = 25
    album_s: float = 1.0
    read_timeout_s: float = 20.0
    patience_s: float = 900.0
    look_again_s: float = 300.0
    meet_s: float = 10.0
    """Between two questions for a bot's name, after the start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the adapter is told. ``starter_tokens`` are the own bots of starter agents, by agent id;
    ``token_sources`` say where these and the host's came from.
    """

    token: str
    data_dir: Path
    api_base_url: str = DEFAULT_ROOT
    webhook: WebhookPlan | None = None
    stand_by_s: float = 0.0
    """0: no other process is on this database. Else how long one must be silent before another hears in its place."""
    starter_tokens: Mapping[str, str]
    token_sources: Mapping[str, TokenSource]
    locale: str = "en"
    pace: Pace


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """What the adapter talks to."""

    storage: Storage
    ingress: Ingress
    admin: Admin
    commands: Commands
    casts: Casts
    clock: Clock
    new_id: NewId


@dataclass(frozen=True, slots=True, kw_only=True)
class Mouth:
    """What posts: everything that goes out passes here."""

    vault: Vault
    bots: Bots
    groups: Groups
    looks: Looks
    limiter: Limiter
    calls: Calls
    buttons: Buttons
    posting: Posting
    saying: Saying
    delivery: Delivery
    typing: Typing
    reacting: Reacting


@dataclass(frozen=True, slots=True, kw_only=True)
class Assembly:
    """Everything alive inside the adapter."""

    mouth: Mouth
    dialogue: Dialogue
    albums: Albums
    hearing: Hearing

    async def refresh(self) -> None:
        """Reads what another process changed. Raises StorageError."""
        await self.mouth.groups.load()
        await self.mouth.looks.load()
        await self.mouth.bots.read()


async def assemble(plan: Plan, core: Core) -> Assembly:
    """Builds the parts and reads what they kept. Raises StorageError."""
    mouth = _mouth(plan, core, await asyncio.to_thread(_vault, plan.data_dir))
    albums = Albums(core.storage)
    dialogue, hearing = _hearing(plan, core, mouth, albums)
    await mouth.groups.load()
    await mouth.looks.load()
    await mouth.calls.restore()
    await mouth.bots.load()
    return Assembly(mouth=mouth, dialogue=dialogue, albums=albums, hearing=hearing)


def _mouth(plan: Plan, core: Core, vault: Vault) -> Mouth:
    pace, storage, clock = plan.pace, core.storage, core.clock
    clients = Clients(plan.api_base_url, read_timeout_s=pace.read_timeout_s)
    bots = Bots(clients=clients, storage=storage, vault=vault, token=plan.token, starters=plan.starter_tokens)
    groups, buttons, limiter = Groups(storage), Buttons(storage), Limiter(pace.rates)
    calls = Calls(limiter=limiter, storage=storage, clock=clock, patience_s=pace.patience_s)
    looks = Looks(bots=bots, groups=groups, calls=calls, storage=storage, clock=clock, look_again_s=pace.look_again_s)
    posting = Posting(bots=bots, looks=looks, groups=groups, calls=calls)
    saying = Saying(bots=bots, groups=groups, calls=calls, migrate=posting.migrate)
    delivery = Delivery(
        bots=bots,
        groups=groups,
        posting=posting,
        calls=calls,
        buttons=buttons,
        telling=Telling(bots=bots, saying=saying, locale=plan.locale),
        storage=storage,
        locale=plan.locale,
    )
    return Mouth(
        vault=vault,
        bots=bots,
        groups=groups,
        looks=looks,
        limiter=limiter,
        calls=calls,
        buttons=buttons,
        posting=posting,
        saying=saying,
        delivery=delivery,
        typing=Typing(calls),
        reacting=Reacting(bots=bots, groups=groups, looks=looks, calls=calls, storage=storage, casts=core.casts),
    )


def _hearing(plan: Plan, core: Core, mouth: Mouth, albums: Albums) -> tuple[Dialogue, Hearing]:
    rights = Rights(mouth.bots, mouth.calls)
    profiles = Profiles(bots=mouth.bots, saying=mouth.saying, storage=core.storage)
    membership = Membership(
        bots=mouth.bots,
        groups=mouth.groups,
        looks=mouth.looks,
        saying=mouth.saying,
        calls=mouth.calls,
        profiles=profiles,
        casts=core.casts,
        storage=core.storage,
        clock=core.clock,
        locale=plan.locale,
    )
    dialogue = Dialogue(
        bots=mouth.bots,
        looks=mouth.looks,
        saying=mouth.saying,
        profiles=profiles,
        casts=core.casts,
        storage=core.storage,
        vault=mouth.vault,
        new_id=core.new_id,
    )
    owned = Owned(bots=mouth.bots, profiles=profiles, casts=core.casts, storage=core.storage, clock=core.clock)
    diagnosis = Diagnosis(
        bots=mouth.bots, groups=mouth.groups, looks=mouth.looks, rights=rights, profiles=profiles, casts=core.casts
    )
    commanding = _commanding(plan, core, mouth, rights, dialogue, membership, diagnosis, owned)
    pressing = Pressing(
        buttons=mouth.buttons,
        commanding=commanding,
        rights=rights,
        saying=mouth.saying,
        admin=core.admin,
        ingress=core.ingress,
    )
    hearing = Hearing(
        groups=mouth.groups,
        albums=albums,
        posting=mouth.posting,
        membership=membership,
        dialogue=dialogue,
        commanding=commanding,
        pressing=pressing,
        saying=mouth.saying,
        ingress=core.ingress,
        locale=plan.locale,
    )
    return dialogue, hearing


def _commanding(
    plan: Plan,
    core: Core,
    mouth: Mouth,
    rights: Rights,
    dialogue: Dialogue,
    membership: Membership,
    diagnosis: Diagnosis,
    owned: Owned,
) -> Commanding:
    return Commanding(
        bots=mouth.bots,
        rights=rights,
        saying=mouth.saying,
        dialogue=dialogue,
        membership=membership,
        diagnosis=diagnosis,
        owned=owned,
        commands=core.commands,
        casts=core.casts,
        storage=core.storage,
        clock=core.clock,
        locale=plan.locale,
    )


def _vault(folder: Path) -> Vault:
    folder.mkdir(parents=True, exist_ok=True)
    return Vault.in_folder(folder)
