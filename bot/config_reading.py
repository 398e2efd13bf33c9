"""From a file's bytes to a validated model, with every fault as one line for people."""

from __future__ import annotations

import difflib
import re
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import dotenv
import yaml
from pydantic import BaseModel, ValidationError
from pydantic.fields import FieldInfo

from orchestration.errors import ConfigError

MAX_FILE_BYTES = 10_000_000
MAX_NODES = 100_000
_ModelT = TypeVar("_ModelT", bound=BaseModel)
_KEYLIKE = re.compile(r"^(sk-|gsk_|xai-|ghp_|\d{6,}:)|[A-Za-z0-9_\-.]{30,}|://[^/]*@")


@dataclass(frozen=True, slots=True)
class Problem:
    """One fault: where it stands in the file, what was expected there, what was found."""

    path: str
    expected: str
    got: str


def first_line(file_name: str, problems: Sequence[Problem]) -> str:
    """The one line that tells a person what to mend first."""
    first = problems[0]
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    return f"{file_name}: {first.path}: expected {first.expected}, got {first.got}{more}"


def environment(dotenv_file: Path, environ: Mapping[str, str]) -> dict[str, str]:
    """The process's variables over those of a `.env`; nothing is exported to children."""
    try:
        values = dotenv.dotenv_values(dotenv_file, encoding="utf-8", verbose=False) if dotenv_file.is_file() else {}
    except (OSError, UnicodeDecodeError):
        raise ConfigError(f"{dotenv_file.name}: expected a readable text file with lines NAME=value") from None
    return {k: v for k, v in values.items() if v is not None} | dict(environ)


def read_yaml(file: Path, *, name: str) -> dict[str, Any]:
    """The file's top mapping ({} when it is empty), texts free of NUL and lone surrogates."""
    text = _text_of(file, name)
    try:
        # Cleaned in here: anchors let a few lines stand for more than any memory holds, or for themselves.
        data = _clean(yaml.load(text, Loader=_UniqueKeyLoader), _Budget(MAX_NODES))  # noqa: S506 (a SafeLoader)
    except yaml.YAMLError as fault:
        raise ConfigError(f"{name}: {_yaml_fault(fault)}") from None
    except (RecursionError, ValueError, OverflowError):
        raise ConfigError(f"{name}: expected plain yaml, got something that cannot be read") from None
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigError(f"{name}: expected a mapping of keys like `locale: en`, got {shown(data)}")
    return data


def _text_of(file: Path, name: str) -> str:
    """Reads no more than a configuration can hold: some files (a device, a pipe) never end."""
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_FILE_BYTES + 1)
    except FileNotFoundError:
        raise ConfigError(f"{name}: expected a file, found none at {file}") from None
    except OSError as fault:
        raise ConfigError(f"{name}: expected a readable file, got: {fault.strerror}") from None
    if len(raw) > MAX_FILE_BYTES:
        raise ConfigError(f"{name}: expected at most {MAX_FILE_BYTES // 1_000_000} MB, got more")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as fault:
        line = raw[: fault.start].count(b"\n") + 1
        raise ConfigError(f"{name}: line {line}: expected UTF-8 text, got other bytes") from None


def validate(model: type[_ModelT], raw: dict[str, Any], *, name: str) -> _ModelT:
    """The model, or a ConfigError about its first fault in the order of the file."""
    try:
        return model.model_validate(raw)
    except ValidationError as fault:
        errors = fault.errors(include_url=False, include_context=True, include_input=True)
        raise ConfigError(first_line(name, [_problem(model, error) for error in errors])) from None


def shown(value: object) -> str:
    """A found value, short and on one line; nothing that looks like a key is shown."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return str(value)
    if isinstance(value, dict):
        return "a mapping"
    if isinstance(value, list):
        return f"a list of {len(value)}"
    text = str(value)
    if _KEYLIKE.search(text):
        return "a text that looks like a key or an address"
    return repr(text if len(text) <= 40 else text[:39] + "…")


def _problem(model: type[BaseModel], error: Any) -> Problem:
    loc: tuple[str | int, ...] = tuple(part for part in error["loc"] if part != "[key]")
    path = "".join(f"[{part}]" if isinstance(part, int) else f".{_key_shown(part)}" for part in loc).removeprefix(".")
    parent, info = _field_at(model, loc)
    if error["type"] == "extra_forbidden":
        known = list(parent.model_fields) if parent else []
        near = difflib.get_close_matches(str(loc[-1]).casefold(), known, n=1)
        hint = f"{near[0]} (one of {', '.join(known)})" if near else f"one of {', '.join(known)}"
        return Problem(path, hint, "an unknown key")
    expected = (info.description if info else None) or "a mapping with known keys"
    if error["type"] == "missing":
        return Problem(path, expected, "nothing")
    return Problem(path, expected, shown(error.get("input")))


def _key_shown(key: str) -> str:
    """A key of the file as a part of a path: on one line, short, and never a secret pasted as a key."""
    if _KEYLIKE.search(key) and any(c.isdigit() for c in key):
        return "(a key that looks like a secret)"
    key = "".join(c if c.isprintable() else "?" for c in key)
    return (key if len(key) <= 40 else f"{key[:39]}…") or '""'


def _field_at(model: type[BaseModel], loc: Sequence[str | int]) -> tuple[type[BaseModel] | None, FieldInfo | None]:
    """The innermost model on the way to ``loc``, and the nearest field with a description."""
    current: type[BaseModel] | None = model
    nearest: FieldInfo | None = None
    for part in loc:
        if current is not None and isinstance(part, str) and part in current.model_fields:
            nearest = current.model_fields[part]
            inner = _model_in(nearest.annotation)
            current = inner if inner is not None else current
        elif isinstance(part, int) and nearest is not None:
            nearest = _item_field(nearest) or nearest
    return current, nearest


def _item_field(listed: FieldInfo) -> FieldInfo | None:
    """What a list's field says of one item of it."""
    for item in getattr(listed.annotation, "__args__", ()):
        for said in getattr(item, "__metadata__", ()):
            if isinstance(said, FieldInfo) and said.description:
                return said
    return None


def _model_in(annotation: Any) -> type[BaseModel] | None:
    """The model inside ``Model | None``, ``list[Model]`` or ``dict[str, Model]``."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for inner in getattr(annotation, "__args__", ()):
        found = _model_in(inner)
        if found is not None:
            return found
    return None


class _Budget:
    """So many values a file may hold; ValueError beyond."""

    def __init__(self, left: int) -> None:
        self._left = left

    def spend(self) -> None:
        self._left -= 1
        if self._left < 0:
            raise ValueError("too many values")


def _clean(value: Any, budget: _Budget) -> Any:
    budget.spend()
    if isinstance(value, str):
        # yaml leaves a pair written "\\ud83d\\ude00" as two halves; halves without a partner cannot be sent anywhere.
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace").replace("\0", "\ufffd")
    if isinstance(value, dict):
        return {_clean(k, budget) if isinstance(k, str) else str(k): _clean(v, budget) for k, v in value.items()}
    if isinstance(value, list):
        return [_clean(v, budget) for v in value]
    return value


def _yaml_fault(fault: yaml.YAMLError) -> str:
    if isinstance(fault, yaml.MarkedYAMLError) and fault.problem_mark is not None:
        mark = fault.problem_mark
        what = " ".join((fault.problem or "a fault").split())
        return f"line {mark.line + 1}, column {mark.column + 1}: expected valid yaml, got: {what}"
    if isinstance(fault, yaml.reader.ReaderError):
        return "expected plain text, got a control character"
    return "expected valid yaml"


class _UniqueKeyLoader(yaml.SafeLoader):
    """YAML lets the last of two equal keys win in silence; a person who wrote both wants to know."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[object] = set()
        for key_node, _ in node.value:
            key = key_node.value if isinstance(key_node, yaml.ScalarNode) else None
            if key is not None and key != "<<" and key in seen:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {_key_shown(str(key))} stands twice", problem_mark=key_node.start_mark
                )
            seen.add(key)
        return super().construct_mapping(node, deep=deep)
