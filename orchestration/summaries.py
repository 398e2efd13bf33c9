"""The summary of a group chat: digests of messages as lines that cite them, each checked against its sources.

A model proposes lines; `checked` lets through what its sources prove. What people insisted on (numbers, limits,
"never") is kept word for word by rule, whatever the model wrote. Pure.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import regex
from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from orchestration.memory.claims import turns_around
from orchestration.memory.extraction import seqs_of
from orchestration.memory.guard import holds_secret, is_order, keepable
from orchestration.memory.records import MadeBy, SummaryLine
from orchestration.memory.terms import names_in, numbers, says, sentences, share, terms
from orchestration.model import Locale, Message, MessageKind, Source
from orchestration.non_replies import is_error_text, is_silence
from orchestration.ports import PromptMessage
from orchestration.prompts import prompt_text
from orchestration.prompts.frame import excerpt, framed, speech, spoken_name

STEP = 20
"""Messages that leave the window, and are digested, at once."""
CATCH_UP = 100
"""Messages digested in one call where much is waiting."""
BLOCK_TOKENS = 5_000
MESSAGE_TOKENS = 240
LINES_A_BLOCK = 8
MAX_LINE_CHARS = 280
PINNED_A_BLOCK = 4
MAX_SOURCES = 12
OVERLAP = 0.25
"""Share of a line's terms that its sources must hold."""

_INSISTED = regex.compile(
    r"\b(?:must(?:n['’]?t| not)?|never|always|only|at most|at least|no more than|under no circumstances"
    r"|not before|not after|"
    r"deadline|budget|has to be|have to be|need(?:s)? to be|important|allergic|allergy|exactly|promise|remember"
    r"|due (?:by|on))\b"
    r"|必须|一定要|绝不|绝对不|千万|只能|只要|最多|最少|至少|不超过|不能|不要|别忘|截止|预算|过敏|务必|记住|一律|禁止",
    regex.IGNORECASE,
)
_CHATTER = regex.compile(
    r"[?？]\s*$|^(?:hi|hey|hello|thanks|ok|okay|lol|haha|yes|no|哈哈|好的|嗯|你好|谢谢)\b", regex.IGNORECASE
)


class DigestLine(BaseModel):
    """One line as the model wrote it: untrusted."""

    model_config = ConfigDict(extra="ignore")

    text: str = ""
    source: list[int] = Field(default_factory=list)

    @model_validator(mode="before")
    @classmethod
    def _tolerate(cls, data: object) -> object:
        if not isinstance(data, Mapping):
            return data
        said = {str(key).strip().casefold(): value for key, value in data.items()}
        source: object = next(
            (said[k] for k in ("source", "from", "seqs", "sources", "seq", "lines", "ids") if k in said), []
        )
        words = next((said[k] for k in ("text", "line", "summary", "content") if k in said), "")
        return {"text": words, "source": source}

    @field_validator("text", mode="before")
    @classmethod
    def _words(cls, value: object) -> str:
        return value.strip()[:1_000] if isinstance(value, str) else ""

    @field_validator("source", mode="before")
    @classmethod
    def _numbers(cls, value: object) -> list[int]:
        return seqs_of(value)


class DigestAnswer(BaseModel):
    """The whole answer of a digest or a condensation."""

    model_config = ConfigDict(extra="ignore")

    lines: list[DigestLine]

    @field_validator("lines", mode="before")
    @classmethod
    def _lines(cls, value: object) -> Sequence[object]:
        values: list[object] = list(value) if isinstance(value, list | tuple) else [value]
        return [one for one in values if isinstance(one, Mapping)][: LINES_A_BLOCK * 3]


# ---------------------------------------------------------------------------------------------- what is asked


def digest_prompt(
    locale: Locale, messages: Sequence[Message], standing: Sequence[SummaryLine]
) -> tuple[PromptMessage, ...]:
    """The new messages with their numbers, and the newest lines that need not be repeated. Bounded by BLOCK_TOKENS."""
    parts = []
    if standing:
        said = "\n".join(f"- {line.text}" for line in standing[-8:])
        parts += [prompt_text(locale, "digest_before"), framed("summary", excerpt(said, 300, locale))]
    parts += [prompt_text(locale, "digest_now"), framed("chat", told(messages, locale))]
    system = prompt_text(locale, "digest_rules", most=LINES_A_BLOCK)
    return (PromptMessage(role="system", text=system), PromptMessage(role="user", text="\n".join(parts)))


def told(messages: Sequence[Message], locale: Locale) -> str:
    """Messages as numbered lines; one that tries to command the summariser is named, not shown."""
    each = max(24, min(MESSAGE_TOKENS, BLOCK_TOKENS // max(1, len(messages))))
    rows = []
    for message in messages:
        words = excerpt(message.text, each, locale)
        if is_order(message.text) or holds_secret(message.text):
            words = prompt_text(locale, "order_left_out")
        rows.append(f"#{message.seq} " + speech(spoken_name(message.author.name, locale), words))
    return "\n".join(rows)


# ---------------------------------------------------------------------------------------------- what stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """The messages of one digest that may be cited, and the names of everybody in the chat by id."""

    chat_id: int
    messages: tuple[Message, ...]
    names: Mapping[str, str]
    at: datetime

    @property
    def by_seq(self) -> dict[int, Message]:
        return {message.seq: message for message in self.messages}


def checked(answer: DigestAnswer, block: Block) -> list[SummaryLine]:
    """The lines that their sources prove, at most LINES_A_BLOCK, none twice."""
    kept: list[SummaryLine] = []
    for line in answer.lines:
        made = _proved(line, block)
        if made is not None and not any(says(made.text, other.text) for other in kept):
            kept.append(made)
    return kept[:LINES_A_BLOCK]


def _proved(line: DigestLine, block: Block) -> SummaryLine | None:
    """The line, if it cites messages of the block, says nothing they do not say, and is no order and no secret."""
    text = sound(line.text)
    by_seq = block.by_seq
    cited = [by_seq[seq] for seq in line.source if seq in by_seq and not is_order(by_seq[seq].text)]
    if text is None or not cited:
        return None
    said = "\n".join(message.text for message in cited)
    if not numbers(text) <= numbers(said):
        return None
    if not names_stand(text, said, {message.author.id for message in cited}, block.names):
        return None
    if len(cited) == 1 and turns_around(text, said):
        return None
    speakers = " ".join(message.author.name for message in cited)
    meant = terms(text) - terms(speakers)
    if share(meant, terms(said)) < OVERLAP or not meant:
        return None
    return SummaryLine(
        chat_id=block.chat_id,
        text=text,
        sources=tuple(source_of(message) for message in sorted(cited, key=lambda m: m.seq)[:MAX_SOURCES]),
        created_at=block.at,
    )


def sound(text: str) -> str | None:
    """The text on one line, or None: empty, too long to be a line, an error, silence, an order, a secret."""
    line = keepable(text.lstrip("-•* ").strip())
    if line is None or len(line) > MAX_LINE_CHARS or is_error_text(line) or is_silence(line):
        return None
    return line


def names_stand(text: str, said: str, authors: Collection[str], names: Mapping[str, str]) -> bool:
    """Whether everybody named in the line wrote one of its sources or is named in them."""
    strangers = [name for speaker, name in names.items() if speaker not in authors]
    return names_in(text, strangers) <= names_in(said, strangers)


def source_of(message: Message) -> Source:
    return Source(seq=message.seq, person_id=message.author.id, edited_at=message.edited_at)


def insisted(block: Block) -> list[SummaryLine]:
    """What people insisted on, word for word, by rule: at most PINNED_A_BLOCK sentences."""
    found: list[tuple[int, SummaryLine]] = []
    for message in block.messages:
        if message.kind is not MessageKind.HUMAN or is_order(message.text):
            continue
        for sentence in sentences(message.text):
            weight = _insistence(sentence)
            if not weight:
                continue
            line = _verbatim(message, sentence, block, pinned=True)
            if line is not None:
                found.append((weight, line))
    found.sort(key=lambda pair: -pair[0])
    best = [line for _, line in found[:PINNED_A_BLOCK]]
    return sorted(best, key=lambda line: line.seqs)


def with_insisted(lines: list[SummaryLine], block: Block) -> list[SummaryLine]:
    """With what people insisted on, verbatim; a free line that only repeats such a sentence goes."""
    pinned = insisted(block)
    free = [line for line in lines if not any(line.seqs == one.seqs and says(line.text, one.text) for one in pinned)]
    return sorted([*free, *pinned], key=lambda line: line.seqs)


def _insistence(sentence: str) -> int:
    if len(sentence) > 200 or len(sentence) < 4 or sentence.rstrip().endswith(("?", "？")):
        return 0
    return 2 * len(_INSISTED.findall(sentence)) + bool(numbers(sentence)) if _INSISTED.search(sentence) else 0


def by_rule(block: Block, most: int = 4) -> list[SummaryLine]:
    """A digest without a model: the sentences of people that say most, word for word."""
    weighed = []
    for message in block.messages:
        if message.kind is not MessageKind.HUMAN or is_order(message.text):
            continue
        for sentence in sentences(message.text):
            found = terms(sentence)
            if len(sentence) <= 200 and len(found) >= 3 and not _CHATTER.search(sentence):
                weighed.append((min(len(found), 14) + 3 * len(numbers(sentence)), message, sentence))
    weighed.sort(key=lambda entry: (-entry[0], entry[1].seq))
    lines = [_verbatim(message, sentence, block, pinned=False) for _, message, sentence in weighed[:most]]
    return sorted((line for line in lines if line is not None), key=lambda line: line.seqs)


def _verbatim(message: Message, sentence: str, block: Block, *, pinned: bool) -> SummaryLine | None:
    quoted = keepable(sentence)
    if quoted is None:
        return None
    name = spoken_name(message.author.name)
    return SummaryLine(
        chat_id=block.chat_id,
        text=f"{name}: “{quoted}”",
        sources=(source_of(message),),
        created_at=block.at,
        pinned=pinned,
        made_by=MadeBy.RULE,
    )
