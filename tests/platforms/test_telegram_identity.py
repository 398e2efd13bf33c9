"""Two looks behind one transport: an agent's own bot, and the header it falls back to and comes back from."""

from __future__ import annotations

from dataclasses import replace

from adapters.telegram.addresses import key_of
from orchestration.findings import Level
from orchestration.model import OutboxKind, OutboxState
from storage.memory import MemoryStorage
from tests.fake_telegram import FakeTelegram
from tests.platforms.telegram_stage import (
    ANN,
    AVA_BOT,
    AVA_TOKEN,
    BEN,
    BOB,
    FAST,
    FORUM,
    GROUP,
    HOST,
    HOST_TOKEN,
    a_world,
    telegram_stage,
)

POOL = {"ava": AVA_TOKEN}


async def test_an_agent_with_its_own_bot_posts_types_and_is_replied_to_as_itself() -> None:
    async with telegram_stage("Moss.", pool=POOL) as stage:
        stage.world.put(GROUP, AVA_BOT)
        await stage.say("Ava, what grows here?")
        sent = stage.world.sent(GROUP)
        assert [(m["from"]["id"], m["text"]) for m in sent] == [(AVA_BOT, "Moss.")]
        assert stage.world.calls_of("sendChatAction", bot_id=AVA_BOT)
        assert stage.world.calls_of("getUpdates", bot_id=AVA_BOT) == []
        assert "reply_markup" not in sent[0]
        await stage.say("really?", who=BOB, reply_to=sent[0]["message_id"])
        assert [m["from"]["id"] for m in stage.world.sent(GROUP)] == [AVA_BOT, AVA_BOT]


async def test_not_a_member_falls_back_tells_once_and_comes_back_when_it_joins() -> None:
    async with telegram_stage("Here.", pool=POOL) as stage:
        said = await stage.say("Ava, hello")
        assert said[0] == "🦊 Ava\nHere."
        assert "@ava_bot" in said[1]
        assert "startgroup" in said[1]
        assert await stage.say("Ava, again") == ["🦊 Ava\nHere."]
        stage.acts.join(GROUP, AVA_BOT, by=ANN)
        await stage.settled()
        assert await stage.say("Ava, now?") == ["Here."]
        stage.acts.remove(GROUP, AVA_BOT, by=ANN)
        assert await stage.say("Ava, gone?") == ["🦊 Ava\nHere."]


async def test_a_revoked_token_falls_back_in_the_middle_of_the_talk() -> None:
    async with telegram_stage("Here.", pool=POOL) as stage:
        stage.world.put(GROUP, AVA_BOT)
        assert await stage.say("Ava, hello") == ["Here."]
        stage.world.bot(AVA_BOT).revoked = True
        said = await stage.say("Ava, hello again")
        assert said[0] == "🦊 Ava\nHere."
        assert "token" in said[1]
        assert len(said) == 2


async def test_a_bot_that_may_not_write_falls_back() -> None:
    async with telegram_stage("Here.", pool=POOL) as stage:
        stage.world.put(GROUP, AVA_BOT, "restricted")
        said = await stage.say("Ava, hello")
        assert said[0] == "🦊 Ava\nHere."
        assert len(said) == 2


async def test_agents_without_a_bot_share_the_host_and_only_it_has_keyboards() -> None:
    async with telegram_stage(pool=POOL) as stage:
        stage.world.put(GROUP, AVA_BOT)
        await stage.post(key_of(GROUP), "From Ava.")
        await stage.post(key_of(GROUP), "From Ben.", BEN)
        await stage.post(key_of(GROUP), "A notice.", None, kind=OutboxKind.NOTICE)
        sent = stage.world.sent(GROUP)
        assert [(m["from"]["id"], m["text"]) for m in sent] == [
            (AVA_BOT, "From Ava."),
            (HOST, "🐻 Ben\nFrom Ben."),
            (HOST, "A notice."),
        ]
        assert ["reply_markup" in m for m in sent] == [False, True, False]


async def test_a_fallback_is_remembered_over_a_restart_and_nobody_is_told_twice() -> None:
    storage = MemoryStorage()
    async with FakeTelegram(a_world()) as server:
        async with telegram_stage(server=server, storage=storage, pool=POOL) as stage:
            await stage.post(key_of(GROUP), "One.")
        before = len(server.world.calls_of("sendMessage", bot_id=AVA_BOT))
        async with telegram_stage(server=server, storage=storage, pool=POOL) as stage:
            item = await stage.post(key_of(GROUP), "Two.", id="second")
            assert item.state is OutboxState.SENT
        assert len(server.world.calls_of("sendMessage", bot_id=AVA_BOT)) == before
        texts = [m["text"] for m in server.world.sent(GROUP)]
        assert len(texts) == 3
        assert [texts[0], texts[2]] == ["🦊 Ava\nOne.", "🦊 Ava\nTwo."]


async def test_a_part_left_to_post_after_a_change_of_look_is_cut_the_same() -> None:
    async with telegram_stage(pool=POOL) as stage:
        stage.world.put(GROUP, AVA_BOT)
        stage.server.fail(
            "status",
            method="sendMessage",
            bot_id=AVA_BOT,
            skip=1,
            code=403,
            description="Forbidden: bot was kicked from the supergroup chat",
        )
        await stage.post(key_of(GROUP), "y" * 5000)
        sent = stage.world.sent(GROUP)
        assert [m["from"]["id"] for m in sent[:2]] == [AVA_BOT, HOST]
        assert "".join(m["text"] for m in sent[:2]) == "y" * 5000


async def test_the_start_costs_few_calls_and_each_menu_speaks_two_languages() -> None:
    async with telegram_stage(pool=POOL) as stage:
        host = stage.world.bot(HOST)
        await stage.until(lambda: len(host.commands) == 9)
        starting = [c for c in stage.world.calls if c.method.lower() != "getupdates"]
        assert len(starting) <= 16
        for scope in ("all_group_chats", "all_chat_administrators", "default"):
            assert host.commands[f"{scope}/en"] == host.commands[f"{scope}/"]
            english, chinese = host.commands[f"{scope}/"], host.commands[f"{scope}/zh"]
            assert [c["command"] for c in english] == [c["command"] for c in chinese]
            assert english != chinese
        group = {c["command"] for c in host.commands["all_group_chats/"]}
        admins = {c["command"] for c in host.commands["all_chat_administrators/"]}
        assert {"why", "stop", "help"} <= group
        assert {"agent", "settings"} <= admins - group
        assert group <= admins


async def test_no_token_stands_in_a_log_or_in_an_error(caplog: object) -> None:
    async with telegram_stage("Here.", pool=POOL) as stage:
        stage.server.fail("drop", method="sendMessage")
        stage.server.fail("page", method="sendChatAction", times=3)
        item = await stage.post(key_of(GROUP), "Hm.")
        await stage.say("Ava, hello")
        assert AVA_TOKEN.partition(":")[2] not in item.error
    records = [r for r in caplog.records if not r.name.startswith("httpx")]  # type: ignore[attr-defined]
    assert all("h" * 35 not in r.getMessage() and "a" * 35 not in r.getMessage() for r in records)


async def test_check_is_well_warns_of_privacy_and_names_a_dead_token() -> None:
    world = a_world()
    async with FakeTelegram(world) as server:
        async with telegram_stage(server=server, pool=POOL) as stage:
            assert {f.level for f in await stage.adapter.check()} == {Level.OK}
        world.bot(HOST).privacy = True
        world.bot(AVA_BOT).revoked = True
        async with telegram_stage(server=server, pool=POOL) as stage:
            found = await stage.adapter.check()
    by_level = {f.level: f for f in found}
    assert set(by_level) == {Level.OK, Level.WARNING, Level.PROBLEM}
    assert "/setprivacy" in by_level[Level.WARNING].mend
    assert "admin" in by_level[Level.WARNING].mend
    assert "ava" in by_level[Level.PROBLEM].text


async def test_a_bot_that_two_would_share_is_nobodys_face() -> None:
    for pool in ({"ava": HOST_TOKEN}, {"ben": AVA_TOKEN, "ava": AVA_TOKEN}):
        async with telegram_stage("Here.", pool=pool) as stage:
            stage.world.put(GROUP, AVA_BOT)
            assert await stage.say("Ava, hello") == ["🦊 Ava\nHere."]
        async with telegram_stage(pool=pool) as stage:
            wrong = [f for f in await stage.adapter.check() if f.level is Level.PROBLEM]
            assert len(wrong) == 1
            assert "ava" in wrong[0].text


async def test_a_reply_to_a_header_post_goes_to_the_agent_it_names() -> None:
    async with telegram_stage("Yes.") as stage:
        await stage.say("Ben, what is for dinner?", who=BOB)
        bens = stage.world.sent(GROUP)[-1]
        assert bens["text"] == "🐻 Ben\nYes."
        await stage.say("Ava, is that healthy?", who=BOB)
        assert await stage.say("how long does it take?", reply_to=bens["message_id"]) == ["🐻 Ben\nYes."]


async def test_a_bot_that_came_back_unseen_is_found_by_looking_again() -> None:
    async with telegram_stage("Here.", pool=POOL, pace=replace(FAST, look_again_s=0.0)) as stage:
        assert (await stage.say("Ava, hello"))[0] == "🦊 Ava\nHere."
        stage.world.put(GROUP, AVA_BOT)
        assert await stage.say("Ava, now?") == ["Here."]


async def test_an_agent_that_keeps_silent_shows_that_it_saw_the_message() -> None:
    async with telegram_stage("", pool=POOL) as stage:
        stage.world.put(GROUP, AVA_BOT)
        asked = stage.acts.say(GROUP, ANN, "Ava, hello")
        call = (await stage.until(lambda: stage.world.calls_of("setMessageReaction")))[0]
        assert (call.bot_id, call.status) == (AVA_BOT, 200)
        assert call.params["message_id"] == str(asked["message_id"])
        await stage.settled()


async def test_a_fall_back_in_a_topic_is_told_there_and_its_first_post_has_buttons() -> None:
    async with telegram_stage("Here.", pool=POOL) as stage:
        topic = stage.acts.open_topic(FORUM, "Ferns", by=ANN)
        await stage.settled()
        said = await stage.say("Ava, hello", chat=FORUM, thread=topic)
        assert "@ava_bot" in said[1]
        sent = stage.world.sent(FORUM)
        assert [m.get("message_thread_id") for m in sent] == [topic, topic]
        assert ["reply_markup" in m for m in sent] == [True, False]
