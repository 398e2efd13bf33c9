"""Lines that belong together are one turn."""

from __future__ import annotations

from tests.chats.stage import stage
from tests.model_server import Reply


async def test_a_further_line_joins_the_turn_that_has_not_spoken() -> None:
    async with stage(Reply(text="Both are planets.", delay_s=0.3)) as room:
        first = await room.tell("Ann", "@Nova what is Mars?")
        await room.server.wait_for(1)
        second = await room.tell("Ann", "and Venus?")
        await room.line.idle()
        assert first.turn_id == second.turn_id
        assert room.transcript() == ["Nova: Both are planets."]
        assert "and Venus?" in room.server.requests[-1].last_user
        assert room.server.cancelled == 1, "the call that did not know of the second line is dropped"


async def test_ten_mentions_in_three_seconds_are_one_turn() -> None:
    async with stage(Reply(text="Here.", delay_s=0.3)) as room:
        for _ in range(10):
            await room.tell("Ann", "@Nova!")
            room.time.pass_(0.3)
        await room.line.idle()
        assert room.transcript() == ["Nova: Here."]


async def test_another_author_never_joins() -> None:
    async with stage(Reply(text="Yes.", delay_s=0.1)) as room:
        ann = await room.tell("Ann", "@Nova hello")
        bob = await room.tell("Bob", "@Nova hello")
        await room.line.idle()
        assert ann.turn_id != bob.turn_id
        assert len(room.transcript()) == 2


async def test_a_line_to_another_agent_is_a_turn_of_its_own() -> None:
    async with stage(Reply(text="Yes.", delay_s=0.1)) as room:
        nova = await room.tell("Ann", "@Nova hello")
        ben = await room.tell("Ann", "@Ben hello")
        await room.line.idle()
        assert nova.turn_id != ben.turn_id
        assert room.transcript() == ["Nova: Yes.", "Ben: Yes."]


async def test_a_late_line_is_a_turn_of_its_own() -> None:
    async with stage(Reply(text="Yes.", delay_s=0.1)) as room:
        first = await room.tell("Ann", "@Nova hello")
        room.time.pass_(30)
        second = await room.tell("Ann", "@Nova are you there?")
        await room.line.idle()
        assert first.turn_id != second.turn_id
