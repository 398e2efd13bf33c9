"""`troupe chat`: the group chat in this terminal, for a person or (`--json`) for a program."""

from __future__ import annotations

import getpass
import os
import sys
from dataclasses import replace

from adapters.console.adapter import ConsoleAdapter
from adapters.console.views import JsonView, PlainView, View, private_stdout
from bot import logs
from bot.app import App, build
from bot.config import Settings
from bot.lifetimes import light_collector
from bot.signals import until_told_to_stop
from orchestration.texts import text


async def sit_down(settings: Settings, *, name: str, as_json: bool) -> None:
    """Ends at the end of the input, or when the person leaves."""
    settings = _alone(settings)
    logs.configure(settings.data_dir, secrets=settings.secrets(), to_stderr=False)
    logs.route_strays()
    person = name.strip() or _user_name() or text(settings.locale, "console_you")
    view = _view(settings, person, as_json=as_json)
    app = build(settings)
    console = app.add_console(view, name=person)
    try:
        await until_told_to_stop(_chat(app, console))
    finally:
        await console.close()


async def _chat(app: App, console: ConsoleAdapter) -> None:
    await app.start()
    try:
        if app.models is not None:
            console.greet(app.models.notice_text(app.settings.locale))
        async with light_collector():
            await console.run()
    finally:
        await app.close()


def _alone(settings: Settings) -> Settings:
    """The terminal's chat only: other platforms belong to `troupe run`."""
    return replace(
        settings,
        discord=settings.discord.model_copy(update={"enabled": False}),
        telegram=settings.telegram.model_copy(update={"enabled": False}),
    )


def _view(settings: Settings, person: str, *, as_json: bool) -> View:
    if as_json:
        return JsonView(fd_in=0, fd_out=private_stdout(), locale=settings.locale)
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM") in (None, "", "dumb"):
        return PlainView(fd_in=0, fd_out=private_stdout(), locale=settings.locale)
    from adapters.console.terminal import TerminalView  # prompt_toolkit is slow to import

    return TerminalView(person=person, locale=settings.locale)


def _user_name() -> str:
    try:
        name = getpass.getuser()
    except (OSError, KeyError, ImportError):
        return ""
    return "" if name == "root" else name
