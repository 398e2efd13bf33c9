"""The database is locked or full for a while: turns wait for it, and nothing is lost or said twice."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from orchestration.errors import StorageUnavailable
from orchestration.events import Event, EventKind
from orchestration.ports import UnitOfWork
from orchestration.turns import TurnStatus
from storage.memory import MemoryStorage
from tests.chats.stage import stage
from tests.model_server import Request


class Leaving(MemoryStorage):
    """The next ``writes`` and ``reads`` meet no database."""

    def __init__(self) -> None:
        super().__init__()
        self.writes = self.reads = 0

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[UnitOfWork]:
        if self.writes:
            self.writes -= 1
            raise StorageUnavailable("the disk is full")
        async with super().begin() as uow:
            yield uow

    @asynccontextmanager
    async def read(self) -> AsyncIterator[UnitOfWork]:
        if self.reads:
            self.reads -= 1
            raise StorageUnavailable("the disk is full")
        async with super().read() as uow:
            yield uow


async def test_a_turn_waits_for_the_database_and_goes_on() -> None:
    storage = Leaving()

    def script(request: Request) -> str:
        storage.writes = 1 if room.server.count == 1 else 0
        return "Back again."

    async with stage(script, storage=storage) as room:
        assert await room.say("Ann", "@Nova hello") == ["Nova: Back again."]
        turn = await room.last_turn()
        assert (turn.status, turn.degradation) == (TurnStatus.FINISHED, ())
        assert room.kinds(turn.id).count(EventKind.TURN_FINISHED) == 1


@pytest.mark.parametrize("kind", [EventKind.REPLY_WRITTEN, EventKind.REPLY_POSTED])
async def test_posting_and_ending_wait_for_the_database(kind: EventKind) -> None:
    storage = Leaving()
    async with stage("Hello.", storage=storage) as room:

        def leave(event: Event) -> None:
            if event.kind is kind:
                storage.reads = 1

        room.bus.subscribe(leave)
        received = await room.tell("Ann", "@Nova hello")
        await room.line.idle()
        assert received.turn_id is not None
        assert room.transcript() == ["Nova: Hello."]
        assert room.kinds(received.turn_id)[-1] is EventKind.TURN_FINISHED
