"""How fast one bot may write into one chat: own budget per (bot, chat), priorities, and closed doors after a 429.

The server documents about one message a second in a chat and twenty a minute in a group; a forum is one chat for all
its topics. Answers, edits and commands' answers queue (highest priority first, then first come); typing and passing
edits are dropped when there is no room. A 429 closes one bot in one chat, for every kind of write, until its deadline.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from enum import IntEnum

MINUTE = 60.0


class Priority(IntEnum):
    """Lower goes first. From PASSING_EDIT on a write is dropped instead of queued."""

    ANSWER = 0
    FINAL_EDIT = 1
    COMMAND = 2
    PASSING_EDIT = 3
    TYPING = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """``a_minute`` counts for groups only; ``burst`` may leave at once, then ``a_second``; ``bot_a_second`` overall.

    ``for_commands`` more a minute are kept for commands' answers, so that /why does not wait a minute for a busy cast.
    """

    a_minute: int = 18
    for_commands: int = 1
    burst: int = 3
    a_second: float = 1.0
    bot_a_second: int = 25


_Waiting = tuple[Priority, "asyncio.Future[None]"]
"""(priority, the turn that is waited for)."""


@dataclass(slots=True)
class _Lane:
    """One bot in one chat."""

    sends: deque[float] = field(default_factory=deque)
    typings: deque[float] = field(default_factory=deque)
    closed_until: float = 0.0
    waiting: list[_Waiting] = field(default_factory=list)
    pump: asyncio.Task[None] | None = None
    wakes_at: float = 0.0


class Limiter:
    """Times are seconds of ``monotonic``. Lanes that nobody uses disappear."""

    def __init__(
        self,
        rates: Rates | None = None,
        *,
        monotonic: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._rates = rates or Rates()
        self._monotonic = monotonic
        self._sleep = sleep
        self._lanes: dict[tuple[int, int], _Lane] = {}
        self._bots: dict[int, deque[float]] = {}

    async def admit(self, bot_id: int, chat_id: int, priority: Priority) -> bool:
        """Returns True when the write may leave now. A write that is not queued gets False instead of waiting."""
        lane = self._lane(bot_id, chat_id)
        delay = self._delay(bot_id, chat_id, lane, priority)
        if not lane.waiting and delay <= 0:
            self._count(bot_id, lane, priority)
            return True
        if priority >= Priority.PASSING_EDIT:
            return False
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        lane.waiting.append((priority, turn))
        asleep_too_long = lane.pump is not None and self._monotonic() + delay < lane.wakes_at
        if lane.pump is not None and asleep_too_long:
            lane.pump.cancel()
        if lane.pump is None or lane.pump.done() or asleep_too_long:
            lane.pump = asyncio.create_task(self._pump(bot_id, chat_id, lane))
        await turn
        return True

    def close(self, bot_id: int, chat_id: int, seconds: float) -> None:
        """No write of this bot in this chat for so long. A shorter wait never shortens a longer one."""
        lane = self._lane(bot_id, chat_id)
        lane.closed_until = max(lane.closed_until, self._monotonic() + seconds)

    def closed_for(self, bot_id: int, chat_id: int) -> float:
        """Seconds until the door opens; 0 when it is open."""
        lane = self._lanes.get((bot_id, chat_id))
        return max(0.0, lane.closed_until - self._monotonic()) if lane else 0.0

    async def stop(self) -> None:
        """Ends all waiting."""
        pumps = [lane.pump for lane in self._lanes.values() if lane.pump is not None]
        for pump in pumps:
            pump.cancel()
        await asyncio.gather(*pumps, return_exceptions=True)
        for lane in self._lanes.values():
            for _, turn in lane.waiting:
                turn.cancel()

    # ------------------------------------------------------------------------------------------ inside

    async def _pump(self, bot_id: int, chat_id: int, lane: _Lane) -> None:
        while lane.waiting:
            delay, entry = self._next(bot_id, chat_id, lane)
            if delay > 0:
                lane.wakes_at = self._monotonic() + delay
                await self._sleep(delay)
                lane.wakes_at = 0.0
                continue  # somebody more urgent may have come while we slept
            lane.waiting.remove(entry)
            priority, turn = entry
            if not turn.done():  # else its owner was cancelled
                self._count(bot_id, lane, priority)
                turn.set_result(None)

    def _next(self, bot_id: int, chat_id: int, lane: _Lane) -> tuple[float, _Waiting]:
        """(seconds until it may leave, who): the most urgent of those that wait shortest."""
        first: dict[Priority, _Waiting] = {}
        for entry in lane.waiting:
            first.setdefault(entry[0], entry)
        delays = [
            (0.0 if turn.done() else max(0.0, self._delay(bot_id, chat_id, lane, priority)), priority)
            for priority, turn in first.values()
        ]
        delay, priority = min(delays)
        return delay, first[priority]

    def _delay(self, bot_id: int, chat_id: int, lane: _Lane, priority: Priority) -> float:
        """Seconds until a write of this priority fits."""
        now = self._monotonic()
        rates = self._rates
        _forget(lane.sends, now - MINUTE)
        _forget(lane.typings, now - MINUTE)
        waits = [lane.closed_until - now]
        if priority is Priority.TYPING:
            used = len(lane.sends) + len(lane.typings)
            return waits[0] if used < rates.a_minute else max(waits[0], MINUTE)
        a_minute = rates.a_minute + (rates.for_commands if priority is Priority.COMMAND else 0)
        if chat_id < 0 and len(lane.sends) >= a_minute:
            waits.append(lane.sends[-a_minute] + MINUTE - now)
        if len(lane.sends) >= rates.burst:
            # A full burst is back after burst/a_second: the n-th last send must be that long ago.
            waits.append(lane.sends[-rates.burst] + rates.burst / rates.a_second - now)
        bot = self._bots.get(bot_id)
        if bot is not None and len(bot) >= rates.bot_a_second:
            waits.append(bot[-rates.bot_a_second] + 1.0 - now)
        return max(waits)

    def _count(self, bot_id: int, lane: _Lane, priority: Priority) -> None:
        now = self._monotonic()
        if priority is Priority.TYPING:
            lane.typings.append(now)
            return
        lane.sends.append(now)
        bot = self._bots.setdefault(bot_id, deque(maxlen=max(1, self._rates.bot_a_second)))
        bot.append(now)

    def _lane(self, bot_id: int, chat_id: int) -> _Lane:
        lane = self._lanes.get((bot_id, chat_id))
        if lane is None:
            if len(self._lanes) >= 4096:
                self._sweep()
            lane = self._lanes[(bot_id, chat_id)] = _Lane()
        return lane

    def _sweep(self) -> None:
        now = self._monotonic()
        for key, lane in list(self._lanes.items()):
            last = max([*list(lane.sends)[-1:], *list(lane.typings)[-1:], 0.0])
            if not lane.waiting and lane.closed_until <= now and last < now - MINUTE:
                del self._lanes[key]


def _forget(times: deque[float], before: float) -> None:
    while times and times[0] <= before:
        times.popleft()
