"""The command line. Nothing heavy is imported before a command runs, so `--help` answers at once."""

from __future__ import annotations

import asyncio
import io
import sys
from collections.abc import Coroutine, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from bot.failures import failure_line

if TYPE_CHECKING:
    from bot.config import Settings

FAILED = 2
INTERRUPTED = 130

config_option = click.option(
    "--config",
    "config_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="default: ./config.yaml, if it is there",
)
tenant_option = click.option(
    "--tenant",
    metavar="PLATFORM:ID",
    default="console:local",
    show_default=True,
    help="whose cast: the terminal's, discord:GUILD or telegram:GROUP",
)


def run_command_line(arguments: Sequence[str]) -> int:
    """Runs one command and returns the exit code: 0, 2 for every failure (told in one line), 130 after Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        code = troupe.main(args=list(arguments), prog_name="troupe", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except (click.Abort, KeyboardInterrupt):
        return INTERRUPTED
    except click.exceptions.NoArgsIsHelpError as without:
        click.echo(without.ctx.get_help() if without.ctx else "")
        return 0
    except Exception as error:  # noqa: BLE001 - the edge to a person: told in one line, traced in the log
        if line := failure_line(error):
            click.echo(line, err=True)
        return FAILED
    return code if isinstance(code, int) else 0


def settings_of(config_file: Path | None) -> Settings:
    from bot.config import load

    return load(config_file)


def settings_to_write_by(config_file: Path | None) -> Settings:
    """The same, for a command that needs the data directory."""
    settings = settings_of(config_file)
    settings.make_data_dir()
    return settings


def run_async(work: Coroutine[Any, Any, int | None]) -> int:
    """Runs a command's coroutine to its end."""
    return asyncio.run(work) or 0


@click.group(context_settings={"help_option_names": ["-h", "--help"]}, no_args_is_help=True)
@click.version_option(package_name="troupe-bot", message="troupe %(version)s")
def troupe() -> None:
    """A cast of AI agents in your group chat: Discord, Telegram, or right here in the terminal."""


@troupe.command()
@config_option
def run(config_file: Path | None) -> int:
    """Join all platforms that the configuration enables."""
    settings = settings_to_write_by(config_file)
    from bot.cli_run import run_platforms

    return run_async(run_platforms(settings))


@troupe.command()
@config_option
@click.option("--as", "name", metavar="NAME", default="", help="who you are in the chat")
@click.option("--json", "as_json", is_flag=True, help="for programs: one JSON object a line, in and out")
def chat(config_file: Path | None, name: str, as_json: bool) -> int:
    """Sit down in a group chat in this terminal."""
    settings = settings_to_write_by(config_file)
    if not as_json and sys.stdout.isatty():
        click.secho("Troupe …", dim=True)  # the imports below take a moment
    from bot.cli_chat import sit_down

    return run_async(sit_down(settings, name=name, as_json=as_json))


@troupe.command()
@config_option
def check(config_file: Path | None) -> int:
    """Say what is wrong with configuration, database, models or platforms, and how to mend it."""
    from bot.cli_check import report

    return run_async(report(config_file))


@troupe.group()
def agents() -> None:
    """Look after the cast."""


@agents.command("list")
@config_option
@tenant_option
def agents_list(config_file: Path | None, tenant: str) -> int:
    """Show who is in the cast."""
    settings = settings_to_write_by(config_file)
    from bot import cli_agents

    return run_async(cli_agents.listed(settings, tenant))


@agents.command("show")
@config_option
@tenant_option
@click.argument("name")
def agents_show(config_file: Path | None, tenant: str, name: str) -> int:
    """Show one agent's card."""
    settings = settings_to_write_by(config_file)
    from bot import cli_agents

    return run_async(cli_agents.shown(settings, tenant, name))


@agents.command("add")
@config_option
@tenant_option
@click.argument("name")
@click.option("--alias", "aliases", multiple=True, help="another name (repeatable)")
@click.option("--emoji", default="", help="the face")
@click.option("--description", default="", help="who that is")
@click.option("--personality", default="", help="what that person is like")
@click.option("--tone", default="", help="how that person talks")
@click.option("--instructions", default="", help="what to do and to leave")
@click.option("--backstory", default="", help="where that person comes from")
@click.option("--boundaries", default="", help="what that person never does")
@click.option("--model", default="", help="a model of its own")
def agents_add(config_file: Path | None, tenant: str, name: str, aliases: tuple[str, ...], **fields: str) -> int:
    """Add an agent."""
    settings = settings_to_write_by(config_file)
    from bot import cli_agents

    return run_async(cli_agents.added(settings, tenant, name, aliases, fields))


@agents.command("remove")
@config_option
@tenant_option
@click.argument("name")
def agents_remove(config_file: Path | None, tenant: str, name: str) -> int:
    """Take an agent out of the cast; what it said stays."""
    settings = settings_to_write_by(config_file)
    from bot import cli_agents

    return run_async(cli_agents.removed(settings, tenant, name))


@agents.command("import")
@config_option
@tenant_option
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--name", default="", help="another name than the card's")
def agents_import(config_file: Path | None, tenant: str, file: Path, name: str) -> int:
    """Add the agent of a character card (PNG or JSON, V1 to V3)."""
    settings = settings_to_write_by(config_file)
    from bot import cli_agents

    return run_async(cli_agents.imported(settings, tenant, file, name))


@agents.command("export")
@config_option
@tenant_option
@click.argument("name")
@click.option("--out", type=click.Path(path_type=Path), help="a file; default: standard output")
def agents_export(config_file: Path | None, tenant: str, name: str, out: Path | None) -> int:
    """Write an agent as a character card (JSON, V2)."""
    settings = settings_to_write_by(config_file)
    from bot import cli_agents

    return run_async(cli_agents.exported(settings, tenant, name, out))


@troupe.group("eval")
def evaluate() -> None:
    """Measure decisions against labelled cases."""


@evaluate.command("routing")
@config_option
@click.argument("inputs", metavar="IN", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), required=True, help="where the predictions go")
@click.option("--no-model", is_flag=True, help="rules and embeddings alone")
def eval_routing(config_file: Path | None, inputs: Path, out: Path, no_model: bool) -> int:
    """Decide who answers each message of a JSONL file."""
    settings = settings_of(config_file)
    from bot.cli_eval import routed

    return run_async(routed(settings, inputs, out, use_model=not no_model))


@troupe.group()
def db() -> None:
    """Look after the database."""


@db.command("upgrade")
@config_option
def db_upgrade(config_file: Path | None) -> int:
    """Bring the tables up to date."""
    settings = settings_to_write_by(config_file)
    from bot import cli_db

    return run_async(cli_db.upgrade(settings))


@db.command("backup")
@config_option
@click.argument("file", type=click.Path(path_type=Path))
def db_backup(config_file: Path | None, file: Path) -> int:
    """Write a copy of the database to a new file, while it is in use or not."""
    settings = settings_to_write_by(config_file)
    from bot import cli_db

    return run_async(cli_db.backup(settings, file))


@troupe.group()
def models() -> None:
    """Look after the local demo model."""


@models.command("fetch")
@config_option
@click.option("--if-needed", is_flag=True, help="only when no other model is configured")
def models_fetch(config_file: Path | None, if_needed: bool) -> int:
    """Download the demo model (93 MB) and check it."""
    settings = settings_of(config_file)
    from bot.cli_models import fetch

    return fetch(settings, if_needed=if_needed)
