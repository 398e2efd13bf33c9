"""The fake Bot API server itself, driven by raw HTTP and by the library's own `Bot`: both must see the same server."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import httpx
import pytest
from telegram import Bot, InputFile, MessageEntity, ReplyParameters
from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, TelegramError

from tests.fake_telegram import FakeTelegram
from tests.platforms.telegram_stage import (
    ANN,
    AVA_BOT,
    AVA_TOKEN,
    BASIC,
    BOB,
    FORUM,
    GROUP,
    HOST,
    HOST_TOKEN,
    a_world,
)
from tests.waiting import until


async def raw(server: FakeTelegram, method: str, token: str = HOST_TOKEN, **params: Any) -> dict[str, Any]:
    """One call by hand, as JSON."""
    async with httpx.AsyncClient() as client:
        answer = await client.post(f"{server.url}/bot{token}/{method}", json=params, timeout=10)
    body: dict[str, Any] = answer.json()
    assert body["ok"] == (answer.status_code == 200)
    return body


async def by_hand(server: FakeTelegram, chat: int, text: str, **more: Any) -> str:
    """ "ok", or the server's description."""
    body = await raw(server, "sendMessage", chat_id=chat, text=text, **more)
    return "ok" if body["ok"] else str(body["description"])


async def by_library(server: FakeTelegram, chat: int, text: str, **more: Any) -> str:
    bot = Bot(HOST_TOKEN, base_url=f"{server.url}/bot")
    entities = more.pop("entities", None)
    if entities is not None:
        more["entities"] = [MessageEntity(**e) for e in entities]
    async with bot:
        try:
            await bot.send_message(chat, text, **more)
        except ChatMigrated as error:
            return f"Bad Request: group chat was upgraded to a supergroup chat {error.new_chat_id}"
        except TelegramError as error:
            return str(error)
    return "ok"


CASES: list[tuple[int, str, dict[str, Any], str]] = [
    (GROUP, "hello", {}, "ok"),
    (GROUP, "   ", {}, "message text is empty"),
    (GROUP, "x" * 4097, {}, "message is too long"),
    (GROUP, "😀" * 2049, {}, "message is too long"),
    (GROUP, "hi.", {"parse_mode": "MarkdownV2"}, "character '.' is reserved"),
    (GROUP, "_open", {"parse_mode": "MarkdownV2"}, "can't find end of italic entity at byte offset 0"),
    (GROUP, "<y>", {"parse_mode": "HTML"}, 'unsupported start tag "y" at byte offset 0'),
    (GROUP, "<b>", {"parse_mode": "HTML"}, "can't find end tag corresponding to start tag"),
    (GROUP, "hi", {"entities": [{"type": "bold", "offset": 1, "length": 9}]}, "entity_bounds_invalid"),
    (GROUP, "hi", {"reply_to_message_id": 99}, "message to be replied not found"),
    (GROUP, "hi", {"message_thread_id": 5}, "message thread not found"),
    (FORUM, "hi", {"message_thread_id": 1}, "message thread not found"),
    (-999, "hi", {}, "chat not found"),
]


@pytest.mark.parametrize(("chat", "text", "more", "expected"), CASES)
@pytest.mark.parametrize("driver", [by_hand, by_library])
async def test_both_drivers_see_the_same_rules(
    driver: Callable[..., Awaitable[str]], chat: int, text: str, more: dict[str, Any], expected: str
) -> None:
    async with FakeTelegram(a_world()) as server:
        assert expected in (await driver(server, chat, text, **more)).casefold()


async def test_unknown_tokens_and_methods_have_their_codes() -> None:
    async with FakeTelegram(a_world()) as server:
        assert (await raw(server, "getMe", token="1:none"))["error_code"] == 401
        assert (await raw(server, "noSuchMethod"))["error_code"] == 404
        assert (await raw(server, "GETME"))["result"]["username"] == "cast_bot"


async def test_forms_json_query_and_multipart_mean_the_same() -> None:
    async with FakeTelegram(a_world()) as server, httpx.AsyncClient() as client:
        url = f"{server.url}/bot{HOST_TOKEN}/sendMessage"
        entities = json.dumps([{"type": "bold", "offset": 0, "length": 2}])
        params = {"chat_id": str(GROUP), "text": "hi", "entities": entities}
        for answer in (
            await client.get(url, params=params),
            await client.post(url, data=params),
            await client.post(url, json=params),
            await client.post(url, data=params, files={"unused": ("a.txt", b"a")}),
        ):
            assert answer.json()["result"]["entities"][0]["type"] == "bold"
        bot = Bot(HOST_TOKEN, base_url=f"{server.url}/bot")
        async with bot:
            sent = await bot.send_document(GROUP, InputFile(b"x", filename="x.txt"), caption="a file")
        assert sent.document is not None


async def test_in_basic_groups_each_bot_counts_messages_by_itself() -> None:
    world = a_world()
    world.put(BASIC, AVA_BOT)
    world.put(GROUP, AVA_BOT)
    async with FakeTelegram(world) as server:
        ids = {}
        for chat in (BASIC, GROUP):
            mine = (await raw(server, "sendMessage", chat_id=chat, text="from the host"))["result"]["message_id"]
            told = await raw(
                server, "sendMessage", AVA_TOKEN, chat_id=chat, text="hi", reply_parameters={"message_id": mine}
            )
            ids[chat] = told.get("description", "ok")
        assert ids == {BASIC: "Bad Request: message to be replied not found", GROUP: "ok"}


async def test_privacy_and_bots_decide_what_is_heard() -> None:
    world = a_world()
    world.put(GROUP, AVA_BOT)
    async with FakeTelegram(world) as server:
        server.acts.say(GROUP, ANN, "plain words")
        server.acts.say(GROUP, ANN, "/why@ava_bot")
        await raw(server, "sendMessage", chat_id=GROUP, text="from the host")
        heard = [u["message"]["text"] for u in world.bot(HOST).updates]
        private = [u["message"]["text"] for u in world.bot(AVA_BOT).updates]
        assert heard == ["plain words", "/why@ava_bot"]
        assert private == ["/why@ava_bot"]


async def test_updates_stay_until_acknowledged_and_a_second_poller_ends_the_first() -> None:
    async with FakeTelegram(a_world()) as server:
        server.acts.say(GROUP, ANN, "one")
        server.acts.say(GROUP, ANN, "two")
        first = (await raw(server, "getUpdates"))["result"]
        again = (await raw(server, "getUpdates"))["result"]
        assert first == again
        rest = (await raw(server, "getUpdates", offset=first[0]["update_id"] + 1))["result"]
        assert [u["message"]["text"] for u in rest] == ["two"]
        last = (await raw(server, "getUpdates", offset=-1))["result"]
        assert [u["message"]["text"] for u in last] == ["two"]
        older = asyncio.create_task(raw(server, "getUpdates", offset=first[1]["update_id"] + 1, timeout=5))
        await until(lambda: server.world.bot(HOST).poll is not None)
        newer = asyncio.create_task(raw(server, "getUpdates", timeout=1))
        assert (await older)["error_code"] == 409
        assert (await newer)["result"] == []


async def test_allowed_updates_are_remembered_and_a_day_is_all_that_is_kept() -> None:
    now = 0.0
    world = a_world()
    world.clock = lambda: now
    async with FakeTelegram(world) as server:
        await raw(server, "getUpdates", allowed_updates=["edited_message"])
        message = server.acts.say(GROUP, ANN, "unheard")
        server.acts.edit(GROUP, message["message_id"], "heard")
        assert [list(u)[1] for u in world.bot(HOST).updates] == ["edited_message"]
        now = 90_000.0
        assert (await raw(server, "getUpdates"))["result"] == []


async def test_floods_close_one_bot_in_one_chat_and_grow_when_knocked_at() -> None:
    world = a_world()
    world.put(GROUP, AVA_BOT)
    now = 0.0
    world.clock = lambda: now
    async with FakeTelegram(world) as server:
        server.flood.limit, server.flood.wait = 2, 10
        for n in range(2):
            assert (await raw(server, "sendMessage", chat_id=GROUP, text=str(n)))["ok"]
        told = await raw(server, "sendMessage", chat_id=GROUP, text="3")
        assert told["parameters"] == {"retry_after": 10}
        knocked = await raw(server, "sendChatAction", chat_id=GROUP, action="typing")
        assert knocked["parameters"] == {"retry_after": 20}
        assert world.early_retries == 1
        assert (await raw(server, "sendMessage", AVA_TOKEN, chat_id=GROUP, text="other bot"))["ok"]
        assert (await raw(server, "sendMessage", chat_id=FORUM, text="other chat"))["ok"]
        now = 61.0
        assert (await raw(server, "sendMessage", chat_id=GROUP, text="later"))["ok"]


async def test_the_library_maps_the_servers_refusals() -> None:
    world = a_world()
    async with FakeTelegram(world) as server:
        bot = Bot(HOST_TOKEN, base_url=f"{server.url}/bot")
        async with bot:
            sent = await bot.send_message(
                GROUP, "hi", reply_parameters=ReplyParameters(77, allow_sending_without_reply=True)
            )
            with pytest.raises(BadRequest, match=r"(?i)not modified"):
                await bot.edit_message_text("hi", GROUP, sent.message_id)
            other = server.acts.say(GROUP, ANN, "mine")
            with pytest.raises(BadRequest, match=r"(?i)can't be edited"):
                await bot.edit_message_text("no", GROUP, other["message_id"])
            with pytest.raises(BadRequest, match=r"(?i)textdraft_peer_invalid"):
                await bot.send_message_draft(GROUP, 1, "x")
            server.acts.migrate(BASIC, -1001000000088)
            with pytest.raises(ChatMigrated) as moved:
                await bot.send_message(BASIC, "x")
            assert moved.value.new_chat_id == -1001000000088
            server.acts.remove(GROUP, HOST, by=ANN)
            with pytest.raises(Forbidden, match="kicked from the supergroup"):
                await bot.send_message(GROUP, "x")
            await bot.set_webhook("http://127.0.0.1:9/x")
            with pytest.raises(Conflict):
                await bot.get_updates()
            await bot.delete_webhook()


async def test_it_can_be_driven_from_another_process() -> None:
    async with FakeTelegram(a_world()) as server, httpx.AsyncClient() as client:
        control = f"{server.url}/control"
        said = {"do": "say", "with": {"chat_id": GROUP, "user_id": BOB, "text": "hello"}}
        assert (await client.post(control, json=said)).json()["text"] == "hello"
        await raw(server, "sendMessage", chat_id=GROUP, text="hi")
        sent = (await client.post(control, json={"do": "sent", "with": {"chat_id": GROUP}})).json()
        assert [m["text"] for m in sent] == ["hi"]
