"""The use cases behind the commands: who may do what, what it changes, what it says."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TypeAlias

import pytest

from orchestration.admin import LAST, About, Caller, with_field
from orchestration.admin.callers import owns
from orchestration.admin.chats import changed
from orchestration.errors import UserError
from orchestration.memory.records import SummaryLine
from orchestration.model import AgentCard, ChatSettings, Locale, Person
from orchestration.monospace import columns
from orchestration.sessions import StopKind
from tests.unit.admin_world import ANN, BEN, World, a_world

Deed: TypeAlias = Callable[[World, Caller], Awaitable[object]]


async def refused(deed: Awaitable[object]) -> str:
    with pytest.raises(UserError) as error:
        await deed
    return error.value.code


# ---------------------------------------------------------------------------------------------- rights

CARD = json.dumps({"name": "Cy", "description": "calm"}).encode()
CHANGES: dict[str, Deed] = {
    "add": lambda w, c: w.admin.agents.add(c, AgentCard(id="", name="Cy")),
    "edit": lambda w, c: w.admin.agents.edit(c, "Ada", lambda card: replace(card, tone="dry")),
    "pause": lambda w, c: w.admin.agents.pause(c, "Ada"),
    "remove": lambda w, c: w.admin.agents.remove(c, "Ada"),
    "import": lambda w, c: w.admin.agents.import_card(c, CARD),
    "set": lambda w, c: w.admin.chats.set(c, "agents_max", "2"),
    "bind": lambda w, c: w.admin.chats.bind(c),
    "unbind": lambda w, c: w.admin.chats.unbind(c),
}


@pytest.mark.parametrize("name", sorted(CHANGES))
async def test_members_cannot_change_and_nothing_is_left_behind(name: str) -> None:
    world = await a_world()
    assert await refused(CHANGES[name](world, world.ben())) == "not_allowed"
    assert await world.audit() == []
    assert [card.paused for card in await world.casts.of(world.chat.tenant_id)] == [False, False]


@pytest.mark.parametrize("name", sorted(CHANGES))
async def test_every_change_by_an_admin_leaves_one_audit_row(name: str) -> None:
    world = await a_world()
    await CHANGES[name](world, world.ann())
    [entry] = await world.audit()
    assert (entry.actor, entry.chat_id, entry.tenant_id) == (ANN, world.chat.id, world.chat.tenant_id)


async def test_exports_and_the_audit_log_are_for_admins() -> None:
    world = await a_world()
    assert await refused(world.admin.agents.export(world.ben(), "Ada")) == "not_allowed"
    assert await refused(world.admin.chats.audit(world.ben())) == "not_allowed"


async def test_whoever_made_an_agent_may_change_that_one() -> None:
    world = await a_world()
    await world.admin.agents.add(world.ann(), AgentCard(id="", name="Cy", owner_id=BEN.id))
    await world.admin.agents.edit(world.ben(), "Cy", lambda card: replace(card, tone="wry"))
    assert "wry" in (await world.admin.agents.show(world.ben(), "Cy")).text
    assert await refused(world.admin.agents.edit(world.ben(), "Ada", lambda card: card)) == "not_allowed"


@pytest.mark.parametrize("owner", [None, ""])
async def test_nothing_known_never_equals_nothing_known(owner: str | None) -> None:
    world = await a_world()
    assert not owns(world.ben(person=Person(id="", name="?")), owner)
    assert not owns(world.ben(), owner)
    assert owns(world.ben(), BEN.id)


# ---------------------------------------------------------------------------------------------- the cast


async def test_the_list_shows_faces_and_who_is_silent() -> None:
    world = await a_world()
    await world.admin.agents.pause(world.ann(), "bob")
    told = (await world.admin.agents.list(world.ben())).text
    assert told.splitlines() == ["The cast (2):", "🌿 Ada: A calm botanist.", "Bob (paused)"]


async def test_instructions_are_shown_to_those_who_may_change_them_only() -> None:
    world = await a_world()
    assert "Speak of plants only." not in (await world.admin.agents.show(world.ben(), "ada")).text
    assert "Speak of plants only." in (await world.admin.agents.show(world.ann(), "ada")).text


async def test_an_imported_card_joins_and_says_what_was_left_out() -> None:
    world = await a_world()
    card = json.dumps({"name": "Cy", "first_mes": "Hi!"}).encode()
    shown = await world.admin.agents.import_card(world.ann(), card)
    assert shown.card.id == "cy"
    assert "greetings" in shown.text
    assert (await world.actions()) == ["agent_import"]


async def test_an_exported_agent_can_be_imported_elsewhere() -> None:
    world = await a_world()
    made = await world.admin.agents.export(world.ann(), "Ada")
    assert made.file_name == "ada.json"
    there = await world.new_chat("c2", tenant="other")
    assert await refused(world.admin.agents.import_card(world.ann(chat=there), made.data)) == "card_name_taken"
    shown = await world.admin.agents.import_card(world.ann(chat=there), made.data, name="Flora")
    assert (shown.card.name, shown.card.instructions) == ("Flora", "Speak of plants only.")


async def test_other_names_of_a_card_that_are_taken_here_are_left_out() -> None:
    """Whoever brings a card file cannot change what stands in it."""
    world = await a_world()
    ours = {"troupe": {"aliases": ["BOB", "Flo"]}}
    card = json.dumps({"spec": "chara_card_v2", "data": {"name": "Flora", "extensions": ours}}).encode()
    shown = await world.admin.agents.import_card(world.ann(), card)
    assert shown.card.aliases == ("Flo",)
    assert "left out: BOB." in shown.text


async def test_a_cast_belongs_to_its_tenant() -> None:
    world = await a_world()
    there = await world.new_chat("c2", tenant="other")
    await world.admin.agents.add(world.ann(), AgentCard(id="", name="Cy"))
    assert len((await world.admin.agents.list(world.ann(chat=there))).cards) == 2


async def test_tools_and_model_cannot_be_set_in_words() -> None:
    for field in ("tools", "model", "id", "owner_id", "paused", "__class__"):
        with pytest.raises(UserError):
            with_field(AgentCard(id="a", name="A"), field, "x")


@pytest.mark.parametrize(
    ("field", "value", "kept"),
    [("aliases", "Addy，小艾、A;B", ("Addy", "小艾", "A", "B")), ("talkativeness", "0.3", 0.3), ("tone", "{x}", "{x}")],
)
def test_fields_are_set_from_words(field: str, value: str, kept: object) -> None:
    assert getattr(with_field(AgentCard(id="a", name="A"), field, value), field) == kept


# ---------------------------------------------------------------------------------------------- why and trace


@pytest.mark.parametrize("about", [LAST, About(seq=1), About(seq=2), About(external_id="m1"), About(external_id="a1")])
async def test_why_finds_the_turn_by_question_answer_number_or_none(about: About) -> None:
    world = await a_world()
    turn = await world.answered()
    told = await world.admin.insight.why(world.ben(), about)
    assert told.turn.id == turn.id
    for fact in ("Ada", "tiny", "chat_completions", "100 + 20 tokens", "posted", "Ben"):
        assert fact in told.text


async def test_why_by_outbox_id() -> None:
    world = await a_world()
    turn = await world.answered()
    assert (await world.admin.insight.why(world.ben(), About(outbox_id=f"{turn.id}:0"))).turn == turn


async def test_why_of_nothing_is_a_clear_word() -> None:
    world = await a_world()
    assert await refused(world.admin.insight.why(world.ben())) == "why_no_turn_yet"
    assert await refused(world.admin.insight.why(world.ben(), About(seq=99))) == "message_unknown"
    assert await refused(world.admin.insight.why(world.ben(), About(external_id="no"))) == "message_unknown"
    assert await refused(world.admin.insight.why(world.ben(), About(outbox_id="no"))) == "why_no_turn"


async def test_nobody_looks_into_another_chat() -> None:
    world = await a_world()
    turn = await world.answered()
    there = world.ann(chat=await world.new_chat("c2", tenant="other"))
    assert await refused(world.admin.insight.why(there, About(outbox_id=f"{turn.id}:0"))) == "why_no_turn"
    assert await refused(world.admin.insight.trace(there, About(external_id="a1"))) == "message_unknown"
    assert await refused(world.admin.control.remove_reply(there, About(outbox_id=f"{turn.id}:0"))) == "reply_unknown"


async def test_trace_and_language() -> None:
    world = await a_world()
    await world.answered()
    assert "950 ms" in (await world.admin.insight.trace(world.ben())).text
    assert "毫秒" in (await world.admin.insight.trace(world.ben(locale=Locale.ZH))).text
    chat = replace(world.chat, settings=ChatSettings(locale=Locale.ZH))
    assert "毫秒" in (await world.admin.insight.trace(world.ben(chat=chat))).text


# ---------------------------------------------------------------------------------------------- stats, summary


async def test_statistics_count_speakers_deciders_quality_and_cost() -> None:
    world = await a_world()
    assert "Nothing was asked" in (await world.admin.insight.stats(world.ben())).text
    for number in range(3):
        await world.answered(number)
    told = await world.admin.insight.stats(world.ben())
    assert told.statistics.turns.turns == 3
    assert told.statistics.agents[0].replies == 3
    assert told.statistics.usage.cost == pytest.approx(0.003)
    for fact in ("Turns: 3", "Ada", "the rules", "quality 0.90", "300 + 60 tokens · $0.0030"):
        assert fact in told.text
    assert max(columns(line) for line in told.text.splitlines()) <= 80


async def test_the_summary_or_a_word_that_there_is_none() -> None:
    world = await a_world()
    assert (await world.admin.insight.summary(world.ben())).summary == ""
    async with world.storage.begin() as unit:
        line = SummaryLine(chat_id=world.chat.id, text="Ann grows ferns.", sources=(), created_at=world.clock())
        await unit.summaries.add(world.chat.id, [line])
    assert "Ann grows ferns." in (await world.admin.insight.summary(world.ben())).text


# ---------------------------------------------------------------------------------------------- hands on turns


async def test_everybody_may_stop_and_it_is_written_down() -> None:
    world = await a_world()
    assert (await world.admin.control.stop(world.ben(), StopKind.HARD)).changed
    assert world.turns.stops == [(world.chat.id, StopKind.HARD)]
    assert await world.actions() == ["stop"]


async def test_stopping_nothing_says_so_and_leaves_no_trace() -> None:
    world = await a_world()
    world.turns.busy = False
    assert not (await world.admin.control.stop(world.ben())).changed
    assert not (await world.admin.control.resume(world.ben())).changed
    assert await world.actions() == []


async def test_a_reply_may_be_removed_by_who_asked_for_it_or_an_admin() -> None:
    world = await a_world()
    turn = await world.answered(asked_by=BEN)
    other = world.ben(person=Person(id="console:Eve", name="Ben"))
    assert await refused(world.admin.control.remove_reply(other, About(external_id="a1"))) == "not_yours"
    assert world.turns.removed == []
    await world.admin.control.remove_reply(world.ben(), About(external_id="a1"))
    await world.admin.control.remove_reply(world.ann(), About(seq=2))
    assert world.turns.removed == [f"{turn.id}:0"] * 2
    assert await world.actions() == ["remove_reply"] * 2


async def test_the_last_reply_or_the_only_answer_to_a_question_is_written_anew() -> None:
    world = await a_world()
    first = await world.answered(1)
    last = await world.answered(2)
    assert (await world.admin.control.regenerate(world.ben())).turn_id == "turn:new"
    await world.admin.control.regenerate(world.ben(), About(external_id="m1"))
    assert world.turns.regenerated == [f"{last.id}:0", f"{first.id}:0"]


async def test_there_must_be_a_reply_to_do_something_with() -> None:
    world = await a_world()
    assert await refused(world.admin.control.regenerate(world.ann())) == "reply_unknown"
    assert await refused(world.admin.control.regenerate(world.ann(), About(seq=5))) == "reply_unknown"


# ---------------------------------------------------------------------------------------------- settings


@pytest.mark.parametrize(
    ("key", "value", "kept"),
    [
        ("agents_max", "2", 2),
        ("agents_max", "default", None),
        ("talkativeness", "0.25", 0.25),
        ("clarify_below", "1", 1.0),
        ("locale", "ZH", Locale.ZH),
        ("locale", "auto", None),
        ("quiet_hours", "22:00-7:00", "22:00-07:00"),
        ("quiet_hours", "off", ""),
        ("mention_policy", "Nobody", "nobody"),
    ],
)
def test_settings_are_read_from_words(key: str, value: str, kept: object) -> None:
    assert getattr(changed(ChatSettings(agents_max=5), key, value), key) == kept


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("agents_max", "0"),
        ("agents_max", "7"),
        ("agents_max", "-1"),
        ("agents_max", "٣"),
        ("agents_max", "9" * 5000),
        ("talkativeness", "nan"),
        ("talkativeness", "1.1"),
        ("talkativeness", "much"),
        ("clarify_below", "-0.1"),
        ("locale", "fr"),
        ("quiet_hours", "25:00-07:00"),
        ("quiet_hours", "07:00-07:00"),
        ("quiet_hours", "night"),
        ("mention_policy", "everyone"),
        ("bound", "false"),
        ("nonsense", "1"),
        ("agents_max", ""),
    ],
)
def test_values_that_do_not_fit_are_refused(key: str, value: str) -> None:
    with pytest.raises(UserError):
        changed(ChatSettings(), key, value)


async def test_a_setting_is_stored_shown_and_answers_in_the_new_language() -> None:
    world = await a_world()
    said = await world.admin.chats.set(world.ann(), "locale", "zh")
    assert said.text.startswith("已保存")
    async with world.storage.read() as unit:
        chat = await unit.chats.get(world.chat.id)
    assert chat is not None
    assert chat.settings.locale is Locale.ZH
    shown = (await world.admin.chats.settings(world.ben())).text
    assert "agents_max = 3 (default)" in shown
    assert "locale = zh" in shown


async def test_two_settings_do_not_undo_each_other() -> None:
    world = await a_world()
    caller = world.ann()  # its copy of the settings grows old
    await world.admin.chats.set(caller, "agents_max", "2")
    said = await world.admin.chats.set(caller, "talkativeness", "0.1")
    assert (said.settings.agents_max, said.settings.talkativeness) == (2, 0.1)


async def test_binding_is_stored() -> None:
    world = await a_world()
    assert not (await world.admin.chats.unbind(world.ann())).settings.bound
    assert (await world.admin.chats.bind(world.ann())).settings.bound
    assert await world.actions() == ["bind", "unbind"]


async def test_the_audit_log_is_readable() -> None:
    world = await a_world()
    await world.admin.agents.add(world.ann(person=Person(id="x", name="A\nB\x1b[0m")), AgentCard(id="", name="Cy"))
    told = (await world.admin.chats.audit(world.ann())).text
    assert "2026-05-01 12:00 A B[0m: agent_add cy Cy" in told
    assert len(told.splitlines()) == 2
