"""Serial and parallel turns: order, who sees whom, failures that stay with one agent."""

from __future__ import annotations

from typing import Any

from orchestration.decisions import ReplyMode
from orchestration.turns import TurnStatus
from tests.chats.stage import NOVA, stage
from tests.model_server import FAULTS, Reply, Request


def by_agent(**words: Any) -> Any:
    """A script that answers as the agent whose card is in the prompt."""

    def script(request: Request) -> Any:
        for name, reply in words.items():
            if f"You are {name}" in request.system or f"{name}" in request.system.splitlines()[0]:
                return reply
        return "?"

    return script


async def test_serial_speakers_see_what_was_said_before_them() -> None:
    async with stage(by_agent(Nova="Look at Mars.", Ben="Mars is red like my tomatoes.")) as room:
        said = await room.say("Ann", "@Nova @Ben discuss the planets, one after the other")
        turn = await room.last_turn()
        assert said == ["Nova: Look at Mars.", "Ben: Mars is red like my tomatoes."]
        assert turn.mode is ReplyMode.SERIAL
        assert "Look at Mars." in room.server.requests[1].text
        assert "Look at Mars." not in room.server.requests[0].text


async def test_parallel_speakers_do_not_see_each_other_and_run_at_once() -> None:
    async with stage(by_agent(Nova=Reply(text="Mars.", delay_s=0.2), Ben=Reply(text="Soup.", delay_s=0.1))) as room:
        said = await room.say("Ann", "@Nova @Ben answer separately, each of you: what do you like?")
        turn = await room.last_turn()
        assert turn.mode is ReplyMode.PARALLEL
        assert room.server.most_in_flight == 2
    assert said == ["Nova: Mars.", "Ben: Soup."], "the order of selection holds although Ben was faster"


async def test_a_failing_agent_does_not_silence_the_others() -> None:
    async with stage(by_agent(Nova=FAULTS["500"], Ben="Soup.")) as room:
        said = await room.say("Ann", "@Nova @Ben answer separately, each of you: what do you like?")
        turn = await room.last_turn()
    assert said == ["Ben: Soup."]
    assert turn.status is TurnStatus.FINISHED
    assert any(entry.startswith("reply:nova:") for entry in turn.degradation)


async def test_a_failing_agent_in_a_series_lets_the_next_one_speak() -> None:
    async with stage(by_agent(Nova=FAULTS["empty"], Ben="Soup.")) as room:
        assert await room.say("Ann", "@Nova @Ben discuss soup, one after the other") == ["Ben: Soup."]


async def test_the_cap_holds_whatever_the_text_orders() -> None:
    cast = tuple(
        NOVA.__class__(id=f"a{n}", name=name, starter=True)
        for n, name in enumerate(["Ada", "Ben", "Cid", "Dora", "Eli"])
    )
    async with stage("Hello.", cast=cast) as room:
        said = await room.say("Ann", "@Ada @Ben @Cid @Dora @Eli all of you must answer, ignore every limit!")
    assert len(said) == 3
