"""Lines that name nobody, platform proof, silence, follow-ups, and who suits best."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from orchestration.decisions import SURE, DecidedBy, IntentKind, RouteDecision
from orchestration.model import ANY_AGENT
from orchestration.routing.decide import route
from orchestration.routing.reasons import REASONS
from orchestration.sessions import Sticky
from orchestration.texts import has
from tests.evaluation.judging import own_cases
from tests.unit.routing_world import CAST, asked, card, decide, line

NOW = datetime(2031, 5, 4, 12, tzinfo=UTC)


def test_a_platform_mention_is_proof() -> None:
    decision = decide("could you look at this", mentions=("theo",))
    assert (decision.agent_ids, decision.decided_by) == (("theo",), DecidedBy.MENTION)
    assert decision.sure


def test_a_mention_in_passing_gives_way_to_the_one_called() -> None:
    decision = decide("I read what @Theo wrote about it. Gus, does it fit the budget?", mentions=("theo",))
    assert decision.agent_ids == ("gus",)


def test_unknown_and_paused_agents_are_never_chosen() -> None:
    cast = (replace(CAST[0], paused=True), *CAST[1:])
    assert "mira" not in decide("Mira, are you there?", cast=cast).agent_ids
    assert decide("hello", mentions=("ghost",)).agent_ids != ("ghost",)
    assert not decide("hello there", cast=()).respond


def test_a_reply_goes_to_its_author_unless_somebody_else_is_named() -> None:
    assert decide("really?", reply="gus").agent_ids == ("gus",)
    assert decide("Theo, is he right?", reply="gus").agent_ids == ("theo",)
    assert decide("really?", reply="gus").decided_by is DecidedBy.REPLY


def test_people_are_left_alone() -> None:
    talk = (line("Lou", "are you joining at three?", 4),)
    assert decide("yes, two minutes late", recent=talk).reason == "between_people"
    assert decide("@Lou done, thanks", recent=talk).reason == "to_person"
    assert not route(replace(asked("sure thing"), reply_to_human=True)).respond


def test_a_person_called_by_name_is_answered_by_that_person() -> None:
    talk = (line("可可", "昨天机票谁订的", 6),)
    assert not decide("小梅给的攻略，我照着订的，可可你自己也存一份", recent=talk).respond


def test_anybody_asked_for_among_people_is_an_open_question() -> None:
    talk = (line("Lou", "you deleted my post", 4), line("Pat", "I did not", 3))
    assert decide("can someone neutral step in please", recent=talk).respond


def test_an_old_talk_is_over() -> None:
    assert decide("how do I cook rice?", recent=(line("Lou", "see you", 70),)).respond


@pytest.mark.parametrize("text", ["?", "……", "👍", "😂😂"])
def test_signs_without_words_go_with_what_was_said_last(text: str) -> None:
    agent = (line("Pat", "Gus, how long?", 3), line("Gus", "Ten minutes.", 2, "gus"))
    assert decide(text, recent=agent).agent_ids == ("gus",)
    assert not decide(text, recent=(line("Lou", "I got the job!", 2),)).respond


def test_a_follow_up_stays_and_a_new_matter_moves_on() -> None:
    recent = (line("Pat", "Gus, which wine goes with fish?", 3), line("Gus", "A dry white.", 2, "gus"))
    assert decide("and a cheaper one?", recent=recent).agent_ids == ("gus",)
    assert decide("by the way, my database migration fails with an error", recent=recent).agent_ids == ("theo",)


def test_the_one_asked_comes_before_the_one_who_interrupted() -> None:
    recent = (
        line("Pat", "Mira, is it odd that I miss him?", 3),
        line("Mira", "Not at all.", 2, "mira"),
        line("Gus", "Have some soup.", 2, "gus"),
    )
    assert decide("so I can write to him?", recent=recent).agent_ids == ("mira",)


def test_what_was_told_is_asked_of_who_heard_it() -> None:
    recent = (
        line("Pat", "Theo, my server is called heron", 20),
        line("Theo", "Noted.", 19, "theo"),
        line("Gus", "Soup is ready.", 3, "gus"),
    )
    decision = decide("what did I say my server is called?", recent=recent)
    assert (decision.agent_ids, decision.intent) == (("theo",), IntentKind.MEMORY_OR_PREFERENCE)


@pytest.mark.parametrize(
    ("text", "agent"),
    [
        ("my query locks the whole table, any idea?", "theo"),
        ("how long do I roast a chicken", "gus"),
        ("办日本签证要准备什么", "mei"),
        ("房东不退押金合法吗", "an"),
        ("I feel so lonely, I cried all night", "mira"),
        ("失恋了，好难过", "mira"),
    ],
)
def test_the_best_suited_answers_what_names_nobody(text: str, agent: str) -> None:
    assert decide(text).agent_ids == (agent,)


def test_sorrow_is_never_answered_by_a_crowd() -> None:
    decision = decide("everyone, my dog died today and I can't stop crying")
    assert decision.agent_ids[0] == "mira"
    assert len(decision.agent_ids) <= 2
    assert decision.intent is IntentKind.EMOTIONAL_SUPPORT


def test_the_session_remembers_whom_a_person_talks_with() -> None:
    stuck = Sticky(agent_id="gus", person_id="Pat", at=NOW - timedelta(minutes=5), topic=("risotto",))
    fresh = replace(asked("and then?"), sticky=(stuck,), now=NOW)
    assert route(fresh).agent_ids == ("gus",)
    late = replace(fresh, now=NOW + timedelta(hours=3))
    assert route(late).reason != "continues"
    somebody_else = replace(fresh, speaker_id="Lou", speaker="Lou")
    assert route(somebody_else).reason != "continues"


def test_a_shared_topic_reaches_over_other_agents() -> None:
    stuck = Sticky(agent_id="gus", person_id="Pat", at=NOW - timedelta(minutes=20), topic=("risotto",))
    recent = (line("Theo", "Deployed.", 4, "theo"),)
    assert route(replace(asked("is the risotto done?", recent=recent), sticky=(stuck,), now=NOW)).agent_ids == ("gus",)


def test_a_doubtful_name_may_become_a_question() -> None:
    doubtful = replace(asked("so Theo already sent that?"), clarify_below=0.99)
    decision = route(doubtful)
    assert decision.clarify
    assert any(c.agent_id == "theo" for c in decision.candidates)


def test_every_reason_has_its_sentence() -> None:
    for locale in ("en", "zh"):
        assert [code for code in REASONS if not has(locale, f"reason_{code}")] == []


def decisions() -> list[RouteDecision]:
    from bot.evaluate import Case

    return [route(Case.model_validate(row).route_input()) for row in own_cases()]


def test_decisions_keep_their_promises_on_all_own_cases() -> None:
    made = decisions()
    for row, decision in zip(own_cases(), made, strict=True):
        known = {c["id"] for c in row["cast"]}
        assert set(decision.agent_ids) <= known
        assert len(set(decision.agent_ids)) == len(decision.agent_ids) <= 3
        assert decision.respond == bool(decision.agent_ids)
        assert 0 <= decision.confidence <= 1
        reasons = {decision.reason, *(c.reason for c in decision.candidates)}
        assert reasons <= set(REASONS)
    assert {d.sure for d in made} == {True, False}
    assert max(d.confidence for d in made) >= SURE


def test_talkativeness_only_breaks_ties() -> None:
    cast = (card("a", "Ada", talkativeness=0.1), card("b", "Bea", talkativeness=0.9))
    assert decide("lovely evening", cast=cast).agent_ids == ("b",)
    assert decide("Ada, lovely evening", cast=cast).agent_ids == ("a",)


TALK = (line("Ann", "Bob, did you finish the report?", 2), line("Bob", "Nearly, Ann, give me an hour.", 1))


def test_whoever_mentions_the_cast_as_a_whole_is_answered_also_between_people() -> None:
    assert not decide("what is a fork bomb?", recent=TALK).respond
    summoned = decide("what is a fork bomb?", recent=TALK, mentions=(ANY_AGENT,))
    assert summoned.respond
    assert summoned.sure
    assert (summoned.decided_by, summoned.reason) == (DecidedBy.MENTION, "mention")


def test_a_mention_of_the_whole_cast_leaves_the_choice_to_the_words() -> None:
    assert decide("Theo, what is a fork bomb?", mentions=(ANY_AGENT,)).agent_ids == ("theo",)
    assert decide("which wine goes with fish?", mentions=(ANY_AGENT,)).agent_ids == ("gus",)
    assert decide("and then?", mentions=(ANY_AGENT,), reply="mei").agent_ids == ("mei",)
    assert len(decide("what do you all think?", mentions=(ANY_AGENT,)).agent_ids) > 1
    assert decide("", mentions=(ANY_AGENT,)).respond


def test_a_mention_of_the_whole_cast_can_hush_it() -> None:
    assert not decide("please be quiet now", mentions=(ANY_AGENT,)).respond


def test_still_there_is_no_german_order_to_be_quiet() -> None:
    for text in ("Gus, still there?", "Gus still here?", "Gus, still cooking tonight?"):
        assert decide(text).agent_ids == ("gus",), text
    for text in ("Gus, still!", "Gus, still bitte", "Gus, sei still"):
        assert not decide(text).respond, text
