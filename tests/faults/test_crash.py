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


def event(kind: str) -> Any:
    return lambda line: line.get("kind") == kind


class Story:
    """One chat over many runs of the process; every run but the last one is killed."""

    def __init__(self, folder: Path, config: Path) -> None:
        self._folder = folder
        self._config = config
        self.runs: list[ChatProcess] = []

    async def start(self) -> ChatProcess:
        self.runs.append(await ChatProcess.start(self._config))
        return self.runs[-1]

    def all(self, kind: str) -> list[dict[str, Any]]:
        return [line for run in self.runs for line in run.lines if kind in (line.get("type"), line.get("kind"))]

    def check(self, messages: int) -> None:
        """Every message has one turn and one answer of each agent, whatever was killed when."""
        stands = [line for line in transcript(self._folder) if line["type"] == "message"]
        told = [(line["reply_to"], line["agent"]) for line in stands]
        assert sorted(told) == sorted((f"m{n}", agent) for n in range(1, messages + 1) for agent in ("Nova", "Ben"))
        assert len({line["message_id"] for line in stands}) == len(stands)
        shown = Counter(line["message_id"] for line in self.all("message"))
        assert max(shown.values()) == 1
        ended = Counter(line["turn_id"] for line in self.all("turn_finished"))
        # The last word of a turn may be lost with the process that was to say it, the turn itself may not.
        assert len(ended) >= messages - 1
        assert [run.errors for run in self.runs if run.errors] == []
        assert [run.junk for run in self.runs if run.junk] == []


@pytest.mark.timeout(600)
async def test_killed_at_every_event_of_a_turn(tmp_path: Path) -> None:
    async with ModelServer(script) as server:
        story = Story(tmp_path, write_config(tmp_path, server.base_url))
        for number, step in enumerate(STEPS, start=1):
            chat = await story.start()
            try:
                if number > 1:
                    await chat.send(id=f"m{number - 1}", author="Ann", text=TEXT)  # said again: no second turn
                    if STEPS[number - 2] != "turn_finished":
                        await chat.until(event("turn_finished"))
                seen = len(chat.lines)
                await chat.send(id=f"m{number}", author="Ann", text=TEXT)
                await chat.until(event(step), skip=seen)
            finally:
                await chat.kill()
        last = await story.start()
        assert await last.end() == 0, last.errors
        story.check(len(STEPS))
        # A call that was answered and published is never made again; only the one under way may be.
        assert server.count <= 3 * len(STEPS)


@pytest.mark.timeout(300)
async def test_killed_while_the_second_model_call_runs_and_again_in_the_next_run(tmp_path: Path) -> None:
    async with ModelServer(script) as server:
        story = Story(tmp_path, write_config(tmp_path, server.base_url))
        for calls in (2, 3):
            chat = await story.start()
            try:
                await chat.send(id="m1", author="Ann", text=TEXT)
                await server.wait_for(calls, timeout=60)
            finally:
                await chat.kill()
        last = await story.start()
        await last.until(event("turn_finished"))
        assert await last.end() == 0, last.errors
        story.check(1)
        speakers = Counter(script(request).text for request in server.requests)
    assert speakers == {"Nova speaks.": 1, "Ben speaks.": 3}
