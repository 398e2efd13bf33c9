"""HTTP around the world: methods, files, long polls, webhooks, faults, and a door for other processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any

from aiohttp import ClientError, ClientSession, ClientTimeout, web

from tests.fake_telegram.access import flag, number, value
from tests.fake_telegram.faults import Fault
from tests.fake_telegram.flood import Flood
from tests.fake_telegram.happenings import Happenings
from tests.fake_telegram.methods import METHODS
from tests.fake_telegram.world import ApiError, BotAccount, Call, World


class FakeTelegram:
    """``async with FakeTelegram() as server``: ``server.url`` is the API root, ``server.world`` the state behind it."""

    def __init__(self, world: World | None = None, *, port: int = 0) -> None:
        self.world = world or World()
        self.acts = Happenings(self.world)
        self.flood = Flood()
        self.faults: list[Fault] = []
        self.files: dict[str, bytes] = {}
        self.dress: Callable[[str, web.Response], web.Response] = lambda method, answer: answer
        """Changes how whole answers look (a poorer or a newer server), by method."""
        self.url = ""
        self._port = port
        self._runner: web.AppRunner | None = None
        self._hooks: dict[int, asyncio.Task[None]] = {}

    async def __aenter__(self) -> FakeTelegram:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_route("*", r"/bot{token:[^/]*}/{method}", self._api)
        app.router.add_get(r"/file/bot{token:[^/]*}/{path:.*}", self._file)
        app.router.add_post("/control", self._control)
        self._runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.2)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self._port)
        await site.start()
        host, port = self._runner.addresses[0][:2]
        self.url = f"http://{host}:{port}"
        return self

    async def __aexit__(self, *exc: object) -> None:
        for task in self._hooks.values():
            task.cancel()
        await asyncio.gather(*self._hooks.values(), return_exceptions=True)
        for bot in self.world.bots.values():
            if bot.poll is not None and not bot.poll.done():
                bot.poll.set_result("closing")
        assert self._runner is not None
        await self._runner.cleanup()

    def fail(self, kind: str, **more: Any) -> Fault:
        fault = Fault(kind=kind, **more)
        self.faults.append(fault)
        return fault

    # ------------------------------------------------------------------------------------------ requests

    async def _api(self, request: web.Request) -> web.StreamResponse:
        try:
            params = await _params(request)
        except ConnectionResetError:  # the client died in the middle of its request: it never came in
            return web.Response(status=400)
        method = request.match_info["method"]
        bot = self.world.bots.get(request.match_info["token"])
        if bot is None or bot.revoked:
            return _no(ApiError(401, "Unauthorized"))
        call = Call(bot.id, method, params, self.world.clock())
        self.world.calls.append(call)
        response = await self._judged(request, bot, method, params, call)
        call.status = response.status
        return self.dress(method, response) if isinstance(response, web.Response) else response

    async def _judged(
        self, request: web.Request, bot: BotAccount, method: str, params: dict[str, Any], call: Call
    ) -> web.StreamResponse:
        chat_id = number(params, "chat_id")
        fault = next((f for f in self.faults if f.fits(bot.id, method, chat_id)), None)
        refusal, call.early = self.flood.check(bot.id, chat_id, method, self.world.clock())
        if refusal is not None:
            return _no(refusal)
        if fault is not None:
            fault.times -= 1
            before = await self._before(request, fault, bot, chat_id)
            if before is not None:
                return before
        try:
            result = await self._result(bot, method, params)
        except ApiError as error:
            return _no(error)
        call.answer = result
        if fault is not None:
            after = await self._after(request, fault, result)
            if after is not None:
                return after
        return web.json_response({"ok": True, "result": result})

    async def _before(
        self, request: web.Request, fault: Fault, bot: BotAccount, chat_id: int
    ) -> web.StreamResponse | None:
        if fault.kind == "status":
            if fault.code == 429:
                return _no(self.flood.close(bot.id, chat_id, int(fault.parameters["retry_after"]), self.world.clock()))
            return _no(ApiError(fault.code, fault.description, **fault.parameters))
        if fault.kind == "json500":
            return _no(ApiError(500, "Internal Server Error"))
        if fault.kind == "drop":
            return _cut(request)
        if fault.kind == "page":
            return web.Response(status=fault.code, text="<html>Bad Gateway</html>", content_type="text/html")
        if fault.kind == "slow":
            await asyncio.sleep(fault.seconds)
        return None

    async def _after(self, request: web.Request, fault: Fault, result: Any) -> web.StreamResponse | None:
        if fault.kind == "drop_after":
            return _cut(request)
        if fault.kind == "page_after":
            return web.Response(status=fault.code, text="<html>Bad Gateway</html>", content_type="text/html")
        if fault.kind == "half_after":
            body = json.dumps({"ok": True, "result": result})
            return web.Response(text=body[: len(body) // 2], content_type="application/json")
        if fault.kind == "hang_after":
            with contextlib.suppress(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.Event().wait(), fault.seconds)
        return None

    async def _result(self, bot: BotAccount, method: str, params: dict[str, Any]) -> Any:
        name = method.lower()
        if name == "getupdates":
            return await self._get_updates(bot, params)
        if name == "setwebhook":
            return self._set_webhook(bot, params)
        if name == "deletewebhook":
            self._drop_webhook(bot)
            if flag(params, "drop_pending_updates"):
                bot.updates.clear()
            return True
        if name == "getwebhookinfo":
            url = (bot.webhook or {}).get("url", "")
            return {"url": url, "has_custom_certificate": False, "pending_update_count": len(bot.updates)}
        if name not in METHODS:
            raise ApiError(404, "Not Found: method not found")
        return METHODS[name](self.world, bot, params)

    # ------------------------------------------------------------------------------------------ updates

    async def _get_updates(self, bot: BotAccount, params: dict[str, Any]) -> Any:
        if bot.webhook is not None:
            raise ApiError(
                409,
                "Conflict: can't use getUpdates method while webhook is active; "
                "use deleteWebhook to delete the webhook first",
            )
        if bot.poll is not None and not bot.poll.done():
            bot.poll.set_result("conflict")
        allowed = value(params, "allowed_updates")
        if isinstance(allowed, list):
            bot.allowed = tuple(allowed) or None
        bot.polls += 1
        offset = number(params, "offset") or None
        limit = number(params, "limit") or 100
        found = self.world.pending(bot, offset, limit)
        timeout = min(number(params, "timeout"), 50)
        if found or not timeout:
            return found
        bot.poll = mine = asyncio.get_running_loop().create_future()
        try:
            why = await asyncio.wait_for(asyncio.shield(mine), timeout)
        except TimeoutError:
            return []
        finally:
            if bot.poll is mine:
                bot.poll = None
        if why == "conflict":
            raise ApiError(
                409, "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running"
            )
        return self.world.pending(bot, None, limit)

    def _set_webhook(self, bot: BotAccount, params: dict[str, Any]) -> bool:
        if bot.poll is not None and not bot.poll.done():
            bot.poll.set_result("conflict")
        self._drop_webhook(bot)
        url = str(params.get("url") or "")
        if url:
            allowed = value(params, "allowed_updates")
            bot.allowed = tuple(allowed) if isinstance(allowed, list) and allowed else bot.allowed
            bot.webhook = {"url": url, "secret": str(params.get("secret_token") or "")}
            self._hooks[bot.id] = asyncio.get_running_loop().create_task(self._call_hook(bot))
        return True

    def _drop_webhook(self, bot: BotAccount) -> None:
        bot.webhook = None
        task = self._hooks.pop(bot.id, None)
        if task is not None:
            task.cancel()

    async def _call_hook(self, bot: BotAccount) -> None:
        """Delivers updates one by one, again and again until each is answered with 2xx."""
        assert bot.webhook is not None
        url, secret = bot.webhook["url"], bot.webhook["secret"]
        headers = {"X-Telegram-Bot-Api-Secret-Token": secret} if secret else {}
        async with ClientSession(timeout=ClientTimeout(total=5)) as session:
            while True:
                if not bot.updates:
                    await asyncio.sleep(0.02)
                    continue
                update = bot.updates[0]
                try:
                    async with session.post(url, json=update, headers=headers) as response:
                        taken = 200 <= response.status < 300
                except (TimeoutError, ClientError):
                    taken = False
                if taken and bot.updates and bot.updates[0] is update:
                    bot.updates.pop(0)
                elif not taken:
                    await asyncio.sleep(0.05)

    # ------------------------------------------------------------------------------------------ the rest

    async def _file(self, request: web.Request) -> web.StreamResponse:
        if request.match_info["token"] not in self.world.bots:
            return _no(ApiError(401, "Unauthorized"))
        name = request.match_info["path"].rpartition("/")[2]
        return web.Response(body=self.files.get(name, b"file"), content_type="application/octet-stream")

    async def _control(self, request: web.Request) -> web.StreamResponse:
        """``{"do": name, "with": {...}}`` on happenings, world or server, for tests in another process."""
        body = await request.json()
        name, given = str(body["do"]), dict(body.get("with", {}))
        if name == "calls":
            return web.json_response([vars(c) for c in self.world.calls])
        if name == "sent":
            return web.json_response(self.world.sent(**given))
        if name == "early_retries":
            return web.json_response(self.world.early_retries)
        target: Any = next(t for t in (self.acts, self.world, self) if hasattr(t, name) and not name.startswith("_"))
        result = getattr(target, name)(**given)
        return web.json_response(result if isinstance(result, (dict, list, int, str)) else None)


async def _params(request: web.Request) -> dict[str, Any]:
    params: dict[str, Any] = dict(request.query)
    kind = request.content_type
    if kind == "application/json":
        with contextlib.suppress(ValueError):
            body = await request.json()
            params.update(body if isinstance(body, dict) else {})
    elif request.method == "POST":
        for name, item in (await request.post()).items():
            params[name] = f"file:{item.filename}" if isinstance(item, web.FileField) else item
    return params


def _no(error: ApiError) -> web.Response:
    body: dict[str, Any] = {"ok": False, "error_code": error.code, "description": error.description}
    if error.parameters:
        body["parameters"] = error.parameters
    return web.json_response(body, status=error.code)


def _cut(request: web.Request) -> web.Response:
    """The line goes dead: the client sees a closed connection."""
    if request.transport is not None:
        request.transport.abort()
    return web.Response()
