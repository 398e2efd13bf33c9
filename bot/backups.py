"""A copy of the SQLite database every day, the newest few of them kept."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from orchestration.ports import Clock
from storage.database import Database

PREFIX, SUFFIX = "troupe-", ".db"


class Backups:
    """``kept`` copies in ``folder``; PostgreSQL is backed up with its own tools."""

    def __init__(self, database: Database, folder: Path, clock: Clock, *, kept: int) -> None:
        self._database = database
        self._folder = folder
        self._clock = clock
        self._kept = kept

    async def make(self) -> bool:
        """Makes today's copy; False when it is there. A copy that was cut off by a crash has another name and goes."""
        target = self._folder / f"{PREFIX}{self._clock():%Y%m%d}{SUFFIX}"
        if await asyncio.to_thread(target.exists):
            return False
        unfinished = target.with_suffix(".part")
        await asyncio.to_thread(_clear, self._folder, unfinished)
        await self._database.backup(unfinished)
        await asyncio.to_thread(os.replace, unfinished, target)
        await asyncio.to_thread(self._prune)
        return True

    def newest(self) -> Path | None:
        return max(self._copies(), default=None)

    def _copies(self) -> list[Path]:
        return sorted(self._folder.glob(f"{PREFIX}*{SUFFIX}")) if self._folder.exists() else []

    def _prune(self) -> None:
        for old in self._copies()[: -self._kept]:
            old.unlink(missing_ok=True)


def _clear(folder: Path, unfinished: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    unfinished.unlink(missing_ok=True)
