"""Who may manage a group: its admins, as Telegram says; anonymous ones are proved by the message itself."""

from __future__ import annotations

import time
from collections.abc import Callable

from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

from adapters.telegram.bots import Bots
from adapters.telegram.heard import Place, Speaker

_ADMIN = (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


class Rights:
    """Asks the server, remembers for ``fresh_s`` seconds; who cannot be looked up has no rights."""

    def __init__(self, bots: Bots, *, fresh_s: float = 30.0, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._bots = bots
        self._fresh_s = fresh_s
        self._monotonic = monotonic
        self._kept: dict[tuple[int, int], tuple[float, bool]] = {}

    async def host_is_admin(self, chat_id: int) -> bool:
        """Whether the host itself is an admin of the group: then privacy mode does not matter there."""
        try:
            member = await self._bots.host.get_chat_member(chat_id, self._bots.host.number)
        except TelegramError:
            return False
        return member.status in _ADMIN

    async def may_manage(self, place: Place, speaker: Speaker) -> bool:
        if place.private or speaker.anonymous_admin:
            return True
        if speaker.user_id is None:
            return False
        key = (place.chat_id, speaker.user_id)
        at, admin = self._kept.get(key, (-self._fresh_s, False))
        if self._monotonic() - at < self._fresh_s:
            return admin
        try:
            member = await self._bots.host.get_chat_member(place.chat_id, speaker.user_id)
        except TelegramError:
            return False
        admin = member.status in _ADMIN
        if len(self._kept) > 4096:
            self._kept.clear()
        self._kept[key] = (self._monotonic(), admin)
        return admin
