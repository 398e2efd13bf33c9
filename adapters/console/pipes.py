"""Standard input and output without ever holding up the chat: one daemon thread each."""

from __future__ import annotations

import asyncio
import os
import queue
import threading
from collections.abc import AsyncIterator, Callable
from concurrent.futures import CancelledError

_READ_BYTES = 65_536


class TooLong:
    """Stands for a line beyond the limit; its bytes are gone."""


class LineReader:
    """Lines of a file descriptor (pipe, file or terminal) as they come, without their ends."""

    def __init__(self, fd: int, *, max_bytes: int) -> None:
        self._fd = fd
        self._max = max_bytes
        self._lines: asyncio.Queue[bytes | TooLong | None] = asyncio.Queue(maxsize=100)
        self._loop: asyncio.AbstractEventLoop | None = None

    async def lines(self) -> AsyncIterator[bytes | TooLong]:
        """Ends at the end of the input, or after `stop`."""
        self._loop = asyncio.get_running_loop()
        threading.Thread(target=self._read, name="console input", daemon=True).start()
        while (line := await self._lines.get()) is not None:
            yield line

    def stop(self) -> None:
        """Ends `lines` now, from within the loop; what stands unread stays unread."""
        while not self._lines.empty():
            self._lines.get_nowait()
        self._lines.put_nowait(None)

    def _read(self) -> None:
        rest = bytearray()
        skipping = False
        try:
            while block := os.read(self._fd, _READ_BYTES):
                *whole, tail = block.split(b"\n")
                for part in whole:
                    rest += part
                    if not self._put(TooLong() if skipping or len(rest) > self._max else bytes(rest.rstrip(b"\r"))):
                        return
                    rest.clear()
                    skipping = False
                rest += tail
                if len(rest) > self._max:
                    rest.clear()
                    skipping = True
        except OSError:
            pass  # a terminal that went away is the end of the input
        if skipping or rest:
            self._put(TooLong() if skipping else bytes(rest.rstrip(b"\r")))
        self._put(None)

    def _put(self, line: bytes | TooLong | None) -> bool:
        """Waits while the chat is behind; False when it is gone."""
        assert self._loop is not None
        put = self._lines.put(line)
        try:
            asyncio.run_coroutine_threadsafe(put, self._loop).result()
        except (RuntimeError, CancelledError):
            put.close()
            return False
        return True


class LineWriter:
    """Writes whole lines in order. ``gone`` is called once, in the writer's thread, when nobody reads any more."""

    def __init__(self, fd: int, *, gone: Callable[[], None]) -> None:
        self._fd = fd
        self._gone = gone
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._broken = False
        self._thread = threading.Thread(target=self._write, name="console output", daemon=True)
        self._thread.start()

    def write(self, line: str) -> None:
        if not self._broken:
            self._lines.put(line)

    def close(self, *, wait_s: float = 10.0) -> None:
        """Writes what is left, for at most ``wait_s`` seconds."""
        self._lines.put(None)
        self._thread.join(wait_s)

    def _write(self) -> None:
        while (line := self._lines.get()) is not None:
            data = memoryview(line.encode("utf-8", "replace") + b"\n")
            try:
                while data:
                    data = data[os.write(self._fd, data) :]
            except OSError:
                self._broken = True
                self._gone()
                return
