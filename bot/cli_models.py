"""`troupe models fetch`: the local demo model, once, with a progress bar and a checksum."""

from __future__ import annotations

import click

from bot.config import Settings
from bot.demo_fetch import fetch as fetch_model
from bot.demo_fetch import runnable
from bot.model_choice import provider_of_environment


def fetch(settings: Settings, *, if_needed: bool) -> int:
    """Raises FetchFailed. With ``if_needed`` nothing happens where the demo model would not speak anyway."""
    real = settings.models.providers or provider_of_environment(settings) is not None
    if if_needed and (real or not runnable()):
        return 0
    path = fetch_model(environ=settings.environment, locale=settings.locale)
    if not if_needed:
        click.echo(f"{path}: ready")
    return 0
