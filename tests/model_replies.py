"""What a scripted model server may be told to say, and the faults of model servers seen in the wild, by name."""

from __future__ import annotations

from collections.abc import Mapping
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
