"""Waiting in tests: for a condition, never for a while."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

LIMIT_S = 60.0


async def until(true: Callable[[], Any], limit_s: float = LIMIT_S) -> Any:
    """Polls until the condition (plain or awaitable) holds and returns its value; fails when it does not in time."""
    ends = monotonic() + limit_s
    while True:
        found = true()
        if isinstance(found, Awaitable):
            found = await found
        if found:
            return found
        assert monotonic() < ends, "it never came to pass"
        await asyncio.sleep(0.02)
