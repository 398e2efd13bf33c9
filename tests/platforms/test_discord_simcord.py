"""The whole program under simcord, a virtual Discord with command access, permissions and ephemeral answers."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import discord
import simcord

from bot.app import App, build
from bot.config import load
from tests.model_server import ModelServer
from tests.waiting import until

LIMIT_S = 60.0


@dataclass(slots=True)
class Scene:
    app: App
    env: simcord.Env
    guild: Any
    channel: Any
    ann: Any
    bob: Any
    model: ModelServer

    async def until(self, true: Callable[[], Any]) -> Any:
        return await until(true)

    def posts(self, name: str) -> list[str]:
        return [m.content for m in self.channel.history() if m.author.name == name]


@asynccontextmanager
async def scene(folder: Path, script: Any) -> AsyncIterator[Scene]:
    async with ModelServer(script) as model:
        config = folder / "config.yaml"
        config.write_text(
            f"""
data_dir: {folder / "data"}
models:
  providers:
    loopback: {{base_url: "{model.base_url}"}}
  roles:
    writer: {{provider: loopback, model: scripted}}
    router: null
    checker: null
    summariser: null
turn: {{burst_s: 0}}
cast:
  - {{name: Ada, description: a calm botanist, instructions: Always name a plant.}}
  - {{name: Ben, description: a dry cook}}
discord: {{enabled: true, token_env: FAKE_DISCORD_TOKEN}}
""",
            encoding="utf-8",
        )
        app = build(load(config, environ={"FAKE_DISCORD_TOKEN": "x" * 40}))
        async with simcord.run(app.discord_client, settle_timeout=60.0) as env:
            guild = env.create_guild("Garden")
            channel = guild.create_text_channel("general")
            managers = guild.create_role("Managers", permissions=discord.Permissions(manage_guild=True))
            ann = guild.add_member(env.create_user("ann"), roles=[managers])
            bob = guild.add_member(env.create_user("bob"))
            yield Scene(app=app, env=env, guild=guild, channel=channel, ann=ann, bob=bob, model=model)
            await app.discord_client.close()


def words(result: Any) -> str:
    shown = [result.response, *result.followups]
    return "\n".join(message.content for message in shown if message is not None)


def roots(commands: tuple[str, ...]) -> set[str]:
    return {command.split()[0] for command in commands}


async def test_the_program_lives_in_a_client_that_somebody_else_starts(tmp_path: Path) -> None:
    async with scene(tmp_path, "A fern.") as s:
        await s.ann.slash(s.channel, "cast bind")
        await s.bob.send(s.channel, "Ada, what grows here?")
        assert await s.until(lambda: s.posts("Ada")) == ["A fern."]
        why = await s.bob.slash(s.channel, "why")
        assert "Ada" in words(why)
        assert "scripted" in words(why)
        assert s.model.requests[0].text.count("Always name a plant.") == 1

        shown = await s.ann.slash(s.channel, "agent add")
        done = await s.ann.submit_modal(shown, {"name": "Rex", "character": "a loyal dog"})
        assert "Rex" in words(done)
        s.model.script("Woof.")
        await s.bob.send(s.channel, "Rex, sit!")
        assert await s.until(lambda: s.posts("Rex")) == ["Woof."]

        names = await s.ann.autocomplete(s.channel, "agent show", "agent", "re")
        assert [choice["name"] for choice in names] == ["Rex"]
        post = next(m for m in s.channel.history() if m.author.name == "Rex")
        told = await s.bob.context_menu(s.channel, "Why this reply?", post)
        assert "Rex" in words(told)
        assert s.env.errors == []


async def test_members_without_the_right_do_not_even_see_what_changes_something(tmp_path: Path) -> None:
    async with scene(tmp_path, "A fern.") as s:
        seen = roots(s.bob.available_commands(s.channel))
        assert not {"agent", "cast", "settings"} & seen
        assert {"why", "trace", "stats", "summary", "stop", "regenerate", "help"} <= seen
        assert {"agent", "cast", "settings"} <= roots(s.ann.available_commands(s.channel))
        await s.ann.slash(s.channel, "cast bind")
        await s.bob.send(s.channel, "Ben, hello")
        await s.until(lambda: s.posts("Ben"))
        assert s.env.errors == []
