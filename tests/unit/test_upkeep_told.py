"""How far background work has come, as `/stats` and `troupe check` tell it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.app import App, build
from bot.check import Check
from bot.config import load
from orchestration.findings import Finding, Level
from orchestration.memory.records import Outcome, UpkeepState, Work
from orchestration.model import ChatKey, GroupChat, IncomingMessage, Person
from tests.chat_process import write_config
from tests.unit.memory_world import NOW


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    made = build(load(write_config(tmp_path, "http://127.0.0.1:9/v1")))
    made.settings.data_dir.mkdir()
    await made.database.open()
    await made.database.upgrade()
    yield made
    await made.database.close()


async def a_chat(app: App, channel: str, messages: int) -> GroupChat:
    key = ChatKey(platform="room", tenant_id="t", channel_id=channel)
    async with app.storage.begin() as uow:
        chat = await uow.chats.ensure(key, at=NOW)
        for n in range(messages):
            said = IncomingMessage(
                chat=key, external_id=f"m{n}", author=Person(id="room:Ann", name="Ann"), text="hi", sent_at=NOW
            )
            await uow.messages.add_human(chat.id, said)
    return chat


async def told(app: App) -> Finding:
    (found,) = [f async for f in Check(app.settings, app).findings() if f.area == "upkeep"]
    await app.database.open()
    return found


async def test_check_tells_what_waits_and_how_the_last_run_ended(app: App) -> None:
    await a_chat(app, "long", 41)
    short = await a_chat(app, "short", 3)
    await a_chat(app, "empty", 0)
    assert "summaries wait in 1 chats, memories in 2 (last –; backup –)" in (await told(app)).text
    async with app.storage.begin() as uow:
        state = UpkeepState(
            chat_id=short.id, work=Work.REMEMBER, cursor_seq=3, last_at=NOW, last_outcome=Outcome.BY_RULE, failures=2
        )
        await uow.upkeep.save(state)
    found = await told(app)
    assert found.level is Level.OK
    assert "memories in 1 (last memories: rules alone (the summariser keeps failing), 2026-05-04 12:00" in found.text


async def test_check_warns_of_work_that_fails_again_and_again(app: App) -> None:
    chat = await a_chat(app, "long", 41)
    async with app.storage.begin() as uow:
        state = UpkeepState(chat_id=chat.id, work=Work.COMPACT, failures=3, last_at=NOW, last_outcome=Outcome.MODEL)
        await uow.upkeep.save(state)
    found = await told(app)
    assert found.level is Level.WARNING
    assert "fails in 1 chats (the model failed, 3 times in a row); summaries wait in 1 chats" in found.text
    assert "models.roles.summariser" in found.mend
