"""One tolerant reader for objects in model answers, whatever rung of the ladder they came by. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import regex
from pydantic import BaseModel, ValidationError

from orchestration.ports import SchemaT

_TAGS = "think|thinking|thought|reasoning"
_THOUGHT_BEGIN = regex.compile(rf"<\s*(?:{_TAGS})(?:\s[^<>]{{0,200}})?>", regex.IGNORECASE)
_THOUGHT_END = regex.compile(rf"</\s*(?:{_TAGS})\s*>", regex.IGNORECASE)
_TRAILING_COMMA = regex.compile(r",(\s*[}\]])")
_MAX_CHARS = 50_000
_MAX_STARTS = 40
"""So many opening braces are tried; a text with more of them in vain is no answer."""
_WRAPPERS = ("arguments", "parameters", "args", "tool_input", "input", "answer", "result", "output", "response", "json")


def first_valid(text: str, schema: type[SchemaT]) -> SchemaT | None:
    """The first object in ``text`` that the schema accepts; None when there is none.

    Thoughts are passed over, fences and ``<tool_call>`` wrappers are looked through.
    """
    for candidate in _objects(text[:_MAX_CHARS]):
        if (found := validated(candidate, schema)) is not None:
            return found
    return None


def validated(candidate: Any, schema: type[SchemaT]) -> SchemaT | None:
    """The object as the schema has it, unwrapped when a model wrapped it in a call or an envelope."""
    for unwrapped in _unwrapped(candidate, depth=0):
        if not _speaks_of(unwrapped, schema):
            continue
        try:
            return schema.model_validate(unwrapped)
        except ValidationError:
            continue
    return None


def _objects(text: str) -> Iterator[Mapping[str, Any]]:
    shown = _without_thoughts(text)
    decoder = json.JSONDecoder(strict=False)
    at, starts = 0, 0
    while (at := shown.find("{", at)) >= 0 and starts < _MAX_STARTS:
        starts += 1
        found, end = _decode(decoder, shown, at)
        if isinstance(found, Mapping):
            yield found
        at = max(end, at + 1)


def _without_thoughts(text: str) -> str:
    """Without closed thoughts, and without all that stands before a closing mark that lost its opening one.

    An open-only thought stays: a model cut off while it thinks may have put its object there.
    """
    kept: list[str] = []
    at = 0
    while (end := _THOUGHT_END.search(text, at)) is not None:
        begin = _THOUGHT_BEGIN.search(text, at, end.start())
        if begin is None:
            kept.clear()
        else:
            kept.append(text[at : begin.start()])
        at = end.end()
    return "".join(kept) + text[at:]


def _decode(decoder: json.JSONDecoder, text: str, at: int) -> tuple[Any, int]:
    """(object, where it ends) at an opening brace; (None, at) when there is none."""
    try:
        return decoder.raw_decode(text, at)
    except RecursionError:
        return None, len(text)
    except ValueError:
        pass
    balanced = _balanced(text, at)
    if balanced is None:
        return None, at
    try:
        return json.loads(_TRAILING_COMMA.sub(r"\1", balanced), strict=False), at + len(balanced)
    except (ValueError, RecursionError):
        return None, at


def _balanced(text: str, at: int) -> str | None:
    """From the brace at ``at`` to the one that closes it, strings minded."""
    depth, quoted, escaped = 0, False, False
    for index in range(at, len(text)):
        sign = text[index]
        if escaped:
            escaped = False
        elif quoted:
            escaped = sign == "\\"
            quoted = sign != '"'
        elif sign == '"':
            quoted = True
        elif sign in "{}":
            depth += 1 if sign == "{" else -1
            if depth == 0:
                return text[at : index + 1]
    return None


def _unwrapped(candidate: Any, *, depth: int) -> Iterator[Any]:
    """What may be meant: the contents of a wrapper before the wrapper itself."""
    if isinstance(candidate, str):
        try:
            candidate = json.loads(candidate, strict=False)
        except (ValueError, RecursionError):
            return
    if not isinstance(candidate, Mapping):
        return
    if depth < 3:
        function = candidate.get("function")
        inner = [function] if isinstance(function, Mapping) else []
        inner += [candidate[key] for key in _WRAPPERS if key in candidate]
        for value in inner:
            yield from _unwrapped(value, depth=depth + 1)
    yield candidate


def _speaks_of(candidate: Any, schema: type[BaseModel]) -> bool:
    """Whether the object names at least one field of the schema: a schema of defaults accepts anything otherwise."""
    names = set(schema.model_fields)
    names |= {f.alias for f in schema.model_fields.values() if f.alias}
    names |= {str(f.validation_alias) for f in schema.model_fields.values() if isinstance(f.validation_alias, str)}
    return isinstance(candidate, Mapping) and bool(names & set(candidate))


def instructions(schema: type[BaseModel]) -> str:
    """What a model is told where the server cannot be given the schema itself."""
    compact = json.dumps(strict_schema(schema), ensure_ascii=False, separators=(",", ":"))
    return f"Answer with one JSON object and nothing else. Its JSON schema: {compact}"


def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The schema as strict servers want it: every field required, nothing additional, no defaults or titles."""
    strict: dict[str, Any] = _strict(schema.model_json_schema())
    return strict


def _strict(node: Any, *, names: bool = False) -> Any:
    if isinstance(node, list):
        return [_strict(item) for item in node]
    if not isinstance(node, dict):
        return node
    if names:
        return {name: _strict(value) for name, value in node.items()}
    kept = {k: _strict(v, names=k in ("properties", "$defs")) for k, v in node.items() if k not in ("default", "title")}
    if kept.get("type") == "object" and "properties" in kept:
        kept["required"] = list(kept["properties"])
        kept["additionalProperties"] = False
    return kept
