"""`troupe models fetch`: the local demo model, once, with a progress bar and a checksum."""

from __future__ import annotations

import click

from bot.config import Settings
from bot import demo_fetch


def fetch(settings: Settings) -> int:
    path = demo_fetch.fetch(environ=settings.environment, locale=settings.locale)
    click.echo(f"{path}: ready")
    return 0
