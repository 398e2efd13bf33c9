"""Under which look an agent posts in a group: its own bot, or a header line from the host; and why not its own.

Falling back is automatic per (group, agent) and told once; coming back is automatic too: when the bot is seen to join,
when its token changes, or when a look finds it inside.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from telegram.constants import ChatMemberStatus

from adapters.telegram.bots import Bots
from adapters.telegram.calls import CallFailed, Calls
from adapters.telegram.failures import Action
from adapters.telegram.groups import FALLBACKS, Groups
from adapters.telegram.wire import Client
from orchestration.events import Json
from orchestration.model import AgentCard
from orchestration.ports import Clock, Storage

_INSIDE = (ChatMemberStatus.MEMBER, ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


SOON = timedelta(seconds=2)
AT_ONCE = timedelta(minutes=1)
"""A bot that looked fit and falls again so soon was not: it is the same fall."""


class Reason(StrEnum):
    """Why an agent does not post under its own bot; each has a text ``telegram_fallback_<reason>``."""

    NOT_MEMBER = "not_member"
    KICKED = "kicked"
    TOKEN = "token"  # noqa: S105
    BASIC = "basic"
    MUTED = "muted"


def reason_of(action: Action, words: str) -> Reason:
    if action is Action.DEAD_TOKEN:
        return Reason.TOKEN
    if "kicked" in words.casefold():
        return Reason.KICKED
    return Reason.NOT_MEMBER if action is Action.GONE else Reason.MUTED


@dataclass(frozen=True, slots=True, kw_only=True)
class Fallback:
    """``active``: the header is used now. Stays stored (inactive) afterwards, so that nobody is told twice."""

    reason: Reason
    active: bool
    looked_at: datetime
    fell_at: datetime


class Looks:
    def __init__(
        self,
        *,
        bots: Bots,
        groups: Groups,
        calls: Calls,
        storage: Storage,
        clock: Clock,
        look_again_s: float = 300.0,
    ) -> None:
        self._bots = bots
        self._groups = groups
        self._calls = calls
        self._storage = storage
        self._clock = clock
        self._look_again = timedelta(seconds=look_again_s)
        self._kept: dict[tuple[int, int], Fallback] = {}

    async def load(self) -> None:
        async with self._storage.read() as uow:
            rows = await uow.platform_state.items(FALLBACKS)
        for key, row in rows.items():
            chat, _, bot = key.partition(":")
            if isinstance(row, dict):
                self._kept[(int(chat), int(bot))] = Fallback(
                    reason=Reason(str(row["reason"])),
                    active=bool(row["active"]),
                    looked_at=datetime.fromisoformat(str(row["looked_at"])),
                    fell_at=datetime.fromisoformat(str(row["fell_at"])),
                )

    async def own_bot(
        self, chat_id: int, agent: AgentCard, *, look: bool = True
    ) -> tuple[Client | None, Reason | None]:
        """(the bot to post with, None), or (None, why there is none to be told of).

        ``look`` False: nobody is asked whether a bot that was out came back.
        """
        client = self._bots.bot_of(chat_id, agent.id)
        if client is None:
            return None, None
        if self._groups.of(chat_id).basic:
            return None, Reason.BASIC
        fallback = self._kept.get((chat_id, client.number))
        if fallback is None or not fallback.active or fallback.reason is Reason.BASIC:
            return client, None
        if (
            look
            and self._clock() - fallback.looked_at >= self._pause(fallback)
            and await self._inside(client, chat_id, fallback)
        ):
            return client, None
        return None, None

    async def _inside(self, client: Client, chat_id: int, fallback: Fallback) -> bool:
        me = client.number
        try:
            member = await self._calls.ask(client, chat_id, lambda: client.get_chat_member(chat_id, me), patience_s=0.0)
        except CallFailed:
            inside = False
        else:
            inside = member.status in _INSIDE
        await self._keep(chat_id, client.number, replace(fallback, active=not inside, looked_at=self._clock()))
        return inside

    def _pause(self, fallback: Fallback) -> timedelta:
        """Looks soon after a fall, and seldom when it lasts."""
        return min(self._look_again, max(SOON, (self._clock() - fallback.fell_at) / 4))

    async def fell(self, chat_id: int, bot_id: int, reason: Reason) -> bool:
        """The header is used from now on. True when nobody was told of this agent in this group yet."""
        first = (chat_id, bot_id) not in self._kept
        now = self._clock()
        before = self._kept.get((chat_id, bot_id))
        if before is None or (before.reason, before.active) != (reason, True):
            again = before is not None and now - before.looked_at < AT_ONCE
            fell_at = before.fell_at if before is not None and again else now
            await self._keep(chat_id, bot_id, Fallback(reason=reason, active=True, looked_at=now, fell_at=fell_at))
        return first

    async def rose(self, chat_id: int, bot_id: int) -> None:
        """The bot is seen in the group again."""
        before = self._kept.get((chat_id, bot_id))
        if before is not None and before.active:
            await self._keep(chat_id, bot_id, replace(before, active=False, looked_at=self._clock()))

    async def new_token(self, bot_id: int) -> None:
        for (chat_id, bot), fallback in list(self._kept.items()):
            if bot == bot_id and fallback.reason is Reason.TOKEN:
                await self.rose(chat_id, bot)

    def active(self, chat_id: int) -> dict[int, Reason]:
        return {bot: f.reason for (chat, bot), f in self._kept.items() if chat == chat_id and f.active}

    def moved(self, old: int, new: int) -> None:
        for chat, bot in [key for key in self._kept if key[0] == old]:
            self._kept.setdefault((new, bot), self._kept.pop((chat, bot)))

    async def _keep(self, chat_id: int, bot_id: int, fallback: Fallback) -> None:
        self._kept[(chat_id, bot_id)] = fallback
        row: dict[str, Json] = {
            "reason": fallback.reason.value,
            "active": fallback.active,
            "looked_at": fallback.looked_at.isoformat(),
            "fell_at": fallback.fell_at.isoformat(),
        }
        async with self._storage.begin() as uow:
            await uow.platform_state.put(FALLBACKS, f"{chat_id}:{bot_id}", row)
