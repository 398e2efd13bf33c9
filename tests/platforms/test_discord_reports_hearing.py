"""Public reports about what is heard (docs/discord.md, rows 20, 24, 25, 27 to 30, 36, 37, 43): each word once."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from adapters.discord.gate import BotsPolicy
from orchestration.settings import TurnSettings
from storage.memory import MemoryStorage
from tests.fake_discord import FakeDiscord
from tests.fake_discord.world import APP_ID, FORUM
from tests.model_server import Pace, Reply, Request
from tests.platforms.discord_stage import a_town, discord_stage

PLURALKIT = 466378653216014359


@pytest.mark.parametrize("fault", [{"cut": True}, {"status": 200, "body": {"no": "list"}}, {"status": 403}])
async def test_a_history_that_cannot_be_read_costs_no_message_that_is_heard(fault: dict[str, Any]) -> None:
    async with discord_stage("I hear you.") as stage:
        stage.discord.faults.add("GET", f"/channels/{stage.channel}/messages", times=99, **fault)
        assert len(await stage.say("Ada, can you hear me?")) == 1
        assert len(await stage.say("Ada, and now?", reply_to="77")) == 1


async def test_row_20_a_hanging_model_does_not_block_the_next_message() -> None:
    settings = TurnSettings(burst_s=0.0, timeout_s=1.0)
    paces = [Pace(first_s=30.0)]

    def script(request: Request) -> Reply:
        return Reply(text="Done.", pace=paces.pop() if paces else None)

    async with discord_stage(script, settings=settings) as stage:
        await stage.discord.post(stage.channel, stage.town.bob, "Ada, please hang")
        await stage.model.wait_for(1)
        await stage.say("Ada, and now?")
        assert "Done." in stage.contents()


async def test_row_24_own_posts_start_no_turn_though_their_echo_comes_first() -> None:
    async with discord_stage("Ben, what do you think? Ada says hello.") as stage:
        fault = stage.discord.faults.add("POST", "/webhooks/", after=True, delay_s=0.3, status=200, body={})
        fault.times = 0  # the fake always tells the gateway before it answers the request
        await stage.say("Ada, say hello to Ben")
        await stage.settled()
        async with stage.storage.read() as uow:
            chat = await uow.chats.find(stage.key())
            assert chat is not None
            assert len(await uow.turns.last(chat.id, limit=10)) == 1


async def test_row_25_another_bot_is_not_answered() -> None:
    async with discord_stage("Hello, colleague.") as stage:
        other = stage.discord.world.add_user("Otherbot", bot=True)
        stage.discord.world.join(stage.town.guild, other)
        message = await stage.discord.post(stage.channel, other, "Ada, hello!")
        assert await stage.unheard(message["id"])


async def test_row_25_an_allowed_bot_is_answered_up_to_the_hop_limit() -> None:
    async with FakeDiscord() as discord:
        town = a_town(discord)
        other = discord.world.add_user("Otherbot", bot=True)
        discord.world.join(town.guild, other)
        policy = BotsPolicy(allowed=frozenset({other}), hop_limit=3)
        async with discord_stage("And you, Otherbot?", town=town, policy=policy) as stage:
            for number in range(6):
                await stage.say(f"Ada, question {number}", who=other)
            assert len(stage.contents()) == 3
            await stage.say("Ada, a human asks")
            await stage.say("Ada, question again", who=other)
            assert len(stage.contents()) == 5


async def test_row_27_the_edit_of_an_own_post_is_no_news() -> None:
    async with discord_stage("First.") as stage:
        [post] = await stage.say("Ada, hello")
        await stage.discord.edit(stage.channel, post["id"], content="Ben, changed by hand")
        await stage.say("Ben, hello")
        stored = await stage.stored(post["id"])
        assert stored.text == "First."


async def test_row_28_the_same_event_twice_is_answered_once_also_after_a_restart() -> None:
    storage = MemoryStorage()
    async with FakeDiscord() as discord:
        town = a_town(discord)
        async with discord_stage("Once.", town=town, storage=storage) as stage:
            message = await discord.post(town.channel, town.bob, "Ada, once?")
            again = {**message, "guild_id": str(town.guild.id)}
            await discord.tell("MESSAGE_CREATE", again)
            await stage.stored(message["id"])
            await stage.settled()
        async with discord_stage("Twice?", town=town, storage=storage) as stage:
            await discord.tell("MESSAGE_CREATE", again)
            await stage.say("just talking to myself")
            assert stage.contents().count("Once.") == 1
            assert "Twice?" not in stage.contents()[:1]


async def test_row_29_a_proxied_person_counts_once() -> None:
    async with discord_stage("One answer.") as stage:
        original = await stage.discord.post(stage.channel, stage.town.bob, "Ada, hello from K: hi")
        await stage.discord.foreign_webhook_post(
            stage.channel, "Kai", "Ada, hello from K: hi", application_id=PLURALKIT
        )
        await stage.discord.remove(stage.channel, int(original["id"]))
        await stage.settled()
        await stage.unheard(1)
        await stage.settled()
        assert len([text for text in stage.contents() if text.endswith("One answer.")]) == 1


@pytest.mark.parametrize("vanishes", ["before the copy", "after the copy"])
async def test_row_29_a_proxied_reply_counts_once_and_keeps_what_it_replies_to(vanishes: str) -> None:
    def script(request: Request) -> Reply:
        return Reply(text="One answer.", pace=Pace(first_s=0.3))

    async with discord_stage(script) as stage:
        [asked] = await stage.say("Ben, hello")
        original = await stage.discord.post(stage.channel, stage.town.bob, "and what of that?", reply_to=asked["id"])
        await stage.model.wait_for(2)
        link = f"https://discord.com/channels/{stage.town.guild.id}/{stage.channel}/{asked['id']}"
        shown = {"type": "rich", "author": {"name": "Ben"}, "description": f"**[Reply to:]({link})** One answer."}
        if vanishes == "before the copy":
            await stage.discord.remove(stage.channel, int(original["id"]))
        copy = await stage.discord.foreign_webhook_post(
            stage.channel, "Kai", "and what of that?", application_id=PLURALKIT, embeds=[shown]
        )
        if vanishes == "after the copy":
            await stage.discord.remove(stage.channel, int(original["id"]))
        await stage.unheard(1)
        await stage.settled()
        answers = [post for post in stage.discord.said(stage.channel)[1:] if "marker" not in post["content"]]
        assert [post["author"]["username"] for post in answers] == ["Ben"]
        if vanishes == "before the copy":
            assert (await stage.stored(copy["id"])).text == "and what of that?"


async def test_row_29_exactly_one_answer_when_the_original_vanishes_before_its_copy() -> None:
    def script(request: Request) -> Reply:
        return Reply(text="One answer.", pace=Pace(first_s=0.4))

    async with discord_stage(script) as stage:
        original = await stage.discord.post(stage.channel, stage.town.bob, "Ada, hello [Kai]")
        await asyncio.sleep(0.1)
        await stage.discord.remove(stage.channel, int(original["id"]))
        await stage.discord.foreign_webhook_post(stage.channel, "Kai", "Ada, hello", application_id=PLURALKIT)
        await stage.until(lambda: stage.contents())
        await stage.settled()
        assert stage.contents() == ["One answer."]


async def test_row_30_an_answer_stays_when_the_question_is_deleted_later() -> None:
    async with discord_stage("Here.") as stage:
        message = await stage.discord.post(stage.channel, stage.town.bob, "Ada, hello?")
        await stage.until(lambda: stage.contents() == ["Here."])
        await stage.discord.remove(stage.channel, int(message["id"]))
        await stage.unheard(1)
        assert stage.contents()[0] == "Here."


async def test_a_question_deleted_while_its_turn_runs_is_not_answered() -> None:
    def script(request: Request) -> Reply:
        slow = "never mind" in request.last_user
        return Reply(text="Too late." if slow else "Yes.", pace=Pace(first_s=1.0) if slow else None)

    async with discord_stage(script) as stage:
        message = await stage.discord.post(stage.channel, stage.town.bob, "Ada, never mind?")
        await stage.model.wait_for(1)
        await stage.discord.remove(stage.channel, int(message["id"]))
        await stage.settled()
        assert await stage.say("Ada, are you there?")
        assert "Too late." not in stage.contents()


async def test_an_edited_question_changes_the_context_and_is_not_answered_again() -> None:
    async with discord_stage("Here.") as stage:
        message = await stage.discord.post(stage.channel, stage.town.bob, "Ada, what is a rose?")
        await stage.until(lambda: stage.contents() == ["Here."])
        await stage.settled()
        await stage.discord.edit(stage.channel, message["id"], embeds=[{"type": "link", "title": "Roses"}])
        await stage.discord.edit(stage.channel, message["id"], content="Ada, what is a tulip?")

        async def changed() -> bool:
            return (await stage.stored(message["id"])).text == "Ada, what is a tulip?\nRoses"

        await stage.until(changed)
        await stage.settled()
        assert stage.contents() == ["Here."]


async def test_row_36_reply_forward_embed_and_thread_opening_reach_the_prompt() -> None:
    async with discord_stage("I see.") as stage:
        first = await stage.discord.post(stage.channel, stage.town.eve, "The zinnia is blooming.")
        await stage.say("Ada, did you see?", reply_to=first["id"])
        embed = {"type": "rich", "title": "Peonies", "description": "a long-lived plant"}
        await stage.say("Ada, read this", embeds=[embed])
        snapshot = {
            "message": {
                "content": "Forwarded words about lilies",
                "embeds": [],
                "attachments": [],
                "timestamp": "2026-01-01T00:00:00+00:00",
                "edited_timestamp": None,
                "type": 0,
                "flags": 0,
                "mentions": [],
                "mention_roles": [],
                "components": [],
            }
        }
        forward = {"type": 1, "message_id": "1", "channel_id": str(stage.channel)}
        await stage.say("", message_snapshots=[snapshot], message_reference=forward)
        await stage.say("Ada, and that?")
        thread = stage.discord.world.add_thread(
            stage.town.guild, stage.channel, "about zinnias", thread_id=int(first["id"])
        )
        await stage.discord.announce_thread(thread)
        await stage.say("Ada, tell me more", place=thread)
        asked = [request.text for request in stage.model.requests]
        assert "zinnia is blooming" in asked[0]
        assert any("a long-lived plant" in text for text in asked)
        assert any("Forwarded words about lilies" in text for text in asked)
        assert "zinnia is blooming" in asked[-1]


async def test_a_poll_a_sticker_and_a_file_can_be_read() -> None:
    async with discord_stage("I see.") as stage:
        file = {"id": "5", "filename": "rose.png", "size": 10, "url": "https://f.invalid/rose.png"}
        file |= {"proxy_url": "https://f.invalid/rose.png", "content_type": "image/png"}
        await stage.say("Ada, look", attachments=[file])
        stored = [m for m in await _messages(stage) if m.attachments]
        assert stored[0].attachments[0].name == "rose.png"
        assert stored[0].attachments[0].kind == "image"


async def _messages(stage):  # type: ignore[no-untyped-def]
    chat = await stage.chat()
    async with stage.storage.read() as uow:
        return await uow.messages.recent(chat.id, limit=20)


async def test_a_reply_to_an_agents_post_goes_to_that_agent() -> None:
    async with discord_stage("As I said.") as stage:
        [post] = await stage.say("Ben, hello")
        [answer] = await stage.say("and what about that?", reply_to=post["id"])
        assert answer["author"]["username"] == "Ben"


async def test_a_mention_of_the_bot_is_answered_in_the_midst_of_a_talk_of_people() -> None:
    async with discord_stage("I do.") as stage:
        bot = 900_000_000_000_000_001
        stage.discord.world.join(stage.town.guild, stage.town.ann)
        await stage.say(f"<@{stage.town.ann}> did you finish the report?")
        assert await stage.say(f"<@{stage.town.bob}> nearly, give me an hour", who=stage.town.ann) == []
        assert len(await stage.say(f"<@{bot}> who knows the capital of France?")) == 1
        assert len(await stage.say(f"<@!{bot}>", who=stage.town.ann)) == 1
        role = next(r for r in stage.town.guild.roles.values() if r["name"] == "Troupe")
        role["tags"] = {"bot_id": str(bot)}
        await stage.discord.tell("GUILD_ROLE_UPDATE", {"guild_id": str(stage.town.guild.id), "role": role})
        assert len(await stage.say(f"<@&{role['id']}> and of Spain?", mention_roles=[role["id"]])) == 1
        assert await stage.say(f"<@{bot}> be quiet now, please") == []


async def test_row_37_typing_stops_before_the_post() -> None:
    def script(request: Request) -> Reply:
        return Reply(text="Here.", pace=Pace(first_s=0.3))

    async with discord_stage(script) as stage:
        await stage.say("Ada, hello")
        await stage.unheard(1)
        trail = [
            "typing" if "typing" in one.path else "post"
            for one in stage.discord.asked
            if one.method == "POST" and ("/typing" in one.path or "hooktoken" in one.path)
        ]
        assert trail[:2] == ["typing", "post"]
        assert "typing" not in trail[trail.index("post") :]


async def test_row_43_webhook_authors_pass_through_every_handler() -> None:
    async with discord_stage("Hello.") as stage:
        foreign = await stage.discord.foreign_webhook_post(stage.channel, "Bridge", "hi", application_id=4242)
        await stage.discord.edit(stage.channel, foreign["id"], content="hi again")
        why = await stage.discord.message_command(stage.town.bob, stage.channel, "Why this reply?", foreign["id"])
        remove = await stage.discord.message_command(stage.town.ann, stage.channel, "Remove reply", foreign["id"])
        await stage.discord.remove(stage.channel, int(foreign["id"]))
        assert why.text
        assert remove.text
        [answer] = await stage.say("Ada, hello")
        told = await stage.discord.message_command(stage.town.bob, stage.channel, "Why this reply?", answer["id"])
        assert "Ada" in told.text


async def test_five_hundred_messages_in_a_rush_are_all_stored_in_order() -> None:
    async with discord_stage("Fine.") as stage:
        sent = [await stage.discord.post(stage.channel, stage.town.bob, f"line {n}") for n in range(500)]
        await stage.until(lambda: _all_stored(stage, sent), limit_s=30)
        chat = await stage.chat()
        async with stage.storage.read() as uow:
            stored = await uow.messages.recent(chat.id, limit=2000)
        humans = [m.text for m in stored if m.agent_id is None]
        assert humans == [f"line {n}" for n in range(500)]


async def _all_stored(stage, sent) -> bool:  # type: ignore[no-untyped-def]
    chat = await stage.chat()
    async with stage.storage.read() as uow:
        return await uow.messages.by_external(chat.id, sent[-1]["id"]) is not None


async def test_a_forum_post_reads_its_own_first_words() -> None:
    async with discord_stage("Good question.") as stage:
        forum = await stage.discord.add_channel(stage.town.guild, "help", kind=FORUM)
        await stage.discord.slash(stage.town.ann, stage.channel, "cast bind", channel=forum)
        post = stage.discord.world.add_thread(stage.town.guild, forum, "Wilting")
        await stage.discord.announce_thread(post)
        await stage.say("My basil is wilting, Ada", place=post)
        assert "basil is wilting" in stage.model.requests[-1].text
        assert APP_ID
