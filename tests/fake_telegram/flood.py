"""The flood model: so many writes a minute for one bot in one chat, then 429, and longer for whoever cannot wait."""

from __future__ import annotations

from collections import defaultdict, deque

from tests.fake_telegram.world import ApiError

WRITES = frozenset(
    {
        "sendmessage",
        "senddocument",
        "sendphoto",
        "sendmediagroup",
        "editmessagetext",
        "editmessagereplymarkup",
        "sendchataction",
        "setmessagereaction",
        "deletemessage",
    }
)
COUNTED = WRITES - {"sendchataction", "setmessagereaction", "deletemessage"}


class Flood:
    """``limit`` counted writes in ``window`` seconds for each (bot, chat); None: no limit of its own."""

    def __init__(self, limit: int | None = None, window: float = 60.0, wait: int = 1) -> None:
        self.limit, self.window, self.wait = limit, window, wait
        self._times: dict[tuple[int, int], deque[float]] = defaultdict(deque)
        self._closed: dict[tuple[int, int], float] = {}
        self._told: dict[tuple[int, int], int] = {}

    def close(self, bot_id: int, chat_id: int, seconds: int, now: float) -> ApiError:
        """The 429 that shuts this bot out of this chat; what comes sooner counts as early."""
        key = (bot_id, chat_id)
        self._closed[key] = max(self._closed.get(key, 0.0), now + seconds)
        self._told[key] = seconds
        return ApiError(429, f"Too Many Requests: retry after {seconds}", retry_after=seconds)

    def check(self, bot_id: int, chat_id: int, method: str, now: float) -> tuple[ApiError | None, bool]:
        """(the refusal, whether the call came early). An early call makes the wait longer."""
        if method.lower() not in WRITES:
            return None, False
        key = (bot_id, chat_id)
        # A call a few hundredths early is the wire's doing, not the caller's.
        if now < self._closed.get(key, 0.0) - 0.02:
            return self.close(bot_id, chat_id, self._told[key] * 2, now), True
        if self.limit is None or method.lower() not in COUNTED:
            return None, False
        times = self._times[key]
        while times and now - times[0] >= self.window:
            times.popleft()
        if len(times) >= self.limit:
            return self.close(bot_id, chat_id, self.wait, now), False
        times.append(now)
        return None, False
