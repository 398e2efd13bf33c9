"""`troupe models fetch`: the local demo model, once, with a progress bar and a checksum."""

from __future__ import annotations

import click

from bot import demo_fetch
from bot.config import Settings
from bot.model_choice import wants_demo


def fetch(settings: Settings, *, if_needed: bool = False) -> int:
    """``if_needed``: nothing is fetched where another model is configured or the demo model could not run."""
    if if_needed and not wants_demo(settings):
        return 0
    path = demo_fetch.fetch(environ=settings.environment, locale=settings.locale)
    if not if_needed:
        click.echo(f"{path}: ready")
    return 0
