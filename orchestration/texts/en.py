"""English. One entry a code, sorted by area; the same codes and placeholders stand in every language."""

from __future__ import annotations

TEXTS: dict[str, str] = {
    # ------------------------------------------------------------------ notices of a turn
    "notice_basic_mode": "Several turns in a row failed, so I keep to one short answer at a time for now. /resume brings everything back.",
    "notice_recovered": "Everything works again: the whole cast is back.",
    "notice_turn_failed": "Sorry, I could not answer that one. Please try again in a moment.",
    # ------------------------------------------------------------------ rights and general refusals
    "not_allowed": "That is for the admins of this group.",
    "not_yours": "Only the person who asked for this reply, or an admin, can do that.",
    "storage_unavailable": "The database is busy just now, nothing was changed. Please try again.",
    # ------------------------------------------------------------------ the cast and its cards
    "agent_changed_meanwhile": 'Somebody else changed "{name}" at the same moment. Please look again and repeat your change.',
    "agent_unknown": 'There is no agent "{name}" here. The cast: {names}.',
    "card_alias_taken": '"{name}" is a name of {holder} already. Choose another alias.',
    "card_aliases_too_many": "An agent may have at most {limit} aliases; these are {count}.",
    "card_avatar_not_url": "The avatar must be a web address that begins with https:// (and has no spaces).",
    "card_emoji": "The face must be one emoji, without spaces.",
    "card_field_too_long": '"{field}" is too long: {length} characters, at most {limit} fit.',
    "card_name_control": "The name holds signs that cannot be shown (line ends or control characters). Use letters, digits, spaces or emoji.",
    "card_name_empty": "An agent needs a name with at least one visible sign.",
    "card_name_taken": 'There is "{name}" already (the agent {holder}). Choose another name, for example "{hint}".',
    "card_name_too_long": "The name is too long: {length} characters, at most {limit} fit.",
    "card_talkativeness": "Talkativeness must be a number from 0 to 1.",
    "cast_full": "This cast has {limit} agents, more cannot be kept. Remove one first.",
    "cast_full_speaking": "{limit} agents speak here already. Pause or remove one first.",
}
