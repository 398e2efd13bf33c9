"""The terminal's memory: what was posted, one JSON object a line, each message exactly once."""

from __future__ import annotations

import json
import os
import threading
from pathlib import Path

from orchestration.errors import DeliveryLater

FULL_DISK_PAUSE_S = 5.0
_READ_BYTES = 1 << 20


class Transcript:
    """An append-only file against which delivery reconciles. All methods block; threads may share one.

    A line is on the disk when `append_once` returns. A line torn by a crash is taken away again at the next open.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._ids: set[str] = set()
        self._fd: int | None = None
        self._size = 0

    def open(self) -> None:
        """Raises OSError when the file cannot be made."""
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._lock:
            self._fd = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            self._take_in()
            if os.fstat(self._fd).st_size > self._size:
                os.ftruncate(self._fd, self._size)

    def close(self) -> None:
        with self._lock:
            if self._fd is not None:
                os.close(self._fd)
                self._fd = None

    def has(self, line_id: str) -> bool:
        with self._lock:
            return line_id in self._ids

    def append_once(self, line_id: str, line: str) -> bool:
        """Writes the line (without its end) unless one of this id stands already; whether it was written.

        Raises DeliveryLater when the disk is full; nothing of the line is left then.
        """
        data = line.encode("utf-8", "replace") + b"\n"
        with self._lock:
            if self._fd is None:
                raise DeliveryLater("the transcript is closed", FULL_DISK_PAUSE_S)
            if os.fstat(self._fd).st_size > self._size:
                self._take_in()  # another process wrote
            if line_id in self._ids:
                return False
            try:
                written = os.write(self._fd, data)
                if written == len(data):
                    os.fsync(self._fd)
            except OSError as fault:
                self._take_back()
                raise DeliveryLater(f"the transcript cannot be written: {fault.strerror}", FULL_DISK_PAUSE_S) from None
            if written < len(data):
                self._take_back()
                raise DeliveryLater("the transcript cannot be written: the disk is full", FULL_DISK_PAUSE_S)
            self._size += len(data)
            self._ids.add(line_id)
            return True

    def _take_back(self) -> None:
        if self._fd is not None and os.fstat(self._fd).st_size > self._size:
            os.ftruncate(self._fd, self._size)

    def _take_in(self) -> None:
        """Learns the ids of all whole lines behind what is known; ``_size`` ends after the last whole one."""
        assert self._fd is not None
        rest = b""
        at = self._size
        while block := os.pread(self._fd, _READ_BYTES, at):
            at += len(block)
            *lines, rest = (rest + block).split(b"\n")
            for line in lines:
                self._size += len(line) + 1
                if (line_id := _id_of(line)) is not None:
                    self._ids.add(line_id)


def _id_of(line: bytes) -> str | None:
    """The id a line carries; None for a line that is none of ours."""
    try:
        data = json.loads(line)
    except ValueError:
        return None
    if not isinstance(data, dict):
        return None
    found = data.get("line_id", data.get("message_id"))
    return found if isinstance(found, str) else None
