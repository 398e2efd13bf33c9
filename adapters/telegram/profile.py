"""What people see of an agent's own bot: its name, its picture, what its profile says.

Set when the agent is made, changed or brought into a group, one thing at a time and only what is new; never at the
start, never per message. The server may refuse or be slow with these: that holds nothing up, and `/check` tells.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable

from telegram import InputProfilePhotoStatic
from telegram.error import TelegramError

from adapters.telegram.addresses import number_of
from adapters.telegram.bots import BotRecord, Bots
from adapters.telegram.gates import Gates
from adapters.telegram.saying import Saying
from adapters.telegram.wire import Client
from orchestration.card_lines import card_of
from orchestration.events import Json
from orchestration.monospace import one_line
from orchestration.ports import Storage

logger = logging.getLogger(__name__)
PROFILES = "telegram:profiles"
"""Scope of what each bot wears already: bot id -> part -> value."""
NAME, SHORT, LONG = 64, 120, 512
"""Characters that the server takes: as a name, on the profile page, in an empty chat with the bot."""

_Setter = Callable[[Client, BotRecord, str], Awaitable[bool]]


class Profiles:
    """For bots of agents that people made. A starter's bot is the operator's, who dresses it at @BotFather."""

    def __init__(self, *, bots: Bots, saying: Saying, storage: Storage) -> None:
        self._bots = bots
        self._saying = saying
        self._storage = storage
        self._one_by_one = Gates()
        self._setters: dict[str, _Setter] = {
            "name": self._name,
            "short": self._short,
            "long": self._long,
            "picture": self._picture,
        }

    async def wear(self, record: BotRecord) -> None:
        """Brings the bot's profile to what the card says. Best effort; what failed is tried at the next occasion."""
        client = self._bots.by_number(record.bot_id) if record.bot_id and record.card else None
        if client is None:
            return
        async with self._one_by_one.through(record.bot_id):
            worn = await self._worn(record.bot_id)
            now = {"name": record.name} | worn
            for part, wanted in _wanted(record).items():
                if wanted and now.get(part) != wanted and await self._set(part, client, record, wanted):
                    now[part] = wanted
            if now != worn:
                row: dict[str, Json] = dict(now)
                async with self._storage.begin() as uow:
                    await uow.platform_state.put(PROFILES, str(record.bot_id), row)

    async def is_unfinished(self, record: BotRecord) -> bool:
        """Whether the bot does not look as the card says. One that was never dressed (it is from before) is now."""
        if not record.bot_id or not record.card:
            return False
        if not await self._worn(record.bot_id):
            await self.wear(record)
        worn = await self._worn(record.bot_id)
        return any(wanted and worn.get(part) != wanted for part, wanted in _wanted(record).items())

    async def forget(self, bot_id: int) -> None:
        async with self._storage.begin() as uow:
            await uow.platform_state.delete(PROFILES, str(bot_id))

    async def _worn(self, bot_id: int) -> dict[str, str]:
        async with self._storage.read() as uow:
            row = await uow.platform_state.get(PROFILES, str(bot_id))
        return {part: str(value) for part, value in row.items()} if isinstance(row, dict) else {}

    async def _set(self, part: str, client: Client, record: BotRecord, wanted: str) -> bool:
        try:
            return await self._setters[part](client, record, wanted)
        except TelegramError as error:
            logger.info("bot %s: its %s could not be set: %s", record.bot_id, part, type(error).__name__)
            return False

    async def _name(self, client: Client, record: BotRecord, wanted: str) -> bool:
        return await client.set_my_name(wanted)

    async def _short(self, client: Client, record: BotRecord, wanted: str) -> bool:
        return await client.set_my_short_description(wanted)

    async def _long(self, client: Client, record: BotRecord, wanted: str) -> bool:
        return await client.set_my_description(wanted)

    async def _picture(self, client: Client, record: BotRecord, wanted: str) -> bool:
        """A linked picture goes to its maker first: Telegram itself fetches it (we open no address that people give
        us) and makes it the JPEG that a profile needs.
        """
        file_id = wanted
        if not record.photo:
            maker = number_of(record.owner_id)
            file_id = await self._saying.show_picture(maker, wanted, caption=record.agent_name) if maker else ""
        data = await self._saying.fetch(file_id) if file_id else None
        return data is not None and await client.set_my_profile_photo(InputProfilePhotoStatic(data))


def _wanted(record: BotRecord) -> dict[str, str]:
    """What each part should be; "" where the card says nothing."""
    card = card_of(dict(record.card))
    return {
        "name": " ".join(card.name.split())[:NAME],
        "short": one_line(card.description, SHORT),
        "long": card.description[:LONG],
        "picture": record.photo or card.avatar,
    }
