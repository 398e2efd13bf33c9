"""Public reports about posting (docs/discord.md, rows 21 to 23 and 31 to 35): exactly once, whole, without a ping."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from orchestration.model import ChatSettings, OutboxState
from storage.memory import MemoryStorage
from tests.fake_discord import FakeDiscord, messages
from tests.fake_discord.faults import Limit
from tests.fake_discord.world import EPOCH
from tests.platforms.discord_stage import ADA, BEN, a_town, discord_stage


async def test_row_21_a_long_code_answer_keeps_its_fences() -> None:
    code = "\n".join(f"line_{n} = {n}" for n in range(300))
    async with discord_stage(f"Here:\n```python\n{code}\n```") as stage:
        await stage.say("Ada, three hundred lines please")
        posts = stage.discord.said(stage.channel)
        for post in posts:
            assert post["content"].count("```") % 2 == 0
            assert len(post["content"]) <= 2000
        shown = "\n".join(post["content"] for post in posts)
        whole = "\n".join(str(f["data"]) for post in posts for f in post["attachments"])
        for n in range(300):
            assert f"line_{n} = {n}" in shown + whole
        assert len(posts) <= 5


async def test_more_than_four_parts_end_in_a_file_that_holds_everything() -> None:
    text = "\n\n".join(f"Paragraph {n}. " + "word " * 80 for n in range(120))
    async with discord_stage() as stage:
        await stage.post(text)
        posts = stage.discord.said(stage.channel)
        assert len(posts) <= 5
        [file] = posts[-1]["attachments"]
        assert file["data"] == text
        assert {post["author"]["username"] for post in posts} == {"Ada"}


async def test_row_22_a_mention_is_put_in_before_the_text_is_cut() -> None:
    async with discord_stage() as stage:
        message = await stage.discord.post(stage.channel, stage.town.bob, "Ada, a long one")
        stored = await stage.stored(message["id"])
        await stage.settled()
        text = "x" * 1990 + " @Bob"
        await stage.post(text, reply_to_seq=stored.seq, reply_to_external=message["id"], person_id=stored.author.id)
        contents = [p["content"] for p in stage.discord.said(stage.channel)][1:]
        assert f"<@{stage.town.bob}>" in "".join(contents)
        assert all(len(content) <= 2000 for content in contents)


@pytest.mark.parametrize("words", ["@everyone come here", "@here now", "<@&1234567890123456> and <@1234567890123456>"])
async def test_row_23_nothing_an_agent_writes_pings(words: str) -> None:
    async with discord_stage(words) as stage:
        [post] = await stage.say("Ada, call them all")
        stage.model.script(words + " again")
        await stage.discord.slash(stage.town.bob, stage.channel, "regenerate")
        await stage.until(lambda: stage.discord.requests("PATCH", "hooktoken"))
        await stage.settled()
        sent = [one.body for one in stage.discord.asked if "hooktoken" in one.path and one.body]
        assert len(sent) == 2
        for body in sent:
            assert body["allowed_mentions"]["parse"] == []
            assert body["allowed_mentions"].get("users", []) in ([], [str(stage.town.bob)], [stage.town.bob])
            assert "@everyone" not in body["content"]
            assert "@here" not in body["content"]
        assert post


async def test_the_mention_policy_nobody_pings_nobody() -> None:
    async with discord_stage("Hello @Bob") as stage:
        chat = await stage.chat()
        async with stage.storage.begin() as uow:
            await uow.chats.save_settings(chat.id, ChatSettings(mention_policy="nobody"))
        await stage.say("Ada, hello")
        body = [one.body for one in stage.discord.asked if "hooktoken" in one.path][-1]
        assert body["allowed_mentions"].get("users", []) == []
        assert "<@" not in body["content"]


async def test_row_31_a_file_survives_a_rate_limit() -> None:
    text = "\n\n".join(f"Paragraph {n}. " + "word " * 80 for n in range(120))
    async with discord_stage() as stage:
        await stage.post("first")
        refusal = {"message": "slow down", "retry_after": 0.2, "global": False}
        stage.discord.faults.add("POST", "hooktoken", times=1, status=429, body=refusal, headers={"Via": "1.1 f"})
        await stage.post(text)
        [file] = stage.discord.said(stage.channel)[-1]["attachments"]
        assert file["data"] == text


async def test_row_32_a_hidden_limit_is_waited_out_in_order_while_commands_answer() -> None:
    async with discord_stage() as stage:
        await stage.post("zero")
        stage.discord.webhook_limit = Limit(count=4, window_s=1.2, hidden=True)
        items = [await stage.item(f"post {n}", (ADA, BEN)[n % 2]) for n in range(10)]
        stage.discord.webhook_limit.sent.clear()
        drained = asyncio.create_task(stage.dispatcher.drain(items[0].chat_id))
        await stage.until(lambda: stage.discord.webhook_limit and stage.discord.webhook_limit.refusals)
        stage.discord.webhook_limit.count = 50
        used = await stage.discord.slash(stage.town.bob, stage.channel, "help")
        assert used.acknowledged_s is not None
        assert used.acknowledged_s < 1
        await drained
        assert stage.contents() == ["zero", *[f"post {n}" for n in range(10)]]


async def test_a_known_limit_is_kept_without_a_single_refusal() -> None:
    async with discord_stage() as stage:
        await stage.post("zero")
        stage.discord.webhook_limit = Limit(count=5, window_s=0.5)
        for n in range(12):
            await stage.post(f"post {n}")
        assert stage.discord.webhook_limit.refusals == 0
        assert stage.contents() == ["zero", *[f"post {n}" for n in range(12)]]


@pytest.mark.parametrize("fault", ["503 twice", "cut after", "cut before", "slow 500"])
async def test_row_33_one_send_is_one_message_whatever_the_wire_says(fault: str) -> None:
    async with discord_stage() as stage:
        await stage.post("zero")
        if fault == "503 twice":
            stage.discord.faults.add("POST", "hooktoken", times=2, after=True, status=503)
        elif fault == "slow 500":
            stage.discord.faults.add("POST", "hooktoken", times=1, after=True, status=500, delay_s=0.3)
        else:
            stage.discord.faults.add("POST", "hooktoken", times=1, after=fault == "cut after", cut=True)
        await stage.post("one")
        await stage.post("two")
        assert stage.contents() == ["zero", "one", "two"]


async def test_row_33_a_cancelled_send_is_finished_and_never_repeated() -> None:
    async with discord_stage() as stage:
        await stage.post("zero")
        stage.discord.faults.add("POST", "hooktoken", times=1, only_delay=True, delay_s=0.4)
        item = await stage.item("one")
        chat = await stage.chat()
        sending = asyncio.create_task(stage.adapter.deliver(chat, item, ADA))
        await stage.until(lambda: len(stage.discord.requests("POST", "hooktoken")) == 2)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        await stage.dispatcher.drain(chat.id)
        await stage.post("two")
        assert stage.contents() == ["zero", "one", "two"]


async def test_row_33_the_same_words_twice_are_two_messages() -> None:
    async with discord_stage() as stage:
        await stage.post("Yes.")
        stage.discord.faults.add("POST", "hooktoken", times=1, status=503)
        await stage.post("Yes.")
        stage.discord.faults.add("POST", "hooktoken", times=1, after=True, status=503)
        await stage.post("Yes.")
        assert stage.contents() == ["Yes.", "Yes.", "Yes."]


async def test_row_33_a_restart_between_send_and_commit_posts_nothing_again() -> None:
    storage = MemoryStorage()
    async with FakeDiscord() as discord:
        town = a_town(discord)
        async with discord_stage(town=town, storage=storage) as stage:
            item = await stage.post("only once")
            async with storage.begin() as uow:  # what a kill right after the send leaves behind
                [part] = await uow.outbox.parts(item.id)
                await uow.outbox.save_part(replace(part, state=OutboxState.SENDING, external_id=None))
                await uow.outbox.mark(item.id, OutboxState.PLANNED)
        async with discord_stage(town=town, storage=storage) as stage:
            await stage.settled()
            assert stage.contents() == ["only once"]


async def test_row_33_a_post_is_found_again_behind_hundreds_of_messages() -> None:
    storage = MemoryStorage()
    async with FakeDiscord() as discord:
        town = a_town(discord)
        async with discord_stage(town=town, storage=storage) as stage:
            await stage.post("first")
            before = discord.said(town.channel)[0]["id"]
            for number in range(250):
                messages.build(discord.world, town.channel, author=discord.world.users[town.bob], content=str(number))
            item = await stage.post("only once", reply_to_external=before)
            async with storage.begin() as uow:
                [part] = await uow.outbox.parts(item.id)
                note = json.dumps(json.loads(part.note) | {"after": int(before)})
                await uow.outbox.save_part(replace(part, state=OutboxState.SENDING, external_id=None, note=note))
                await uow.outbox.mark(item.id, OutboxState.PLANNED)
        async with discord_stage(town=town, storage=storage) as stage:
            await stage.settled()
            assert stage.contents() == ["first", "only once"]


async def test_a_bot_post_is_not_repeated_either() -> None:
    async with discord_stage() as stage:
        stage.discord.faults.add("POST", f"/channels/{stage.channel}/messages", times=2, after=True, status=503)
        from orchestration.model import OutboxKind

        await stage.post("A notice.", None, kind=OutboxKind.NOTICE)
        assert stage.contents() == ["A notice."]


async def test_row_34_no_log_line_holds_a_webhook_token(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        async with discord_stage() as stage:
            await stage.post("zero")
            stage.discord.faults.add("POST", "hooktoken", times=1, cut=True)
            stage.discord.faults.add("POST", "hooktoken", times=1, status=500)
            await stage.post("one")
            stage.discord.faults.add("POST", "hooktoken", times=1, status=400, body={"code": 1, "message": "no"})
            await stage.post("two")
    assert "hooktoken-" not in caplog.text
    assert "one" in stage.contents()


async def test_row_34_the_database_does_not_hold_the_token_in_plain_words() -> None:
    async with discord_stage() as stage:
        await stage.post("zero")
        async with stage.storage.read() as uow:
            kept = await uow.platform_state.items("discord")
        assert "hooktoken-" not in repr(kept)
        assert (stage.data_dir / "discord.key").stat().st_mode & 0o077 == 0


async def test_row_35_of_what_was_missed_the_newest_question_is_answered_and_all_is_context() -> None:
    storage = MemoryStorage()
    async with FakeDiscord() as discord:
        town = a_town(discord)
        async with discord_stage("Hello.", town=town, storage=storage) as stage:
            await stage.say("Ada, hello")
        for text in ("The tulips are out.", "Ada, how many tulips?", "Ben, what is for lunch?", "see you later"):
            await discord.post(town.channel, town.bob, text)
        async with discord_stage("Soup.", town=town, storage=storage) as stage:
            await stage.until(lambda: len(stage.contents()) == 2)
            await stage.settled()
            await stage.unheard(1)
            await stage.settled()
            answers = [p for p in discord.said(town.channel) if p["content"].endswith("Soup.")]
            assert [a["author"]["username"] for a in answers] == ["Ben"]
            async with storage.read() as uow:
                recent = await uow.messages.recent((await stage.chat()).id, limit=20)
            assert "The tulips are out." in [m.text for m in recent]


async def test_row_35_old_questions_get_no_answer() -> None:
    storage = MemoryStorage()
    async with FakeDiscord() as discord:
        town = a_town(discord)
        async with discord_stage("Hello.", town=town, storage=storage) as stage:
            since = (datetime.now(UTC) - timedelta(minutes=40)).timestamp()
            row = {"guild": str(town.guild.id), "channel": str(town.channel)}
            row["since"] = str((int(since * 1000) - EPOCH) << 22)
            async with storage.begin() as uow:
                await uow.platform_state.put("discord", f"bound:{town.channel}", dict(row))
        old = (datetime.now(UTC) - timedelta(minutes=30)).timestamp()
        message = await discord.post(town.channel, town.bob, "Ada, are you there?", at=old)
        async with discord_stage("Too late.", town=town, storage=storage, bound=False) as stage:
            await stage.stored(message["id"])
            await stage.settled()
            assert stage.contents() == []


async def test_row_35_nothing_is_read_on_the_very_first_run() -> None:
    async with FakeDiscord() as discord:
        town = a_town(discord)
        before = await discord.post(town.channel, town.bob, "Ada, said before anybody bound this channel")
        async with discord_stage("Hello.", town=town) as stage:
            assert await stage.unheard(before["id"])
            assert discord.requests("GET", f"/channels/{town.channel}/messages")
