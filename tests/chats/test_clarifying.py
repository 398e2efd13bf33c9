"""The question back when nobody knows who is meant; its answer resumes the turn."""

from __future__ import annotations

from typing import Any

import pytest

from orchestration.decisions import DecidedBy
from orchestration.events import EventKind
from orchestration.model import Person
from orchestration.turns import TurnStatus
from tests.chats.stage import ROOM, Stage, stage
from tests.model_server import Request

UNCLEAR = "hm, that thing from before, could you maybe do it again"


def unsure(request: Request) -> Any:
    """A router that guesses badly and knows it; a writer that answers."""
    if "agents" in request.system and "sure" in request.system:
        return {"intent": "cc", "agents": ["a1"], "mode": "s", "sure": 20}
    return "I will help."


async def asked(room: Stage) -> str:
    """Ann's unclear message, Troupe's question; returns the turn's id."""
    said = await room.say("Ann", UNCLEAR)
    assert len(said) == 1
    assert said[0].startswith("-- ")
    return (await room.last_turn()).id


async def test_an_unclear_message_gets_one_short_question_with_choices() -> None:
    async with stage(unsure, router=True) as room:
        turn_id = await asked(room)
        turn = await room.last_turn()
        question = next(event for event in room.events if event.kind is EventKind.CLARIFICATION_ASKED)
        assert turn.status is TurnStatus.CLARIFYING
        assert question.turn_id == turn_id
        assert len(question.content["choices"]) >= 2  # type: ignore[arg-type]
        assert room.kinds(turn_id)[-1] is EventKind.TURN_FINISHED


@pytest.mark.parametrize("answer", ["1", "Nova", "@nova", "星星", "NOVA!"])
async def test_the_authors_answer_resumes_the_turn(answer: str) -> None:
    async with stage(unsure, router=True) as room:
        turn_id = await asked(room)
        calls = room.server.count
        choice = next(e for e in room.events if e.kind is EventKind.CLARIFICATION_ASKED).content["choices"]
        number = [c["agents"] for c in choice].index(["nova"]) + 1  # type: ignore[index,call-overload]
        said = await room.say("Ann", str(number) if answer == "1" else answer)
        turn = await room.last_turn()
    assert said == ["Nova: I will help."]
    assert (turn.id, turn.status, turn.decided_by) == (turn_id, TurnStatus.FINISHED, DecidedBy.CLARIFIED)
    assert room.server.count == calls + 1, "the router is not asked again"
    assert UNCLEAR in room.server.requests[-1].last_user
    assert room.kinds(turn_id)[-1] is EventKind.TURN_FINISHED


async def test_a_press_on_a_button_resumes_the_turn_once() -> None:
    async with stage(unsure, router=True) as room:
        await asked(room)
        ann = Person(id="room:Ann", name="Ann")
        assert await room.intake.chosen(ROOM, ann, "c1")
        assert not await room.intake.chosen(ROOM, ann, "c1")
        await room.line.idle()
        assert len(room.transcript()) == 2


async def test_somebody_elses_press_changes_nothing() -> None:
    async with stage(unsure, router=True) as room:
        await asked(room)
        assert not await room.intake.chosen(ROOM, Person(id="room:Bob", name="Bob"), "c1")
        assert (await room.last_turn()).status is TurnStatus.CLARIFYING


async def test_somebody_elses_words_are_a_turn_of_their_own_and_the_question_stays_open() -> None:
    async with stage(unsure, router=True) as room:
        turn_id = await asked(room)
        assert await room.say("Bob", "@Ben 1") == ["Ben: I will help."]
        assert await room.say("Ann", "Nova") == ["Nova: I will help."]
        async with room.storage.read() as uow:
            turn = await uow.turns.get(turn_id)
        assert turn is not None
        assert turn.status is TurnStatus.FINISHED


async def test_a_new_subject_lets_the_question_go() -> None:
    async with stage(unsure, router=True) as room:
        turn_id = await asked(room)
        assert await room.say("Ann", "@Ben what is for dinner?") == ["Ben: I will help."]
        async with room.storage.read() as uow:
            turn = await uow.turns.get(turn_id)
        assert turn is not None
        assert turn.status is TurnStatus.SILENT


async def test_an_answer_after_the_expiry_is_a_new_message() -> None:
    async with stage(unsure, router=True) as room:
        turn_id = await asked(room)
        room.time.pass_(3600)
        received = await room.tell("Ann", "@Nova")
        await room.line.idle()
        assert received.turn_id != turn_id
