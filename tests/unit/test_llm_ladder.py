"""The structured-output ladder before servers that refuse, ignore and forget."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import BaseModel, Field

from orchestration.errors import ModelNonsense, ModelRefused, ModelUnavailable
from orchestration.llm_ladder import ServerMemory
from orchestration.llm_settings import Price
from orchestration.ports import PromptMessage
from tests.model_server import Reply, Request
from tests.model_stage import Stage, prompt, stage


class Route(BaseModel):
    """Who answers."""

    agents: list[str] = Field(min_length=1)
    sure: float = 0.5


GOOD = {"agents": ["a1"], "sure": 0.9}
TOP = {"chat_completions": "function_calling", "responses": "json_schema"}
ORDER = {
    "chat_completions": ["function_calling", "json_schema", "json_mode", "plain"],
    "responses": ["json_schema", "function_calling", "json_mode", "plain"],
}
APIS = sorted(ORDER)


def rungs(on: Stage) -> list[str]:
    return [asked.rung for asked in on.server.requests]


async def decide(on: Stage) -> Route:
    found, _ = await on.model.decide(prompt("Ann: who?"), Route)
    return found


def only(*kept: str, refusal: str = "fault:400") -> Any:
    """A server that keeps to some rungs and refuses the others."""
    return lambda asked: Reply(obj=GOOD) if asked.rung in kept else refusal


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("rung", ["function_calling", "json_schema", "json_mode", "plain"])
async def test_it_goes_down_on_refusals_and_remembers(api: str, rung: str) -> None:
    async with stage(wire_api=api) as on:
        on.server.script(only(rung))
        assert (await decide(on)).agents == ["a1"]
        down = ORDER[api][: ORDER[api].index(rung) + 1]
        assert rungs(on) == down
        assert (await decide(on)).agents == ["a1"]
        assert rungs(on) == [*down, rung]


async def test_after_a_day_the_top_is_tried_again() -> None:
    async with stage() as on:
        on.server.script(only("json_mode"))
        await decide(on)
        on.ticker.now += ServerMemory.STAYS_S - 1
        await decide(on)
        assert rungs(on)[-1:] == ["json_mode"]
        on.ticker.now += 2
        on.server.script(only("function_calling"))
        await decide(on)
        await decide(on)
        assert rungs(on)[-2:] == ["function_calling", "function_calling"]


async def test_what_is_remembered_is_remembered_of_one_model_only() -> None:
    memory = ServerMemory(lambda: 0.0)
    order = tuple(ORDER["chat_completions"])
    memory.kept(("http://one/v1", "small"), order[2])  # type: ignore[arg-type]
    assert memory.start(("http://one/v1", "small"), order) == 2  # type: ignore[arg-type]
    assert memory.start(("http://one/v1", "large"), order) == 0  # type: ignore[arg-type]
    assert memory.start(("http://two/v1", "small"), order) == 0  # type: ignore[arg-type]


async def test_one_repair_when_prose_comes_back() -> None:
    async with stage() as on:
        on.server.script(["Nova should answer, I think."])
        with pytest.raises(ModelNonsense):
            await decide(on)
        assert rungs(on) == ["function_calling", "json_schema"]
        repair = on.server.requests[1]
        assert "Nova should answer, I think." in repair.text
        assert json.dumps("agents") in repair.text


async def test_the_repair_may_succeed() -> None:
    async with stage() as on:
        on.server.script(lambda asked: "Nova, surely." if on.server.count == 1 else Reply(text=json.dumps(GOOD)))
        assert (await decide(on)).agents == ["a1"]
        assert on.server.count == 2


async def test_a_server_that_ignores_a_rung_twice_is_asked_by_the_next_one() -> None:
    def ignores_tools(asked: Request) -> Any:
        return Reply(text="I would rather talk.") if asked.tools else Reply(obj=GOOD)

    async with stage() as on:
        on.server.script(ignores_tools)
        for _ in range(3):
            await decide(on)
        assert rungs(on) == ["function_calling", "json_schema"] * 2 + ["json_schema"]


async def test_one_stumble_is_forgiven() -> None:
    async with stage() as on:
        for _ in range(3):
            on.server.script(lambda asked, n=on.server.count: "Hm." if on.server.count == n + 1 else Reply(obj=GOOD))
            await decide(on)
            on.server.script(Reply(obj=GOOD))
            await decide(on)
        assert rungs(on)[-1] == "function_calling"


@pytest.mark.parametrize(
    "text",
    [
        "```json\n%s\n```",
        "<think>a1 or a2?</think>%s",
        '<tool_call>{"name": "Route", "arguments": %s}</tool_call>',
        "Here you are: %s Anything else?",
    ],
)
async def test_prose_around_the_object_needs_no_second_call(text: str) -> None:
    async with stage() as on:
        on.server.script(Reply(text=text % json.dumps(GOOD)))
        assert (await decide(on)).agents == ["a1"]
        assert on.server.count == 1


@pytest.mark.parametrize("fault", ["bad_arguments", "arguments_object"])
async def test_malformed_arguments_are_repaired_by_the_next_rung(fault: str) -> None:
    async with stage() as on:
        on.server.fail_next(fault)
        on.server.script(Reply(obj=GOOD))
        assert (await decide(on)).agents == ["a1"]
        assert rungs(on) == ["function_calling", "json_schema"]


async def test_an_object_the_schema_does_not_accept_is_no_answer() -> None:
    async with stage() as on:
        on.server.script(Reply(obj={"agents": []}))
        with pytest.raises(ModelNonsense):
            await decide(on)


async def test_a_refused_key_is_not_asked_again() -> None:
    async with stage() as on:
        on.server.script("fault:401")
        with pytest.raises(ModelRefused):
            await decide(on)
        assert on.server.count == 1


async def test_an_unknown_model_is_not_asked_again_but_missing_tools_are_gone_around() -> None:
    async with stage() as on:
        on.server.script("fault:404")
        with pytest.raises(ModelRefused):
            await decide(on)
        assert on.server.count == 1
        no_tools = Reply(status=404, body={"error": {"message": "No endpoints found that support tool use."}})
        on.server.script(only("json_schema", refusal=no_tools))  # type: ignore[arg-type]
        assert (await decide(on)).agents == ["a1"]


async def test_a_server_that_is_down_is_not_walked_down() -> None:
    async with stage() as on:
        on.server.script("fault:503")
        with pytest.raises(ModelUnavailable):
            await decide(on)
        assert set(rungs(on)) == {"function_calling"}


async def test_usage_counts_the_repair_too() -> None:
    async with stage(prices={"small": Price(prompt=10.0, completion=20.0)}) as on:
        on.server.script(lambda asked: "Hm." if on.server.count == 1 else Reply(obj=GOOD))
        _, usage = await on.model.decide(prompt(), Route)
        assert (usage.calls, usage.prompt_tokens, usage.completion_tokens) == (2, 200, 40)
        assert usage.cost == pytest.approx(2 * (100 * 10 + 20 * 20) / 1e6)


async def test_the_persons_words_stay_last_on_every_rung() -> None:
    async with stage() as on:
        on.server.script(only("plain"))
        await on.model.decide(prompt("Bo: before", "Ann: {who}? {{char}}"), Route)
        assert [asked.last_user for asked in on.server.requests] == ["Ann: {who}? {{char}}"] * 4
        assert all(role in ("system", "user") for asked in on.server.requests for role, _ in asked.messages)


async def test_a_prompt_without_a_system_message_is_told_too() -> None:
    async with stage() as on:
        on.server.script(only("plain"))
        await on.model.decide([PromptMessage(role="user", text="who?")], Route)
        assert "JSON" in on.server.requests[-1].system
