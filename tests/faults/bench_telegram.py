"""Fault bench for Telegram: people talk while the Bot API misbehaves; then every message is accounted for.

``python -m tests.faults.bench_telegram`` prints one JSON line a scenario: ``lost`` (a human message that was neither
answered nor marked unknown), ``twice``, ``early`` (a call before a 429's deadline), ``disorder``, ``unknown`` (not
seen, and marked so). The first four must be 0. The kill scenarios run the real program as a process of its own.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from orchestration.model import OutboxState
from orchestration.ports import Storage
from storage.database import Database
from storage.sql import SqlStorage
from tests.fake_telegram import FakeTelegram
from tests.faults.telegram_process import TelegramProcess, until, write_config
from tests.model_server import ModelServer
from tests.platforms.telegram_stage import ANN, AVA_BOT, AVA_TOKEN, GROUP, HOST, a_world, telegram_stage

NUMBER = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    scenario: str
    messages: int
    answered: int
    unknown: int
    lost: int
    twice: int
    disorder: int
    early: int

    @property
    def good(self) -> bool:
        return not (self.lost or self.twice or self.disorder or self.early)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scenario:
    """``faults`` are made ready before the talk begins; ``pool``: the agent has a bot of its own."""

    name: str
    faults: tuple[dict[str, Any], ...]
    pool: bool = False


SENDS = {"method": "sendMessage"}
TOO_MANY = {"kind": "status", "code": 429, "parameters": {"retry_after": 1}}
SCENARIOS = tuple(
    Scenario(name=f"{name}{' (own bot)' if pool else ''}", faults=faults, pool=pool)
    for pool in (False, True)
    for name, faults in (
        ("nothing wrong", ()),
        (
            "429 on every other send",
            ({**SENDS, "kind": "status", "code": 429, "parameters": {"retry_after": 1}, "times": 2},),
        ),
        ("500 in JSON three times", ({**SENDS, "kind": "json500", "times": 3},)),
        ("line cut before", ({**SENDS, "kind": "drop", "skip": 1, "times": 2},)),
        ("applied, then line cut", ({**SENDS, "kind": "drop_after", "skip": 1, "times": 2},)),
        ("applied, then silence", ({**SENDS, "kind": "hang_after", "seconds": 2.0, "skip": 1, "times": 2},)),
        ("applied, then a 502 page", ({**SENDS, "kind": "page_after", "skip": 1, "times": 2},)),
        ("applied, then half a body", ({**SENDS, "kind": "half_after", "skip": 1, "times": 2},)),
        (
            "409, cut and half polls",
            (
                {"method": "getUpdates", "kind": "status", "code": 409, "description": "Conflict: other", "skip": 1},
                {"method": "getUpdates", "kind": "drop", "skip": 2},
                {"method": "getUpdates", "kind": "half_after", "skip": 3},
            ),
        ),
        ("typing refused", ({"method": "sendChatAction", "kind": "drop", "times": 50},)),
    )
)


def score(name: str, said: list[str], server: FakeTelegram, unknown: frozenset[str]) -> Score:
    """Accounts for what was said; ``unknown`` are the questions whose answer is marked unknown."""
    answers = [n for m in server.world.sent(GROUP) if (n := number_in(m["text"])) is not None]
    counts = Counter(answers)
    order = [said.index(a) for a in answers]
    unseen = [n for n in said if n not in counts]
    return Score(
        scenario=name,
        messages=len(said),
        answered=len(counts),
        unknown=sum(n in unknown for n in unseen),
        lost=sum(n not in unknown for n in unseen),
        twice=sum(n - 1 for n in counts.values()),
        disorder=sum(a > b for a, b in itertools.pairwise(order)),
        early=server.world.early_retries,
    )


def number_in(text: str) -> str | None:
    """Which question an answer belongs to; None for what is no answer."""
    _, found, number = text.partition("Answer to ")
    return number if found else None


def answer(request: Any) -> str:
    """Names the question: "Ava, number 3" -> "Answer to 3"."""
    return f"Answer to {request.last_user.rpartition('number ')[2].split()[0]}"


async def in_process(scenario: Scenario, number: int = NUMBER) -> Score:
    said = [str(n) for n in range(number)]
    async with FakeTelegram(a_world()) as server:
        server.world.put(GROUP, AVA_BOT)
        for fault in scenario.faults:
            server.fail(**fault)
        pool = {"ava": AVA_TOKEN} if scenario.pool else {}
        async with telegram_stage(answer, server=server, pool=pool) as stage:
            for n in said:
                server.acts.say(GROUP, ANN, f"Ava, number {n}")
            await stage.until(lambda: server.world.bot(HOST).next_update > number, 30)
            await stage.settled(90)
            return score(scenario.name, said, server, await _unknown(stage.storage))


async def _unknown(storage: Storage) -> frozenset[str]:
    """The questions whose answer is marked unknown."""
    async with storage.read() as uow:
        chats = await uow.chats.all(platform="telegram")
        turns = [t for chat in chats for t in await uow.turns.last(chat.id, limit=1000)]
        items = [item for turn in turns for item in await uow.outbox.of_turn(turn.id)]
    return frozenset(number_in(item.text) or "" for item in items if item.state is OutboxState.UNKNOWN)


STAGES: dict[str, Callable[[FakeTelegram, ModelServer], bool]] = {
    "killed when an update is fetched": lambda server, model: not server.world.bot(HOST).updates,
    "killed while the model writes": lambda server, model: model.count > 0,
    "killed while a send is under way": lambda server, model: bool(server.world.calls_of("sendMessage")),
    "killed before a send is applied": lambda server, model: bool(server.world.calls_of("sendMessage")),
    "killed right after a send": lambda server, model: bool(server.world.sent(GROUP)),
}


async def killed(name: str, number: int = 3) -> Score:
    """The program is killed at a stage, and started again."""
    said = [str(n) for n in range(number)]
    async with FakeTelegram(a_world()) as server, ModelServer(answer) as model:
        if "under way" in name:
            server.fail("hang_after", method="sendMessage", seconds=30.0)
        if "before" in name:
            server.fail("slow", method="sendMessage", seconds=600.0)
        with tempfile.TemporaryDirectory() as folder:
            config = write_config(Path(folder), server.url, model.base_url)
            database = Path(folder) / "data" / "troupe.db"

            async def accounted() -> bool:
                """Answered, or marked unknown: a send that the kill cut short may never have arrived."""
                answered = score(name, said, server, frozenset()).answered == number
                return answered or not score(name, said, server, await _unknown_in(database)).lost

            run = await TelegramProcess.start(config)
            for n in said:
                server.acts.say(GROUP, ANN, f"Ava, number {n}")
            await until(lambda: STAGES[name](server, model), 90, run=run)
            await run.kill()
            again = await TelegramProcess.start(config)
            try:
                await until(accounted, 90, run=again)
            finally:
                await again.end()
            return score(name, said, server, await _unknown_in(database))


async def _unknown_in(file: Path) -> frozenset[str]:
    database = Database(f"sqlite+aiosqlite:///{file}")
    await database.open()
    try:
        return await _unknown(SqlStorage(database))
    finally:
        await database.close()


async def bench() -> bool:
    """Runs every scenario; True when all are good."""
    runs: list[Callable[[], Awaitable[Score]]] = []
    runs += [lambda s=s: in_process(s) for s in SCENARIOS]  # type: ignore[misc]
    runs += [lambda n=n: killed(n) for n in STAGES]  # type: ignore[misc]
    good = True
    for run in runs:
        found = await run()
        print(json.dumps({"platform": "telegram", **asdict(found)}), flush=True)
        good &= found.good
    return good


if __name__ == "__main__":
    sys.exit(0 if asyncio.run(bench()) else 1)
