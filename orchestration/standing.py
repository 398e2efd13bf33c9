"""The rows of a running turn: written over the version this process knows, read again only when that is not theirs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

from orchestration.errors import StaleWrite
from orchestration.ports import UnitOfWork
from orchestration.running import RunningTurn
from orchestration.sessions import Session
from orchestration.turns import TurnRecord, chat_of

T = TypeVar("T")


async def both_rows(uow: UnitOfWork, turn_id: str, running: RunningTurn | None) -> tuple[TurnRecord | None, Session]:
    """The turn and its chat's session, from the database unless the running turn knows them."""
    if running is not None and not running.stale:
        return running.turn, running.session
    turn = await uow.turns.get(turn_id)
    session = await uow.sessions.get(chat_of(turn_id))
    if running is not None and turn is not None:
        running.turn, running.session, running.stale = turn, session, False
    return turn, session


def renewing(
    work: Callable[[UnitOfWork], Awaitable[T]], running: RunningTurn | None
) -> Callable[[UnitOfWork], Awaitable[T]]:
    """The same work for `transact`, which after a StaleWrite begins again from fresh rows."""

    async def tried(uow: UnitOfWork) -> T:
        try:
            return await work(uow)
        except StaleWrite:
            if running is not None:
                running.stale = True
            raise

    return tried
