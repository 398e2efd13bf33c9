"""Background work over every storage: the same outcome in memory, on SQLite and on PostgreSQL, also side by side."""

from __future__ import annotations

import asyncio
from collections import Counter

from orchestration.memory.records import Outcome, Work
from orchestration.model import ChatSettings
from orchestration.ports import Storage
from tests.upkeep_world import honest, upkeep_world


async def test_a_chat_is_compacted_remembered_tidied_and_forgotten(storage: Storage) -> None:
    async with upkeep_world(honest, storage=storage) as world:
        await world.tell("Ann", "I live in Lisbon. My budget is at most 300 euros.", "Ok.")
        await world.fill(60)
        assert [await world.run(work) for work in (Work.COMPACT, Work.REMEMBER, Work.TIDY)] == [Outcome.DONE] * 3
        lines = await world.lines()
        assert lines
        assert {seq for line in lines for seq in line.seqs} <= set(range(1, 43))
        assert any("“My budget is at most 300 euros.”" in line.text for line in lines)
        assert await world.remembered("Ann", "where do I live?") == ["I live in Lisbon."]
        due = await world.upkeep.due(world.time())
        assert {one.work for one in due} == set()
        world.time.pass_(7 * 3600)
        assert {one.work for one in await world.upkeep.due(world.time())} == {Work.TIDY}
        async with storage.begin() as uow:
            gone = await uow.people.forget(world.chat.tenant_id, "room:Ann", messages=True, at=world.time())
        assert gone.memories == 1
        assert not {line.seqs[0] for line in await world.lines()} & {1}
        assert await world.remembered("Ann", "where do I live?") == []


async def test_many_at_once_do_everything_once(storage: Storage) -> None:
    async with upkeep_world(honest, storage=storage) as world:
        await world.tell("Ann", "I love chess", "Ok.")
        await world.fill(60)
        work = [Work.COMPACT, Work.REMEMBER, Work.TIDY, Work.COMPACT, Work.REMEMBER, Work.TIDY]
        await asyncio.gather(*[world.run(one) for one in work])
        while Outcome.DONE in [await world.run(one) for one in (Work.COMPACT, Work.REMEMBER)]:
            continue
        cited = Counter(seq for line in await world.lines() for seq in line.seqs if not line.pinned)
        assert max(cited.values()) == 1
        assert [m.text for m in await world.memories()] == ["I love chess"]


async def test_forgetting_meets_work_under_way_and_wins(storage: Storage) -> None:
    async with upkeep_world(honest, storage=storage) as world:
        for n in range(45):
            await world.tell("Ann", f"I live in house number {n}, it must be quiet", "Ok.")
        world.time.pass_(1)

        async def forget() -> None:
            async with storage.begin() as uow:
                await uow.people.forget(world.chat.tenant_id, "room:Ann", messages=False, at=world.time())

        await asyncio.gather(world.run(Work.COMPACT), world.run(Work.REMEMBER), forget(), world.run(Work.TIDY))
        for work in (Work.COMPACT, Work.REMEMBER):
            while await world.run(work) is Outcome.DONE:
                continue
        assert await world.memories() == []
        assert all("room:Ann" not in {s.person_id for s in line.sources} for line in await world.lines())


async def test_retention_over_every_storage(storage: Storage) -> None:
    async with upkeep_world(honest, storage=storage) as world:
        await world.tell("Ann", "I love chess", "Ok.")
        await world.run(Work.REMEMBER)
        async with storage.begin() as uow:
            await uow.chats.save_settings(world.chat.id, ChatSettings(retention_days=1))
        world.time.pass_(2 * 86_400)
        await world.run(Work.TIDY)
        assert await world.memories() == []
        async with storage.read() as uow:
            assert await uow.messages.recent(world.chat.id, limit=9) == []
