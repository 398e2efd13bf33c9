"""The nouns of memory beside `model.Memory`: lines of a summary, relationships, people's choices, states of upkeep."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from orchestration.model import Source

GROUP = "group"
"""The subject of a memory that is about the whole group chat."""
NOBODY = "–"
"""The name over a message whose author asked to be forgotten."""


class MemoryKind(StrEnum):
    PREFERENCE = "preference"
    FACT = "fact"
    EVENT = "event"
    RELATIONSHIP = "relationship"
    PROMISE = "promise"
    BOUNDARY = "boundary"


class MadeBy(StrEnum):
    """Who wrote a memory or a line: the summariser model, a rule, or a person with a command."""

    MODEL = "model"
    RULE = "rule"
    PERSON = "person"


class Stage(StrEnum):
    """How an agent and a person stand to each other."""

    NEW = "new"
    FAMILIAR = "familiar"
    CLOSE = "close"
    STRAINED = "strained"


class Work(StrEnum):
    """The kinds of background work. All but the last two, which are done once a day, belong to one group chat."""

    COMPACT = "compact"
    REMEMBER = "remember"
    MEND = "mend"
    """What rests on a message that has just changed; TIDY does it too."""
    TIDY = "tidy"
    BACKUP = "backup"
    CLEAR = "clear"
    """What the process kept only to run, and needs no more."""


class Outcome(StrEnum):
    """How a piece of background work ended."""

    DONE = "done"
    NOTHING = "nothing"
    """There was nothing to do (any more)."""
    BUDGET = "budget"
    """The tenant's tokens of this day are spent: rules did it."""
    MODEL = "model"
    """The summariser failed: it is asked again later."""
    REJECTED = "rejected"
    """The summariser answered, and nothing of it stood the checks: it is asked again later."""
    BY_RULE = "by_rule"
    """The summariser failed again and again: rules did it."""
    OVERTAKEN = "overtaken"
    """Somebody else was faster, or a source changed under it."""
    FAILED = "failed"


@dataclass(frozen=True, slots=True, kw_only=True)
class SummaryLine:
    """One line of a chat's summary. ``number`` is unique in the chat (0: not stored yet).

    ``sources`` are the messages it came from, as they were read; ``pinned`` lines hold words people insisted on,
    verbatim, and are never rewritten.
    """

    chat_id: int
    text: str
    sources: tuple[Source, ...]
    created_at: datetime
    number: int = 0
    pinned: bool = False
    made_by: str = MadeBy.MODEL

    @property
    def seqs(self) -> tuple[int, ...]:
        return tuple(source.seq for source in self.sources)


@dataclass(frozen=True, slots=True, kw_only=True)
class Relationship:
    """How an agent and a person have got on. ``warmth`` is -1..1 as of ``updated_at`` (it fades with time)."""

    agent_id: str
    person_id: str
    exchanges: int = 0
    warmth: float = 0.0
    updated_at: datetime
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonChoices:
    """What a person decided about being remembered. Words said up to ``forgotten_at`` are never a source again."""

    person_id: str
    memory_off: bool = False
    forgotten_at: datetime | None = None

    def allows(self, said_at: datetime) -> bool:
        """Whether what this person said then may be kept in memories and summaries."""
        return not self.memory_off and (self.forgotten_at is None or said_at > self.forgotten_at)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepState:
    """How far one kind of work has come in a chat: everything up to ``cursor_seq`` is done.

    ``failures`` counts failures in a row; before ``not_before`` the work is left alone.
    """

    chat_id: int
    work: Work
    cursor_seq: int = 0
    failures: int = 0
    not_before: datetime | None = None
    last_at: datetime | None = None
    last_outcome: str = ""
    tokens: int = 0
    """Tokens spent on this work in this chat, ever."""
    version: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Backlog:
    """A chat in which work is waiting: its newest message is ``last_seq``, the work has come to ``cursor_seq``."""

    chat_id: int
    last_seq: int
    cursor_seq: int
    version: int = 0
    """Of the work's state: grows with every run."""
    quiet_hours: str = ""
    last_message_at: datetime | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgotten:
    """What was removed when somebody asked to be forgotten."""

    memories: int = 0
    lines: int = 0
    relationships: int = 0
    messages: int = 0
    """Texts of what the person said, …"""
    answers: int = 0
    """… and of what agents answered."""
