"""What every storage promises: transactions, chats and tenants, casts."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from orchestration.errors import StaleWrite, StorageError
from orchestration.model import AgentCard, AuditEntry, ChatSettings
from orchestration.ports import Storage
from tests.contracts.samples import ANN, MIRA, NOW, NOWHERE, a_turn, filled, happened, key, later, new_chat, said

# ------------------------------------------------------------------------------------------ transactions


async def test_a_block_that_raises_leaves_nothing_behind(storage: Storage) -> None:
    chat = await new_chat(storage)

    async def fail_half_way() -> None:
        async with storage.begin() as unit:
            await unit.messages.add_human(chat.id, said())
            await unit.turns.add(a_turn(chat))
            await unit.events.append(chat.id, [happened()])
            await unit.platform_state.put("s", "k", 1)
            raise RuntimeError("half way")

    with pytest.raises(RuntimeError, match="half way"):
        await fail_half_way()
    async with storage.read() as unit:
        assert await unit.messages.recent(chat.id, limit=9) == []
        assert await unit.turns.last(chat.id) == []
        assert await unit.events.since(chat.id, 0) == []
        assert await unit.platform_state.get("s", "k") is None
    async with storage.begin() as unit:  # and the numbers were not used up
        message, _ = await unit.messages.add_human(chat.id, said())
        (event,) = await unit.events.append(chat.id, [happened()])
    assert (message.seq, event.seq) == (1, 1)


async def test_a_reader_does_not_see_what_is_not_committed(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        await unit.messages.add_human(chat.id, said())
        assert len(await unit.messages.recent(chat.id, limit=9)) == 1, "a unit of work sees its own writes"
        async with storage.read() as reader:
            assert await reader.messages.recent(chat.id, limit=9) == []
    async with storage.read() as reader:
        assert len(await reader.messages.recent(chat.id, limit=9)) == 1


async def test_a_reader_keeps_its_view(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.read() as reader:
        assert await reader.messages.recent(chat.id, limit=9) == []
        async with storage.begin() as unit:
            await unit.messages.add_human(chat.id, said())
        assert await reader.messages.recent(chat.id, limit=9) == []


async def test_a_reading_unit_of_work_cannot_write(storage: Storage) -> None:
    chat = await new_chat(storage)
    with pytest.raises(StorageError):
        async with storage.read() as unit:
            await unit.messages.add_human(chat.id, said())
    async with storage.read() as unit:
        assert await unit.messages.recent(chat.id, limit=9) == []


async def test_a_cancelled_writer_leaves_nothing_and_blocks_nobody(storage: Storage) -> None:
    chat = await new_chat(storage)
    inside = asyncio.Event()

    async def writer() -> None:
        async with storage.begin() as unit:
            await unit.messages.add_human(chat.id, said())
            inside.set()
            await asyncio.Event().wait()

    task = asyncio.create_task(writer())
    await asyncio.wait_for(inside.wait(), 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    async with asyncio.timeout(10), storage.begin() as unit:
        message, new = await unit.messages.add_human(chat.id, said())
    assert new
    assert message.seq == 1


async def test_writers_cancelled_at_any_moment_leave_the_storage_usable(storage: Storage) -> None:
    chat = await new_chat(storage)

    async def write(number: int) -> None:
        async with storage.begin() as unit:
            await unit.messages.add_human(chat.id, said(external_id=f"m{number}"))

    tasks = [asyncio.create_task(write(number)) for number in range(30)]
    for steps, task in enumerate(tasks):
        for _ in range(steps % 7):
            await asyncio.sleep(0)
        if steps % 3:
            task.cancel()
    await asyncio.wait(tasks, timeout=20)
    assert all(task.done() for task in tasks)
    assert {type(task.exception()) for task in tasks if not task.cancelled()} == {type(None)}
    async with storage.read() as unit:
        stored = await unit.messages.range(chat.id, 1, 99)
    assert [message.seq for message in stored] == list(range(1, len(stored) + 1))
    finished = {f"m{number}" for number, task in enumerate(tasks) if not task.cancelled()}
    assert finished <= {message.external_id for message in stored}


async def test_text_no_database_can_store_is_replaced_not_refused(storage: Storage) -> None:
    bad, good = "a\x00b\ud800c", "a\ufffdb\ufffdc"
    async with storage.begin() as unit:
        chat = await unit.chats.ensure(key(bad), title=bad, at=NOW)
        message, _ = await unit.messages.add_human(chat.id, said(bad, external_id=bad, mentioned_people=(bad,)))
        (event,) = await unit.events.append(chat.id, [happened(content={bad: [bad]})])
        await unit.platform_state.put(bad, bad, {bad: bad})
    async with storage.read() as unit:
        assert await unit.chats.find(key(bad)) == replace(chat, last_message_at=NOW)
        assert chat.title == good
        assert (message.text, message.mentioned_people) == (good, (good,))
        assert await unit.messages.by_external(chat.id, bad) == message
        assert event.content == {good: [good]}
        assert await unit.platform_state.get(bad, bad) == {good: good}


async def test_a_time_without_its_zone_is_refused(storage: Storage) -> None:
    chat = await new_chat(storage)
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.messages.add_human(chat.id, said(sent_at=NOW.replace(tzinfo=None)))


# ------------------------------------------------------------------------------------------ chats and tenants


async def test_a_chat_is_made_once(storage: Storage) -> None:
    first = await new_chat(storage)
    again = await new_chat(storage)
    assert again == first
    assert (first.key, first.created_at, first.last_message_at) == (key(), NOW, None)
    async with storage.read() as unit:
        assert await unit.chats.find(key()) == first
        assert await unit.chats.get(first.id) == first
        assert await unit.chats.find(key("elsewhere")) is None
        assert await unit.chats.get(NOWHERE) is None


async def test_a_chat_is_made_once_by_many_at_once(storage: Storage) -> None:
    chats = await asyncio.gather(*(new_chat(storage) for _ in range(10)))
    assert {chat.id for chat in chats} == {chats[0].id}


async def test_a_title_follows_the_platform(storage: Storage) -> None:
    async with storage.begin() as unit:
        chat = await unit.chats.ensure(key(), title="Lobby", at=NOW)
        renamed = await unit.chats.ensure(key(), title="Foyer", at=later(1))
        kept = await unit.chats.ensure(key(), at=later(2))
    assert (chat.title, renamed.title, kept.title) == ("Lobby", "Foyer", "Foyer")
    assert kept.created_at == NOW


async def test_threads_and_tenants_are_chats_of_their_own(storage: Storage) -> None:
    keys = [
        key("c"),
        key("c", thread="t"),
        key("c", tenant="other"),
        key("c", platform="telegram"),
    ]
    chats = [await new_chat(storage, each) for each in keys]
    assert len({chat.id for chat in chats}) == 4
    assert chats[0].tenant_id == chats[1].tenant_id
    assert len({chat.tenant_id for chat in chats}) == 3
    async with storage.read() as unit:
        assert await unit.chats.all() == chats
        assert await unit.chats.all(tenant_id=chats[0].tenant_id) == chats[:2]
        assert await unit.chats.all(platform="telegram") == chats[3:]
        assert await unit.chats.all(tenant_id=chats[2].tenant_id, platform="telegram") == []


async def test_every_setting_of_a_chat_comes_back(storage: Storage) -> None:
    chat = await new_chat(storage)
    settings = filled(ChatSettings)
    async with storage.begin() as unit:
        await unit.chats.save_settings(chat.id, settings)
    async with storage.read() as unit:
        assert await unit.chats.get(chat.id) == replace(chat, settings=settings)
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.chats.save_settings(NOWHERE, settings)


async def test_a_renamed_group_keeps_its_chats_its_cast_and_its_messages(storage: Storage) -> None:
    old, new = key("-1", tenant="-1"), key("-100", tenant="-100")
    chat = await new_chat(storage, old)
    topic = await new_chat(storage, replace(old, thread_id="7"))
    async with storage.begin() as unit:
        await unit.messages.add_human(chat.id, said())
        await unit.agents.save(chat.tenant_id, MIRA, at=NOW)
        assert await unit.chats.rename(old, new) == 2
    async with storage.begin() as unit:
        moved = await unit.chats.find(new)
        assert moved is not None
        assert (moved.id, moved.tenant_id) == (chat.id, chat.tenant_id)
        thread = await unit.chats.find(replace(new, thread_id="7"))
        assert thread is not None
        assert thread.id == topic.id
        assert await unit.chats.find(old) is None
        assert [card.id for card in await unit.agents.all(moved.tenant_id)] == ["mira"]
        assert len(await unit.messages.recent(moved.id, limit=9)) == 1
        assert await unit.chats.rename(old, new) == 0, "done already"


async def test_a_rename_to_a_taken_address_leaves_both_chats_and_brings_the_cast_along(storage: Storage) -> None:
    old, new = key("-1", tenant="-1"), key("-100", tenant="-100")
    before = await new_chat(storage, old)
    topic = await new_chat(storage, replace(old, thread_id="7"))
    there = await new_chat(storage, new)
    async with storage.begin() as unit:
        await unit.messages.add_human(before.id, said())
        await unit.turns.add(a_turn(topic))
        await unit.agents.save(before.tenant_id, MIRA, at=NOW)
        await unit.agents.save(before.tenant_id, replace(MIRA, id="bo", name="old Bo"), at=NOW)
        await unit.agents.save(there.tenant_id, replace(MIRA, id="bo", name="new Bo"), at=NOW)
        assert await unit.chats.rename(old, new) == 1, "the topic moves, its address was free"
        assert await unit.chats.rename(old, new) == 0
    async with storage.read() as unit:
        stands = await unit.chats.find(new)
        assert stands is not None
        assert stands.id == there.id
        assert len(await unit.messages.recent(before.id, limit=9)) == 1
        assert {card.name for card in await unit.agents.all(there.tenant_id)} == {"Mira", "new Bo"}
        moved = await unit.chats.find(replace(new, thread_id="7"))
        (turn,) = await unit.turns.last(topic.id)
        assert moved is not None
        assert (moved.id, moved.tenant_id, turn.tenant_id) == (topic.id, there.tenant_id, there.tenant_id)


async def test_renaming_one_channel_leaves_its_neighbours(storage: Storage) -> None:
    one, two = await new_chat(storage, key("one")), await new_chat(storage, key("two"))
    async with storage.begin() as unit:
        assert await unit.chats.rename(key("one"), key("uno")) == 1
        assert await unit.chats.rename(key("never"), key("x")) == 0
        assert await unit.chats.rename(key("x", tenant="nobody"), key("y")) == 0
    async with storage.read() as unit:
        assert {chat.key.channel_id: chat.id for chat in await unit.chats.all()} == {"uno": one.id, "two": two.id}


async def test_tenants_are_known_by_platform_and_name(storage: Storage) -> None:
    async with storage.begin() as unit:
        ids = [
            await unit.chats.tenant_of("discord", "1", at=NOW),
            await unit.chats.tenant_of("telegram", "1", at=NOW),
            await unit.chats.tenant_of("discord", "1", at=later(9)),
        ]
    assert ids[0] == ids[2] != ids[1]


# ------------------------------------------------------------------------------------------ casts


async def test_every_field_of_a_card_comes_back(storage: Storage) -> None:
    chat = await new_chat(storage)
    card = filled(AgentCard, version=0)
    async with storage.begin() as unit:
        saved = await unit.agents.save(chat.tenant_id, card, at=NOW)
    async with storage.read() as unit:
        assert await unit.agents.all(chat.tenant_id) == [saved]
    assert saved == replace(card, version=1)


async def test_a_card_is_saved_only_over_the_version_that_was_read(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        first = await unit.agents.save(chat.tenant_id, MIRA, at=NOW)
        second = await unit.agents.save(chat.tenant_id, replace(first, tone="dry"), at=later(1))
    for stale in (MIRA, first, replace(second, version=3)):
        with pytest.raises(StaleWrite):
            async with storage.begin() as unit:
                await unit.agents.save(chat.tenant_id, stale, at=later(2))
    async with storage.read() as unit:
        assert await unit.agents.all(chat.tenant_id) == [second]
        assert await unit.agents.versions(chat.tenant_id, "mira") == [first, second]
        assert await unit.agents.versions(chat.tenant_id, "nobody") == []


async def test_of_two_admins_saving_at_once_one_is_told(storage: Storage) -> None:
    chat = await new_chat(storage)

    async def save(tone: str) -> AgentCard:
        async with storage.begin() as unit:
            return await unit.agents.save(chat.tenant_id, replace(MIRA, tone=tone), at=NOW)

    results = await asyncio.gather(save("dry"), save("warm"), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["AgentCard", "StaleWrite"]


async def test_agents_stay_in_order_of_creation_whatever_is_edited(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        for name in ("zoe", "abe", "mia"):
            await unit.agents.save(chat.tenant_id, AgentCard(id=name, name=name, version=0), at=NOW)
        await unit.agents.save(chat.tenant_id, AgentCard(id="zoe", name="Zoë", version=1), at=later(5))
        assert [card.id for card in await unit.agents.all(chat.tenant_id)] == ["zoe", "abe", "mia"]


async def test_a_removed_agent_keeps_its_versions_and_can_come_back(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        first = await unit.agents.save(chat.tenant_id, MIRA, at=NOW)
        assert await unit.agents.remove(chat.tenant_id, "mira", at=later(1))
        assert not await unit.agents.remove(chat.tenant_id, "mira", at=later(2)), "gone already"
        assert await unit.agents.removed(chat.tenant_id) == {"mira"}
        assert [card.name for card in await unit.agents.all(chat.tenant_id)] == ["Mira"]
        assert await unit.agents.versions(chat.tenant_id, "mira") == [first]
        with pytest.raises(StaleWrite):  # an edit begun before the removal does not undo it
            await unit.agents.save(chat.tenant_id, first, at=later(3))
        back = await unit.agents.save(chat.tenant_id, MIRA, at=later(4))
        assert await unit.agents.removed(chat.tenant_id) == frozenset()
        assert await unit.agents.versions(chat.tenant_id, "mira") == [first, back]


async def test_an_agent_without_a_card_here_can_be_dismissed(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        assert await unit.agents.remove(chat.tenant_id, "starter", at=NOW)
        assert not await unit.agents.remove(chat.tenant_id, "starter", at=NOW)
        assert await unit.agents.removed(chat.tenant_id) == {"starter"}
        assert await unit.agents.versions(chat.tenant_id, "starter") == []


async def test_no_tenant_sees_another_ones_things(storage: Storage) -> None:
    here, there = await new_chat(storage), await new_chat(storage, key(tenant="other"))
    async with storage.begin() as unit:
        await unit.agents.save(here.tenant_id, MIRA, at=NOW)
        await unit.agents.remove(here.tenant_id, "bo", at=NOW)
        await unit.messages.add_human(here.id, said(external_id="same"))
        await unit.messages.add_human(there.id, said("theirs", external_id="same"))
        await unit.audit.add(filled(AuditEntry, tenant_id=here.tenant_id, chat_id=here.id, actor=ANN))
        await unit.turns.add(a_turn(here))
        await unit.events.append(here.id, [happened()])
    async with storage.read() as unit:
        assert await unit.agents.all(there.tenant_id) == []
        assert await unit.agents.removed(there.tenant_id) == frozenset()
        assert await unit.agents.versions(there.tenant_id, "mira") == []
        assert [message.text for message in await unit.messages.recent(there.id, limit=9)] == ["theirs"]
        theirs = await unit.messages.by_external(there.id, "same")
        assert theirs is not None
        assert theirs.text == "theirs"
        assert await unit.audit.newest(there.tenant_id) == []
        assert await unit.turns.last(there.id) == []
        assert await unit.events.since(there.id, 0) == []
