"""Whether a reply gives away what stood in the prompt: the standing rules, an agent's instructions or boundaries. Pure.

Texts are compared as units (a word, or one character of a script without blanks), so neither punctuation, case nor
markdown hides a copy. A long run of units in common is a leak, so is a whole sentence of the secret; what people wrote
in the chat themselves is none, and what instructions put in quotation marks is meant to be said.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass, field

import regex

from orchestration.model import AgentCard, Locale
from orchestration.prompts import prompt_text

RUN = 24
"""Weight (a word 3, a character 2) of units in a row that is no accident: 8 words or 12 characters."""
SENTENCE = 16
"""Weight from which a whole sentence of the secret counts: 6 words or 8 characters."""
MENTIONED = 9
"""Weight of a sentence that counts when the reply talks of its instructions besides."""
READ_CHARS = 40_000

_UNIT = regex.compile(
    r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}]|(?:(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}])[\p{L}\p{N}\p{M}])+"
)
_WIDE = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}]")
_SENTENCES = regex.compile(r"[.!?;。！？；\n]+")
_QUOTED = regex.compile(r"\"[^\"\n]{2,400}\"|“[^”\n]{2,400}”|「[^」\n]{2,400}」|『[^』\n]{2,400}』|«[^»\n]{2,400}»")
_FRAME = regex.compile(r"</?(?:card|summary|memory|quote|draft) [0-9a-f]{6}>")
_TALK = regex.compile(
    r"\b(?:my|the|these|following)\s(?:system\s|initial\s|secret\s|hidden\s)?(?:prompt|instructions?|rules|character\scard|guidelines)\b"
    r"|\bsystem\s(?:prompt|message)\b|\bi\s(?:was|am|have\sbeen|['’]ve\sbeen)\s(?:told|instructed|programmed|configured|asked)\sto\b"
    r"|提示词|提示詞|系统提示|系統提示|我的(?:指示|指令|设定|設定|角色卡|人设|规则)|(?:我)?(?:被要求|收到的指示|被设定)|システムプロンプト",
    regex.IGNORECASE,
)
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
    rows: tuple[str, ...] = ()


def secrets_of(agent: AgentCard, rules: str, public: str = "") -> Secrets:
    """The secrets behind one reply: our ``rules`` and the card; ``public`` is what people wrote and may be quoted."""
    hidden = [rules, _QUOTED.sub("\n", agent.instructions), _QUOTED.sub("\n", agent.boundaries)]
    said = f" {' '.join(_units(public))} "
    runs = frozenset(run for text in hidden for run in _runs(_units(text)) if f" {run} " not in said)
    sentences, short = [], []
    for text in hidden:
        for sentence in _SENTENCES.split(text):
            units = _units(sentence)
            line = f" {' '.join(units)} "
            if line in said or _weight(units) < MENTIONED:
                continue
            short.append(line)
            if _weight(units) >= SENTENCE:
                sentences.append(line)
    return Secrets(runs=runs, sentences=tuple(sentences), short=tuple(short), rows=tuple(_rows(agent)))


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
    return bool(secrets.runs) and any(run in secrets.runs for run in _runs(units))


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
    return _UNIT.findall(unicodedata.normalize("NFKC", text).casefold())


def _weight(units: Iterable[str]) -> int:
    return sum(2 if _WIDE.match(unit) else 3 for unit in units)


def _runs(units: list[str]) -> Iterator[str]:
    """From each unit the shortest run that weighs RUN; texts in common have runs in common."""
    weights = [2 if _WIDE.match(unit) else 3 for unit in units]
    end = weight = 0
    for start in range(len(units)):
        while end < len(units) and weight < RUN:
            weight += weights[end]
            end += 1
        if weight < RUN:
            return
        yield " ".join(units[start:end])
        weight -= weights[start]
