"""The transport: limits are learnt, waits are bounded, a cancelled caller leaves no lock behind."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import aiohttp
import discord
import pytest
from discord.http import Route

from adapters.discord.transport import Budget, Busy, Interrupted, PatientTransport
from tests.fake_discord import FakeDiscord
from tests.fake_discord.world import APP_ID, Json


def test_a_budget_knows_nothing_until_it_is_told() -> None:
    budget = Budget()
    for second in range(100):
        assert budget.delay(float(second)) == 0.0
        budget.sent(float(second))


def test_headers_and_refusals_make_it_wait_and_no_longer() -> None:
    budget = Budget()
    budget.exhausted(10.0, 1.5)
    assert budget.delay(10.5) == pytest.approx(1.0)
    assert budget.delay(12.0) == 0.0
    budget.refused(20.0, 0.2)
    assert budget.delay(20.0) == pytest.approx(0.2)


def test_a_long_refusal_tells_of_a_hidden_limit() -> None:
    budget = Budget()
    for second in range(30):
        budget.sent(float(second))
    budget.refused(30.0, 43.0)
    assert budget.delay(30.0) == pytest.approx(43.0)
    for second in range(61, 91):
        assert budget.delay(100.0) == 0.0
        budget.sent(100.0 + second / 100)
    assert budget.delay(101.0) > 50


def test_a_hidden_limit_is_not_believed_for_ever() -> None:
    budget = Budget()
    budget.refused(0.0, 43.0)
    for second in range(5):
        budget.sent(50.0 + second)
    assert budget.delay(55.0) > 0
    for second in range(5):
        budget.sent(700.0 + second)
    assert budget.delay(705.0) == 0.0


@pytest.fixture
async def hook() -> AsyncIterator[tuple[FakeDiscord, Json, aiohttp.ClientSession]]:
    async with FakeDiscord() as server, aiohttp.ClientSession() as session:
        guild = server.world.add_guild("Garden")
        channel = server.world.add_channel(guild, "general")
        yield server, server.world.add_webhook(channel, "Troupe", application_id=APP_ID), session


def post(transport: PatientTransport, hook: Json, session: aiohttp.ClientSession, words: str) -> asyncio.Future[Json]:
    return asyncio.ensure_future(
        transport.execute_webhook(
            int(hook["id"]), hook["token"], session=session, payload={"content": words}, wait=True
        )
    )


async def test_a_cancelled_send_does_not_silence_the_webhook(
    hook: tuple[FakeDiscord, Json, aiohttp.ClientSession],
) -> None:
    server, one, session = hook
    transport = PatientTransport(api_base_url=server.api_url)
    server.faults.add("POST", "hooktoken", only_delay=True, delay_s=5.0)
    first = post(transport, one, session, "first")
    await server.until(lambda: server.requests("POST", "hooktoken"))
    first.cancel()
    await asyncio.gather(first, return_exceptions=True)
    done = await asyncio.wait_for(post(transport, one, session, "second"), 5)
    assert done["content"] == "second"


async def test_a_slow_server_is_given_up_after_the_limit(hook: tuple[FakeDiscord, Json, aiohttp.ClientSession]) -> None:
    server, one, session = hook
    transport = PatientTransport(api_base_url=server.api_url, timeout_s=0.2)
    server.faults.add("POST", "hooktoken", only_delay=True, delay_s=3.0)
    with pytest.raises(Interrupted) as caught:
        await post(transport, one, session, "slow")
    assert caught.value.reached
    assert "hooktoken" not in str(caught.value)


async def test_a_post_is_never_repeated_after_a_server_error(
    hook: tuple[FakeDiscord, Json, aiohttp.ClientSession],
) -> None:
    server, one, session = hook
    transport = PatientTransport(api_base_url=server.api_url)
    server.faults.add("POST", "hooktoken", times=5, after=True, status=503)
    with pytest.raises(discord.DiscordServerError):
        await post(transport, one, session, "once")
    assert len(server.requests("POST", "hooktoken")) == 1


async def test_a_refused_connection_was_not_reached() -> None:
    transport = PatientTransport(api_base_url="http://127.0.0.1:9/api/v10")
    async with aiohttp.ClientSession() as session:
        with pytest.raises(Interrupted) as caught:
            await transport.request(Route("GET", "/users/@me"), session)
    assert not caught.value.reached


async def test_a_wait_beyond_all_patience_is_handed_over(hook: tuple[FakeDiscord, Json, aiohttp.ClientSession]) -> None:
    server, one, session = hook
    transport = PatientTransport(api_base_url=server.api_url)
    body = {"message": "no", "retry_after": 300.0, "global": False}
    server.faults.add("POST", "hooktoken", status=429, body=body, headers={"Via": "1.1 x"})
    with pytest.raises(Busy) as caught:
        await post(transport, one, session, "later")
    assert caught.value.retry_after_s > 200


async def test_a_refusal_by_a_proxy_is_waited_out_by_its_header(
    hook: tuple[FakeDiscord, Json, aiohttp.ClientSession],
) -> None:
    server, webhook, session = hook
    server.faults.add("POST", "hooktoken", times=2, status=429, headers={"Retry-After": "0.2"})
    done = await post(PatientTransport(api_base_url=server.api_url), webhook, session, "at last")
    assert done["content"] == "at last"


async def test_a_refusal_that_names_no_time_is_not_answered_by_a_storm(
    hook: tuple[FakeDiscord, Json, aiohttp.ClientSession],
) -> None:
    server, webhook, session = hook
    server.faults.add("POST", "hooktoken", times=10_000, status=429, body={"retry_after": 0, "global": False})
    sending = post(PatientTransport(api_base_url=server.api_url), webhook, session, "never")
    await asyncio.sleep(1.0)
    sending.cancel()
    assert len(server.requests("POST", "hooktoken")) <= 11
