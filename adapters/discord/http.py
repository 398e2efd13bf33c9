"""discord.py's REST client: where it goes, and that every request travels by our transport.

discord.py's own way waits out a limit for all requests with a flag that stays set when the waiting one is cancelled:
from then on no request goes out any more (docs/discord.md, "measured").
"""

from __future__ import annotations

import asyncio
import logging
from typing import Any, Final
from urllib.parse import urlsplit

import aiohttp
import discord
import yarl
from discord.http import HTTPClient, Route

from adapters.discord.transport import Interrupted, PatientTransport

_log = logging.getLogger(__name__)

READING_S: Final = 30.0
"""How long reading something may take, retries and limits included: nobody of the place is heard meanwhile."""
GATEWAY_WAITS_S: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0, 5.0)
"""Waits between tries to reach the gateway: within discord.py's own minute, so that a session can still be resumed."""


class RedirectedHTTP(HTTPClient):
    """Speaks to ``api_base_url`` and ``gateway_url`` where they are set, and then to no other host at all."""

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        *,
        transport: PatientTransport,
        api_base_url: str | None,
        gateway_url: str | None,
    ) -> None:
        super().__init__(loop)
        self._transport = transport
        self._api_base_url = api_base_url
        self._gateway_url = gateway_url

    async def request(self, route: Route, *, files: Any = None, form: Any = None, **kwargs: Any) -> Any:
        """As discord.py's, by our transport. Raises discord's own errors, `Interrupted` or `Busy`."""
        session: aiohttp.ClientSession = self._HTTPClient__session  # type: ignore[attr-defined]
        try:
            async with asyncio.timeout(READING_S if route.method == "GET" else None):
                return await self._transport.request(
                    route,
                    session,
                    payload=kwargs.get("json"),
                    multipart=form,
                    files=files,
                    params=kwargs.get("params"),
                    reason=kwargs.get("reason"),
                    auth_token=self.token,
                )
        except TimeoutError:
            raise Interrupted("Discord took too long to answer", reached=False) from None

    async def ws_connect(self, url: str, *, compress: int = 0) -> aiohttp.ClientWebSocketResponse:
        if self._gateway_url:
            url = str(yarl.URL(self._gateway_url).with_query(yarl.URL(url).query))
        for wait in GATEWAY_WAITS_S:
            try:
                return await super().ws_connect(url, compress=compress)
            except (aiohttp.ClientConnectionError, aiohttp.WSServerHandshakeError) as error:
                _log.warning("discord gateway not reached (%s), next try in %.2f s", type(error).__name__, wait)
                await asyncio.sleep(wait)
        return await super().ws_connect(url, compress=compress)

    async def get_from_cdn(self, url: str) -> bytes:
        if self._api_base_url and urlsplit(url).hostname != urlsplit(self._api_base_url).hostname:
            raise discord.DiscordException("files are read from the configured host only")
        return await super().get_from_cdn(url)
