"""Compaction: the oldest messages of the window become lines of the summary, once each, whatever crashes."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from orchestration.cleaning import is_chinese
from orchestration.errors import ModelError
from orchestration.memory.records import Outcome, SummaryLine, UpkeepState, Work
from orchestration.model import GroupChat, Locale
from orchestration.ports import UnitOfWork
from orchestration.summaries import CATCH_UP, STEP, Block, DigestAnswer, by_rule, checked, digest_prompt, with_insisted
from orchestration.summary_size import condense_prompt, condensed, overflow, to_condense
from orchestration.transactions import transact
from orchestration.upkeep.hours import is_quiet
from orchestration.upkeep.parts import OutOfBudget, Purse, UpkeepParts, allowed, names_of
from orchestration.upkeep.portions import NothingStood, Portion, Portions

QUIET_LEAST = 5
"""In quiet hours a block may be as small as this."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Digest(Portion):
    block: Block
    standing: tuple[SummaryLine, ...]


class Compaction:
    """Implements `portions.Portioned`: a portion is a block of messages, what comes of it are lines."""

    work = Work.COMPACT
    portions_a_job = 8

    def __init__(self, parts: UpkeepParts) -> None:
        self._parts = parts
        self._portions = Portions(parts, self)

    async def run(self, chat_id: int) -> Outcome:
        """Compacts what left the window (in quiet hours also less than a full step). The chat's old summary stands
        until the new lines do, and on any failure.
        """
        outcome = await self._portions.run(chat_id)
        if outcome in (Outcome.DONE, Outcome.BUDGET, Outcome.BY_RULE):
            await self._shorten(chat_id)
        return outcome

    # -------------------------------------------------------------------------------------- one block

    async def read(self, uow: UnitOfWork, chat: GroupChat, state: UpkeepState) -> _Digest | None:
        newest = await uow.messages.recent(chat.id, limit=1)
        last = newest[-1].seq if newest else 0
        quiet = is_quiet(chat.settings.quiet_hours, chat.last_message_at, self._parts.clock())
        upto = block_end(state.cursor_seq, last, quiet=quiet)
        if upto is None:
            return None
        said = await uow.messages.range(chat.id, state.cursor_seq + 1, upto)
        block = Block(
            chat_id=chat.id,
            messages=tuple(await allowed(uow, chat.tenant_id, said)),
            names=await names_of(uow, chat.id, said),
            at=self._parts.clock(),
        )
        standing = tuple(await uow.summaries.standing(chat.id))
        return _Digest(chat=chat, state=state, upto=upto, block=block, standing=standing)

    async def think(self, portion: _Digest, purse: Purse) -> list[SummaryLine]:
        block = portion.block
        if not block.messages or not self._parts.asks_model:
            return await self.by_rule(portion)
        chinese = is_chinese("\n".join(m.text for m in block.messages))
        locale = Locale.ZH if chinese else self._parts.locale(portion.chat)
        answer = await purse.decide(digest_prompt(locale, block.messages, portion.standing), DigestAnswer)
        lines = checked(answer, block)
        if answer.lines and not lines:
            raise NothingStood
        return with_insisted(lines or by_rule(block), block)

    async def by_rule(self, portion: _Digest) -> list[SummaryLine]:
        return with_insisted(by_rule(portion.block), portion.block)

    async def write(self, uow: UnitOfWork, portion: _Digest, found: list[SummaryLine], now: datetime) -> None:
        # The chat is locked now: who asks to be forgotten meanwhile comes before this look, or after all of it.
        still = {m.seq for m in await allowed(uow, portion.chat.tenant_id, portion.block.messages)}
        await uow.summaries.add(portion.chat.id, [line for line in found if set(line.seqs) <= still])

    async def write_meanwhile(self, uow: UnitOfWork, portion: _Digest, found: list[SummaryLine], now: datetime) -> None:
        """Nothing: the old summary stands."""

    # -------------------------------------------------------------------------------------- kept short

    async def _shorten(self, chat_id: int) -> None:
        """Fewer lines where the summary has grown long. Failing changes nothing but what goes by age."""
        async with self._parts.storage.read() as uow:
            chat = await uow.chats.get(chat_id)
            lines = await uow.summaries.standing(chat_id)
            names = await names_of(uow, chat_id)
        old = to_condense(lines)
        if chat is None or not old:
            return
        new: list[SummaryLine] = []
        if self._parts.asks_model:
            purse = Purse(self._parts, chat.tenant_id)
            locale = Locale.ZH if is_chinese("\n".join(line.text for line in old)) else self._parts.locale(chat)
            try:
                answer = await purse.decide(condense_prompt(locale, old), DigestAnswer)
                new = condensed(answer, old, names, self._parts.clock())
            except (OutOfBudget, ModelError):
                new = []

        async def write(uow: UnitOfWork) -> None:
            state = await uow.upkeep.get(chat_id, Work.COMPACT)
            await uow.upkeep.save(state)  # the lock: nobody forgets or compacts between this look and the writes
            standing = {line.number for line in await uow.summaries.standing(chat_id)}
            if new and {line.number for line in old} <= standing:
                await uow.summaries.remove(chat_id, [line.number for line in old])
                await uow.summaries.add(chat_id, new)
            await uow.summaries.remove(chat_id, overflow(await uow.summaries.standing(chat_id)))

        await transact(self._parts.storage, write)


def block_end(cursor: int, last: int, *, quiet: bool) -> int | None:
    """The last message of the next block, when ``last`` is the chat's newest; None while the window holds them all.

    The window keeps STEP messages, and drops STEP at once when 2 * STEP are in it; much more is caught up faster.
    """
    waiting = last - cursor
    if waiting < (STEP + QUIET_LEAST if quiet else 2 * STEP):
        return None
    size = CATCH_UP if waiting > 10 * STEP else STEP
    return min(cursor + size, last - STEP)
