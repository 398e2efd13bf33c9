"""One bot's calls over HTTP: the library's `Bot` on a request object that tells sent from not sent.

All bots share one HTTP client; the long poll has its own, so that it never holds a slot of a send.
"""

from __future__ import annotations

import json
import re
from typing import Any

import httpx
from telegram import Bot
from telegram.error import NetworkError
from telegram.request import BaseRequest, HTTPXRequest, RequestData

from adapters.telegram.failures import Ambiguous, Flood, NotSent, ServerTrouble
from adapters.telegram.shapes import answer_shape

DEFAULT_ROOT = "https://api.telegram.org"
_RETRY_AFTER = re.compile(r"retry after (\d+)", re.IGNORECASE)
_MAKE_MESSAGES = ("sendMessage", "sendDocument", "sendPhoto")
_NEVER_LEFT = (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout, httpx.UnsupportedProtocol)


class Request(HTTPXRequest):
    """Raises NotSent, Ambiguous, ServerTrouble or Flood where the library would blur them.

    Its messages never hold an address: the address holds the token.
    """

    async def do_request(
        self,
        url: str,
        method: str,
        request_data: RequestData | None = None,
        read_timeout: Any = BaseRequest.DEFAULT_NONE,
        write_timeout: Any = BaseRequest.DEFAULT_NONE,
        connect_timeout: Any = BaseRequest.DEFAULT_NONE,
        pool_timeout: Any = BaseRequest.DEFAULT_NONE,
    ) -> tuple[int, bytes]:
        try:
            code, payload = await super().do_request(
                url, method, request_data, read_timeout, write_timeout, connect_timeout, pool_timeout
            )
        except Flood:
            raise
        except RuntimeError:
            raise NotSent("the client is closed") from None
        except NetworkError as error:
            kind = type(error.__cause__).__name__
            if isinstance(error.__cause__, _NEVER_LEFT):
                raise NotSent(f"no connection ({kind})") from None
            raise Ambiguous(f"no answer ({kind})") from None
        if method == "GET" and code == 200:  # a file, not an answer
            return code, payload
        return _judged(code, payload)


async def _flooded(response: httpx.Response) -> None:
    """429, whatever its body: how long to wait may stand in the JSON, in its words, or in a header alone."""
    if response.status_code == 429:
        raise Flood(_retry_after(_json(await response.aread()) or {}, response.headers.get("retry-after", "")))


def _judged(code: int, payload: bytes) -> tuple[int, bytes]:
    """The answer as the library may see it: whole, and with nothing in it that would trip it."""
    body = _json(payload)
    if body is None:
        if code == 200 or code >= 500:
            raise Ambiguous(f"no whole answer (HTTP {code})")
        # A proxy's page: the library would log and quote it.
        raise NetworkError(f"HTTP {code} without JSON")
    if body["ok"] is True and code < 300:
        if "result" not in body:
            raise Ambiguous("an answer without a result")
        return code, payload
    told = body.get("error_code")
    code = code if code >= 400 else told if type(told) is int and told >= 400 else 400
    if code == 429:
        raise Flood(_retry_after(body))
    if code >= 500:
        raise ServerTrouble(f"server error {code}")
    return code, json.dumps(_refusal(body)).encode()


def _refusal(body: dict[str, Any]) -> dict[str, Any]:
    out: dict[str, Any] = {"ok": False, "description": str(body.get("description") or "")}
    moved = _parameters(body).get("migrate_to_chat_id")
    if isinstance(moved, int | str) and str(moved).lstrip("-").isdigit():
        out["parameters"] = {"migrate_to_chat_id": int(moved)}
    return out


def _json(payload: bytes) -> dict[str, Any] | None:
    try:
        body = json.loads(payload)
    except (ValueError, RecursionError):
        return None
    return body if isinstance(body, dict) and "ok" in body else None


def _parameters(body: dict[str, Any]) -> dict[str, Any]:
    parameters = body.get("parameters")
    return parameters if isinstance(parameters, dict) else {}


def _retry_after(body: dict[str, Any], header: str = "") -> float:
    words = _RETRY_AFTER.search(str(body.get("description", "")))
    for told in (_parameters(body).get("retry_after"), words and words.group(1), header):
        seconds = str(told or "").strip()
        if seconds.replace(".", "", 1).isdecimal():
            return float(seconds)
    return 5.0


class Client(Bot):
    """A bot by its token. ``id`` is known without a call: it stands before the colon."""

    def __init__(self, token: str, *, root: str, request: Request, poll: Request) -> None:
        base = root.rstrip("/")
        super().__init__(
            token,
            base_url=f"{base}/bot",
            base_file_url=f"{base}/file/bot",
            request=request,
            get_updates_request=poll,
        )

    @property
    def number(self) -> int:
        """The bot's user id; 0 for a token that is none (the server will say so)."""
        try:
            return number_of_token(self.token)
        except ValueError:
            return 0

    async def raw_updates(self, *, offset: int | None, timeout_s: int, allowed: list[str]) -> list[dict[str, Any]]:
        """Updates as the server sent them, unparsed: one bad one must not spoil its neighbours."""
        data: dict[str, Any] = {"timeout": timeout_s, "allowed_updates": allowed, "limit": 100}
        if offset is not None:
            data["offset"] = offset
        result = await self._post("getUpdates", data, read_timeout=timeout_s + 10)
        return [u if isinstance(u, dict) else {} for u in result] if isinstance(result, list) else []

    async def _post(self, endpoint: str, data: dict[str, Any] | None = None, **how: Any) -> Any:
        """What every method of the library calls: what was done must not count as failed for an answer's odd shape."""
        answer = await super()._post(endpoint, data, **how)
        if endpoint in _MAKE_MESSAGES and not (isinstance(answer, dict) and type(answer.get("message_id")) is int):
            raise Ambiguous("sent, but no number came back")
        try:
            return answer_shape(answer)
        except (TypeError, KeyError, AttributeError):
            raise Ambiguous("an answer of an odd shape") from None


class Clients:
    """Makes bots that share one HTTP client."""

    def __init__(self, root: str = DEFAULT_ROOT, *, read_timeout_s: float = 20.0) -> None:
        self._root = root
        hooks = {"event_hooks": {"response": [_flooded]}}
        self._request = Request(64, read_timeout=read_timeout_s, pool_timeout=10.0, httpx_kwargs=hooks)
        self._poll = Request(2, read_timeout=read_timeout_s, pool_timeout=10.0, httpx_kwargs=hooks)

    def client(self, token: str) -> Client:
        return Client(token, root=self._root, request=self._request, poll=self._poll)

    async def close(self) -> None:
        await self._request.shutdown()
        await self._poll.shutdown()


TOKEN = re.compile(r"(?<!\d)(\d{5,20}):[A-Za-z0-9_-]{16,100}")
"""What may be a bot token, wherever it stands: BotFather's own are 35 signs after the colon."""
PASTED = re.compile(r"(?<!\d)(\d{1,20}):[A-Za-z0-9_-]{3,100}")
"""A token where one was asked for."""


def number_of_token(token: str) -> int:
    """The bot's user id. ValueError when this is no token."""
    return int(token.partition(":")[0])
