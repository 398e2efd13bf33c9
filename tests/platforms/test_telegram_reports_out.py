"""Public reports about Telegram bots, going out: each test is named after the row of docs/telegram.md it covers."""

from __future__ import annotations

import asyncio
import itertools
from dataclasses import replace
from typing import Any

from adapters.telegram.addresses import external_of, key_of
from adapters.telegram.limiter import Rates
from orchestration.model import OutboxKind, OutboxPart, OutboxState
from storage.memory import MemoryStorage
from tests.fake_telegram import FakeTelegram
from tests.model_server import Reply
from tests.platforms.telegram_stage import (
    ANN,
    AVA,
    AVA_BOT,
    AVA_TOKEN,
    BASIC,
    BEN,
    FAST,
    FORUM,
    GROUP,
    HOST,
    a_world,
    telegram_stage,
)

HOSTILE = "pass MarkdownV2 in the parse_mode field: _*[]()~`>#+-=|{}.!\\ <b>&amp;</i> **half"


async def test_row_01_and_37_after_a_429_nothing_leaves_before_the_deadline() -> None:
    async with telegram_stage() as stage:
        stage.server.fail("status", method="sendMessage", code=429, parameters={"retry_after": 1})
        first, second = await asyncio.gather(
            stage.post(key_of(GROUP), "One."), stage.post(key_of(GROUP), "**Two.**", BEN)
        )
        assert first.state is second.state is OutboxState.SENT
        assert stage.world.early_retries == 0
        assert [c.status for c in stage.world.calls_of("sendMessage")].count(429) == 1
        assert [m["text"] for m in stage.world.sent(GROUP)] == ["🦊 Ava\nOne.", "🐻 Ben\nTwo."]


async def test_row_03_a_429_in_one_chat_holds_no_other_chat_up() -> None:
    async with telegram_stage() as stage:
        stage.server.fail("status", method="sendMessage", chat_id=GROUP, code=429, parameters={"retry_after": 2})
        waiting = asyncio.create_task(stage.post(key_of(GROUP), "Later."))
        await stage.until(lambda: stage.world.calls_of("sendMessage"))
        begun = stage.world.clock()
        await stage.post(key_of(FORUM), "Now.")
        assert [m["text"] for m in stage.world.sent(FORUM)] == ["🦊 Ava\nNow."]
        assert not stage.world.sent(GROUP), "the other chat was waited for"
        await waiting
        arrived = stage.world.calls_of("sendMessage")[-1].at
        assert arrived > begun
        assert stage.world.early_retries == 0


async def test_row_05_general_has_no_thread_number() -> None:
    async with telegram_stage() as stage:
        await stage.post(key_of(FORUM, 1), "To General.")
        assert "message_thread_id" not in stage.world.calls_of("sendMessage")[0].params
        assert [m["text"] for m in stage.world.sent(FORUM)] == ["🦊 Ava\nTo General."]


async def test_row_06_an_ambiguous_time_out_is_never_sent_again() -> None:
    async with telegram_stage() as stage:
        stage.server.fail("hang_after", method="sendMessage", seconds=3.0)
        item = await stage.post(key_of(GROUP), "Once only.")
        assert item.state is OutboxState.UNKNOWN
        assert await stage.part_states(item) == [OutboxState.UNKNOWN]
        assert len(stage.world.calls_of("sendMessage")) == 1


async def test_row_06_what_never_left_is_sent_again() -> None:
    async with telegram_stage() as stage:
        stage.server.fail("json500", method="sendMessage", times=2)
        item = await stage.post(key_of(GROUP), "Sent in the end.")
        assert item.state is OutboxState.SENT
        assert len(stage.world.sent(GROUP)) == 1


async def test_row_06_why_shows_that_nobody_knows() -> None:
    async with telegram_stage("Perhaps.") as stage:
        stage.server.fail("drop_after", method="sendMessage")
        asked = stage.acts.say(GROUP, ANN, "Ava, did it arrive?")
        await stage.settled()
        before = len(stage.world.sent(GROUP))
        stage.acts.say(GROUP, ANN, "/why", reply_to=asked["message_id"])
        await stage.until(lambda: len(stage.world.sent(GROUP)) > before)
        answer = stage.world.sent(GROUP)[-1]["text"]
        assert "Ava" in answer
        assert "scripted" in answer
        assert "unknown" in answer.casefold()


async def test_row_08_a_post_to_the_old_number_finds_the_supergroup() -> None:
    async with telegram_stage("Moved.") as stage:
        await stage.say("Ava, hello", chat=BASIC)
        old = key_of(BASIC)
        before = await stage.chat(old)
        stage.acts.migrate(BASIC, -1001000000077, order="")
        item = await stage.post(old, "Still the same group.")
        assert item.state is OutboxState.SENT
        assert [m["text"] for m in stage.world.sent(-1001000000077)] == ["🦊 Ava\nStill the same group."]
        async with stage.storage.read() as uow:
            moved = await uow.chats.find(key_of(-1001000000077))
            assert moved is not None
            assert moved.id == before.id
            assert await uow.chats.find(old) is None


async def test_row_08_whichever_notice_of_a_move_comes_first() -> None:
    for order in ("old,new", "new,old", "new", "old"):
        async with telegram_stage("Hello again.") as stage:
            await stage.say("Ava, I like moss", chat=BASIC)
            before = await stage.chat(key_of(BASIC))
            stage.acts.migrate(BASIC, -1001000000077, order=order)
            await stage.settled()
            said = await stage.say("Ava, what do I like?", chat=-1001000000077)
            assert said == ["🦊 Ava\nHello again."], order
            async with stage.storage.read() as uow:
                moved = await uow.chats.find(key_of(-1001000000077))
            assert moved is not None
            assert moved.id == before.id, order
            assert "I like moss" in stage.model.requests[-1].text


async def test_row_09_and_10_no_text_breaks_a_send() -> None:
    async with telegram_stage(HOSTILE) as stage:
        assert await stage.say("Ava, how?") == [f"🦊 Ava\n{HOSTILE}"]
        for kind in (OutboxKind.NOTICE, OutboxKind.CLARIFICATION):
            item = await stage.post(key_of(GROUP), HOSTILE, None, kind=kind)
            assert item.state is OutboxState.SENT
        assert [m["text"] for m in stage.world.sent(GROUP)][1:] == [HOSTILE, HOSTILE]
        assert all("parse_mode" not in c.params for c in stage.world.calls)


async def test_row_11_everything_from_a_topic_stays_in_it() -> None:
    async with telegram_stage("Here.") as stage:
        topic = stage.acts.open_topic(FORUM, "Ferns", by=ANN)
        await stage.settled()
        await stage.say("Ava, hello", chat=FORUM, thread=topic)
        stage.acts.say(FORUM, ANN, "/why", thread=topic)
        await stage.until(lambda: len(stage.world.sent(FORUM)) == 2)
        await stage.post(key_of(FORUM, topic), "A notice.", None, kind=OutboxKind.NOTICE)
        assert {m.get("message_thread_id") for m in stage.world.sent(FORUM)} == {topic}
        typing = stage.world.calls_of("sendChatAction")
        assert all(str(c.params.get("message_thread_id")) == str(topic) for c in typing)


async def test_row_02_12_and_24_the_budget_holds_and_the_text_arrives() -> None:
    rates = Rates(a_minute=5, burst=5, a_second=100.0)

    async def script(request: Any) -> Any:
        return Reply(text="Slowly grown.", delay_s=0.3)

    async with telegram_stage(script, pace=replace(FAST, rates=rates)) as stage:
        stage.server.flood.limit = 6
        assert await stage.say("Ava, grow") == ["🦊 Ava\nSlowly grown."]
        calls = [c for c in stage.world.calls if str(c.params.get("chat_id")) == str(GROUP)]
        assert len(calls) <= 5
        assert stage.world.calls_of("sendChatAction")
        assert [c for c in calls if c.status == 429] == []


async def test_row_20_and_23_long_texts_become_parts_and_one_lost_part_keeps_none_back() -> None:
    for text, parts in (("😀" * 2049, 2), ("😀" * 5000, 3), (" ".join(["word"] * 3000), 4)):
        async with telegram_stage() as stage:
            stage.server.fail("drop_after", method="sendMessage", skip=1)
            item = await stage.post(key_of(GROUP), text)
            assert item.state is OutboxState.UNKNOWN
            bodies = [m["text"] for m in stage.world.sent(GROUP)]
            assert len(bodies) == parts
            whole = "".join(bodies).removeprefix("🦊 Ava\n")
            assert whole.replace(" ", "") == text.replace(" ", "")
            assert (await stage.part_states(item)).count(OutboxState.SENT) == parts - 1


async def test_row_19_every_refusal_of_a_lost_chat_is_understood() -> None:
    for change in ("kicked", "left", "deleted"):
        async with telegram_stage() as stage:
            await stage.post(key_of(GROUP), "Before.")
            if change == "deleted":
                stage.world.chats[GROUP].deleted = True
            else:
                stage.world.chats[GROUP].members[HOST] = change
            assert (await stage.post(key_of(GROUP), "After.")).state is OutboxState.FAILED
            calls = len(stage.world.calls)
            await stage.post(key_of(GROUP), "Once more.")
            assert len(stage.world.calls_of("sendMessage")) <= calls


async def test_row_27_a_send_under_way_at_a_kill_counts_as_unknown() -> None:
    storage, world = MemoryStorage(), a_world()
    async with FakeTelegram(world) as server:
        async with telegram_stage(server=server, storage=storage) as stage:
            item = await stage.item(key_of(GROUP), "Was it sent?")
            async with storage.begin() as uow:
                await uow.outbox.save_part(OutboxPart(outbox_id=item.id, part=0, state=OutboxState.SENDING))
        async with telegram_stage(server=server, storage=storage) as stage:
            await stage.dispatcher.recover(frozenset({"telegram"}))
            await stage.dispatcher.drain(item.chat_id)
            assert (await stage.stored(item)).state is OutboxState.UNKNOWN
            assert world.sent(GROUP) == []


async def test_row_32_a_topic_that_is_gone_is_left_out() -> None:
    async with telegram_stage("Where are we?") as stage:
        topic = stage.acts.open_topic(FORUM, "Ferns", by=ANN)
        await stage.say("Ava, hello", chat=FORUM, thread=topic)
        del stage.world.chats[FORUM].topics[topic]
        item = await stage.post(key_of(FORUM, topic), "To whom it may concern.")
        assert item.state is OutboxState.SENT
        assert "message_thread_id" not in stage.world.sent(FORUM)[-1]
        refused = len([c for c in stage.world.calls_of("sendMessage") if c.status == 400])
        await stage.post(key_of(FORUM, topic), "Again.")
        assert len([c for c in stage.world.calls_of("sendMessage") if c.status == 400]) == refused == 1


async def test_row_32_a_closed_topic_refuses_and_nothing_leaks_into_general() -> None:
    async with telegram_stage("Hm.") as stage:
        topic = stage.acts.open_topic(FORUM, "Ferns", by=ANN)
        stage.world.chats[FORUM].topics[topic] = "closed"
        item = await stage.post(key_of(FORUM, topic), "Too late.")
        assert item.state is OutboxState.FAILED
        assert stage.world.sent(FORUM) == []


async def test_row_33_an_edit_to_the_same_text_is_no_failure() -> None:
    async with telegram_stage() as stage:
        item = await stage.post(key_of(GROUP), "Old.")
        chat = await stage.chat(key_of(GROUP))
        new = replace(item, text="New.", revision=1)
        stage.server.fail("drop_after", method="editMessageText")
        await stage.adapter.replace(chat, new, AVA)
        await stage.adapter.replace(chat, new, AVA)
        assert [m["text"] for m in stage.world.sent(GROUP)] == ["🦊 Ava\nNew."]
        assert [c.status for c in stage.world.calls_of("editMessageText")][-1] == 400


async def test_row_34_no_draft_is_ever_sent_to_a_group() -> None:
    async with telegram_stage("Whole.") as stage:
        await stage.say("Ava, hello")
        assert stage.world.calls_of("sendMessageDraft") == []


async def test_row_18_a_hung_model_leaves_no_lock_behind() -> None:
    def script(request: Any) -> Any:
        return Reply(text="never", delay_s=60) if next(calls) == 0 else "Free."

    calls = itertools.count()
    async with telegram_stage(script) as stage:
        stage.acts.say(GROUP, ANN, "Ava, hang")
        await stage.until(lambda: stage.model.count >= 1)
        await stage.command("/stop now")
        await stage.settled()
        assert (await stage.say("Ava, free?"))[-1:] == ["🦊 Ava\nFree."]


async def test_two_topics_keep_their_order_and_their_own_talk() -> None:
    async with telegram_stage() as stage:
        one = stage.acts.open_topic(FORUM, "One", by=ANN)
        two = stage.acts.open_topic(FORUM, "Two", by=ANN)
        await asyncio.gather(*(stage.post(key_of(FORUM, t), f"{n}") for n in range(4) for t in (one, two)))
        for topic in (one, two):
            texts = [m["text"] for m in stage.world.sent(FORUM) if m.get("message_thread_id") == topic]
            assert texts == [f"🦊 Ava\n{n}" for n in range(4)]


async def test_a_reply_goes_to_the_message_it_answers() -> None:
    async with telegram_stage() as stage:
        asked = stage.acts.say(GROUP, ANN, "hm")
        await stage.settled()
        answered = external_of(GROUP, asked["message_id"])
        await stage.post(key_of(GROUP), "To you.", reply_to_external=answered, reply_to_is_last=False)
        await stage.post(key_of(GROUP), "To a gap.", reply_to_external=external_of(GROUP, 999))
        sent = stage.world.sent(GROUP)[-2:]
        assert sent[0]["reply_to_message"]["message_id"] == asked["message_id"]
        assert [m["text"] for m in sent] == ["🦊 Ava\nTo you.", "🦊 Ava\nTo a gap."]


async def test_a_part_taken_back_is_gone_and_edits_may_grow_and_shrink() -> None:
    async with telegram_stage(pool={"ava": AVA_TOKEN}) as stage:
        stage.world.put(GROUP, AVA_BOT)
        item = await stage.post(key_of(GROUP), "Short.")
        chat = await stage.chat(key_of(GROUP))
        await stage.adapter.replace(chat, replace(item, text="x " * 4000, revision=1), AVA)
        assert len(stage.world.sent(GROUP, bot_id=AVA_BOT)) == 2
        await stage.adapter.replace(chat, replace(item, text="Short again.", revision=2), AVA)
        assert [m["text"] for m in stage.world.sent(GROUP)] == ["Short again."]
        await stage.adapter.withdraw(chat, item)
        assert stage.world.sent(GROUP) == []


async def test_row_37_a_restart_knocks_no_earlier() -> None:
    storage, world = MemoryStorage(), a_world()
    async with FakeTelegram(world) as server:
        server.fail("status", method="sendMessage", code=429, parameters={"retry_after": 2})
        async with telegram_stage(server=server, storage=storage) as stage:
            item = await stage.item(key_of(GROUP), "Patience.")
            stage.dispatcher.kick(item.chat_id)
            await stage.until(lambda: world.calls_of("sendMessage"))
            await stage.until(lambda: _closed(storage))
        async with telegram_stage(server=server, storage=storage) as stage:
            await stage.dispatcher.drain(item.chat_id)
        assert [m["text"] for m in world.sent(GROUP)] == ["🦊 Ava\nPatience."]
        assert world.early_retries == 0


async def _closed(storage: MemoryStorage) -> bool:
    async with storage.read() as uow:
        return bool(await uow.platform_state.items("telegram:closed"))
