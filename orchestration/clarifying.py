"""One short question when nobody knows who is meant, and how its answer is read."""

from __future__ import annotations

import unicodedata

from orchestration.decisions import Candidate
from orchestration.model import AgentCard, Choice, Locale
from orchestration.texts import text

MAX_CHOICES = 4


def choices_for(candidates: tuple[Candidate, ...], cast: tuple[AgentCard, ...], locale: Locale) -> tuple[Choice, ...]:
    """The likeliest agents as choices, plus "all of them" when there are two or three."""
    cards = {card.id: card for card in cast}
    known = [c for c in sorted(candidates, key=lambda c: -c.score) if c.agent_id in cards][:MAX_CHOICES]
    if not known:
        known = [Candidate(agent_id=card.id, score=0.0, reason="cast") for card in cast[:MAX_CHOICES]]
    choices = [
        Choice(id=f"c{number}", label=cards[c.agent_id].name, agent_ids=(c.agent_id,))
        for number, c in enumerate(known, start=1)
    ]
    if 2 <= len(choices) <= 3:
        everyone = tuple(c.agent_id for c in known)
        choices.append(Choice(id=f"c{len(choices) + 1}", label=text(locale, "clarify_all"), agent_ids=everyone))
    return tuple(choices)


def answer_to(choices: tuple[Choice, ...], words: str, cast: tuple[AgentCard, ...]) -> Choice | None:
    """The choice a person means by a number, a label or an agent's name or alias; None: it is something else."""
    said = _folded(words).strip(" @.。,，!！?？")
    if not said or len(said) > 80:
        return None
    for number, choice in enumerate(choices, start=1):
        if said in {str(number), choice.id, _folded(choice.label)}:
            return choice
    cards = {card.id: card for card in cast}
    for choice in choices:
        card = cards.get(choice.agent_ids[0]) if len(choice.agent_ids) == 1 else None
        if card is not None and said in {_folded(name) for name in (card.name, *card.aliases)}:
            return choice
    return None


def _folded(words: str) -> str:
    return unicodedata.normalize("NFKC", words).casefold().strip()
