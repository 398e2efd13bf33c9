"""Benchmark lines of memory: what the age of a chat costs, as JSON lines. Run by `make bench`, or alone.

A chat of 100,000 messages is compacted from nothing; then a turn's scene and prompt are compared with those of a chat
of 100 messages. The summariser is a function: what is measured is ours, not a model's.

    python -m tests.bench_memory [--messages N]
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import re
import resource
import sqlite3
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from orchestration.cast import Casts
from orchestration.context import ReplyContext, reply_prompt
from orchestration.memory.meaning import UsedMemories
from orchestration.memory.records import Outcome, Work
from orchestration.model import AgentCard, ChatKey, Locale, Usage
from orchestration.ports import Completion, PromptMessage, SchemaT, WriteRequest
from orchestration.scene import Scene, load_scene
from orchestration.settings import TurnSettings
from orchestration.turns import TurnRecord, turn_id_of
from orchestration.upkeep import Upkeep, UpkeepMinds, UpkeepParts, UpkeepSettings
from storage.database import Database
from storage.sql import SqlStorage

NOVA = AgentCard(id="nova", name="Nova", description="astronomer", starter=True)
SAID = "Ann and Ben talk about trip number {n} to the mountains, the train leaves at {h}:15 and costs {n} euros"
START = datetime(2026, 1, 1, tzinfo=UTC)


class Quoting:
    """A summariser that digests by quoting."""

    label = "quoting"

    def __init__(self) -> None:
        self.calls = 0

    async def write(self, request: WriteRequest) -> Completion:
        raise NotImplementedError

    async def decide(self, messages: Sequence[PromptMessage], schema: type[SchemaT]) -> tuple[SchemaT, Usage]:
        self.calls += 1
        told = messages[-1].text
        numbered = re.findall(r"^#?(\d+)[: ] ?(?:\w+: )?(.*)$", told.rpartition("<")[0], re.MULTILINE)
        lines = [{"text": words[:110], "from": [int(n)]} for n, words in numbered[::6][:6]]
        usage = Usage(calls=1, prompt_tokens=500, completion_tokens=200)
        return schema.model_validate({"lines": lines}), usage


def fill(path: Path, chat_id: int, count: int) -> None:
    """Messages straight into the table: storing them is measured elsewhere."""
    rows = [
        (
            chat_id,
            n,
            "human",
            f"bench:{n % 3}",
            ("Ann", "Ben", "Cleo")[n % 3],
            SAID.format(n=n, h=n % 12 + 8),
            (START + timedelta(seconds=n)).strftime("%Y-%m-%d %H:%M:%S.%f"),
            f"m{n}",
            "",
            False,
            "[]",
            "[]",
            "[]",
        )
        for n in range(1, count + 1)
    ]
    connection = sqlite3.connect(path)
    with connection:
        connection.executemany(
            "INSERT INTO messages (chat_id, seq, kind, author_id, author_name, text, sent_at, external_id, reply_text,"
            " wants_turn, mentioned_agents, mentioned_people, attachments) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
            rows,
        )
        connection.execute("UPDATE group_chats SET message_seq = ? WHERE id = ?", (count, chat_id))
    connection.close()


def resident_mb() -> float:
    """The most memory this process ever held."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def aged(folder: Path, count: int) -> dict[str, float]:
    """A chat of that many messages, compacted; what compacting and then a turn cost."""
    path = folder / f"{count}.db"
    database = Database(f"sqlite:///{path}")
    await database.open()
    try:
        await database.upgrade()
        storage = SqlStorage(database)
        clock = lambda: START + timedelta(days=30)  # noqa: E731
        async with storage.begin() as uow:
            chat = await uow.chats.ensure(ChatKey(platform="bench", tenant_id="t", channel_id="c"), at=START)
        await asyncio.to_thread(fill, path, chat.id, count)
        casts = Casts(storage, (NOVA,), clock=clock)
        model = Quoting()
        upkeep = Upkeep(
            UpkeepParts(
                storage=storage,
                casts=casts,
                clock=clock,
                new_id=map("{:032x}".format, itertools.count(1)).__next__,
                settings=UpkeepSettings(daily_tokens=10**9),
                minds=UpkeepMinds(summariser=model),
            ),
            UsedMemories(),
        )
        before = resident_mb()
        began = time.perf_counter()
        while await upkeep.run(Work.COMPACT, chat.id) is Outcome.DONE:
            continue
        took = time.perf_counter() - began
        turn = TurnRecord(
            id=turn_id_of(chat.id, count),
            chat_id=chat.id,
            tenant_id=chat.tenant_id,
            seq=count,
            trace_id="t",
            person_id="bench:0",
            message_seqs=(count,),
            created_at=clock(),
            last_line_at=clock(),
        )
        times = []
        prompt = 0
        for _ in range(30):
            began = time.perf_counter()
            async with storage.read() as uow:
                session = await uow.sessions.get(chat.id)
                scene = await load_scene(uow, casts, TurnSettings(), turn, session, clock())
            assert scene is not None
            messages = reply_prompt(context_of(scene))
            times.append((time.perf_counter() - began) * 1000)
            prompt = sum(len(message.text) for message in messages)
        async with storage.read() as uow:
            state = await uow.upkeep.get(chat.id, Work.COMPACT)
            lines = await uow.summaries.standing(chat.id)
        return {
            "compacted": state.cursor_seq,
            "calls": model.calls,
            "lines": len(lines),
            "compaction_s": round(took, 1),
            "grown_mb": round(resident_mb() - before, 1),
            "scene_ms": min(times),
            "prompt_characters": prompt,
        }
    finally:
        await database.close()


def context_of(scene: Scene) -> ReplyContext:
    return ReplyContext(
        locale=Locale.EN,
        chat=scene.chat,
        agent=NOVA,
        cast=(NOVA,),
        person=scene.person,
        history=scene.history,
        summary=scene.summary,
        compacted_seq=scene.compacted_seq,
        lines=scene.lines,
    )


async def lines(messages: int) -> None:
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        young, old = await aged(Path(folder), 100), await aged(Path(folder), messages)
    print(
        json.dumps(
            {
                "bench": f"a chat of {messages} messages, against one of 100",
                "compacted": old["compacted"],
                "calls": old["calls"],
                "lines": [young["lines"], old["lines"]],
                "compaction_s": old["compaction_s"],
                "grown_mb": [young["grown_mb"], old["grown_mb"]],
                "prompt_characters": [young["prompt_characters"], old["prompt_characters"]],
                "scene_ratio": round(old["scene_ms"] / young["scene_ms"], 2),
            }
        ),
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--messages", type=int, default=100_000)
    asyncio.run(lines(parser.parse_args().messages))


if __name__ == "__main__":
    main()
