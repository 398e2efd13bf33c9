"""Faults on the wire: what a request that matches gets instead of, or after, its real answer; and rate limits."""

from __future__ import annotations

import asyncio
import re
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any

from aiohttp import web

Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]


def answer(data: Any, *, status: int, headers: dict[str, str] | None = None) -> web.Response:
    """JSON under exactly the content type that discord.py takes for JSON."""
    response = web.json_response(data, status=status, headers=headers)
    response.headers["Content-Type"] = "application/json"
    return response


@dataclass(slots=True)
class Fault:
    """``after``: the request is carried out first, then answered wrongly. ``cut``: the connection is aborted."""

    method: str
    path: str
    times: int
    status: int = 503
    body: dict[str, Any] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)
    after: bool = False
    cut: bool = False
    delay_s: float = 0.0
    only_delay: bool = False
    hits: int = 0

    def matches(self, request: web.Request) -> bool:
        return self.times > 0 and request.method == self.method and re.search(self.path, request.path) is not None


class Faults:
    """The list of faults to come, first match first."""

    def __init__(self) -> None:
        self.list: list[Fault] = []

    def add(self, method: str, path: str, *, times: int = 1, **what: Any) -> Fault:
        fault = Fault(method=method, path=path, times=times, **what)
        self.list.append(fault)
        return fault

    async def run(self, request: web.Request, handler: Handler) -> web.StreamResponse:
        fault = next((fault for fault in self.list if fault.matches(request)), None)
        if fault is None:
            return await handler(request)
        fault.times -= 1
        fault.hits += 1
        if fault.delay_s and not fault.after:
            await asyncio.sleep(fault.delay_s)
        if fault.only_delay:
            return await handler(request)
        if fault.after:
            await handler(request)
            await asyncio.sleep(fault.delay_s)
        if fault.cut:
            assert request.transport is not None
            request.transport.abort()
        return answer(fault.body, status=fault.status, headers=fault.headers)


@dataclass(slots=True)
class Limit:
    """So many requests in a window. ``hidden``: no header tells, the refusal comes out of the blue."""

    count: int
    window_s: float
    hidden: bool = False
    sent: dict[str, deque[float]] = field(default_factory=dict)
    refusals: int = 0

    def check(self, key: str) -> web.Response | None:
        """A 429 when the key has used up its window; counts the request otherwise."""
        times = self.sent.setdefault(key, deque())
        now = time.monotonic()
        while times and times[0] <= now - self.window_s:
            times.popleft()
        if len(times) >= self.count:
            self.refusals += 1
            wait = round(times[0] + self.window_s - now + 0.01, 3)
            headers = {"Via": "1.1 fake", "X-RateLimit-Scope": "shared" if self.hidden else "user"}
            headers |= {"Retry-After": str(int(wait) + 1)}
            return answer(
                {"message": "You are being rate limited.", "retry_after": wait, "global": False},
                status=429,
                headers=headers,
            )
        times.append(now)
        return None

    def headers(self, key: str) -> dict[str, str]:
        if self.hidden:
            return {}
        times = self.sent.get(key, deque())
        left = max(0, self.count - len(times))
        reset = max(0.0, times[0] + self.window_s - time.monotonic()) if times else self.window_s
        return {
            "X-RateLimit-Limit": str(self.count),
            "X-RateLimit-Remaining": str(left),
            "X-RateLimit-Reset": str(time.time() + reset),
            "X-RateLimit-Reset-After": f"{reset:.3f}",
            "X-RateLimit-Bucket": key,
        }
