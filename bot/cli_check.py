"""`troupe check`: the findings as a table, each with how to mend it; exit code 2 when something will not work."""

from __future__ import annotations

from pathlib import Path

import click

from bot import logs
from bot.config import Settings, load
from orchestration.findings import Finding, Level
from orchestration.monospace import pad
from orchestration.texts import text

FAILED = 2
COLOURS = {Level.OK: "green", Level.WARNING: "yellow", Level.PROBLEM: "red"}
LEVEL_COLUMNS, AREA_COLUMNS = 8, 10


async def report(config_file: Path | None) -> int:
    """Raises ConfigError when there is nothing to check by."""
    settings = load(config_file)
    from bot.app import build
    from bot.check import Check

    app = build(settings)
    app.add_platforms()
    redact = logs.Redactor(settings.secrets())
    problems = 0
    async for finding in Check(settings, app).findings():
        click.echo(redact(_row(settings, finding)))
        problems += finding.level is Level.PROBLEM
    code = "check_summary_problems" if problems else "check_summary_ok"
    click.echo(text(settings.locale, code, count=problems))
    return FAILED if problems else 0


def _row(settings: Settings, finding: Finding) -> str:
    level = pad(text(settings.locale, f"check_level_{finding.level.value}"), LEVEL_COLUMNS)
    row = f"{click.style(level, fg=COLOURS[finding.level])} {pad(finding.area, AREA_COLUMNS)} {_plain(finding.text)}"
    return f"{row}\n{' ' * (LEVEL_COLUMNS + 1)}→ {_plain(finding.mend)}" if finding.mend else row


def _plain(words: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in words).split())
