"""The structured-output ladder: what servers differ in, and what is remembered of each (base URL, model).

A server refuses a rung, ignores it, or keeps it. What worked is remembered in memory for this process; after a day the
top is tried again, because servers are upgraded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, TypeAlias

from pydantic import BaseModel

from orchestration.llm_failures import Failure
from orchestration.llm_json import instructions, strict_schema
from orchestration.llm_settings import RESPONSES
from orchestration.ports import PromptMessage


class Rung(StrEnum):
    FUNCTION_CALLING = "function_calling"
    JSON_SCHEMA = "json_schema"
    JSON_MODE = "json_mode"
    PLAIN = "plain"


_RESPONSES_RUNGS = (Rung.JSON_SCHEMA, Rung.FUNCTION_CALLING, Rung.JSON_MODE, Rung.PLAIN)
_CHAT_RUNGS = (Rung.FUNCTION_CALLING, Rung.JSON_SCHEMA, Rung.JSON_MODE, Rung.PLAIN)

Key: TypeAlias = tuple[str, str]


def rungs_of(wire_api: str) -> tuple[Rung, ...]:
    """From the best to the plainest."""
    return _RESPONSES_RUNGS if wire_api == RESPONSES else _CHAT_RUNGS


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """How a rung asks: the messages, ChatOpenAI's options, fields of the request's body."""

    messages: tuple[PromptMessage, ...]
    options: Mapping[str, Any]
    body: Mapping[str, Any]


def ask_by(rung: Rung, messages: tuple[PromptMessage, ...], schema: type[BaseModel], wire_api: str) -> Request:
    name = re.sub(r"[^A-Za-z0-9_-]", "_", schema.__name__)[:60]
    if rung is Rung.FUNCTION_CALLING:
        function = {"name": name, "description": "Gives the answer.", "parameters": strict_schema(schema)}
        choice = {"type": "function", "function": {"name": name}}
        tools = {"tools": [{"type": "function", "function": function}], "tool_choice": choice}
        return Request(messages=messages, options=tools, body={})
    if rung is Rung.JSON_SCHEMA:
        named = {"name": name, "schema": strict_schema(schema), "strict": True}
        return Request(messages=messages, options={}, body=_format("json_schema", named, wire_api))
    told = _told(messages, instructions(schema))
    if rung is Rung.JSON_MODE:
        return Request(messages=told, options={}, body=_format("json_object", None, wire_api))
    return Request(messages=told, options={}, body={})


def _format(kind: str, named: Mapping[str, Any] | None, wire_api: str) -> dict[str, Any]:
    # Through the body, not ChatOpenAI's response_format: that one parses by itself and raises what it cannot read.
    if wire_api == RESPONSES:
        return {"text": {"format": {"type": kind, **(named or {})}}}
    return {"response_format": {"type": kind, **({"json_schema": dict(named)} if named else {})}}


def _told(messages: tuple[PromptMessage, ...], text: str) -> tuple[PromptMessage, ...]:
    """With ``text`` in the system message, so that the person's words stay last."""
    if messages and messages[0].role == "system":
        return (replace(messages[0], text=f"{messages[0].text}\n\n{text}"), *messages[1:])
    return (PromptMessage(role="system", text=text), *messages)


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """How a server wants its requests, beside structured output. ``legacy_max_tokens`` None: by the address."""

    temperature: bool = True
    legacy_max_tokens: bool | None = None
    strict_roles: bool = False
    """One system message at most, user and assistant strictly taking turns (many chat templates insist)."""


def adapted(dialect: Dialect, failure: Failure, *, official: bool) -> Dialect | None:
    """The dialect to try after a refusal that names what it did not like; None when it names nothing we can change."""
    hint = failure.hint
    if failure.status not in (400, 422, 500) or not hint:
        return None
    if "temperature" in hint and dialect.temperature:
        return replace(dialect, temperature=False)
    if ("max_tokens" in hint or "max_completion_tokens" in hint) and dialect.legacy_max_tokens is None:
        return replace(dialect, legacy_max_tokens=official)
    if not dialect.strict_roles and re.search(r"alternat|system (role|message)|roles? must|jinja|template", hint):
        return replace(dialect, strict_roles=True)
    return None


def in_strict_roles(messages: tuple[PromptMessage, ...]) -> tuple[PromptMessage, ...]:
    """The same words for templates that know no system message and want user and assistant to take turns."""
    merged: list[PromptMessage] = []
    for message in messages:
        role = "assistant" if message.role == "assistant" else "user"
        if merged and merged[-1].role == role:
            merged[-1] = replace(merged[-1], text=f"{merged[-1].text}\n\n{message.text}")
        else:
            merged.append(PromptMessage(role=role, text=message.text))
    if merged and merged[0].role == "assistant":
        merged.insert(0, PromptMessage(role="user", text="…"))
    return tuple(merged)


def refuses_rung(failure: Failure) -> bool:
    """Whether the server says no to this way of asking (another way may be welcome), not to being asked."""
    if failure.status in (400, 405, 415, 422, 501):
        return True
    words = r"tool|function|schema|response_format|json|grammar|jinja"
    return failure.status in (404, 500) and re.search(words, failure.hint) is not None


@dataclass(slots=True, kw_only=True)
class _Known:
    rung: Rung
    since: float
    strikes: int = 0


class ServerMemory:
    """What this process learnt of its servers. ``clock`` gives seconds that only grow."""

    STAYS_S = 86_400.0
    STRIKES = 2
    """So often must a rung be ignored before the next one is taken at once: anybody may stumble once."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._known: dict[Key, _Known] = {}
        self._dialects: dict[Key, Dialect] = {}

    def dialect(self, key: Key) -> Dialect:
        return self._dialects.get(key, Dialect())

    def speaks(self, key: Key, dialect: Dialect) -> None:
        self._dialects[key] = dialect

    def start(self, key: Key, rungs: tuple[Rung, ...]) -> int:
        """The rung to begin with."""
        known = self._known.get(key)
        if known is None or self._clock() - known.since > self.STAYS_S:
            return 0
        return rungs.index(known.rung) if known.rung in rungs else 0

    def kept(self, key: Key, rung: Rung) -> None:
        """The rung gave an object, or all above it were refused."""
        known = self._known.get(key)
        if known is None or known.rung is not rung:
            self._known[key] = _Known(rung=rung, since=self._clock())
        else:
            known.strikes = 0

    def ignored(self, key: Key, rung: Rung, instead: Rung) -> None:
        """The server took the request, did not keep to it, and did better when asked by ``instead``."""
        known = self._known.get(key)
        if known is None or known.rung is not rung:
            known = self._known[key] = _Known(rung=rung, since=self._clock())
        known.strikes += 1
        if known.strikes >= self.STRIKES:
            self._known[key] = _Known(rung=instead, since=self._clock())
