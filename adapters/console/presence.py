"""What goes on in the terminal's chat just now: whose turn runs, who writes, and when all of it is done."""

from __future__ import annotations

import asyncio

from adapters.console.views import View
from orchestration.events import Event, EventKind
from orchestration.model import AgentCard
from orchestration.ports import Storage
from orchestration.turns import TurnStatus

STILL_S = 600.0
"""Without any event for so long, nothing is waited for any more."""
GRACE_S = 2.0
"""How long a turn's last event may come after its record is closed."""
LOOK_S = 0.1
_BEGUN = frozenset({EventKind.TURN_STARTED, EventKind.CLARIFICATION_ANSWERED})
_DONE = frozenset({EventKind.TURN_FINISHED, EventKind.CLARIFICATION_ASKED})


class Presence:
    """Listens to the events of one chat and tells the view. Events before `sit_down` are kept until then."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._chat_id: int | None = None
        self._early: list[Event] = []
        self._open: set[str] = set()
        self._writers: dict[str, AgentCard] = {}
        self._stir = asyncio.Event()

    def sit_down(self, chat_id: int) -> None:
        self._chat_id = chat_id
        early, self._early = self._early, []
        for event in early:
            self.hear(event)

    def hear(self, event: Event) -> None:
        if self._chat_id is None:
            self._early.append(event)
        elif event.chat_id == self._chat_id:
            self._note(event)
            self._view.event(event)

    def expects(self, turn_id: str) -> None:
        """A turn was queued: its end is worth waiting for."""
        self._open.add(turn_id)
        self._view.busy(True)

    def writing(self, agent: AgentCard | None) -> None:
        if agent is None:
            self._writers.clear()
        else:
            self._writers[agent.id] = agent
        self._view.writing(tuple(self._writers.values()))

    def spoke(self, agent_id: str | None) -> None:
        if agent_id is not None and self._writers.pop(agent_id, None) is not None:
            self._view.writing(tuple(self._writers.values()))

    async def settled(self, storage: Storage, chat_id: int) -> None:
        """Waits until no turn of the chat is queued or running and all is posted; a question may stay open."""
        quiet_s = still_s = 0.0
        while still_s < STILL_S and not self._view.left:
            self._stir.clear()
            idle, ending = await _look(storage, chat_id)
            if idle and (not (self._open or ending) or quiet_s >= GRACE_S):
                return
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._stir.wait()
            except TimeoutError:
                still_s += LOOK_S
                quiet_s = quiet_s + LOOK_S if idle else 0.0
            else:
                still_s = 0.0

    def _note(self, event: Event) -> None:
        self._stir.set()
        if event.turn_id is None:
            return
        if event.kind in _BEGUN:
            self._open.add(event.turn_id)
        elif event.kind in _DONE:
            self._open.discard(event.turn_id)
            if not self._open:
                self.writing(None)
        self._view.busy(bool(self._open))


async def _look(storage: Storage, chat_id: int) -> tuple[bool, bool]:
    """Whether nothing is queued, running or unposted, and whether the newest turn's last event is still to come."""
    async with storage.read() as uow:
        turns = await uow.turns.unfinished()
        items = await uow.outbox.open(chat_id)
        newest = await uow.turns.last(chat_id)
    running = {TurnStatus.QUEUED, TurnStatus.RUNNING}
    idle = not items and not any(turn.chat_id == chat_id and turn.status in running for turn in turns)
    return idle, any(turn.over and turn.finished_at is None for turn in newest)
