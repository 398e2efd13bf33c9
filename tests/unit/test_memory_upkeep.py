"""Merging, fading, ranking, relationships and quiet hours: pure decisions about what is kept and recalled."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest

from orchestration.memory.decay import MOST_PER_OWNER, faded, strength
from orchestration.memory.merging import MAX_SOURCES, contradicts, says_the_same, settled
from orchestration.memory.ranking import best
from orchestration.memory.records import MemoryKind, Relationship, Stage
from orchestration.memory.relationship import after, current_warmth, eager, stage, warmth_of
from orchestration.memory.terms import alike, names_in, numbers, sentences, terms
from orchestration.model import AgentCard, Source
from orchestration.upkeep.compaction import block_end
from orchestration.upkeep.hours import is_quiet, within
from orchestration.upkeep.tidying import tidied
from tests.unit.memory_world import ANN, NOW, memory

# ------------------------------------------------------------------------------------------ terms


def test_terms_of_every_script() -> None:
    assert terms("The Dogs are barking") == {"dog", "bark"}
    assert "花生" in terms("我对花生过敏")
    assert terms("") == terms("the a of") == frozenset()
    assert alike(terms("loves oolong tea"), terms("love the oolong teas")) == 1.0


def test_numbers_are_the_same_however_written() -> None:
    assert numbers("1,200 € at 8:30, ３ times") == {"1200", "8:30", "3"}


def test_names_are_whole_words() -> None:
    assert names_in("Annabelle met Ben's dog", ["Ann", "Ben"]) == {"Ben"}
    assert names_in("小林说她来", ["小林"]) == {"小林"}
    assert names_in("anything", [""]) == frozenset()


def test_sentences_of_mixed_text() -> None:
    assert sentences("I like tea. Costs 3.5 euros! 我来。你呢？\nok") == [
        "I like tea.",
        "Costs 3.5 euros!",
        "我来。",
        "你呢？",
        "ok",
    ]


# ------------------------------------------------------------------------------------------ merging


def test_the_same_said_again_strengthens_and_keeps_both_sources() -> None:
    old = memory("old", "loves oolong tea", seq=1)
    done = settled(memory("new", "really loves oolong tea", seq=9, importance=7), [old])
    assert (done.is_new, done.superseded, done.kept.id) == (False, (), "old")
    assert done.kept.source_seqs == (1, 9)
    assert (done.kept.importance, done.kept.text) == (7, "really loves oolong tea")
    assert done.kept.confidence > old.confidence


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("likes coriander", "does not like coriander any more"),
        ("喜欢香菜", "不喜欢香菜"),
        ("lives in Lisbon", "moved to Berlin"),
        ("我住在杭州", "我搬到了北京"),
        ("birthday is on 3 May", "birthday is on 4 May"),
        ("my favourite colour is green", "my favourite colour is blue"),
        ("budget is 300", "budget is 500"),
    ],
)
def test_a_contradiction_supersedes_and_both_sources_are_kept(old: str, new: str) -> None:
    before = memory("old", old, seq=1, importance=8)
    done = settled(memory("new", new, seq=9), [before])
    assert done.is_new
    assert [m.superseded_by for m in done.superseded] == ["new"]
    assert done.kept.source_seqs == (1, 9)
    assert done.kept.importance == 8


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("likes tea", "likes coffee"),
        ("has two cats", "has a dog"),
        ("my favourite colour is green", "my favourite city is Rome"),
        ("喜欢乌龙茶", "喜欢爬山"),
        ("meets on Friday at 8", "meets on Friday at 9"),
    ],
)
def test_different_things_stand_side_by_side(one: str, other: str) -> None:
    assert not says_the_same(one, other)
    assert not contradicts(memory("n", other), memory("o", one))
    assert settled(memory("n", other), [memory("o", one)]).is_new


def test_memories_of_other_owners_are_never_touched() -> None:
    mine = memory("new", "moved to Berlin")
    for change in ({"agent_id": "mira"}, {"person_id": "room:Ben"}, {"subject_id": "room:Ben"}, {"chat_id": 2}):
        done = settled(mine, [replace(memory("old", "lives in Lisbon"), **change)], ["old"])  # type: ignore[arg-type]
        assert (done.is_new, done.superseded) == (True, ())


def test_sources_stay_bounded() -> None:
    many = tuple(Source(seq=n) for n in range(1, 40))
    done = settled(memory("n", "loves oolong tea", seq=99), [memory("o", "loves oolong tea", sources=many)])
    assert len(done.kept.sources) == MAX_SOURCES
    assert done.kept.source_seqs[-1] == 99


# ------------------------------------------------------------------------------------------ fading


def test_memories_fade_by_kind_and_never_a_boundary() -> None:
    year = NOW + timedelta(days=365)
    kinds = [MemoryKind.EVENT, MemoryKind.PREFERENCE, MemoryKind.FACT, MemoryKind.BOUNDARY]
    left = [strength(memory("m", "x", kind=kind), year) for kind in kinds]
    assert left == sorted(left)
    assert left[-1] == 1.0
    assert faded([memory("m", "x", kind=k) for k in kinds[:1]], year) == ["m"]
    assert strength(memory("m", "x", used_at=year), year) == 0.6
    important, trifle = memory("i", "x", importance=10), memory("t", "x", importance=0)
    assert strength(important, year) > strength(trifle, year)


def test_the_weakest_go_when_an_owner_has_too_many() -> None:
    many = [memory(f"m{n:03}", f"fact {n}", importance=1 + (n % 9)) for n in range(MOST_PER_OWNER + 5)]
    gone = faded(many, NOW)
    assert len(gone) == 5
    assert {m.importance for m in many if m.id in gone} == {1}


def test_superseded_ones_stay_a_while() -> None:
    old = memory("o", "x", superseded_by="n")
    assert faded([old], NOW + timedelta(days=20)) == []
    assert faded([old], NOW + timedelta(days=40)) == ["o"]


def test_tidying_joins_what_came_to_say_the_same_within_one_owner() -> None:
    mine = [memory("a", "loves oolong tea", seq=1), memory("b", "loves the oolong teas", seq=5)]
    other = memory("c", "loves oolong tea", agent_id="mira", seq=1)
    gone, joined = tidied([*mine, other, memory("old", "x", kind=MemoryKind.EVENT)], NOW + timedelta(days=400))
    assert gone == {"old"}
    ((kept, others),) = joined
    assert (kept.id, kept.source_seqs, others) == ("a", (1, 5), ["b"])


# ------------------------------------------------------------------------------------------ ranking


def test_the_relevant_ones_come_first_and_boundaries_are_always_near() -> None:
    kept = [memory(f"m{n}", f"likes film number {n}", importance=5) for n in range(20)]
    kept += [memory("tea", "drinks oolong tea", importance=3)]
    kept += [memory("no", "must not be called Annie", kind=MemoryKind.BOUNDARY, importance=9)]
    found = [m.id for m in best(kept, "which tea should I buy?", NOW)]
    assert found[0] == "tea"
    assert "no" in found
    assert len(found) == 6
    assert best([], "tea", NOW) == []


def test_meaning_helps_where_words_differ() -> None:
    kept = [memory(f"m{n}", f"likes film number {n}", importance=6) for n in range(20)]
    kept.append(memory("notary", "is a notary", importance=5))
    near = {m.id: 0.78 for m in kept} | {"notary": 0.84}
    assert best(kept, "who certifies a signature?", NOW, nearness=near)[0].id == "notary"
    assert "notary" not in [m.id for m in best(kept, "who certifies a signature?", NOW)]


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("has a cat called Pixel", "what is my pet called?"),
        ("rides a Ducati", "which motorcycle is mine?"),
        ("eats no animal products", "what can I cook for you?"),
        ("has a driving test on the 14th of May", "when is my exam?"),
        ("对花粉过敏", "why do I sneeze?"),
        ("plays the cello", "我会什么乐器?"),
        ("欠小林六十块", "how much debt do I have?"),
    ],
)
def test_words_of_one_field_of_life_find_each_other(told: str, asked: str) -> None:
    kept = [memory(f"m{n}", f"thinks highly of number {n}", importance=6) for n in range(20)]
    assert best([*kept, memory("it", told, importance=4)], asked, NOW)[0].id == "it"


# ------------------------------------------------------------------------------------------ relationships


def known(exchanges: int = 0, warmth: float = 0.0) -> Relationship:
    return Relationship(agent_id="nova", person_id=ANN.id, exchanges=exchanges, warmth=warmth, updated_at=NOW)


def test_stages_come_from_how_people_talk() -> None:
    assert stage(None, NOW) is Stage.NEW
    warm = cold = quiet = known()
    for _ in range(25):
        warm = after(warm, ["thank you, you're the best"], NOW)
        quiet = after(quiet, ["what time is it"], NOW)
    for _ in range(3):
        cold = after(cold, ["shut up, stupid bot"], NOW)
    assert (stage(warm, NOW), stage(quiet, NOW), stage(cold, NOW)) == (Stage.CLOSE, Stage.FAMILIAR, Stage.STRAINED)
    assert stage(cold, NOW + timedelta(days=60)) is Stage.NEW
    assert abs(current_warmth(warm, NOW + timedelta(days=14)) - warm.warmth / 2) < 1e-9


@pytest.mark.parametrize(("words", "tone"), [("谢谢你！", 1), ("闭嘴吧", -1), ("thanks, but shut up", 0), ("", 0)])
def test_tone_of_words(words: str, tone: int) -> None:
    assert warmth_of(words) == tone


def test_a_stage_moves_how_readily_an_agent_joins_in() -> None:
    card = AgentCard(id="nova", name="Nova", talkativeness=0.5)
    assert eager(card, Stage.STRAINED).talkativeness < 0.5 < eager(card, Stage.CLOSE).talkativeness
    assert eager(card, Stage.NEW) is card
    assert eager(replace(card, talkativeness=0.0), Stage.STRAINED).talkativeness == 0.0


# ------------------------------------------------------------------------------------------ when and how much


@pytest.mark.parametrize(
    ("cursor", "last", "quiet", "end"),
    [
        (0, 10, False, None),
        (0, 39, False, None),
        (0, 40, False, 20),
        (20, 59, False, None),
        (20, 60, False, 40),
        (0, 55, False, 20),
        (0, 100_000, False, 100),
        (0, 24, True, None),
        (0, 25, True, 5),
        (0, 39, True, 19),
    ],
)
def test_the_window_drops_a_step_at_once_and_keeps_a_step(cursor: int, last: int, quiet: bool, end: int | None) -> None:
    assert block_end(cursor, last, quiet=quiet) == end


def test_quiet_hours() -> None:
    late, noon = NOW.replace(hour=23), NOW.replace(hour=12)
    assert within("22:00-07:00", late)
    assert not within("22:00-07:00", noon)
    assert within("11:30-13:00", noon)
    assert not within("nonsense", noon)
    assert is_quiet("", None, NOW.replace(hour=3))
    assert not is_quiet("22:00-07:00", noon, noon)
    assert is_quiet("22:00-07:00", noon - timedelta(hours=4), noon)
