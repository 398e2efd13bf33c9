"""Which messages the gateway has handed to us, written down before anything waits.

A process that is killed knows after its restart which of the messages it missed had reached it already: those are
answered all, while of those sent in its absence only the newest addressed one is. A line costs microseconds and
survives kill -9 (not a power cut, which the newest-one rule then covers).
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

TRUNCATE_AT: Final = 5000
ARRIVALS_KEPT: Final = 20_000


class ReceivedLog:
    """An append-only file of message ids; emptied when everything in it is stored."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: int | None = None
        self._pending: set[int] = set()
        self._arrived: dict[int, None] = {}
        self._lines = 0

    def open(self) -> frozenset[int]:
        """Opens the file for this process; returns the ids that an earlier one left."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        left: set[int] = set()
        if self._path.exists():
            left = {int(line) for line in self._path.read_text("ascii", "replace").split() if line.isdecimal()}
        self._file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
        self._lines = len(left)
        return frozenset(left)

    def has_arrived(self, message_id: int) -> bool:
        """Whether the gateway has told of the message in this process."""
        return message_id in self._arrived

    def note(self, message_id: int) -> None:
        self._arrived[message_id] = None
        if len(self._arrived) > ARRIVALS_KEPT:
            self._arrived.pop(next(iter(self._arrived)))
        if self._file is not None:
            os.write(self._file, f"{message_id}\n".encode())
            self._pending.add(message_id)
            self._lines += 1

    def stored(self, message_id: int) -> None:
        """The message is in the database (or is none of ours)."""
        self._pending.discard(message_id)
        if not self._pending and self._lines > TRUNCATE_AT:
            self.clear()

    def clear(self) -> None:
        """Forgets everything but what is still on its way to the database."""
        if self._file is not None:
            os.ftruncate(self._file, 0)
            self._lines = 0
            for message_id in sorted(self._pending):
                os.write(self._file, f"{message_id}\n".encode())
                self._lines += 1

    def close(self) -> None:
        if self._file is not None:
            os.close(self._file)
            self._file = None
