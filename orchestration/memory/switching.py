"""What a change of a chat's settings asks of background work."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from orchestration.memory.records import Work

if TYPE_CHECKING:
    from orchestration.ports import UnitOfWork


async def start_from_here(uow: UnitOfWork, chat_id: int) -> None:
    """Remembering and the summary begin with the next message: what was said or changed before is not learnt later."""
    newest = await uow.messages.recent(chat_id, limit=1)
    last = newest[-1].seq if newest else 0
    for work in (Work.REMEMBER, Work.COMPACT):
        state = await uow.upkeep.get(chat_id, work)
        await uow.upkeep.save(replace(state, cursor_seq=max(last, state.cursor_seq)))
    state = await uow.upkeep.get(chat_id, Work.MEND)
    await uow.upkeep.save(replace(state, cursor_seq=await uow.events.newest(chat_id)))


async def tidy_soon(uow: UnitOfWork, chat_id: int) -> None:
    """The chat is tidied at the next look, not hours later: texts are to be kept for a shorter time."""
    state = await uow.upkeep.get(chat_id, Work.TIDY)
    await uow.upkeep.save(replace(state, not_before=None))
