"""`troupe run` on Telegram as a process of its own, against our fake server and a scripted model; it may be killed."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import yaml

from tests import waiting
from tests.platforms.telegram_stage import AVA_TOKEN, HOST_TOKEN

ROOT = Path(__file__).resolve().parents[2]


def write_config(folder: Path, api: str, model: str, *, pool: bool = False, locale: str = "en") -> Path:
    """A configuration with Ava and Ben; ``pool``: Ava has her own bot."""
    ava: dict[str, Any] = {"name": "Ava", "emoji": "🦊", "description": "a calm botanist"}
    if pool:
        ava["telegram"] = {"token_env": "AVA_TOKEN"}
    config = {
        "data_dir": str(folder / "data"),
        "locale": locale,
        "models": {
            "providers": {"loop": {"base_url": model, "api_key_env": "MODEL_KEY", "wire_api": "chat_completions"}},
            "roles": {"writer": {"provider": "loop", "model": "scripted", "timeout_s": 20}, "router": None},
        },
        "telegram": {"enabled": True, "token_env": "HOST_TOKEN", "api_base_url": api},
        "turn": {"burst_s": 0},
        "cast": [ava, {"name": "Ben", "emoji": "🐻", "description": "a dry cook"}],
    }
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(config, allow_unicode=True), encoding="utf-8")
    return path


class TelegramProcess:
    """One run of ``troupe run`` (or another command)."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self._output = asyncio.create_task(process.communicate())

    @classmethod
    async def start(cls, config: Path, *command: str) -> TelegramProcess:
        env = {k: v for k, v in os.environ.items() if not k.startswith("OPENAI_")}
        env |= {"HOST_TOKEN": HOST_TOKEN, "AVA_TOKEN": AVA_TOKEN, "MODEL_KEY": "sk-test-key-of-the-model"}
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-m",
            "bot",
            *(command or ("run",)),
            "--config",
            str(config),
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            cwd=ROOT,
            env=env,
        )
        return cls(process)

    async def kill(self) -> None:
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)
        await self._output

    async def end(self, limit_s: float = 20.0) -> tuple[int, str]:
        """SIGTERM, then (exit code, everything it wrote). Fails when it does not end in time."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGTERM)
        return await self.over(limit_s)

    async def over(self, limit_s: float = 60.0) -> tuple[int, str]:
        """Waits for its own end."""
        try:
            async with asyncio.timeout(limit_s):
                out, err = await asyncio.shield(self._output)
        except TimeoutError:
            await self.kill()
            raise
        assert self.process.returncode is not None
        return self.process.returncode, (out + err).decode(errors="replace")


async def until(
    true: Callable[[], Any], limit_s: float = waiting.LIMIT_S, *, run: TelegramProcess | None = None
) -> Any:
    """As `waiting.until`; fails at once when ``run`` ends before."""

    async def alive() -> Any:
        found = true()
        if isinstance(found, Awaitable):
            found = await found
        assert found or run is None or run.process.returncode is None, (await run.over())[1]
        return found

    return await waiting.until(alive, limit_s)
