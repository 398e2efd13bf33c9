"""`troupe db …`"""

from __future__ import annotations

from pathlib import Path

import click

from bot.app import build
from bot.config import Settings


async def upgrade(settings: Settings) -> None:
    app = build(settings)
    database = app.database
    await app.open_database()
    try:
        await database.upgrade()
        click.echo(f"{database.label}: up to date")
    finally:
        await database.close()


async def backup(settings: Settings, file: Path) -> None:
    app = build(settings)
    database = app.database
    await app.open_database()
    try:
        await database.backup(file)
        click.echo(f"{file}: a copy of {database.label}")
    finally:
        await database.close()
