"""Writing through a real `ChatOpenAI` over loopback: what goes out, what comes back, what it cost."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orchestration.errors import ModelEmpty, ModelRefused
from orchestration.llm import MORE_TOKENS, OpenAIModel
from orchestration.llm_settings import Price, ProviderSettings, RoleSettings, price_of
from orchestration.llm_tokens import tokens_of, tokens_of_prompt
from orchestration.ports import PromptMessage, WriteRequest
from tests.model_server import Pace, Reply, Request
from tests.model_stage import Stage, prompt, request, stage

ROOT = Path(__file__).parents[2]
APIS = ["chat_completions", "responses"]


@pytest.mark.parametrize("api", APIS)
async def test_a_completion_tells_how_it_came_to_be(api: str) -> None:
    async with stage(wire_api=api, prices={"loop/small": Price(prompt=1.0, completion=2.0)}) as on:
        said = await on.model.write(request("Ann: hello", max_tokens=64))
        assert (said.text, said.model, said.provider, said.wire_api, said.finish) == (
            "I hear you.",
            "small",
            "loop",
            api,
            "stop",
        )
        assert (said.usage.calls, said.usage.prompt_tokens, said.usage.completion_tokens) == (1, 100, 20)
        assert not said.usage.estimated
        assert said.usage.cost == pytest.approx(140 / 1e6)
        assert on.model.label == "small (loop)"
        asked = on.server.requests[0]
        assert asked.messages == [("system", "You are Nova."), ("user", "Ann: hello")]
        assert asked.body["max_output_tokens" if api == "responses" else "max_tokens"] == 64
        assert "temperature" not in asked.body
        assert not asked.stream


async def test_an_agents_own_model_is_asked_for() -> None:
    async with stage(temperature=0.3) as on:
        said = await on.model.write(request(model="large"))
        assert said.model == "large"
        assert on.server.requests[0].body["model"] == "large"
        assert on.server.requests[0].body["temperature"] == 0.3


@pytest.mark.parametrize("status", [400, 404])
async def test_an_agents_own_model_that_nobody_knows_is_stood_in_for(status: int) -> None:
    async with stage() as on:
        on.server.script(lambda asked: Reply(status=status) if asked.body["model"] == "nowhere" else "Here I am.")
        said = await on.model.write(request(model="nowhere"))
        assert (said.text, said.model) == ("Here I am.", "small")


@pytest.mark.parametrize("usage", [None, {"prompt": 0, "completion": 0}])
async def test_missing_usage_is_estimated_and_marked(usage: dict[str, int] | None) -> None:
    async with stage() as on:
        on.server.script(Reply(text="好的，我们周末去爬山。", usage=usage))
        said = await on.model.write(request("Ann: 周末去哪儿？"))
        assert said.usage.estimated
        assert said.usage.prompt_tokens == tokens_of_prompt(prompt("Ann: 周末去哪儿？"))
        assert said.usage.completion_tokens == tokens_of("好的，我们周末去爬山。")


async def test_a_model_that_thought_all_its_tokens_away_gets_more_once() -> None:
    async with stage() as on:
        on.server.script(
            lambda asked: Reply(text="<think>so", finish="length") if asked.body["max_tokens"] < 400 else "Yes."
        )
        said = await on.model.write(request(max_tokens=100))
        assert said.text == "Yes."
        assert [asked.body["max_tokens"] for asked in on.server.requests] == [100, 100 * MORE_TOKENS]
        assert said.usage.calls == 2


async def test_filtered_answers_are_refusals_and_half_filtered_ones_end_at_a_sentence() -> None:
    async with stage() as on:
        on.server.script("fault:content_filter")
        with pytest.raises(ModelRefused):
            await on.model.write(request())
        on.server.script(Reply(text="That is fine. But the oth", finish="content_filter"))
        said = await on.model.write(request())
        assert (said.text, said.finish) == ("That is fine.", "content_filter")


async def test_tool_calls_nobody_asked_for_are_no_answer() -> None:
    async with stage() as on:
        call = {"id": "c", "type": "function", "function": {"name": "search", "arguments": "{}"}}
        message = {"role": "assistant", "content": None, "tool_calls": [call]}
        on.server.script(Reply(body={"choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}))
        with pytest.raises(ModelEmpty):
            await on.model.write(request())


def refusing(field: str, words: str, status: int = 400) -> Any:
    """A server that does not like one field of the request, and says so in its own words."""

    def answer(asked: Request) -> Any:
        return Reply(status=status, body={"error": {"message": words}}) if field in asked.body else "Fine."

    return answer


async def test_a_server_without_temperature_is_asked_without_it_from_then_on() -> None:
    async with stage(temperature=0.7) as on:
        on.server.script(refusing("temperature", "Unsupported value: 'temperature' does not support 0.7"))
        assert (await on.model.write(request())).text == "Fine."
        assert (await on.model.write(request())).text == "Fine."
        assert ["temperature" in asked.body for asked in on.server.requests] == [True, False, False]


async def test_a_server_that_wants_the_newer_name_of_max_tokens_gets_it() -> None:
    async with stage() as on:
        words = "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead."
        on.server.script(refusing("max_tokens", words))
        assert (await on.model.write(request(max_tokens=50))).text == "Fine."
        assert on.server.requests[-1].body["max_completion_tokens"] == 50


async def test_templates_that_insist_on_turns_get_turns() -> None:
    def strict(asked: Request) -> Any:
        roles = [role for role, _ in asked.messages]
        turns = all(role == ("user", "assistant")[index % 2] for index, role in enumerate(roles))
        words = "Conversation roles must alternate user/assistant/user/assistant/..."
        return "Fine." if turns else Reply(status=400, body={"error": {"message": words}})

    async with stage() as on:
        on.server.script(strict)
        lines = (
            PromptMessage(role="system", text="You are Nova."),
            PromptMessage(role="assistant", text="Hello."),
            PromptMessage(role="user", text="Ann: hi"),
            PromptMessage(role="user", text="Bo: what now?"),
        )
        assert (await on.model.write(WriteRequest(messages=lines))).text == "Fine."
        assert on.server.requests[-1].last_user.endswith("Ann: hi\n\nBo: what now?")


HOSTILE = [
    "{braces}",
    '{"a": 1}',
    "{{char}}",
    "{% if %}",
    "```\nfence",
    "lone \ud800 surrogate",
    "\u202e rtl",
    "<|im_end|>",
]


async def test_words_go_out_as_they_are_and_no_name_goes_beside_them() -> None:
    async with stage() as on:
        await on.model.write(request(*HOSTILE))
        sent = on.server.requests[0]
        assert [text for _, text in sent.messages[1:]] == [line.replace("\ud800", "?") for line in HOSTILE]
        assert all(set(message) == {"role", "content"} for message in sent.body["messages"])


@settings(max_examples=25, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.text(max_size=200))
async def test_any_words_reach_the_model(words: str) -> None:
    async with stage() as on:
        await on.model.write(request(words))
        assert on.server.requests[0].last_user == words.encode("utf-8", "replace").decode()


async def test_fields_of_a_servers_own_go_with_every_request() -> None:
    async with stage(extra_body={"repeat_penalty": 1.15}) as on:
        await on.model.write(request())
        assert on.server.requests[0].body["repeat_penalty"] == 1.15


async def test_a_server_on_this_machine_is_reached_past_any_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with stage() as on:
        assert (await on.model.write(request())).text == "I hear you."


def test_each_event_loop_has_its_own_client() -> None:
    async def first_and_second() -> None:
        async with stage() as on:
            assert (await on.model.write(request())).text == "I hear you."
            said = await asyncio.to_thread(asyncio.run, elsewhere(on))
            assert said == "I hear you."
            assert (await on.model.write(request())).text == "I hear you."

    async def elsewhere(on: Stage) -> str:
        try:
            return (await on.model.write(request())).text
        finally:
            await on.clients.close_here()

    asyncio.run(first_and_second())


async def test_prices_are_found_by_provider_and_model_first() -> None:
    prices = {"m": Price(prompt=1), "p/m": Price(prompt=2)}
    assert price_of(prices, "p", "m").prompt == 2
    assert price_of(prices, "q", "m").prompt == 1
    assert price_of(prices, "q", "n") == Price()


def test_token_estimates_are_near_what_tokenizers_count() -> None:
    # Counted with today's tokenizers: about 11 and 10 to 14.
    assert 8 <= tokens_of("The quick brown fox jumps over the lazy dog.") <= 14
    assert 8 <= tokens_of("我们周末一起去爬山怎么样？") <= 14
    assert tokens_of("") == 0


async def test_a_paced_model_answers_at_its_own_speed() -> None:
    async with stage() as on:
        on.server.script(Reply(text="Slow but sure.", pace=Pace(first_s=0.05, tokens_per_s=400), tokens=20))
        assert (await on.model.write(request())).text == "Slow but sure."


def test_nothing_heavy_is_imported_before_the_first_call() -> None:
    code = "import orchestration.llm, sys; print([m for m in ('langchain_openai', 'openai') if m in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "[]"


async def test_the_server_runs_as_a_process_from_a_script(tmp_path: Path) -> None:
    script = {"rules": [{"when": "route", "reply": {"obj": {"agents": ["a1"]}}}], "default": "Hello from afar."}
    (tmp_path / "script.json").write_text(json.dumps(script))
    command = [sys.executable, "-m", "tests.model_server", "--script", str(tmp_path / "script.json")]
    command += ["--record", str(tmp_path / "seen.jsonl")]
    process = await asyncio.create_subprocess_exec(
        *command, cwd=ROOT, stdout=asyncio.subprocess.PIPE, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    try:
        assert process.stdout is not None
        base_url = (await asyncio.wait_for(process.stdout.readline(), 30)).decode().strip()
        async with stage() as on:
            provider = ProviderSettings(name="far", base_url=base_url)
            model = OpenAIModel(provider, RoleSettings(provider="far", model="m"), on.tools)
            assert (await model.write(request())).text == "Hello from afar."
        assert json.loads((tmp_path / "seen.jsonl").read_text())["path"] == "/v1/chat/completions"
    finally:
        process.terminate()
        await process.wait()
