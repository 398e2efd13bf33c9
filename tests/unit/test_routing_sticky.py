"""What a turn leaves behind for follow-ups."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from orchestration.routing.sticky import KEEP, TOPIC_WORDS, next_sticky

AT = datetime(2031, 5, 4, 12, tzinfo=UTC)


def test_one_person_has_one_and_the_newest_stands_last() -> None:
    first = next_sticky((), agent_id="gus", person_id="p1", at=AT, words="a risotto with mushrooms")
    second = next_sticky(first, agent_id="theo", person_id="p2", at=AT, words="my server")
    third = next_sticky(second, agent_id="mira", person_id="p1", at=AT, words="I feel low")
    assert [(s.person_id, s.agent_id) for s in third] == [("p2", "theo"), ("p1", "mira")]


def test_the_longest_silent_person_is_forgotten() -> None:
    sticky: tuple = ()
    for n in range(KEEP + 3):
        sticky = next_sticky(sticky, agent_id="gus", person_id=f"p{n}", at=AT, words="")
    assert [s.person_id for s in sticky] == [f"p{n}" for n in range(3, KEEP + 3)]


def test_topic_words_are_few_and_of_every_script() -> None:
    (newest,) = next_sticky((), agent_id="a", person_id="p", at=AT, words="risotto 护照到期 노트북 " * 40)
    assert {"risotto", "护照", "노트북"} <= set(newest.topic)
    (long,) = next_sticky((), agent_id="a", person_id="p", at=AT, words=" ".join(f"word{n}" for n in range(99)))
    assert len(long.topic) == TOPIC_WORDS


@pytest.mark.parametrize(
    ("reply", "pending"),
    [
        ("Done. Shall I go on?", "Shall I go on?"),
        ("好的。要不要我列个清单？", "要不要我列个清单？"),
        ("Was it hard? It will pass.", ""),
        ("", ""),
    ],
)
def test_a_question_at_the_end_of_a_reply_stays_open(reply: str, pending: str) -> None:
    (newest,) = next_sticky((), agent_id="a", person_id="p", at=AT, words="x", reply=reply)
    assert newest.pending_task == pending
