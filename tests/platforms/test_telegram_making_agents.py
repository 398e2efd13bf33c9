"""`/agent add` in private: the dialogue, managed bots, pasted tokens, and joining groups by a link."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from adapters.telegram.addresses import key_of
from orchestration.model import AgentCard
from storage.database import Database
from storage.memory import MemoryStorage
from storage.sql import SqlStorage
from tests.fake_telegram import FakeTelegram
from tests.platforms.telegram_stage import (
    ANN,
    BOB,
    EVE,
    FORUM,
    GROUP,
    HOST,
    HOST_TOKEN,
    TelegramStage,
    a_world,
    telegram_stage,
)

ZOE_BOT = 700055
ZOE_TOKEN = f"{ZOE_BOT}:AAE{'z' * 32}"


async def told(stage: TelegramStage, text: str, *, who: int = EVE) -> str:
    """The host's next words in private."""
    return str((await stage.command(text, who=who, chat=who))["text"])


async def make_zoe(stage: TelegramStage, *, who: int = EVE) -> str:
    """The dialogue up to the question for the bot."""
    await told(stage, "/agent add", who=who)
    assert "Zoe" in await told(stage, "Zoe", who=who)
    await told(stage, "🐢", who=who)
    return await told(stage, "slow and wise", who=who)


async def zoe_joins(stage: TelegramStage, payload: str = "") -> None:
    """Eve follows the link; the group is told."""
    stage.acts.join(GROUP, ZOE_BOT, by=EVE, payload=payload)
    await stage.until(lambda: [m for m in stage.world.sent(GROUP) if "Zoe" in m["text"]])
    await stage.settled()


def a_world_with_zoes_bot() -> Any:
    world = a_world()
    world.add_bot(ZOE_TOKEN, "Zoe", "zoe_bot")
    return world


async def cast_of(stage: TelegramStage, chat: int = GROUP) -> dict[str, AgentCard]:
    stored = await stage.chat(key_of(chat))
    return {card.name: card for card in await stage.casts.of(stored.tenant_id)}


async def test_a_pasted_token_makes_an_agent_that_joins_by_its_link() -> None:
    async with FakeTelegram(a_world_with_zoes_bot()) as server, telegram_stage("Slowly.", server=server) as stage:
        assert "BotFather" in await make_zoe(stage)
        secret = stage.acts.say(EVE, EVE, f"here it is: {ZOE_TOKEN} thanks")
        ready = await stage.until(lambda: [m for m in server.world.sent(EVE) if "startgroup" in m["text"]])
        assert secret["message_id"] not in server.world.chats[EVE].messages
        link = ready[0]["text"].split("https://t.me/zoe_bot?startgroup=")[1].split()[0]
        await zoe_joins(stage, link)
        assert (await stage.say("Zoe, how do you walk?"))[-1] == "Slowly."
        assert server.world.sent(GROUP)[-1]["from"]["id"] == ZOE_BOT
        zoe = (await cast_of(stage))["Zoe"]
        assert (zoe.owner_id, zoe.emoji, zoe.description) == (f"telegram:{EVE}", "🐢", "slow and wise")
        joined = [m["text"] for m in server.world.sent(GROUP) if "Zoe" in m["text"]]
        assert len(joined) == 1


async def test_an_admin_may_remove_the_agent_and_the_starters_stay() -> None:
    async with FakeTelegram(a_world_with_zoes_bot()) as server, telegram_stage("Hm.", server=server) as stage:
        await make_zoe(stage)
        await told(stage, ZOE_TOKEN)
        await zoe_joins(stage)
        assert "admin" in (await stage.command("/agent remove Zoe", who=BOB))["text"]
        await stage.command("/agent remove Zoe", who=ANN)
        assert set(await cast_of(stage)) == {"Ava", "Ben"}


async def test_a_managed_bot_is_one_press_and_a_new_token_is_fetched_by_itself() -> None:
    world = a_world()
    world.bot(HOST).names["can_manage_bots"] = True
    async with FakeTelegram(world) as server, telegram_stage("By press.", server=server) as stage:
        await make_zoe(stage)
        asked = server.world.sent(EVE)[-1]
        wish = asked["_keyboard"]["keyboard"][0][0]["request_managed_bot"]
        assert wish["suggested_name"] == "Zoe"
        assert wish["suggested_username"].endswith("bot")
        stage.acts.make_managed_bot(EVE, ZOE_TOKEN, "Zoe", "zoe_bot")
        await stage.until(lambda: [m for m in world.sent(EVE) if "zoe_bot?startgroup" in m["text"]])
        await zoe_joins(stage)
        assert (await stage.say("Zoe, hello"))[-1] == "By press."
        fresh = f"{ZOE_BOT}:BBE{'n' * 32}"
        world.bots.pop(ZOE_TOKEN)
        stage.acts.make_managed_bot(EVE, fresh, "Zoe", "zoe_bot")
        await stage.settled()
        await stage.until(lambda: len(world.calls_of("getManagedBotToken")) == 2)
        await stage.say("Zoe, still you?")
        assert world.sent(GROUP)[-1]["from"]["id"] == ZOE_BOT


async def test_the_dialogue_survives_a_restart_and_asks_one_thing_a_message() -> None:
    storage = MemoryStorage()
    async with FakeTelegram(a_world_with_zoes_bot()) as server:
        async with telegram_stage(server=server, storage=storage) as stage:
            data_dir = stage.data_dir
            await told(stage, "/agent add")
            await told(stage, "Zoe")
        async with telegram_stage(server=server, storage=storage) as stage:
            assert stage.data_dir != data_dir
            await told(stage, "🐢")
            await told(stage, "/skip")
            assert "zoe_bot" in await told(stage, ZOE_TOKEN)


async def test_a_wrong_token_is_deleted_and_asked_for_again() -> None:
    async with telegram_stage() as stage:
        await make_zoe(stage)
        for wrong in (f"700066:{'w' * 35}", "no token at all"):
            message = stage.acts.say(EVE, EVE, wrong)
            before = len(stage.world.sent(EVE))
            await stage.until(lambda before=before: len(stage.world.sent(EVE)) > before)
            assert message["message_id"] not in stage.world.chats[EVE].messages
        assert "startgroup" in await told(stage, "/skip")


async def test_the_hosts_and_other_peoples_bots_are_refused() -> None:
    async with FakeTelegram(a_world_with_zoes_bot()) as server, telegram_stage(server=server) as stage:
        await make_zoe(stage)
        assert "startgroup" not in await told(stage, HOST_TOKEN)
        assert "startgroup" in await told(stage, ZOE_TOKEN)
        await make_zoe(stage, who=BOB)
        assert "startgroup" not in await told(stage, ZOE_TOKEN, who=BOB)


async def test_an_agent_without_a_bot_joins_by_the_hosts_link() -> None:
    async with telegram_stage("As a header.") as stage:
        await make_zoe(stage)
        ready = await told(stage, "/skip")
        key = ready.split("https://t.me/cast_bot?startgroup=")[1].split()[0]
        stage.acts.say(GROUP, EVE, f"/start@cast_bot {key}")
        await stage.until(lambda: stage.world.sent(GROUP))
        assert (await stage.say("Zoe, hello"))[-1] == "🐢 Zoe\nAs a header."


async def test_agent_add_in_a_group_leads_to_the_private_chat() -> None:
    async with telegram_stage() as stage:
        for line in ("/agent add", "/agent add Zoe; slow", "/agent_add"):
            answer = await stage.command(line, who=ANN)
            assert "https://t.me/cast_bot?start=agent_add" in answer["text"]
        assert set(await cast_of(stage)) == {"Ava", "Ben"}
        stage.acts.say(EVE, EVE, "/start agent_add")
        await stage.until(lambda: stage.world.sent(EVE))
        assert "Zoe" in await told(stage, "Zoe")


async def test_names_that_cannot_be_are_asked_for_again() -> None:
    async with telegram_stage() as stage:
        await told(stage, "/agent add")
        assert "Ava" in await told(stage, "ava")
        await told(stage, "x" * 500)
        assert "Zoe" in await told(stage, "Zoe")
        await told(stage, "not an emoji at all")
        await told(stage, "🐢")
        assert await told(stage, "/cancel")
        assert "startgroup" in await told(stage, "Zoe")


def holding(folder: Path, *secrets: str) -> list[str]:
    """Names of the files in which one of the secrets stands."""
    files = [p for p in folder.rglob("*") if p.is_file()]
    return [p.name for p in files if any(s.encode() in p.read_bytes() for s in secrets)]


@pytest.mark.parametrize("where", ["in the dialogue", "outside of it", "in a group"])
async def test_no_token_stands_in_the_clear_anywhere_under_data_dir(tmp_path: Path, where: str) -> None:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'troupe.db'}")
    await database.open()
    await database.upgrade()
    try:
        world = a_world_with_zoes_bot()
        async with FakeTelegram(world) as server:
            storage = SqlStorage(database)
            async with telegram_stage("Ok.", server=server, storage=storage, data_dir=tmp_path) as stage:
                if where == "in the dialogue":
                    await make_zoe(stage)
                    await told(stage, f"{ZOE_BOT}:short-and-wrong")
                    await told(stage, ZOE_TOKEN)
                elif where == "outside of it":
                    await told(stage, f"look: {ZOE_TOKEN}")
                else:
                    await stage.say(f"Ava, is {ZOE_TOKEN} a good password?")
            again = telegram_stage("Ok.", server=server, storage=storage, data_dir=tmp_path)
            async with again as stage:
                await stage.settled()
    finally:
        await database.close()
    assert holding(tmp_path, ZOE_TOKEN.partition(":")[2], "short-and-wrong") == []
    assert (tmp_path / "telegram.key").stat().st_mode & 0o777 == 0o600


async def test_the_makers_bot_that_is_thrown_out_is_told_to_the_maker_alone() -> None:
    async with FakeTelegram(a_world_with_zoes_bot()) as server, telegram_stage("Hm.", server=server) as stage:
        await make_zoe(stage)
        await told(stage, ZOE_TOKEN)
        await zoe_joins(stage)
        await stage.say("Zoe, hello")
        stage.acts.remove(GROUP, ZOE_BOT, by=ANN)
        before = len(server.world.sent(EVE))
        assert await stage.say("Zoe, and now?") == ["🐢 Zoe\nHm."]
        notes = server.world.sent(EVE)[before:]
        assert len(notes) == 1
        assert "The Garden" in notes[0]["text"]


async def test_a_token_of_an_unusual_length_is_taken_where_it_was_asked_for() -> None:
    world = a_world()
    world.add_bot("77:short", "Zoe", "zoe_bot")
    async with FakeTelegram(world) as server, telegram_stage(server=server) as stage:
        await make_zoe(stage)
        assert "zoe_bot?startgroup" in await told(stage, "77:short")


async def test_makers_find_their_agents_and_links_again() -> None:
    async with FakeTelegram(a_world_with_zoes_bot()) as server, telegram_stage(server=server) as stage:
        await make_zoe(stage)
        await told(stage, ZOE_TOKEN)
        listed = await told(stage, "/agent list")
        assert "Zoe: https://t.me/zoe_bot?startgroup=" in listed
        assert "Zoe" not in await told(stage, "/agent list", who=BOB)


async def test_answers_sent_all_at_once_are_taken_in_one_by_one() -> None:
    async with FakeTelegram(a_world_with_zoes_bot()) as server:
        for words in ("/agent add", "Zoe", "🐢", "slow and wise", ZOE_TOKEN):
            server.acts.say(EVE, EVE, words)
        async with telegram_stage("Slowly.", server=server) as stage:
            await stage.until(lambda: [m for m in server.world.sent(EVE) if "zoe_bot?startgroup" in m["text"]])
            await zoe_joins(stage)
            zoe = (await cast_of(stage))["Zoe"]
            assert (zoe.emoji, zoe.description) == ("🐢", "slow and wise")


async def test_a_token_that_comes_too_early_is_deleted_and_forgotten() -> None:
    async with telegram_stage() as stage:
        for line in (f"/agent add {ZOE_TOKEN}", ZOE_TOKEN):
            message = stage.acts.say(EVE, EVE, line)
            before = len(stage.world.sent(EVE))
            await stage.until(lambda before=before: len(stage.world.sent(EVE)) > before)
            assert message["message_id"] not in stage.world.chats[EVE].messages
            assert "called" in stage.world.sent(EVE)[-1]["text"]
        assert "Zoe" in await told(stage, "Zoe")


async def test_a_token_in_a_groups_command_is_deleted_too() -> None:
    async with telegram_stage() as stage:
        stage.world.put(GROUP, HOST, "administrator")
        message = stage.acts.say(GROUP, ANN, f"/agent add Zoe; {ZOE_TOKEN}")
        await stage.until(lambda: message["message_id"] not in stage.world.chats[GROUP].messages)
        await stage.until(lambda: [m for m in stage.world.sent(GROUP) if "/revoke" in m["text"]])


async def test_a_managed_bot_that_is_told_of_twice_is_one_agent() -> None:
    world = a_world()
    world.bot(HOST).names["can_manage_bots"] = True
    async with FakeTelegram(world) as server, telegram_stage(server=server) as stage:
        await make_zoe(stage)
        bot = {"id": ZOE_BOT, "is_bot": True, "first_name": "Zoe", "username": "zoe_bot"}
        stage.acts.say(EVE, EVE, None, managed_bot_created={"bot": bot})
        stage.acts.make_managed_bot(EVE, ZOE_TOKEN, "Zoe", "zoe_bot")
        await stage.settled()
        await stage.until(lambda: len(world.calls_of("getManagedBotToken")) == 2)
        await told(stage, "/agent list")
        assert sum("is ready" in m["text"] for m in world.sent(EVE)) == 1


async def test_a_makers_change_reaches_every_group_and_leaves_the_rest_of_its_copy() -> None:
    async with FakeTelegram(a_world_with_zoes_bot()) as server, telegram_stage("Hm.", server=server) as stage:
        await make_zoe(stage)
        await told(stage, ZOE_TOKEN)
        await zoe_joins(stage)
        stage.acts.join(FORUM, ZOE_BOT, by=EVE)
        await stage.until(lambda: [m for m in server.world.sent(FORUM) if "Zoe" in m["text"]])
        await stage.command("/agent edit Zoe; tone: loud", who=ANN)
        assert "Zoe" in await told(stage, "/agent edit zoe; character: quick and silly")
        for chat, tone in ((GROUP, "loud"), (FORUM, "")):
            zoe = (await cast_of(stage, chat))["Zoe"]
            assert (zoe.description, zoe.tone) == ("quick and silly", tone)
        assert "quick and silly" in await told(stage, "/agent show Zoe")
        profile = [c.params for c in server.world.calls_of("setMyShortDescription", bot_id=ZOE_BOT)]
        assert [p["short_description"] for p in profile] == ["slow and wise", "quick and silly"]
        assert "silly" not in await told(stage, "/agent show Zoe", who=BOB)
        assert "field" in (await told(stage, "/agent edit Zoe; colour: red")).casefold()


async def test_an_agent_without_a_bot_that_joined_in_a_topic_is_changed_and_taken_back() -> None:
    async with telegram_stage("Hm.") as stage:
        await make_zoe(stage)
        key = (await told(stage, "/skip")).split("https://t.me/cast_bot?startgroup=")[1].split()[0]
        topic = stage.acts.open_topic(FORUM, "Ferns", by=ANN)
        stage.acts.say(FORUM, EVE, f"/start@cast_bot {key}", thread=topic)
        joined = await stage.until(lambda: stage.world.sent(FORUM))
        assert joined[0]["message_thread_id"] == topic
        await told(stage, "/agent edit Zoe; emoji: 🦜")
        assert (await cast_of(stage, FORUM))["Zoe"].emoji == "🦜"
        await told(stage, "/agent remove Zoe")
        assert "Zoe" not in await cast_of(stage, FORUM)


async def test_a_groups_refusal_of_a_makers_change_is_told_and_holds_no_other_up() -> None:
    async with FakeTelegram(a_world_with_zoes_bot()) as server, telegram_stage("Hm.", server=server) as stage:
        await make_zoe(stage)
        await told(stage, ZOE_TOKEN)
        await zoe_joins(stage)
        stage.acts.join(FORUM, ZOE_BOT, by=EVE)
        await stage.until(lambda: [m for m in server.world.sent(FORUM) if "Zoe" in m["text"]])
        await stage.command("/agent edit Ben; name: Mia", who=ANN)
        assert "The Garden" in await told(stage, "/agent edit Zoe; name: Mia")
        assert "Zoe" in await cast_of(stage, GROUP)
        assert "Mia" in await cast_of(stage, FORUM)


async def test_a_maker_takes_an_agent_back_and_its_token_is_forgotten() -> None:
    async with FakeTelegram(a_world_with_zoes_bot()) as server, telegram_stage("Hm.", server=server) as stage:
        await make_zoe(stage)
        await told(stage, ZOE_TOKEN)
        await zoe_joins(stage)
        assert "Zoe" in await told(stage, "/agent remove Zoe")
        assert set(await cast_of(stage)) == {"Ava", "Ben"}
        async with stage.storage.read() as uow:
            assert await uow.platform_state.items("telegram:bots") == {}
        assert "Zoe" not in await told(stage, "/agent list")
