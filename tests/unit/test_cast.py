"""The cast of a tenant: names compared in one way, starters overlaid, every change checked and written down."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestration.card_rules import FIELD_LIMITS, checked, clean_name, clean_text, free_slug, name_key, slug
from orchestration.cast import MAX_CARDS, Casts, called, find, overlay
from orchestration.errors import UserError
from orchestration.model import AgentCard, AuditEntry, Person
from storage.memory import MemoryStorage

ANN = Person(id="console:Ann", name="Ann")
ADA = AgentCard(id="ada", name="Ada", aliases=("小艾",))
BOB = AgentCard(id="bob", name="Bob")


class Watch:
    """A clock that only moves when it is told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now


class Desk:
    """One tenant and its cast over a fresh storage."""

    def __init__(self, starters: tuple[AgentCard, ...] = (ADA, BOB)) -> None:
        self.storage = MemoryStorage()
        self.clock = Watch()
        self.casts = Casts(self.storage, starters, clock=self.clock)
        self.tenant = 0

    async def open(self) -> Desk:
        async with self.storage.begin() as unit:
            self.tenant = await unit.chats.tenant_of("console", "here", at=self.clock())
        return self

    async def names(self) -> list[str]:
        return [card.name for card in await self.casts.of(self.tenant)]

    async def audit(self) -> list[AuditEntry]:
        async with self.storage.read() as unit:
            return await unit.audit.newest(self.tenant)


async def a_desk(starters: tuple[AgentCard, ...] = (ADA, BOB)) -> Desk:
    return await Desk(starters).open()


def card(name: str, **fields: str) -> AgentCard:
    return replace(AgentCard(id="", name=name), **fields)  # type: ignore[arg-type]


# ---------------------------------------------------------------------------------------------- names


@pytest.mark.parametrize(
    ("name", "made"),
    [
        ("Ada", "ada"),
        ("  Ada   Lovelace ", "ada-lovelace"),
        ("ＡＤＡ", "ada"),
        ("小艾", "小艾"),
        ("Ada 🦊 Fox!", "ada-fox"),
        ("ÉMILE", "émile"),
        ("Straße", "strasse"),
        ("สมชาย", "สมชาย"),
        ("../../etc", "etc"),
        ("a:b", "a-b"),
    ],
)
def test_slugs_are_readable_in_every_script(name: str, made: str) -> None:
    assert slug(name) == made


def test_a_name_without_letters_has_a_stable_slug() -> None:
    assert slug("🦊") == slug(" 🦊 ") != slug("🐻")
    assert slug("🦊").startswith("agent-")
    assert slug("❤️") == slug("❤")


@given(st.text(max_size=200))
def test_a_slug_is_short_never_empty_and_safe_in_ids(name: str) -> None:
    made = slug(name)
    assert 0 < len(made) <= 40
    assert not set(made) & set(": /\\.\n\0@#")
    assert slug(made) == made


def test_a_taken_slug_gets_a_number() -> None:
    assert free_slug("Ada!", {"ada", "ada-2"}) == "ada-3"


@pytest.mark.parametrize("twin", ["ada", "ＡＤＡ", " ada ", "A\u200bda", "ADA"])
def test_names_that_look_the_same_are_the_same(twin: str) -> None:
    assert name_key(twin) == name_key("Ada")


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("", "card_name_empty"),
        ("   ", "card_name_empty"),
        ("\u200b\u200d\ufeff", "card_name_empty"),
        ("A\x00da", "card_name_control"),
        ("A\nda", "card_name_control"),
        ("A\ud800", "card_name_control"),
        ("x" * 81, "card_name_too_long"),
    ],
)
def test_names_nobody_can_read_are_refused(name: str, code: str) -> None:
    with pytest.raises(UserError) as refused:
        clean_name(name)
    assert refused.value.code == code


@pytest.mark.parametrize(
    "name", ["Clyde", "everyone", "here", "Discord Helper", "👩‍🚀", "{{char}}", "A{x}", "مريم", "x" * 80]
)
def test_odd_but_readable_names_stay_as_they_are(name: str) -> None:
    assert clean_name(name) == name


def test_a_name_cannot_turn_the_reading_direction() -> None:
    assert clean_name("Ada\u202e") == "Ada"


def test_texts_keep_everything_but_control_signs() -> None:
    assert clean_text("a\x00b\ud800c\r\n{{char}} {x} ```\t终") == "abc\n{{char}} {x} ```\t终"


# ---------------------------------------------------------------------------------------------- cards


@pytest.mark.parametrize("field", sorted(FIELD_LIMITS))
def test_a_field_beyond_its_limit_is_named(field: str) -> None:
    with pytest.raises(UserError) as refused:
        checked(card("Ada", **{field: "x" * (FIELD_LIMITS[field] + 1)}))
    assert refused.value.code == "card_field_too_long"
    assert refused.value.values["field"] == field


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"avatar": "javascript:alert(1)"}, "card_avatar_not_url"),
        ({"avatar": "https://x y"}, "card_avatar_not_url"),
        ({"emoji": "a b"}, "card_emoji"),
        ({"talkativeness": 1.5}, "card_talkativeness"),
        ({"talkativeness": float("nan")}, "card_talkativeness"),
        ({"aliases": tuple(f"a{n}" for n in range(13))}, "card_aliases_too_many"),
        ({"aliases": ("ok", "\x07")}, "card_name_control"),
    ],
)
def test_wrong_fields_are_refused(fields: dict[str, object], code: str) -> None:
    with pytest.raises(UserError) as refused:
        checked(replace(card("Ada"), **fields))  # type: ignore[arg-type]
    assert refused.value.code == code


def test_aliases_lose_blanks_and_repeats() -> None:
    assert checked(replace(card("Ada"), aliases=("ada", " ", "Addy", "ADDY"))).aliases == ("Addy",)


# ---------------------------------------------------------------------------------------------- overlay


def test_own_cards_lie_over_starters_and_removed_ones_are_gone() -> None:
    own = (replace(BOB, tone="dry", version=2), AgentCard(id="cy", name="Cy"))
    laid = overlay((ADA, BOB), own, frozenset({"ada"}))
    assert [(c.id, c.tone, c.starter) for c in laid] == [("bob", "dry", True), ("cy", "", False)]


def test_a_starter_that_came_later_yields_to_the_tenants_names() -> None:
    laid = overlay((ADA, BOB), (AgentCard(id="x", name="小艾"), AgentCard(id="y", name="BOB")))
    assert [(c.id, c.aliases) for c in laid] == [("ada", ()), ("x", ()), ("y", ())]


def test_an_id_finds_its_agent_first_and_a_name_whoever_bears_it() -> None:
    cast = (AgentCard(id="ada", name="Bob"), AgentCard(id="ada-2", name="Ada", aliases=("Addy",)))

    def ids(*found: AgentCard | None) -> list[str | None]:
        return [None if card is None else card.id for card in found]

    assert ids(find(cast, "ada"), find(cast, "Ada"), find(cast, "ＡＤＤＹ"), find(cast, "z")) == [
        "ada",
        "ada-2",
        "ada-2",
        None,
    ]
    assert ids(called(cast, "ada"), called(cast, "ada-2"), called(cast, "bob")) == ["ada-2", "ada-2", "ada"]


# ---------------------------------------------------------------------------------------------- changes


async def test_a_new_agent_joins_at_once_and_is_written_down() -> None:
    desk = await a_desk()
    added = await desk.casts.add(desk.tenant, card("Cy", description="calm"), actor=ANN, chat_id=None)
    assert (added.id, added.version) == ("cy", 1)
    assert await desk.names() == ["Ada", "Bob", "Cy"]
    assert desk.casts.names(desk.tenant) == ("Ada", "Bob", "Cy")
    entry = (await desk.audit())[0]
    assert (entry.action, entry.target, entry.actor) == ("agent_add", "cy", ANN)


async def test_names_are_at_hand_before_anything_was_read() -> None:
    desk = await a_desk()
    assert desk.casts.names(desk.tenant) == ("Ada", "Bob")


@pytest.mark.parametrize(
    ("name", "alias", "code"),
    [("ＡＤＡ", "", "card_name_taken"), ("小艾", "", "card_name_taken"), ("Cy", "bob", "card_alias_taken")],
)
async def test_a_taken_name_is_refused_with_a_hint(name: str, alias: str, code: str) -> None:
    desk = await a_desk()
    with pytest.raises(UserError) as refused:
        await desk.casts.add(desk.tenant, replace(card(name), aliases=(alias,)), actor=ANN)
    assert refused.value.code == code
    assert refused.value.values["holder"] in ("Ada", "Bob")
    assert await desk.names() == ["Ada", "Bob"]
    assert await desk.audit() == []


async def test_the_hint_is_a_free_name() -> None:
    desk = await a_desk()
    await desk.casts.add(desk.tenant, card("Ada 2"), actor=ANN)
    with pytest.raises(UserError) as refused:
        await desk.casts.add(desk.tenant, card("Ada"), actor=ANN)
    assert refused.value.values["hint"] == "Ada 3"


async def test_names_with_one_slug_are_two_agents() -> None:
    desk = await a_desk()
    assert (await desk.casts.add(desk.tenant, card("Ada!"), actor=ANN)).id == "ada-2"


async def test_eight_speak_and_a_ninth_is_refused_until_one_is_silent() -> None:
    desk = await a_desk()
    for n in range(6):
        await desk.casts.add(desk.tenant, card(f"N{n}"), actor=ANN)
    with pytest.raises(UserError) as refused:
        await desk.casts.add(desk.tenant, card("Ninth"), actor=ANN)
    assert refused.value.code == "cast_full_speaking"
    await desk.casts.pause(desk.tenant, "ada", paused=True, actor=ANN)
    await desk.casts.add(desk.tenant, card("Ninth"), actor=ANN)
    assert len(await desk.casts.speaking(desk.tenant)) == 8
    with pytest.raises(UserError):
        await desk.casts.pause(desk.tenant, "ada", paused=False, actor=ANN)


async def test_a_grown_configuration_never_makes_more_than_eight_speak() -> None:
    desk = await a_desk(tuple(AgentCard(id=f"s{n}", name=f"S{n}") for n in range(8)))
    async with desk.storage.begin() as unit:
        await unit.agents.save(desk.tenant, AgentCard(id="own", name="Own", version=0), at=desk.clock())
    speaking = await desk.casts.speaking(desk.tenant)
    assert [c.name for c in speaking] == ["S0", "S1", "S2", "S3", "S4", "S5", "S6", "Own"]


async def test_a_cast_cannot_grow_without_end() -> None:
    desk = await a_desk(())
    async with desk.storage.begin() as unit:
        for n in range(MAX_CARDS):
            own = AgentCard(id=f"n{n}", name=f"N{n}", paused=True, version=0)
            await unit.agents.save(desk.tenant, own, at=desk.clock())
    with pytest.raises(UserError) as refused:
        await desk.casts.add(desk.tenant, replace(card("More"), paused=True), actor=ANN)
    assert refused.value.code == "cast_full"


async def test_editing_a_starter_changes_this_tenant_only() -> None:
    desk = await a_desk()
    async with desk.storage.begin() as unit:
        other = await unit.chats.tenant_of("console", "elsewhere", at=desk.clock())
    edited = await desk.casts.edit(
        desk.tenant, "小艾", lambda c: replace(c, name="Ada Two", tone="dry"), actor=ANN, chat_id=None
    )
    assert (edited.id, edited.version, edited.starter) == ("ada", 1, True)
    assert await desk.names() == ["Ada Two", "Bob"]
    assert [c.name for c in await desk.casts.of(other)] == ["Ada", "Bob"]
    assert (await desk.audit())[0].detail == "name, tone"


async def test_versions_grow_and_an_old_view_is_refused() -> None:
    desk = await a_desk()
    await desk.casts.edit(desk.tenant, "bob", lambda c: replace(c, tone="dry"), actor=ANN)
    second = await desk.casts.edit(desk.tenant, "bob", lambda c: replace(c, tone="wry"), actor=ANN, if_version=1)
    assert second.version == 2
    with pytest.raises(UserError) as refused:
        await desk.casts.edit(desk.tenant, "bob", lambda c: replace(c, tone="x"), actor=ANN, if_version=1)
    assert refused.value.code == "agent_changed_meanwhile"


async def test_a_removed_agent_is_gone_and_may_come_back_under_its_id() -> None:
    desk = await a_desk()
    await desk.casts.remove(desk.tenant, "Bob", actor=ANN)
    assert await desk.names() == ["Ada"]
    with pytest.raises(UserError) as refused:
        await desk.casts.remove(desk.tenant, "Bob", actor=ANN)
    assert refused.value.code == "agent_unknown"
    back = await desk.casts.add(desk.tenant, card("Bob", tone="new"), actor=ANN)
    assert back.id == "bob"
    assert [c.tone for c in await desk.casts.of(desk.tenant)] == ["", "new"]


async def test_a_paused_agent_is_in_the_cast_but_does_not_speak() -> None:
    desk = await a_desk()
    await desk.casts.pause(desk.tenant, "ada", paused=True, actor=ANN)
    assert [(c.id, c.paused) for c in await desk.casts.of(desk.tenant)] == [("ada", True), ("bob", False)]
    assert [c.id for c in await desk.casts.speaking(desk.tenant)] == ["bob"]
    assert [e.action for e in await desk.audit()] == ["agent_pause"]


async def test_a_change_by_another_process_is_seen_after_a_moment() -> None:
    desk = await a_desk()
    elsewhere = Casts(desk.storage, (ADA, BOB), clock=desk.clock)
    assert len(await desk.casts.of(desk.tenant)) == 2
    await elsewhere.add(desk.tenant, card("Cy"), actor=ANN)
    assert len(await desk.casts.of(desk.tenant)) == 2
    desk.clock.now += timedelta(seconds=3)
    assert len(await desk.casts.of(desk.tenant)) == 3


async def test_an_unknown_agent_is_refused_with_the_names_there_are() -> None:
    desk = await a_desk()
    assert await desk.casts.get(desk.tenant, "nobody") is None
    with pytest.raises(UserError) as refused:
        await desk.casts.require(desk.tenant, "nobody")
    assert refused.value.values["names"] == "Ada, Bob"
