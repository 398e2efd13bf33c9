"""What a scripted model server may say, and how it looks on the wire (chat completions and responses API)."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

PROVIDER_TEXT = "PROVIDER-INTERNAL upstream shard 7 exploded at /srv/inference.py:42"
"""Stands in every error body: nothing of it may ever reach a chat, a log or an error of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """A model's own speed: seconds to the first token, then tokens a second."""

    first_s: float = 0.3
    tokens_per_s: float = 80.0

    def seconds(self, tokens: int) -> float:
        return self.first_s + tokens / self.tokens_per_s


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """One answer. ``fault`` names how the wire fails; ``body`` overrides the whole JSON body (or raw text)."""

    text: str = ""
    obj: Any = None
    """An object the caller asked for: goes out as tool arguments or as JSON text, whichever the request wants."""
    arguments: str | Mapping[str, Any] | None = None
    """Raw tool arguments, sent as they are (malformed ones too)."""
    reasoning: str = ""
    finish: str | None = "stop"
    usage: Mapping[str, int] | None = field(default_factory=lambda: {"prompt": 100, "completion": 20})
    model: str | None = None
    tokens: int | None = None
    """How many tokens the paced mode counts for the text (default: estimated)."""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: Any = None
    pace: Pace | None = None
    delay_s: float = 0.0
    fault: str = ""
    """One of: hang, cut, cut_body, endless, slow_body, truncated (empty: the wire is well)."""

    @classmethod
    def of(cls, raw: Any) -> Reply:
        """A str is a text, a dict either names fields of Reply or is an object to answer with."""
        if isinstance(raw, Reply):
            return raw
        if isinstance(raw, str):
            return FAULTS[raw.removeprefix("fault:")] if raw.startswith("fault:") else Reply(text=raw)
        if isinstance(raw, Mapping):
            known = {f.name for f in fields(cls)}
            if raw and set(raw) <= known:
                values = dict(raw)
                if isinstance(values.get("pace"), Mapping):
                    values["pace"] = Pace(**values["pace"])
                return cls(**values)
        return cls(obj=raw)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One recorded call. ``body`` is the parsed JSON."""

    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def responses_api(self) -> bool:
        return self.path.endswith("/responses")

    @property
    def messages(self) -> list[tuple[str, str]]:
        """(role, text) pairs in order, whatever the wire API."""
        raw = self.body.get("input" if self.responses_api else "messages") or []
        if isinstance(raw, str):
            return [("user", raw)]
        return [(str(m.get("role", "")), _flat(m.get("content"))) for m in raw if isinstance(m, Mapping)]

    @property
    def text(self) -> str:
        """Everything the model reads, joined."""
        return "\n".join(text for _, text in self.messages)

    @property
    def system(self) -> str:
        return "\n".join(text for role, text in self.messages if role in ("system", "developer"))

    @property
    def last_user(self) -> str:
        return next((text for role, text in reversed(self.messages) if role == "user"), "")

    @property
    def stream(self) -> bool:
        return bool(self.body.get("stream"))

    @property
    def tools(self) -> list[str]:
        """Names of the offered tools."""
        found = []
        for tool in self.body.get("tools") or []:
            found.append(str((tool.get("function") or tool).get("name", "")))
        return found

    @property
    def format(self) -> str:
        """``json_schema``, ``json_object`` or "" (free text), as asked for in the request."""
        if self.responses_api:
            return str(((self.body.get("text") or {}).get("format") or {}).get("type", "")).removeprefix("text")
        return str((self.body.get("response_format") or {}).get("type", "")).removeprefix("text")

    @property
    def rung(self) -> str:
        """Which rung of the structured-output ladder this request stands on."""
        if self.tools:
            return "function_calling"
        return {"json_schema": "json_schema", "json_object": "json_mode"}.get(self.format, "plain")

    @property
    def characters(self) -> int:
        return len(self.text)


def _flat(content: Any) -> str:
    if isinstance(content, str):
        return content
    if isinstance(content, Sequence):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, Mapping))
    return ""


def tokens_in(text: str) -> int:
    return max(1, math.ceil(len(text.encode()) / 4))


def parts(request: Request, reply: Reply) -> tuple[str, str | Mapping[str, Any] | None]:
    """(text, tool arguments) that answer this request."""
    if reply.arguments is not None:
        return (reply.text, reply.arguments) if request.tools else (reply.text or _raw(reply.arguments), None)
    if reply.obj is not None:
        encoded = json.dumps(reply.obj, ensure_ascii=False)
        return ("", encoded) if request.tools else (encoded, None)
    return reply.text, None


def _raw(arguments: str | Mapping[str, Any]) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def usage_of(reply: Reply, *, responses_api: bool) -> dict[str, Any] | None:
    if reply.usage is None:
        return None
    prompt, completion = reply.usage.get("prompt", 0), reply.usage.get("completion", 0)
    if responses_api:
        return {
            "input_tokens": prompt,
            "input_tokens_details": {"cached_tokens": 0},
            "output_tokens": completion,
            "output_tokens_details": {"reasoning_tokens": 0},
            "total_tokens": prompt + completion,
        }
    return {"prompt_tokens": prompt, "completion_tokens": completion, "total_tokens": prompt + completion}


def chat_body(request: Request, reply: Reply, number: int) -> dict[str, Any]:
    """The body of a chat completion."""
    text, arguments = parts(request, reply)
    message: dict[str, Any] = {"role": "assistant", "content": text or None if arguments is not None else text}
    if reply.reasoning:
        message["reasoning_content"] = reply.reasoning
    finish = reply.finish
    if arguments is not None:
        function = {"name": request.tools[0], "arguments": arguments}
        message["tool_calls"] = [{"id": f"call_{number}", "type": "function", "function": function}]
        finish = "tool_calls" if finish == "stop" else finish
    return {
        "id": f"chatcmpl-{number}",
        "object": "chat.completion",
        "created": 1_700_000_000,
        "model": reply.model or request.body.get("model", "scripted"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": usage_of(reply, responses_api=False),
    }


def responses_body(request: Request, reply: Reply, number: int) -> dict[str, Any]:
    """The body of a response of the responses API."""
    text, arguments = parts(request, reply)
    output: list[dict[str, Any]] = []
    if reply.reasoning:
        summary = [{"type": "summary_text", "text": reply.reasoning}]
        output.append({"type": "reasoning", "id": f"rs_{number}", "summary": summary})
    if text or arguments is None:
        content = [{"type": "output_text", "text": text, "annotations": []}]
        output.append(
            {
                "type": "message",
                "id": f"msg_{number}",
                "status": "completed",
                "role": "assistant",
                "content": content,
            }
        )
    if arguments is not None:
        call = {"type": "function_call", "id": f"fc_{number}", "call_id": f"call_{number}", "status": "completed"}
        output.append({**call, "name": request.tools[0], "arguments": arguments})
    cut = reply.finish == "length"
    return {
        "id": f"resp_{number}",
        "object": "response",
        "created_at": 1_700_000_000,
        "status": "incomplete" if cut else ("completed" if reply.finish else None),
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None,
        "error": None,
        "model": reply.model or request.body.get("model", "scripted"),
        "output": output,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
        "usage": usage_of(reply, responses_api=True),
    }


def error_body(status: int, request: Request) -> dict[str, Any]:
    """A provider's error as they are in the wild: chatty, and echoing the key."""
    key = request.headers.get("Authorization", "")
    return {"error": {"message": f"{PROVIDER_TEXT}; credentials: {key}", "type": "provider_error", "code": status}}


HTML = f"<!DOCTYPE html><html><body><h1>502 Bad Gateway</h1><p>{PROVIDER_TEXT}</p></body></html>"
TOOL_XML = '<tool_call>\n{"name": "search", "arguments": {"q": "weather"}}\n</tool_call>'

FAULTS: dict[str, Reply] = {
    "400": Reply(status=400),
    "401": Reply(status=401),
    "403": Reply(status=403),
    "404": Reply(status=404),
    "429": Reply(status=429),
    "429_retry_after": Reply(status=429, headers={"Retry-After": "1"}),
    "429_retry_after_long": Reply(status=429, headers={"Retry-After": "3600"}),
    "500": Reply(status=500),
    "503": Reply(status=503),
    "html": Reply(body=HTML, headers={"Content-Type": "text/html"}),
    "html_as_json": Reply(body=HTML, headers={"Content-Type": "application/json"}),
    "choices_empty": Reply(body={"id": "x", "object": "chat.completion", "choices": [], "output": []}),
    "choices_null": Reply(body={"id": "x", "object": "chat.completion", "choices": None, "output": None}),
    "error_in_200": Reply(
        body={"error": {"code": 429, "message": PROVIDER_TEXT}, "choices": None, "output": [], "status": "failed"}
    ),
    "error_500_in_200": Reply(
        body={"error": {"code": "500", "message": PROVIDER_TEXT}, "choices": None, "output": [], "status": "failed"}
    ),
    "null_body": Reply(body="null", headers={"Content-Type": "application/json"}),
    "number_body": Reply(body="42", headers={"Content-Type": "application/json"}),
    "empty": Reply(text=""),
    "blank": Reply(text=" \n\u200b\n"),
    "length": Reply(text="I would start small. Then grow it week by week. And then you should defin", finish="length"),
    "length_empty": Reply(text="", finish="length"),
    "no_finish": Reply(text="I would start sm", finish=None),
    "content_filter": Reply(text="", finish="content_filter"),
    "truncated": Reply(text="I would start small and then see.", fault="truncated"),
    "tool_xml": Reply(text=TOOL_XML),
    "tool_xml_after_text": Reply(text=f"Let me look.\n{TOOL_XML}"),
    "think": Reply(text="<think>The user wants SECRET-THOUGHT.</think>\n\nGood morning!"),
    "think_open": Reply(text="<think>SECRET-THOUGHT without an end"),
    "think_closed_only": Reply(text="SECRET-THOUGHT goes here</think>Good morning!"),
    "reasoning": Reply(text="Good morning!", reasoning="SECRET-THOUGHT"),
    "reasoning_only": Reply(text="", reasoning="SECRET-THOUGHT"),
    "bad_arguments": Reply(arguments='{"agents": ["a1", "a2"'),
    "arguments_object": Reply(arguments={"unexpected": True}),
    "wrong_ids": Reply(
        body={
            "id": None,
            "object": "banana",
            "created": "yesterday",
            "model": 7,
            "choices": [
                {
                    "index": 9,
                    "message": {"role": "assistant", "content": "Good morning!", "tool_calls": None},
                    "finish_reason": "stop",
                }
            ],
            "output": [
                {
                    "id": "",
                    "type": "message",
                    "role": "assistant",
                    "status": "done?",
                    "content": [{"type": "output_text", "text": "Good morning!", "annotations": []}],
                }
            ],
            "status": "completed",
            "usage": None,
        }
    ),
    "endless": Reply(text="blah ", fault="endless"),
    "hang": Reply(fault="hang"),
    "cut": Reply(fault="cut"),
    "cut_body": Reply(text="Good morning!", fault="cut_body"),
    "slow_body": Reply(text="Good morning!", fault="slow_body"),
}
