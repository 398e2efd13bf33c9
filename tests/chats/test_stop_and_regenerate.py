"""/stop in its two kinds, regenerate, remove, deletion while a turn runs."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from orchestration.events import Event, EventKind, NewEvent
from orchestration.model import Person
from orchestration.publish import published, unfinished
from orchestration.sessions import SessionState, StopKind
from orchestration.settings import TurnSettings
from orchestration.turns import TurnStatus
from tests.chats.stage import ROOM, stage
from tests.model_server import Reply, Request, Rule

ANN = Person(id="room:Ann", name="Ann")


async def test_a_soft_stop_lets_the_reply_being_written_stand_and_nothing_more_start() -> None:
    async with stage(Reply(text="One.", delay_s=0.3)) as room:
        await room.tell("Ann", "@Nova @Ben discuss numbers, one after the other")
        await room.server.wait_for(1)
        chat = await room.chat()
        assert await room.hands.stop(chat.id, StopKind.SOFT)
        await room.line.idle()
        assert room.transcript() == ["Nova: One."]
        assert (await room.last_turn()).status is TurnStatus.STOPPED


async def test_a_hard_stop_drops_the_request_and_frees_the_chat() -> None:
    async with stage("fault:hang", timeout_s=60) as room:
        await room.tell("Ann", "@Nova hello")
        await room.server.wait_for(1)
        chat = await room.chat()
        assert await room.hands.stop(chat.id, StopKind.HARD)
        async with asyncio.timeout(5):
            await room.line.idle()
            await room.server.until(lambda: room.server.cancelled == 1)
        turn = await room.last_turn()
        async with room.storage.read() as uow:
            session = await uow.sessions.get(chat.id)
        assert turn.status is TurnStatus.STOPPED
        assert session.state is SessionState.IDLE
        room.server.script("Hello.")
        room.time.pass_(60)
        assert await room.say("Ann", "@Nova again") == ["Nova: Hello."]


async def test_a_hard_stop_heard_by_another_process_drops_the_request_here() -> None:
    async with stage("fault:hang", timeout_s=60, settings=TurnSettings(watch_s=0.02)) as room:
        await room.tell("Ann", "@Nova hello")
        await room.server.wait_for(1)
        async with room.storage.begin() as uow:  # what the other process writes
            turn = (await uow.turns.last((await room.chat()).id))[0]
            await uow.turns.save(replace(turn, stop=StopKind.HARD))
        async with asyncio.timeout(5):
            await room.line.idle()
            await room.server.until(lambda: room.server.cancelled == 1)
        assert (await room.last_turn()).status is TurnStatus.STOPPED


async def test_a_further_line_heard_by_another_process_begins_the_turn_again_here() -> None:
    async with stage(Reply(text="Well.", delay_s=0.3), settings=TurnSettings(watch_s=0.02)) as room:
        await room.tell("Ann", "@Nova hello")
        await room.server.wait_for(1)
        async with room.storage.begin() as uow:
            turn = (await uow.turns.last((await room.chat()).id))[0]
            await uow.turns.save(replace(turn, generation=turn.generation + 1))
        await room.line.idle()
        assert room.transcript() == ["Nova: Well."]
        assert room.server.cancelled == 1


@pytest.mark.parametrize("kind", list(StopKind))
async def test_a_stop_is_heard_while_the_turn_is_just_beginning(kind: StopKind) -> None:
    async with stage() as room:

        def at_once(event: Event) -> None:
            if event.kind is EventKind.TURN_STARTED and event.turn_id is not None:
                room.runner.stop(event.turn_id, kind)

        room.bus.subscribe(at_once)
        assert await room.say("Ann", "@Nova hello") == []
        assert (await room.last_turn()).status is TurnStatus.STOPPED
        assert room.server.count == 0


async def test_a_soft_stop_asked_of_another_process_is_kept() -> None:
    async with stage(Reply(text="One.", delay_s=0.3)) as room:
        await room.tell("Ann", "@Nova @Ben discuss numbers, one after the other")
        await room.server.wait_for(1)
        async with room.storage.begin() as uow:
            await uow.turns.save(replace((await uow.turns.last((await room.chat()).id))[0], stop=StopKind.SOFT))
        await room.line.idle()
        assert room.transcript() == ["Nova: One."]
        assert (await room.last_turn()).status is TurnStatus.STOPPED


@pytest.mark.parametrize("said", [0, 1])
async def test_a_crash_after_a_soft_stop_does_not_lose_the_reply_that_was_being_written(said: int) -> None:
    async with stage([Rule(reply=Reply(text="Well."), times=said), "fault:hang"], timeout_s=60) as room:
        received = await room.tell("Ann", "@Nova @Ben @Mira discuss numbers, one after the other")
        await room.server.wait_for(said + 1)
        assert await room.hands.stop((await room.chat()).id, StopKind.SOFT)
        await room.line.crash()
        room.server.script("Last words.")
        assert received.turn_id is not None
        await room.runner.answer(received.turn_id, 0)
        turn = await room.last_turn()
    everything = ["Nova: Well.", "Ben: Last words."] if said else ["Nova: Last words."]
    assert room.transcript() == everything
    assert turn.status is TurnStatus.STOPPED
    assert room.kinds(turn.id)[-1] is EventKind.TURN_FINISHED


async def test_after_a_soft_stop_nobody_is_asked_whom_they_meant() -> None:
    asked, go = asyncio.Event(), asyncio.Event()

    async def unsure(_: Request) -> Any:
        asked.set()
        await go.wait()
        return {"intent": "cc", "mode": "s", "sure": 20, "agents": ["a1"]}

    async with stage(unsure, router=True, timeout_s=60) as room:
        await room.tell("Ann", "hmm I wonder whether that could work out somehow")
        await asyncio.wait_for(asked.wait(), 30)
        assert await room.hands.stop((await room.chat()).id, StopKind.SOFT)
        go.set()
        await room.line.idle()
        turn = await room.last_turn()
    assert room.transcript() == []
    assert (turn.status, turn.degradation) == (TurnStatus.STOPPED, ())


async def test_a_reply_begun_before_a_further_line_joined_is_none_that_was_being_written() -> None:
    async with stage("Well.") as room:
        await room.say("Ann", "@Nova hello")
        turn = await room.last_turn()

        def event(kind: EventKind, idx: int | None = None) -> NewEvent:
            return NewEvent(
                kind=kind,
                at=room.time(),
                turn_id=turn.id,
                block_id="" if idx is None else f"{turn.id}:{idx}",
                content={},
            )

        async with room.storage.begin() as uow:
            await uow.events.append(
                turn.chat_id, [event(EventKind.REPLY_STARTED, 1), event(EventKind.REPLY_STARTED, 2)]
            )
            assert await unfinished(uow, turn, await published(uow, turn)) == {1, 2}
            await uow.events.append(turn.chat_id, [event(EventKind.REPLY_DROPPED, 2)])
            assert await unfinished(uow, turn, await published(uow, turn)) == {1}
            await uow.events.append(turn.chat_id, [event(EventKind.MESSAGE_MERGED)])
            assert await unfinished(uow, turn, await published(uow, turn)) == frozenset()


async def test_a_crash_after_a_hard_stop_leaves_the_turn_stopped() -> None:
    async with stage("fault:hang", timeout_s=60) as room:
        received = await room.tell("Ann", "@Nova hello")
        await room.server.wait_for(1)
        async with room.storage.begin() as uow:
            await uow.turns.save(replace(await room.last_turn(), stop=StopKind.HARD))
        await room.line.crash()
        assert received.turn_id is not None
        await room.runner.answer(received.turn_id, 0)
        assert (await room.last_turn()).status is TurnStatus.STOPPED
    assert room.server.count == 1
    assert room.transcript() == []


async def test_a_stop_also_ends_turns_that_wait() -> None:
    async with stage(Reply(text="One.", delay_s=0.3)) as room:
        running = await room.tell("Ann", "@Nova hello")
        waiting = await room.tell("Bob", "@Nova hello")
        await room.server.wait_for(1)
        await room.hands.stop((await room.chat()).id, StopKind.HARD)
        await room.line.idle()
        assert room.transcript() == []
        for received in (running, waiting):
            assert received.turn_id is not None
            assert room.kinds(received.turn_id)[-1] is EventKind.TURN_FINISHED
            assert room.kinds(received.turn_id).count(EventKind.TURN_FINISHED) == 1


async def test_nothing_to_stop_is_said() -> None:
    async with stage() as room:
        await room.say("Ann", "@Nova hello")
        assert not await room.hands.stop((await room.chat()).id, StopKind.SOFT)


async def test_a_stopped_turn_stays_stopped_when_it_is_run_again() -> None:
    async with stage("fault:hang", timeout_s=60) as room:
        received = await room.tell("Ann", "@Nova hello")
        await room.server.wait_for(1)
        await room.hands.stop((await room.chat()).id, StopKind.HARD)
        await room.line.idle()
        assert received.turn_id is not None
        calls = room.server.count
        await room.runner.think(received.turn_id, 0)
        assert room.server.count == calls


async def test_deleting_the_message_cancels_its_turn() -> None:
    async with stage("fault:hang", timeout_s=60) as room:
        await room.tell("Ann", "@Nova hello", id="x")
        await room.server.wait_for(1)
        await room.intake.deleted(ROOM, "x")
        async with asyncio.timeout(5):
            await room.line.idle()
        assert room.transcript() == []


async def test_an_edit_reaches_later_prompts() -> None:
    async with stage("Fine.") as room:
        await room.say("Ann", "@Nova I love apples", id="x")
        await room.intake.edited(ROOM, "x", "@Nova I love pears")
        await room.say("Ann", "@Nova what do I love?")
    assert "pears" in room.server.requests[-1].text
    assert "apples" not in room.server.requests[-1].text


async def test_regenerate_writes_the_same_agents_reply_anew_without_routing() -> None:
    async with stage(Rule(reply=["First.", "Second."]), router=True) as room:
        await room.say("Ann", "@Nova hello")
        chat, turn = await room.chat(), await room.last_turn()
        await room.hands.regenerate(chat.id, f"{turn.id}:0", ANN)
        await room.line.idle()
        assert room.transcript() == ["Nova: Second."]
        assert room.server.count == 2
        async with room.storage.read() as uow:
            message = await uow.messages.get(chat.id, 2)
        assert message is not None
        assert message.text == "Second."


async def test_a_removed_reply_is_gone_from_chat_and_context() -> None:
    async with stage(Rule(reply=["The code is plum.", "No idea."])) as room:
        await room.say("Ann", "@Nova hello")
        turn = await room.last_turn()
        await room.hands.remove((await room.chat()).id, f"{turn.id}:0")
        await room.say("Ann", "@Nova what was the code?")
    assert "plum" not in room.server.requests[-1].text
    assert room.room.removed == [f"{turn.id}:0"]
