"""Whatever a model server does: a named error, a bounded number of requests, and nothing of its words or our key."""

from __future__ import annotations

import io
import logging
import traceback

import pytest
from pydantic import BaseModel

from orchestration.errors import (
    ModelEmpty,
    ModelError,
    ModelNonsense,
    ModelRateLimited,
    ModelRefused,
    ModelUnavailable,
)
from tests.model_server import FAULTS, Reply
from tests.model_stage import KEY, request, stage
from tests.model_wire import PROVIDER_TEXT

APIS = ["chat_completions", "responses"]

REFUSALS: dict[str, tuple[type[ModelError], str, int]] = {
    "400": (ModelRefused, "model_refused", 1),
    "401": (ModelRefused, "model_key_refused", 1),
    "403": (ModelRefused, "model_key_refused", 1),
    "404": (ModelRefused, "model_not_found", 1),
    "429": (ModelRateLimited, "model_rate_limited", 3),
    "429_retry_after_long": (ModelRateLimited, "model_rate_limited", 1),
    "500": (ModelUnavailable, "model_unavailable", 3),
    "503": (ModelUnavailable, "model_unavailable", 3),
    "error_in_200": (ModelRateLimited, "model_rate_limited", 3),
    "error_500_in_200": (ModelUnavailable, "model_unavailable", 3),
    "html": (ModelNonsense, "model_nonsense", 2),
    "html_as_json": (ModelNonsense, "model_nonsense", 2),
    "null_body": (ModelNonsense, "model_nonsense", 2),
    "number_body": (ModelNonsense, "model_nonsense", 2),
    "choices_null": (ModelNonsense, "model_nonsense", 2),
    "truncated": (ModelNonsense, "model_nonsense", 2),
    "no_finish": (ModelNonsense, "model_cut_off", 2),
    "empty": (ModelEmpty, "model_empty", 2),
    "blank": (ModelEmpty, "model_empty", 2),
    "length_empty": (ModelEmpty, "model_empty", 2),
    "tool_xml": (ModelEmpty, "model_empty", 2),
    "think_open": (ModelEmpty, "model_empty", 2),
    "reasoning_only": (ModelEmpty, "model_empty", 2),
    "cut": (ModelUnavailable, "model_unreachable", 3),
}
ANSWERS = {
    "think": "Good morning!",
    "think_closed_only": "Good morning!",
    "reasoning": "Good morning!",
    "wrong_ids": "Good morning!",
    "tool_xml_after_text": "Let me look.",
    "length": "I would start small. Then grow it week by week.",
}


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", sorted(REFUSALS))
async def test_a_fault_is_one_named_error_after_a_bounded_number_of_requests(fault: str, api: str) -> None:
    kind, code, requests = REFUSALS[fault]
    async with stage(wire_api=api) as on:
        on.server.script(f"fault:{fault}")
        with pytest.raises(ModelError) as caught:
            await on.model.write(request())
        assert (type(caught.value), caught.value.code, on.server.count) == (kind, code, requests)
        assert_silent(caught.value)
        # The chat goes on.
        on.server.script("I am back.")
        assert (await on.model.write(request())).text == "I am back."


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", sorted(ANSWERS))
async def test_a_flawed_answer_gives_what_is_for_people(fault: str, api: str) -> None:
    async with stage(wire_api=api) as on:
        on.server.script(f"fault:{fault}")
        said = await on.model.write(request())
        assert said.text == ANSWERS[fault]
        assert said.finish == ("length" if fault == "length" else "stop")
        assert on.server.count == 1


async def test_empty_choices_are_no_answer() -> None:
    async with stage() as on:
        on.server.script("fault:choices_empty")
        with pytest.raises(ModelNonsense):
            await on.model.write(request())


@pytest.mark.parametrize(
    "fault", ["500", "503", "429", "cut", "html", "truncated", "empty", "no_finish", "error_in_200"]
)
async def test_a_passing_fault_is_not_seen(fault: str) -> None:
    async with stage() as on:
        on.server.fail_next(fault)
        assert (await on.model.write(request())).text == "I hear you."
        assert on.server.count == 2


async def test_retry_after_is_waited_for() -> None:
    async with stage() as on:
        on.server.fail_next("429_retry_after")
        assert (await on.model.write(request())).text == "I hear you."
        assert on.server.count == 2


async def test_retry_after_beyond_the_limit_is_not_waited_for() -> None:
    async with stage() as on:
        on.server.script("fault:429_retry_after_long")
        with pytest.raises(ModelRateLimited) as caught:
            await on.model.write(request())
        assert caught.value.retry_after_s == 3600
        assert on.server.count == 1


@pytest.mark.parametrize("api", APIS)
@pytest.mark.parametrize("fault", sorted(FAULTS))
async def test_deciding_meets_the_same_faults_with_named_errors_only(fault: str, api: str) -> None:
    class Route(BaseModel):
        agents: list[str]

    async with stage(wire_api=api, timeout_s=2.0 if fault not in ENDLESS else 0.4) as on:
        on.server.script(f"fault:{fault}")
        with pytest.raises(ModelError) as caught:
            await on.model.decide(request().messages, Route)
        assert_silent(caught.value)
        assert on.server.count <= 4
        on.server.script(Reply(obj={"agents": ["a1"]}))
        found, _ = await on.model.decide(request().messages, Route)
        assert found.agents == ["a1"]


ENDLESS = ("hang", "endless", "slow_body", "429_retry_after")


@pytest.mark.parametrize("fault", [name for name in sorted(FAULTS) if name not in ENDLESS])
async def test_nothing_is_logged_or_printed_of_the_providers_words_or_the_key(
    fault: str, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    caplog.set_level(logging.INFO)
    async with stage() as on:
        on.server.script(f"fault:{fault}")
        try:
            await on.model.write(request())
        except ModelError as error:
            logging.getLogger("test").exception("the turn failed: %r", error)
    out, err = capfd.readouterr()
    assert_no_leak(caplog.text + out + err)


async def test_a_key_is_in_no_repr_and_only_in_its_header() -> None:
    async with stage() as on:
        await on.model.write(request())
        sent = on.server.requests[0]
        assert sent.headers["Authorization"] == f"Bearer {KEY}"
        assert KEY not in str(sent.body)
        for thing in (on.model, on.model.__dict__, on.tools, on.clients, on.clients.__dict__):
            assert KEY not in repr(thing)


def assert_silent(error: ModelError) -> None:
    shown = io.StringIO()
    traceback.print_exception(error, file=shown)
    assert_no_leak("".join([str(error), repr(error), repr(error.__dict__), shown.getvalue()]))
    seen: BaseException | None = error
    while seen is not None:
        assert_no_leak(f"{seen!r} {seen.args!r}")
        seen = seen.__cause__ or seen.__context__


def assert_no_leak(text: str) -> None:
    assert KEY not in text
    assert PROVIDER_TEXT not in text
    assert "PROVIDER-INTERNAL" not in text
    assert "SECRET-THOUGHT" not in text
