"""One contract for every platform: what `ports.Adapter` promises, over the terminal, Discord and Telegram."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from adapters.telegram.addresses import key_of
from orchestration.model import AgentCard, Choice, GroupChat, OutboxItem, OutboxKind, OutboxState
from orchestration.ports import Adapter, Storage
from storage.memory import MemoryStorage
from tests.platforms.discord_stage import discord_stage
from tests.platforms.telegram_stage import GROUP, telegram_stage
from tests.platforms.test_console import terminal

NOVA = AgentCard(id="nova", name="Nova", emoji="🔭", description="an astronomer", starter=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bench:
    """An adapter at work; ``shown`` is every text that stands on the platform, in order."""

    adapter: Adapter
    chat: GroupChat
    storage: Storage
    shown: Callable[[], list[str]]

    async def item(self, text: str, *, number: int = 0, kind: OutboxKind = OutboxKind.REPLY) -> OutboxItem:
        """Stands in the outbox, as a turn would leave it."""
        choices = (Choice(id="a", label="Nova", agent_ids=("nova",)),) if kind is OutboxKind.CLARIFICATION else ()
        item = OutboxItem(
            id=f"turn:{self.chat.id}:000000000009:{number}",
            chat_id=self.chat.id,
            kind=kind,
            text=text,
            created_at=datetime(2026, 1, 1, tzinfo=UTC),
            idx=number,
            agent_id="nova" if kind is OutboxKind.REPLY else None,
            choices=choices,
            person_id="console:Ann",
        )
        async with self.storage.begin() as uow:
            await uow.outbox.add(item)
        return item

    async def post(self, item: OutboxItem, *, times: int = 1) -> None:
        """What the dispatcher does."""
        for _ in range(times):
            await self.adapter.deliver(self.chat, item, NOVA if item.agent_id else None)
        async with self.storage.begin() as uow:
            await uow.outbox.mark(item.id, OutboxState.SENT)

    async def states(self, item: OutboxItem) -> set[OutboxState]:
        async with self.storage.read() as uow:
            return {part.state for part in await uow.outbox.parts(item.id)}


@asynccontextmanager
async def on_telegram(folder: Path) -> AsyncIterator[Bench]:
    async with telegram_stage(cast=(NOVA,), data_dir=folder) as stage:
        chat = await stage.chat(key_of(GROUP))
        yield Bench(
            adapter=stage.adapter,
            chat=chat,
            storage=stage.storage,
            shown=lambda: [m["text"].removeprefix("🔭 Nova\n") for m in stage.world.sent(GROUP)],
        )


@asynccontextmanager
async def on_discord(folder: Path) -> AsyncIterator[Bench]:
    async with discord_stage(cast=(NOVA,), data_dir=folder) as stage:
        chat = await stage.chat()
        yield Bench(adapter=stage.adapter, chat=chat, storage=stage.storage, shown=stage.contents)


@asynccontextmanager
async def in_the_terminal(folder: Path) -> AsyncIterator[Bench]:
    storage = MemoryStorage()
    async with terminal(folder, storage) as seat:
        yield Bench(
            adapter=seat.adapter,
            chat=seat.chat,
            storage=storage,
            shown=lambda: [line["text"] for line in seat.transcript()],
        )


Opening = Callable[[Path], AbstractAsyncContextManager[Bench]]


@pytest.fixture(params=[in_the_terminal, on_discord, on_telegram], ids=["console", "discord", "telegram"])
def opening(request: pytest.FixtureRequest) -> Opening:
    place: Opening = request.param
    return place


async def test_an_item_is_posted_once_however_often_it_is_delivered(opening: Opening, tmp_path: Path) -> None:
    async with opening(tmp_path) as bench:
        item = await bench.item("Good evening.")
        await bench.post(item, times=3)
        assert bench.shown() == ["Good evening."]
        assert await bench.states(item) == {OutboxState.SENT}


async def test_items_stand_in_the_order_in_which_they_were_delivered(opening: Opening, tmp_path: Path) -> None:
    async with opening(tmp_path) as bench:
        for n in range(3):
            await bench.post(await bench.item(f"Number {n}.", number=n))
        assert bench.shown() == [f"Number {n}." for n in range(3)]


async def test_notices_and_questions_are_posted_too(opening: Opening, tmp_path: Path) -> None:
    async with opening(tmp_path) as bench:
        notice = await bench.item("A notice.", number=1, kind=OutboxKind.NOTICE)
        await bench.post(notice)
        question = await bench.item("Whom do you mean?", number=2, kind=OutboxKind.CLARIFICATION)
        await bench.post(question)
        assert ["A notice." in bench.shown()[0], "Whom do you mean?" in bench.shown()[1]] == [True, True]


async def test_a_long_text_arrives_whole(opening: Opening, tmp_path: Path) -> None:
    async with opening(tmp_path) as bench:
        text = " ".join(f"word{n}" for n in range(700))
        item = await bench.item(text)
        await bench.post(item)
        assert " ".join(bench.shown()).split() == text.split()
        assert await bench.states(item) == {OutboxState.SENT}


async def test_showing_who_writes_never_raises(opening: Opening, tmp_path: Path) -> None:
    async with opening(tmp_path) as bench:
        for agent in (NOVA, None, None, NOVA):
            await bench.adapter.writing(bench.chat, agent)
        await bench.adapter.close()
        await bench.adapter.writing(bench.chat, NOVA)
        await bench.adapter.writing(bench.chat, None)


async def test_limits_are_told(opening: Opening, tmp_path: Path) -> None:
    async with opening(tmp_path) as bench:
        assert bench.adapter.limits.max_chars > 0
        assert bench.adapter.platform == bench.chat.key.platform
