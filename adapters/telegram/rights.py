"""Who may manage a group: its admins, as Telegram says; anonymous ones are proved by the message itself."""

from __future__ import annotations

from telegram.constants import ChatMemberStatus

from adapters.telegram.bots import Bots
from adapters.telegram.calls import CallFailed, Calls
from adapters.telegram.failures import Action
from adapters.telegram.heard import Place, Speaker

_ADMIN = (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


class Rights:
    """Asks the server each time: a right given or taken counts at once. Who cannot be looked up has none."""

    def __init__(self, bots: Bots, calls: Calls) -> None:
        self._bots = bots
        self._calls = calls

    async def host_is_admin(self, chat_id: int) -> bool:
        """Whether the host itself is an admin of the group: then privacy mode does not matter there."""
        return await self._is_admin(chat_id, self._bots.host.number)

    async def may_manage(self, place: Place, speaker: Speaker) -> bool:
        if place.private or speaker.anonymous_admin:
            return True
        return speaker.user_id is not None and await self._is_admin(place.chat_id, speaker.user_id)

    async def _is_admin(self, chat_id: int, user_id: int) -> bool:
        host = self._bots.host
        try:
            member = await self._calls.ask(host, chat_id, lambda: host.get_chat_member(chat_id, user_id))
        except CallFailed as error:
            waits = error.failure.action is Action.WAIT
            return not waits and await self._is_listed(chat_id, user_id)
        return member.status in _ADMIN

    async def _is_listed(self, chat_id: int, user_id: int) -> bool:
        """The other way to ask, for a server that will not tell of single members."""
        host = self._bots.host
        try:
            admins = await self._calls.ask(host, chat_id, lambda: host.get_chat_administrators(chat_id))
        except CallFailed:
            return False
        return any(admin.user.id == user_id and admin.status in _ADMIN for admin in admins)
