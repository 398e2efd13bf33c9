"""To whom something was told before: the recent line that shares most with a question about it."""

from __future__ import annotations

from orchestration.routing.evidence import Evidence
from orchestration.routing.languages import cues, topics
from orchestration.routing.recall_words import content_of
from orchestration.routing.talk import names_in
from orchestration.routing.text import key
from orchestration.routing.words import Hits, words_of


def told_to(e: Evidence) -> str | None:
    """The agent that heard what the message asks for: named in the line, or the first to speak after it.

    A line that shares a word with the question counts, else one that was to be remembered, else one that told
    something.
    """
    asked = content_of(e.inputs.text)
    asked_topics = set(topics().scan(e.words).by_tag)
    best, best_score = None, 0.0
    lines = e.inputs.recent
    for i, line in enumerate(lines):
        if line.agent_id is not None or not _own(line.speaker, line.speaker_id, e):
            continue
        words = words_of(key(line.text))
        shared = len(asked & content_of(line.text)) + 0.4 * len(asked_topics & set(topics().scan(words).by_tag))
        kept = 0.0 if shared else _kept(cues().scan(words))
        score = shared + kept + 0.01 * i
        heard = _heard_by(e, i)
        if heard and shared + kept > 0 and score > best_score:
            best, best_score = heard, score
    return best


def _kept(hits: Hits) -> float:
    """How likely a line was said to be remembered."""
    return 0.2 if hits.has("keep") else 0.0 if hits.has("ask") else 0.1


def _own(speaker: str, speaker_id: str, e: Evidence) -> bool:
    return speaker_id == e.inputs.speaker_id or speaker == e.inputs.speaker


def _heard_by(e: Evidence, i: int) -> str | None:
    named = names_in(e.inputs.recent[i].text, e.cast)
    if named:
        return named[0]
    following = e.inputs.recent[i + 1 :]
    return next((line.agent_id for line in following if line.agent_id in e.known), None)
