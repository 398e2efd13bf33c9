"""Memory on Discord, the whole product running: learnt in the background, seen and forgotten by slash commands."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.app import App
from tests.fake_discord import FakeDiscord
from tests.model_server import ModelServer, Request
from tests.platforms.discord_stage import Town, a_town
from tests.platforms.whole_app import is_summariser, of_summariser, of_writer, settled, whole_app
from tests.upkeep_world import honest, is_reading, shown
from tests.waiting import until

CAST = [{"name": "Ada", "description": "a calm botanist"}, {"name": "Ben", "description": "a dry cook"}]


def script(request: Request) -> Any:
    """A writer that says little, and a summariser that notes where people live and quotes what they say."""
    if not is_summariser(request):
        return "I see."
    if not is_reading(request):
        return honest(request)
    homes = [(n, words) for n, words in shown(request).items() if "I live in" in words]
    return {
        "memories": [
            {"about": words.split(":")[0], "kind": "fact", "text": words.split(", ", 1)[1], "from": [n], "quote": words}
            for n, words in homes
        ]
    }


@dataclass(slots=True, kw_only=True)
class Guild:
    app: App
    town: Town
    model: ModelServer
    said: int = 0

    async def say(self, who: int, text: str, *, answers: int = 1) -> dict[str, Any]:
        message = await self.town.discord.post(self.town.channel, who, text)
        self.said += 1 + answers
        await settled(self.app, self.said)
        return message

    async def ask(self, who: int, path: str, **options: Any) -> str:
        used = await (await self.town.discord.slash(who, self.town.channel, path, **options)).answered()
        assert used.ephemeral, "nobody else reads it"
        return used.text

    async def listed(self, who: int, words: str) -> str:
        """What `/memory list` says once it holds these words."""

        async def there() -> str:
            told = await self.ask(who, "memory list")
            return told if words in told else ""

        found: str = await until(there)
        return found


@asynccontextmanager
async def guild(folder: Path, script: Any = script) -> AsyncIterator[Guild]:
    async with FakeDiscord() as discord, ModelServer(script) as model:
        town = a_town(discord)
        settings = {
            "enabled": True,
            "token_env": "FAKE_DISCORD_TOKEN",
            "api_base_url": discord.api_url,
            "gateway_url": discord.gateway_url,
        }
        async with whole_app(folder, model, {"FAKE_DISCORD_TOKEN": discord.token}, cast=CAST, discord=settings) as app:
            await until(lambda: app.discord_client.get_channel(town.channel))
            bound = await discord.slash(town.ann, town.channel, "cast bind")
            await bound.answered()
            yield Guild(app=app, town=town, model=model)


async def test_what_is_learnt_is_told_to_its_person_alone_and_follows_an_edit(tmp_path: Path) -> None:
    async with guild(tmp_path) as here:
        bob, eve = here.town.bob, here.town.eve
        first = await here.say(bob, "Ada, I live in Lisbon")
        assert "Ada, fact 5: I live in Lisbon [#1]" in await here.listed(bob, "Lisbon")
        assert "Remembered of you: 0" in await here.ask(eve, "memory list")

        async def prompted() -> bool:
            await here.say(bob, "Ada, what should I see at the weekend?")
            return "- (fact 5) I live in Lisbon" in of_writer(here.model)[-1].system

        await until(prompted)  # on a busy machine a recall may not be in time once
        for who, agent in ((bob, "Ben"), (eve, "Ada")):
            await here.say(who, f"{agent}, what should I see at the weekend?")
            assert "Lisbon" not in of_writer(here.model)[-1].system

        await here.town.discord.edit(here.town.channel, first["id"], content="Ada, I live in Porto")
        assert "Lisbon" not in await here.listed(bob, "I live in Porto [#1]")
        exported = json.loads((await here.ask(bob, "memory export")).partition("\n")[2])
        assert [memory["text"] for memory in exported["memories"]] == ["I live in Porto"]

        await here.town.discord.remove(here.town.channel, int(first["id"]))
        assert "Porto" not in await here.listed(bob, "Remembered of you: 0")


async def test_everything_forgotten_is_told_and_reaches_no_prompt(tmp_path: Path) -> None:
    async with guild(tmp_path) as here:
        bob, eve = here.town.bob, here.town.eve
        await here.say(bob, "Ada, I live in Lisbon")
        await here.say(bob, "Ada, I love to sing in the choir on Mondays")
        await here.listed(bob, "choir")
        await here.listed(bob, "Lisbon")
        gone = await here.ask(bob, "memory forget", what="everything")
        assert "memories 2, summary lines 0, relationships 1" in gone
        assert "texts of messages 2 and of answers to them 2" in gone
        assert "Remembered of you: 0" in await here.ask(bob, "memory list")
        for who in (bob, eve):
            await here.say(who, "Ada, what did Bob say?")
            assert not any(word in of_writer(here.model)[-1].text for word in ("Lisbon", "choir"))


async def test_off_and_on_and_what_only_managers_may_do(tmp_path: Path) -> None:
    async with guild(tmp_path) as here:
        ann, bob = here.town.ann, here.town.bob
        await here.ask(bob, "memory off")
        await here.say(bob, "Ada, I live in Lisbon")
        await here.say(ann, "Ada, I live in Rome")
        await here.listed(ann, "Rome")
        assert "Lisbon" not in await here.ask(bob, "memory list")
        for path, options in (
            ("memory list", {"whom": "group"}),
            ("memory export", {"whom": "group"}),
            ("memory off", {"whom": "group"}),
            ("memory forget", {"what": "group"}),
            ("memory forget", {"what": "Ann"}),
        ):
            assert "admins" in await here.ask(bob, path, **options)
        assert "Rome" in await here.ask(ann, "memory list")
        assert "memories 1" in await here.ask(ann, "memory forget", what="group")
        assert "new to each other" in await here.ask(ann, "memory reset", agent="Ada")


async def test_the_summary_shows_its_sources_as_links(tmp_path: Path) -> None:
    async with guild(tmp_path) as here:
        town = here.town
        posted = [
            await town.discord.post(town.channel, (town.bob, town.eve)[n % 2], f"Eve and Bob, plan {n}")
            for n in range(45)
        ]
        here.said = 45

        async def there() -> str:
            told = await here.ask(town.eve, "summary")
            return told if "http" in told else ""

        told = await until(there)
        known = {message["id"] for message in posted}
        found = re.findall(r"https://discord\.com/channels/(\d+)/(\d+)/(\d+)", told)
        assert found
        for guild_id, channel_id, message_id in found:
            assert (guild_id, channel_id) == (str(town.guild.id), str(town.channel))
            assert message_id in known
        assert of_summariser(here.model)
