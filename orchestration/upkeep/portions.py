"""Work that is done in portions: each is read, thought about, and written with the cursor in one transaction.

What happens before that transaction leaves no trace; after it the portion is never read again. So whatever crashes,
nothing is skipped and nothing done twice.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, Generic, Protocol, TypeVar

from orchestration.errors import ModelError, ModelUnavailable
from orchestration.memory.records import Outcome, UpkeepState, Work
from orchestration.model import GroupChat
from orchestration.ports import UnitOfWork
from orchestration.transactions import transact
from orchestration.upkeep.parts import OutOfBudget, Purse, UpkeepParts, after_failure, note

PATIENCE = 2
"""After so many failures in a row rules do a portion instead, …"""
PATIENCE_UNAVAILABLE = 5
"""… where the server only is away, after so many."""
_WRITTEN: Final = frozenset({Outcome.DONE, Outcome.BY_RULE, Outcome.BUDGET})
"""How a portion ends whose results stand. Of the three only DONE had a model's help."""


class NothingStood(Exception):
    """The summariser answered, and nothing of its answer stood the checks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Portion:
    """What is read at once: ``state`` as it was then, ``upto`` the last message of it."""

    chat: GroupChat
    state: UpkeepState
    upto: int


PortionT = TypeVar("PortionT", bound=Portion)
FoundT = TypeVar("FoundT")


class Portioned(Protocol[PortionT, FoundT]):
    """One kind of such work."""

    work: Work
    portions_a_job: int

    async def read(self, uow: UnitOfWork, chat: GroupChat, state: UpkeepState) -> PortionT | None:
        """The next portion; None: there is nothing to do."""

    async def think(self, portion: PortionT, purse: Purse) -> FoundT:
        """What comes of it. Raises OutOfBudget, ModelError, NothingStood."""

    async def by_rule(self, portion: PortionT) -> FoundT:
        """What comes of it where no model helps."""

    async def write(self, uow: UnitOfWork, portion: PortionT, found: FoundT, now: datetime) -> None:
        """Writes it down. The chat is locked, the cursor is moved by the caller."""

    async def write_meanwhile(self, uow: UnitOfWork, portion: PortionT, found: FoundT, now: datetime) -> None:
        """Writes down what may stand already while the portion waits for a better day of the summariser."""


class Portions(Generic[PortionT, FoundT]):
    def __init__(self, parts: UpkeepParts, kind: Portioned[PortionT, FoundT]) -> None:
        self._parts = parts
        self._kind = kind

    async def run(self, chat_id: int) -> Outcome:
        """Does what is waiting in the chat, a few portions at most. How the first of them ended."""
        first: Outcome | None = None
        for _ in range(self._kind.portions_a_job):
            outcome = await self._one(chat_id)
            if first is None:
                first = outcome
            if outcome not in (Outcome.DONE, Outcome.BUDGET):
                break
        if first is Outcome.NOTHING:
            await note(self._parts, self._kind.work, chat_id, first)
        return first or Outcome.NOTHING

    async def _one(self, chat_id: int) -> Outcome:
        async with self._parts.storage.read() as uow:
            chat = await uow.chats.get(chat_id)
            if chat is None or not chat.settings.memory:
                return Outcome.NOTHING
            state = await uow.upkeep.get(chat_id, self._kind.work)
            portion = await self._kind.read(uow, chat, state)
        if portion is None:
            return Outcome.NOTHING
        purse = Purse(self._parts, chat.tenant_id)
        outcome, found = await self._thought(portion, purse)
        return await self._written(portion, outcome, found, purse.spent)

    async def _thought(self, portion: PortionT, purse: Purse) -> tuple[Outcome, FoundT]:
        failures = portion.state.failures
        try:
            return Outcome.DONE, await self._kind.think(portion, purse)
        except OutOfBudget:
            outcome = Outcome.BUDGET
        except NothingStood:
            outcome = Outcome.BY_RULE if failures >= PATIENCE else Outcome.REJECTED
        except ModelError as error:
            patience = PATIENCE_UNAVAILABLE if isinstance(error, ModelUnavailable) else PATIENCE
            outcome = Outcome.BY_RULE if failures >= patience else Outcome.MODEL
        return outcome, await self._kind.by_rule(portion)

    async def _written(self, portion: PortionT, outcome: Outcome, found: FoundT, spent: int) -> Outcome:
        now = self._parts.clock()

        async def write(uow: UnitOfWork) -> Outcome:
            state = await uow.upkeep.get(portion.chat.id, self._kind.work)
            if state.cursor_seq != portion.state.cursor_seq:
                return Outcome.OVERTAKEN
            state = replace(state, tokens=state.tokens + spent)
            if outcome not in _WRITTEN:
                await uow.upkeep.save(after_failure(state, outcome, now))
                await self._kind.write_meanwhile(uow, portion, found, now)
                return outcome
            failures = state.failures + 1 if outcome is Outcome.BY_RULE else 0
            moved = replace(state, cursor_seq=portion.upto, failures=failures, not_before=None)
            await uow.upkeep.save(replace(moved, last_at=now, last_outcome=outcome))
            await self._kind.write(uow, portion, found, now)
            return outcome

        return await transact(self._parts.storage, write)
