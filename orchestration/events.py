"""Append-only facts of a group chat: what a console, a web client or `/trace` can replay."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import TypeAlias

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


class EventKind(StrEnum):
    MESSAGE_STORED = "message_stored"
    MESSAGE_MERGED = "message_merged"
    MESSAGE_EDITED = "message_edited"
    MESSAGE_DELETED = "message_deleted"
    TURN_STARTED = "turn_started"
    INTENT_DECIDED = "intent_decided"
    AGENTS_SELECTED = "agents_selected"
    CLARIFICATION_ASKED = "clarification_asked"
    CLARIFICATION_ANSWERED = "clarification_answered"
    REPLY_STARTED = "reply_started"
    REPLY_WRITTEN = "reply_written"
    REPLY_DROPPED = "reply_dropped"
    REPLY_POSTED = "reply_posted"
    REPLY_REMOVED = "reply_removed"
    QUALITY_CHECKED = "quality_checked"
    DEGRADED = "degraded"
    RECOVERED = "recovered"
    STOP_REQUESTED = "stop_requested"
    TURN_FINISHED = "turn_finished"


@dataclass(frozen=True, slots=True, kw_only=True)
class NewEvent:
    """An event before it has its number. ``block_id`` groups events of one reply (``{turn_id}:{idx}``)."""

    kind: EventKind
    at: datetime
    turn_id: str | None = None
    trace_id: str = ""
    block_id: str = ""
    content: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """A stored event; ``seq`` grows by one in its group chat and is never used again."""

    chat_id: int
    seq: int
    kind: EventKind
    at: datetime
    turn_id: str | None
    trace_id: str
    block_id: str
    content: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A timed piece of a turn. ``start_ms`` counts from the turn's start; ``parent`` is another span's name."""

    name: str
    start_ms: float
    ms: float
    parent: str = ""
    detail: str = ""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
