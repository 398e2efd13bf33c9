"""The terminal's memory: what was posted, one JSON object a line, each message exactly once."""

from __future__ import annotations

import errno
import json
import os
import threading
from pathlib import Path

from orchestration.errors import DeliveryLater

FULL_DISK_PAUSE_S = 5.0
_READ_BYTES = 1 << 20


class Transcript:
    """An append-only file against which delivery reconciles. All methods block; threads may share one.

    A line is on the disk when `append_once` returns. A line torn by a crash is taken away when the file is first used,
    which is after the process has the data directory to itself.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._ids: set[str] = set()
        self._fd: int | None = None
        self._size = 0
        self._closed = False

    def close(self) -> None:
        """For good: what comes later is put off to the next start."""
        with self._lock:
            self._closed = True
            if self._fd is not None:
                os.close(self._fd)
                self._fd = None

    def append_once(self, line_id: str, line: str) -> bool:
        """Writes the line (without its end) unless one of this id stands already; whether it was written.

        Raises DeliveryLater when the disk is full; nothing of the line is left then.
        """
        data = line.encode("utf-8", "replace") + b"\n"
        with self._lock:
            try:
                return self._append(self._opened(), line_id, data)
            except OSError as fault:
                raise DeliveryLater(f"the transcript cannot be written: {fault.strerror}", FULL_DISK_PAUSE_S) from None

    def _append(self, fd: int, line_id: str, data: bytes) -> bool:
        if os.fstat(fd).st_size > self._size:
            self._take_in(fd)  # another process wrote
        if line_id in self._ids:
            return False
        try:
            whole = os.write(fd, data) == len(data)
            os.fsync(fd)
        except OSError:
            os.ftruncate(fd, self._size)
            raise
        if not whole:
            os.ftruncate(fd, self._size)
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        self._size += len(data)
        self._ids.add(line_id)
        return True

    def _opened(self) -> int:
        if self._closed:
            raise OSError(errno.EBADF, "it is closed")
        if self._fd is None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            self._fd = os.open(self._file, os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
            self._take_in(self._fd)
            if os.fstat(self._fd).st_size > self._size:
                os.ftruncate(self._fd, self._size)
        return self._fd

    def _take_in(self, fd: int) -> None:
        """Learns the ids of all whole lines behind what is known; ``_size`` ends after the last whole one."""
        rest = b""
        at = self._size
        while block := os.pread(fd, _READ_BYTES, at):
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
