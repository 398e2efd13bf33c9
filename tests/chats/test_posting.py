"""The outbox on its way to a platform that refuses, asks to wait, or does not know."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver

from orchestration.errors import AdapterError, DeliveryLater, DeliveryRefused, DeliveryUnknown
from orchestration.events import EventKind
from orchestration.model import OutboxItem, OutboxKind, OutboxState, Person
from orchestration.turns import TurnStatus
from tests.chats.stage import Stage, stage
from tests.model_server import Reply, Request


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


async def test_what_is_known_of_a_turn_does_not_wait_for_a_slow_platform() -> None:
    async with stage("Good evening.") as room:
        room.room.fail = [DeliveryLater("busy", 2.5)]
        await room.tell("Ann", "@Nova hello")
        async with asyncio.timeout(10):
            while (await room.last_turn()).status is not TurnStatus.FINISHED:  # noqa: ASYNC110
                await asyncio.sleep(0.02)
        turn = await room.last_turn()
        assert room.transcript() == []
        assert turn.usage.calls == 1
        assert turn.spans
        assert turn.finished_at is None
        await room.line.idle()
        assert room.transcript() == ["Nova: Good evening."]
        assert (await room.last_turn()).finished_at is not None
        assert room.kinds(turn.id)[-1] is EventKind.TURN_FINISHED


async def test_a_turn_that_a_crash_left_undelivered_is_posted_and_ended_without_thinking_again() -> None:
    async with stage("Good evening.") as room:
        received = await room.tell("Ann", "@Nova hello")
        await room.line.idle()
        assert received.turn_id is not None
        async with room.storage.begin() as uow:  # as if the process had died between the post and the turn's end
            turn = await uow.turns.get(received.turn_id)
            assert turn is not None
            await uow.turns.save(replace(turn, status=TurnStatus.RUNNING, finished_at=None))
        await room.runner.answer(received.turn_id, 0)
        assert room.server.count == 1
        assert room.transcript() == ["Nova: Good evening."]
        assert (await room.last_turn()).status is TurnStatus.FINISHED


async def test_a_reply_that_another_process_published_meanwhile_is_not_published_again() -> None:
    async with stage(Reply(text="Mine.", delay_s=0.3)) as room:
        received = await room.tell("Ann", "@Nova hello")
        await room.server.wait_for(1)
        chat, turn = await room.chat(), await room.last_turn()
        theirs = OutboxItem(
            id=f"{turn.id}:0", chat_id=chat.id, kind=OutboxKind.REPLY, text="Theirs.", created_at=room.time(),
            turn_id=turn.id, agent_id="nova",
        )  # fmt: skip
        async with room.storage.begin() as uow:
            await uow.outbox.add(theirs)
        await room.line.idle()
        assert room.transcript() == ["Nova: Theirs."]
        async with room.storage.read() as uow:
            said = [m.text for m in await uow.messages.recent(chat.id, limit=9) if m.agent_id]
        assert said == []  # the other process stored its own
        assert received.turn_id == turn.id
        assert (await room.last_turn()).status is TurnStatus.FINISHED


async def test_a_crash_while_a_reply_is_being_posted_asks_nobody_again_who_should_speak() -> None:
    def script(request: Request) -> str:
        return (
            '{"intent": "go", "agents": ["a1"], "mode": "s", "sure": 90}' if '"agents"' in request.system else "Well."
        )

    async with stage(script, router=True) as room:
        room.room.fail = [DeliveryLater("busy", 0.7)]
        received = await room.tell("Ann", "I wonder whether that could work out somehow")
        async with asyncio.timeout(10):
            while not [e for e in room.events if e.kind is EventKind.REPLY_WRITTEN]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await room.line.crash()
        assert received.turn_id is not None
        assert (await room.last_turn()).status is TurnStatus.RUNNING
        calls = room.server.count
        await room.runner.answer(received.turn_id, 0)
        assert room.server.count == calls == 2
        assert len(room.transcript()) == 1
        assert (await room.last_turn()).status is TurnStatus.FINISHED


async def test_a_crash_while_a_reply_written_anew_is_posted_writes_it_no_third_time() -> None:
    async with stage("First.") as room:
        await room.say("Ann", "@Nova hello")
        old = await room.last_turn()
        room.server.script("Second.")
        room.room.fail = [DeliveryLater("busy", 0.7)]
        again = await room.hands.regenerate((await room.chat()).id, f"{old.id}:0", Person(id="room:Ann", name="Ann"))
        async with asyncio.timeout(10):
            while not [e for e in room.events if e.kind is EventKind.REPLY_WRITTEN and e.turn_id == again]:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
        await room.line.crash()
        await room.runner.answer(again, 0)
        async with room.storage.read() as uow:
            turn = await uow.turns.get(again)
        assert room.server.count == 2
        assert room.transcript() == ["Nova: Second."]
        assert turn is not None
        assert turn.status is TurnStatus.FINISHED


class Halting(InMemorySaver):
    """Stands still between the writes of the first reply and the checkpoint after it, as long as it is armed."""

    def __init__(self) -> None:
        super().__init__()
        self.armed = True
        self.reached = asyncio.Event()
        self._drafted = False

    async def aput_writes(self, config: Any, writes: Any, task_id: str, task_path: str = "") -> None:
        await super().aput_writes(config, writes, task_id, task_path)
        self._drafted |= any(channel == "drafts" for channel, _ in writes)

    async def aput(self, config: Any, checkpoint: Any, metadata: Any, new_versions: Any) -> Any:
        if self.armed and self._drafted:
            self.reached.set()
            await asyncio.Event().wait()
        return await super().aput(config, checkpoint, metadata, new_versions)


async def test_a_crash_between_a_node_and_its_checkpoint_leaves_the_others_their_turn() -> None:
    saver = Halting()
    async with stage("Well.", saver=saver) as room:
        received = await room.tell("Ann", "@Nova @Ben discuss the soup, one after the other")
        async with asyncio.timeout(10):
            await saver.reached.wait()
        await room.line.crash()
        saver.armed = False
        assert received.turn_id is not None
        await room.runner.answer(received.turn_id, 0)
        assert room.transcript() == ["Nova: Well.", "Ben: Well."]
        assert room.server.count == 2
