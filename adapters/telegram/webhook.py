"""Webhook mode: the server calls us. 200 only after the update is stored, so that it comes again otherwise."""

from __future__ import annotations

import asyncio
import hmac
import json
import logging
from dataclasses import dataclass
from urllib.parse import urlsplit

from aiohttp import web
from telegram.error import TelegramError

from adapters.telegram.failures import Action, failure_of
from adapters.telegram.poller import ALLOWED_UPDATES, MAX_UPDATE, Inlet
from adapters.telegram.wire import Client
from orchestration.errors import AdapterError, StorageError

logger = logging.getLogger(__name__)
SECRET_HEADER = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105


@dataclass(frozen=True, slots=True, kw_only=True)
class WebhookPlan:
    """``public_url`` is what Telegram calls, ``listen`` our ``host:port`` behind it, ``secret`` proves the caller."""

    public_url: str
    listen: str
    secret: str


class Webhook:
    def __init__(self, client: Client, inlet: Inlet, plan: WebhookPlan) -> None:
        self._client = client
        self._inlet = inlet
        self._plan = plan

    async def run(self) -> None:
        """Listens and keeps the webhook set until cancelled. AdapterError when the address cannot be listened on."""
        app = web.Application(client_max_size=MAX_UPDATE)
        app.router.add_post(urlsplit(self._plan.public_url).path or "/", self._heard)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=5.0)
        await runner.setup()
        host, _, port = self._plan.listen.rpartition(":")
        try:
            try:
                await web.TCPSite(runner, host.strip("[]"), int(port)).start()
            except OSError as error:
                reason = error.strerror or type(error).__name__
                raise AdapterError(f"telegram.webhook.listen: cannot listen on {self._plan.listen}: {reason}") from None
            await self._set()
            await asyncio.Event().wait()
        finally:
            await runner.cleanup()

    async def _set(self) -> None:
        pause = 1.0
        while True:
            try:
                await self._client.set_webhook(
                    self._plan.public_url,
                    secret_token=self._plan.secret,
                    allowed_updates=ALLOWED_UPDATES,
                    drop_pending_updates=False,
                )
            except TelegramError as error:
                failure = failure_of(error)
                logger.warning("the webhook cannot be set: %s", failure.words)
                await asyncio.sleep(failure.retry_after_s if failure.action is Action.WAIT else pause)
                pause = min(pause * 2, 60.0)
            else:
                return

    async def _heard(self, request: web.Request) -> web.Response:
        given = request.headers.get(SECRET_HEADER, "")
        if not self._plan.secret or not hmac.compare_digest(given.encode(), self._plan.secret.encode()):
            return web.Response(status=401)
        try:
            update = json.loads(await request.text())
        except (ValueError, LookupError, RecursionError):  # no JSON, an unknown charset, an endless nest
            return web.Response(status=400)
        if not isinstance(update, dict):
            return web.Response(status=400)
        try:
            await self._inlet.store([update])
        except StorageError:
            return web.Response(status=503)
        return web.Response()
