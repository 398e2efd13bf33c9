"""Servers that say less than ours, or more, or say it otherwise: nothing that was said may be lost by that."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from aiohttp import web

from adapters.telegram.addresses import key_of
from orchestration.model import OutboxState
from tests.fake_telegram import FakeTelegram
from tests.platforms.telegram_stage import ANN, AVA_BOT, AVA_TOKEN, BOB, GROUP, HOST, a_world, telegram_stage

Dress = Callable[[str, web.Response], web.Response]
REFUSED = json.dumps({"ok": False})


def changed(methods: tuple[str, ...], change: Callable[[Any], Any]) -> Dress:
    """Changes the results of these methods."""

    def dress(method: str, answer: web.Response) -> web.Response:
        body = json.loads(answer.text or "{}")
        if method not in methods or not body["ok"]:
            return answer
        return web.json_response({"ok": True, "result": change(body["result"])})

    return dress


SENDS = ("sendMessage", "editMessageText")
DRESSES: dict[str, Dress] = {
    "a sent message is a number alone": changed(SENDS, lambda m: {"message_id": m["message_id"]}),
    "dates in milliseconds": changed(SENDS, lambda m: {**m, "date": m["date"] * 1000}),
    "a field of a newer server": changed(SENDS, lambda m: {**m, "gift": 7, "photo": "none", "poll": []}),
    "a bot without flags": changed(("getMe",), lambda me: {k: me[k] for k in ("id", "username")}),
    "a member without rights": changed(("getChatMember",), lambda m: {"user": m["user"], "status": m["status"]}),
}


@pytest.mark.parametrize("dress", DRESSES.values(), ids=list(DRESSES))
async def test_an_answer_of_another_shape_is_an_answer(dress: Dress) -> None:
    async with FakeTelegram(a_world()) as server:
        server.dress = dress
        server.world.put(GROUP, AVA_BOT, "administrator")
        async with telegram_stage("Hm.", server=server, pool={"ava": AVA_TOKEN}) as stage:
            assert await stage.say("Ava, hello?") == ["Hm."]
            assert await stage.say("Ben, hello?") == ["🐻 Ben\nHm."]
            item = await stage.post(key_of(GROUP), "a word")
            assert item.state is OutboxState.SENT
            refused = (await stage.command("/agent pause Ben", who=BOB))["text"]
            done = (await stage.command("/agent pause Ben", who=ANN))["text"]
            assert "admin" in refused
            assert "admin" not in done


POOR_MESSAGES: dict[str, dict[str, Any]] = {
    "a chat without a title or a type": {"chat": {"id": GROUP}},
    "a sender with an id alone": {"from": {"id": ANN}},
    "a photo without sizes": {"photo": [{"file_id": "x"}], "caption": "Ava, hello?", "text": None},
    "a file of an unknown kind": {"video": {"file_id": "x"}, "paid_media": 4, "game": "no"},
    "an entity without a place": {"entities": [{"type": "bold"}, "x", {"type": "custom", "offset": 0, "length": 1}]},
    "a forward that says little": {"forward_origin": {"type": "new_kind"}},
    "a reply to something odd": {"reply_to_message": {"message_id": 1, "story": 5}},
    "a poll that says little": {"poll": {"question": "Ava, hello?"}, "text": None},
}


@pytest.mark.parametrize("fields", POOR_MESSAGES.values(), ids=list(POOR_MESSAGES))
async def test_a_message_of_another_shape_is_heard(fields: dict[str, Any]) -> None:
    async with telegram_stage("Hm.") as stage:
        user = {"id": ANN, "is_bot": False, "first_name": "Ann"}
        chat = {"id": GROUP, "type": "supergroup"}
        whole = {"message_id": 77, "date": stage.world.now(), "chat": chat, "from": user, "text": "Ava, hello?"}
        message = {k: v for k, v in {**whole, **fields}.items() if v is not None}
        stage.world.push(stage.world.bot(HOST), "message", message)
        await stage.settled()
        assert [m["text"] for m in stage.world.sent(GROUP)] == ["🦊 Ava\nHm."]


async def test_a_press_and_a_change_of_rights_of_another_shape_are_heard() -> None:
    async with telegram_stage("Hm.") as stage:
        await stage.say("Ava, hello?")
        (sent,) = stage.world.sent(GROUP)
        remove = sent["reply_markup"]["inline_keyboard"][0][1]["callback_data"]
        host, ann = stage.world.bot(HOST), {"id": ANN, "first_name": "Ann"}
        place = {"message_id": sent["message_id"], "chat": {"id": GROUP, "type": "supergroup"}}
        stage.world.push(
            host,
            "my_chat_member",
            {"chat": place["chat"], "from": ann, "new_chat_member": {"user": host.user, "status": "administrator"}},
        )
        stage.world.push(host, "callback_query", {"id": "1", "from": ann, "message": place, "data": remove})
        await stage.until(lambda: not stage.world.sent(GROUP))
        async with stage.storage.read() as uow:
            row = await uow.platform_state.get("telegram:groups", str(GROUP))
        assert isinstance(row, dict)
        assert row["admin"] is True


def refusing(status: int, body: str, headers: dict[str, str] | None = None, *, times: int = 1) -> Dress:
    """The next sends look refused. (They were done: the fake's own book shows whether they are done again.)"""
    left = [times]

    def dress(method: str, answer: web.Response) -> web.Response:
        if method != "sendMessage" or not left[0]:
            return answer
        left[0] -= 1
        return web.Response(status=status, text=body, headers=headers, content_type="application/json")

    return dress


@pytest.mark.parametrize(
    ("dress", "posted", "state"),
    [
        (refusing(200, REFUSED), 1, OutboxState.FAILED),
        (refusing(400, REFUSED), 1, OutboxState.FAILED),
        (refusing(400, json.dumps({"ok": False, "description": 5, "parameters": ["x"]})), 1, OutboxState.FAILED),
        (refusing(200, json.dumps({"ok": True})), 1, OutboxState.UNKNOWN),
        (refusing(200, json.dumps({"ok": True, "result": "yes"})), 1, OutboxState.UNKNOWN),
        (refusing(200, json.dumps({"ok": False, "error_code": 500})), 2, OutboxState.SENT),
        (refusing(429, "", {"Retry-After": "1"}), 2, OutboxState.SENT),
        (refusing(429, json.dumps({"ok": False, "parameters": {"retry_after": "1"}})), 2, OutboxState.SENT),
        (
            refusing(200, json.dumps({"ok": False, "error_code": 429, "description": "retry after 1"})),
            2,
            OutboxState.SENT,
        ),
    ],
)
async def test_refusals_of_every_shape_have_their_meaning(dress: Dress, posted: int, state: OutboxState) -> None:
    async with FakeTelegram(a_world()) as server:
        server.dress = dress
        async with telegram_stage(server=server) as stage:
            item = await stage.post(key_of(GROUP), "a word")
            assert item.state is state
            assert len(stage.world.sent(GROUP)) == posted


async def test_a_server_without_getchatmember_names_the_admins_in_its_list() -> None:
    async with FakeTelegram(a_world()) as server:
        server.fail("status", method="getChatMember", code=404, description="Not Found: method not found", times=99)
        async with telegram_stage(server=server) as stage:
            refused = (await stage.command("/agent pause Ben", who=BOB))["text"]
            done = (await stage.command("/agent pause Ben", who=ANN))["text"]
            assert "admin" in refused
            assert "admin" not in done
