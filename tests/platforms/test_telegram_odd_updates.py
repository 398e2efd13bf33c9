"""Updates of every shape: none ends the poller, none keeps its neighbours back; what no database takes is answered."""

from __future__ import annotations

from typing import Any

import httpx
import pytest

from adapters.telegram.webhook import SECRET_HEADER, WebhookPlan
from tests.fake_telegram import FakeTelegram
from tests.platforms.telegram_stage import ANN, EVE, GROUP, HOST, a_world, telegram_stage
from tests.platforms.test_telegram_webhook import a_free_port

PRIVATE = {"id": EVE, "type": "private", "first_name": "Eve"}
PERSON = {"id": ANN, "is_bot": False, "first_name": "Ann"}
PLACE = {"id": GROUP, "type": "supergroup", "title": "The Garden"}
SAID = {"message_id": 9, "date": 1_790_000_000, "chat": PLACE, "from": PERSON, "text": "hm"}
NEST: dict[str, Any] = {}
for _ in range(700):
    NEST = {"in": NEST}
ODD: dict[str, dict[str, Any]] = {
    "a chat whose id is no number": {"message": {"chat": {"type": "private", "id": "x"}, "text": "hi"}},
    "a message that is null": {"message": None},
    "a message that is a list": {"message": [1]},
    "a message that is a text": {"message": "hi"},
    "no chat": {"message": {"chat": None, "text": "hi"}},
    "a date far away": {"message": {**SAID, "date": 10**18}},
    "an entity beyond the text": {
        "message": {**SAID, "entities": [{"type": "mention", "offset": 5000, "length": 9}]},
    },
    "entities that are a text": {"message": {**SAID, "entities": "bold"}},
    "a message number of 70 bits": {"message": {**SAID, "message_id": 2**70}},
    "a sender without a number": {"message": {**SAID, "from": {"id": "no"}}},
    "an edit of nothing": {"edited_message": {"message_id": 1, "chat": PRIVATE}},
    "a press on nothing": {"callback_query": {"id": "1"}},
    "a change of nobody": {"my_chat_member": {"chat": PLACE}},
    "a bot made by nobody": {"managed_bot": {}},
    "nothing at all": {},
    "a nest without end": {"message": {**SAID, "nest": NEST}},
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
async def test_no_update_keeps_the_next_one_back(odd: dict[str, Any]) -> None:
    async with telegram_stage("Alive.") as stage:
        await stage.until(lambda: stage.world.bot(HOST).polls)
        stage.world.push_raw(stage.world.bot(HOST), odd)
        assert (await stage.say("Ava, alive?"))[-1] == "🦊 Ava\nAlive."
        assert not stage.running.done()


async def test_an_update_that_has_no_number_is_dropped_without_a_rush_of_polls() -> None:
    world = a_world()
    async with FakeTelegram(world) as server, telegram_stage("Alive.", server=server) as stage:
        host = world.bot(HOST)
        await stage.until(lambda: host.polls)
        number = world.push_raw(host, {"message": dict(SAID)})
        host.updates[-1] = {"message": dict(SAID), "update_id": "seven"}
        host.born["seven"] = host.born[number]  # type: ignore[index]
        await stage.until(lambda: len(world.calls_of("getUpdates")) > 1)
        server.acts.say(GROUP, ANN, "Ava, alive?")
        host.updates = [u for u in host.updates if u["update_id"] != "seven"]
        await stage.until(lambda: world.sent(GROUP))
        assert [m["text"] for m in world.sent(GROUP)] == ["🦊 Ava\nAlive."]
        assert len(world.calls_of("getUpdates")) < 10


async def test_half_a_surrogate_pair_and_nul_are_answered() -> None:
    async with telegram_stage(lambda request: request.last_user.rpartition("\n")[2]) as stage:
        said = await stage.say("Ava, half \ud83d and \x00 end")
        assert len(said) == 1
        assert "half" in said[0]
        assert "end" in said[0]
        said[0].encode()


async def test_a_command_without_entities_is_a_command_all_the_same() -> None:
    async with telegram_stage("Hm.") as stage:
        before = len(stage.world.sent(GROUP))
        stage.world.push_raw(stage.world.bot(HOST), {"message": {**SAID, "text": "/cast"}})
        stage.world.push_raw(stage.world.bot(HOST), {"message": {**SAID, "message_id": 10, "text": "/etc/hosts, Ava?"}})
        await stage.until(lambda: len(stage.world.sent(GROUP)) == before + 2)
        texts = sorted(m["text"] for m in stage.world.sent(GROUP))
        assert "Ben" in texts[0]
        assert texts[1] == "🦊 Ava\nHm."


async def test_a_webhook_that_gets_nonsense_says_so_and_goes_on() -> None:
    port = a_free_port()
    plan = WebhookPlan(public_url=f"http://127.0.0.1:{port}/hook", listen=f"127.0.0.1:{port}", secret="s3cret")
    async with telegram_stage("By hook.", webhook=plan) as stage:
        await stage.until(lambda: stage.world.bot(HOST).webhook)
        async with httpx.AsyncClient(headers={SECRET_HEADER: "s3cret"}) as caller:
            for body in (b"[" * 100_000, b"\xff{", b"", b"null"):
                assert (await caller.post(plan.public_url, content=body)).status_code == 400
            odd = {"update_id": 800, **ODD["a chat whose id is no number"]}
            assert (await caller.post(plan.public_url, json=odd)).status_code == 200
        stage.acts.say(GROUP, ANN, "Ava, hello")
        await stage.until(lambda: stage.world.sent(GROUP))
        assert [m["text"] for m in stage.world.sent(GROUP)] == ["🦊 Ava\nBy hook."]
