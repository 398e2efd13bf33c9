"""An agent's own bot looks like the agent: name, picture and words, set once, and only when they change."""

from __future__ import annotations

from typing import Any

from adapters.telegram.shapes import Json
from tests.fake_telegram import FakeTelegram, World
from tests.platforms.telegram_stage import ANN, EVE, FORUM, GROUP, TelegramStage, a_world, telegram_stage

OWL_BOT = 700077
OWL_TOKEN = f"{OWL_BOT}:{'o' * 35}"
PHOTO = [{"file_id": "small", "file_unique_id": "s", "width": 90, "height": 90}]
PHOTO += [{"file_id": "owl", "file_unique_id": "o", "width": 640, "height": 640}]
SETTERS = ("setMyName", "setMyShortDescription", "setMyDescription", "setMyProfilePhoto")


def a_world_with_an_owl() -> World:
    world = a_world()
    world.add_bot(OWL_TOKEN, "A bot", "owl_bot")
    return world


def settings_of(stage: TelegramStage) -> list[str]:
    """What was set on the owl's bot so far."""
    calls: list[Any] = [c for name in SETTERS for c in stage.world.calls_of(name, bot_id=OWL_BOT)]
    return [f"{c.method}:{c.params.get('name', '')}" for c in calls]


async def told(stage: TelegramStage, words: str | None, **more: Any) -> str:
    """Says something to the host in private; the host's next word (pictures it shows do not count)."""
    before = len([m for m in stage.world.sent(EVE) if "text" in m])
    stage.acts.say(EVE, EVE, words, **more)
    answers: list[Json] = await stage.until(lambda: [m for m in stage.world.sent(EVE) if "text" in m][before:])
    return str(answers[0]["text"])


async def make_owl(stage: TelegramStage, words: str, *face: Any, **picture: Any) -> None:
    await told(stage, f"/agent add {words}")
    await told(stage, *face or (None,), **picture)
    await told(stage, "slow and wise")
    assert "is ready" in await told(stage, OWL_TOKEN)


async def test_a_picture_that_was_sent_becomes_the_bots_own_and_is_set_once() -> None:
    async with FakeTelegram(a_world_with_an_owl()) as server, telegram_stage("Hoo.", server=server) as stage:
        await make_owl(stage, "Owl", photo=PHOTO, caption="🦉")
        await stage.until(lambda: len(settings_of(stage)) == 4)
        assert "setMyName:Owl" in settings_of(stage)
        assert [c.params["file_id"] for c in server.world.calls_of("getFile")] == ["owl"]
        (photo,) = server.world.calls_of("setMyProfilePhoto", bot_id=OWL_BOT)
        assert '"type": "static"' in photo.params["photo"]
        assert "attach://" in photo.params["photo"]
        stage.acts.join(GROUP, OWL_BOT, by=EVE)
        await stage.until(lambda: [m for m in server.world.sent(GROUP) if "Owl" in m["text"]])
        assert (await stage.say("Owl, who?"))[-1] == "Hoo."
        assert len(settings_of(stage)) == 4
        await told(stage, "/agent edit Owl; description: quick")
        await told(stage, "/agent edit Owl")
        assert [s.partition(":")[0] for s in settings_of(stage)].count("setMyDescription") == 2
        assert len(settings_of(stage)) == 6


async def test_a_linked_picture_is_fetched_by_telegram_and_a_new_one_replaces_it() -> None:
    async with FakeTelegram(a_world_with_an_owl()) as server, telegram_stage("Hoo.", server=server) as stage:
        await make_owl(stage, "Owl; avatar: https://pictures.example/owl.png", "🦉")
        await stage.until(lambda: len(settings_of(stage)) == 4)
        (shown,) = server.world.calls_of("sendPhoto")
        assert (shown.params["photo"], shown.params["chat_id"]) == ("https://pictures.example/owl.png", str(EVE))
        assert "Owl" in await told(stage, None, photo=PHOTO, caption="/agent edit owl")
        assert len(server.world.calls_of("setMyProfilePhoto")) == 2
        await told(stage, "/agent edit Owl; avatar: https://pictures.example/owl.png")
        assert len(server.world.calls_of("setMyProfilePhoto")) == 3


async def test_a_refusal_holds_nothing_up_is_told_by_check_and_tried_at_the_next_occasion() -> None:
    async with FakeTelegram(a_world_with_an_owl()) as server, telegram_stage("Hoo.", server=server) as stage:
        for method in SETTERS:
            server.fail("status", method=method, code=404, description="Not Found: method not found")
        await make_owl(stage, "Owl", photo=PHOTO)
        await stage.until(lambda: len(settings_of(stage)) == 4)
        server.fail("status", method="setMyName", code=429, parameters={"retry_after": 3600})
        stage.acts.join(GROUP, OWL_BOT, by=EVE)
        await stage.until(lambda: len(settings_of(stage)) == 8)
        assert (await stage.say("Owl, who?"))[-1] == "Hoo."
        assert "@owl_bot" in (await stage.command("/check", who=ANN))["text"]
        await told(stage, "/agent edit Owl; tone: dry")
        assert [s for s in settings_of(stage) if s.startswith("setMyName")] == ["setMyName:Owl"] * 3
        assert "@owl_bot" not in (await stage.command("/check", who=ANN))["text"]


async def test_a_maker_is_told_in_private_what_is_not_well_with_their_agents() -> None:
    async with FakeTelegram(a_world_with_an_owl()) as server, telegram_stage("Hoo.", server=server) as stage:
        await make_owl(stage, "Owl", "🦉")
        assert "All is well" in await told(stage, "/check")
        stage.acts.join(GROUP, OWL_BOT, by=EVE)
        await stage.until(lambda: [m for m in server.world.sent(GROUP) if "Owl" in m["text"]])
        stage.acts.remove(GROUP, OWL_BOT, by=ANN)
        assert (await stage.say("Owl, who?"))[0] == "🦉 Owl\nHoo."
        await stage.until(lambda: "@owl_bot" in server.world.sent(EVE)[-1]["text"])
        found = await told(stage, "/check")
        assert "The Garden" in found
        assert "@owl_bot" in found


async def test_a_file_for_a_topic_that_is_gone_goes_to_the_group() -> None:
    async with telegram_stage("Hm.") as stage:
        topic = stage.acts.open_topic(FORUM, "Ferns", by=ANN)
        stage.server.fail(
            "status", method="sendDocument", code=400, description="Bad Request: message thread not found"
        )
        stage.acts.say(FORUM, ANN, "/agent export Ava", thread=topic)
        await stage.until(lambda: [m for m in stage.world.sent(FORUM) if "document" in m])


async def test_a_bot_from_before_there_were_profiles_is_dressed_when_somebody_checks() -> None:
    async with FakeTelegram(a_world_with_an_owl()) as server, telegram_stage("Hoo.", server=server) as stage:
        await make_owl(stage, "Owl", "🦉")
        await stage.until(lambda: len(settings_of(stage)) == 3)
        async with stage.storage.begin() as uow:
            await uow.platform_state.delete("telegram:profiles", str(OWL_BOT))
        assert "All is well" in await told(stage, "/check")
        assert len(settings_of(stage)) == 6
