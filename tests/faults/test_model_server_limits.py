"""Every wait for a model server has an end, and stopping a call closes its connection at once."""

from __future__ import annotations

import asyncio

import pytest

from orchestration.errors import ModelNonsense, ModelUnavailable
from orchestration.llm import OpenAIModel
from orchestration.llm_settings import ProviderSettings, RoleSettings
from orchestration.llm_wire import MAX_ANSWER_CHARS, MAX_REDIRECTS
from tests.model_server import Reply
from tests.model_stage import request, stage


@pytest.mark.parametrize("fault", ["hang", "endless", "slow_body"])
async def test_the_limit_of_the_whole_call_ends_it_and_the_server_is_rid_of_it(fault: str) -> None:
    async with stage(timeout_s=0.3) as on:
        on.server.script(f"fault:{fault}")
        with pytest.raises(ModelUnavailable) as caught:
            await on.model.write(request())
        assert caught.value.code == "model_timeout"
        await on.server.until(lambda: on.server.cancelled == 1 and on.server.in_flight == 0)


async def test_retries_share_one_limit() -> None:
    async with stage(timeout_s=0.3) as on:
        # The server asks for a second: that is beyond the limit, so no second request is made at all.
        on.server.script("fault:429_retry_after")
        with pytest.raises(ModelUnavailable):
            await on.model.write(request())
        assert on.server.count == 1


async def test_a_body_without_end_is_cut_off_long_before_the_memory_is() -> None:
    async with stage() as on:
        on.server.script(Reply(body="x" * (5 * 2**20), headers={"Content-Type": "text/plain"}))
        with pytest.raises(ModelNonsense) as caught:
            await on.model.write(request())
        assert caught.value.code == "model_answer_too_long"
        assert on.server.count == 1


async def test_of_a_very_long_answer_no_more_is_read_than_a_chat_can_use() -> None:
    async with stage() as on:
        on.server.script(Reply(text="One more sentence of it. " * 100_000))
        said = await on.model.write(request())
        assert said.finish == "length"
        assert MAX_ANSWER_CHARS - 100 < len(said.text) <= MAX_ANSWER_CHARS
        assert said.text.endswith("it.")


async def test_a_server_that_sends_us_round_in_circles_is_not_followed_for_long() -> None:
    async with stage() as on:
        on.server.script(Reply(status=307, headers={"Location": f"{on.server.base_url}/chat/completions"}))
        with pytest.raises(ModelUnavailable):
            await on.model.write(request())
        assert on.server.count <= 3 * (1 + MAX_REDIRECTS)


@pytest.mark.parametrize("fault", ["hang", "endless", "slow_body"])
async def test_cancelling_closes_the_connection(fault: str) -> None:
    async with stage() as on:
        on.server.script(f"fault:{fault}")
        call = asyncio.create_task(on.model.write(request()))
        await on.server.wait_for(1)
        call.cancel()
        # /stop now: the server sees at once that nobody listens any more.
        await on.server.until(lambda: on.server.in_flight == 0, timeout=10)
        with pytest.raises(asyncio.CancelledError):
            await call
        assert on.server.cancelled == 1


async def test_cancelling_a_wait_between_tries_ends_it() -> None:
    async with stage() as on:
        on.server.script(Reply(status=429, headers={"Retry-After": "20"}))
        call = asyncio.create_task(on.model.write(request()))
        await on.server.until(lambda: on.server.finished == 1)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await asyncio.wait_for(call, 1.0)
        assert on.server.count == 1


async def test_a_server_that_is_not_there_is_unreachable() -> None:
    async with stage() as on:
        await on.server.close()
        with pytest.raises(ModelUnavailable) as caught:
            await on.model.write(request())
        assert caught.value.code == "model_unreachable"


async def test_a_body_cut_in_the_middle_is_asked_for_again() -> None:
    async with stage() as on:
        on.server.fail_next("cut_body")
        assert (await on.model.write(request())).text == "I hear you."
        assert on.server.count == 2


@pytest.mark.parametrize("junk", [b"", b"SSH-2.0-OpenSSH_9.9\r\n", b"HTTP/1.1 banana\r\n\r\n", b"\x00\xff" * 500])
async def test_a_server_that_speaks_no_http_is_unreachable(junk: bytes) -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read(100)
        writer.write(junk)
        writer.close()
        await writer.wait_closed()

    async with stage() as on, await asyncio.start_server(talk, "127.0.0.1", 0) as other:
        port = other.sockets[0].getsockname()[1]
        provider = ProviderSettings(name="odd", base_url=f"http://127.0.0.1:{port}/v1")
        model = OpenAIModel(provider, RoleSettings(provider="odd", model="m", timeout_s=20), on.tools)
        with pytest.raises(ModelUnavailable) as caught:
            await model.write(request())
        assert caught.value.code == "model_unreachable"


async def test_an_address_without_a_host_is_unreachable() -> None:
    async with stage() as on:
        provider = ProviderSettings(name="gone", base_url="http://no-such-host.invalid/v1")
        model = OpenAIModel(provider, RoleSettings(provider="gone", model="m", timeout_s=20), on.tools)
        with pytest.raises(ModelUnavailable):
            await model.write(request())


async def test_many_calls_at_once_are_kept_apart() -> None:
    async with stage() as on:
        on.server.script(lambda asked: Reply(text=f"You said {asked.last_user}.", delay_s=0.05))
        said = await asyncio.gather(*(on.model.write(request(f"line {i}")) for i in range(40)))
        assert [one.text for one in said] == [f"You said line {i}." for i in range(40)]
        assert on.server.most_in_flight > 1
