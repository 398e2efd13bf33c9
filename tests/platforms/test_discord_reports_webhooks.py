"""Public reports about webhooks, permissions and kinds of channels (docs/discord.md, rows 4 to 9 and 14 to 19)."""

from __future__ import annotations

import asyncio

from orchestration.model import OutboxState
from storage.memory import MemoryStorage
from tests.fake_discord import FakeDiscord
from tests.fake_discord.world import FORUM, MANAGE_WEBHOOKS, SEND, SEND_IN_THREADS, VOICE
from tests.platforms.discord_stage import ADA, BEN, a_town, discord_stage


async def test_row_04_twenty_restarts_leave_one_webhook() -> None:
    storage = MemoryStorage()
    async with FakeDiscord() as discord:
        town = a_town(discord)
        for turn in range(20):
            async with discord_stage(town=town, storage=storage if turn % 2 else MemoryStorage()) as stage:
                await stage.post(f"start {turn}", id=f"posted:start:{turn}")
        assert len(discord.world.own_webhooks(town.channel)) == 1
        assert len(stage.contents()) == 20


async def test_row_05_twenty_first_posts_at_once_make_one_webhook() -> None:
    async with discord_stage() as stage:
        threads = [stage.discord.world.add_thread(stage.town.guild, stage.channel, f"t{n}") for n in range(20)]
        for thread in threads:
            await stage.discord.announce_thread(thread)
        await asyncio.gather(*(stage.post("first words", place=thread) for thread in threads))
        assert len(stage.discord.world.own_webhooks(stage.channel)) == 1
        assert len(stage.discord.requests("GET", "/webhooks")) == 1
        assert len(stage.discord.requests("POST", f"/channels/{stage.channel}/webhooks")) == 1
        assert [stage.contents(thread) for thread in threads] == [["first words"]] * 20


async def test_row_06_a_webhook_at_the_cap_is_never_edited() -> None:
    async with discord_stage() as stage:
        for _ in range(14):
            stage.discord.world.add_webhook(stage.channel, "bridge", application_id=None)
        await stage.post("one", ADA)
        await stage.post("two", BEN)
        assert stage.contents() == ["one", "two"]
        assert stage.discord.requests("PATCH", "/webhooks") == []


async def test_row_07_four_refusals_have_four_texts() -> None:
    texts = []
    for status, code in ((403, 50013), (400, 30007), (400, 30058), (400, 20001)):
        async with discord_stage() as stage:
            body = {"code": code, "message": "no"}
            stage.discord.faults.add("GET", f"/channels/{stage.channel}/webhooks", times=9, status=status, body=body)
            await stage.post("Hello.")
            notices = [text for text in stage.contents() if not text.startswith("**Ada:**")]
            assert len(notices) == 1
            assert "**Ada:** Hello." in stage.contents()
            texts.append(notices[0])
    assert len(set(texts)) == 4


async def test_row_07_a_fault_of_discord_is_no_lack_of_permission() -> None:
    async with discord_stage() as stage:
        stage.discord.faults.add("GET", f"/channels/{stage.channel}/webhooks", times=1, status=503, body={})
        await stage.post("Hello.")
        assert stage.contents() == ["Hello."]


async def test_row_08_a_webhook_deleted_between_turns_is_replaced() -> None:
    async with discord_stage("Here I am.") as stage:
        await stage.say("Ada, hello")
        [hook] = stage.discord.world.own_webhooks(stage.channel)
        await stage.discord.delete_webhook(hook)
        posts = await stage.say("Ada, still there?")
        assert [p["author"]["username"] for p in posts] == ["Ada"]
        assert len(stage.discord.world.own_webhooks(stage.channel)) == 1


async def test_row_08_news_of_a_deletion_spares_the_next_reply_a_dead_webhook() -> None:
    async with discord_stage("Here I am.") as stage:
        await stage.say("Ada, hello")
        [hook] = stage.discord.world.own_webhooks(stage.channel)
        await stage.discord.delete_webhook(hook)
        await stage.discord.until(lambda: stage.discord.requests("GET", f"/webhooks/{hook['id']}/"))
        tried = len(stage.discord.requests("POST", f"/webhooks/{hook['id']}/"))
        await stage.say("Ada, still there?")
        assert len(stage.discord.requests("POST", f"/webhooks/{hook['id']}/")) == tried
        [post] = stage.discord.said(stage.channel)  # those of the deleted webhook count no more
        assert (post["author"]["username"], post["content"]) == ("Ada", "Here I am.")


async def test_row_08_news_of_other_webhooks_change_nothing() -> None:
    async with discord_stage("Here I am.") as stage:
        await stage.say("Ada, hello")
        for _ in range(3):
            await stage.discord.webhooks_changed(stage.channel)
        await stage.say("Ada, still there?")
        assert len(stage.discord.world.own_webhooks(stage.channel)) == 1
        assert stage.contents() == ["Here I am.", "Here I am."]


async def test_row_08_one_deletion_that_meets_many_posts_is_one_deletion() -> None:
    async with discord_stage() as stage:
        threads = [stage.discord.world.add_thread(stage.town.guild, stage.channel, f"t{n}") for n in range(8)]
        for thread in threads:
            await stage.discord.announce_thread(thread)
            await stage.post("before", place=thread)
        stage.discord.world.webhooks.clear()
        await asyncio.gather(*(stage.post("after", place=thread) for thread in threads))
        assert [stage.contents(thread) for thread in threads] == [["after"]] * 8
        assert len(stage.discord.world.own_webhooks(stage.channel)) == 1


async def test_a_freed_place_for_a_webhook_is_taken_at_once() -> None:
    async with discord_stage() as stage:
        foreign = [stage.discord.world.add_webhook(stage.channel, "bridge", application_id=None) for _ in range(15)]
        await stage.post("one")
        await stage.discord.delete_webhook(foreign[0])
        await stage.discord.post(stage.channel, stage.town.bob, "just talking")
        await stage.unheard(1)
        await stage.post("two")
        assert stage.discord.said(stage.channel)[-1]["author"]["username"] == "Ada"


async def test_row_08_a_second_loss_in_ten_minutes_is_taken_as_meant() -> None:
    async with discord_stage("Here I am.") as stage:
        for _ in range(2):
            await stage.post("words")
            [hook] = stage.discord.world.own_webhooks(stage.channel)
            await stage.discord.delete_webhook(hook)
        await stage.post("words in bold")
        assert stage.discord.world.own_webhooks(stage.channel) == []
        assert stage.contents()[-1] == "**Ada:** words in bold"
        assert any("/cast unbind" in text for text in stage.contents())


async def test_row_09_a_ghost_webhook_is_passed_over() -> None:
    async with discord_stage("Here I am.") as stage:
        for _ in range(2):
            ghost = stage.discord.world.add_webhook(stage.channel, "Troupe", application_id=900_000_000_000_000_002)
            stage.discord.world.dead_webhooks.add(int(ghost["id"]))
        await stage.post("words")
        assert stage.contents() == ["words"]
        posted_by = int(stage.discord.said(stage.channel)[0]["webhook_id"])
        assert posted_by not in stage.discord.world.dead_webhooks


async def test_fifteen_foreign_webhooks_bring_one_notice_and_the_words() -> None:
    async with discord_stage("Here I am.") as stage:
        for _ in range(15):
            stage.discord.world.add_webhook(stage.channel, "bridge", application_id=None)
        await stage.post("one")
        await stage.post("two")
        notices = [text for text in stage.contents() if "webhook" in text]
        assert len(notices) == 1
        assert "Delete one" in notices[0]
        assert [text for text in stage.contents() if text not in notices] == ["**Ada:** one", "**Ada:** two"]


async def test_rows_14_15_a_channel_override_is_named_once_and_the_words_come_all_the_same() -> None:
    async with discord_stage("Here I am.") as stage:
        stage.discord.world.deny(stage.channel, MANAGE_WEBHOOKS)
        await stage.discord.update_channel(stage.channel)
        await stage.say("Ada, hello")
        await stage.say("Ada, hello again")
        notices = [text for text in stage.contents() if "permission" in text]
        assert len(notices) == 1
        assert "#general" in notices[0]
        assert "Manage Webhooks" in notices[0]
        assert stage.contents().count("**Ada:** Here I am.") == 2
        checked = await stage.discord.slash(stage.town.ann, stage.channel, "cast check")
        assert "Manage Webhooks" in checked.text


async def test_row_15_a_channel_closed_to_the_bot_ends_the_reply_and_is_counted() -> None:
    async with discord_stage("Here I am.") as stage:
        stage.discord.world.deny(stage.channel, SEND | MANAGE_WEBHOOKS)
        await stage.discord.update_channel(stage.channel)
        item = await stage.post("nobody hears this")
        assert item.state is OutboxState.FAILED
        assert stage.contents() == []


async def test_row_16_the_thread_permission_is_part_of_the_check() -> None:
    async with discord_stage() as stage:
        stage.discord.world.deny(stage.channel, SEND_IN_THREADS)
        await stage.discord.update_channel(stage.channel)
        checked = await stage.discord.slash(stage.town.ann, stage.channel, "cast check")
        assert "Send Messages in Threads" in checked.text


async def test_row_17_regenerate_and_remove_inside_a_thread() -> None:
    async with discord_stage(["First try.", "Second try."]) as stage:
        stage.model.script(["First try."])
        thread = stage.discord.world.add_thread(stage.town.guild, stage.channel, "roses")
        await stage.discord.announce_thread(thread)
        [post] = await stage.say("Ada, roses?", place=thread)
        assert post["channel_id"] == str(thread)
        stage.model.script(["Second try."])
        await stage.discord.message_command(stage.town.bob, thread, "Regenerate", post["id"])
        await stage.until(lambda: stage.contents(thread) == ["Second try."])
        await stage.settled()
        await stage.discord.message_command(stage.town.bob, thread, "Remove reply", post["id"])
        await stage.until(lambda: stage.contents(thread) == [])


async def test_row_18_a_forum_is_answered_inside_its_posts() -> None:
    async with discord_stage("A fine question.") as stage:
        forum = await stage.discord.add_channel(stage.town.guild, "questions", kind=FORUM)
        done = await stage.discord.slash(stage.town.ann, stage.channel, "cast bind", channel=forum)
        assert str(forum) in done.text
        post = stage.discord.world.add_thread(stage.town.guild, forum, "How do roses grow?")
        await stage.discord.announce_thread(post)
        [answer] = await stage.say("Ada, how do roses grow?", place=post)
        assert answer["author"]["username"] == "Ada"


async def test_the_text_of_a_voice_channel_is_a_chat_of_its_own() -> None:
    async with discord_stage("Loud here.") as stage:
        voice = await stage.discord.add_channel(stage.town.guild, "lounge", kind=VOICE)
        await stage.discord.slash(stage.town.ann, stage.channel, "cast bind", channel=voice)
        [answer] = await stage.say("Ada, can you hear me?", place=voice)
        assert answer["author"]["username"] == "Ada"


async def test_a_thread_begins_with_its_channels_settings() -> None:
    async with discord_stage("Ja.") as stage:
        await stage.say("Ada, hello")
        await stage.discord.slash(stage.town.ann, stage.channel, "settings", agents_max=2)
        thread = stage.discord.world.add_thread(stage.town.guild, stage.channel, "roses")
        await stage.discord.announce_thread(thread)
        await stage.say("Ada, roses?", place=thread)
        assert (await stage.chat(thread)).settings.agents_max == 2


async def test_row_19_a_locked_thread_ends_the_reply_without_a_stuck_turn() -> None:
    async with discord_stage("Too late.") as stage:
        thread = stage.discord.world.add_thread(stage.town.guild, stage.channel, "closed")
        await stage.discord.announce_thread(thread)
        stage.discord.world.channel(thread)["thread_metadata"]["locked"] = True
        item = await stage.post("Hello?", place=thread)
        assert item.state is OutboxState.FAILED
        assert await stage.say("Ada, are you there?")


async def test_an_archived_thread_is_opened_by_the_answer() -> None:
    async with discord_stage("Back again.") as stage:
        thread = stage.discord.world.add_thread(stage.town.guild, stage.channel, "old")
        stage.discord.world.channel(thread)["thread_metadata"]["archived"] = True
        await stage.post("Hello?", place=thread)
        assert stage.contents(thread) == ["Hello?"]


async def test_a_channel_deleted_in_mid_turn_ends_the_reply() -> None:
    async with discord_stage("Gone.") as stage:
        await stage.post("before")
        key = stage.key()
        item = await stage.item("after")
        assert key.channel_id == str(stage.channel)
        for hook in stage.discord.world.own_webhooks(stage.channel):
            stage.discord.world.webhooks.pop(int(hook["id"]))
        await stage.discord.delete_channel(stage.channel)
        await stage.dispatcher.drain(item.chat_id)
        async with stage.storage.read() as uow:
            found = await uow.outbox.get(item.id)
        assert found is not None
        assert found.state is OutboxState.FAILED
