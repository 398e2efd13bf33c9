"""`troupe run` against the fake Discord, as a process of its own that may be killed at any moment."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from pathlib import Path

from tests.fake_discord import FakeDiscord
from tests.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]
START_S = 150.0
STOP_S = 30.0


def write_config(folder: Path, discord: FakeDiscord, model: ModelServer, *, more: str = "") -> Path:
    path = folder / "config.yaml"
    path.write_text(
        f"""
data_dir: {folder / "data"}
models:
  providers:
    loopback: {{base_url: "{model.base_url}"}}
  roles:
    writer: {{provider: loopback, model: scripted, timeout_s: 20}}
    router: null
    checker: null
    summariser: null
turn: {{burst_s: 0}}
cast:
  - {{name: Ada, description: a calm botanist, instructions: Always name a plant.}}
  - {{name: Ben, description: a dry cook}}
discord:
  enabled: true
  token_env: FAKE_DISCORD_TOKEN
  api_base_url: {discord.api_url}
  gateway_url: {discord.gateway_url}
{more}
""",
        encoding="utf-8",
    )
    return path


class DiscordProcess:
    """One run. ``errors`` holds its stderr once it is over."""

    def __init__(self, process: asyncio.subprocess.Process, discord: FakeDiscord) -> None:
        self._process = process
        self._discord = discord
        self._reader = asyncio.create_task(self._read())
        self.errors = ""

    @classmethod
    async def start(cls, config: Path, discord: FakeDiscord, *, token: str = "") -> DiscordProcess:
        """Starts it and waits until its gateway session stands."""
        discord.gateway.connected.clear()
        env = {key: value for key, value in os.environ.items() if not key.startswith("OPENAI_")}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            "run",
            "--config",
            str(config),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.PIPE,
            cwd=ROOT,
            env={**env, "FAKE_DISCORD_TOKEN": token or discord.token},
        )
        running = cls(process, discord)
        ready = asyncio.create_task(discord.gateway.connected.wait())
        ended = asyncio.create_task(process.wait())
        await asyncio.wait({ready, ended}, timeout=START_S, return_when=asyncio.FIRST_COMPLETED)
        ready.cancel()
        ended.cancel()
        if not discord.gateway.connected.is_set():
            await running.kill()
            raise AssertionError(f"it did not connect: {running.errors}")
        return running

    async def _read(self) -> None:
        assert self._process.stderr is not None
        self.errors = (await self._process.stderr.read()).decode(errors="replace")

    @property
    def returncode(self) -> int | None:
        return self._process.returncode

    async def kill(self) -> None:
        """kill -9: no farewell, no flush."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGKILL)
        await self._process.wait()
        await self._reader

    async def stop(self) -> int:
        """SIGTERM; the exit code."""
        if self._process.returncode is None:
            self._process.send_signal(signal.SIGTERM)
        try:
            code = await asyncio.wait_for(self._process.wait(), STOP_S)
        except TimeoutError:
            await self.kill()
            raise
        await self._reader
        return code
