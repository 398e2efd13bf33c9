"""A Discord server in one process: our fake Discord, the real discord.py and adapter, the real core.

The fake Discord outlives the stage: a second stage on the same one (and the same storage) is a restart.
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

from adapters.discord.adapter import DiscordAdapter
from adapters.discord.gate import BotsPolicy
from orchestration.cast import Casts
from orchestration.dispatch import Dispatcher
from orchestration.dry_run import DryRuns
from orchestration.llm_clients import Clients
from orchestration.model import AgentCard, ChatKey, GroupChat, Locale, Message, OutboxItem, OutboxKind
from orchestration.ports import Storage
from orchestration.settings import TurnSettings
from storage.memory import MemoryStorage
from tests.core import Line, Roles, core, real_time
from tests.fake_discord import FakeDiscord
from tests.fake_discord.world import MANAGE_GUILD, MANAGE_MESSAGES, Guild, Json
from tests.model_server import ModelServer
from tests.waiting import LIMIT_S, until

ADA = AgentCard(id="ada", name="Ada", description="a calm botanist", instructions="Always name a plant.", starter=True)
BEN = AgentCard(id="ben", name="Ben", description="a dry cook", avatar="https://faces.example/ben.png", starter=True)
CAST = (ADA, BEN)


@dataclass(slots=True)
class Town:
    """A server with a bound channel: Ann manages it, Bob and Eve are members."""

    discord: FakeDiscord
    guild: Guild
    channel: int
    ann: int
    bob: int
    eve: int


def a_town(discord: FakeDiscord) -> Town:
    world = discord.world
    guild = world.add_guild("Garden")
    channel = world.add_channel(guild, "general")
    managers = world.add_role(guild, "Managers", MANAGE_GUILD | MANAGE_MESSAGES)
    ann, bob, eve = (world.add_user(name) for name in ("Ann", "Bob", "Eve"))
    world.join(guild, ann, [managers])
    world.join(guild, bob)
    world.join(guild, eve)
    return Town(discord=discord, guild=guild, channel=channel, ann=ann, bob=bob, eve=eve)


@dataclass(slots=True, kw_only=True)
class DiscordStage:
    town: Town
    adapter: DiscordAdapter
    model: ModelServer
    storage: Storage
    line: Line
    casts: Casts
    dispatcher: Dispatcher
    data_dir: Path
    running: asyncio.Task[None] | None = None
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    @property
    def discord(self) -> FakeDiscord:
        return self.town.discord

    @property
    def channel(self) -> int:
        return self.town.channel

    def key(self, place: int | None = None) -> ChatKey:
        place = place or self.channel
        raw = self.discord.world.channel(place)
        parent = raw["parent_id"] if raw["type"] in (10, 11, 12) else None
        return ChatKey(
            platform="discord",
            tenant_id=raw["guild_id"],
            channel_id=parent or str(place),
            thread_id=str(place) if parent else "",
        )

    async def until(self, true: Callable[[], Any], limit_s: float = LIMIT_S) -> Any:
        return await until(true, limit_s)

    async def settled(self, limit_s: float = 40.0) -> None:
        """No turn runs and nothing waits to be posted."""

        async def idle() -> bool:
            async with self.storage.read() as uow:
                return not await uow.outbox.open() and not await uow.turns.unfinished()

        await self.until(idle, limit_s)

    async def stored(self, message_id: int | str, place: int | None = None) -> Message:
        """The message as we stored it, once we have."""

        async def found() -> Message | None:
            async with self.storage.read() as uow:
                chat = await uow.chats.find(self.key(place))
                return await uow.messages.by_external(chat.id, str(message_id)) if chat else None

        message: Message = await self.until(found)
        return message

    async def unheard(self, message_id: int | str, place: int | None = None) -> bool:
        """Whether the message was left alone, once a later one of a person has been stored."""
        marker = await self.discord.post(place or self.channel, self.town.bob, "marker, please ignore")
        await self.stored(marker["id"], place)
        async with self.storage.read() as uow:
            chat = await uow.chats.find(self.key(place))
            assert chat is not None
            return await uow.messages.by_external(chat.id, str(message_id)) is None

    async def say(self, text: str, *, who: int | None = None, place: int | None = None, **more: Any) -> list[Json]:
        """Somebody says something; what the bot posted because of it."""
        place = place or self.channel
        before = len(self.discord.said(place))
        message = await self.discord.post(place, who or self.town.bob, text, **more)
        await self.stored(message["id"], place)
        await self.settled()
        return self.discord.said(place)[before:]

    async def bind(self, channel: int) -> None:
        done = await self.discord.slash(self.town.ann, channel, "cast bind")
        await done.answered()

    async def chat(self, place: int | None = None) -> GroupChat:
        async with self.storage.begin() as uow:
            return await uow.chats.ensure(self.key(place), at=datetime.now(UTC))

    async def item(
        self, text: str, agent: AgentCard | None = ADA, *, place: int | None = None, **more: Any
    ) -> OutboxItem:
        """Puts something into the outbox, as a turn would."""
        chat = await self.chat(place)
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

    async def post(
        self, text: str, agent: AgentCard | None = ADA, *, place: int | None = None, **more: Any
    ) -> OutboxItem:
        """Posts through the dispatcher; returns the item as it stands in the end."""
        item = await self.item(text, agent, place=place, **more)
        await self.dispatcher.drain(item.chat_id)
        async with self.storage.read() as uow:
            found = await uow.outbox.get(item.id)
        assert found is not None
        return found

    def contents(self, place: int | None = None) -> list[str]:
        return [message["content"] for message in self.discord.said(place or self.channel)]


@asynccontextmanager
async def discord_stage(
    script: Any = "Good evening.",
    *,
    town: Town | None = None,
    storage: Storage | None = None,
    data_dir: Path | None = None,
    cast: tuple[AgentCard, ...] = CAST,
    policy: BotsPolicy | None = None,
    settings: TurnSettings | None = None,
    router: bool = False,
    bound: bool = True,
    locale: Locale = Locale.EN,
    wait: bool = True,
) -> AsyncIterator[DiscordStage]:
    """``bound``: the town's channel is bound when the block begins; ``wait``: the gateway is connected by then."""
    storage = storage or MemoryStorage()
    async with _town(town) as town, ModelServer(script) as model:
        with tempfile.TemporaryDirectory() as folder:
            stage, clients = _built(
                town, model, storage, data_dir or Path(folder), cast, policy, settings, router, locale
            )
            town.discord.gateway.connected.clear()
            stage.running = asyncio.create_task(stage.adapter.run())
            try:
                if wait:
                    await asyncio.wait_for(town.discord.gateway.connected.wait(), 30)
                    await stage.until(lambda: stage.adapter.client.get_channel(town.channel), 30)
                    if bound:
                        await stage.bind(town.channel)
                yield stage
            finally:
                await stage.adapter.close()
                await asyncio.gather(stage.running, return_exceptions=True)
                await clients.close()


@asynccontextmanager
async def _town(town: Town | None) -> AsyncIterator[Town]:
    if town is not None:
        yield town
        return
    async with FakeDiscord() as discord:
        yield a_town(discord)


def _built(
    town: Town,
    model: ModelServer,
    storage: Storage,
    data_dir: Path,
    cast: tuple[AgentCard, ...],
    policy: BotsPolicy | None,
    settings: TurnSettings | None,
    router: bool,
    locale: Locale,
) -> tuple[DiscordStage, Clients]:
    line = Line()
    settings = settings or TurnSettings(burst_s=0.0)
    made = core(model.base_url, storage, cast, line, settings=settings, roles=Roles(router=router))
    casts, dispatcher = made.casts, made.dispatcher

    async def start() -> None:
        await dispatcher.recover(frozenset({"discord"}))
        async with storage.read() as uow:
            unfinished = await uow.turns.unfinished()
        for turn in unfinished:
            await line.enqueue(turn.id, turn.chat_id)

    adapter = DiscordAdapter(
        token=town.discord.token,
        api_base_url=town.discord.api_url,
        gateway_url=town.discord.gateway_url,
        storage=storage,
        ingress=made.intake,
        admin=made.admin,
        route=DryRuns(storage=storage, casts=casts, clock=real_time, settings=TurnSettings()),
        casts=casts,
        clock=real_time,
        locale=locale,
        data_dir=data_dir,
        policy=policy or BotsPolicy(),
        on_start=start,
        on_stop=dispatcher.close,
    )
    made.adapters["discord"] = adapter
    stage = DiscordStage(
        town=town,
        adapter=adapter,
        model=model,
        storage=storage,
        line=line,
        casts=casts,
        dispatcher=dispatcher,
        data_dir=data_dir,
    )
    return stage, made.clients
