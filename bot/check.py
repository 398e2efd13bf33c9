"""Looks at configuration, disk, database, engine, models and platforms before anybody runs them."""

from __future__ import annotations

import asyncio
import os
import shutil
import time
from collections.abc import AsyncIterator
from contextlib import suppress
from datetime import UTC, datetime

from filelock import FileLock, Timeout

from bot.app import App
from bot.config import ROLES, Settings
from bot.lifetimes import LOCK_FILE, WORK_FILES, ensure_sqlite
from bot.model_choice import choose
from orchestration.errors import ModelError, ModelRefused, StorageError, TroupeError
from orchestration.findings import Checkable, Finding, Level
from orchestration.memory.records import Work
from orchestration.ports import ChatModel, PromptMessage, UnitOfWork, WriteRequest
from orchestration.summaries import STEP
from orchestration.texts import text

MODEL_LIMIT_S = 8.0
PLATFORM_LIMIT_S = 20.0
LITTLE_SPACE_BYTES = 200_000_000


class Check:
    """One look at everything. What is wrong in one place never hides the others."""

    def __init__(self, settings: Settings, app: App) -> None:
        self._settings = settings
        self._app = app

    async def findings(self) -> AsyncIterator[Finding]:
        yield self._configuration()
        yield await asyncio.to_thread(self._disk)
        yield await asyncio.to_thread(self._engine)
        async for finding in self._with_database():
            yield finding
        async for finding in self._models():
            yield finding

    # -------------------------------------------------------------------------------------- places

    def _configuration(self) -> Finding:
        where = str(self._settings.file or "") or self._say("check_config_defaults")
        names = ", ".join(agent.name for agent in self._settings.cast)
        return self._finding(
            "config", Level.OK, "check_config_ok", file=where, count=len(self._settings.cast), names=names
        )

    def _disk(self) -> Finding:
        folder = self._settings.data_dir
        try:
            folder.mkdir(parents=True, exist_ok=True)
            probe = folder / f".check-{os.getpid()}"
            probe.write_bytes(b"x")
            probe.unlink()
            free = shutil.disk_usage(folder).free
        except OSError as fault:
            reason = fault.strerror or type(fault).__name__
            return self._finding("disk", Level.PROBLEM, "check_disk_closed", folder=folder, reason=reason)
        level = Level.WARNING if free < LITTLE_SPACE_BYTES else Level.OK
        return self._finding("disk", level, "check_disk", folder=folder, free=f"{free / 1e9:.1f}")

    def _engine(self) -> Finding:
        """Whether a Troupe runs on this data directory already (only one may, on SQLite)."""
        lock = FileLock(self._settings.data_dir / LOCK_FILE)
        try:
            lock.acquire(timeout=0)
        except Timeout:
            return self._finding("engine", Level.OK, "check_engine_running")
        except OSError as fault:
            reason = fault.strerror or type(fault).__name__
            return self._finding("engine", Level.PROBLEM, "check_engine_closed", reason=reason)
        lock.release()
        try:
            for name in WORK_FILES if self._app.database.is_sqlite else ():
                ensure_sqlite(self._settings.data_dir / name)
        except StorageError as fault:
            return Finding(area="engine", level=Level.PROBLEM, text=str(fault))
        return self._finding("engine", Level.OK, "check_engine_free")

    async def _with_database(self) -> AsyncIterator[Finding]:
        """The database, and what needs it open: the platforms."""
        database = self._app.database
        started = time.monotonic()
        try:
            await database.open()
        except StorageError as error:
            yield self._finding("database", Level.PROBLEM, "check_database_closed", label=database.label, reason=error)
            return
        try:
            await database.upgrade()
            async with self._app.storage.begin() as uow:
                chats = await uow.chats.all()
            ms = round((time.monotonic() - started) * 1000)
            yield self._finding(
                "database", Level.OK, "check_database_ok", label=database.label, chats=len(chats), ms=ms
            )
            yield await self._upkeep()
            async for finding in self._platforms():
                yield finding
        except StorageError as error:
            yield self._finding("database", Level.PROBLEM, "check_database_closed", label=database.label, reason=error)
        finally:
            await database.close()

    async def _upkeep(self) -> Finding:
        """How background work goes, as far as its last runs tell."""
        if not self._settings.upkeep.enabled:
            return self._finding("upkeep", Level.OK, "check_upkeep_off")
        async with self._app.storage.read() as uow:
            failing, newest = await uow.upkeep.failing(), await uow.upkeep.newest()
            values = {work.value: await self._waiting(uow, work) for work in (Work.COMPACT, Work.REMEMBER)}
        backup = self._app.backups.newest()
        values["backup"] = backup.name if backup is not None else "–"
        values["last"] = "–"
        if newest is not None:
            done = self._say(f"upkeep_{newest.last_outcome or 'nothing'}")
            values["last"] = f"{self._say(f'work_{newest.work}')}: {done}, {newest.last_at:%Y-%m-%d %H:%M}"
        if not failing:
            return self._finding("upkeep", Level.OK, "check_upkeep_ok", **values)
        worst = failing[0]
        what = self._say(f"upkeep_{worst.last_outcome or 'failed'}")
        count, tries = len({state.chat_id for state in failing}), worst.failures
        return self._finding(
            "upkeep", Level.WARNING, "check_upkeep_failing", count=count, what=what, tries=tries, **values
        )

    async def _waiting(self, uow: UnitOfWork, work: Work) -> str:
        """In how many chats this work has something to do."""
        least = 2 * STEP if work is Work.COMPACT else 1
        return str(len(await uow.upkeep.behind(work, by=least, now=datetime.now(UTC))))

    async def _platforms(self) -> AsyncIterator[Finding]:
        enabled = [p for p in ("discord", "telegram") if getattr(self._settings, p).enabled]
        if not enabled:
            yield self._finding("platforms", Level.OK, "check_platforms_none")
        for adapter in self._app.adapters.values():
            if not isinstance(adapter, Checkable):
                yield self._finding(adapter.platform, Level.OK, "check_platform_unseen")
                continue
            try:
                async with asyncio.timeout(PLATFORM_LIMIT_S):
                    found = await adapter.check()
            except (TroupeError, OSError, TimeoutError) as error:
                reason = str(error) if isinstance(error, TroupeError) else type(error).__name__
                yield self._finding(adapter.platform, Level.PROBLEM, "check_platform_silent", reason=reason)
            else:
                for finding in found:
                    yield finding

    # -------------------------------------------------------------------------------------- models

    async def _models(self) -> AsyncIterator[Finding]:
        models = await choose(self._settings)
        try:
            if models.notice:
                yield Finding(
                    area="models",
                    level=Level.WARNING,
                    text=models.notice_text(self._settings.locale),
                    mend=self._say("check_models_mend"),
                )
                return
            with suppress(ModelError):  # imports take seconds and are none of the model's; the call itself will tell
                await models.warm()
            asked: set[str] = set()
            for role in ROLES:
                model: ChatModel | None = getattr(models, role)
                config = self._settings.role(role)
                key = f"{config.provider}/{config.model}" if config else "environment"
                if model is None or key in asked:
                    continue
                asked.add(key)
                yield await self._model(role, model)
        finally:
            await models.close()

    async def _model(self, role: str, model: ChatModel) -> Finding:
        """One tiny call: it proves address, key and model name at once."""
        request = WriteRequest(messages=(PromptMessage(role="user", text="Say: hello"),), max_tokens=16, words="hello")
        started = time.monotonic()
        values = {"role": role, "label": model.label}
        try:
            async with asyncio.timeout(MODEL_LIMIT_S):
                await model.write(request)
        except TimeoutError:
            return self._finding("models", Level.WARNING, "check_model_slow", seconds=int(MODEL_LIMIT_S), **values)
        except ModelRefused:
            return self._finding("models", Level.PROBLEM, "check_model_refused", **values)
        except ModelError as error:
            return self._finding("models", Level.PROBLEM, "check_model_silent", what=error.code, **values)
        return self._finding(
            "models", Level.OK, "check_model_ok", ms=round((time.monotonic() - started) * 1000), **values
        )

    # -------------------------------------------------------------------------------------- words

    def _finding(self, area: str, level: Level, code: str, **values: object) -> Finding:
        """The text ``code``; where something is wrong also the text ``code_mend``."""
        mend = "" if level is Level.OK else self._say(f"{code}_mend", **values)
        return Finding(area=area, level=level, text=self._say(code, **values), mend=mend)

    def _say(self, code: str, **values: object) -> str:
        return text(self._settings.locale, code, **values)
