"""`/check`: what is not well in a group, or with a maker's own agents, and how to mend it."""

from __future__ import annotations

import logging

from telegram.error import TelegramError

from adapters.telegram.bots import BotRecord, Bots
from adapters.telegram.groups import Groups
from adapters.telegram.heard import Place, Speaker
from adapters.telegram.looks import Looks
from adapters.telegram.profile import Profiles
from adapters.telegram.rights import Rights
from orchestration.cast import Casts
from orchestration.model import GroupChat
from orchestration.texts import text

logger = logging.getLogger(__name__)


class Diagnosis:
    def __init__(
        self, *, bots: Bots, groups: Groups, looks: Looks, rights: Rights, profiles: Profiles, casts: Casts
    ) -> None:
        self._bots = bots
        self._groups = groups
        self._looks = looks
        self._rights = rights
        self._profiles = profiles
        self._casts = casts

    async def group(self, place: Place, chat: GroupChat, locale: str) -> str:
        """What may be wrong in the group; "all is well" when nothing is."""
        group = self._groups.of(place.chat_id)
        lines = []
        await self._look_again()
        if not (self._bots.reads_all or group.admin or await self._rights.host_is_admin(place.chat_id)):
            lines.append(text(locale, "telegram_check_privacy", host=self._bots.host_username))
        if group.basic:
            lines.append(text(locale, "telegram_check_basic"))
        cast = {card.id: card.name for card in await self._casts.of(chat.tenant_id)}
        for bot, reason in self._looks.active(place.chat_id).items():
            agent = self._bots.agent_of(place.chat_id, bot)
            record = self._bots.record(bot)
            if agent in cast:
                values = {"name": cast[agent], "bot": record.username if record else str(bot)}
                lines.append(text(locale, f"telegram_fallback_{reason.value}", **values))
        for agent in cast:
            client = self._bots.bot_of(place.chat_id, agent)
            record = self._bots.record(client.number) if client is not None else None
            lines += await self._profile(record, locale)
        return "\n\n".join(lines) or text(locale, "telegram_check_well")

    async def maker(self, speaker: Speaker, locale: str) -> str:
        """The same for the agents this person made, wherever they are."""
        lines = []
        for record in self._bots.owned(speaker.person.id):
            for chat_id, _ in self._bots.places(record):
                reason = self._looks.active(chat_id).get(record.bot_id)
                if reason is not None:
                    group = text(locale, "telegram_in_group", group=self._groups.of(chat_id).title or str(chat_id))
                    values = {"name": record.agent_name, "bot": record.username}
                    lines.append(f"{group} {text(locale, f'telegram_fallback_{reason.value}', **values)}")
            lines += await self._profile(record, locale)
        return "\n\n".join(lines) or text(locale, "telegram_check_own_well")

    async def _profile(self, record: BotRecord | None, locale: str) -> list[str]:
        if record is None or not await self._profiles.is_unfinished(record):
            return []
        return [text(locale, "telegram_check_profile", name=record.agent_name, bot=record.username)]

    async def _look_again(self) -> None:
        """Privacy mode may have been changed since the start."""
        try:
            await self._bots.meet_host()
        except TelegramError as error:
            logger.info("the host could not be looked at again: %s", type(error).__name__)
