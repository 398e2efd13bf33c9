"""One model call that reads some messages and proposes memories. What it says is a proposal, never a memory.

People and agents travel as codes (p1, a1), so that a display name can neither confuse nor command; known memories
travel as m1, m2, so that a contradiction can be named.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from orchestration.memory.guard import Proposal, is_order
from orchestration.memory.records import GROUP, MadeBy, MemoryKind
from orchestration.model import Locale, Memory, Message
from orchestration.ports import PromptMessage
from orchestration.prompts import prompt_text
from orchestration.prompts.frame import excerpt, framed, speech, spoken_name

MAX_ITEMS = 10
LINE_TOKENS = 160
KNOWN = 24
_CODE_FIRST = re.compile(r"^([pa]\d+)\b.*$", re.DOTALL)
"""A code with more behind it: "p1 (Ann)"."""
_KINDS = {kind.value: kind for kind in MemoryKind}
_OTHER_KINDS = {
    "like": MemoryKind.PREFERENCE,
    "dislike": MemoryKind.PREFERENCE,
    "preferences": MemoryKind.PREFERENCE,
    "plan": MemoryKind.EVENT,
    "commitment": MemoryKind.PROMISE,
    "identity": MemoryKind.FACT,
    "health": MemoryKind.FACT,
    "rule": MemoryKind.BOUNDARY,
    "limit": MemoryKind.BOUNDARY,
}


class MemoryItem(BaseModel):
    """One proposal as the model wrote it. Everything in it is untrusted."""

    model_config = ConfigDict(extra="ignore")

    about: str = ""
    kind: str = ""
    text: str = ""
    source: list[int] = Field(default_factory=list)
    quote: str = ""
    importance: int = 5
    sure: int = 60
    replaces: list[str] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _tolerate(cls, data: object) -> object:
        if not isinstance(data, Mapping):
            return data
        said = {str(key).strip().casefold(): value for key, value in data.items()}
        for name, others in {
            "source": ("from", "seqs", "sources", "seq", "messages"),
            "about": ("subject", "who", "person"),
            "text": ("memory", "fact", "content"),
            "sure": ("confidence",),
        }.items():
            if name not in said:
                said[name] = next((said[other] for other in others if other in said), None)
        return {key: value for key, value in said.items() if value is not None}

    @field_validator("about", "kind", "text", "quote", mode="before")
    @classmethod
    def _words(cls, value: object) -> str:
        return value.strip()[:600] if isinstance(value, str) else ""

    @field_validator("source", mode="before")
    @classmethod
    def _numbers(cls, value: object) -> list[int]:
        return seqs_of(value)

    @field_validator("replaces", mode="before")
    @classmethod
    def _codes(cls, value: object) -> list[str]:
        values = value if isinstance(value, list | tuple) else [value]
        return [one.strip().casefold() for one in values if isinstance(one, str)][:4]

    @field_validator("importance", mode="before")
    @classmethod
    def _importance(cls, value: object) -> int:
        return _clamped(value, 5, 10)

    @field_validator("sure", mode="before")
    @classmethod
    def _sure(cls, value: object) -> int:
        if isinstance(value, float) and 0 < value <= 1:
            value = value * 100
        return _clamped(value, 60, 100)


class MemoriesAnswer(BaseModel):
    """The whole answer; what is no proposal in it is left out."""

    model_config = ConfigDict(extra="ignore")

    memories: list[MemoryItem]

    @field_validator("memories", mode="before")
    @classmethod
    def _items(cls, value: object) -> Sequence[object]:
        values: list[object] = list(value) if isinstance(value, list | tuple) else [value]
        return [one for one in values if isinstance(one, Mapping)][: MAX_ITEMS * 2]


def seqs_of(value: object) -> list[int]:
    """Message numbers however a model wrote them: 12, "12", "#12", [12, 14]; at most twelve, never negative."""
    values = value if isinstance(value, list | tuple) else str(value).split(",") if isinstance(value, str) else [value]
    found: list[int] = []
    for one in values[:24]:
        if isinstance(one, str):
            bare = one.strip().lstrip("#").strip()
            one = int(bare) if bare.isascii() and bare.isdigit() and len(bare) < 10 else None
        if isinstance(one, bool) or not isinstance(one, int | float) or not math.isfinite(one):
            continue
        if one > 0 and int(one) == one:
            found.append(int(one))
    return list(dict.fromkeys(found))[:12]


def _clamped(value: object, otherwise: int, most: int) -> int:
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value.strip()) < 5:
        value = int(value.strip())
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return otherwise
    return min(max(round(value), 0), most)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What is read in one call. ``messages`` may become sources, ``before`` only helps to understand them.

    ``speakers`` are the ids of everybody who speaks in them, ``known`` what is remembered of them already.
    """

    locale: Locale
    messages: Sequence[Message]
    before: Sequence[Message] = ()
    known: Sequence[Memory] = ()

    @property
    def codes(self) -> dict[str, str]:
        """Speaker id -> code, in order of first appearance."""
        codes: dict[str, str] = {}
        for message in (*self.before, *self.messages):
            if message.author.id not in codes:
                letter = "p" if message.agent_id is None else "a"
                count = sum(1 for code in codes.values() if code[0] == letter)
                codes[message.author.id] = f"{letter}{count + 1}"
        return codes


def reading_prompt(reading: Reading) -> tuple[PromptMessage, ...]:
    locale, codes = reading.locale, reading.codes
    names = {m.author.id: m.author.name for m in (*reading.before, *reading.messages)}
    who = "\n".join(f"{code}: {spoken_name(names[speaker], locale)}" for speaker, code in codes.items())
    parts = [prompt_text(locale, "remember_who"), framed("people", who)]
    known = [
        f"m{number} {codes.get(memory.subject_id, memory.subject_id)} {memory.kind}: "
        + " ".join(excerpt(memory.text, 60, locale).split())
        for number, memory in enumerate(reading.known[:KNOWN], start=1)
    ]
    if known:
        parts += [prompt_text(locale, "remember_known"), framed("memory", "\n".join(known))]
    if reading.before:
        parts += [prompt_text(locale, "remember_before"), framed("chat", _told(reading.before, codes, locale))]
    parts += [prompt_text(locale, "remember_now"), framed("chat", _told(reading.messages, codes, locale))]
    system = prompt_text(locale, "remember_rules", most=MAX_ITEMS)
    return (PromptMessage(role="system", text=system), PromptMessage(role="user", text="\n".join(parts)))


def _told(messages: Sequence[Message], codes: Mapping[str, str], locale: Locale) -> str:
    """The lines with number and speaker's code; what tries to command is named, not shown."""
    rows = []
    for message in messages:
        words = excerpt(message.text, LINE_TOKENS, locale)
        if is_order(message.text):
            words = prompt_text(locale, "order_left_out")
        rows.append(f"#{message.seq} " + speech(codes[message.author.id], words))
    return "\n".join(rows)


def proposals(answer: MemoriesAnswer, reading: Reading) -> list[Proposal]:
    """The answer's items with codes resolved. Whoever is no speaker makes no proposal."""
    speakers = _speakers(reading)
    known = {f"m{number}": memory for number, memory in enumerate(reading.known[:KNOWN], start=1)}
    found = []
    for item in answer.memories[:MAX_ITEMS]:
        subject = _subject(item.about, speakers)
        kind = _KINDS.get(item.kind.casefold()) or _OTHER_KINDS.get(item.kind.casefold())
        if subject is None or kind is None:
            continue
        old = [known[code] for code in item.replaces if code in known]
        found.append(
            Proposal(
                subject_id=subject,
                kind=kind,
                text=item.text,
                seqs=tuple(item.source),
                quote=item.quote,
                importance=item.importance,
                confidence=item.sure / 100,
                replaces=tuple(memory.id for memory in old if memory.subject_id == subject),
                made_by=MadeBy.MODEL,
            )
        )
    return found


def _speakers(reading: Reading) -> dict[str, str]:
    """Code -> speaker; also by name, as sloppy models write it, where only one person is called so."""
    names: dict[str, set[str]] = {}
    for message in (*reading.before, *reading.messages):
        names.setdefault(spoken_name(message.author.name, reading.locale).casefold(), set()).add(message.author.id)
    by_name = {name: ids.pop() for name, ids in names.items() if len(ids) == 1}
    return by_name | {code: speaker for speaker, code in reading.codes.items()}


def _subject(about: str, speakers: Mapping[str, str]) -> str | None:
    code = about.casefold().strip(" @#<>[]().:\"'")
    if code in ("group", "everyone", "all", "chat", "群", "大家"):
        return GROUP
    return speakers.get(code) or speakers.get(_CODE_FIRST.sub(r"\1", code))
