"""`troupe eval routing`: decisions for labelled cases, written for a scorer."""

from __future__ import annotations

from pathlib import Path

import click

from bot.config import Settings
from bot.evaluate import run
from bot.model_choice import choose


async def routed(settings: Settings, inputs: Path, out: Path, *, use_model: bool) -> None:
    if not use_model:
        summary = await run(inputs, out, use_model=False, models=None)
    else:
        models = await choose(settings)
        try:
            summary = await run(inputs, out, use_model=True, models=models)
        finally:
            await models.close()
    click.echo(str(summary), err=True)
