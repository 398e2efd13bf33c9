"""Things to store: a small world of chats, and records with every field filled."""

from __future__ import annotations

import dataclasses
import types
import typing
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any, TypeVar

from orchestration.events import EventKind, NewEvent
from orchestration.model import (
    AgentCard,
    ChatKey,
    GroupChat,
    IncomingMessage,
    OutboxItem,
    OutboxKind,
    Person,
)
from orchestration.ports import Storage
from orchestration.turns import TurnRecord, turn_id_of

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)
NOWHERE = 2_000_000_000
"""The id of nothing."""
ANN = Person(id="console:Ann", name="Ann")
_T = TypeVar("_T")


def later(seconds: float) -> datetime:
    return NOW + timedelta(seconds=seconds)


def key(channel: str = "lobby", *, tenant: str = "guild", thread: str = "", platform: str = "console") -> ChatKey:
    return ChatKey(platform=platform, tenant_id=tenant, channel_id=channel, thread_id=thread)


async def new_chat(storage: Storage, chat_key: ChatKey | None = None) -> GroupChat:
    async with storage.begin() as unit:
        return await unit.chats.ensure(chat_key or key(), at=NOW)


def said(text: str = "hello", *, external_id: str = "m1", **more: Any) -> IncomingMessage:
    values = dict(chat=key(), external_id=external_id, author=ANN, text=text, sent_at=NOW) | more
    return IncomingMessage(**values)


def a_turn(chat: GroupChat, seq: int = 1, **more: Any) -> TurnRecord:
    values = dict(
        id=turn_id_of(chat.id, seq),
        chat_id=chat.id,
        tenant_id=chat.tenant_id,
        seq=seq,
        trace_id="t",
        person_id=ANN.id,
        created_at=NOW,
        last_line_at=NOW,
    )
    return TurnRecord(**values | more)


def a_post(chat: GroupChat, id: str = "o:1", **more: Any) -> OutboxItem:
    values = dict(id=id, chat_id=chat.id, kind=OutboxKind.REPLY, text="hi", created_at=NOW)
    return OutboxItem(**values | more)


def happened(kind: EventKind = EventKind.TURN_STARTED, **more: Any) -> NewEvent:
    return NewEvent(**dict(kind=kind, at=NOW, content={}) | more)


MIRA = AgentCard(id="mira", name="Mira", version=0)


def filled(kind: type[_T], **fixed: Any) -> _T:
    """A record in which no field has its default, so that a storage which forgets one is found out."""
    hints = typing.get_type_hints(kind)
    values = {
        field.name: fixed[field.name] if field.name in fixed else _value(hints[field.name], field.name, field.default)
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
    }
    return kind(**values)


def _value(hint: Any, name: str, default: Any) -> Any:
    if typing.get_origin(hint) in (types.UnionType, typing.Union):
        hint = next(choice for choice in typing.get_args(hint) if choice is not types.NoneType)
    if typing.get_origin(hint) is tuple:
        return tuple(_value(typing.get_args(hint)[0], f"{name} {n}", None) for n in (1, 2))
    if dataclasses.is_dataclass(hint):
        return filled(hint)  # type: ignore[arg-type]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return next(member for member in hint if member is not default)
    if hint is datetime:
        return later(len(name))
    plain = {str: f"{name} 火锅", int: 40 + len(name), float: 0.125, bool: not default}
    return plain[hint]
