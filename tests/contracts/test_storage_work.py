"""What every storage promises about turns, sessions, the outbox, the inbox, audit and platform state."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from orchestration.decisions import DecidedBy
from orchestration.errors import StaleWrite, StorageError
from orchestration.events import Json
from orchestration.model import AuditEntry, OutboxItem, OutboxPart, OutboxState, Usage
from orchestration.ports import InboxRow, Storage
from orchestration.sessions import Session, SessionState
from orchestration.turns import TurnRecord, TurnStatus, TurnTally
from tests.contracts.samples import ANN, NOW, NOWHERE, a_post, a_turn, filled, happened, key, later, new_chat

# ------------------------------------------------------------------------------------------ turns


async def test_every_field_of_a_turn_comes_back(storage: Storage) -> None:
    chat = await new_chat(storage)
    turn = filled(TurnRecord, chat_id=chat.id, tenant_id=chat.tenant_id, message_seqs=(1, 2), version=0)
    async with storage.begin() as unit:
        assert await unit.turns.add(turn)
        assert not await unit.turns.add(replace(turn, reason="other")), "a turn of this id exists"
    async with storage.read() as unit:
        assert await unit.turns.get(turn.id) == turn
        assert await unit.turns.get("turn:9:9") is None


async def test_a_turn_without_any_decision_comes_back(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        await unit.turns.add(a_turn(chat))
        assert await unit.turns.get(a_turn(chat).id) == a_turn(chat)


async def test_a_turn_is_saved_only_over_the_version_that_was_read(storage: Storage) -> None:
    chat = await new_chat(storage)
    turn = a_turn(chat)
    full = filled(TurnRecord, id=turn.id, chat_id=chat.id, tenant_id=chat.tenant_id, message_seqs=(1,), version=0)
    async with storage.begin() as unit:
        await unit.turns.add(turn)
        saved = await unit.turns.save(full)
        assert saved == replace(full, version=1)
    for stale in (turn, replace(saved, version=2), a_turn(chat, 99)):
        with pytest.raises(StaleWrite):
            async with storage.begin() as unit:
                await unit.turns.save(stale)
    async with storage.read() as unit:
        assert await unit.turns.get(turn.id) == saved


async def test_of_workers_saving_one_turn_at_once_one_succeeds(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        await unit.turns.add(a_turn(chat))

    async def save(reason: str) -> TurnRecord:
        async with storage.begin() as unit:
            return await unit.turns.save(a_turn(chat, reason=reason))

    results = await asyncio.gather(*(save(reason) for reason in "abc"), return_exceptions=True)
    assert sorted(type(result).__name__ for result in results) == ["StaleWrite", "StaleWrite", "TurnRecord"]


async def test_newest_turns_first_and_unfinished_ones_in_order(storage: Storage) -> None:
    other, chat = await new_chat(storage, key("other")), await new_chat(storage)
    async with storage.begin() as unit:
        for seq, status in ((7, TurnStatus.RUNNING), (3, TurnStatus.QUEUED), (5, TurnStatus.FINISHED)):
            await unit.turns.add(a_turn(chat, seq, status=status, created_at=later(seq)))
        await unit.turns.add(a_turn(chat, 6, status=TurnStatus.CLARIFYING, created_at=later(7)))
        await unit.turns.add(a_turn(other, 9))
        assert [turn.seq for turn in await unit.turns.last(chat.id)] == [7]
        assert [turn.seq for turn in await unit.turns.last(chat.id, limit=9)] == [7, 6, 5, 3]
        unfinished = [(turn.chat_id, turn.seq) for turn in await unit.turns.unfinished()]
    assert unfinished == [(other.id, 9), (chat.id, 3), (chat.id, 7)]


async def test_turns_are_counted(storage: Storage) -> None:
    chat = await new_chat(storage)
    usage = Usage(calls=2, prompt_tokens=30, completion_tokens=4, cost=0.5)
    async with storage.begin() as unit:
        assert await unit.turns.tally(chat.id) == TurnTally()
        await unit.turns.add(a_turn(chat, 1, status=TurnStatus.FINISHED, decided_by=DecidedBy.RULE, usage=usage))
        await unit.turns.add(a_turn(chat, 2, status=TurnStatus.FINISHED, decided_by=DecidedBy.MODEL, usage=usage))
        await unit.turns.add(
            a_turn(chat, 3, status=TurnStatus.FAILED, decided_by=DecidedBy.RULE, degradation=("graph",))
        )
        await unit.turns.add(a_turn(chat, 4))
        tally = await unit.turns.tally(chat.id)
    assert tally == TurnTally(
        turns=4,
        by_status={"finished": 2, "failed": 1, "queued": 1},
        by_decider={"rule": 2, "model": 1},
        degraded=1,
        usage=usage + usage,
    )


async def test_a_turn_needs_its_chat(storage: Storage) -> None:
    chat = await new_chat(storage)
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.turns.add(replace(a_turn(chat), chat_id=NOWHERE))


# ------------------------------------------------------------------------------------------ sessions


async def test_a_chat_begins_with_a_fresh_session(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.read() as unit:
        assert await unit.sessions.get(chat.id) == Session(chat_id=chat.id)


async def test_every_field_of_a_session_comes_back(storage: Storage) -> None:
    chat = await new_chat(storage)
    session = filled(Session, chat_id=chat.id, version=0)
    async with storage.begin() as unit:
        saved = await unit.sessions.save(session)
        again = await unit.sessions.save(replace(saved, pending=None, sticky=(), state=SessionState.IDLE))
    assert (saved, again.version) == (replace(session, version=1), 2)
    async with storage.read() as unit:
        assert await unit.sessions.get(chat.id) == again
    async with storage.begin() as unit:
        full = await unit.sessions.save(replace(session, version=2))
    async with storage.read() as unit:
        assert await unit.sessions.get(chat.id) == full


async def test_a_session_is_saved_only_over_the_version_that_was_read(storage: Storage) -> None:
    chat = await new_chat(storage)
    fresh = Session(chat_id=chat.id)
    with pytest.raises(StaleWrite):
        async with storage.begin() as unit:
            await unit.sessions.save(replace(fresh, version=1))
    async with storage.begin() as unit:
        await unit.sessions.save(fresh)
    with pytest.raises(StaleWrite):
        async with storage.begin() as unit:
            await unit.sessions.save(fresh)


async def test_no_update_is_lost_among_many_writers(storage: Storage) -> None:
    chat = await new_chat(storage)

    async def count() -> None:
        while True:
            async with storage.read() as unit:
                session = await unit.sessions.get(chat.id)
            failed = session.degradation.failed_turns + 1
            try:
                async with storage.begin() as unit:
                    await unit.sessions.save(
                        replace(session, degradation=replace(session.degradation, failed_turns=failed))
                    )
            except StaleWrite:
                continue
            return

    async with asyncio.timeout(60):
        await asyncio.gather(*(count() for _ in range(6)))
    async with storage.read() as unit:
        session = await unit.sessions.get(chat.id)
    assert (session.degradation.failed_turns, session.version) == (6, 6)


# ------------------------------------------------------------------------------------------ outbox


async def test_every_field_of_an_outbox_item_comes_back(storage: Storage) -> None:
    chat = await new_chat(storage)
    item = filled(OutboxItem, chat_id=chat.id)
    async with storage.begin() as unit:
        assert await unit.outbox.add(item)
        assert not await unit.outbox.add(replace(item, text="other")), "an item of this id exists"
        assert await unit.outbox.add(a_post(chat))
    async with storage.read() as unit:
        assert await unit.outbox.get(item.id) == item
        assert await unit.outbox.get("o:1") == a_post(chat)
        assert await unit.outbox.get("o:9") is None


async def test_open_items_leave_in_order_of_chat_and_creation(storage: Storage) -> None:
    one, two = await new_chat(storage, key("one")), await new_chat(storage, key("two"))
    async with storage.begin() as unit:
        for chat, id in ((two, "z"), (one, "y"), (two, "b"), (one, "a"), (one, "c")):
            await unit.outbox.add(a_post(chat, id, turn_id=f"turn:{chat.id}"))
        assert [item.id for item in await unit.outbox.open()] == ["y", "a", "c", "z", "b"]
        await unit.outbox.mark("y", OutboxState.SENT)
        await unit.outbox.mark("a", OutboxState.SENDING)
        await unit.outbox.mark("c", OutboxState.FAILED, error="refused")
        assert [item.id for item in await unit.outbox.open(one.id)] == ["a"]
        assert [item.id for item in await unit.outbox.of_turn(f"turn:{one.id}")] == ["y", "a", "c"]
        failed = await unit.outbox.get("c")
    assert failed is not None
    assert (failed.state, failed.error) == (OutboxState.FAILED, "refused")
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.outbox.mark("never", OutboxState.SENT)


async def test_a_rewritten_item_is_planned_again(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        await unit.outbox.add(a_post(chat))
        await unit.outbox.mark("o:1", OutboxState.FAILED, error="refused")
        anew = await unit.outbox.rewrite("o:1", "better")
        assert anew == a_post(chat, text="better", revision=1)
        assert await unit.outbox.open(chat.id) == [anew]
        assert await unit.outbox.rewrite("never", "x") is None


async def test_the_journal_of_parts_is_replaced_part_by_part(storage: Storage) -> None:
    chat = await new_chat(storage)
    first, second = (filled(OutboxPart, outbox_id="o:1", part=part) for part in (0, 1))
    async with storage.begin() as unit:
        await unit.outbox.add(a_post(chat))
        await unit.outbox.save_part(second)
        await unit.outbox.save_part(replace(first, state=OutboxState.SENDING, external_id=None))
    async with storage.begin() as unit:
        await unit.outbox.save_part(first)
    async with storage.read() as unit:
        assert await unit.outbox.parts("o:1") == [first, second]
        assert await unit.outbox.parts("o:2") == []
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.outbox.save_part(replace(first, outbox_id="never"))


async def test_writers_that_go_the_opposite_way_round_do_not_block_each_other(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        await unit.turns.add(a_turn(chat))
        await unit.outbox.add(a_post(chat))

    async def post_first() -> None:
        async with storage.begin() as unit:
            await unit.outbox.mark("o:1", OutboxState.SENDING)
            await asyncio.sleep(0)
            await unit.events.append(chat.id, [happened()])

    async def event_first() -> None:
        async with storage.begin() as unit:
            await unit.events.append(chat.id, [happened()])
            await asyncio.sleep(0)
            await unit.outbox.mark("o:1", OutboxState.SENT)

    await asyncio.gather(*(write() for _ in range(5) for write in (post_first, event_first)))
    async with storage.read() as unit:
        assert len(await unit.events.since(chat.id, 0)) == 10


# ------------------------------------------------------------------------------------------ inbox


def update(number: int, raw: str = "{}", source: str = "telegram:1") -> InboxRow:
    return InboxRow(source=source, update_id=number, raw=raw)


async def test_updates_are_kept_once_until_they_are_done(storage: Storage) -> None:
    async with storage.begin() as unit:
        assert await unit.inbox.last_id("telegram:1") is None
        assert await unit.inbox.add([]) == 0
        assert await unit.inbox.add([update(12), update(11), update(12, "again")]) == 2
        assert await unit.inbox.add([update(12, "again"), update(13), update(11, source="telegram:2")]) == 2
        assert await unit.inbox.last_id("telegram:1") == 13
        await unit.inbox.done("telegram:1", 11)
        await unit.inbox.done("telegram:1", 12, poison=True)
    async with storage.begin() as unit:
        assert await unit.inbox.pending("telegram:1") == [update(13)]
        assert await unit.inbox.pending("telegram:2") == [update(11, source="telegram:2")]
        assert await unit.inbox.add([update(11), update(12), update(13)]) == 0, "known, whatever became of them"
        assert await unit.inbox.last_id("telegram:1") == 13
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.inbox.done("telegram:1", 99)


async def test_updates_of_long_ago_are_forgotten_but_never_open_ones_nor_the_newest(storage: Storage) -> None:
    async with storage.begin() as unit:
        await unit.inbox.add([update(number) for number in range(1, 7)])
        await unit.inbox.add([update(1, source="telegram:2")])
        for number in (1, 3, 4, 5, 6):
            await unit.inbox.done("telegram:1", number, poison=number == 3)
        await unit.inbox.done("telegram:2", 1)
        assert await unit.inbox.clear(keep=2) == 3
        assert await unit.inbox.clear(keep=2) == 0
        assert await unit.inbox.pending("telegram:1") == [update(2)]
        assert await unit.inbox.last_id("telegram:2") == 1
        again = [update(number) for number in (1, 2, 3, 5, 6)]
        assert await unit.inbox.add(again) == 2, "1 and 3 went, the others are known"


async def test_pending_updates_come_oldest_first_and_limited(storage: Storage) -> None:
    async with storage.begin() as unit:
        stored = await unit.inbox.add([update(number) for number in range(2_000_000_000_000, 2_000_000_001_200)])
        assert stored == 1200
        first = await unit.inbox.pending("telegram:1", limit=3)
    assert [row.update_id - 2_000_000_000_000 for row in first] == [0, 1, 2]


# ------------------------------------------------------------------------------------------ platform state


@pytest.mark.parametrize("value", [None, True, 0, 2.5, "火", [1, [2]], {"a": {"b": None}}])
async def test_any_json_value_comes_back(storage: Storage, value: Json) -> None:
    async with storage.begin() as unit:
        await unit.platform_state.put("discord", "k", "before")
        await unit.platform_state.put("discord", "k", value)
    async with storage.read() as unit:
        assert await unit.platform_state.get("discord", "k") == value
        assert await unit.platform_state.items("discord") == {"k": value}
        assert await unit.platform_state.get("telegram", "k") is None


async def test_items_are_found_by_exact_prefix_in_order(storage: Storage) -> None:
    keys = ["b:2", "a:%", "a:1", "A:1", "a:_x", "a", "a:火", "a;", "ab"]
    async with storage.begin() as unit:
        for name in keys:
            await unit.platform_state.put("s", name, name)
        await unit.platform_state.put("other", "a:other", 1)
        assert list(await unit.platform_state.items("s", prefix="a:")) == ["a:%", "a:1", "a:_x", "a:火"]
        assert list(await unit.platform_state.items("s")) == sorted(keys)
        await unit.platform_state.delete("s", "a:1")
        await unit.platform_state.delete("s", "never")
        assert await unit.platform_state.items("s", prefix="a:1") == {}


async def test_of_many_who_put_at_once_one_is_first(storage: Storage) -> None:
    async def claim(number: int) -> bool:
        async with storage.begin() as unit:
            return await unit.platform_state.put_if_absent("s", "k", number)

    results = await asyncio.gather(*(claim(number) for number in range(8)))
    assert sum(results) == 1
    async with storage.read() as unit:
        assert await unit.platform_state.get("s", "k") == results.index(True)


async def test_what_is_no_json_is_refused(storage: Storage) -> None:
    not_json: Any = {"when": NOW}
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.platform_state.put("s", "k", not_json)


# ------------------------------------------------------------------------------------------ audit


async def test_audit_newest_first(storage: Storage) -> None:
    chat = await new_chat(storage)
    entry = filled(AuditEntry, tenant_id=chat.tenant_id, chat_id=chat.id, actor=ANN)
    entries = [replace(entry, target=str(n), chat_id=chat.id if n else None) for n in range(4)]
    async with storage.begin() as unit:
        for each in entries:
            await unit.audit.add(each)
    async with storage.read() as unit:
        assert await unit.audit.newest(chat.tenant_id) == entries[::-1]
        assert await unit.audit.newest(chat.tenant_id, limit=1) == entries[3:]
        assert await unit.audit.newest(NOWHERE) == []
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.audit.add(replace(entry, tenant_id=NOWHERE))
