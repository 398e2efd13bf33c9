"""`troupe agents …`: the same use cases as `/agent …`, for whoever runs this Troupe."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import click

from bot.app import App, build
from bot.chance import now
from bot.config import Settings
from orchestration.admin import Caller
from orchestration.commands import card_of
from orchestration.errors import UserError
from orchestration.model import AgentCard, ChatKey, Person
from orchestration.monospace import one_line

OPERATOR = Person(id="console:operator", name="operator")
MAX_CARD_BYTES = 20_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Desk:
    app: App
    caller: Caller


async def listed(settings: Settings, tenant: str) -> None:
    async with _desk(settings, tenant) as desk:
        click.echo((await desk.app.admin.agents.list(desk.caller)).text)


async def shown(settings: Settings, tenant: str, name: str) -> None:
    async with _desk(settings, tenant) as desk:
        click.echo((await desk.app.admin.agents.show(desk.caller, name)).text)


async def added(
    settings: Settings, tenant: str, name: str, aliases: tuple[str, ...], fields: Mapping[str, str]
) -> None:
    values = {"name": name, "aliases": ",".join(aliases)} | {field: words for field, words in fields.items() if words}
    async with _desk(settings, tenant) as desk:
        card: AgentCard = card_of(values)
        click.echo((await desk.app.admin.agents.add(desk.caller, card)).text)


async def removed(settings: Settings, tenant: str, name: str) -> None:
    async with _desk(settings, tenant) as desk:
        click.echo((await desk.app.admin.agents.remove(desk.caller, name)).text)


async def imported(settings: Settings, tenant: str, file: Path, name: str) -> None:
    data = await asyncio.to_thread(_read, file)
    async with _desk(settings, tenant) as desk:
        click.echo((await desk.app.admin.agents.import_card(desk.caller, data, name=name)).text)


async def exported(settings: Settings, tenant: str, name: str, out: Path | None) -> None:
    """To a file that must not exist, or to standard output."""
    async with _desk(settings, tenant) as desk:
        made = await desk.app.admin.agents.export(desk.caller, name)
    if out is None:
        click.echo(made.data.decode("utf-8"))
        return
    await asyncio.to_thread(_write_new, out, made.data)
    click.echo(f"{out}: {made.text}")


@asynccontextmanager
async def _desk(settings: Settings, tenant: str) -> AsyncIterator[_Desk]:
    """The database open, nothing else running: a Troupe that runs meanwhile sees the change within seconds."""
    platform, _, external = tenant.partition(":")
    if platform not in ("console", "discord", "telegram") or not external.strip():
        raise click.BadParameter(
            f"expected console:local, discord:GUILD or telegram:GROUP, got {one_line(tenant)!r}", param_hint="--tenant"
        )
    app = build(settings)
    await app.open_database()
    try:
        await app.database.upgrade()
        key = ChatKey(platform=platform, tenant_id=external, channel_id="terminal")
        async with app.storage.begin() as uow:
            if platform == "console":
                chat = await uow.chats.ensure(key, at=now())
            else:
                tenant_id = await uow.chats.tenant_of(platform, external, at=now())
                chats = await uow.chats.all(tenant_id=tenant_id)
                if not chats:
                    raise UserError("console_tenant_unknown", tenant=one_line(tenant))
                chat = chats[0]
        yield _Desk(app=app, caller=Caller(person=OPERATOR, chat=chat, may_manage=True, locale=settings.locale))
    finally:
        await app.database.close()


def _read(file: Path) -> bytes:
    with file.open("rb") as source:
        return source.read(MAX_CARD_BYTES)


def _write_new(file: Path, data: bytes) -> None:
    with file.open("xb") as out:
        out.write(data)
