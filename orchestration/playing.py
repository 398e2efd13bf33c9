"""A turn that has begun, played to its end: the graph, what stands in for it, and the limits it runs under."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver

from orchestration import ahead
from orchestration.errors import StorageUnavailable
from orchestration.graph import TurnGraph
from orchestration.ports import Adapter, Models, Recall, Storage
from orchestration.publish import Publisher
from orchestration.routing.decide import Semantic
from orchestration.running import LinesJoined, OrderGate, RunningTurn, TurnStopped
from orchestration.sessions import StopKind
from orchestration.settings import TurnSettings
from orchestration.speaking import speak_alone
from orchestration.state import TurnDeps, TurnState
from orchestration.turns import TurnRecord, TurnStatus

logger = logging.getLogger(__name__)

PARALLEL_GRACE_S = 1.5
ABORT_S = 1.0
GRAPH_STEPS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Minds:
    """What thinks in a turn; had only once the process has started."""

    graph: TurnGraph
    models: Models
    semantic: Semantic | None


class Player:
    """Plays turns; whatever breaks on the way, the chat gets an answer or a turn that ended and says why."""

    def __init__(
        self,
        *,
        minds: Minds,
        storage: Storage,
        publisher: Publisher,
        adapters: Mapping[str, Adapter],
        recall: Recall,
        settings: TurnSettings,
    ) -> None:
        self._minds = minds
        self._storage = storage
        self._publisher = publisher
        self._adapters = adapters
        self._recall = recall
        self._settings = settings

    async def play(self, running: RunningTurn, run: int) -> tuple[TurnStatus, str]:
        """One try at the turn, bounded in time: how it ended, and an error code where it failed."""
        if running.stop is StopKind.HARD or (running.stop is not None and not running.last_words):
            return TurnStatus.STOPPED, ""
        running.task = asyncio.create_task(self._run(running, run), name=f"play {running.turn_id}")
        try:
            async with self._watched(running):
                done, _ = await asyncio.wait({running.task}, timeout=self._settings.timeout_s)
        except asyncio.CancelledError:
            # The process is going down: the engine takes the turn up again after the next start.
            running.abort()
            await asyncio.wait({running.task}, timeout=ABORT_S)
            raise
        if not done:
            running.degrade("timeout")
            running.failures.append("timeout")
            running.abort()
            await asyncio.wait({running.task}, timeout=ABORT_S)
        return self._ending(running)

    @asynccontextmanager
    async def _watched(self, running: RunningTurn) -> AsyncIterator[None]:
        """Where other processes share the database, hears what they did to the turn."""
        if self._settings.watch_s is None:
            yield
            return
        watch = asyncio.create_task(self._watch(running, self._settings.watch_s), name=f"watch {running.turn_id}")
        try:
            yield
        finally:
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)

    async def _watch(self, running: RunningTurn, every_s: float) -> None:
        """A stop or a further line that another process heard aborts the model request here."""
        while not running.void and running.stop is not StopKind.HARD:
            await asyncio.sleep(every_s)
            try:
                async with self._storage.read() as uow:
                    if await uow.turns.version(running.turn_id) == running.turn.version:
                        continue
                    turn = await uow.turns.get(running.turn_id)
            except StorageUnavailable:
                continue
            if turn is None or turn.over:
                running.stop = StopKind.HARD
            elif turn.stop is not None:
                running.stop = turn.stop
            elif turn.generation != running.scene.turn.generation and not running.posted:
                running.void = True
            if running.void or running.stop is StopKind.HARD:
                running.abort()

    def _ending(self, running: RunningTurn) -> tuple[TurnStatus, str]:
        task = running.task
        assert task is not None
        error = task.exception() if task.done() and not task.cancelled() else None
        if running.void or isinstance(error, LinesJoined):
            raise LinesJoined
        if isinstance(error, TurnStopped) or running.stop is not None:
            return TurnStatus.STOPPED, ""
        if error is not None:
            raise error
        if running.asked:
            return TurnStatus.CLARIFYING, ""
        if running.posted:
            return TurnStatus.FINISHED, ""
        if running.failures:
            return TurnStatus.FAILED, running.failures[0]
        return TurnStatus.SILENT, ""

    async def _run(self, running: RunningTurn, run: int) -> None:
        """The graph; in basic mode, or when the graph itself breaks, rules and a single reply."""
        deps = self._deps(running)
        if running.session.degradation.basic_since is not None:
            running.degrade("basic")
            await speak_alone(running, deps)
            return
        try:
            await self._graph(running, deps, run)
        except (LinesJoined, TurnStopped, StorageUnavailable):
            raise
        except Exception:  # the graph must never be the reason why the chat stops
            logger.exception("the graph of turn %s broke", running.turn_id)
            running.degrade("graph")
            if not running.posted and not running.asked:
                await speak_alone(running, deps)
        finally:
            await ahead.drop_all(running)

    async def _graph(self, running: RunningTurn, deps: TurnDeps, run: int) -> None:
        """Runs the graph, from where a crash left it."""
        graph = self._minds.graph
        running.graph_ran = True
        thread = _thread(running.turn_id, run, running.scene.turn.generation)
        config: RunnableConfig = {"configurable": {"thread_id": thread}, "recursion_limit": GRAPH_STEPS}
        start: TurnState | None = {}
        if running.scene.begun_before:
            # Tasks, not `next`: a node whose writes were kept but not the checkpoint after it is next no longer.
            left = await graph.aget_state(config)
            if left.values and not left.tasks:
                # It had come to its end: running it anew could decide otherwise, and let somebody else speak as well.
                running.failures += [draft["code"] for draft in left.values.get("drafts", []) if not draft["posted"]]
                return
            start = None if left.tasks else {}
        await graph.ainvoke(start, config, context=deps, durability="sync")

    def _deps(self, running: RunningTurn) -> TurnDeps:
        return TurnDeps(
            running=running,
            models=self._minds.models,
            publisher=self._publisher,
            adapter=self._adapters.get(running.scene.chat.key.platform),
            semantic=self._minds.semantic,
            recall=self._recall,
            gate=OrderGate(running.scene.agents_max, PARALLEL_GRACE_S),
            speculative=self._settings.speculative,
        )

    async def forget(self, turn: TurnRecord) -> None:
        """Checkpoints of a turn that is over are of no use, and they would grow without end."""
        saver = self._minds.graph.checkpointer
        if not isinstance(saver, BaseCheckpointSaver):
            return
        for run in (0, 1) if turn.clarified_agents else (0,):
            for generation in range(turn.generation + 1):
                await saver.adelete_thread(_thread(turn.id, run, generation))


def _thread(turn_id: str, run: int, generation: int) -> str:
    return f"{turn_id}:{run}:{generation}"
