"""Speculative replies: the likeliest agent writes while a model is still asked who answers."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import Any

import pytest

from orchestration.events import EventKind
from orchestration.sessions import StopKind
from orchestration.settings import TurnSettings
from orchestration.turns import TurnStatus
from tests.chats.stage import stage
from tests.model_server import Reply, Request

WORDS = "hmm I wonder whether that could work out somehow"
"""The rules' guess, and no more than that, is Ben."""
SPECULATIVE = TurnSettings(speculative=True)


def asks_who(request: Request) -> bool:
    return "agents" in request.system and "sure" in request.system


def writer(request: Request) -> str:
    return next(name for name in ("Nova", "Ben", "米拉") if f"You are {name}" in request.system)


@dataclass(slots=True)
class Models:
    """A router that answers once so many replies are being written (``wait``), and writers that sign what they say."""

    decision: dict[str, Any]
    wait: int = 1
    says: dict[str, Any] = field(default_factory=dict)
    writers: list[str] = field(default_factory=list)
    writing: asyncio.Event = field(default_factory=asyncio.Event)

    async def __call__(self, request: Request) -> Any:
        if asks_who(request):
            if self.wait:
                await asyncio.wait_for(self.writing.wait(), 10)
            return {"intent": "cc", "mode": "s", "sure": 90} | self.decision
        name = writer(request)
        self.writers.append(name)
        if len(self.writers) == self.wait:
            self.writing.set()
        return self.says.get(name, f"So says {name.lower()}.")


async def test_the_reply_is_written_while_the_router_is_asked_and_used_when_it_agrees() -> None:
    models = Models({"agents": ["a1"]})
    async with stage(models, router=True, settings=SPECULATIVE) as room:
        assert await room.say("Ann", WORDS) == ["Ben: So says ben."]
        turn = await room.last_turn()
    assert models.writers == ["Ben"]
    assert turn.usage.calls == 2
    assert room.kinds(turn.id).count(EventKind.REPLY_STARTED) == 1


async def test_nobody_writes_before_it_is_decided_unless_that_is_wanted() -> None:
    models = Models({"agents": ["a1"]}, wait=0)
    async with stage(models, router=True) as room:
        assert await room.say("Ann", WORDS) == ["Ben: So says ben."]
        assert asks_who(room.server.requests[0])
        assert writer(room.server.requests[1]) == "Ben"


@pytest.mark.parametrize(
    ("decision", "said"),
    [
        ({"agents": ["a3"]}, ["Nova: So says nova."]),
        ({"agents": []}, []),
        ({"agents": ["a3", "a1"], "mode": "q"}, ["Nova: So says nova.", "Ben: So says ben."]),
    ],
)
async def test_what_the_router_did_not_want_is_dropped_and_its_request_aborted(
    decision: dict[str, Any], said: list[str]
) -> None:
    models = Models(decision)
    first = iter(["fault:hang"])

    async def script(request: Request) -> Any:
        answer = await models(request)
        return answer if asks_who(request) else next(first, answer)

    async with stage(script, router=True, settings=SPECULATIVE, timeout_s=30) as room:
        assert await room.say("Ann", WORDS) == said
        await room.server.until(lambda: room.server.cancelled == 1)
        turn = await room.last_turn()
    assert models.writers[0] == "Ben"
    assert next(span.detail for span in turn.spans if span.name == "write Ben") == "dropped"
    assert turn.status is (TurnStatus.FINISHED if said else TurnStatus.SILENT)
    assert not turn.degradation


async def test_one_that_comes_first_in_a_series_is_used_and_the_next_one_hears_it() -> None:
    models = Models({"agents": ["a1", "a3"], "mode": "q"})
    async with stage(models, router=True, settings=SPECULATIVE) as room:
        assert await room.say("Ann", WORDS) == ["Ben: So says ben.", "Nova: So says nova."]
        assert "So says ben." in room.server.requests[-1].text
    assert models.writers == ["Ben", "Nova"]


async def test_one_of_several_at_once_is_used_in_its_place() -> None:
    models = Models({"agents": ["a3", "a1"], "mode": "p"})
    async with stage(models, router=True, settings=SPECULATIVE) as room:
        assert await room.say("Ann", WORDS) == ["Nova: So says nova.", "Ben: So says ben."]
    assert models.writers == ["Ben", "Nova"]


async def test_where_all_would_speak_at_once_all_are_written_ahead() -> None:
    models = Models({"agents": ["a1", "a2", "a3"], "mode": "p"}, wait=3)
    async with stage(models, router=True, settings=SPECULATIVE) as room:
        said = await room.say("Ann", "any thoughts, all at once?")
    assert said == ["Ben: So says ben.", "米拉: So says 米拉.", "Nova: So says nova."]
    assert sorted(models.writers) == sorted(["Ben", "Nova", "米拉"])


async def test_words_that_need_comfort_are_not_answered_by_what_was_written_for_small_talk() -> None:
    models = Models({"agents": ["a1"], "intent": "es"})
    async with stage(models, router=True, settings=SPECULATIVE) as room:
        assert await room.say("Ann", WORDS) == ["Ben: So says ben."]
        assert "comfort" in room.server.requests[-1].last_user
    assert models.writers == ["Ben", "Ben"]


async def test_one_that_failed_fails_like_any_other() -> None:
    models = Models({"agents": ["a1"]}, says={"Ben": "fault:401"})
    async with stage(models, router=True, settings=SPECULATIVE) as room:
        said = await room.say("Ann", WORDS)
        turn = await room.last_turn()
    assert len(said) == 1
    assert said[0].startswith("-- ")
    assert turn.status is TurnStatus.FAILED


async def test_a_stop_aborts_both_requests() -> None:
    both = asyncio.Event()

    async def script(request: Request) -> Any:
        if room.server.in_flight == 2:
            both.set()
        return Reply(fault="hang")

    async with stage(script, router=True, settings=SPECULATIVE, timeout_s=60) as room:
        received = await room.tell("Ann", WORDS)
        assert received.turn_id is not None
        await asyncio.wait_for(both.wait(), 10)
        room.runner.stop(received.turn_id, StopKind.HARD)
        await room.line.idle()
        await room.server.until(lambda: room.server.cancelled == 2)
        turn = await room.last_turn()
    assert room.transcript() == []
    assert turn.status is TurnStatus.STOPPED
