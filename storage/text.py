"""Text that every database takes: no NUL (PostgreSQL refuses it), no lone surrogate (no driver can encode it)."""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Mapping
from enum import Enum
from typing import Any, TypeVar, cast

from orchestration.errors import StorageError
from orchestration.events import Json

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_NUL_IN_JSON = "\\u0000"
_T = TypeVar("_T")


def clean(text: str) -> str:
    """The text with each character that cannot be stored replaced by U+FFFD."""
    return _UNSTORABLE.sub("\ufffd", text)


def cleaned(value: _T) -> _T:
    """The value with every text in it cleaned: text, tuples, lists, mappings and dataclasses of such."""
    return cast(_T, _cleaned(value))


def as_json(value: object) -> Json:
    """A copy as a database gives it back: tuples are lists. StorageError for what is no JSON."""
    try:
        copied: Json = json.loads(json_text(value))
    except TypeError:
        raise StorageError("what is to be stored is not JSON") from None
    return copied


def json_text(value: object) -> str:
    """Compact and storable; TypeError for what is no JSON."""
    text = _dumps(value)
    if _NUL_IN_JSON in text or _UNSTORABLE.search(text):  # seldom, and looking is cheaper than cleaning
        text = _dumps(cleaned(value))
    return text


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def as_json_object(value: Mapping[str, Json]) -> dict[str, Json]:
    copied = as_json(dict(value))
    assert isinstance(copied, dict), "a mapping stays a mapping"
    return copied


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
