"""Shows who is writing: one loop for each (bot, chat), ended by the first refusal or after some minutes."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from telegram.constants import ChatAction

from adapters.telegram.calls import CallFailed, Calls
from adapters.telegram.limiter import Priority
from adapters.telegram.posting import Where
from adapters.telegram.wire import Client

EVERY_S = 5.0
LONGEST_S = 600.0


class Typing:
    def __init__(self, calls: Calls, *, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self._calls = calls
        self._sleep = sleep
        self._loops: dict[str, tuple[int, asyncio.Task[None]]] = {}

    def show(self, place: str, client: Client, where: Where) -> None:
        """This bot is writing at this place; another one no longer is."""
        running = self._loops.get(place)
        if running is not None and running[0] == client.number and not running[1].done():
            return
        self.hide(place)
        task = asyncio.create_task(self._loop(client, where), name=f"typing {place}")
        self._loops[place] = (client.number, task)
        task.add_done_callback(lambda done: self._retire(place, done))

    def hide(self, place: str) -> None:
        running = self._loops.pop(place, None)
        if running is not None:
            running[1].cancel()

    def _retire(self, place: str, task: asyncio.Task[None]) -> None:
        running = self._loops.get(place)
        if running is not None and running[1] is task:
            del self._loops[place]

    async def _loop(self, client: Client, where: Where) -> None:
        for _ in range(int(LONGEST_S / EVERY_S)):
            try:
                await self._calls.write(
                    client,
                    where.chat_id,
                    Priority.TYPING,
                    lambda: client.send_chat_action(
                        where.chat_id, ChatAction.TYPING, message_thread_id=where.thread_id
                    ),
                )
            except CallFailed:
                return
            await self._sleep(EVERY_S)

    async def stop(self) -> None:
        tasks = [task for _, task in self._loops.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
