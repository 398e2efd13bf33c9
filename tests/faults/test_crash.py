"""kill -9 at every step of a turn, then a new start: one turn, each reply once, finished model calls not made again."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from tests.chat_process import ChatProcess, transcript, write_config
from tests.model_server import ModelServer, Reply, Request

TEXT = "@Nova @Ben discuss the soup, one after the other"
STEPS = [
    "message_stored",
    "turn_started",
    "intent_decided",
    "agents_selected",
    "reply_started",
    "reply_written",
    "reply_posted",
    "turn_finished",
]


def script(request: Request) -> Reply:
    name = "Nova" if "Nova" in request.system.splitlines()[0] else "Ben"
    return Reply(text=f"{name} speaks.", delay_s=0.15)


def is_event(kind: str, number: int = 1) -> Any:
    seen = Counter[str]()

    def wanted(line: dict[str, Any]) -> bool:
        if line.get("kind") != kind:
            return False
        seen[str(line["seq"])] += 0
        return list(seen).index(str(line["seq"])) + 1 >= number

    return wanted


async def after_the_crash(folder: Path, config: Path, before: ChatProcess) -> None:
    """A new start finishes the turn; the same line sent again changes nothing; then the books are checked."""
    chat = await ChatProcess.start(config)
    try:
        await chat.send(id="m1", author="Ann", text=TEXT)
        if not before.events("turn_finished"):
            await chat.finished()
        assert await chat.end() == 0, chat.errors
    finally:
        await chat.kill()
    assert chat.errors == ""
    assert before.junk == chat.junk == []
    stands = [line for line in transcript(folder) if line["type"] == "message"]
    assert [line["agent"] for line in stands] == ["Nova", "Ben"]
    assert len({line["message_id"] for line in stands}) == 2
    assert {line["reply_to"] for line in stands} == {"m1"}
    shown = Counter(line["message_id"] for line in [*before.messages(), *chat.messages()])
    assert max(shown.values(), default=0) <= 1
    finished = [line["turn_id"] for line in [*before.lines, *chat.lines] if line.get("kind") == "turn_finished"]
    assert len(set(finished)) == 1


@pytest.mark.parametrize("step", STEPS)
async def test_killed_at_an_event(step: str, tmp_path: Path) -> None:
    async with ModelServer(script) as server:
        config = write_config(tmp_path, server.base_url)
        chat = await ChatProcess.start(config)
        try:
            await chat.send(id="m1", author="Ann", text=TEXT)
            await chat.until(is_event(step))
        finally:
            await chat.kill()
        await after_the_crash(tmp_path, config, chat)
        # A call that was answered and published is never made again; only the one under way may be.
        assert server.count <= 3


async def test_killed_while_the_second_model_call_runs(tmp_path: Path) -> None:
    async with ModelServer(script) as server:
        config = write_config(tmp_path, server.base_url)
        chat = await ChatProcess.start(config)
        try:
            await chat.send(id="m1", author="Ann", text=TEXT)
            await server.wait_for(2, timeout=60)
        finally:
            await chat.kill()
        await after_the_crash(tmp_path, config, chat)
        speakers = Counter(script(request).text for request in server.requests)
    assert speakers == {"Nova speaks.": 1, "Ben speaks.": 2}


async def test_killed_twice_at_the_first_reply(tmp_path: Path) -> None:
    async with ModelServer(script) as server:
        config = write_config(tmp_path, server.base_url)
        before = await ChatProcess.start(config)
        await before.send(id="m1", author="Ann", text=TEXT)
        await before.until(lambda line: line.get("type") == "message")
        await before.kill()
        between = await ChatProcess.start(config)
        await between.until(is_event("turn_started"))
        await between.kill()
        between.lines[:0] = before.lines
        await after_the_crash(tmp_path, config, between)
