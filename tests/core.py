"""The core over a scripted model, wired once for the stages of all platforms: everything but engine and adapters."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import dataclass
from datetime import UTC, datetime
from time import monotonic

from langgraph.checkpoint.memory import InMemorySaver

from orchestration.admin import Admin
from orchestration.bus import EventBus
from orchestration.cast import Casts
from orchestration.control import TurnHands
from orchestration.dispatch import Dispatcher
from orchestration.graph import build_graph
from orchestration.intake import Intake
from orchestration.llm import ModelTools, OpenAIModel
from orchestration.llm_clients import Clients
from orchestration.llm_ladder import ServerMemory
from orchestration.llm_settings import ProviderSettings, RetrySettings, RoleSettings
from orchestration.model import AgentCard
from orchestration.models import ModelSet
from orchestration.playing import Minds
from orchestration.ports import Adapter, Clock, NewId, Recall, Storage
from orchestration.publish import Publisher
from orchestration.recall import NoMemories
from orchestration.routing.decide import Semantic
from orchestration.settings import TurnSettings
from orchestration.turn import TurnParts, TurnRunner


def real_time() -> datetime:
    return datetime.now(UTC)


class Line:
    """Turns of a chat one after the other, in this process, without durability."""

    def __init__(self) -> None:
        self.runner: TurnRunner | None = None
        self._last: dict[int, asyncio.Task[None]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._known: set[tuple[str, int]] = set()

    async def enqueue(self, turn_id: str, chat_id: int, run: int = 0) -> None:
        if (turn_id, run) in self._known:
            return
        self._known.add((turn_id, run))
        before = self._last.get(chat_id)
        task = self._last[chat_id] = asyncio.create_task(self._run(before, turn_id, run))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, before: asyncio.Task[None] | None, turn_id: str, run: int) -> None:
        assert self.runner is not None
        if before is not None:
            await asyncio.wait({before})
        await self.runner.answer(turn_id, run)

    async def crash(self) -> None:
        """What runs or waits is gone, as with its process; nothing of it is cleared up."""
        gone = set(self._tasks)
        for task in gone:
            task.cancel()
        await asyncio.gather(*gone, return_exceptions=True)
        self._last.clear()

    async def idle(self) -> None:
        async with asyncio.timeout(20):
            while any(not task.done() for task in self._last.values()):
                await asyncio.gather(*self._last.values())


@dataclass(frozen=True, slots=True, kw_only=True)
class Core:
    """``adapters`` is empty: whoever builds a platform puts it in before the first turn."""

    adapters: dict[str, Adapter]
    bus: EventBus
    clients: Clients
    casts: Casts
    dispatcher: Dispatcher
    runner: TurnRunner
    intake: Intake
    hands: TurnHands
    admin: Admin
    new_id: NewId


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """Which roles the scripted model plays besides the writer's."""

    router: bool = False
    checker: bool = False
    timeout_s: float = 20.0


def core(
    model_url: str,
    storage: Storage,
    cast: tuple[AgentCard, ...],
    line: Line,
    *,
    settings: TurnSettings,
    roles: Roles,
    clock: Clock = real_time,
    recall: Recall | None = None,
    semantic: Semantic | None = None,
    saver: InMemorySaver | None = None,
) -> Core:
    """Rules alone route unless there is a router, nobody remembers without ``recall``."""
    bus, adapters = EventBus(), dict[str, Adapter]()
    clients = Clients(clock)
    casts = Casts(storage, cast, clock=clock)
    dispatcher = Dispatcher(storage=storage, casts=casts, bus=bus, clock=clock, adapters=adapters)
    publisher = Publisher(
        storage=storage, dispatcher=dispatcher, bus=bus, clock=clock, clarify_expires_s=settings.clarify_expires_s
    )
    parts = TurnParts(
        storage=storage,
        casts=casts,
        publisher=publisher,
        dispatcher=dispatcher,
        bus=bus,
        adapters=adapters,
        recall=recall or NoMemories(),
        clock=clock,
        settings=settings,
    )
    runner = TurnRunner(parts)
    models = _models(model_url, clients, roles)
    runner.prepare(Minds(graph=build_graph(saver or InMemorySaver()), models=models, semantic=semantic))
    line.runner = runner
    new_id: NewId = map("{:032x}".format, itertools.count(1)).__next__
    intake = Intake(
        storage=storage,
        casts=casts,
        queue=line,
        signals=runner,
        bus=bus,
        clock=clock,
        new_id=new_id,
        settings=settings,
    )
    hands = TurnHands(
        storage=storage, runner=runner, queue=line, bus=bus, adapters=adapters, clock=clock, new_id=new_id
    )
    return Core(
        adapters=adapters,
        bus=bus,
        clients=clients,
        casts=casts,
        dispatcher=dispatcher,
        runner=runner,
        intake=intake,
        hands=hands,
        admin=Admin(storage=storage, casts=casts, clock=clock, defaults=settings, turns=hands),
        new_id=new_id,
    )


def _models(url: str, clients: Clients, roles: Roles) -> ModelSet:
    """One try each: what a failing server makes of a turn shall be seen at once."""
    tools = ModelTools(
        clients=clients, retries=RetrySettings(tries=1, nonsense_tries=1), servers=ServerMemory(monotonic)
    )
    provider = ProviderSettings(name="loopback", base_url=url, api_key="sk-test-secret-key")
    model = OpenAIModel(provider, RoleSettings(provider="loopback", model="scripted", timeout_s=roles.timeout_s), tools)
    return ModelSet(writer=model, router=model if roles.router else None, checker=model if roles.checker else None)
