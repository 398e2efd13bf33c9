"""`troupe run`: every platform that the configuration enables, until it is told to stop."""

from __future__ import annotations

import asyncio
import logging

from bot import logs
from bot.app import App, build
from bot.config import Settings
from bot.lifetimes import light_collector
from bot.signals import until_told_to_stop
from orchestration.errors import ConfigError
from orchestration.ports import Adapter

logger = logging.getLogger(__name__)

CLOSE_LIMIT_S = 15.0


async def run_platforms(settings: Settings) -> None:
    """Raises ConfigError when no platform is enabled, and whatever makes a platform end for good."""
    if not (settings.discord.enabled or settings.telegram.enabled):
        name = settings.file.name if settings.file else "config.yaml"
        raise ConfigError(
            f"{name}: discord.enabled: expected true here or in telegram.enabled, got false "
            "(for a chat in this terminal: troupe chat)"
        )
    logs.configure(settings.data_dir, secrets=settings.secrets(), to_stderr=True)
    logs.route_strays()
    await until_told_to_stop(_run(build(settings)))


async def _run(app: App) -> None:
    try:
        app.add_platforms()
        await app.start()
        if app.models is not None:
            logger.info("models: %s", app.models.writer.label)
        async with light_collector(), asyncio.TaskGroup() as group:
            for adapter in app.adapters.values():
                group.create_task(adapter.run(), name=f"platform {adapter.platform}")
            logger.info("running: %s (Ctrl-C stops)", ", ".join(app.adapters))
    except BaseExceptionGroup as failures:
        raise failures.exceptions[0] from None
    finally:
        await _close(app)


async def _close(app: App) -> None:
    """Platforms first, so that nothing new comes in; then the rest. What hangs is left behind."""
    for adapter in app.adapters.values():
        await _within_limit(adapter)
    await app.close()
    logger.info("stopped")


async def _within_limit(adapter: Adapter) -> None:
    try:
        async with asyncio.timeout(CLOSE_LIMIT_S):
            await adapter.close()
    except TimeoutError:
        logger.warning("%s did not close in time", adapter.platform)
