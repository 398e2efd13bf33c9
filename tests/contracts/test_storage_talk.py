"""What every storage promises about messages and events."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from orchestration.errors import StorageError
from orchestration.events import EventKind
from orchestration.model import (
    AgentCard,
    AgentTally,
    Authorship,
    GroupChat,
    IncomingMessage,
    Message,
    MessageKind,
    OutboxPart,
    OutboxState,
    Person,
    Usage,
)
from orchestration.ports import Storage, UnitOfWork
from tests.contracts.samples import ANN, MIRA, NOW, NOWHERE, a_post, filled, happened, key, later, new_chat, said

TURN = "turn:1:000000000001"


async def speak(
    unit: UnitOfWork,
    chat: GroupChat,
    text: str = "hm",
    *,
    agent: AgentCard = MIRA,
    authorship: Authorship | None = None,
) -> Message:
    return await unit.messages.add_agent(
        chat.id,
        agent=agent,
        text=text,
        turn_id=TURN,
        reply_to_seq=None,
        authorship=authorship or Authorship(),
        at=later(1),
    )


# ------------------------------------------------------------------------------------------ messages


async def test_changes_of_messages_are_found_among_all_events(storage: Storage) -> None:
    chat, other = await new_chat(storage), await new_chat(storage, key("other"))
    async with storage.begin() as unit:
        for where in (chat, other):
            for second in range(1, 7):
                kind = EventKind.MESSAGE_EDITED if second % 2 == 0 else EventKind.MESSAGE_STORED
                await unit.events.append(where.id, [happened(kind, at=later(second), content={"message_seq": second})])
    async with storage.read() as unit:
        found = await unit.events.edits(chat.id, 0, since=NOW, limit=9)
        assert [(e.chat_id, e.seq, e.content) for e in found] == [(chat.id, n, {"message_seq": n}) for n in (2, 4, 6)]
        assert [e.seq for e in await unit.events.edits(chat.id, 2, since=NOW, limit=1)] == [4]
        assert [e.seq for e in await unit.events.edits(chat.id, 0, since=later(4), limit=9)] == [4, 6]
        assert await unit.events.edits(NOWHERE, 0, since=NOW, limit=9) == []


async def test_everything_said_comes_back(storage: Storage) -> None:
    chat = await new_chat(storage)
    incoming = filled(IncomingMessage, chat=key(), reply_to=None, wants_turn=True)
    async with storage.begin() as unit:
        stored, new = await unit.messages.add_human(chat.id, incoming)
    assert new
    async with storage.read() as unit:
        assert await unit.messages.get(chat.id, 1) == stored
        assert await unit.messages.get(chat.id, 2) is None
        known = await unit.chats.get(chat.id)
    assert known is not None
    assert known.last_message_at == incoming.sent_at
    for name in ("external_id", "author", "text", "sent_at", "reply_text", "attachments"):
        assert getattr(stored, name) == getattr(incoming, name), name
    assert (stored.mentioned_agents, stored.mentioned_people) == (incoming.mentioned_agents, incoming.mentioned_people)
    assert (stored.seq, stored.kind, stored.turn_id, stored.authorship) == (1, MessageKind.HUMAN, None, None)


async def test_an_agents_message_tells_how_it_came_to_be(storage: Storage) -> None:
    chat = await new_chat(storage)
    authorship = filled(Authorship)
    async with storage.begin() as unit:
        await unit.messages.add_human(chat.id, said())
        stored = await unit.messages.add_agent(
            chat.id, agent=MIRA, text="hm", turn_id=TURN, reply_to_seq=1, authorship=authorship, at=later(1)
        )
    async with storage.read() as unit:
        assert await unit.messages.get(chat.id, 2) == stored
    assert (stored.seq, stored.kind, stored.agent_id, stored.author.name) == (2, MessageKind.AGENT, "mira", "Mira")
    assert (stored.authorship, stored.turn_id, stored.reply_to_seq) == (authorship, TURN, 1)
    assert stored.sent_at == later(1)


async def test_the_same_message_again_is_the_same_message(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        first, new = await unit.messages.add_human(chat.id, said("hello"))
        again, new_again = await unit.messages.add_human(chat.id, said("hello, changed"))
    async with storage.begin() as unit:
        later_again, new_later = await unit.messages.add_human(chat.id, said())
        second, _ = await unit.messages.add_human(chat.id, said(external_id="m2"))
    assert (new, new_again, new_later) == (True, False, False)
    assert first == again == later_again
    assert second.seq == 2


async def test_the_same_message_delivered_many_times_at_once_is_stored_once(storage: Storage) -> None:
    chat = await new_chat(storage)

    async def deliver() -> bool:
        async with storage.begin() as unit:
            return (await unit.messages.add_human(chat.id, said()))[1]

    assert sum(await asyncio.gather(*(deliver() for _ in range(8)))) == 1


async def test_twenty_writers_at_once_get_twenty_numbers_in_a_row(storage: Storage) -> None:
    chat, other = await new_chat(storage), await new_chat(storage, key("other"))

    async def write(number: int, where: GroupChat) -> tuple[int, int]:
        async with storage.begin() as unit:
            message, _ = await unit.messages.add_human(where.id, said(external_id=f"m{number}"))
            (event,) = await unit.events.append(where.id, [happened(content={"seq": message.seq})])
            return message.seq, event.seq

    numbers = await asyncio.gather(*(write(n, chat) for n in range(20)), write(0, other))
    assert sorted(numbers[:20]) == [(n, n) for n in range(1, 21)]
    assert numbers[20] == (1, 1)
    async with storage.read() as unit:
        events = await unit.events.since(chat.id, 0)
    assert [event.content["seq"] for event in events] == list(range(1, 21)), "order of events = order of commits"


async def test_a_reply_finds_the_message_it_answers(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        await unit.messages.add_human(chat.id, said())
        answer, _ = await unit.messages.add_human(chat.id, said(external_id="m2", reply_to="m1", reply_text="hello"))
        lost, _ = await unit.messages.add_human(chat.id, said(external_id="m3", reply_to="unheard", reply_text="old"))
    assert (answer.reply_to_seq, answer.reply_text) == (1, "hello")
    assert (lost.reply_to_seq, lost.reply_text) == (None, "old")


async def test_an_agents_message_is_found_by_any_part_it_was_posted_in(storage: Storage) -> None:
    chat, other = await new_chat(storage), await new_chat(storage, key("other"))
    async with storage.begin() as unit:
        message = await speak(unit, chat)
        await unit.outbox.add(a_post(chat, "reply", message_seq=message.seq))
        await unit.outbox.add(a_post(chat, "notice", message_seq=None))
        for part, external_id in enumerate(("p1", "p2")):
            await unit.outbox.save_part(
                OutboxPart(outbox_id="reply", part=part, state=OutboxState.SENT, external_id=external_id)
            )
        await unit.outbox.save_part(OutboxPart(outbox_id="notice", part=0, state=OutboxState.SENT, external_id="n1"))
        reply, _ = await unit.messages.add_human(chat.id, said(reply_to="p2"))
    assert reply.reply_to_seq == message.seq
    async with storage.read() as unit:
        assert await unit.messages.by_external(chat.id, "p1") == message
        assert await unit.messages.by_external(chat.id, "p2") == message
        assert await unit.messages.by_external(chat.id, "n1") is None, "a notice is no message"
        assert await unit.messages.by_external(chat.id, "p3") is None
        assert await unit.messages.by_external(other.id, "p1") is None


async def test_recent_messages_come_oldest_first_without_deleted_ones(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        for number in range(1, 8):
            await unit.messages.add_human(chat.id, said(external_id=f"m{number}"))
        await unit.messages.delete(chat.id, "m6", at=NOW)

        async def seqs(**how: int) -> list[int]:
            return [message.seq for message in await unit.messages.recent(chat.id, **how)]

        assert await seqs(limit=3) == [4, 5, 7]
        assert await seqs(limit=3, before_seq=7) == [3, 4, 5]
        assert await seqs(limit=99, before_seq=3) == [1, 2]
        assert await seqs(limit=5, before_seq=1) == []
        assert [message.seq for message in await unit.messages.range(chat.id, 5, 99)] == [5, 6, 7]
        assert [message.seq for message in await unit.messages.range(chat.id, 3, 4)] == [3, 4]


async def test_an_edit_changes_the_text_and_says_when(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        stored, _ = await unit.messages.add_human(chat.id, said("teh trip"))
        edited = await unit.messages.edit(chat.id, "m1", text="the trip", at=later(5))
        assert edited == replace(stored, text="the trip", edited_at=later(5))
        assert await unit.messages.edit(chat.id, "m1", text="the trip", at=later(6)) is None, "the same text"
        assert await unit.messages.edit(chat.id, "m9", text="?", at=later(6)) is None, "unknown"
    async with storage.read() as unit:
        assert await unit.messages.get(chat.id, 1) == edited


async def test_a_deleted_message_is_a_tombstone_for_good(storage: Storage) -> None:
    chat = await new_chat(storage)
    incoming = filled(IncomingMessage, chat=key(), external_id="m1", reply_to=None)
    async with storage.begin() as unit:
        await unit.messages.add_human(chat.id, incoming)
        gone = await unit.messages.delete(chat.id, "m1", at=later(5))
        assert gone is not None
        assert (gone.seq, gone.text, gone.reply_text, gone.attachments) == (1, "", "", ())
        assert gone.deleted_at == later(5)
        assert await unit.messages.delete(chat.id, "m1", at=later(6)) is None, "gone already"
        assert await unit.messages.delete(chat.id, "m9", at=later(6)) is None, "unknown"
        assert await unit.messages.edit(chat.id, "m1", text="back?", at=later(7)) is None
        again, new = await unit.messages.add_human(chat.id, incoming)
        assert (again, new) == (gone, False), "delivered again it stays gone"
        assert await unit.messages.range(chat.id, 1, 1) == [gone]


async def test_a_reply_written_anew_takes_the_old_ones_place(storage: Storage) -> None:
    chat = await new_chat(storage)
    better = filled(Authorship)
    async with storage.begin() as unit:
        old = await speak(unit, chat)
        await unit.messages.replace_text(chat.id, old.seq, text="better", authorship=better, at=later(9))
        now = await unit.messages.get(chat.id, old.seq)
    assert now == replace(old, text="better", authorship=better, edited_at=later(9))
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.messages.replace_text(chat.id, 99, text="x", authorship=better, at=NOW)


async def test_a_reply_taken_back_is_a_tombstone(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        old = await speak(unit, chat)
        await unit.messages.withdraw(chat.id, old.seq, at=later(9))
        await unit.messages.withdraw(chat.id, old.seq, at=later(10))
        assert await unit.messages.get(chat.id, old.seq) == replace(old, text="", deleted_at=later(9))
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.messages.withdraw(chat.id, 99, at=NOW)


async def test_messages_that_still_want_their_turn(storage: Storage) -> None:
    chat, other = await new_chat(storage), await new_chat(storage, key("other"))
    async with storage.begin() as unit:
        await unit.messages.add_human(other.id, said(external_id="o1"))
        for number in range(1, 6):
            await unit.messages.add_human(chat.id, said(external_id=f"m{number}", wants_turn=number != 2))
        await speak(unit, chat)
        await unit.messages.set_turn(chat.id, 3, TURN)
        await unit.messages.delete(chat.id, "m4", at=NOW)
        wanting = await unit.messages.without_turn()
        assert [(message.chat_id, message.seq) for message in wanting] == [(chat.id, 1), (chat.id, 5), (other.id, 1)]
        assert [message.seq for message in await unit.messages.without_turn(limit=2)] == [1, 5]
        third = await unit.messages.get(chat.id, 3)
    assert third is not None
    assert third.turn_id == TURN
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.messages.set_turn(chat.id, 99, TURN)


async def test_what_each_agent_said_is_counted(storage: Storage) -> None:
    chat = await new_chat(storage)
    usage = Usage(calls=1, prompt_tokens=10, completion_tokens=5, cost=0.25)
    bo = replace(MIRA, id="bo", name="Bo")
    async with storage.begin() as unit:
        await unit.messages.add_human(chat.id, said())
        await speak(unit, chat, authorship=Authorship(usage=usage, quality=0.5))
        await speak(unit, chat, authorship=Authorship(usage=replace(usage, estimated=True), quality=1.0))
        await speak(unit, chat)
        await speak(unit, chat, agent=bo)
        gone = await speak(unit, chat, agent=replace(MIRA, id="cy"))
        await unit.messages.withdraw(chat.id, gone.seq, at=NOW)
        tallies = await unit.messages.tally(chat.id)
    summed = Usage(calls=2, prompt_tokens=20, completion_tokens=10, cost=0.5, estimated=True)
    assert tallies == [
        AgentTally(agent_id="bo", replies=1),
        AgentTally(agent_id="mira", replies=3, quality=0.75, usage=summed),
    ]


async def test_nothing_is_said_in_a_chat_that_does_not_exist(storage: Storage) -> None:
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.messages.add_human(NOWHERE, said())
    async with storage.read() as unit:
        assert await unit.messages.recent(NOWHERE, limit=9) == []
        assert await unit.messages.by_external(NOWHERE, "m1") is None


async def test_a_hundred_thousand_characters(storage: Storage) -> None:
    chat = await new_chat(storage)
    text = "火" * 100_000
    async with storage.begin() as unit:
        await unit.messages.add_human(chat.id, said(text, author=Person(id=ANN.id, name="{x} {{char}} %s ';--")))
    async with storage.read() as unit:
        stored = await unit.messages.get(chat.id, 1)
    assert stored is not None
    assert stored.text == text
    assert stored.author.name == "{x} {{char}} %s ';--"


# ------------------------------------------------------------------------------------------ events


async def test_events_are_numbered_and_come_back_whole(storage: Storage) -> None:
    chat, other = await new_chat(storage), await new_chat(storage, key("other"))
    content = {"seq": 1, "text": "火", "nested": {"list": [1, 2.5, None, True]}}
    async with storage.begin() as unit:
        assert await unit.events.append(chat.id, []) == []
        first = await unit.events.append(
            chat.id,
            [
                happened(EventKind.TURN_STARTED, turn_id=TURN, trace_id="t", block_id=f"{TURN}:0", content=content),
                happened(EventKind.DEGRADED),
            ],
        )
        (third,) = await unit.events.append(chat.id, [happened(EventKind.TURN_FINISHED, turn_id=TURN, at=later(2))])
        await unit.events.append(other.id, [happened()])
    assert [event.seq for event in (*first, third)] == [1, 2, 3]
    assert (first[0].content, first[0].block_id, first[0].trace_id) == (content, f"{TURN}:0", "t")
    async with storage.read() as unit:
        assert await unit.events.since(chat.id, 0) == [*first, third]
        assert await unit.events.since(chat.id, 1, limit=1) == [first[1]]
        assert await unit.events.since(chat.id, 3) == []
        assert await unit.events.of_turn(TURN) == [first[0], third]
        assert await unit.events.of_turn("turn:9:9") == []
        assert [await unit.events.newest(number) for number in (chat.id, other.id, NOWHERE)] == [3, 1, 0]
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.events.append(NOWHERE, [happened()])
