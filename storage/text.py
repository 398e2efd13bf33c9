"""Text that every database takes: no NUL (PostgreSQL refuses it), no lone surrogate (no driver can encode it)."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, TypeVar, cast

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_T = TypeVar("_T")


def clean(text: str) -> str:
    """The text with each character that cannot be stored replaced by U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def cleaned(value: _T) -> _T:
    """The value with every text in it cleaned: text, tuples, lists, mappings and dataclasses of such."""
    return cast(_T, _cleaned(value))


def _cleaned(value: Any) -> Any:
    if isinstance(value, Enum):
        return value
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, tuple | list):
        return type(value)(_cleaned(v) for v in value)
    if isinstance(value, Mapping):
        return {_cleaned(k): _cleaned(v) for k, v in value.items()}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        changes = {f.name: _cleaned(getattr(value, f.name)) for f in dataclasses.fields(value)}
        return dataclasses.replace(value, **changes)
    return value
