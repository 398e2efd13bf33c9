"""Reading again: a message that people changed after it had been read is read once more, with its new words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from orchestration.events import Event
from orchestration.memory.records import Outcome, UpkeepState, Work
from orchestration.model import GroupChat
from orchestration.ports import UnitOfWork
from orchestration.upkeep.parts import Purse, UpkeepParts
from orchestration.upkeep.portions import Portion, Portions
from orchestration.upkeep.remembering import Batch, Kept, Remembering

WITHIN = timedelta(days=1)
"""A change that waited for longer is not read again."""
AT_ONCE = 24
"""So many changes, of messages that lie no farther apart, are read in one call."""
LOOK_BACK = 20_000
"""So many events back changes are looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Changed(Portion):
    batch: Batch | None
    """None: what was changed has not been read at all yet, or is gone."""


class Rereading:
    """Implements `portions.Portioned`: a portion is a few changes, its cursor the event that told of the last one."""

    work = Work.MEND
    portions_a_job = 4

    def __init__(self, parts: UpkeepParts, remembering: Remembering) -> None:
        self._parts = parts
        self._remembering = remembering
        self._portions = Portions(parts, self)

    async def run(self, chat_id: int) -> Outcome:
        return await self._portions.run(chat_id)

    async def read(self, uow: UnitOfWork, chat: GroupChat, state: UpkeepState) -> _Changed | None:
        since = self._parts.clock() - WITHIN
        after = max(state.cursor_seq, await uow.events.newest(chat.id) - LOOK_BACK)
        edits = _near(await uow.events.edits(chat.id, after, since=since, limit=AT_ONCE))
        if not edits:
            return None
        read_upto = (await uow.upkeep.get(chat.id, Work.REMEMBER)).cursor_seq
        found = [await uow.messages.get(chat.id, seq) for seq in sorted(set(map(_message_seq, edits)))]
        messages = [m for m in found if m is not None and m.seq <= read_upto]
        batch = await self._remembering.batch_of(uow, chat, state, messages) if messages else None
        return _Changed(chat=chat, state=state, upto=edits[-1].seq, batch=batch)

    async def think(self, portion: _Changed, purse: Purse) -> Kept:
        return Kept() if portion.batch is None else await self._remembering.think(portion.batch, purse)

    async def by_rule(self, portion: _Changed) -> Kept:
        return Kept() if portion.batch is None else await self._remembering.by_rule(portion.batch)

    async def write(self, uow: UnitOfWork, portion: _Changed, found: Kept, now: datetime) -> None:
        """Relationships stay as they are: nobody has talked."""
        await self.write_meanwhile(uow, portion, found, now)

    async def write_meanwhile(self, uow: UnitOfWork, portion: _Changed, found: Kept, now: datetime) -> None:
        if portion.batch is not None:
            await self._remembering.write_meanwhile(uow, portion.batch, found, now)


def _near(edits: Sequence[Event]) -> list[Event]:
    """The first edits, as long as their messages can be read together."""
    near: list[Event] = []
    for edit in edits:
        seqs = [_message_seq(one) for one in (*near, edit)]
        if max(seqs) - min(seqs) >= AT_ONCE:
            break
        near.append(edit)
    return near


def _message_seq(edit: Event) -> int:
    seq = edit.content.get("message_seq")
    return seq if isinstance(seq, int) else 0
