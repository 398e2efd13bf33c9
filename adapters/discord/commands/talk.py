"""Commands about what is said: why, trace, stats, stop, settings and so on; and the message commands."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal

import discord
import regex
from discord import app_commands

from adapters.discord.addresses import PLATFORM
from adapters.discord.commands.desk import Desk, Reply
from adapters.discord.commands.languages import said
from adapters.discord.commands.memory import MemoryCommands
from adapters.splitting import FENCE
from orchestration.admin import LAST, About, Caller
from orchestration.errors import UserError
from orchestration.sessions import StopKind
from orchestration.texts import text

Ask = discord.Interaction[Any]
_LINK: Final = regex.compile(r"(?:https?://\S+/)?(\d{15,22})/?")
_MANAGE: Final = discord.Permissions(manage_guild=True)
Case = Callable[[Caller, About], Awaitable[Any]]


def about(message: str | None) -> About:
    """What a command is about: a message's link or id; nothing given: the last turn. UserError for anything else."""
    if not message:
        return LAST
    found = _LINK.fullmatch(message.strip())
    if found is None:
        raise UserError("discord_message_reference", value=message[:80])
    return About(external_id=found.group(1))


def add_talk_commands(tree: app_commands.CommandTree[Any], desk: Desk) -> None:
    """Adds the commands to the tree."""
    talk = _Talk(desk)
    for name, case, shown in (
        ("why", desk.admin.insight.why, in_columns),
        ("trace", desk.admin.insight.trace, in_columns),
        ("regenerate", desk.admin.control.regenerate, str),
    ):
        tree.add_command(_about_a_message(desk, name, case, shown))
    for callback, code in ((talk.stats, "stats"), (talk.summary, "summary"), (talk.resume, "resume")):
        tree.add_command(_command(code, callback))
    tree.add_command(MemoryCommands(desk))
    tree.add_command(_command("help", talk.help))
    tree.add_command(_command("stop", talk.stop))
    tree.add_command(_command("route", talk.route))
    tree.add_command(_managers(_command("settings", talk.settings)))
    tree.add_command(_managers(_command("audit", talk.audit)))
    menu = (
        ("discord_menu_why", talk.why_this),
        ("discord_menu_regenerate", talk.regenerate_this),
        ("discord_menu_remove", talk.remove_this),
    )
    for code, handler in menu:
        entry = app_commands.ContextMenu(name=said(code), callback=handler)
        tree.add_command(app_commands.guild_only(entry))


def _command(code: str, callback: Any) -> app_commands.Command[Any, ..., None]:
    command: app_commands.Command[Any, ..., None] = app_commands.Command(
        name=code, description=said(f"discord_cmd_{code}"), callback=callback
    )
    return app_commands.guild_only(command)


def _managers(command: app_commands.Command[Any, ..., None]) -> app_commands.Command[Any, ..., None]:
    command.default_permissions = _MANAGE
    return command


def in_columns(words: str) -> str:
    """Text that is set out in columns, as a block of code: only there do they stand under each other."""
    fenced = words.replace(FENCE, "\u02cb" * 3)
    return f"{FENCE}\n{fenced}\n{FENCE}"


def _about_a_message(
    desk: Desk, name: str, case: Case, shown: Callable[[str], str]
) -> app_commands.Command[Any, ..., None]:
    @app_commands.describe(message=said("discord_option_message"))
    async def callback(interaction: Ask, message: str | None = None) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=shown((await case(caller, about(message))).text))

        await desk.serve(interaction, work)

    return _command(name, callback)


class _Talk:
    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._admin = desk.admin

    async def stats(self, interaction: Ask) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=in_columns((await self._admin.insight.stats(caller)).text))

        await self._desk.serve(interaction, work)

    async def summary(self, interaction: Ask) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._admin.insight.summary(caller)).text)

        await self._desk.serve(interaction, work)

    async def resume(self, interaction: Ask) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._admin.control.resume(caller)).text)

        await self._desk.serve(interaction, work)

    async def audit(self, interaction: Ask) -> None:
        async def work(caller: Caller) -> Reply:
            return Reply(text=(await self._admin.chats.audit(caller)).text)

        await self._desk.serve(interaction, work)

    async def help(self, interaction: Ask) -> None:
        async def work(caller: Caller) -> Reply:
            locale = self._admin.locale(caller)
            return Reply(text=f"{self._admin.help(locale, PLATFORM)}\n{text(locale, 'discord_help_more')}")

        await self._desk.serve(interaction, work)

    @app_commands.describe(words=said("discord_option_words"))
    async def route(self, interaction: Ask, words: str) -> None:
        """Who would answer these words; nothing is stored or posted."""

        async def work(caller: Caller) -> Reply:
            return Reply(text=in_columns(await self._desk.route(caller, words)))

        await self._desk.serve(interaction, work)

    @app_commands.describe(now=said("discord_option_now"))
    async def stop(self, interaction: Ask, now: bool = False) -> None:
        async def work(caller: Caller) -> Reply:
            done = await self._admin.control.stop(caller, StopKind.HARD if now else StopKind.SOFT)
            return Reply(text=done.text)

        await self._desk.serve(interaction, work)

    @app_commands.describe(
        agents_max=said("discord_option_agents_max"),
        talkativeness=said("discord_option_talkativeness"),
        locale=said("discord_option_locale"),
        quiet_hours=said("discord_option_quiet_hours"),
        mention_policy=said("discord_option_mention_policy"),
        clarify_below=said("discord_option_clarify_below"),
        memory=said("discord_option_memory"),
        memory_shared=said("discord_option_memory_shared"),
        retention_days=said("discord_option_retention_days"),
    )
    async def settings(
        self,
        interaction: Ask,
        agents_max: app_commands.Range[int, 1, 6] | None = None,
        talkativeness: app_commands.Range[float, 0.0, 1.0] | None = None,
        locale: Literal["en", "zh", "default"] | None = None,
        quiet_hours: str | None = None,
        mention_policy: Literal["author", "nobody"] | None = None,
        clarify_below: app_commands.Range[float, 0.0, 1.0] | None = None,
        memory: Literal["on", "off"] | None = None,
        memory_shared: Literal["on", "off"] | None = None,
        retention_days: app_commands.Range[int, 1, 3650] | None = None,
    ) -> None:
        wanted: dict[str, object] = {
            "agents_max": agents_max,
            "talkativeness": talkativeness,
            "locale": locale,
            "quiet_hours": quiet_hours,
            "mention_policy": mention_policy,
            "clarify_below": clarify_below,
            "memory": memory,
            "memory_shared": memory_shared,
            "retention_days": retention_days,
        }

        async def work(caller: Caller) -> Reply:
            changes = {key: str(value) for key, value in wanted.items() if value is not None}
            lines = [(await self._admin.chats.set(caller, key, value)).text for key, value in changes.items()]
            if not lines:
                lines = [(await self._admin.chats.settings(caller)).text]
            return Reply(text="\n".join(lines))

        await self._desk.serve(interaction, work)

    # ---------------------------------------------------------------- message commands

    async def why_this(self, interaction: Ask, message: discord.Message) -> None:
        async def work(caller: Caller) -> Reply:
            told = await self._admin.insight.why(caller, About(external_id=str(message.id)))
            return Reply(text=in_columns(told.text))

        await self._desk.serve(interaction, work)

    async def regenerate_this(self, interaction: Ask, message: discord.Message) -> None:
        async def work(caller: Caller) -> Reply:
            done = await self._admin.control.regenerate(caller, About(external_id=str(message.id)))
            return Reply(text=done.text)

        await self._desk.serve(interaction, work, or_messages=True)

    async def remove_this(self, interaction: Ask, message: discord.Message) -> None:
        async def work(caller: Caller) -> Reply:
            done = await self._admin.control.remove_reply(caller, About(external_id=str(message.id)))
            return Reply(text=done.text)

        await self._desk.serve(interaction, work, or_messages=True)
