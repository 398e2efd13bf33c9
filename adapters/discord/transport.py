"""How requests travel: one patient HTTP transport for webhooks, interactions and all that the bot itself asks for.

discord.py's stock webhook transport posts up to three copies when a server creates a message and then answers 503,
and stays locked for ever when a send is cancelled while it waits (docs/discord.md, "Measured"). This one never repeats
a POST whose outcome is unknown, waits with a limit, gives its lock back whatever happens, and names no address.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final
from urllib.parse import quote

import aiohttp
import discord
from discord import utils
from discord.http import Route
from discord.webhook.async_ import AsyncWebhookAdapter

from adapters.discord.recent import Recent
from orchestration.errors import AdapterError

USER_AGENT: Final = f"DiscordBot (https://github.com/Rapptz/discord.py, {discord.__version__})"
TIMEOUT_S: Final = 15.0
MAX_WAIT_S: Final = 65.0
"""A rate limit that asks for more than this is handed to the caller instead of being waited out."""
LEAST_PAUSE_S: Final = 0.1
"""After a refusal that asks for no time at all, or for none that can be read."""
RETRY_S: Final = (0.5, 1.0, 2.0)
WINDOW_S: Final = 60.0
REMEMBERED_S: Final = 600.0
"""How long a hidden limit counts: others post in the channel, too, and what they left us may have been little."""
MAX_BUDGETS: Final = 2048


class Interrupted(AdapterError):
    """The connection broke or took too long. ``reached``: the request may have been carried out."""

    def __init__(self, what: str, *, reached: bool) -> None:
        self.reached = reached
        super().__init__(what)


class Busy(AdapterError):
    """Discord asks for a longer wait than we stand for in a call: ``retry_after_s``."""

    def __init__(self, retry_after_s: float) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(f"Discord asks to wait {retry_after_s:.0f} s")


READING_FAULTS: Final = (discord.HTTPException, Interrupted, Busy, LookupError, TypeError, ValueError)
"""What asking Discord for something may meet: a refusal, a break, an answer of a shape that nobody knows."""


class Budget:
    """What one webhook (so: one channel) may send. Learnt from headers and refusals, never guessed beforehand."""

    def __init__(self) -> None:
        self._free_at = 0.0
        self._sent: deque[float] = deque()
        self._capacity: int | None = None
        self._learnt_at = 0.0

    def delay(self, now: float) -> float:
        """Seconds to wait before the next post."""
        while self._sent and self._sent[0] <= now - WINDOW_S:
            self._sent.popleft()
        wait = self._free_at - now
        if now - self._learnt_at > REMEMBERED_S:
            self._capacity = None
        if self._capacity is not None and len(self._sent) >= self._capacity:
            wait = max(wait, self._sent[-self._capacity] + WINDOW_S - now)
        return max(0.0, wait)

    def sent(self, now: float) -> None:
        self._sent.append(now)

    def exhausted(self, now: float, reset_after_s: float) -> None:
        """The headers say that nothing is left until then."""
        self._free_at = max(self._free_at, now + reset_after_s)

    def refused(self, now: float, retry_after_s: float) -> None:
        """A 429. A long one tells of a hidden limit per minute that no header shows: what went through is what fits."""
        self.exhausted(now, retry_after_s)
        if retry_after_s >= 10:
            self._capacity, self._learnt_at = max(5, len(self._sent)), now


class PatientTransport(AsyncWebhookAdapter):
    """Stands in for discord.py's stock adapter; ``api_base_url`` (with /api/v10) moves every request there."""

    def __init__(self, *, api_base_url: str | None, timeout_s: float = TIMEOUT_S) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._base = (api_base_url or "").rstrip("/")
        self._timeout = aiohttp.ClientTimeout(total=timeout_s)
        self._everything = Budget()
        """The limit for all requests of the bot together; interactions are not under it."""
        self.application_id: int | None = None
        """Whose webhook calls are answers to interactions; known once the client has logged in."""
        self._queues: dict[Any, asyncio.Lock] = {}
        self._budgets: Recent[Budget] = Recent(MAX_BUDGETS)

    def moved(self, url: str) -> str:
        """The address under the configured base."""
        return self._base + url.removeprefix(Route.BASE) if self._base else url

    async def request(
        self,
        route: Route,
        session: aiohttp.ClientSession,
        *,
        payload: dict[str, Any] | None = None,
        multipart: list[dict[str, Any]] | None = None,
        proxy: str | None = None,
        proxy_auth: aiohttp.BasicAuth | None = None,
        files: Sequence[discord.File] | None = None,
        reason: str | None = None,
        auth_token: str | None = None,
        params: dict[str, Any] | None = None,
    ) -> Any:
        """As the stock adapter. Raises discord's own errors, `Interrupted` or `Busy`."""
        headers = _headers(payload is not None, auth_token, reason)

        def call() -> Any:
            for file in files or ():
                file.reset()
            return session.request(
                route.method,
                self.moved(route.url),
                data=_body(payload, multipart),
                headers=headers,
                params=params,
                proxy=proxy,
                proxy_auth=proxy_auth,
                timeout=self._timeout,
            )

        key = _bucket(route)
        async with _Turn(self._queues, key):
            return await self._answer(route, key, call)

    async def _answer(self, route: Route, key: Any, call: Callable[[], Any]) -> Any:
        """The decoded answer of the call, after as many tries as are safe."""
        budget = self._budget(key)
        clock = asyncio.get_running_loop().time
        posts = route.method == "POST"
        tries, waited = 0, 0.0
        everything = Budget() if self._is_interaction(route) else self._everything
        while True:
            wait = max(budget.delay(clock()), everything.delay(clock()))
            waited += wait
            if waited > MAX_WAIT_S:
                raise Busy(wait)
            await asyncio.sleep(wait)
            try:
                response, data = await _sent(call)
            except Interrupted as fault:
                if (posts and fault.reached) or tries >= len(RETRY_S):
                    raise
                await asyncio.sleep(RETRY_S[tries])
                tries += 1
                continue
            if response.status < 300:
                budget.sent(clock())
                if response.headers.get("X-Ratelimit-Remaining") == "0":
                    budget.exhausted(clock(), _seconds(response.headers.get("X-Ratelimit-Reset-After")))
                return data
            if response.status == 429 and (pause := _pause(response, data)) is not None:
                if _is_for_everything(response, data):
                    everything.exhausted(clock(), pause)
                else:
                    budget.refused(clock(), pause)
                continue
            if response.status >= 500 and not posts and tries < len(RETRY_S):
                await asyncio.sleep(RETRY_S[tries])
                tries += 1
                continue
            raise _error(response, data)

    def _is_interaction(self, route: Route) -> bool:
        answers = route.webhook_id is not None and route.webhook_id == self.application_id
        return answers or route.path.startswith("/interactions/")

    def _budget(self, key: Any) -> Budget:
        """The key's budget (those of interactions come and go)."""
        return self._budgets.get(key) or self._budgets.put(key, Budget())


def _headers(has_json: bool, auth_token: str | None, reason: str | None) -> dict[str, str]:
    headers = {"User-Agent": USER_AGENT}
    if has_json:
        headers["Content-Type"] = "application/json"
    if auth_token is not None:
        headers["Authorization"] = f"Bot {auth_token}"
    if reason is not None:
        headers["X-Audit-Log-Reason"] = quote(reason, safe="/ ")
    return headers


def _body(payload: dict[str, Any] | None, multipart: list[dict[str, Any]] | None) -> Any:
    """A fresh body for each try: a form can be sent once."""
    if not multipart:
        return utils._to_json(payload) if payload is not None else None
    form = aiohttp.FormData(quote_fields=False)
    for field in multipart:
        form.add_field(**field)
    return form


async def _sent(call: Callable[[], Any]) -> tuple[aiohttp.ClientResponse, Any]:
    """One request. No exception of the HTTP library gets out: their texts may hold the address and its token."""
    try:
        async with call() as response:
            return response, _decoded(response, await response.text(encoding="utf-8", errors="replace"))
    except aiohttp.ClientConnectorError:
        raise Interrupted("no connection to Discord", reached=False) from None
    except RuntimeError:
        raise Interrupted("the client is closed", reached=False) from None
    except TimeoutError:
        raise Interrupted("Discord took too long to answer", reached=True) from None
    except (aiohttp.ClientError, OSError, ValueError) as error:
        raise Interrupted(f"the connection to Discord broke ({type(error).__name__})", reached=True) from None


def _seconds(value: str | None) -> float:
    try:
        return max(0.0, float(value or 0))
    except ValueError:
        return 0.0


def _pause(response: aiohttp.ClientResponse, data: Any) -> float | None:
    """Seconds that a refusal asks for, from its body or, where a proxy wrote that, its headers."""
    told = data.get("retry_after") if isinstance(data, dict) else None
    told = response.headers.get("Retry-After") if told is None else told
    return None if told is None else max(LEAST_PAUSE_S, _seconds(str(told)))


def _is_for_everything(response: aiohttp.ClientResponse, data: Any) -> bool:
    """Whether a refusal is of the limit for all requests together."""
    told = isinstance(data, dict) and bool(data.get("global"))
    return told or "X-RateLimit-Global" in response.headers


def _decoded(response: aiohttp.ClientResponse, text: str) -> Any:
    """JSON where the answer says so (with or without a charset), else the text."""
    return utils._from_json(text) if response.content_type == "application/json" and text else text


def _error(response: aiohttp.ClientResponse, data: Any) -> discord.HTTPException:
    if response.status == 403:
        return discord.Forbidden(response, data)
    if response.status == 404:
        return discord.NotFound(response, data)
    if response.status >= 500:
        return discord.DiscordServerError(response, data)
    return discord.HTTPException(response, data)


def _bucket(route: Route) -> Any:
    """What shares a lock and a budget: a webhook; else the channel; interactions each have their own."""
    if route.webhook_id is not None:
        return ("webhook", route.webhook_id, route.webhook_token)
    return ("channel", route.channel_id, route.method, route.path)


class _Turn:
    """First come, first served per key; the lock disappears with its last user, also when that one is cancelled."""

    def __init__(self, locks: dict[Any, asyncio.Lock], key: Any) -> None:
        self._locks = locks
        self._key = key

    async def __aenter__(self) -> None:
        self._lock = self._locks.setdefault(self._key, asyncio.Lock())
        await self._lock.acquire()

    async def __aexit__(self, *_: object) -> None:
        self._lock.release()
        if not self._lock.locked() and not getattr(self._lock, "_waiters", None):
            self._locks.pop(self._key, None)
