"""Small records inside JSON columns: dataclass -> mapping without its defaults -> dataclass."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from enum import Enum
from typing import Any, TypeVar

from orchestration.decisions import Candidate
from orchestration.events import Span
from orchestration.model import Attachment, Choice
from orchestration.sessions import PendingClarification, Sticky
from orchestration.turns import Selected

_R = TypeVar("_R")

_NESTED: dict[tuple[type, str], type] = {(PendingClarification, "choices"): Choice}
_TIMES: dict[type, frozenset[str]] = {
    PendingClarification: frozenset({"asked_at", "expires_at"}),
    Sticky: frozenset({"at"}),
}
RECORDS = (Attachment, Candidate, Choice, PendingClarification, Selected, Span, Sticky)
"""The types kept this way. A field added to one of them needs a default: older rows do not have it."""


def packed(record: Any) -> dict[str, Any]:
    """The record's fields that differ from their defaults (most do not: this halves what a turn stores)."""
    return {
        f.name: _packed(value)
        for f in dataclasses.fields(record)
        if (value := getattr(record, f.name)) != f.default or f.default is dataclasses.MISSING
    }


def packed_all(records: Iterable[Any]) -> list[dict[str, Any]]:
    return [packed(record) for record in records]


def unpacked(kind: type[_R], data: Mapping[str, Any]) -> _R:
    """The record again. Fields unknown to this version of the program are left out."""
    known = {f.name for f in dataclasses.fields(kind)}  # type: ignore[arg-type]
    return kind(**{name: _unpacked(kind, name, value) for name, value in data.items() if name in known})


def unpacked_all(kind: type[_R], data: Sequence[Mapping[str, Any]]) -> tuple[_R, ...]:
    return tuple(unpacked(kind, one) for one in data) if data else ()  # most lists of most rows are empty


def _packed(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return [packed(v) if dataclasses.is_dataclass(v) else v for v in value]
    return value


def _unpacked(kind: type, name: str, value: Any) -> Any:
    if name in _TIMES.get(kind, ()):
        return datetime.fromisoformat(value)
    nested = _NESTED.get((kind, name))
    if nested is not None:
        return unpacked_all(nested, value)
    return tuple(value) if isinstance(value, list) else value
