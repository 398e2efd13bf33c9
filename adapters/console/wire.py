"""JSON lines of `chat --json`: what comes in is checked, what goes out is one object on one line. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from orchestration.events import Event, Json
from orchestration.model import AgentCard, OutboxItem, OutboxKind

MAX_ID_CHARS = 200
MAX_LINE_BYTES = 2_000_000
# Signs at which some readers end a line although JSON leaves them bare, and halves of characters.
_BARE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A person's words. ``id`` "" where the source knows none; ``author`` "" for the one who sits here."""

    text: str
    id: str = ""
    author: str = ""
    reply_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """A command line with its slash."""

    line: str
    author: str = ""
    reply_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Unreadable:
    """A line that is neither; ``code`` names the text that says so."""

    code: str


@dataclass(frozen=True, slots=True, kw_only=True)
class NewAgent:
    """What a person said in the `/agent add` dialogue: field names and words."""

    values: Mapping[str, str]


Entry = Said | Command | NewAgent | Unreadable


def read_line(line: bytes) -> Entry | None:
    """What a line of a program says; None for an empty one. Never raises."""
    if not line.strip():
        return None
    try:
        data = json.loads(line.decode("utf-8", "replace").removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return Unreadable(code="console_not_json")
    if not isinstance(data, dict):
        return Unreadable(code="console_not_object")
    author, reply_to = data.get("author"), _id(data.get("reply_to"))
    if author is not None and not isinstance(author, str):
        return Unreadable(code="console_bad_fields")
    command = data.get("command")
    if command is not None:
        if not isinstance(command, str) or not command.strip():
            return Unreadable(code="console_bad_fields")
        return Command(line=command.strip(), author=_whole(author or ""), reply_to=reply_to)
    line_id, text = _id(data.get("id")), data.get("text")
    if line_id is None or not isinstance(text, str):
        return Unreadable(code="console_bad_fields")
    return Said(id=line_id, author=_whole(author or ""), text=text, reply_to=reply_to)


def message_line(item: OutboxItem, agent: AgentCard | None) -> str:
    """A reply, with the outbox id as its message id."""
    return encode(
        {
            "type": "message",
            "message_id": item.id,
            "turn_id": item.turn_id,
            "agent_id": item.agent_id,
            "agent": agent.name if agent else item.agent_id,
            "text": item.text,
            "reply_to": item.reply_to_external,
        }
    )


def notice_line(text: str, *, line_id: str | None = None) -> str:
    line: dict[str, Json] = {"type": "notice", "text": text}
    return encode(line if line_id is None else {**line, "line_id": line_id})


def outbox_line(item: OutboxItem, agent: AgentCard | None) -> str:
    """Replies are messages; notices and questions are notices that carry their outbox id."""
    if item.kind is OutboxKind.REPLY:
        return message_line(item, agent)
    return notice_line(question(item), line_id=item.id)


def changed_line(told: str, item: OutboxItem, *, new_text: str | None) -> str:
    """A notice that the reply ``replaces`` reads ``with`` this text now, or (None) that it is taken back."""
    return encode({"type": "notice", "text": told, "replaces": item.id, "agent_id": item.agent_id, "with": new_text})


def event_line(event: Event) -> str:
    return encode(
        {
            "type": "event",
            "seq": event.seq,
            "kind": event.kind.value,
            "turn_id": event.turn_id,
            "block_id": event.block_id,
            "content": dict(event.content),
        }
    )


def question(item: OutboxItem) -> str:
    """The text of a notice or question, its choices numbered below."""
    return "\n".join([item.text, *(f"{n}. {choice.label}" for n, choice in enumerate(item.choices, start=1))])


def encode(data: dict[str, Json]) -> str:
    """One line of JSON that every reader takes for one line, and that UTF-8 can carry."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=str)
    return _BARE.sub(lambda found: f"\\u{ord(found.group()):04x}", text)


def _id(value: object) -> str | None:
    """A message id as text; None when it is no usable one."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    cleaned = _whole(str(value)).strip()
    return cleaned if 0 < len(cleaned) <= MAX_ID_CHARS and cleaned.isprintable() else None


def _whole(value: str) -> str:
    """Without halves of characters, which no database takes."""
    return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
