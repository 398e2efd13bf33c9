"""When this process was connected, written down while it lives: so that a restart knows what was sent to it.

A busy process that is killed may have messages in its socket that it never looked at. They were sent to it all the
same: they are answered, unlike those sent in its absence. A thread of its own keeps the time, because the event loop is
late exactly when this matters. A stamp is one write of eight bytes, and survives kill -9.
"""

from __future__ import annotations

import os
import struct
import threading
from pathlib import Path
from typing import Final

import discord

from orchestration.ports import Clock

EVERY_S: Final = 0.05
_SPAN: Final = struct.Struct("<QQ")
_END: Final = struct.Struct("<Q")


class Presence:
    """Spans (from, to) in milliseconds since 1970, one a connection. `connected` and `disconnected` may repeat."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._file: int | None = None
        self._offset = 0
        self._stop: threading.Event | None = None
        self._thread: threading.Thread | None = None
        self._earlier: tuple[tuple[int, int], ...] = ()

    def open(self) -> None:
        """Reads what earlier processes left, and gets ready to add to it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        raw = os.read(self._file, 1 << 20)
        whole = len(raw) - len(raw) % _SPAN.size
        self._earlier = tuple(_SPAN.iter_unpack(raw[:whole]))
        self._offset = whole

    def reached_us(self, message_id: int) -> bool:
        """Whether an earlier process was connected when this message was made (by our clock)."""
        at = int(discord.utils.snowflake_time(message_id).timestamp() * 1000)
        return any(begin <= at <= end for begin, end in self._earlier)

    def connected(self) -> None:
        if self._file is None or self._thread is not None:
            return
        now = self._now()
        os.pwrite(self._file, _SPAN.pack(now, now), self._offset)
        self._stop = threading.Event()
        self._thread = threading.Thread(
            target=self._keep, args=(self._file, self._offset + 8, self._stop), name="discord presence", daemon=True
        )
        self._thread.start()

    def disconnected(self) -> None:
        if self._stop is None or self._thread is None:
            return
        self._stop.set()
        self._thread.join(timeout=1.0)
        self._stop, self._thread = None, None
        self._offset += _SPAN.size

    def caught_up(self) -> None:
        """All that was missed has been read: earlier spans say nothing any more."""
        if self._file is None:
            return
        running = self._thread is not None
        self.disconnected()
        os.ftruncate(self._file, 0)
        self._earlier, self._offset = (), 0
        if running:
            self.connected()

    def close(self) -> None:
        self.disconnected()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _keep(self, file: int, offset: int, stop: threading.Event) -> None:
        while not stop.wait(EVERY_S):
            os.pwrite(file, _END.pack(self._now()), offset)

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)
