"""What each command does, seen from the person who uses it."""

from __future__ import annotations

import json

from orchestration.model import AgentCard
from storage.memory import MemoryStorage
from tests.fake_discord import FakeDiscord
from tests.fake_discord.gateway import guild_json
from tests.fake_discord.world import Json
from tests.model_server import Pace, Reply, Request
from tests.platforms.discord_stage import DiscordStage, a_town, discord_stage


async def test_an_agent_is_added_by_one_form_and_speaks_at_once() -> None:
    async with discord_stage("Woof.") as stage:
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent add")
        done = await stage.discord.submit(
            stage.town.ann,
            shown,
            name="Rex",
            aliases="Rexy, Doggo",
            character="a loyal dog",
            tone="barks",
            avatar="https://faces.example/rex.png",
        )
        assert "Rex" in done.text
        [post] = await stage.say("Doggo, sit!")
        assert post["author"]["username"] == "Rex"
        assert post["avatar_url"] == "https://faces.example/rex.png"
        audit = await stage.discord.slash(stage.town.ann, stage.channel, "audit")
        assert "agent_add" in audit.text


async def test_an_agent_added_in_one_server_is_unknown_in_the_next() -> None:
    async with discord_stage("Woof.") as stage:
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent add")
        await stage.discord.submit(stage.town.ann, shown, name="Rex", character="a dog")
        other = stage.discord.world.add_guild("Elsewhere")
        channel = stage.discord.world.add_channel(other, "general")
        await stage.discord.gateway.tell(other.id, "GUILD_CREATE", guild_json(stage.discord.world, other))
        listed = await stage.discord.slash(other.owner_id, channel, "agent list")
        assert "Rex" not in listed.text
        assert "Ada" in listed.text


async def test_a_member_without_the_right_changes_nothing() -> None:
    async with discord_stage() as stage:
        for path, options in (
            ("agent pause", {"agent": "Ada"}),
            ("agent remove", {"agent": "Ada"}),
            ("cast unbind", {}),
            ("cast sync", {}),
            ("settings", {"agents_max": 1}),
        ):
            used = await stage.discord.slash(stage.town.eve, stage.channel, path, **options)
            assert "admins" in used.text, path
        assert await stage.say("Ada, still here?")


async def test_the_form_for_an_edit_holds_the_card_and_a_picture_link_that_dies_is_refused() -> None:
    async with discord_stage() as stage:
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada")
        assert shown.modal is not None
        assert "a calm botanist" in json.dumps(shown.modal)
        bad = "https://cdn.discordapp.com/attachments/1/2/ada.png"
        done = await stage.discord.submit(stage.town.ann, shown, avatar=bad)
        assert "stop working" in done.text
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada")
        done = await stage.discord.submit(stage.town.ann, shown, tone="whispers")
        assert "Ada" in done.text
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent show", agent="Ada")
        assert "whispers" in shown.text


async def test_the_form_keeps_what_is_too_long_to_be_shown_in_it() -> None:
    long = "a calm botanist who " + "walks and " * 500 + "rests"
    aliases = tuple(f"Countess number {number} of many" for number in range(12))
    ada = AgentCard(id="ada", name="Ada", description=long, aliases=aliases)
    async with discord_stage("Hi.", cast=(ada,)) as stage:
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada")
        done = await stage.discord.submit(stage.town.ann, shown, tone="whispers")
        assert "Ada" in done.text
        card = await stage.casts.get((await stage.chat()).tenant_id, "Ada")
        assert card is not None
        assert (card.description, card.aliases, card.tone) == (long, aliases, "whispers")


async def test_the_form_takes_other_line_ends_for_the_same_words_and_a_new_paragraph_for_a_change() -> None:
    ada = AgentCard(id="ada", name="Ada", description="calm\n\nkind\n" + "very " * 900 + "so", tone="dry. short.")
    async with discord_stage("Hi.", cast=(ada,)) as stage:
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada")
        sent_back = ada.description[:4000].strip().replace("\n", "\r\n")
        await stage.discord.submit(stage.town.ann, shown, character=sent_back, tone="dry.\nshort.")
        card = await stage.casts.get((await stage.chat()).tenant_id, "Ada")
        assert card is not None
        assert (card.description, card.tone) == (ada.description, "dry.\nshort.")


async def test_a_card_is_imported_from_a_file() -> None:
    card = {"spec": "chara_card_v2", "data": {"name": "Mina", "description": "{{char}} likes {{user}}."}}
    async with discord_stage("Hi.") as stage:
        url = stage.discord.file_url("mina.json", json.dumps(card).encode())
        file = {"id": "77", "filename": "mina.json", "size": 90, "url": url, "proxy_url": url}
        done = await stage.discord.slash(stage.town.ann, stage.channel, "agent import", file=file)
        assert "Mina" in done.text
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "agent show", agent="Mina")
        assert "Mina likes" in shown.text


async def test_an_uploaded_picture_becomes_a_lasting_address() -> None:
    png = b"\x89PNG\r\n\x1a\n" + b"0" * 100
    async with discord_stage("Hi.") as stage:
        url = stage.discord.file_url("rex.png", png)
        file = {"id": "78", "filename": "rex.png", "size": len(png), "url": url, "proxy_url": url}
        done = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada", avatar=file)
        assert "Ada" in done.text
        [emoji] = stage.discord.world.emojis
        card = await stage.casts.get((await stage.chat()).tenant_id, "Ada")
        assert card is not None
        assert emoji["id"] in card.avatar
        big = file | {"size": 10_000_000}
        done = await stage.discord.slash(stage.town.ann, stage.channel, "agent edit", agent="Ada", avatar=big)
        assert "big" in done.text or "256" in done.text


async def test_why_names_agent_model_and_reason() -> None:
    async with discord_stage("A fern.") as stage:
        [post] = await stage.say("Ada, what grows here?")
        for used in (
            await stage.discord.slash(stage.town.bob, stage.channel, "why"),
            await stage.discord.slash(stage.town.bob, stage.channel, "why", message=post["id"]),
            await stage.discord.message_command(stage.town.bob, stage.channel, "Why this reply?", post["id"]),
        ):
            assert "Ada" in used.text
            assert "scripted" in used.text
            assert "name" in used.text.lower()
            assert used.ephemeral


async def test_stop_now_breaks_off_the_answer() -> None:
    def script(request: Request) -> Reply:
        return Reply(text="Too late.", pace=Pace(first_s=20.0))

    async with discord_stage(script) as stage:
        await stage.discord.post(stage.channel, stage.town.bob, "Ada, a long story please")
        await stage.model.wait_for(1)
        used = await stage.discord.slash(stage.town.bob, stage.channel, "stop", now=True)
        assert "at once" in used.text
        await stage.settled()
        assert stage.contents() == []


async def test_regenerate_replaces_the_words_in_place() -> None:
    async with discord_stage("First.") as stage:
        [post] = await stage.say("Ada, say something")
        stage.model.script("Second.")
        await stage.discord.slash(stage.town.bob, stage.channel, "regenerate")
        await stage.until(lambda: stage.contents() == ["Second."])
        assert stage.discord.said(stage.channel)[0]["id"] == post["id"]
        [edit] = stage.discord.requests("PATCH", "/webhooks/")[-1:]
        assert edit.body["allowed_mentions"]["parse"] == []


async def test_settings_are_set_and_shown() -> None:
    async with discord_stage() as stage:
        await stage.discord.slash(
            stage.town.ann, stage.channel, "settings", agents_max=2, locale="zh", quiet_hours="22:00-07:00"
        )
        shown = await stage.discord.slash(stage.town.ann, stage.channel, "settings")
        assert "agents_max = 2" in shown.text
        assert "22:00-07:00" in shown.text
        wrong = await stage.discord.slash(stage.town.ann, stage.channel, "settings", quiet_hours="nonsense")
        assert "nonsense" in wrong.text


async def test_answers_come_in_the_persons_language() -> None:
    async with FakeDiscord() as discord:
        town = a_town(discord)
        town.guild.locale = "zh-CN"
        async with discord_stage(town=town) as stage:
            used = await discord.slash(town.ann, stage.channel, "cast show")
            assert "角色" in used.text


async def test_a_channel_that_cannot_be_bound_is_refused() -> None:
    async with discord_stage() as stage:
        stage_kind = await stage.discord.add_channel(stage.town.guild, "townhall", kind=13)
        used = await stage.discord.slash(stage.town.ann, stage_kind, "cast bind")
        assert "text, voice and forum" in used.text


async def test_a_clarification_has_buttons_that_only_the_asking_person_may_press_also_after_a_restart() -> None:
    storage = MemoryStorage()
    async with FakeDiscord() as discord:
        town = a_town(discord)
        async with discord_stage("Never said.", town=town, storage=storage) as stage:
            await discord.slash(town.ann, town.channel, "settings", clarify_below=1.0)
            [question] = await stage.say("what is a good soup for tonight?")
            assert stage.model.count == 0
        async with discord_stage("So you meant me.", town=town, storage=storage) as stage:
            label = question["components"][0]["components"][0]["label"]
            stranger = await discord.click(town.eve, question, label)
            assert stranger.acknowledged_s is not None
            assert stranger.acknowledged_s < 3
            assert "somebody else" in stranger.text
            await discord.click(town.bob, question, label)
            await stage.until(lambda: answers(stage))
            await stage.settled()
            [answer] = answers(stage)
            assert answer["author"]["username"] == label
            again = await discord.click(town.bob, question, label)
            assert again.text
            await stage.settled()
            assert len(answers(stage)) == 1


def answers(stage: DiscordStage) -> list[Json]:
    return [post for post in stage.discord.said(stage.channel) if post["content"].endswith("So you meant me.")]
