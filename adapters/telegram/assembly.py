"""The parts of the Telegram adapter, put together. No call is made and no file is touched until `open` is awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from adapters.telegram.bots import Bots
from adapters.telegram.buttons import Buttons
from adapters.telegram.calls import Calls
from adapters.telegram.commanding import Commanding
from adapters.telegram.delivery import Delivery
from adapters.telegram.dialogue import Dialogue
from adapters.telegram.groups import Groups
from adapters.telegram.hearing import Hearing
from adapters.telegram.limiter import Limiter, Rates
from adapters.telegram.looks import Looks
from adapters.telegram.membership import Membership
from adapters.telegram.posting import Posting
from adapters.telegram.pressing import Pressing
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
    rights_fresh_s: float = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What the adapter is told. ``starter_tokens`` are the own bots of starter agents, by agent id."""

    token: str
    data_dir: Path
    api_base_url: str = DEFAULT_ROOT
    webhook: WebhookPlan | None = None
    starter_tokens: Mapping[str, str]
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
class Assembly:
    """Everything alive inside the adapter."""

    vault: Vault
    bots: Bots
    groups: Groups
    looks: Looks
    limiter: Limiter
    calls: Calls
    posting: Posting
    delivery: Delivery
    typing: Typing
    reacting: Reacting
    dialogue: Dialogue
    commanding: Commanding
    buttons: Buttons
    hearing: Hearing


async def assemble(plan: Plan, core: Core) -> Assembly:
    """Builds the parts and reads what they kept. Raises StorageError."""
    pace, storage, clock = plan.pace, core.storage, core.clock
    vault = await asyncio.to_thread(_vault, plan.data_dir)
    clients = Clients(plan.api_base_url, read_timeout_s=pace.read_timeout_s)
    bots = Bots(clients=clients, storage=storage, vault=vault, token=plan.token, starters=plan.starter_tokens)
    groups = Groups(storage)
    looks = Looks(bots=bots, groups=groups, storage=storage, clock=clock, look_again_s=pace.look_again_s)
    limiter = Limiter(pace.rates)
    calls = Calls(limiter=limiter, storage=storage, clock=clock, patience_s=pace.patience_s)
    buttons = Buttons(storage)
    posting = Posting(bots=bots, looks=looks, groups=groups, calls=calls)
    saying = Saying(bots=bots, groups=groups, calls=calls)
    rights = Rights(bots, fresh_s=pace.rights_fresh_s)
    membership = Membership(
        bots=bots,
        groups=groups,
        looks=looks,
        saying=saying,
        casts=core.casts,
        storage=storage,
        clock=clock,
        locale=plan.locale,
    )
    dialogue = Dialogue(
        bots=bots,
        looks=looks,
        saying=saying,
        casts=core.casts,
        storage=storage,
        vault=vault,
        new_id=core.new_id,
    )
    commanding = Commanding(
        bots=bots,
        groups=groups,
        looks=looks,
        rights=rights,
        saying=saying,
        dialogue=dialogue,
        membership=membership,
        commands=core.commands,
        casts=core.casts,
        storage=storage,
        clock=clock,
        locale=plan.locale,
    )
    pressing = Pressing(
        buttons=buttons,
        commanding=commanding,
        rights=rights,
        saying=saying,
        admin=core.admin,
        ingress=core.ingress,
    )
    assembly = Assembly(
        vault=vault,
        bots=bots,
        groups=groups,
        looks=looks,
        limiter=limiter,
        calls=calls,
        posting=posting,
        delivery=Delivery(
            bots=bots,
            groups=groups,
            posting=posting,
            calls=calls,
            buttons=buttons,
            telling=Telling(bots=bots, saying=saying, locale=plan.locale),
            storage=storage,
            locale=plan.locale,
        ),
        typing=Typing(calls),
        reacting=Reacting(bots=bots, groups=groups, looks=looks, calls=calls, storage=storage, casts=core.casts),
        dialogue=dialogue,
        commanding=commanding,
        buttons=buttons,
        hearing=Hearing(
            groups=groups,
            posting=posting,
            membership=membership,
            dialogue=dialogue,
            commanding=commanding,
            pressing=pressing,
            saying=saying,
            ingress=core.ingress,
            locale=plan.locale,
        ),
    )
    await groups.load()
    await looks.load()
    await calls.restore()
    await bots.load()
    return assembly


def _vault(folder: Path) -> Vault:
    folder.mkdir(parents=True, exist_ok=True)
    return Vault.in_folder(folder)
