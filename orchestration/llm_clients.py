"""One `Wire` for each provider and event loop, opened at the first call and closed together."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import Callable
from datetime import datetime
from typing import TYPE_CHECKING

from orchestration.llm_settings import ProviderSettings

if TYPE_CHECKING:
    from orchestration.llm_wire import Wire

_CLOSE_S = 5.0


class Clients:
    """The HTTP clients of a process. A client belongs to the event loop it was opened in (the engine has its own)."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        self._clock = clock
        self._wires: dict[tuple[str, str, asyncio.AbstractEventLoop], Wire] = {}

    async def wire(self, provider: ProviderSettings, connect_timeout_s: float) -> Wire:
        loop = asyncio.get_running_loop()
        key = (provider.name, provider.base_url, loop)
        if (found := self._wires.get(key)) is not None:
            return found
        await self.warm()
        # Somebody else may have opened it while the library was read.
        if (found := self._wires.get(key)) is not None:
            return found
        from orchestration.llm_wire import Wire

        self._forget_ended_loops()
        opened = self._wires[key] = Wire(provider, connect_timeout_s=connect_timeout_s, clock=self._clock)
        return opened

    async def warm(self) -> None:
        """Reads the libraries (1.5 s) beside the event loop, so that nobody's first message waits for them."""
        await asyncio.to_thread(importlib.import_module, "orchestration.llm_wire")

    async def close(self) -> None:
        """Closes every client; requests still under way in other loops are dropped."""
        here = asyncio.get_running_loop()
        wires, self._wires = self._wires, {}
        for (_, _, loop), wire in wires.items():
            if loop is here:
                await wire.close()
            elif loop.is_running():
                closing = asyncio.run_coroutine_threadsafe(wire.close(), loop)
                async with asyncio.timeout(_CLOSE_S):
                    await asyncio.wrap_future(closing)

    async def close_here(self) -> None:
        """Closes the clients of this event loop, before it ends."""
        here = asyncio.get_running_loop()
        for key in [key for key in self._wires if key[2] is here]:
            await self._wires.pop(key).close()

    def _forget_ended_loops(self) -> None:
        self._wires = {key: wire for key, wire in self._wires.items() if not key[2].is_closed()}
