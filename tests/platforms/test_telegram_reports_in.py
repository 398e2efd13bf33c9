"""Public reports about Telegram bots, coming in: each test is named after the row of docs/telegram.md it covers."""

from __future__ import annotations

from typing import Any

from adapters.telegram.addresses import key_of
from orchestration.model import Message, OutboxState
from storage.memory import MemoryStorage
from tests.fake_telegram import FakeTelegram
from tests.model_server import Reply, Rule
from tests.platforms.telegram_stage import (
    ANN,
    AVA,
    AVA_BOT,
    AVA_TOKEN,
    BASIC,
    BEN_BOT,
    BEN_TOKEN,
    BOB,
    EVE,
    FORUM,
    GROUP,
    HOST,
    TelegramStage,
    a_world,
    telegram_stage,
)


async def lines(stage: TelegramStage, chat: int = GROUP, topic: int | None = None) -> list[Message]:
    """What the core has stored of a chat, oldest first."""
    stored = await stage.chat(key_of(chat, topic))
    async with stage.storage.read() as uow:
        return await uow.messages.recent(stored.id, limit=100)


async def human_lines(stage: TelegramStage, chat: int = GROUP, topic: int | None = None) -> list[Message]:
    return [m for m in await lines(stage, chat, topic) if m.agent_id is None]


async def test_row_04_a_thread_number_in_general_is_no_topic() -> None:
    async with telegram_stage("Hm.") as stage:
        first = stage.acts.say(FORUM, ANN, "hello there")
        await stage.settled()
        said = await stage.say(
            "Ava, and now?", chat=FORUM, reply_to=first["message_id"], thread=first["message_id"], topic=False
        )
        assert said == ["🦊 Ava\nHm."]
        sends = stage.world.calls_of("sendMessage")
        assert all("message_thread_id" not in c.params for c in sends)
        assert [m.text for m in await human_lines(stage, FORUM)] == ["hello there", "Ava, and now?"]


async def test_row_07_a_long_turn_blocks_neither_stop_nor_other_chats() -> None:
    def script(request: Any) -> Any:
        return Reply(text="late", delay_s=10) if "long story" in request.text else "quick"

    async with telegram_stage(script) as stage:
        stage.acts.say(GROUP, ANN, "Ava, tell a long story")
        await stage.until(lambda: stage.model.count >= 1)
        stage.acts.say(FORUM, ANN, "Ben, hi")
        await stage.until(lambda: stage.world.sent(FORUM))
        assert [m["text"] for m in stage.world.sent(FORUM)] == ["🐻 Ben\nquick"]
        answer = await stage.command("/stop now")
        assert answer["text"]
        await stage.until(lambda: stage.model.cancelled >= 1)
        await stage.settled()
        assert [m["text"] for m in stage.world.sent(GROUP)] == [answer["text"]]


async def test_row_13_and_14_a_second_poller_is_waited_out() -> None:
    async with telegram_stage("Here.") as stage:
        await stage.until(lambda: stage.world.bot(HOST).polls)
        stage.server.fail(
            "status",
            method="getUpdates",
            code=409,
            times=2,
            description="Conflict: terminated by other getUpdates request",
        )
        assert await stage.say("Ava, still there?") == ["🦊 Ava\nHere."]
        await stage.until(lambda: [c.status for c in stage.world.calls_of("getUpdates")].count(409) == 2)
        assert await stage.say("Ava, and now?") == ["🦊 Ava\nHere."]
        assert not stage.running.done()


async def test_row_14_a_network_error_while_retrying_does_not_end_the_polling() -> None:
    async with telegram_stage("Here.") as stage:
        await stage.until(lambda: stage.world.bot(HOST).polls)
        stage.server.fail("status", method="getUpdates", code=409, description="Conflict: other", times=1)
        stage.server.fail("drop", method="getUpdates", times=1)
        assert await stage.say("Ava?") == ["🦊 Ava\nHere."]


async def test_row_15_privacy_mode_is_explained() -> None:
    world = a_world()
    world.bot(HOST).privacy = True
    async with FakeTelegram(world) as server, telegram_stage("Hi.", server=server) as stage:
        answer = await stage.command("/check@cast_bot")
        assert "/setprivacy" in answer["text"]
        assert "admin" in answer["text"]


async def test_row_16_and_17_senders_of_every_kind_are_people_of_their_own() -> None:
    async with telegram_stage("Hello.") as stage:
        stage.acts.say_as_channel(GROUP, -1002000000009, "The Gazette", "Ava, a word?")
        stage.acts.say_as_group(GROUP, "Ava, from the admins")
        stage.acts.say(GROUP, BOB, "Ava, from me")
        stage.acts.say(FORUM, BOB, "Ava, from me elsewhere")
        await stage.settled()
        people = [(m.author.id, m.author.name) for m in await human_lines(stage)]
        assert people == [
            ("telegram:-1002000000009", "The Gazette"),
            (f"telegram:{GROUP}", "The Garden"),
            (f"telegram:{BOB}", "Bob"),
        ]
        assert [m.text for m in await human_lines(stage, FORUM)] == ["Ava, from me elsewhere"]


async def test_row_17_two_people_in_one_group_share_the_groups_talk() -> None:
    async with telegram_stage("Yes.") as stage:
        await stage.say("Ava, I like moss", who=ANN)
        await stage.say("Ava, so do I", who=BOB)
        prompt = stage.model.requests[-1].text
        assert "I like moss" in prompt


async def test_row_21_mentions_after_emoji_and_in_captions() -> None:
    async with telegram_stage("Me?", pool={"ava": AVA_TOKEN, "ben": BEN_TOKEN}) as stage:
        for bot in (AVA_BOT, BEN_BOT):
            stage.world.put(GROUP, bot)
        photo = [{"file_id": "f", "file_unique_id": "u", "width": 9, "height": 9}]
        await stage.say("😀😀 @ben_bot what is this?")
        await stage.say(None, photo=photo, caption="👨‍👩‍👧 look @ava_bot")  # type: ignore[arg-type]
        found = await human_lines(stage)
        assert [m.mentioned_agents for m in found] == [("ben",), ("ava",)]
        assert found[1].attachments[0].kind == "photo"
        assert [m["from"]["id"] for m in stage.world.sent(GROUP)] == [BEN_BOT, AVA_BOT]


async def test_row_21_the_hosts_own_name_calls_the_group() -> None:
    async with telegram_stage("Yes?") as stage:
        await stage.say("😀 @Cast_Bot hello everybody, how are you all?")
        found = await human_lines(stage)
        assert (found[0].text, found[0].mentioned_people) == ("😀 hello everybody, how are you all?", ())


async def test_row_21_the_hosts_own_name_is_answered_in_the_midst_of_a_talk_of_people() -> None:
    async with telegram_stage("Yes?") as stage:
        bob = stage.acts.say(GROUP, BOB, "Ann, shall we meet at noon?")
        await stage.settled()
        assert await stage.say("Yes, at the gate", who=ANN, reply_to=bob["message_id"]) == []
        assert len(await stage.say("@Cast_Bot what do ferns like?")) == 1


async def test_row_22_an_edit_of_metadata_runs_nothing_again() -> None:
    async with telegram_stage("Fine.") as stage:
        stop = stage.acts.say(GROUP, ANN, "/stop")
        await stage.until(lambda: stage.world.sent(GROUP))
        asked = stage.acts.say(GROUP, ANN, "Ava, all well?")
        await stage.settled()
        before = len(stage.world.sent(GROUP))
        stage.acts.edit(GROUP, stop["message_id"], sender_tag="Critic")
        stage.acts.edit(GROUP, stop["message_id"], "/stop now")
        stage.acts.edit(GROUP, asked["message_id"], sender_tag="Critic")
        stage.acts.edit(GROUP, asked["message_id"], "Ava, all very well?")
        await stage.settled()
        assert len(stage.world.sent(GROUP)) == before
        found = (await human_lines(stage))[0]
        assert found.text == "Ava, all very well?"


async def test_row_25_agents_see_what_other_agents_said() -> None:
    script = [Rule(when="botanist", reply="Moss first."), Rule(reply="As she says.")]
    async with telegram_stage(script, pool={"ava": AVA_TOKEN, "ben": BEN_TOKEN}) as stage:
        for bot in (AVA_BOT, BEN_BOT):
            stage.world.put(GROUP, bot)
        await stage.say("Ava, where do I begin?")
        await stage.say("Ben, what do you think?")
        assert "Moss first." in stage.model.requests[-1].text


async def test_row_25_a_foreign_bot_starts_no_ping_pong() -> None:
    async with telegram_stage("Hello.") as stage:
        stage.world.bot(HOST).names["hears_bots"] = True
        stage.world.add_bot(f"700099:{'x' * 35}", "Other", "other_bot")
        stage.world.put(GROUP, 700099)
        stage.acts.say(GROUP, 700099, "Ava, hello!")
        await stage.settled()
        assert stage.world.sent(GROUP, bot_id=HOST) == []
        assert await human_lines(stage) == []


async def test_row_26_three_bots_in_the_group_give_one_turn() -> None:
    async with telegram_stage("Once.", pool={"ava": AVA_TOKEN, "ben": BEN_TOKEN}) as stage:
        for bot in (AVA_BOT, BEN_BOT):
            stage.world.put(GROUP, bot)
        assert await stage.say("Ava, hello") == ["Once."]
        assert stage.world.bot(AVA_BOT).polls == stage.world.bot(BEN_BOT).polls == 0


async def test_row_27_the_same_update_numbers_after_a_restart_are_answered_once() -> None:
    storage, world = MemoryStorage(), a_world()
    async with FakeTelegram(world) as server:
        async with telegram_stage("Once.", server=server, storage=storage) as stage:
            await stage.say("Ava, hello")
            again = [dict(u) for c in world.calls_of("getUpdates") for u in (c.answer or [])]
        assert again
        world.bot(HOST).updates = again
        for update in again:
            world.bot(HOST).born[update["update_id"]] = world.clock()
        async with telegram_stage("Once.", server=server, storage=storage) as stage:
            await stage.until(lambda: not world.bot(HOST).updates)
            await stage.settled()
            assert [m["text"] for m in world.sent(GROUP)] == ["🦊 Ava\nOnce."]


async def test_row_28_what_was_said_while_the_host_was_down_is_answered() -> None:
    async with FakeTelegram(a_world()) as server:
        server.acts.say(GROUP, ANN, "Ava, are you up?")
        async with telegram_stage("Now I am.", server=server) as stage:
            await stage.until(lambda: stage.world.sent(GROUP))
            assert [m["text"] for m in stage.world.sent(GROUP)] == ["🦊 Ava\nNow I am."]


async def test_row_29_an_album_is_one_turn() -> None:
    async with telegram_stage("Three ferns.") as stage:
        album = stage.acts.album(GROUP, ANN, 3, "Ava, look")
        await stage.until(lambda: stage.world.sent(GROUP))
        await stage.settled()
        found = await human_lines(stage)
        assert [(m.text, len(m.attachments)) for m in found] == [("Ava, look", 3)]
        sent = stage.world.sent(GROUP)
        assert [m["text"] for m in sent] == ["🦊 Ava\nThree ferns."]
        assert sent[0]["reply_to_message"]["message_id"] == album[0]["message_id"]


async def test_row_29_a_late_part_of_an_album_is_no_turn_of_its_own() -> None:
    async with telegram_stage("Ferns.") as stage:
        stage.acts.album(GROUP, ANN, 2, "Ava, look")
        await stage.until(lambda: stage.world.sent(GROUP))
        stage.acts.album(GROUP, ANN, 1, "and Ava, this one")
        await stage.settled()
        assert len(stage.world.sent(GROUP)) == 1
        assert [len(m.attachments) for m in await human_lines(stage)] == [2, 1]


async def test_row_29_an_edit_of_any_caption_of_an_album_finds_its_one_message() -> None:
    async with telegram_stage("Ferns.") as stage:
        album = stage.acts.album(GROUP, ANN, 3, "Ava, look\nat this")
        await stage.until(lambda: stage.world.sent(GROUP))
        await stage.settled()
        for part, caption in ((2, "and a third"), (1, "two"), (2, ""), (0, "Ava, see")):
            stage.acts.edit(GROUP, album[part]["message_id"], caption=caption)
        await stage.settled()
        found = await human_lines(stage)
        assert [(m.text, len(m.attachments)) for m in found] == [("Ava, see\ntwo", 3)]
        stage.acts.edit(GROUP, album[2]["message_id"], caption="three")
        await stage.settled()
        assert [m.text for m in await human_lines(stage)] == ["Ava, see\ntwo\nthree"]
        assert len(stage.world.sent(GROUP)) == 1


async def test_row_30_an_anonymous_admin_is_an_admin() -> None:
    async with telegram_stage("Hi.") as stage:
        stage.acts.say_as_group(GROUP, "/settings agents_max 2")
        answer = (await stage.until(lambda: stage.world.sent(GROUP)))[0]
        chat = await stage.chat(key_of(GROUP))
        assert chat.settings.agents_max == 2
        refused = await stage.command("/settings agents_max 3", who=BOB)
        assert "admin" in refused["text"]
        assert (await stage.chat(key_of(GROUP))).settings.agents_max == 2
        assert refused["text"] != answer["text"]


async def test_row_31_in_a_basic_group_only_the_host_speaks() -> None:
    async with telegram_stage("Soup.", pool={"ava": AVA_TOKEN}) as stage:
        stage.world.put(BASIC, AVA_BOT)
        said = await stage.say("Ava, what is cooking?", chat=BASIC)
        assert said[0] == "🦊 Ava\nSoup."
        assert {m["from"]["id"] for m in stage.world.sent(BASIC)} == {HOST}
        assert "supergroup" in said[1]
        assert await stage.say("Ava, and now?", chat=BASIC) == ["🦊 Ava\nSoup."]


async def test_row_35_people_who_talk_to_each_other_are_left_alone() -> None:
    async with telegram_stage("Me!") as stage:
        bob = stage.acts.say(GROUP, BOB, "Ann, shall we meet at noon?")
        await stage.settled()
        assert await stage.say("Yes, at the gate", who=ANN, reply_to=bob["message_id"]) == []


async def test_row_36_a_poison_update_and_an_unknown_kind_stop_nothing() -> None:
    async with telegram_stage("Alive.") as stage:
        stage.acts.poison(HOST)
        stage.acts.unknown_kind(HOST)
        assert await stage.say("Ava, alive?") == ["🦊 Ava\nAlive."]
        async with stage.storage.read() as uow:
            assert await uow.inbox.pending(f"telegram:{HOST}") == []
        assert stage.world.bot(HOST).polls <= 10


async def test_row_38_a_host_that_is_kicked_stops_posting_and_comes_back() -> None:
    async with telegram_stage("Here again.") as stage:
        await stage.say("Ava, hello")
        stage.acts.remove(GROUP, HOST, by=ANN)
        await stage.settled()
        sends = len(stage.world.calls_of("sendMessage"))
        item = await stage.post(key_of(GROUP), "Nobody hears this.")
        assert item.state is OutboxState.FAILED
        assert len(stage.world.calls_of("sendMessage")) == sends
        stage.acts.join(GROUP, HOST, by=ANN)
        await stage.settled()
        assert await stage.say("Ava, back?") == ["🦊 Ava\nHere again."]


async def test_row_38_a_kick_that_nobody_told_of_is_noticed_when_posting() -> None:
    async with telegram_stage("Hm.") as stage:
        await stage.say("Ava, hello")
        stage.acts.remove(GROUP, HOST, by=ANN, quiet=True)
        first = await stage.post(key_of(GROUP), "One.")
        calls = len(stage.world.calls_of("sendMessage"))
        second = await stage.post(key_of(GROUP), "Two.")
        assert first.state is second.state is OutboxState.FAILED
        assert len(stage.world.calls_of("sendMessage")) == calls


async def test_a_private_word_to_the_host_gives_no_turn() -> None:
    async with telegram_stage("No.") as stage:
        stage.acts.say(EVE, EVE, "Ava, are you there?")
        answer = (await stage.until(lambda: stage.world.sent(EVE)))[0]
        assert "startgroup" in answer["text"]
        assert stage.model.count == 0
        assert AVA.name not in answer["text"]


async def test_polling_waits_as_long_as_it_is_told() -> None:
    async with telegram_stage("Here.") as stage:
        await stage.until(lambda: stage.world.bot(HOST).polls)
        stage.server.fail("status", method="getUpdates", code=429, parameters={"retry_after": 1})
        assert await stage.say("Ava, one?") == ["🦊 Ava\nHere."]
        assert await stage.say("Ava, two?") == ["🦊 Ava\nHere."]
        polls = stage.world.calls_of("getUpdates")
        told = next(n for n, call in enumerate(polls) if call.status == 429)
        assert polls[told + 1].at - polls[told].at >= 0.99


async def test_reactions_and_guest_calls_are_taken_in_and_give_no_turn() -> None:
    async with telegram_stage("Hm.") as stage:
        stage.acts.promote(GROUP, HOST, by=ANN)
        await stage.say("Ava, hello")
        stage.acts.react(GROUP, BOB, stage.world.sent(GROUP)[-1]["message_id"], "👍")
        stage.world.bot(HOST).allowed = (*(stage.world.bot(HOST).allowed or ()), "guest_message")
        stage.acts.ask_guest(HOST, BOB, "Ava, and here?")
        await stage.settled()
        assert len(stage.world.sent(GROUP)) == 1
        assert stage.world.sent(BOB) == []
