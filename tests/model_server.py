"""A scripted OpenAI-compatible server over loopback: the one fake between Troupe and a model.

In a test::

    async with ModelServer([Rule(when="router", reply={"obj": {...}}), "Good morning!"]) as server:
        ... server.base_url ...
        assert server.count == 1 and server.requests[0].last_user == "hello"

A script is a list of rules (a bare reply matches everything), or a callable taking the `Request` and giving a reply.
A reply is a `Reply`, a text, ``"fault:429"`` (a name of FAULTS), an object to answer with, or a dict of Reply's fields.
As a process (prints its base URL): ``python -m tests.model_server --port P --script file.json [--record out.jsonl]``.
"""

from __future__ import annotations

import argparse
import asyncio
import inspect
import json
import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

from aiohttp import web

from tests.model_replies import FAULTS, Pace, Reply
from tests.model_wire import (
    Request,
    chat_body,
    chat_events,
    chunk,
    error_body,
    parts,
    responses_body,
    responses_events,
    tokens_in,
)

__all__ = ["FAULTS", "ModelServer", "Pace", "Reply", "Request", "Rule"]

Answer: TypeAlias = Any
Script: TypeAlias = "Callable[[Request], Answer | Awaitable[Answer]] | Sequence[Rule | Answer]"


@dataclass(slots=True, kw_only=True)
class Rule:
    """``when``: a regular expression searched in what the model reads, or a predicate; ``times``: how often it holds.

    ``reply`` may be a list: one reply after the other, the last one for ever.
    """

    reply: Answer
    when: str | Callable[[Request], bool] | None = None
    times: int | None = None
    used: int = field(default=0, init=False)

    def take(self, request: Request) -> Answer | None:
        if self.times is not None and self.used >= self.times:
            return None
        if callable(self.when):
            if not self.when(request):
                return None
        elif self.when is not None and not re.search(self.when, request.text):
            return None
        self.used += 1
        if isinstance(self.reply, list):
            return self.reply[min(self.used, len(self.reply)) - 1]
        return self.reply


class ModelServer:
    """Records every request. ``cancelled`` counts requests whose client went away before the answer was whole."""

    def __init__(
        self,
        script: Script | Answer = "I hear you.",
        *,
        pace: Pace | None = None,
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        self._script = script if callable(script) else _rules(script)
        self._pace = pace
        self._host, self._port = host, port
        self._runner: web.AppRunner | None = None
        self._changed = asyncio.Condition()
        self._faulty: list[Reply] = []
        self.requests: list[Request] = []
        self.finished = 0
        self.cancelled = 0
        self.in_flight = 0
        self.most_in_flight = 0
        self.on_request: Callable[[Request], None] | None = None

    @property
    def base_url(self) -> str:
        return f"http://{self._host}:{self._port}/v1"

    @property
    def count(self) -> int:
        return len(self.requests)

    def script(self, script: Script | Answer) -> None:
        """Replaces the script from now on."""
        self._script = script if callable(script) else _rules(script)

    def fail_next(self, *names: str) -> None:
        """The next requests meet these faults (names of FAULTS), in order, before the script is asked again."""
        self._faulty.extend(FAULTS[name] for name in names)

    async def until(self, ready: Callable[[], bool], timeout: float = 20.0) -> None:
        """Waits until ``ready()`` holds; looks whenever a request comes or ends. TimeoutError after ``timeout`` s."""
        async with asyncio.timeout(timeout), self._changed:
            await self._changed.wait_for(ready)

    async def wait_for(self, count: int, timeout: float = 20.0) -> None:
        await self.until(lambda: self.count >= count, timeout)

    async def __aenter__(self) -> ModelServer:
        app = web.Application(client_max_size=64 * 2**20)
        app.router.add_post("/v1/chat/completions", self._answer)
        app.router.add_post("/v1/responses", self._answer)
        app.router.add_get("/v1/models", self._models)
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, self._host, self._port)
        await site.start()
        self._port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Stops listening and drops open requests (the port then refuses connections)."""
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _models(self, _: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def _answer(self, http: web.Request) -> web.StreamResponse:
        request = Request(path=http.path, headers=dict(http.headers), body=await http.json())
        self.requests.append(request)
        self.in_flight += 1
        self.most_in_flight = max(self.most_in_flight, self.in_flight)
        if self.on_request is not None:
            self.on_request(request)
        whole = False
        try:
            await self._tell()
            reply = await self._reply_to(request)
            response = await self._send(http, request, reply)
            whole = True
            return response
        finally:
            self.in_flight -= 1
            self.finished += whole
            self.cancelled += not whole
            # The handler may be ending because its client left: the bell must ring all the same.
            await asyncio.shield(self._tell())

    async def _tell(self) -> None:
        async with self._changed:
            self._changed.notify_all()

    async def _reply_to(self, request: Request) -> Reply:
        if self._faulty:
            return self._faulty.pop(0)
        if callable(self._script):
            answer = self._script(request)
            if inspect.isawaitable(answer):
                answer = await answer
            return Reply.of(answer if answer is not None else "I hear you.")
        for rule in self._script:
            answer = rule.take(request)
            if answer is not None:
                return Reply.of(answer)
        return Reply(text="I hear you.")

    async def _send(self, http: web.Request, request: Request, reply: Reply) -> web.StreamResponse:
        pace = reply.pace or self._pace
        text, _ = parts(request, reply)
        tokens = reply.tokens or tokens_in(text)
        if reply.fault == "hang":
            await asyncio.Event().wait()
        if reply.fault == "cut":
            _cut(http)
        if reply.delay_s:
            await asyncio.sleep(reply.delay_s)
        if reply.status != 200:
            body = reply.body if reply.body is not None else error_body(reply.status, request)
            return _whole(body, reply)
        if reply.body is not None:
            return _whole(reply.body, reply)
        if request.stream:
            return await self._stream(http, request, reply, pace, tokens)
        if pace:
            await asyncio.sleep(pace.seconds(tokens))
        build = responses_body if request.responses_api else chat_body
        raw = json.dumps(build(request, reply, self.count), ensure_ascii=False).encode()
        return await self._bytes(http, raw, reply)

    async def _bytes(self, http: web.Request, raw: bytes, reply: Reply) -> web.StreamResponse:
        if reply.fault == "truncated":
            return web.Response(body=raw[: len(raw) // 2], content_type="application/json", headers=reply.headers)
        if reply.fault not in ("endless", "slow_body", "cut_body"):
            return web.Response(body=raw, content_type="application/json", headers=reply.headers)
        response = web.StreamResponse(headers={"Content-Type": "application/json", **reply.headers})
        await response.prepare(http)
        if reply.fault == "cut_body":
            await response.write(raw[: len(raw) // 2])
            _cut(http)
        if reply.fault == "slow_body":
            for byte in raw:
                await response.write(bytes([byte]))
                await asyncio.sleep(0.2)
        else:
            await response.write(b'{"id": "x", "choices": [{"message": {"role": "assistant", "content": "')
            while True:
                await response.write(b"blah " * 200)
                await asyncio.sleep(0.001)
        return response

    async def _stream(
        self, http: web.Request, request: Request, reply: Reply, pace: Pace | None, tokens: int
    ) -> web.StreamResponse:
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream", **reply.headers})
        await response.prepare(http)
        if pace:
            await asyncio.sleep(pace.first_s)
        events = responses_events if request.responses_api else chat_events
        for index, event in enumerate(events(request, reply, self.count)):
            if reply.fault == "truncated" and index == 2:
                _cut(http)
            if pace:
                await asyncio.sleep(tokens / pace.tokens_per_s / max(1, tokens))
            await response.write(f"data: {event if isinstance(event, str) else json.dumps(event)}\n\n".encode())
        while reply.fault == "endless":
            await response.write(f"data: {json.dumps(chunk(request, {'content': 'blah '}, None))}\n\n".encode())
            await asyncio.sleep(0.001)
        await response.write_eof()
        return response


def _rules(script: Any) -> list[Rule]:
    entries = script if isinstance(script, list | tuple) else [script]
    return [entry if isinstance(entry, Rule) else Rule(reply=entry) for entry in entries]


def _whole(body: Any, reply: Reply) -> web.Response:
    headers = dict(reply.headers)
    if isinstance(body, str):
        content_type = headers.pop("Content-Type", "text/plain")
        return web.Response(text=body, status=reply.status, content_type=content_type, headers=headers)
    return web.json_response(body, status=reply.status, headers=headers)


def _cut(http: web.Request) -> None:
    if http.transport is not None:
        http.transport.abort()
    raise ConnectionResetError("cut by the script")


def _from_file(path: Path) -> tuple[list[Rule], Pace | None]:
    raw = json.loads(path.read_text())
    rules = [Rule(**rule) for rule in raw.get("rules", [])]
    if "default" in raw:
        rules.append(Rule(reply=raw["default"]))
    return rules, Pace(**raw["pace"]) if raw.get("pace") else None


async def _serve(port: int, script: Path | None, record: Path | None) -> None:
    rules, pace = _from_file(script) if script else ([Rule(reply="I hear you.")], None)
    server = ModelServer(rules, pace=pace, port=port)
    if record is not None:
        server.on_request = lambda request: _append(record, request)
    async with server:
        print(server.base_url, flush=True)
        await asyncio.Event().wait()


def _append(record: Path, request: Request) -> None:
    with record.open("a") as out:
        out.write(json.dumps(asdict(request), ensure_ascii=False) + "\n")


def main() -> None:
    """A script file: ``{"rules": [{"when": regex, "times": n, "reply": ...}], "default": ..., "pace": {...}}``."""
    parser = argparse.ArgumentParser(description="A scripted OpenAI-compatible model server")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--script", type=Path)
    parser.add_argument("--record", type=Path, help="every request is appended here as a JSON line")
    args = parser.parse_args()
    try:
        asyncio.run(_serve(args.port, args.script, args.record))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    main()
