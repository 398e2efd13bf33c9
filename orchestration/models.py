"""The models of a process, one per role."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from orchestration.ports import ChatModel


async def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelSet:
    """Implements `ports.Models`. ``closing`` ends what the models hold open, ``warming`` readies what begins slowly."""

    writer: ChatModel
    router: ChatModel | None = None
    checker: ChatModel | None = None
    summariser: ChatModel | None = None
    closing: Callable[[], Awaitable[None]] = _nothing
    warming: Callable[[], Awaitable[None]] = _nothing

    async def close(self) -> None:
        await self.closing()

    async def warm(self) -> None:
        """Does beforehand what the first call would wait for. Never needed, never harmful, may fail as a call may."""
        await self.warming()
