"""What a turn leaves behind for follow-ups: whom a person was answered by, about what, and what is still open."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from orchestration.routing.recall_words import content_of
from orchestration.sessions import Sticky

KEEP: Final = 8
"""People remembered per chat; the longest silent one is forgotten first."""
TOPIC_WORDS: Final = 16
PENDING_CHARS: Final = 160


def next_sticky(
    previous: tuple[Sticky, ...], *, agent_id: str, person_id: str, at: datetime, words: str, reply: str = ""
) -> tuple[Sticky, ...]:
    """The stickies after ``agent_id`` answered ``words`` of a person with ``reply``: one per person, newest last.

    A reply that ends in a question leaves it open (``pending_task``): the next line is likely its answer.
    """
    others = tuple(s for s in previous if s.person_id != person_id)[-(KEEP - 1) :]
    topic = tuple(sorted(content_of(words)))[:TOPIC_WORDS]
    newest = Sticky(agent_id=agent_id, person_id=person_id, at=at, topic=topic, pending_task=_open_question(reply))
    return (*others, newest)


def _open_question(reply: str) -> str:
    """The question a reply ends with, or nothing."""
    last = reply.strip().rstrip("\"'」』”*_~〜 ").rsplit("\n", 1)[-1]
    if not last.endswith(("?", "？", "؟")):
        return ""
    start = max((last[:-1].rfind(mark) for mark in ".!?。！？…;"), default=-1)
    return last[start + 1 :].strip()[:PENDING_CHARS]
