"""`troupe chat` in a real terminal (a pty), read through a terminal emulator of 80 columns."""

from __future__ import annotations

import asyncio
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pexpect
import pyte
import pytest

from orchestration.texts import text
from tests.chat_process import write_config
from tests.model_server import ModelServer, Rule

ROOT = Path(__file__).resolve().parents[2]
COLUMNS, LINES = 80, 40
LIMIT_S = 60.0
CAST = [
    {"name": "小桃", "emoji": "🍑", "description": "爱吃爱玩的开心果"},
    {"name": "Captain Odile", "aliases": ["奥黛尔"], "emoji": "⚓", "description": "a storyteller"},
]


class Terminal:
    """A person's terminal: keys in, a screen of 80 x 40 out. Its methods wait, so they run beside the loop."""

    def __init__(self, config: Path) -> None:
        environ = {key: value for key, value in os.environ.items() if not key.startswith("OPENAI_")}
        self._child = pexpect.spawn(
            sys.executable,
            ["-m", "bot", "chat", "--as", "安妮", "--config", str(config)],
            dimensions=(LINES, COLUMNS),
            env={**environ, "TERM": "xterm-256color", "LANG": "C.UTF-8"},
            encoding="utf-8",
            codec_errors="replace",
            cwd=str(ROOT),
        )
        self._screen = pyte.HistoryScreen(COLUMNS, LINES, history=1000)
        self._stream = pyte.Stream(self._screen)
        self.raw = ""

    def shown(self) -> str:
        """The screen, line by line (a wide sign takes two columns, the second one empty)."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip()

    async def keys(self, keys: str) -> None:
        await asyncio.to_thread(self._child.send, keys)

    async def until(self, wanted: str | Callable[[str], bool]) -> str:
        """The screen as soon as the words (or the condition) are on it; an assertion with the screen if never."""
        return await asyncio.to_thread(self._until, wanted)

    def _until(self, wanted: str | Callable[[str], bool]) -> str:
        end = time.monotonic() + LIMIT_S
        found = wanted if callable(wanted) else lambda shown: wanted in shown
        while not found(self.shown()):
            assert time.monotonic() < end, f"not on the screen: {wanted}\n{self.shown()}"
            self._feed()
        return self.shown()

    def _feed(self) -> bool:
        try:
            data = self._child.read_nonblocking(65_536, timeout=0.2)
        except pexpect.TIMEOUT:
            return True
        except pexpect.EOF:
            return False
        self.raw += data
        self._stream.feed(data)
        return True

    async def exit_code(self) -> int | None:
        """Waits for the process to end by itself."""
        return await asyncio.to_thread(self._exit_code)

    def _exit_code(self) -> int | None:
        end = time.monotonic() + LIMIT_S
        while self._feed():
            assert time.monotonic() < end, f"the chat did not end\n{self.shown()}"
        self._child.close()
        code: int | None = self._child.exitstatus
        return code

    def close(self) -> None:
        self._child.close(force=True)


@pytest.mark.timeout(300)
async def test_a_person_chats_asks_why_adds_an_agent_and_leaves(tmp_path: Path) -> None:
    hostile = "好的！\x1b[2J\x1b]0;owned\x07[red]not red[/red] \u202egnorw"
    async with ModelServer([Rule(when="again", reply="第二次。"), hostile]) as server:
        terminal = Terminal(write_config(tmp_path, server.base_url, cast=CAST))
        try:
            shown = await terminal.until("安妮 ›")
            assert "🍑" in shown
            assert "Captain Odile: a storyteller" in shown

            await terminal.keys("@小桃 你好\r")
            shown = await terminal.until("[red]not red[/red]")
            assert "安妮" in shown
            assert "owned" not in terminal.raw
            assert "gnorw" in shown
            assert "\u202e" not in terminal.raw

            await terminal.keys("/why\r")
            shown = await terminal.until("scripted")
            assert "小桃" in shown

            await terminal.keys("@Nobody are you there?\r")
            await terminal.until(text("en", "console_silent"))

            await terminal.keys("/agent add\r")
            await terminal.keys("Ned\r🎲\rA gambler who hedges.\r\r")
            await terminal.until(lambda now: now.count("Ned") >= 3 and "name ›" in now)
            await terminal.keys("/agent list\r")
            await terminal.until("Ned: A gambler who hedges.")

            await terminal.keys("\x04")
            assert await terminal.exit_code() == 0
        finally:
            terminal.close()

        terminal = Terminal(tmp_path / "config.yaml")
        try:
            shown = await terminal.until("安妮 ›")
            assert "@小桃 你好" in shown, "what was said before is there again"
            assert "[red]not red[/red]" in shown
            assert all(len(line) <= COLUMNS for line in shown.split("\n"))
            await terminal.keys("\x03")
            await terminal.until("Ctrl-C")
            await terminal.keys("\x03")
            assert await terminal.exit_code() == 0
        finally:
            terminal.close()


@pytest.mark.timeout(300)
async def test_the_dialogue_asks_again_for_what_is_needed_and_ctrl_c_lets_it_go(tmp_path: Path) -> None:
    async with ModelServer(["Hello."]) as server:
        terminal = Terminal(write_config(tmp_path, server.base_url, cast=CAST, locale="zh"))
        try:
            await terminal.until("安妮 ›")
            await terminal.keys("/agent add\r")
            await terminal.until("名字 ›")
            await terminal.keys("小桃\r")
            await terminal.until(text("zh", "console_add_taken", name="小桃"))
            await terminal.keys("阿波\r\r")
            await terminal.until("人设 ›")
            await terminal.keys("\r")
            await terminal.until(text("zh", "console_add_needed"))
            await terminal.keys("a half-written ans\x03")
            await terminal.until(text("zh", "add_cancelled"))
            await terminal.until("安妮 ›")

            await terminal.keys("/agent add 小桃\r")
            await terminal.until(lambda now: now.count(text("zh", "console_add_taken", name="小桃")) == 2)
            await terminal.keys("/help\r/cancel\r")
            await terminal.until(lambda now: now.count(text("zh", "add_cancelled")) == 2)
            await terminal.keys("/agent list\r")
            shown = await terminal.until(text("zh", "agents_head", count=2))
            assert "half-written" not in shown
            await terminal.keys("\x04")
            assert await terminal.exit_code() == 0
        finally:
            terminal.close()


@pytest.mark.timeout(300)
async def test_who_is_writing_is_seen_and_ctrl_c_stops_the_turn(tmp_path: Path) -> None:
    let_go = asyncio.Event()

    async def slow(_: object) -> str:
        await let_go.wait()
        return "too late"

    async with ModelServer(slow) as server:
        terminal = Terminal(write_config(tmp_path, server.base_url, cast=CAST))
        try:
            await terminal.until("安妮 ›")
            await terminal.keys("hello @Captain Odile\r")
            await terminal.until("Captain Odile is writing")
            await terminal.keys("\x03")
            await terminal.until(text("en", "stop_soft")[:30])
            await terminal.keys("/stop now\r")
            await terminal.until(text("en", "stop_hard")[:30])
            await terminal.until(lambda now: "is writing" not in now)
            await terminal.keys("\x04")
            assert await terminal.exit_code() == 0
            assert "Traceback" not in terminal.raw
        finally:
            let_go.set()
            terminal.close()
