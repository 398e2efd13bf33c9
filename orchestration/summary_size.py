"""Keeping a summary short: old lines become fewer, each still proved and cited; what a prompt shows. Pure.

The cost of a summary does not grow with the age of its chat: it is bounded in what is stored and in what is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from orchestration.llm_tokens import tokens_of
from orchestration.memory.records import SummaryLine
from orchestration.memory.terms import numbers, share, terms
from orchestration.model import Locale, Source
from orchestration.ports import PromptMessage
from orchestration.prompts import prompt_text
from orchestration.prompts.frame import framed
from orchestration.summaries import MAX_SOURCES, OVERLAP, DigestAnswer, names_stand, sound

SUMMARY_TOKENS = 600
"""What a prompt shows of a summary."""
CONDENSE_ABOVE = 480
CONDENSE_TO = 260
LEAST_TO_CONDENSE = 4
MOST_PINNED = 16


def condense_prompt(locale: Locale, lines: Sequence[SummaryLine]) -> tuple[PromptMessage, ...]:
    rows = "\n".join(f"{line.number}: {line.text}" for line in lines)
    system = prompt_text(locale, "condense_rules", most=max(2, len(lines) // 2))
    user = prompt_text(locale, "condense_lines") + "\n" + framed("summary", rows)
    return (PromptMessage(role="system", text=system), PromptMessage(role="user", text=user))


def to_condense(lines: Sequence[SummaryLine]) -> list[SummaryLine]:
    """The oldest lines that should become fewer; none while the summary is short enough."""
    if sum(_cost(line) for line in lines) <= CONDENSE_ABOVE:
        return []
    free = [line for line in lines if not line.pinned]
    picked: list[SummaryLine] = []
    left = sum(_cost(line) for line in free)
    for line in free:
        if left <= CONDENSE_TO and len(picked) >= LEAST_TO_CONDENSE:
            break
        picked.append(line)
        left -= _cost(line)
    return picked if len(picked) >= LEAST_TO_CONDENSE else []


def condensed(
    answer: DigestAnswer, lines: Sequence[SummaryLine], names: Mapping[str, str], at: datetime
) -> list[SummaryLine]:
    """The fewer lines, each proved by the ones it is made of; empty when they are not fewer or do not hold."""
    by_number = {line.number: line for line in lines}
    kept = []
    for one in answer.lines:
        text = sound(one.text)
        cited = [by_number[number] for number in one.source if number in by_number]
        if text is None or not cited:
            continue
        said = "\n".join(line.text for line in cited)
        authors = {source.person_id for line in cited for source in line.sources}
        if not numbers(text) <= numbers(said) or not names_stand(text, said, authors, names):
            continue
        if share(terms(text), terms(said)) < OVERLAP:
            continue
        kept.append(SummaryLine(chat_id=cited[0].chat_id, text=text, sources=_union(cited), created_at=at))
    shorter = sum(_cost(line) for line in kept) < sum(_cost(line) for line in lines)
    return kept if kept and shorter else []


def _union(lines: Sequence[SummaryLine]) -> tuple[Source, ...]:
    """The sources of several lines; of too many the first and the last ones."""
    found = {source.seq: source for line in lines for source in line.sources}
    ordered = [found[seq] for seq in sorted(found)]
    half = MAX_SOURCES // 2
    return tuple(ordered if len(ordered) <= MAX_SOURCES else [*ordered[:half], *ordered[-half:]])


def overflow(lines: Sequence[SummaryLine]) -> list[int]:
    """Numbers of the oldest lines that go by age, where nothing else keeps the summary within bounds."""
    pinned = [line for line in lines if line.pinned]
    gone = [line.number for line in pinned[: max(0, len(pinned) - MOST_PINNED)]]
    free = [line for line in lines if not line.pinned]
    total = sum(_cost(line) for line in free)
    for line in free:
        if total <= 2 * SUMMARY_TOKENS:
            break
        gone.append(line.number)
        total -= _cost(line)
    return gone


def _cost(line: SummaryLine) -> int:
    return tokens_of(shown(line)) + 1


def shown(line: SummaryLine) -> str:
    """A line as prompts show it, with the numbers it rests on."""
    marks = " ".join(f"#{seq}" for seq in line.seqs[:4])
    return f"- {line.text} [{marks}{' …' if len(line.seqs) > 4 else ''}]"


def rendered(lines: Sequence[SummaryLine], budget: int = SUMMARY_TOKENS) -> str:
    """The summary for a prompt, within the budget: what was insisted on first to stay, then the newest lines."""
    room, kept = budget, set()
    for line in [*(one for one in lines[::-1] if one.pinned), *(one for one in lines[::-1] if not one.pinned)]:
        if _cost(line) <= room:
            room -= _cost(line)
            kept.add(line.number)
    return "\n".join(shown(line) for line in lines if line.number in kept)
