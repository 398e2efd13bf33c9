"""How requests and answers look on the wire: chat completions and the responses API."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.model_replies import FAULTS, PROVIDER_TEXT, Pace, Reply

__all__ = ["FAULTS", "PROVIDER_TEXT", "Pace", "Reply", "Request"]


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


def chunk(request: Request, delta: Mapping[str, Any], finish: str | None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-s",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": request.body.get("model", "scripted"),
        "choices": [{"index": 0, "delta": dict(delta), "finish_reason": finish}],
    }


def chat_events(request: Request, reply: Reply, number: int) -> list[Any]:
    text, arguments = parts(request, reply)
    events: list[Any] = [chunk(request, {"role": "assistant"}, None)]
    if reply.reasoning:
        events.append(chunk(request, {"reasoning_content": reply.reasoning}, None))
    if arguments is not None:
        function = {"name": request.tools[0], "arguments": arguments}
        call = {"index": 0, "id": f"call_{number}", "type": "function", "function": function}
        events.append(chunk(request, {"tool_calls": [call]}, None))
    events += [chunk(request, {"content": piece}, None) for piece in re.findall(r"\s*\S+|\s+$", text)]
    if reply.fault == "endless":
        return events
    if reply.finish:
        events.append(chunk(request, {}, reply.finish))
    if (usage := usage_of(reply, responses_api=False)) and (request.body.get("stream_options") or {}).get(
        "include_usage"
    ):
        events.append({**chunk(request, {}, None), "choices": [], "usage": usage})
    return [*events, "[DONE]"]


def responses_events(request: Request, reply: Reply, number: int) -> list[Any]:
    text, _ = parts(request, reply)
    body = responses_body(request, reply, number)
    started = {**body, "status": "in_progress", "output": [], "usage": None}
    at = {"item_id": f"msg_{number}", "output_index": 0, "content_index": 0}
    events: list[dict[str, Any]] = [{"type": "response.created", "response": started}]
    for piece in re.findall(r"\s*\S+|\s+$", text):
        events.append({"type": "response.output_text.delta", **at, "delta": piece, "logprobs": []})
    events.append(
        {"type": "response.incomplete" if reply.finish == "length" else "response.completed", "response": body}
    )
    return [{**event, "sequence_number": index} for index, event in enumerate(events)]
