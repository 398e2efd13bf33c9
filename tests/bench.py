"""`make bench`: what a turn costs, as JSON lines. Times are ratios to one bare model call of the same run.

The model is a scripted server in a process of its own, paced as in docs/performance.md: 300 ms to the first token, then
62 tokens at 80 tokens a second. Engine, storage, graph and delivery are the real ones over SQLite.

    python -m tests.bench [--turns N]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import logging
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bot.app import App, build
from bot.config import load
from bot.engine import Engine
from bot.lifetimes import light_collector
from orchestration.events import Event, EventKind
from orchestration.model import AgentCard, ChatKey, GroupChat, IncomingMessage, OutboxItem, Person
from orchestration.ports import Limits, PromptMessage, WriteRequest
from tests.bench_memory import lines as memory_lines

NAMES = ["Nova", "Ben", "Mira", "Otto", "Lian", "Juno"]
ABOUT = ["astronomy", "cooking", "comfort", "law", "travel", "music"]
WORDS = " ".join(f"word{n}" for n in range(40))
PACE = {"first_s": 0.3, "tokens_per_s": 80}
ROUTED_TOKENS = 30
"""What `{"intent":"go","agents":["a1","a2","a3"],"mode":"p","sure":90}` takes (29 by the tokenizer of SmolLM2)."""
UNADDRESSED = "unaddressed (router asked)"
AT_ONCE = "unaddressed, all at once (router asked)"
CASES = {
    "mention": "@Nova what do you think about this?",
    "parallel, rule-sure": "@Nova @Ben @Mira each of you separately, without looking at each other: what do you think?",
    "serial of 3": "@Nova @Ben @Mira discuss this, one after the other",
    UNADDRESSED: "hmm I wonder whether that could work out somehow",
}
SPECULATIVE_CASES = {UNADDRESSED: CASES[UNADDRESSED], AT_ONCE: "any thoughts, all at once?"}
"""With `turn.speculative`: the rules guess one of the three that the router decides for, and all three of them."""


@dataclass(slots=True)
class Bench:
    """A platform that notes when each reply is posted."""

    posted: asyncio.Queue[tuple[str, float]] = field(default_factory=asyncio.Queue)
    platform: str = "bench"
    limits: Limits = field(default_factory=lambda: Limits(max_chars=2000, personas=True, edits=False, buttons=False))

    async def run(self) -> None: ...

    async def close(self) -> None: ...

    async def deliver(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        self.posted.put_nowait((item.id, time.perf_counter()))

    async def writing(self, chat: GroupChat, agent: AgentCard | None) -> None: ...

    async def replace(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None: ...

    async def withdraw(self, chat: GroupChat, item: OutboxItem) -> None: ...


class Requests:
    """What the model server has been asked, read from its record."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._seen = 0

    def new(self) -> list[dict[str, Any]]:
        lines = self._file.read_text().splitlines() if self._file.exists() else []
        fresh, self._seen = lines[self._seen :], len(lines)
        return [json.loads(line) for line in fresh]


def characters(request: dict[str, Any]) -> int:
    return sum(len(str(message.get("content") or "")) for message in request["body"]["messages"])


def router_rules() -> Iterator[dict[str, Any]]:
    """A router that decides for the three the rules thought likeliest, all at once."""
    codes = [f"a{number}" for number in range(1, len(NAMES) + 1)]
    for three in itertools.permutations(codes, 3):
        answer = {"intent": "go", "agents": list(three), "mode": "p", "sure": 90}
        yield {"when": f"A guess by rules: {','.join(three)}", "reply": {"obj": answer, "tokens": ROUTED_TOKENS}}


@asynccontextmanager
async def bench_app(folder: Path, *, speculative: bool = False) -> AsyncIterator[tuple[App, Bench, Requests]]:
    """The app over SQLite in ``folder`` with a paced model server beside it."""
    script, record, config = folder / "script.json", folder / "requests.jsonl", folder / "config.yaml"
    script.write_text(
        json.dumps(
            {
                "rules": list(router_rules()),
                "default": {"text": WORDS, "tokens": 62},
                "pace": PACE,
            }
        )
    )
    arguments = [sys.executable, "-m", "tests.model_server", "--script", str(script), "--record", str(record)]
    server = await asyncio.create_subprocess_exec(*arguments, stdout=subprocess.PIPE)
    assert server.stdout is not None
    url = (await asyncio.wait_for(server.stdout.readline(), 20)).decode().strip()
    cast = [
        {"name": name, "description": about, "personality": "curious and warm", "tone": "short sentences"}
        for name, about in zip(NAMES, ABOUT, strict=True)
    ]
    role = {"provider": "local", "model": "paced"}
    raw = {
        "data_dir": "data",
        "models": {"providers": {"local": {"base_url": url}}, "roles": {"writer": role, "checker": None}},
        "cast": cast,
        "turn": {"speculative": speculative},
        "upkeep": {"enabled": False},
    }
    config.write_text(json.dumps(raw))
    app, adapter = build(load(config)), Bench()
    app.add_adapter(adapter)
    await app.start()
    try:
        yield app, adapter, Requests(record)
    finally:
        await app.close()
        server.terminate()
        await server.wait()


class Runner:
    def __init__(self, app: App, adapter: Bench) -> None:
        self._app = app
        self._adapter = adapter
        self._numbers = itertools.count(1)
        self._over: dict[str, asyncio.Event] = {}
        app.bus.subscribe(self._hear)

    def _hear(self, event: Event) -> None:
        if event.kind is EventKind.TURN_FINISHED and event.turn_id:
            self._over.setdefault(event.turn_id, asyncio.Event()).set()

    async def send(self, text: str, channel: str = "c1", *, wants_turn: bool = True) -> str | None:
        number = next(self._numbers)
        received = await self._app.intake.receive(
            IncomingMessage(
                chat=ChatKey(platform="bench", tenant_id="t1", channel_id=channel),
                external_id=f"m{number}",
                author=Person(id=f"bench:{number % 3}", name=["Ann", "Bob", "Cleo"][number % 3]),
                text=text,
                sent_at=datetime.now(UTC),
                wants_turn=wants_turn,
            )
        )
        return received.turn_id

    async def turn(self, text: str, channel: str = "c1") -> list[float]:
        """Milliseconds from the message to each reply."""
        start = time.perf_counter()
        turn_id = await self.send(text, channel)
        assert turn_id is not None
        async with asyncio.timeout(60):
            await self._over.setdefault(turn_id, asyncio.Event()).wait()
        posted = []
        while not self._adapter.posted.empty():
            posted.append((self._adapter.posted.get_nowait()[1] - start) * 1000)
        return posted


async def at_rest(limit_s: float = 60) -> None:
    """Waits until what warms up beside the start (imports, embeddings) is done: it is no turn's cost."""
    async with asyncio.timeout(limit_s):
        while True:
            before = time.process_time()
            await asyncio.sleep(1)
            if time.process_time() - before < 0.15:
                return


def line(**values: Any) -> None:
    print(json.dumps(values), flush=True)


async def bare_call(app: App) -> float:
    """Milliseconds of one writer call with a small prompt."""
    assert app.models is not None
    messages = (PromptMessage(role="system", text="You are Nova."), PromptMessage(role="user", text="Hello"))
    took = []
    for _ in range(4):
        start = time.perf_counter()
        await app.models.writer.write(WriteRequest(messages=messages))
        took.append((time.perf_counter() - start) * 1000)
    return statistics.median(took[1:])


async def latency(
    app: App, adapter: Bench, requests: Requests, turns: int, cases: Mapping[str, str] = CASES, *, label: str = ""
) -> None:
    runner = Runner(app, adapter)
    for number in range(20):
        await runner.send(f"line {number} of some earlier talk about nothing much", wants_turn=False)
    bare = await bare_call(app)
    line(bench="bare model call", ms=round(bare))
    await runner.turn(CASES["mention"])
    requests.new()
    for name, text in cases.items():
        # Whoever was answered a moment ago would be answered by the same agent again, without asking anybody.
        alone = name in SPECULATIVE_CASES
        rows = [await runner.turn(text, f"{name} {number}" if alone else "c1") for number in range(turns)]
        asked = requests.new()
        firsts, lasts = [min(row) for row in rows if row], [max(row) for row in rows if row]
        line(
            bench=label + name,
            first_ratio=round(statistics.median(firsts) / bare, 3) if firsts else None,
            last_ratio=round(statistics.median(lasts) / bare, 3) if lasts else None,
            replies=round(statistics.mean(len(row) for row in rows), 2),
            calls=round(len(asked) / turns, 2),
            prompt_characters=round(sum(map(characters, asked)) / turns),
        )


async def cost(app: App, adapter: Bench, turns: int) -> None:
    """CPU and bytes of a mention turn, many chats at once so that waiting for the model does not count."""
    runner = Runner(app, adapter)
    channels = [f"busy{n}" for n in range(min(50, turns))]
    before_bytes, before_cpu, start = stored_bytes(app), time.process_time(), time.perf_counter()
    per_channel = max(1, turns // len(channels))

    async def talk(channel: str) -> None:
        for _ in range(per_channel):
            await runner.turn(CASES["mention"], channel)

    await asyncio.gather(*(talk(channel) for channel in channels))
    done = per_channel * len(channels)
    line(
        bench="cost of a mention turn",
        turns=done,
        cpu_ms=round((time.process_time() - before_cpu) * 1000 / done, 1),
        stored_bytes=round((stored_bytes(app) - before_bytes) / done),
        turns_per_s=round(done / (time.perf_counter() - start), 1),
    )


def stored_bytes(app: App) -> int:
    """Pages in use of all databases (write-ahead logs are not growth)."""
    import sqlite3

    total = 0
    for file in app.settings.data_dir.glob("*.db"):
        connection = sqlite3.connect(file)
        try:
            pages, free = (
                connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count")
            )
            total += (pages - free) * connection.execute("PRAGMA page_size").fetchone()[0]
        finally:
            connection.close()
    return total


class Starts:
    """Turn steps that only note when a turn began."""

    def __init__(self) -> None:
        self.began: asyncio.Queue[float] = asyncio.Queue()

    async def answer(self, turn_id: str, run: int) -> None:
        self.began.put_nowait(time.perf_counter())

    async def give_up(self, turn_id: str) -> None: ...


async def engine_start(*, claims: bool, turns: int) -> float:
    """Median milliseconds from queueing a turn in an idle process to its first step."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        engine, steps = Engine(database_url=f"sqlite:///{folder}/e.db", executor_id="bench", claims=claims), Starts()
        await engine.start(steps)
        await asyncio.sleep(1.5)  # the queue's own poller needs a moment to come up
        took = []
        for number in range(turns):
            start = time.perf_counter()
            await engine.enqueue(f"turn:{number}:{1:012d}", number)
            took.append((await asyncio.wait_for(steps.began.get(), 10) - start) * 1000)
        await engine.close()
    return statistics.median(took)


async def run(turns: int) -> None:
    by_poll, at_once = await engine_start(claims=False, turns=10), await engine_start(claims=True, turns=10)
    line(bench="from queueing to start", polled_ms=round(by_poll), claimed_ms=round(at_once))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        async with bench_app(Path(folder)) as (app, adapter, requests):
            await bare_call(app)
            await at_rest()
            async with light_collector(after_s=0):  # as the commands that serve do
                await latency(app, adapter, requests, turns)
                await cost(app, adapter, turns * 20)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        async with bench_app(Path(folder), speculative=True) as (app, adapter, requests):
            await bare_call(app)
            await at_rest()
            async with light_collector(after_s=0):
                await latency(app, adapter, requests, turns, SPECULATIVE_CASES, label="speculative: ")
    await memory_lines(100_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=10, help="turns per latency case (default 10)")
    logging.basicConfig(level=logging.ERROR)
    asyncio.run(run(parser.parse_args().turns))


if __name__ == "__main__":
    main()
