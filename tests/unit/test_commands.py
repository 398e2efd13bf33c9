"""Command lines as people type them."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from orchestration.admin import About, Caller
from orchestration.card_lines import fields_of
from orchestration.commands import ADD_FIELDS, COMMANDS, Answer, Commands, card_of, is_command
from orchestration.dry_run import DryRuns
from orchestration.errors import StorageUnavailable, UserError
from orchestration.model import Locale
from orchestration.sessions import StopKind
from orchestration.settings import TurnSettings
from orchestration.texts import has
from tests.unit.admin_world import World, a_world


async def typed(world: World, line: str, caller: Caller | None = None) -> Answer:
    return await Commands(world.admin).run(line, caller or world.ann())


async def test_an_agent_is_added_listed_changed_silenced_and_removed() -> None:
    world = await a_world()
    assert (await typed(world, "/agent add Flora; a calm botanist; loves ferns; tone: dry; aliases: Flo, 花")).text == (
        "Flora joined the cast."
    )
    shown = await typed(world, "/agent show 花")
    assert "a calm botanist; loves ferns" in shown.text
    assert shown.private
    assert not (await typed(world, "/agent edit Flora; tone: warm; and slow")).error
    assert "warm; and slow" in (await typed(world, "/agent show flora")).text
    assert not (await typed(world, "/agent pause @Flora")).error
    assert "Flora (paused)" in (await typed(world, "/agent list")).text
    assert not (await typed(world, "/agent wake Flora")).error
    assert not (await typed(world, "/agent remove Flora")).error
    assert "Flora" not in (await typed(world, "/agent")).text


async def test_chinese_punctuation_is_understood() -> None:
    world = await a_world()
    assert not (await typed(world, "／agent add 花花；爱植物；语气：温柔")).error
    card = await world.casts.get(world.chat.tenant_id, "花花")
    assert card is not None
    assert (card.description, card.tone) == ("爱植物", "温柔")


async def test_a_file_is_imported_and_exported() -> None:
    world = await a_world()
    commands = Commands(world.admin)
    card = json.dumps({"name": "Cy"}).encode()
    assert (await commands.run("/agent import", world.ann())).error
    assert not (await commands.run("/agent import", world.ann(), file=card)).error
    answer = await commands.run("/agent export Cy", world.ann())
    assert answer.file is not None
    assert answer.file.name == "cy.json"
    assert json.loads(answer.file.data)["data"]["name"] == "Cy"


async def test_why_takes_a_number_or_the_message_replied_to() -> None:
    world = await a_world()
    await world.answered(1)
    await world.answered(2)
    commands = Commands(world.admin)
    assert "Turn 3" in (await commands.run("/why", world.ben())).text
    assert "Turn 1" in (await commands.run("/why 2", world.ben())).text
    assert "Turn 1" in (await commands.run("/why #1", world.ben())).text
    assert "Turn 1" in (await commands.run("/why@troupe_bot", world.ben(), about=About(external_id="a1"))).text
    assert "Turn 1" in (await commands.run("/why a1", world.ben())).text
    assert (await commands.run("/why x", world.ben())).error
    assert (await commands.run("/why a1 or so", world.ben())).error
    assert (await commands.run("/why a\x00", world.ben())).error
    assert (await commands.run("/why " + "9" * 5000, world.ben())).error


async def test_stop_comes_soft_and_hard() -> None:
    world = await a_world()
    for line in ("/stop", "/STOP now", "/stop 现在"):
        assert not (await typed(world, line, world.ben())).error
    assert [kind for _, kind in world.turns.stops] == [StopKind.SOFT, StopKind.HARD, StopKind.HARD]
    assert (await typed(world, "/stop please")).error
    assert len(world.turns.stops) == 3


async def test_settings_are_shown_and_set() -> None:
    world = await a_world()
    assert "agents_max = 3" in (await typed(world, "/settings")).text
    assert "agents_max = 2" in (await typed(world, "/settings agents_max 2")).text
    assert "agents_max = 4" in (await typed(world, "/settings agents_max=4")).text
    assert (await typed(world, "/settings agents_max")).error
    refusal = await typed(world, "/settings agents_max 2", world.ben())
    assert (refusal.text, refusal.error, refusal.private) == ("That is for admins of this group.", True, True)


@pytest.mark.parametrize("name", [c for c in COMMANDS if c != "route"])
async def test_every_command_answers_something_before_anything_happened(name: str) -> None:
    world = await a_world()
    assert (await typed(world, f"/{name}")).text


async def test_every_command_is_on_the_help_page() -> None:
    world = await a_world()
    for locale in (Locale.EN, Locale.ZH):
        page = (await typed(world, "/help", world.ben(locale=locale))).text
        missing = [name for name in COMMANDS if name not in ("cast", "audit") and f"/{name}" not in page]
        assert missing == []
        assert max(map(len, page.splitlines())) <= 80


async def test_a_platform_may_have_its_own_help_page() -> None:
    world = await a_world()
    commands = Commands(world.admin)
    assert "/cast bind" in (await commands.run("/help", world.ben(), platform="discord")).text


@pytest.mark.parametrize(
    ("line", "hint"),
    [("/wyh", "/why"), ("/stpo", "/stop"), ("/seting agents_max 2", "/settings"), ("/agent lst", "/agent list")],
)
async def test_a_slip_of_the_finger_gets_a_hint(line: str, hint: str) -> None:
    world = await a_world()
    answer = await typed(world, line)
    assert answer.error
    assert hint in answer.text


async def test_what_is_no_command_is_told_as_data() -> None:
    world = await a_world()
    answer = await typed(world, "/{x}{0}\x1b[31m @everyone")
    assert answer.error
    assert "/{x}{0}[31m" in answer.text


async def test_the_dry_run_is_asked_where_there_is_one() -> None:
    world = await a_world()

    async def route(caller: Caller, words: str) -> str:
        return f"{caller.person.name}: {words}"

    commands = Commands(world.admin, route=route)
    assert (await commands.run("/route Ada, hi\nthere", world.ben())).text == "Ben: Ada, hi\nthere"
    assert (await commands.run("/route", world.ben())).error
    assert (await typed(world, "/route hi")).error


async def test_a_dry_run_tells_who_would_answer_and_leaves_nothing_behind() -> None:
    world = await a_world()
    dry = DryRuns(storage=world.storage, casts=world.casts, clock=world.clock, settings=TurnSettings())
    commands = Commands(world.admin, route=dry)
    assert "Speaks: Ada" in (await commands.run("/route Ada, what grows in shade?", world.ben())).text
    assert "发言：Ada" in (await commands.run("/route @Ada hi", world.ben(locale=Locale.ZH))).text
    async with world.storage.read() as unit:
        assert await unit.messages.recent(world.chat.id, limit=5) == []
        assert await unit.turns.last(world.chat.id) == []


async def test_a_sleeping_database_is_told_in_words() -> None:
    world = await a_world()

    async def route(caller: Caller, words: str) -> str:
        raise StorageUnavailable("locked")

    answer = await Commands(world.admin, route=route).run("/route x", world.ben())
    assert answer.error
    assert "database cannot be written" in answer.text


async def test_refusals_speak_the_callers_language() -> None:
    world = await a_world()
    answer = await typed(world, "/agent add Ada; twin", world.ann(locale=Locale.ZH))
    assert answer.error
    assert "Ada 2" in answer.text
    assert "已经有了" in answer.text
    long = await typed(world, "/agent edit Ada; tone: " + "x" * 5000, world.ann(locale=Locale.ZH))
    assert "语气" in long.text


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=60), st.sampled_from(["/", "/agent ", "/agent add ", "/settings ", "/why ", "/stop ", ""]))
async def test_whatever_is_typed_gets_an_answer(words: str, start: str) -> None:
    world = await a_world()
    assert (await typed(world, start + words)).text


@pytest.mark.parametrize(
    ("line", "is_one"),
    [
        ("/why", True),
        (" /agent add", True),
        ("／why", True),
        ("/", False),
        ("/ why", False),
        ("//", False),
        ("/7", False),
        ("why", False),
        ("a /why", False),
    ],
)
def test_a_command_begins_with_a_slash_and_a_letter(line: str, is_one: bool) -> None:
    assert is_command(line) is is_one


def test_the_fields_of_the_dialogue_have_questions_and_make_a_card() -> None:
    assert [field.field for field in ADD_FIELDS if field.required] == ["name", "description"]
    assert all(has(locale, field.ask) for field in ADD_FIELDS for locale in ("en", "zh"))
    card = card_of({"name": "Flora", "emoji": "🌿", "description": "calm", "tone": "dry"})
    assert (card.name, card.emoji, card.description, card.tone) == ("Flora", "🌿", "calm", "dry")
    with pytest.raises(UserError):
        card_of({"name": "Flora", "tools": "x"})


def test_a_colon_in_the_character_is_no_field() -> None:
    assert fields_of("Ada; note: bring water; face: 🌿") == {
        "name": "Ada",
        "description": "note: bring water",
        "emoji": "🌿",
    }


@pytest.mark.parametrize(
    ("words", "fields"),
    [
        ("Kai description: X", {"name": "Kai", "description": "X"}),
        ("Kai description: calm, exact tone: dry", {"name": "Kai", "description": "calm, exact", "tone": "dry"}),
        ("name=Kai description=X", {"name": "Kai", "description": "X"}),
        ("小林 语气：温柔", {"name": "小林", "tone": "温柔"}),
        ("Kai: a calm botanist", {"name": "Kai", "description": "a calm botanist"}),
        ("Kai, a calm botanist; tone: dry", {"name": "Kai", "description": "a calm botanist", "tone": "dry"}),
        ("小林，爱唱歌", {"name": "小林", "description": "爱唱歌"}),
        ("Captain Odile", {"name": "Captain Odile"}),
        ('"Captain Odile"', {"name": "Captain Odile"}),
        ("Martin Luther King, Jr.", {"name": "Martin Luther King, Jr."}),
        ("R2:D2", {"name": "R2:D2"}),
        (":)", {"name": ":)"}),
        ("description: X", {"name": "", "description": "X"}),
    ],
)
def test_a_name_ends_where_its_fields_or_words_begin(words: str, fields: dict[str, str]) -> None:
    assert fields_of(words) == fields


async def test_a_field_is_changed_without_a_semicolon_too() -> None:
    world = await a_world()
    await typed(world, "/agent add Kai description: a drummer")
    assert not (await typed(world, "/agent edit Kai tone: loud; and warm")).error
    card = await world.casts.get(world.chat.tenant_id, "Kai")
    assert card is not None
    assert (card.description, card.tone) == ("a drummer", "loud; and warm")
