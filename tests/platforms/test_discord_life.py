"""The life of the connection: how it begins and ends, and servers that tell less than Discord does."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from discord import DiscordServerError
from discord.http import Route

from adapters.discord.client import TroupeClient
from adapters.discord.transport import PatientTransport
from adapters.discord.webhooks import NoHook, Webhooks
from adapters.discord.wire import Wire
from adapters.sealing import SecretBox
from orchestration.model import OutboxState
from storage.memory import MemoryStorage
from tests.fake_discord import FakeDiscord
from tests.fake_discord.interactions import command_data, new
from tests.fake_discord.world import APP_ID, MANAGE_WEBHOOKS
from tests.platforms.discord_stage import a_town, discord_stage

LIMIT_S = 30.0


def client_of(discord: FakeDiscord) -> TroupeClient:
    transport = PatientTransport(api_base_url=discord.api_url)
    return TroupeClient(transport=transport, api_base_url=discord.api_url, gateway_url=discord.gateway_url)


async def until_asked(discord: FakeDiscord, method: str, part: str) -> None:
    await discord.until(lambda: discord.requests(method, part))


# ---------------------------------------------------------------- the end


async def test_closing_ends_a_client_that_is_still_trying_to_connect() -> None:
    async with FakeDiscord() as discord:
        discord.gateway.refuse = 1000
        client = client_of(discord)
        running = asyncio.create_task(client.start(discord.token))
        await until_asked(discord, "GET", "/gateway/bot")
        await client.close()
        await asyncio.wait_for(running, LIMIT_S)


async def test_closing_ends_a_client_that_cannot_log_in() -> None:
    async with FakeDiscord() as discord:
        discord.faults.add("GET", "/users/@me", times=1000, cut=True)
        client = client_of(discord)
        running = asyncio.create_task(client.start(discord.token))
        await until_asked(discord, "GET", "/users/@me")
        await client.close()
        await asyncio.wait_for(running, LIMIT_S)


async def test_nothing_of_it_is_left_when_it_is_closed_with_a_form_open() -> None:
    before = asyncio.all_tasks()
    async with discord_stage("Here.") as stage:
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent add")
        await shown.answered()
        await stage.adapter.close()
        left = {task for task in asyncio.all_tasks() - before if not task.done()}
        names = {str(task.get_coro()) for task in left}
        assert not {name for name in names if "View" in name or "Modal" in name}, names


async def test_what_is_being_heard_when_it_closes_is_heard_to_the_end() -> None:
    async with discord_stage("Here.") as stage:
        first = await stage.discord.post(stage.channel, stage.town.bob, "first words")
        await stage.stored(first["id"])
        path = f"/channels/{stage.channel}/messages/{first['id']}"
        reading = stage.discord.faults.add("GET", path, delay_s=0.5, only_delay=True)
        reference = {"message_id": first["id"], "channel_id": str(stage.channel)}
        message = await stage.discord.post(
            stage.channel, stage.town.bob, "words at the last moment", type=19, message_reference=reference
        )
        await stage.until(lambda: reading.hits)
        await stage.adapter.close()
        assert (await stage.stored(message["id"])).text == "words at the last moment"


async def test_who_waits_for_readiness_still_does_after_a_refused_intent() -> None:
    async with FakeDiscord() as discord:
        a_town(discord)
        discord.world.message_content = False
        client = client_of(discord)
        await client.login(discord.token)
        ready = asyncio.create_task(client.wait_until_ready())
        running = asyncio.create_task(client.connect())
        try:
            await asyncio.wait_for(ready, LIMIT_S)
            assert client.content_denied
        finally:
            await client.close()
            await asyncio.gather(running, return_exceptions=True)


# ---------------------------------------------------------------- limits


async def test_a_request_cancelled_while_all_have_to_wait_does_not_stop_the_others_for_ever() -> None:
    async with FakeDiscord() as discord:
        town = a_town(discord)
        client = client_of(discord)
        await client.login(discord.token)
        try:
            body = {"message": "You are being rate limited.", "retry_after": 0.6, "global": True}
            fault = discord.faults.add(
                "GET", f"/channels/{town.channel}", status=429, body=body, headers={"Via": "1.1"}
            )
            cancelled = asyncio.create_task(client.http.get_channel(town.channel))
            await discord.until(lambda: fault.hits)
            await asyncio.sleep(0.1)
            cancelled.cancel()
            await asyncio.gather(cancelled, return_exceptions=True)
            found: Any = await asyncio.wait_for(client.http.request(Route("GET", "/users/@me")), LIMIT_S)
            assert found["bot"]
        finally:
            await client.close()


async def test_a_limit_for_all_holds_back_all_but_acknowledgements() -> None:
    async with discord_stage("Here.") as stage:
        body = {"message": "You are being rate limited.", "retry_after": 3600.0, "global": True}
        stage.discord.faults.add("POST", "/webhooks$", status=429, body=body, headers={"Via": "1.1"})
        await stage.discord.post(stage.channel, stage.town.bob, "Ada, are you there?")
        await stage.until(lambda: stage.discord.requests("POST", f"/channels/{stage.channel}/webhooks"))
        asked = await stage.discord.slash(stage.town.ann, stage.channel, "agent list")
        await stage.until(lambda: asked.acknowledged_s is not None)


# ---------------------------------------------------------------- poor servers


@pytest.mark.parametrize(
    "lacking",
    [
        {"READY": frozenset({"shard", "guilds"})},
        {"GUILD_CREATE": frozenset({"threads", "voice_states", "members", "presences", "stage_instances"})},
        {"MESSAGE_CREATE": frozenset({"member", "application_id", "referenced_message", "nonce", "components"})},
        {"INTERACTION_CREATE": frozenset({"channel", "version", "attachment_size_limit", "guild", "app_permissions"})},
    ],
    ids=lambda lacking: next(iter(lacking)),
)
async def test_an_event_may_lack_what_discord_always_tells(lacking: dict[str, frozenset[str]]) -> None:
    async with FakeDiscord() as discord:
        discord.gateway.lacking = lacking
        async with discord_stage("Here I am.", town=a_town(discord)) as stage:
            await stage.until(stage.adapter.client.is_ready)
            assert [m["content"] for m in await stage.say("Ada, hello")] == ["Here I am."]
            why = await stage.discord.slash(stage.town.bob, stage.channel, "why")
            assert "Ada" in (await why.answered()).text


async def test_a_server_that_never_tells_of_its_guilds_is_answered() -> None:
    async with FakeDiscord() as discord:
        town = a_town(discord)
        async with discord_stage("Here I am.", town=town) as stage:
            await stage.say("Ada, hello")
            storage, data_dir = stage.storage, stage.data_dir
        discord.gateway.lacking = {"READY": frozenset({"guilds"})}
        discord.gateway.untold = {"GUILD_CREATE"}
        discord.faults.add("GET", rf"/channels/{town.channel}$", times=1000, status=404)
        async with discord_stage(
            "Here I am.", town=town, storage=storage, data_dir=data_dir, bound=False, wait=False
        ) as stage:
            await stage.until(lambda: discord.gateway.sockets)
            assert [m["content"] for m in await stage.say("Ada, once more")] == ["Here I am."]


async def test_a_server_without_a_list_of_webhooks_gets_one_all_the_same() -> None:
    async with discord_stage() as stage:
        stage.discord.faults.add("GET", f"/channels/{stage.channel}/webhooks", times=1000, status=404)
        await stage.post("one")
        await stage.post("two")
        assert stage.contents() == ["one", "two"]
        assert len(stage.discord.world.own_webhooks(stage.channel)) == 1


async def test_a_member_whose_rights_are_not_told_has_those_of_their_roles() -> None:
    async with discord_stage("Here.") as stage:
        for member in stage.town.guild.members.values():
            member.pop("permissions", None)
        for person, allowed in ((stage.town.ann, True), (stage.town.bob, False)):
            asked = new(
                stage.discord.world,
                user_id=person,
                channel_id=stage.channel,
                kind=2,
                data=command_data(stage.discord.world, "agent pause", {"agent": "Ben"}),
            )
            del asked.payload["member"]["permissions"]
            stage.discord.interactions[asked.token] = asked
            await stage.discord.tell("INTERACTION_CREATE", asked.payload)
            assert ("admins" in (await asked.answered()).text) is not allowed


async def test_replies_come_without_a_webhook_when_it_is_asked_for_in_vain_for_long(tmp_path: Path) -> None:
    async with FakeDiscord() as discord:
        town = a_town(discord)
        discord.faults.add("POST", f"/channels/{town.channel}/webhooks", times=1000, status=500)
        client = client_of(discord)
        await client.login(discord.token)
        now = datetime(2026, 5, 1, tzinfo=UTC)
        webhooks = Webhooks(
            wire=Wire(client, PatientTransport(api_base_url=discord.api_url)),
            client=client,
            storage=MemoryStorage(),
            box=lambda: SecretBox.with_key(tmp_path / "discord.key"),
            clock=lambda: now,
        )
        try:
            with pytest.raises(DiscordServerError):
                await webhooks.of(town.channel)
            now += timedelta(seconds=20)
            with pytest.raises(NoHook):
                await webhooks.of(town.channel)
        finally:
            await client.close()


async def test_a_post_of_which_nothing_is_told_is_looked_for() -> None:
    async with discord_stage() as stage:
        stage.discord.faults.add("POST", r"/webhooks/\d+/", times=1, after=True, status=200)
        await stage.post("once")
        assert stage.contents() == ["once"]


async def test_a_webhook_whose_token_changed_is_taken_up_again_and_no_second_one_made() -> None:
    async with discord_stage() as stage:
        await stage.post("one")
        [hook] = stage.discord.world.own_webhooks(stage.channel)
        hook["token"] = "rotated-token"
        await stage.post("two")
        assert stage.contents() == ["one", "two"]
        assert [int(h["id"]) for h in stage.discord.world.own_webhooks(stage.channel)] == [int(hook["id"])]
        assert int(hook["application_id"]) == APP_ID


async def test_one_cause_is_one_notice_however_many_threads_it_meets() -> None:
    async with discord_stage() as stage:
        for number in range(15):
            stage.discord.world.add_webhook(stage.channel, f"bridge {number}", application_id=None)
        threads = [stage.discord.world.add_thread(stage.town.guild, stage.channel, f"t{n}") for n in range(3)]
        for thread in threads:
            await stage.discord.announce_thread(thread)
            await stage.post("words", place=thread)
        told = [text for thread in threads for text in stage.contents(thread) if "webhook" in text]
        assert len(told) == 1
        assert "#general" in told[0]


async def test_a_webhook_that_moved_away_costs_no_reply_in_a_thread() -> None:
    async with discord_stage() as stage:
        elsewhere = await stage.discord.add_channel(stage.town.guild, "elsewhere")
        thread = stage.discord.world.add_thread(stage.town.guild, stage.channel, "side talk")
        await stage.discord.announce_thread(thread)
        await stage.post("one", place=thread)
        [hook] = stage.discord.world.own_webhooks(stage.channel)
        hook["channel_id"] = str(elsewhere)
        item = await stage.post("two", place=thread)
        assert item.state is OutboxState.SENT
        assert stage.contents(thread) == ["one", "two"]


async def test_cast_check_says_why_replies_come_from_the_bots_account() -> None:
    async with discord_stage() as stage:
        for number in range(15):
            stage.discord.world.add_webhook(stage.channel, f"bridge {number}", application_id=None)
        await stage.post("words")
        checked = await stage.discord.slash(stage.town.ann, stage.channel, "cast check")
        assert "15 webhooks" in checked.text
        stage.discord.world.deny(stage.channel, MANAGE_WEBHOOKS)
        await stage.discord.update_channel(stage.channel)
        await stage.until(lambda: stage.adapter.client.get_channel(stage.channel).overwrites)
        checked = await stage.discord.slash(stage.town.ann, stage.channel, "cast check")
        assert "Manage Webhooks: without it replies come from my own account" in checked.text


async def test_a_notice_that_did_not_get_through_is_given_at_the_next_occasion() -> None:
    async with discord_stage() as stage:
        stage.discord.world.deny(stage.channel, MANAGE_WEBHOOKS)
        await stage.discord.update_channel(stage.channel)
        stage.discord.faults.add("POST", f"/channels/{stage.channel}/messages", status=503)
        for words in ("one", "two", "three"):
            await stage.post(words)
        assert len([text for text in stage.contents() if "Manage Webhooks" in text]) == 1
        said = [text for text in stage.contents() if "Manage Webhooks" not in text]
        assert said == ["**Ada:** one", "**Ada:** two", "**Ada:** three"]


@pytest.mark.parametrize("fault", [{"after": True}, {"after": False}, {"cut": True}], ids=["heard", "unheard", "cut"])
async def test_an_acknowledgement_with_an_unknown_outcome_costs_no_answer(fault: dict[str, bool]) -> None:
    async with discord_stage() as stage:
        stage.discord.faults.add("POST", "/callback", status=503, **fault)
        listed = await stage.discord.slash(stage.town.ann, stage.channel, "agent list")
        assert "Ben" in listed.text
