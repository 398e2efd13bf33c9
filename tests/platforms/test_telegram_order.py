"""What comes in close together, late or by an odd road is heard in order, once, and under the right address."""

from __future__ import annotations

import pytest
from cryptography.fernet import Fernet

from adapters.telegram.addresses import key_of
from adapters.telegram.bots import ASKED_AT_START, BOTS, Bots
from adapters.telegram.vault import Vault
from adapters.telegram.wire import Clients
from storage.memory import MemoryStorage
from tests.chats.test_database_away import Leaving
from tests.fake_telegram import FakeTelegram
from tests.platforms.telegram_stage import (
    ANN,
    AVA_TOKEN,
    BASIC,
    BEN_TOKEN,
    BOB,
    GROUP,
    HOST,
    HOST_TOKEN,
    TelegramStage,
    a_world,
    telegram_stage,
)

NEW = -1001000000077


async def told(stage: TelegramStage, chat: int = GROUP) -> list[str]:
    """What people said there, as the core has it, oldest first."""
    stored = await stage.chat(key_of(chat))
    async with stage.storage.read() as uow:
        return [m.text for m in await uow.messages.recent(stored.id, limit=100) if m.agent_id is None]


async def test_what_is_said_right_after_an_album_comes_after_it() -> None:
    async with telegram_stage("Hm.") as stage:
        album = stage.acts.album(GROUP, ANN, 3, "ferns")
        stage.acts.say(GROUP, ANN, "Ava, which of them is the oldest?")
        stage.acts.edit(GROUP, album[0]["message_id"], caption="three ferns")
        stage.acts.say(BASIC, BOB, "Ben, and here?")
        await stage.until(lambda: stage.world.sent(GROUP))
        await stage.settled()
        assert await told(stage) == ["three ferns", "Ava, which of them is the oldest?"]
        assert await told(stage, BASIC) == ["Ben, and here?"]


async def test_two_albums_at_once_are_two_messages() -> None:
    async with telegram_stage("Hm.") as stage:
        for name in ("one", "two"):
            stage.acts.album(GROUP, ANN, 2, f"Ava, {name}", group=name)
        await stage.until(lambda: len(stage.world.sent(GROUP)) == 2)
        assert await told(stage) == ["Ava, one", "Ava, two"]


async def test_orders_that_waited_together_are_carried_out_in_order() -> None:
    """Rights are asked of the server, which may answer the second question first."""
    async with FakeTelegram(a_world()) as server:
        for n in range(6):
            server.acts.say(GROUP, ANN, f"/agent {('pause', 'wake')[n % 2]} Ben")
            server.fail("slow", method="getChatMember", skip=n, seconds=0.05 * (6 - n))
        async with telegram_stage("Hm.", server=server) as stage:
            await stage.until(lambda: len(stage.world.sent(GROUP, bot_id=HOST)) == 6)
            replies = [m["reply_to_message"]["text"] for m in stage.world.sent(GROUP, bot_id=HOST)]
            assert replies == ["/agent pause Ben", "/agent wake Ben"] * 3
            assert await stage.say("Ben, are you there?") == ["🐻 Ben\nHm."]


@pytest.mark.parametrize("known", [True, False])
async def test_what_was_said_before_a_move_but_heard_after_it_belongs_to_the_group(known: bool) -> None:
    """Our own post meets the move first; what people said in the old group comes in only then."""
    storage = MemoryStorage()
    async with FakeTelegram(a_world()) as server:
        async with telegram_stage("Hm.", server=server, storage=storage) as stage:
            if known:
                await stage.say("Ava, hello?", chat=BASIC)
            server.fail("drop", method="getUpdates", times=3)
            server.acts.say(BASIC, ANN, "Ava, one?")
            server.acts.say(BASIC, ANN, "/settings")
            server.acts.migrate(BASIC, NEW, order="old")
            await stage.post(key_of(BASIC), "a word")
            server.acts.say(NEW, ANN, "Ava, two?")
            await stage.until(lambda: len([m for m in server.world.sent(NEW) if "Hm." in m["text"]]) == 2)
            await stage.settled()
            assert (await told(stage, NEW))[-2:] == ["Ava, one?", "Ava, two?"]
            settings = [m for m in server.world.sent(NEW) if "Hm." not in m["text"] and "a word" not in m["text"]]
            assert ["reply_to_message" in m for m in settings] == [False]
        async with telegram_stage("Hm.", server=server, storage=storage) as stage:
            await stage.post(key_of(BASIC), "a later word", id="posted:later")
            assert server.world.sent(NEW)[-1]["text"].endswith("a later word")


async def test_a_token_that_comes_in_by_an_edit_is_taken_away() -> None:
    async with telegram_stage("Hm.") as stage:
        said = stage.acts.say(GROUP, ANN, "wait a moment")
        private = stage.acts.say(ANN, ANN, "hello")
        await stage.settled()
        stage.acts.edit(GROUP, said["message_id"], f"here it is: {BEN_TOKEN}")
        stage.acts.edit(ANN, private["message_id"], BEN_TOKEN)
        stage.world.put(GROUP, HOST, "administrator")
        await stage.until(lambda: said["message_id"] not in stage.world.chats[GROUP].messages)
        await stage.until(lambda: private["message_id"] not in stage.world.chats[ANN].messages)
        assert all(BEN_TOKEN not in words for words in await told(stage))


async def test_a_start_with_very_many_bots_keeps_to_sixteen_calls_and_learns_the_other_names_later() -> None:
    world = a_world()
    pool = {"ava": AVA_TOKEN}
    for n in range(14):
        token = f"{700100 + n}:{'z' * 35}"
        world.add_bot(token, f"Zoe {n}", f"zoe{n}_bot")
        pool[f"zoe{n}"] = token
    async with FakeTelegram(world) as server, telegram_stage(server=server, pool=pool) as stage:
        await stage.until(lambda: len(server.world.bot(HOST).commands) == 6)
        assert len([c for c in server.world.calls if c.method.lower() != "getupdates"]) <= 16
        await stage.until(lambda: len({c.bot_id for c in server.world.calls_of("getMe")}) == 16)


async def test_a_busy_database_while_names_are_learnt_later_ends_nothing() -> None:
    world, tokens = a_world(), {}
    for n in range(ASKED_AT_START + 3):
        tokens[f"zoe{n}"] = token = f"{700100 + n}:{'z' * 35}"
        world.add_bot(token, f"Zoe {n}", f"zoe{n}_bot")
    async with FakeTelegram(world) as server:
        storage, clients = Leaving(), Clients(server.url)
        vault = Vault(Fernet.generate_key())
        bots = Bots(clients=clients, storage=storage, vault=vault, token=HOST_TOKEN, starters=tokens)
        await bots.load()
        storage.writes = 1
        await bots.meet_the_rest(0.0)
        await clients.close()
        async with storage.read() as uow:
            kept = await uow.platform_state.items(BOTS)
        assert len(kept) == len(tokens) - 1


async def test_a_429_on_a_question_closes_the_door_for_writes_and_costs_no_admin_their_right() -> None:
    async with telegram_stage("Hm.") as stage:
        stage.server.fail("status", method="getChatMember", code=429, parameters={"retry_after": 1})
        stage.acts.say(GROUP, ANN, "/agent pause Ben")
        await stage.until(lambda: stage.world.calls_of("getChatMember"))
        stage.acts.say(GROUP, BOB, "/help")
        await stage.until(lambda: len(stage.world.sent(GROUP)) == 2)
        assert stage.world.early_retries == 0
        assert all("admin" not in m["text"] for m in stage.world.sent(GROUP) if "Ben" in m["text"])
        assert stage.world.calls_of("getChatAdministrators") == []
