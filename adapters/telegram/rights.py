"""Who may manage a group: its admins, as Telegram says; anonymous ones are proved by the message itself."""

from __future__ import annotations

from telegram.constants import ChatMemberStatus
from telegram.error import TelegramError

from adapters.telegram.bots import Bots
from adapters.telegram.heard import Place, Speaker

_ADMIN = (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


class Rights:
    """Asks the server each time: a right given or taken counts at once. Who cannot be looked up has none."""

    def __init__(self, bots: Bots) -> None:
        self._bots = bots

    async def host_is_admin(self, chat_id: int) -> bool:
        """Whether the host itself is an admin of the group: then privacy mode does not matter there."""
        return await self._is_admin(chat_id, self._bots.host.number)

    async def may_manage(self, place: Place, speaker: Speaker) -> bool:
        if place.private or speaker.anonymous_admin:
            return True
        return speaker.user_id is not None and await self._is_admin(place.chat_id, speaker.user_id)

    async def _is_admin(self, chat_id: int, user_id: int) -> bool:
        try:
            member = await self._bots.host.get_chat_member(chat_id, user_id)
        except TelegramError:
            return False
        return member.status in _ADMIN
