"""The durable engine: turns as DBOS workflows, one at a time per group chat, taken up again after any crash.

Facts with their measurements stand in docs/durability.md.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol, TypeAlias

from dbos import DBOS, DBOSConfig, SetEnqueueOptions, SetWorkflowID
from dbos._context import _set_local_dbos_context, get_local_dbos_context
from dbos._serialization import DBOSPortableJSON
from dbos._utils import GlobalParams

from bot.claims import Claims
from bot.engine_sqlite import EngineConnection, prepare
from orchestration.turns import chat_of

logger = logging.getLogger(__name__)

APP_NAME = "troupe-bot"
APP_VERSION = "1"
"""Not to be changed without need: what another version left queued or under way is never run."""
THREADS = 32
QUEUE = "chat"
UPKEEP = "upkeep"
"""Background work has a queue of its own: no turn ever waits behind it."""
UPKEEP_WORKERS = 4
UPKEEP_POLL_S = 2.0
POLL_S = 0.5
"""How often this process looks for turns of other processes; its own are claimed at once (claims.py)."""
MAX_RECOVERIES = 100
"""After that many crashes of one turn it is given up with a notice: no message may stop the process for ever.

Not fewer: a process that is killed again and again while it starts up takes the same innocent turn up each time, and a
start costs seconds, so even a hundred of them are over within minutes.
"""


Workflow: TypeAlias = Callable[[str, int], Coroutine[Any, Any, None]]
Job: TypeAlias = Callable[[str, int], Coroutine[Any, Any, None]]
"""One piece of background work: its kind and its chat's number. May run again after a crash."""


class Fate(StrEnum):
    """UNKNOWN: never queued. DEAD: its workflow has ended without ending the turn (too many crashes)."""

    UNKNOWN = "unknown"
    UNDER_WAY = "under_way"
    DEAD = "dead"


class TurnSteps(Protocol):
    """What the engine runs for a turn. Everything here may run again after a crash."""

    async def answer(self, turn_id: str, run: int) -> None: ...

    async def give_up(self, turn_id: str) -> None: ...


class Engine:
    """Implements `ports.TurnQueue`. One per process (DBOS keeps its state in the process)."""

    def __init__(
        self,
        *,
        database_url: str,
        executor_id: str,
        workers: int = 50,
        poll_s: float = POLL_S,
        listen_s: float = 1.0,
        claims: bool = True,
    ) -> None:
        self._database_url = database_url
        self.executor_id = executor_id
        self._workers = workers
        self._poll_s = poll_s
        self._listen_s = listen_s
        self._claims_at_once = claims
        self._dbos: DBOS | None = None
        self._workflow: Workflow | None = None
        self._job_workflow: Workflow | None = None
        self._claims: Claims | None = None
        self._stranded: frozenset[str] = frozenset()

    async def start(self, steps: TurnSteps, job: Job | None = None) -> None:
        """Launches DBOS in the running loop; interrupted turns of this executor go on by themselves.

        ``job`` does background work; None: this process does none.
        """
        config: DBOSConfig = {
            "name": APP_NAME,
            "system_database_url": self._database_url,
            "application_version": APP_VERSION,
            "executor_id": self.executor_id,
            "serializer": DBOSPortableJSON,
            "log_level": "ERROR",
            "scheduler_polling_interval_sec": 3600.0,
            "notification_listener_polling_interval_sec": self._listen_s,
            "max_executor_threads": THREADS,
        }
        if self._database_url.startswith("sqlite:///"):
            prepare(Path(self._database_url.removeprefix("sqlite:///")))
            config["db_engine_kwargs"] = {"connect_args": {"factory": EngineConnection}}
        # DBOS keeps its state in the process. An engine that was left without being closed (its loop ended under it)
        # would hand its own database to this one.
        await asyncio.to_thread(DBOS.destroy, destroy_registry=True)
        self._dbos = DBOS(config=config)
        _quiet()
        self._workflow = self._register(steps)
        self._job_workflow = self._register_job(job)
        DBOS.listen_queues([QUEUE, UPKEEP] if job is not None else [QUEUE])
        DBOS.launch()
        _quiet()
        await DBOS.register_queue_async(
            QUEUE,
            partition_concurrency=1,
            worker_concurrency=self._workers,
            polling_interval_sec=self._poll_s,
            on_conflict="always_update",
        )
        await DBOS.register_queue_async(
            UPKEEP,
            partition_concurrency=1,
            worker_concurrency=UPKEEP_WORKERS,
            polling_interval_sec=UPKEEP_POLL_S,
            on_conflict="always_update",
        )
        if self._claims_at_once:
            self._claims = Claims(self._dbos, queue=QUEUE, workers=self._workers)

    def _register(self, steps: TurnSteps) -> Workflow:
        # DBOS marks the functions it wraps, which bound methods do not allow.
        # The body has no steps of DBOS's: thinking, delivering and finishing each find for themselves what a crash left
        # of them (graph checkpoints, outbox, journal, platform), so records between them would only cost, a sixth of a
        # turn's CPU each. Turns that a version with steps left under way are taken up: nobody asks for their records.
        async def run_turn(turn_id: str, run: int) -> None:
            if self._dbos is None:
                raise asyncio.CancelledError  # recovered while the process was already closing
            if self._claims is not None:
                self._claims.began(str(chat_of(turn_id)), _workflow_id(turn_id, run))
            with _unrecorded():
                try:
                    await steps.answer(turn_id, run)
                except Exception:
                    if self._dbos is None:
                        # What breaks because the process closes stays pending and goes on after the next start.
                        raise asyncio.CancelledError from None
                    # A fault of ours, not of a model or platform: the chat goes on without this turn.
                    logger.exception("turn %s broke", turn_id)
                    await steps.give_up(turn_id)

        return DBOS.workflow(name="run_turn", max_recovery_attempts=MAX_RECOVERIES)(run_turn)

    def _register_job(self, job: Job | None) -> Workflow:
        async def run_upkeep(kind: str, chat_id: int) -> None:
            if self._dbos is None:
                raise asyncio.CancelledError  # recovered while the process was already closing
            if job is not None:
                with _unrecorded():
                    await job(kind, chat_id)

        return DBOS.workflow(name="run_upkeep", max_recovery_attempts=MAX_RECOVERIES)(run_upkeep)

    async def enqueue_job(self, job_id: str, kind: str, chat_id: int) -> None:
        """Queues background work, one piece at a time per chat; the same id again (by any process) changes nothing."""
        assert self._job_workflow is not None, "the engine is not started"
        with SetWorkflowID(job_id), SetEnqueueOptions(queue_partition_key=str(chat_id)):
            await DBOS.enqueue_workflow_async(UPKEEP, self._job_workflow, kind, chat_id)

    async def enqueue(self, turn_id: str, chat_id: int, run: int = 0) -> None:
        """Queues the turn behind the earlier ones of its chat; the same (turn, run) again changes nothing."""
        assert self._workflow is not None, "the engine is not started"
        with SetWorkflowID(_workflow_id(turn_id, run)), SetEnqueueOptions(queue_partition_key=str(chat_id)):
            await DBOS.enqueue_workflow_async(QUEUE, self._workflow, turn_id, run)
        if self._claims is not None:
            self._claims.queued(str(chat_id), _workflow_id(turn_id, run))

    async def fate(self, turn_id: str, run: int = 0) -> Fate:
        """What the engine knows of an unfinished turn."""
        status = await DBOS.get_workflow_status_async(_workflow_id(turn_id, run))
        if status is None:
            return Fate.UNKNOWN
        return Fate.UNDER_WAY if status.status in ("ENQUEUED", "PENDING", "DELAYED") else Fate.DEAD

    async def take_up_stranded(self) -> None:
        """Queues again what is pending here though nobody runs it: its end could not be written (the disk was full).

        To be called every now and then: twice in a row a turn must be seen so, as one may just be between two states.
        """
        dbos = self._dbos
        if dbos is None:
            return
        seen = await asyncio.to_thread(self._idle_pending, dbos)
        certain, self._stranded = seen & self._stranded, seen - self._stranded
        for workflow_id in certain:
            logger.warning("%s was left lying: it is queued again", workflow_id)
            await asyncio.to_thread(dbos._sys_db.reenqueue_for_recovery, workflow_id, [self.executor_id], QUEUE)

    def _idle_pending(self, dbos: DBOS) -> frozenset[str]:
        pending = dbos._sys_db.get_pending_workflows(self.executor_id, GlobalParams.app_version)
        return frozenset(one.workflow_id for one in pending) - frozenset(dbos._active_workflows_set.activeList())

    @property
    def busy(self) -> bool:
        """Whether a turn runs in this process."""
        return self._dbos is not None and self._dbos._active_workflows_set.count_for_queue(QUEUE) > 0

    async def recover(self, executor_ids: list[str]) -> None:
        """Takes over the turns of executors that are known to be dead."""
        if executor_ids:
            await asyncio.to_thread(DBOS._recover_pending_workflows, executor_ids)

    async def _cancel(self, dbos: DBOS) -> None:
        under_way = list(dbos._workflow_tasks)
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)

    async def close(self) -> None:
        """Stops claiming; what is under way stays pending and goes on after the next start."""
        dbos = self._dbos
        if dbos is None:
            return
        self._dbos = None
        if self._claims is not None:
            await self._claims.close()
            self._claims = None
        # A cancelled workflow stays pending in the database; one that met a closed storage would be given up.
        await self._cancel(dbos)
        # DBOS made its own thread pool the loop's and shuts it down: what its poller still starts now needs one to see
        # that it is not wanted, and others go on needing one.
        loop, threads = asyncio.get_running_loop(), ThreadPoolExecutor(thread_name_prefix="troupe")
        loop.set_default_executor(threads)
        await asyncio.to_thread(DBOS.destroy, destroy_registry=True)
        await self._cancel(dbos)
        loop.set_default_executor(threads)


@contextmanager
def _unrecorded() -> Iterator[None]:
    """Whoever asks the engine for something in here is no step of the workflow it is asked from.

    DBOS would write the answer down, to give the same one again after a crash, and some of its answers it cannot write.
    """
    workflow = get_local_dbos_context()
    _set_local_dbos_context(None)
    try:
        yield
    finally:
        _set_local_dbos_context(workflow)


def _quiet() -> None:
    """DBOS puts a handler of its own on stderr: its words go where all logs go."""
    library = logging.getLogger("dbos")
    for handler in list(library.handlers):
        library.removeHandler(handler)
    library.propagate = True


def _workflow_id(turn_id: str, run: int) -> str:
    """Ordered like the turns themselves: the engine starts queued workflows of one instant in this order."""
    return turn_id if run == 0 else f"{turn_id}:{run}"
