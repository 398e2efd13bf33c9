"""Memory on Telegram, the whole product running: answers go to the person's private chat, never into the group."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bot.app import App
from tests.fake_telegram import FakeTelegram
from tests.model_server import ModelServer, Request
from tests.platforms.telegram_stage import ANN, BOB, GROUP, HOST, HOST_TOKEN, a_world
from tests.platforms.whole_app import is_summariser, of_writer, settled, whole_app
from tests.upkeep_world import honest
from tests.waiting import until

CAST = [
    {"name": "Ava", "aliases": ["艾娃"], "emoji": "🦊", "description": "a calm botanist"},
    {"name": "Ben", "emoji": "🐻", "description": "a dry cook"},
]


def script(request: Request) -> Any:
    return honest(request) if is_summariser(request) else "I see."


@dataclass(slots=True, kw_only=True)
class Garden:
    app: App
    server: FakeTelegram
    model: ModelServer
    said: int = 0

    async def say(self, who: int, text: str, *, answers: int = 1) -> dict[str, Any]:
        message: dict[str, Any] = self.server.acts.say(GROUP, who, text)
        self.said += 1 + answers
        await settled(self.app, self.said)
        return message

    def answers(self, who: int, *, where: int | None) -> list[dict[str, Any]]:
        """What the host bot told this person alone: in the group, else in the private chat."""
        if where is None:
            return self.server.world.sent(who, bot_id=HOST)
        return [m for m in self.server.world.sent(where, bot_id=HOST) if str(m.get("_receiver_user_id")) == str(who)]

    async def ask(self, who: int, line: str, *, where: int | None = None) -> str:
        """A command in the group; the answer's words, with the addresses of its links."""
        before = len(self.answers(who, where=where))
        self.server.acts.say(GROUP, who, line)
        answer = (await until(lambda: self.answers(who, where=where)[before:]))[0]
        links = [entity["url"] for entity in answer.get("entities", []) if entity["type"] == "text_link"]
        return "\n".join([answer["text"], *links])

    async def listed(self, who: int, words: str) -> str:
        """What `/memory list` says once it holds these words."""

        async def there() -> str:
            told = await self.ask(who, "/memory list")
            return told if words in told else ""

        found: str = await until(there)
        return found


@asynccontextmanager
async def garden(folder: Path) -> AsyncIterator[Garden]:
    async with FakeTelegram(a_world()) as server, ModelServer(script) as model:
        settings = {"enabled": True, "token_env": "HOST_TOKEN", "api_base_url": server.url}
        async with whole_app(folder, model, {"HOST_TOKEN": HOST_TOKEN}, cast=CAST, telegram=settings) as app:
            yield Garden(app=app, server=server, model=model)


async def test_what_is_learnt_is_told_in_private_and_follows_an_edit(tmp_path: Path) -> None:
    async with garden(tmp_path) as here:
        first = await here.say(BOB, "艾娃，我住在里斯本，对花生过敏")
        assert "里斯本" in await here.listed(BOB, "里斯本")
        await here.say(BOB, "Ava, what do you know of me?")
        assert "里斯本" in of_writer(here.model)[-1].system
        await here.say(ANN, "Ava, what do you know of me?")
        assert "里斯本" not in of_writer(here.model)[-1].system

        here.server.acts.edit(GROUP, first["message_id"], "艾娃，我住在波尔图")
        assert "里斯本" not in await here.listed(BOB, "波尔图")
        group = "\n".join(str(m.get("text")) for m in here.server.world.sent(GROUP))
        assert "里斯本" not in group
        assert "波尔图" not in group


async def test_everything_forgotten_is_told_and_reaches_no_prompt(tmp_path: Path) -> None:
    async with garden(tmp_path) as here:
        await here.say(BOB, "Ava, I live in Lisbon")
        await here.listed(BOB, "I live in Lisbon")
        gone = await here.ask(BOB, "/memory forget everything", where=GROUP)
        assert "memories 1" in gone
        assert "texts of messages 1 and of answers to them 1" in gone
        assert "Remembered of you: 0" in await here.ask(BOB, "/memory list")
        await here.say(BOB, "Ava, where do I live?")
        assert "Lisbon" not in of_writer(here.model)[-1].text


async def test_the_group_s_memories_are_for_its_admins(tmp_path: Path) -> None:
    async with garden(tmp_path) as here:
        await here.say(BOB, "Ava, I live in Lisbon")
        await here.listed(BOB, "Lisbon")
        for line in ("/memory list group", "/memory forget group", "/memory off group", "/memory forget Bob"):
            refused = await here.ask(ANN if line.endswith("Bob") else BOB, line, where=GROUP)
            assert ("admin" in refused) is not line.endswith("Bob"), line
        assert "Remembered of you: 0" in await here.ask(BOB, "/memory list")


async def test_the_summary_shows_its_sources_as_links(tmp_path: Path) -> None:
    async with garden(tmp_path) as here:
        posted = [here.server.acts.say(GROUP, (ANN, BOB)[n % 2], f"Ann and Bob, plan {n}") for n in range(45)]
        here.said = 45

        async def there() -> str:
            told = await here.ask(ANN, "/summary", where=GROUP)
            return told if "t.me" in told else ""

        found = re.findall(r"https://t\.me/c/(\d+)/(\d+)", await until(there))
        assert found
        known = {str(message["message_id"]) for message in posted}
        assert all(chat == str(GROUP).removeprefix("-100") and number in known for chat, number in found)
