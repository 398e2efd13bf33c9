"""Work that outlives its occasion begins in a context of its own.

What a handler's context carries (log fields of the event, a test harness's transport and clock) must not cling to the
turn that the event sets off: tasks inherit the context they are begun in.
"""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Awaitable, Callable
from typing import TypeVar

from orchestration.model import ChatKey, IncomingMessage, Person
from orchestration.ports import Ingress, Received

T = TypeVar("T")


class Apart:
    """Calls it and waits for it, in a fresh context from ``context``; a cancelled caller cancels the work."""

    def __init__(self, context: Callable[[], contextvars.Context]) -> None:
        self._context = context

    async def __call__(self, work: Awaitable[T]) -> T:
        return await self._context().run(asyncio.ensure_future, work)


class IngressApart:
    """An `Ingress` whose calls run apart."""

    def __init__(self, ingress: Ingress, apart: Apart) -> None:
        self._ingress = ingress
        self._apart = apart

    async def receive(self, message: IncomingMessage) -> Received:
        return await self._apart(self._ingress.receive(message))

    async def edited(self, chat: ChatKey, external_id: str, text: str) -> None:
        await self._apart(self._ingress.edited(chat, external_id, text))

    async def deleted(self, chat: ChatKey, external_id: str) -> None:
        await self._apart(self._ingress.deleted(chat, external_id))

    async def chosen(self, chat: ChatKey, person: Person, choice_id: str) -> bool:
        return await self._apart(self._ingress.chosen(chat, person, choice_id))
