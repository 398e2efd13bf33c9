"""Webhook mode: the secret is checked, and 200 means stored."""

from __future__ import annotations

import socket

import httpx
import pytest

from adapters.telegram.webhook import SECRET_HEADER, WebhookPlan
from orchestration.errors import AdapterError
from tests.platforms.telegram_stage import HOST, telegram_stage


def a_free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


async def test_updates_come_in_by_webhook_and_strangers_are_turned_away() -> None:
    port = a_free_port()
    url = f"http://127.0.0.1:{port}/hook/here"
    plan = WebhookPlan(public_url=url, listen=f"127.0.0.1:{port}", secret="s3cret")
    async with telegram_stage("By hook.", webhook=plan) as stage:
        await stage.until(lambda: stage.world.bot(HOST).webhook)
        assert await stage.say("Ava, hello") == ["🦊 Ava\nBy hook."]
        assert stage.world.bot(HOST).polls == 0
        set_call = stage.world.calls_of("setWebhook")[0]
        assert "managed_bot" in set_call.params["allowed_updates"]
        update = {"update_id": 900, "message": {}}
        async with httpx.AsyncClient() as stranger:
            assert (await stranger.post(url, json=update)).status_code == 401
            wrong = await stranger.post(url, json=update, headers={SECRET_HEADER: "guess"})
            assert wrong.status_code == 401
            right = {SECRET_HEADER: "s3cret"}
            assert (await stranger.post(url, content="{", headers=right)).status_code == 400
            assert (await stranger.post(url, json=[1], headers=right)).status_code == 400
        async with stage.storage.read() as uow:
            assert await uow.inbox.last_id(f"telegram:{HOST}") == 1


async def test_an_old_webhook_does_not_keep_the_poller_out() -> None:
    async with telegram_stage("Polled.") as stage:
        await stage.until(lambda: stage.world.bot(HOST).polls)
        stage.world.bot(HOST).webhook = {"url": "http://127.0.0.1:9/old", "secret": ""}
        assert await stage.say("Ava, hello") == ["🦊 Ava\nPolled."]
        assert stage.world.bot(HOST).webhook is None


async def test_an_address_in_use_is_told_by_name() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        plan = WebhookPlan(public_url="http://127.0.0.1:1/hook", listen=listen, secret="s")
        async with telegram_stage(webhook=plan) as stage:
            await stage.until(stage.running.done)
            with pytest.raises(AdapterError, match=r"telegram\.webhook\.listen"):
                stage.running.result()
