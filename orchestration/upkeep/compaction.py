"""Compaction: the oldest messages of the window become lines of the summary, once each, whatever crashes.

One block is: read, ask, check, and one transaction that adds the lines and moves the cursor. What happens before that
transaction leaves no trace; after it the block is never read again.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from orchestration.cleaning import is_chinese
from orchestration.errors import ModelError
from orchestration.memory.records import Outcome, SummaryLine, UpkeepState, Work
from orchestration.model import GroupChat, Locale
from orchestration.ports import UnitOfWork
from orchestration.summaries import CATCH_UP, STEP, Block, DigestAnswer, by_rule, checked, digest_prompt, insisted
from orchestration.summary_size import condense_prompt, condensed, overflow, to_condense
from orchestration.transactions import transact
from orchestration.upkeep.hours import is_quiet
from orchestration.upkeep.parts import OutOfBudget, Purse, UpkeepParts, allowed, names_of, note

BLOCKS_A_JOB = 8
QUIET_LEAST = 5
"""In quiet hours a block may be as small as this."""
TRUST_AFTER = 2
"""After so many answers in a row of which nothing stood, rules make the digest instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Task:
    chat: GroupChat
    state: UpkeepState
    upto: int
    block: Block
    standing: tuple[SummaryLine, ...]

    @property
    def locale(self) -> Locale | None:
        return Locale.ZH if is_chinese("\n".join(m.text for m in self.block.messages)) else None


class Compaction:
    def __init__(self, parts: UpkeepParts) -> None:
        self._parts = parts

    async def run(self, chat_id: int) -> Outcome:
        """Compacts what left the window (in quiet hours also less than a full step). The chat's old summary stands
        until the new lines do, and on any failure.
        """
        outcome, done = Outcome.NOTHING, 0
        for _ in range(BLOCKS_A_JOB):
            outcome = await self._block(chat_id)
            if outcome is not Outcome.DONE:
                break
            done += 1
        if done:
            await self._shorten(chat_id)
            return Outcome.DONE
        if outcome is Outcome.NOTHING:
            await note(self._parts, Work.COMPACT, chat_id, outcome)
        return outcome

    # -------------------------------------------------------------------------------------- one block

    async def _block(self, chat_id: int) -> Outcome:
        task = await self._task(chat_id)
        if task is None:
            return Outcome.NOTHING
        purse = Purse(self._parts, task.chat.tenant_id)
        try:
            lines = await self._digest(task, purse)
        except OutOfBudget:
            outcome = Outcome.BUDGET
        except ModelError:
            outcome = Outcome.MODEL
        else:
            if lines is not None:
                return await self._commit(task, lines, purse.spent)
            outcome = Outcome.REJECTED
        await note(self._parts, Work.COMPACT, chat_id, outcome, purse.spent)
        return outcome

    async def _task(self, chat_id: int) -> _Task | None:
        """What is to be compacted now; None: nothing."""
        async with self._parts.storage.read() as uow:
            chat = await uow.chats.get(chat_id)
            if chat is None or not chat.settings.memory:
                return None
            state = await uow.upkeep.get(chat_id, Work.COMPACT)
            newest = await uow.messages.recent(chat_id, limit=1)
            last = newest[-1].seq if newest else 0
            quiet = is_quiet(chat.settings.quiet_hours, chat.last_message_at, self._parts.clock())
            upto = block_end(state.cursor_seq, last, quiet=quiet)
            if upto is None:
                return None
            said = await uow.messages.range(chat_id, state.cursor_seq + 1, upto)
            block = Block(
                chat_id=chat_id,
                messages=tuple(await allowed(uow, chat.tenant_id, said)),
                names=await names_of(uow, chat_id),
                at=self._parts.clock(),
            )
            standing = tuple(await uow.summaries.standing(chat_id))
        return _Task(chat=chat, state=state, upto=upto, block=block, standing=standing)

    async def _digest(self, task: _Task, purse: Purse) -> list[SummaryLine] | None:
        """The block's lines; None when the summariser answered and nothing of it stood."""
        block = task.block
        if not block.messages:
            return []
        if self._parts.minds.summariser is None or self._parts.settings.daily_tokens == 0:
            return _with_insisted(by_rule(block), block)
        locale = task.locale or self._parts.locale(task.chat)
        answer = await purse.decide(digest_prompt(locale, block.messages, task.standing), DigestAnswer)
        lines = checked(answer, block)
        if not lines:
            if answer.lines and task.state.failures < TRUST_AFTER:
                return None
            lines = by_rule(block)
        return _with_insisted(lines, block)

    async def _commit(self, task: _Task, lines: list[SummaryLine], spent: int) -> Outcome:
        now = self._parts.clock()

        async def write(uow: UnitOfWork) -> Outcome:
            state = await uow.upkeep.get(task.chat.id, Work.COMPACT)
            if state.cursor_seq != task.state.cursor_seq:
                return Outcome.OVERTAKEN
            await uow.upkeep.save(
                replace(
                    state,
                    cursor_seq=task.upto,
                    failures=0,
                    not_before=None,
                    last_at=now,
                    last_outcome=Outcome.DONE,
                    tokens=state.tokens + spent,
                )
            )
            # The chat is locked now: who asks to be forgotten meanwhile comes before this look, or after all of it.
            still = {m.seq for m in await allowed(uow, task.chat.tenant_id, task.block.messages)}
            await uow.summaries.add(task.chat.id, [line for line in lines if set(line.seqs) <= still])
            return Outcome.DONE

        return await transact(self._parts.storage, write)

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
        if self._parts.minds.summariser is not None and self._parts.settings.daily_tokens:
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


def _with_insisted(lines: list[SummaryLine], block: Block) -> list[SummaryLine]:
    """With what people insisted on, verbatim; a free line that only repeats such a sentence goes."""
    pinned = insisted(block)
    held = {line.text for line in pinned}
    return sorted([*(line for line in lines if line.text not in held), *pinned], key=lambda line: line.seqs)
