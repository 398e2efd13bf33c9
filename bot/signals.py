"""SIGTERM (and SIGINT, where no screen reads it as a key) end a command the way its own end would."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any


async def until_told_to_stop(work: Coroutine[Any, Any, None]) -> bool:
    """Runs ``work`` to its end, or cancels it at the first signal and waits for its own clearing up.

    Returns whether it came to its own end.
    """
    task = asyncio.create_task(work, name="command")
    told = False

    def stop() -> None:
        nonlocal told
        told = True
        task.cancel()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(number, stop)
    try:
        await task
    except asyncio.CancelledError:
        if not told:
            raise
    finally:
        for number in (signal.SIGTERM, signal.SIGINT):
            loop.remove_signal_handler(number)
    return not told
