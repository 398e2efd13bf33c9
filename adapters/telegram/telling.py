"""Tells, once for each agent and group, that an agent does not post under its own bot."""

from __future__ import annotations

from adapters.telegram.addresses import number_of
from adapters.telegram.bots import Bots
from adapters.telegram.looks import Reason
from adapters.telegram.posting import Where
from adapters.telegram.saying import Saying
from orchestration.model import AgentCard, GroupChat
from orchestration.texts import text


class Telling:
    def __init__(self, *, bots: Bots, saying: Saying, locale: str) -> None:
        self._bots = bots
        self._saying = saying
        self._locale = locale

    async def fallback(self, chat: GroupChat, where: Where, fell: tuple[AgentCard, int, Reason]) -> None:
        """To the maker's private chat where the agent has one and it can be reached, else where the agent spoke; never
        both.
        """
        agent, bot_id, reason = fell
        record = self._bots.record(bot_id)
        username = record.username if record and record.username else str(bot_id)
        locale = chat.settings.locale or self._locale
        words = text(locale, f"telegram_fallback_{reason.value}", name=agent.name, bot=username)
        maker = number_of(record.owner_id) if record and record.owner_id else None
        if maker is not None and maker > 0:
            group = text(locale, "telegram_in_group", group=chat.title or str(where.chat_id))
            if await self._saying.say(maker, f"{group}\n{words}"):
                return
        await self._saying.say(where.chat_id, words, thread_id=where.thread_id)
