"""A whole group chat in one process, told as a transcript: real core, real storage, real ChatOpenAI over loopback.

What stands in here: a `Room` (a platform that keeps what was posted) and an engine without durability (`Line`); the
durable engine and the real platforms have tests of their own.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from orchestration.admin import Admin
from orchestration.bus import EventBus
from orchestration.cast import Casts
from orchestration.control import TurnHands
from orchestration.dispatch import Dispatcher
from orchestration.errors import AdapterError
from orchestration.events import Event, EventKind
from orchestration.intake import Intake
from orchestration.model import AgentCard, ChatKey, GroupChat, IncomingMessage, OutboxItem, Person
from orchestration.ports import Limits, Recall, Received, Storage
from orchestration.routing.decide import Semantic
from orchestration.settings import TurnSettings
from orchestration.turn import TurnRunner
from orchestration.turns import TurnRecord
from storage.memory import MemoryStorage
from tests.core import Line, Roles, core
from tests.model_server import ModelServer

ROOM = ChatKey(platform="room", tenant_id="house", channel_id="lobby")
NOVA = AgentCard(
    id="nova", name="Nova", aliases=("星星",), description="astronomer", personality="curious", starter=True
)
BEN = AgentCard(id="ben", name="Ben", aliases=("老本",), description="cook and gardener", tone="dry", starter=True)
MIRA = AgentCard(id="mira", name="米拉", aliases=("Mira",), description="comforts people, listens", starter=True)
CAST = (NOVA, BEN, MIRA)


class Time:
    """A clock that stands still unless told otherwise."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def pass_(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


@dataclass(slots=True)
class Room:
    """A platform whose memory is a list. ``fail`` is raised by the next posts, one after the other."""

    posts: dict[str, tuple[str | None, str]] = field(default_factory=dict)
    edits: list[tuple[str, str]] = field(default_factory=list)
    written_by: list[str | None] = field(default_factory=list)
    removed: list[str] = field(default_factory=list)
    fail: list[AdapterError] = field(default_factory=list)
    platform: str = "room"
    limits: Limits = field(default_factory=lambda: Limits(max_chars=4000, personas=True, edits=True, buttons=True))

    async def run(self) -> None:
        await asyncio.Event().wait()

    async def close(self) -> None: ...

    async def deliver(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        if self.fail:
            raise self.fail.pop(0)
        assert item.id not in self.posts, f"{item.id} posted twice"
        self.posts[item.id] = (agent.name if agent else None, item.text)

    async def writing(self, chat: GroupChat, agent: AgentCard | None) -> None:
        self.written_by.append(agent.name if agent else None)

    async def replace(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        self.posts[item.id] = (agent.name if agent else None, item.text)
        self.edits.append((item.id, item.text))

    async def withdraw(self, chat: GroupChat, item: OutboxItem) -> None:
        self.removed.append(item.id)
        self.posts.pop(item.id, None)


@dataclass(slots=True, kw_only=True)
class Stage:
    storage: Storage
    server: ModelServer
    room: Room
    time: Time
    line: Line
    intake: Intake
    runner: TurnRunner
    hands: TurnHands
    admin: Admin
    casts: Casts
    dispatcher: Dispatcher
    bus: EventBus
    events: list[Event]
    numbers: Any = field(default_factory=lambda: itertools.count(1))

    async def tell(self, author: str, text: str, **fields: Any) -> Received:
        """A message comes in; returns when it is stored."""
        message = IncomingMessage(
            chat=fields.pop("chat", ROOM),
            external_id=fields.pop("id", None) or f"m{next(self.numbers)}",
            author=Person(id=f"room:{author}", name=author),
            text=text,
            sent_at=self.time(),
            **fields,
        )
        return await self.intake.receive(message)

    async def say(self, author: str, text: str, **fields: Any) -> list[str]:
        """A message comes in; returns what was posted because of it, once the chat is idle again."""
        before = len(self.room.posts)
        await self.tell(author, text, **fields)
        await self.line.idle()
        self.time.pass_(60)
        return self.transcript()[before:]

    def transcript(self) -> list[str]:
        """``Nova: words`` for agents, ``-- words`` for notices and questions."""
        return [f"{name}: {text}" if name else f"-- {text}" for name, text in self.room.posts.values()]

    def kinds(self, turn_id: str) -> list[EventKind]:
        return [event.kind for event in self.events if event.turn_id == turn_id]

    async def last_turn(self) -> TurnRecord:
        async with self.storage.read() as uow:
            chat = await uow.chats.find(ROOM)
            assert chat is not None
            return (await uow.turns.last(chat.id))[0]

    async def chat(self) -> GroupChat:
        async with self.storage.read() as uow:
            chat = await uow.chats.find(ROOM)
        assert chat is not None
        return chat


@asynccontextmanager
async def stage(
    script: Any = "Good evening.",
    *,
    cast: tuple[AgentCard, ...] = CAST,
    router: bool = False,
    checker: bool = False,
    settings: TurnSettings | None = None,
    storage: Storage | None = None,
    timeout_s: float = 5.0,
    time: Time | None = None,
    recall: Recall | None = None,
    semantic: Semantic | None = None,
    saver: InMemorySaver | None = None,
) -> AsyncIterator[Stage]:
    """A stage with the given model script; rules alone route unless ``router``, nobody remembers without ``recall``."""
    settings = settings or TurnSettings()
    storage = storage or MemoryStorage()
    time, room, line = time or Time(), Room(), Line()
    events: list[Event] = []
    async with ModelServer(script) as server:
        made = core(
            server.base_url,
            storage,
            cast,
            line,
            settings=settings,
            roles=Roles(router=router, checker=checker, timeout_s=timeout_s),
            clock=time,
            recall=recall,
            semantic=semantic,
            saver=saver,
        )
        made.adapters["room"] = room
        made.bus.subscribe(events.append)
        await made.clients.warm()  # imports take seconds, once a process
        try:
            yield Stage(
                storage=storage,
                server=server,
                room=room,
                time=time,
                line=line,
                intake=made.intake,
                runner=made.runner,
                hands=made.hands,
                admin=made.admin,
                casts=made.casts,
                dispatcher=made.dispatcher,
                bus=made.bus,
                events=events,
            )
        finally:
            await made.dispatcher.close()
            await made.clients.close()
