"""The outbox on its way to a platform that refuses, asks to wait, or does not know."""

from __future__ import annotations

from orchestration.errors import AdapterError, DeliveryLater, DeliveryRefused, DeliveryUnknown
from orchestration.model import OutboxState
from tests.chats.stage import Stage, stage


async def state_after(room: Stage, *faults: AdapterError) -> OutboxState:
    room.room.fail.extend(faults)
    await room.say("Ann", "@Nova hello")
    async with room.storage.read() as uow:
        return (await uow.outbox.of_turn((await room.last_turn()).id))[0].state


async def test_a_platform_that_asks_to_wait_gets_the_reply_later() -> None:
    async with stage("Hi.") as room:
        assert await state_after(room, DeliveryLater("busy", 0.01)) is OutboxState.SENT
        assert room.transcript() == ["Nova: Hi."]


async def test_a_refusal_is_final_and_the_next_turn_is_answered() -> None:
    async with stage("Hi.") as room:
        assert await state_after(room, DeliveryRefused("no")) is OutboxState.FAILED
        assert await room.say("Ann", "@Nova hello") == ["Nova: Hi."]


async def test_an_unknown_fate_is_written_down_and_never_sent_again() -> None:
    async with stage("Hi.") as room:
        assert await state_after(room, DeliveryUnknown("cut")) is OutboxState.UNKNOWN
        await room.dispatcher.drain((await room.chat()).id)
        assert room.transcript() == []


async def test_what_a_crash_left_unposted_is_posted_at_the_next_start() -> None:
    async with stage("Hi.") as room:
        await room.say("Ann", "@Nova hello")
        turn = await room.last_turn()
        async with room.storage.begin() as uow:
            await uow.outbox.mark(f"{turn.id}:0", OutboxState.PLANNED)
        room.room.posts.clear()
        await room.dispatcher.recover(frozenset({"room"}))
        await room.dispatcher.drain(turn.chat_id)
        assert room.transcript() == ["Nova: Hi."]
