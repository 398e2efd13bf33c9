"""What each speaker of a chat is called inside a prompt, so that nobody can pass for somebody else."""

from __future__ import annotations

from collections.abc import Iterable, Set

from orchestration.card_rules import name_key
from orchestration.model import AgentCard, Locale, Message, Person
from orchestration.prompts import prompt_text
from orchestration.prompts.frame import is_reserved, spoken_name


def speaker_id(message: Message) -> str:
    """The key of a message's speaker in `speaker_names`."""
    return f"agent:{message.agent_id}" if message.agent_id is not None else message.author.id


def speaker_names(
    locale: Locale, cast: Iterable[AgentCard], history: Iterable[Message], people: Iterable[Person]
) -> dict[str, str]:
    """Names by speaker id: agents (also those who left the cast) by their names, and ``people``, of whom one whose
    name is taken (by an agent, by a mark of ours, by another person) is told apart from the holder.
    """
    cards = tuple(cast)
    called = {f"agent:{card.id}": spoken_name(card.name, locale) for card in cards}
    for message in history:
        if message.agent_id is not None:
            called.setdefault(speaker_id(message), spoken_name(message.author.name, locale))
    taken = {name_key(name) for name in called.values()}
    taken |= {name_key(alias) for card in cards for alias in card.aliases}
    for person in people:
        if person.id not in called:
            called[person.id] = _free(spoken_name(person.name, locale), taken, locale)
            taken.add(name_key(called[person.id]))
    return called


def _free(name: str, taken: Set[str], locale: Locale) -> str:
    if name_key(name) not in taken and not is_reserved(name):
        return name
    base = prompt_text(locale, "person", name=name)
    made, count = base, 1
    while name_key(made) in taken:
        count += 1
        made = f"{base} {count}"
    return made
