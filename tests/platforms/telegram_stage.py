"""A Telegram group in one process: our fake Bot API server, the real adapter and client library, the real core.

The world and the storage outlive the stage: a second stage on them is what a restart looks like.
"""

from __future__ import annotations

import asyncio
import itertools
import tempfile
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from adapters.telegram.adapter import TelegramAdapter
from adapters.telegram.assembly import Pace
from adapters.telegram.limiter import Rates
from adapters.telegram.webhook import WebhookPlan
from orchestration.cast import Casts
from orchestration.commands import Commands
from orchestration.dispatch import Dispatcher
from orchestration.llm_clients import Clients
from orchestration.model import AgentCard, ChatKey, GroupChat, OutboxItem, OutboxKind, OutboxState
from orchestration.ports import Storage
from orchestration.settings import TurnSettings
from storage.memory import MemoryStorage
from tests.core import Line as ChatLine
from tests.core import Roles, core, real_time
from tests.fake_telegram import FakeTelegram, World
from tests.model_server import ModelServer
from tests.waiting import LIMIT_S, until

HOST, AVA_BOT, BEN_BOT = 700001, 700002, 700003
HOST_TOKEN = f"{HOST}:{'h' * 35}"
AVA_TOKEN = f"{AVA_BOT}:{'a' * 35}"
BEN_TOKEN = f"{BEN_BOT}:{'b' * 35}"
GROUP, FORUM, BASIC = -1001000000001, -1001000000002, -4001
ANN, BOB, EVE = 501, 502, 503
AVA = AgentCard(id="ava", name="Ava", emoji="🦊", description="a calm botanist", starter=True)
BEN = AgentCard(id="ben", name="Ben", emoji="🐻", description="a dry cook", starter=True)
CAST = (AVA, BEN)
FAST = Pace(
    rates=Rates(a_minute=1000, burst=1000, a_second=1000.0, bot_a_second=1000),
    poll_s=5,
    album_s=0.15,
    read_timeout_s=0.6,
    patience_s=20.0,
    look_again_s=3600.0,
    meet_s=0.5,
)


def a_world() -> World:
    """Ann is an admin, Bob a member, Eve nobody's friend; the host hears everything (privacy off) in three groups."""
    world = World()
    world.add_bot(HOST_TOKEN, "Cast", "cast_bot", privacy=False)
    world.add_bot(AVA_TOKEN, "Ava", "ava_bot")
    world.add_bot(BEN_TOKEN, "Ben", "ben_bot")
    for number, name in ((ANN, "Ann"), (BOB, "Bob"), (EVE, "Eve")):
        world.add_user(number, name, username=name.lower())
        world.add_chat(number, "private", name)
        world.put(number, number)
        world.put(number, HOST)
    world.add_chat(GROUP, "supergroup", "The Garden")
    world.add_chat(FORUM, "supergroup", "The Forum", forum=True)
    world.add_chat(BASIC, "group", "The Kitchen")
    for chat in (GROUP, FORUM, BASIC):
        world.put(chat, ANN, "creator")
        world.put(chat, BOB)
        world.put(chat, HOST)
    return world


class Line(ChatLine):
    """Ends with its stage."""

    async def stop(self) -> None:
        tasks = list(self._last.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


@dataclass(slots=True, kw_only=True)
class TelegramStage:
    server: FakeTelegram
    adapter: TelegramAdapter
    model: ModelServer
    storage: Storage
    line: Line
    casts: Casts
    dispatcher: Dispatcher
    data_dir: Path
    running: asyncio.Task[None]
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    @property
    def world(self) -> World:
        return self.server.world

    @property
    def acts(self) -> Any:
        return self.server.acts

    async def until(self, true: Callable[[], Any], limit_s: float = LIMIT_S) -> Any:
        return await until(true, limit_s)

    async def settled(self, limit_s: float = 40.0) -> None:
        """Every update is taken in, no turn runs, nothing waits to be posted."""

        async def idle() -> bool:
            async with self.storage.read() as uow:
                stored = await uow.inbox.last_id(f"telegram:{HOST}") or 0
                busy = await uow.inbox.pending(f"telegram:{HOST}") or await uow.outbox.open()
                busy = busy or await uow.turns.unfinished()
            return not busy and stored >= self.world.bot(HOST).next_update - 1

        await self.until(idle, limit_s)
        await self.line.idle()

    async def say(self, text: str, *, who: int = ANN, chat: int = GROUP, **more: Any) -> list[str]:
        """Somebody says something; the texts of bots' messages that came of it."""
        before = len(self.world.sent(chat))
        self.acts.say(chat, who, text, **more)
        await self.settled()
        return [m["text"] for m in self.world.sent(chat)[before:]]

    async def command(self, line: str, *, who: int = ANN, chat: int = GROUP, **more: Any) -> dict[str, Any]:
        """A command; the host's answer to it."""
        before = len(self.world.sent(chat, bot_id=HOST))
        self.acts.say(chat, who, line, **more)
        answers: list[dict[str, Any]] = await self.until(lambda: self.world.sent(chat, bot_id=HOST)[before:])
        return answers[0]

    async def chat(self, key: ChatKey) -> GroupChat:
        async with self.storage.begin() as uow:
            return await uow.chats.ensure(key, at=datetime.now(UTC))

    async def item(self, key: ChatKey, text: str, agent: AgentCard | None = AVA, **more: Any) -> OutboxItem:
        """Puts something into the outbox, as a turn would."""
        chat = await self.chat(key)
        item = OutboxItem(
            id=more.pop("id", f"posted:{next(self.numbers)}"),
            chat_id=chat.id,
            kind=more.pop("kind", OutboxKind.REPLY),
            text=text,
            created_at=datetime.now(UTC),
            agent_id=agent.id if agent else None,
            **more,
        )
        async with self.storage.begin() as uow:
            await uow.outbox.add(item)
        return item

    async def post(self, key: ChatKey, text: str, agent: AgentCard | None = AVA, **more: Any) -> OutboxItem:
        """Posts through the dispatcher; returns the item as it stands in the end."""
        item = await self.item(key, text, agent, **more)
        await self.dispatcher.drain(item.chat_id)
        return await self.stored(item)

    async def stored(self, item: OutboxItem) -> OutboxItem:
        async with self.storage.read() as uow:
            found = await uow.outbox.get(item.id)
        assert found is not None
        return found

    async def part_states(self, item: OutboxItem) -> list[OutboxState]:
        async with self.storage.read() as uow:
            return [p.state for p in await uow.outbox.parts(item.id)]


@asynccontextmanager
async def telegram_stage(
    script: Any = "Good evening.",
    *,
    server: FakeTelegram | None = None,
    storage: Storage | None = None,
    data_dir: Path | None = None,
    pool: dict[str, str] | None = None,
    cast: tuple[AgentCard, ...] = CAST,
    settings: TurnSettings | None = None,
    pace: Pace = FAST,
    webhook: WebhookPlan | None = None,
    router: bool = False,
    stand_by_s: float = 0.0,
) -> AsyncIterator[TelegramStage]:
    """``pool``: own bots of starter agents; ``stand_by_s``: another stage may share server and storage."""
    settings = settings or TurnSettings(burst_s=0.0)
    storage = storage or MemoryStorage()
    async with _server(server) as server, ModelServer(script) as model:
        with tempfile.TemporaryDirectory() as folder:
            stage, clients = _built(
                server,
                model,
                storage,
                data_dir or Path(folder),
                pool,
                cast,
                settings,
                pace,
                webhook,
                router,
                stand_by_s,
            )
            try:
                yield stage
            finally:
                stage.running.cancel()
                await asyncio.gather(stage.running, return_exceptions=True)
                await stage.adapter.close()
                await stage.dispatcher.close()
                await stage.line.stop()
                await clients.close()


@asynccontextmanager
async def _server(server: FakeTelegram | None) -> AsyncIterator[FakeTelegram]:
    if server is not None:
        yield server
        return
    async with FakeTelegram(a_world()) as made:
        yield made


def _built(
    server: FakeTelegram,
    model: ModelServer,
    storage: Storage,
    data_dir: Path,
    pool: dict[str, str] | None,
    cast: tuple[AgentCard, ...],
    settings: TurnSettings,
    pace: Pace,
    webhook: WebhookPlan | None,
    router: bool,
    stand_by_s: float,
) -> tuple[TelegramStage, Clients]:
    line = Line()
    made = core(model.base_url, storage, cast, line, settings=settings, roles=Roles(router=router))
    casts, dispatcher = made.casts, made.dispatcher
    adapter = TelegramAdapter(
        token=HOST_TOKEN,
        api_base_url=server.url,
        webhook=webhook,
        starter_tokens=pool or {},
        data_dir=data_dir,
        storage=storage,
        ingress=made.intake,
        admin=made.admin,
        commands=Commands(made.admin),
        casts=casts,
        clock=real_time,
        new_id=made.new_id,
        pace=pace,
        stand_by_s=stand_by_s,
    )
    made.adapters["telegram"] = adapter
    made.bus.subscribe(adapter.hear)
    stage = TelegramStage(
        server=server,
        adapter=adapter,
        model=model,
        storage=storage,
        line=line,
        casts=casts,
        dispatcher=dispatcher,
        data_dir=data_dir,
        running=asyncio.create_task(adapter.run()),
    )
    return stage, made.clients
