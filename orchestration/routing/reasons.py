"""The reason codes of routing. Each has a sentence ``reason_<code>`` in every language of `orchestration.texts`."""

from __future__ import annotations

from typing import Final

REASONS: Final = (
    "mention",
    "reply_to_agent",
    "no_agents",
    "nobody_left",
    "name_called",
    "name_asked",
    "name_about",
    "name_refused",
    "name_hushed",
    "name_misspelt",
    "name_either",
    "name_and_rest",
    "names",
    "names_in_order",
    "crowd_all",
    "crowd_two",
    "crowd_each",
    "crowd_debate",
    "who_of_you",
    "feelings",
    "quarrel",
    "hushed",
    "to_person",
    "reply_to_person",
    "between_people",
    "wordless",
    "told_before",
    "continues",
    "best_suited",
)
