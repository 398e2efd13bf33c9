"""`troupe chat --json` as a process of its own: a program talks to it in JSON lines, and may kill it at any moment."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

START_S = 60.0
ROOT = Path(__file__).resolve().parent.parent


class ChatProcess:
    """One run. ``lines`` holds what it has said on stdout so far; ``errors`` its stderr once it is over."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.lines: list[dict[str, Any]] = []
        self.junk: list[str] = []
        self.errors = ""
        self._news = asyncio.Condition()
        self._readers = [asyncio.create_task(self._read_out()), asyncio.create_task(self._read_errors())]

    @classmethod
    async def start(cls, config: Path, **environ: str) -> ChatProcess:
        command = [sys.executable, "-m", "bot", "chat", "--json", "--config", str(config)]
        env = {key: value for key, value in os.environ.items() if not key.startswith("OPENAI_")}
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=ROOT,
            env={**env, **environ},
            limit=64 * 2**20,
        )
        return cls(process)

    async def _read_out(self) -> None:
        assert self._process.stdout is not None
        while raw := await self._process.stdout.readline():
            async with self._news:
                try:
                    self.lines.append(json.loads(raw))
                except ValueError:
                    self.junk.append(raw.decode(errors="replace"))
                self._news.notify_all()
        async with self._news:
            self._news.notify_all()

    async def _read_errors(self) -> None:
        assert self._process.stderr is not None
        self.errors = (await self._process.stderr.read()).decode(errors="replace")

    async def send(self, **fields: Any) -> None:
        """One line in; a process that has just been killed hears nothing, which is no fault of the test."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write((json.dumps(fields) + "\n").encode())
            await self._process.stdin.drain()
        except (BrokenPipeError, ConnectionResetError):
            return

    async def until(
        self, wanted: Callable[[dict[str, Any]], bool], *, skip: int = 0, timeout: float = START_S
    ) -> dict[str, Any]:
        """The first wanted line after the first ``skip``. TimeoutError, or EOFError when the process ends before."""

        def found() -> dict[str, Any] | None:
            return next((line for line in self.lines[skip:] if wanted(line)), None)

        async with asyncio.timeout(timeout), self._news:
            await self._news.wait_for(lambda: found() is not None or self._readers[0].done())
        line = found()
        if line is None:
            raise EOFError(f"the chat ended: {self.errors}")
        return line

    async def finished(self, count: int = 1, *, timeout: float = START_S) -> None:
        """Waits for that many finished turns in this run."""
        async with asyncio.timeout(timeout), self._news:
            await self._news.wait_for(lambda: len(self.events("turn_finished")) >= count)

    def events(self, kind: str) -> list[dict[str, Any]]:
        return [line for line in self.lines if line.get("type") == "event" and line.get("kind") == kind]

    def messages(self) -> list[dict[str, Any]]:
        return [line for line in self.lines if line.get("type") == "message"]

    def notices(self) -> list[str]:
        return [line["text"] for line in self.lines if line.get("type") == "notice"]

    async def kill(self) -> None:
        """kill -9, now."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)
        await self._over()

    async def end(self, *, timeout: float = 60) -> int:
        """End of input; returns the exit code."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            async with asyncio.timeout(timeout):
                return await self._over()
        except TimeoutError:
            await self.kill()
            raise

    async def _over(self) -> int:
        await asyncio.gather(*self._readers)
        return await self._process.wait()


def write_config(folder: Path, base_url: str, **changes: Any) -> Path:
    """A configuration with two agents and a scripted model; rules alone route."""
    role = {"provider": "loopback", "model": "scripted", "timeout_s": 20}
    config = {
        "data_dir": "data",
        "models": {
            "providers": {"loopback": {"base_url": base_url}},
            "roles": {"writer": role, "router": None, "checker": None, "summariser": None},
        },
        "cast": [
            {"name": "Nova", "aliases": ["星星"], "description": "an astronomer"},
            {"name": "Ben", "description": "a cook"},
        ],
        **changes,
    }
    file = folder / "config.yaml"
    file.write_text(json.dumps(config))
    return file


def transcript(folder: Path) -> list[dict[str, Any]]:
    file = folder / "data" / "transcript.jsonl"
    return [json.loads(line) for line in file.read_text().splitlines()] if file.exists() else []
