"""Tidying: texts whose time is over go, what rested on changed messages is mended or goes, what faded goes."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from orchestration.errors import ModelError
from orchestration.memory.decay import faded
from orchestration.memory.guard import Evidence, Proposal, Refusal, admitted
from orchestration.memory.merging import settled
from orchestration.memory.records import Outcome, SummaryLine, Work
from orchestration.model import GroupChat, Memory, Message
from orchestration.ports import UnitOfWork
from orchestration.summaries import Block, DigestAnswer, by_rule, checked, digest_prompt, source_of, with_insisted
from orchestration.transactions import transact
from orchestration.upkeep.lessons import names_of_cast
from orchestration.upkeep.parts import OutOfBudget, Purse, UpkeepParts, allowed, names_of

PORTION = 500
PORTIONS = 40
AGAIN = timedelta(hours=6)
EMBEDDED_AT_ONCE = 64
MENDED_AT_ONCE = 40
MOST = 5_000
"""Memories of one chat that are looked through at once."""


class Tidying:
    def __init__(self, parts: UpkeepParts) -> None:
        self._parts = parts

    async def run(self, chat_id: int) -> Outcome:
        chat = await self._chat(chat_id)
        if chat is None:
            return Outcome.NOTHING
        whole = await self._bury_old(chat)
        await self._mend(chat)
        await self._let_go(chat)
        await self._embed(chat)
        await self._done(chat, again=AGAIN if whole else timedelta(seconds=1))
        return Outcome.DONE

    async def mend(self, chat_id: int) -> Outcome:
        """Only what rests on changed messages: they were edited, deleted or written anew a moment ago."""
        chat = await self._chat(chat_id)
        if chat is not None:
            await self._mend(chat)
        return Outcome.DONE

    async def _mend(self, chat: GroupChat) -> None:
        await self._mend_memories(chat)
        await self._mend_lines(chat)

    async def _chat(self, chat_id: int) -> GroupChat | None:
        async with self._parts.storage.read() as uow:
            return await uow.chats.get(chat_id)

    async def _done(self, chat: GroupChat, *, again: timedelta) -> None:
        now = self._parts.clock()

        async def write(uow: UnitOfWork) -> None:
            state = await uow.upkeep.get(chat.id, Work.TIDY)
            newest = await uow.messages.recent(chat.id, limit=1)
            cursor = newest[-1].seq if newest else state.cursor_seq
            await uow.upkeep.save(
                replace(
                    state,
                    cursor_seq=cursor,
                    failures=0,
                    not_before=now + again,
                    last_at=now,
                    last_outcome=Outcome.DONE,
                )
            )

        await transact(self._parts.storage, write)

    # -------------------------------------------------------------------------------------- retention

    async def _bury_old(self, chat: GroupChat) -> bool:
        """Takes the texts that are older than the chat keeps them; False when more are left."""
        days = chat.settings.retention_days
        if days is None:
            return True
        now = self._parts.clock()
        for _ in range(PORTIONS):
            async with self._parts.storage.begin() as uow:
                buried = await uow.upkeep.bury_before(chat.id, now - timedelta(days=days), at=now, limit=PORTION)
            if buried < PORTION:
                return True
        return False

    # -------------------------------------------------------------------------------------- memories

    async def _mend_memories(self, chat: GroupChat) -> None:
        """A memory whose source changed stands only where the messages as they are now still prove it."""
        called = names_of_cast(await self._parts.casts.of(chat.tenant_id))

        async def write(uow: UnitOfWork) -> None:
            await uow.upkeep.save(await uow.upkeep.get(chat.id, Work.TIDY))  # the chat's lock
            shaken = await uow.memories.shaken(chat.id)
            if not shaken:
                return
            names = await names_of(uow, chat.id)
            for memory in shaken:
                messages = await _messages(uow, chat, memory.source_seqs)
                proved = _proved_again(
                    memory, Evidence(messages={m.seq: m for m in messages}, names=names, cast=called)
                )
                if proved is None:
                    await uow.memories.remove([memory.id])
                else:
                    await uow.memories.save(proved)

        await transact(self._parts.storage, write)

    async def _let_go(self, chat: GroupChat) -> None:
        """What faded goes; what came to say the same is joined."""
        now = self._parts.clock()
        async with self._parts.storage.read() as uow:
            memories = await uow.memories.of_chat(chat.id, limit=MOST)
        # Comparing takes its time: neither the loop nor a transaction waits for it.
        gone, joined = await asyncio.to_thread(tidied, memories, now)
        if not gone and not joined:
            return

        async def write(uow: UnitOfWork) -> None:
            await uow.upkeep.save(await uow.upkeep.get(chat.id, Work.TIDY))
            await uow.memories.remove(gone)
            for kept, others in joined:
                current = await uow.memories.get(kept.id)
                if current is not None and current.version == kept.version:
                    await uow.memories.save(kept)
                    await uow.memories.remove(others)

        await transact(self._parts.storage, write)

    async def _embed(self, chat: GroupChat) -> None:
        """Vectors for memories that have none: made before embeddings were installed, or worded anew."""
        if self._parts.minds.embedder is None:
            return
        async with self._parts.storage.read() as uow:
            bare = [m for m in await uow.memories.of_chat(chat.id) if not m.vector and not m.superseded_by]
        bare = bare[-EMBEDDED_AT_ONCE:]
        vectors = await self._parts.vectors(list(dict.fromkeys(m.text for m in bare)))

        async def write(uow: UnitOfWork) -> None:
            for memory in bare:
                current = await uow.memories.get(memory.id)
                if current is not None and current.text in vectors:
                    await uow.memories.save(replace(current, vector=vectors[current.text]))

        await transact(self._parts.storage, write)

    # -------------------------------------------------------------------------------------- the summary

    async def _mend_lines(self, chat: GroupChat) -> None:
        """Lines whose messages changed are made anew from what is left of these messages; they are not shown until
        then. Where memory is off by now they only go: what was changed meanwhile is not learnt.
        """
        async with self._parts.storage.read() as uow:
            shaken = (await uow.summaries.shaken(chat.id))[:MENDED_AT_ONCE]
            seqs = sorted({seq for line in shaken for seq in line.seqs})
            messages = tuple(await _messages(uow, chat, seqs))
            names = await names_of(uow, chat.id)
        if not shaken:
            return
        block = Block(chat_id=chat.id, messages=messages, names=names, at=self._parts.clock())
        lines = await self._made_anew(chat, block)

        async def write(uow: UnitOfWork) -> None:
            await uow.upkeep.save(await uow.upkeep.get(chat.id, Work.TIDY))
            still = {m.seq for m in await allowed(uow, chat.tenant_id, block.messages)}
            if await uow.summaries.remove(chat.id, [line.number for line in shaken]):
                await uow.summaries.add(chat.id, [line for line in lines if set(line.seqs) <= still])

        await transact(self._parts.storage, write)

    async def _made_anew(self, chat: GroupChat, block: Block) -> list[SummaryLine]:
        if not block.messages or not chat.settings.memory:
            return []
        lines = by_rule(block, most=2)
        if self._parts.asks_model:
            prompt = digest_prompt(self._parts.locale(chat), block.messages, ())
            try:
                answer = await Purse(self._parts, chat.tenant_id).decide(prompt, DigestAnswer)
            except (OutOfBudget, ModelError):
                answer = DigestAnswer(lines=[])
            lines = checked(answer, block) or lines
        return with_insisted(lines, block)


async def _messages(uow: UnitOfWork, chat: GroupChat, seqs: Sequence[int]) -> list[Message]:
    found = [await uow.messages.get(chat.id, seq) for seq in seqs]
    return await allowed(uow, chat.tenant_id, [m for m in found if m is not None])


def _proved_again(memory: Memory, evidence: Evidence) -> Memory | None:
    """The memory on the messages as they are now; None when they do not bear it any more.

    A message that changed stays a source only where its new words alone bear the memory.
    """
    read = {source.seq: source.edited_at for source in memory.sources}
    messages = evidence.messages
    left = [m for m in messages.values() if m.edited_at == read.get(m.seq) or _bears(memory, [m], evidence)]
    if not left or not _bears(memory, left, evidence):
        return None
    return replace(memory, sources=tuple(source_of(message) for message in left))


def _bears(memory: Memory, messages: Sequence[Message], evidence: Evidence) -> bool:
    proposal = Proposal(
        subject_id=memory.subject_id, kind=memory.kind, text=memory.text, seqs=tuple(m.seq for m in messages)
    )
    again = admitted(proposal, replace(evidence, messages={m.seq: m for m in messages}))
    return not isinstance(again, Refusal) and again.text == memory.text and len(again.seqs) == len(messages)


def tidied(memories: Sequence[Memory], now: datetime) -> tuple[set[str], list[tuple[Memory, list[str]]]]:
    """(ids to let go, memories into which others went with the ids of these). Pure."""
    gone = set(faded(memories, now))
    owners: dict[tuple[str, str], list[Memory]] = {}
    joined: dict[str, list[str]] = {}
    for memory in memories:
        if memory.id in gone or memory.superseded_by:
            continue
        kept = owners.setdefault((memory.agent_id, memory.person_id), [])
        done = settled(memory, kept)
        if done.is_new:
            kept.append(memory)
            continue
        kept[:] = [done.kept if m.id == done.kept.id else m for m in kept]
        joined.setdefault(done.kept.id, []).append(memory.id)
    by_id = {m.id: m for kept in owners.values() for m in kept}
    return gone, [(by_id[kept_id], others) for kept_id, others in joined.items()]
