"""Whether a draft is good enough: rules first, a model only where a rule smells a risk. Verdicts are codes.

`check_rules` costs no call. `risk` says whether a model should look before posting; `checker_prompt`, `CheckerVerdict`
and `accept_revision` are that look. A revision replaces a draft only when it is non-empty, clean and better; nothing
here ever blocks a turn.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field, model_validator

from orchestration.context import card_text
from orchestration.decisions import IntentKind, Quality
from orchestration.draft_faults import (
    breaks_boundary,
    is_echo,
    is_long,
    is_mismatch,
    is_other_language,
    is_preaching,
)
from orchestration.leaks import talks_of_prompt
from orchestration.model import AgentCard, Locale
from orchestration.ports import PromptMessage
from orchestration.prompts import prompt_text
from orchestration.prompts.frame import excerpt, framed, speech, spoken_name
from orchestration.voice import (
    CLAIMS_HUMAN,
    EMPTY,
    ERROR_TEXT,
    METADATA,
    NAME_PREFIX,
    OTHER_VOICE,
    PROMPT_LEAK,
    REPETITION,
    SILENCE,
    TOO_LONG,
    clean,
)

BOUNDARY = "boundary"
ECHO = "echo"
LANGUAGE = "language"
MISMATCH = "mismatch"
PARROT = "parrot"
PREACHING = "preaching"
PROMPT_TALK = "prompt_talk"

BLOCKING = frozenset({EMPTY, PROMPT_LEAK, ERROR_TEXT})
"""With one of these nothing is posted."""
RISKY = frozenset({BOUNDARY, CLAIMS_HUMAN, MISMATCH, PREACHING, PROMPT_TALK})
"""With one of these a model looks before the draft is posted, where there is a checker."""
_COST = {
    BOUNDARY: 0.2,
    CLAIMS_HUMAN: 0.3,
    ECHO: 0.3,
    LANGUAGE: 0.3,
    METADATA: 0.02,
    MISMATCH: 0.3,
    NAME_PREFIX: 0.02,
    OTHER_VOICE: 0.15,
    PARROT: 0.2,
    PREACHING: 0.25,
    PROMPT_TALK: 0.25,
    REPETITION: 0.15,
    SILENCE: 0.05,
    TOO_LONG: 0.15,
}
CHECKER_CODES = (PROMPT_LEAK, CLAIMS_HUMAN, OTHER_VOICE, BOUNDARY, PREACHING, ECHO, MISMATCH, TOO_LONG)
MAX_GROWTH = 400
"""Characters by which a revision may be longer than twice its draft."""
_ASKED_TOKENS = 300
_DRAFT_TOKENS = 1500


def check_rules(
    text: str,
    *,
    agent: AgentCard,
    intent: IntentKind = IntentKind.UNKNOWN,
    issues: Iterable[str] = (),
    words: str = "",
    drafts: Iterable[str] = (),
) -> Quality:
    """The verdict of the rules on a cleaned draft. ``issues`` are those of `voice.clean`, ``drafts`` the texts other
    agents have said in this turn. Not approved only with a BLOCKING issue.
    """
    found = list(issues)
    if not text.strip():
        found.append(EMPTY)
    else:
        tests = {
            TOO_LONG: is_long(text, intent),
            PREACHING: is_preaching(text),
            MISMATCH: is_mismatch(text, intent),
            BOUNDARY: breaks_boundary(text, agent.boundaries),
            PROMPT_TALK: talks_of_prompt(text),
            LANGUAGE: is_other_language(text, words),
            PARROT: is_echo(text, [words]),
            ECHO: is_echo(text, drafts),
        }
        found += [code for code, holds in tests.items() if holds]
    codes = tuple(dict.fromkeys(found))
    blocked = not BLOCKING.isdisjoint(codes)
    score = 0.0 if blocked else max(0.0, 1.0 - sum(_COST.get(code, 0.1) for code in codes))
    return Quality(approved=not blocked, score=round(score, 2), issues=codes)


def risk(quality: Quality) -> bool:
    """Whether a model should look at the draft before it is posted."""
    return quality.approved and not RISKY.isdisjoint(quality.issues)


# ---------------------------------------------------------------------------------------------- the model's look


class CheckerVerdict(BaseModel):
    """Verdict on the draft."""

    # The docstring travels in the schema, so it is short. ``score`` is 0..1, ``issues`` are CHECKER_CODES only,
    # ``better`` is a whole new message or empty.

    model_config = ConfigDict(extra="ignore")

    ok: bool = True
    score: float = 0.7
    issues: list[str] = Field(default_factory=list)
    better: str = ""

    @model_validator(mode="before")
    @classmethod
    def _tolerate(cls, data: object) -> object:
        if not isinstance(data, Mapping):
            return data
        said = {str(key).strip().casefold(): value for key, value in data.items()}
        score = _share(said.get("score", said.get("quality")))
        verdict = _yes(next((said[key] for key in ("ok", "approved", "pass", "passed") if key in said), None))
        if verdict is None and score is None:
            raise ValueError("neither ok nor score in the answer")
        better = next((said[key] for key in ("better", "revision", "revised", "rewrite") if said.get(key)), "")
        return {
            "ok": (score or 0.0) >= 0.6 if verdict is None else verdict,
            "score": score if score is not None else (0.9 if verdict else 0.4),
            "issues": _codes(said.get("issues")),
            "better": better[:20_000] if isinstance(better, str) else "",
        }


def _share(value: object) -> float | None:
    """0..1, 0..10 and 0..100, also as text; None when it is no number."""
    if isinstance(value, str):
        try:
            value = float(value.strip().rstrip("%"))
        except ValueError:
            return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return None
    scale = 1 if value <= 1 else 10 if value <= 10 else 100
    return min(max(value / scale, 0.0), 1.0)


def _yes(value: object) -> bool | None:
    if isinstance(value, str):
        said = value.strip().casefold()
        return True if said in ("true", "yes", "ok", "pass", "是") else False if said in ("false", "no", "否") else None
    return bool(value) if isinstance(value, bool | int) else None


def _codes(value: object) -> list[str]:
    if isinstance(value, str):
        value = value.split(",")
    if not isinstance(value, Sequence):
        return []
    codes = (re.sub(r"[\s-]+", "_", item.strip().casefold()) for item in value[:16] if isinstance(item, str))
    return [code for code in dict.fromkeys(codes) if code in CHECKER_CODES]


def checker_prompt(
    locale: Locale,
    *,
    agent: AgentCard,
    draft: str,
    words: str,
    issues: Iterable[str] = (),
    drafts: Iterable[tuple[str, str]] = (),
) -> tuple[PromptMessage, ...]:
    """The short call that checks one draft. ``drafts`` are (name, text) of what others have said in this turn."""
    rules = prompt_text(locale, "check_rules", name=spoken_name(agent.name, locale), codes=", ".join(CHECKER_CODES))
    system = f"{rules}\n{prompt_text(locale, 'check_card')}\n{card_text(locale, agent)}"
    rows = [prompt_text(locale, "check_words"), framed("words", excerpt(words, _ASKED_TOKENS, locale))]
    said = [speech(spoken_name(name, locale), excerpt(text, _ASKED_TOKENS, locale)) for name, text in drafts]
    if said:
        rows += [prompt_text(locale, "check_already_said"), framed("said", "\n".join(said))]
    if suspicion := ", ".join(issues):
        rows.append(prompt_text(locale, "check_suspicion", codes=suspicion))
    rows += [prompt_text(locale, "check_draft"), framed("draft", excerpt(draft, _DRAFT_TOKENS, locale))]
    return (PromptMessage(role="system", text=system), PromptMessage(role="user", text="\n".join(rows)))


def accept_revision(
    draft: str,
    quality: Quality,
    verdict: CheckerVerdict,
    *,
    agent: AgentCard,
    cast: Iterable[AgentCard] = (),
    people: Iterable[str] = (),
    prompt: Sequence[PromptMessage] = (),
    intent: IntentKind = IntentKind.UNKNOWN,
    words: str = "",
    drafts: Sequence[str] = (),
) -> tuple[str, Quality]:
    """The text that stands after the model's look, and the verdict of rules and model together.

    The checker's own message stands only where it is non-empty, clean, no novel, free of new risks and not worse by
    the rules; the draft in every other case. A model's doubt lowers the score, it never blocks.
    """
    doubted = tuple(dict.fromkeys([*quality.issues, *verdict.issues]))
    kept = replace(quality, score=min(quality.score, round(verdict.score, 2)), issues=doubted, checked_by="model")
    if verdict.ok or not verdict.better.strip():
        return draft, kept
    cleaned = clean(verdict.better, agent=agent, cast=cast, people=people, prompt=prompt)
    if not cleaned.text or cleaned.text == draft or len(cleaned.text) > 2 * len(draft) + MAX_GROWTH:
        return draft, kept
    after = check_rules(cleaned.text, agent=agent, intent=intent, issues=cleaned.issues, words=words, drafts=drafts)
    new_risks = RISKY.intersection(after.issues) - set(quality.issues)
    if not after.approved or after.score < quality.score or new_risks:
        return draft, kept
    return cleaned.text, replace(after, revisions=quality.revisions + 1, checked_by="model")
