"""Whether a reply gives away what stood in the prompt: the standing rules, an agent's instructions or boundaries. Pure.

Texts are compared as units (a word, or one character of a script without blanks), so neither punctuation, case nor
markdown hides a copy. A long run of units in common is a leak, so is a whole sentence of the secret; what people wrote
in the chat themselves is none, and what instructions put in quotation marks is meant to be said.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Set
from dataclasses import dataclass, field

import regex

from orchestration.model import AgentCard, Locale
from orchestration.prompts import en, prompt_text, zh

RUN = 24
"""Weight (a word 3, a character 2) of units in a row that is no accident: 8 words or 12 characters."""
SENTENCE = 16
"""Weight from which a whole sentence of the secret counts: 6 words or 8 characters."""
MENTIONED = 9
"""Weight of a sentence that counts when the reply talks of its instructions besides."""
READ_CHARS = 40_000

_WIDE_SCRIPTS = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}"
_UNIT = regex.compile(rf"(?V1)[{_WIDE_SCRIPTS}]|[[\p{{L}}\p{{N}}\p{{M}}]--[{_WIDE_SCRIPTS}]]+")
_ASCII_UNIT = re.compile(r"[a-z0-9]+")
_FIRST_WIDE = "\u0e00"
_SENTENCES = regex.compile(r"[.!?;。！？；\n]+")
_QUOTED = regex.compile(r"\"[^\"\n]{2,400}\"|“[^”\n]{2,400}”|「[^」\n]{2,400}」|『[^』\n]{2,400}』|«[^»\n]{2,400}»")
_FRAME = regex.compile(r"</?(?:card|summary|memory|quote|draft) [0-9a-f]{6}>")
_TALK = regex.compile(
    r"\b(?:my|the|these|following)\s(?:system\s|initial\s|secret\s|hidden\s)?(?:prompt|instructions?|rules|character\scard|guidelines)\b"
    r"|\bsystem\s(?:prompt|message)\b|\bi\s(?:was|am|have\sbeen|['’]ve\sbeen)\s(?:told|instructed|programmed|configured|asked)\sto\b"
    r"|提示词|提示詞|系统提示|系統提示|我的(?:指示|指令|设定|設定|角色卡|人设|规则)|(?:我)?(?:被要求|收到的指示|被设定)|システムプロンプト",
    regex.IGNORECASE,
)
_OURS = ("history", "turn", "words", "said", "together", "quoted", "router_now")
WHOLE_SHARE = 0.6
"""Share of a reply from which even a short instruction, repeated whole, is all that was said."""
_LABELS = (
    "card_description",
    "card_personality",
    "card_tone",
    "card_instructions",
    "card_backstory",
    "card_boundaries",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Secrets:
    """What must not be repeated, prepared for comparing."""

    runs: Set[str] = field(default_factory=frozenset)
    sentences: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    wholes: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()


def secrets_of(agent: AgentCard, rules: str, public: str = "") -> Secrets:
    """The secrets behind one reply: our ``rules`` and the card; ``public`` is what people wrote and may be quoted."""
    hidden = [_units(rules)]
    sentences = [_units(sentence) for sentence in _SENTENCES.split(rules)]
    for text in (agent.instructions, agent.boundaries):
        unsaid = _QUOTED.sub("\n", text)
        hidden.append(_units(unsaid))
        sentences += [_units(sentence) for sentence in _SENTENCES.split(unsaid)]
    said = _line(public)
    lines = [(f" {' '.join(units)} ", _weight(units)) for units in sentences]
    kept = [(line, weight) for line, weight in lines if weight >= MENTIONED and line not in said]
    return Secrets(
        runs=frozenset(run for units in hidden for run in _runs(units) if f" {run} " not in said),
        sentences=tuple(line for line, weight in kept if weight >= SENTENCE),
        short=tuple(line for line, _ in kept),
        wholes=tuple(line for line in map(_line, (agent.instructions, agent.boundaries)) if line not in said),
        rows=tuple(_rows(agent)),
    )


def gives_away(reply: str, agent: AgentCard, rules: str, public: str = "") -> bool:
    """Whether the reply repeats a secret. What people wrote is looked at only where something was found: it is long."""
    return is_leak(reply, secrets_of(agent, rules)) and is_leak(reply, secrets_of(agent, rules, public))


def is_leak(reply: str, secrets: Secrets) -> bool:
    """Whether the reply repeats a secret, or shows the frame or the rows of a card."""
    text = reply[:READ_CHARS]
    if _FRAME.search(text):
        return True
    units = _units(text)
    told = f" {' '.join(units)} "
    if sum(row in told for row in secrets.rows) > 1:
        return True
    if any(line in told for line in secrets.sentences):
        return True
    if _TALK.search(text) and any(line in told for line in secrets.short):
        return True
    if any(whole.strip() and len(whole) >= WHOLE_SHARE * len(told) and whole in told for whole in secrets.wholes):
        return True
    return bool(secrets.runs) and any(run in secrets.runs for run in _runs(units))


def is_our_line(line: str) -> bool:
    """Whether the line is a mark of our own prompts (`[Now] Answer …`) that a model copied."""
    return _OUR_LINE.match(line) is not None


def _pattern_of(template: str) -> str:
    """Our template with anything short in its places; it ends where its last words do."""
    words = re.split(r"\{\w+\}", template.strip().removesuffix("{intent}").strip())
    return r"[^\n]{1,80}".join(regex.escape(word) for word in words)


_OUR_LINE = regex.compile(
    "|".join(rf"\s*{_pattern_of(table[code])}" for table in (en.PROMPTS, zh.PROMPTS) for code in _OURS)
)


def talks_of_prompt(reply: str) -> bool:
    """Whether the reply speaks about its instructions at all: not a leak, but worth a second look."""
    return _TALK.search(reply[:READ_CHARS]) is not None


def _rows(agent: AgentCard) -> Iterator[str]:
    """The beginnings of the card's rows as a prompt shows them, in each language."""
    for locale in Locale:
        for label in _LABELS:
            value: str = getattr(agent, label.removeprefix("card_"))
            if value.strip():
                yield f" {' '.join(_units(prompt_text(locale, label) + value)[:5])} "


def _units(text: str) -> list[str]:
    if text.isascii():
        return _ASCII_UNIT.findall(text.lower())
    return _UNIT.findall(unicodedata.normalize("NFKC", text).casefold())


def _line(text: str) -> str:
    """The units between blanks, so that one text can be looked for in another; of nothing it is two blanks."""
    return f" {' '.join(_units(text))} "


def _weights(units: list[str]) -> list[int]:
    return [2 if len(unit) == 1 and unit >= _FIRST_WIDE else 3 for unit in units]


def _weight(units: list[str]) -> int:
    return sum(_weights(units))


def _runs(units: list[str]) -> Iterator[str]:
    """From each unit the shortest run that weighs RUN; texts in common have runs in common."""
    weights = _weights(units)
    end = weight = 0
    for start in range(len(units)):
        while end < len(units) and weight < RUN:
            weight += weights[end]
            end += 1
        if weight < RUN:
            return
        yield " ".join(units[start:end])
        weight -= weights[start]
