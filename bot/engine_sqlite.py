"""The engine's database where it is a SQLite file."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any


class EngineConnection(sqlite3.Connection):
    """A connection that knows the time as DBOS asks for it, whatever the age of the SQLite library.

    From Python 3.12 on DBOS takes the time from ``unixepoch('subsec')``, in statements and in defaults of its tables.
    SQLite knows that since 3.42; an older one gives NULL, and the engine would not start. A database made so may
    later be used from Python 3.11, so the version of Python does not matter here.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if sqlite3.sqlite_version_info < (3, 42):
            self.create_function("unixepoch", 1, _unixepoch)


def _unixepoch(modifier: str) -> float:
    if modifier != "subsec":
        raise ValueError(modifier)
    return time.time()


def prepare(path: Path) -> None:
    """WAL, set once on the file: 42 -> 180 turns/s (docs/durability.md)."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
