"""`troupe models fetch`: the local demo model, once, with a progress bar and a checksum."""

from __future__ import annotations

import click

from bot.config import Settings
from bot.demo_model import fetch as fetch_model


def fetch(settings: Settings) -> int:
    path = fetch_model(settings.data_dir / "models")
    click.echo(f"{path}: ready")
    return 0
