"""What people read in the profile of an agent's own bot. Set when the agent is made or changed, never per message."""

from __future__ import annotations

import logging

from telegram.error import TelegramError

from adapters.telegram.wire import Client
from orchestration.monospace import one_line

logger = logging.getLogger(__name__)
SHORT, LONG = 120, 512
"""Characters that the server takes: on the profile page, and in an empty chat with the bot."""


async def introduce(client: Client | None, description: str) -> None:
    """Best effort: a bot without words about itself is no trouble."""
    if client is None or not description:
        return
    try:
        await client.set_my_short_description(one_line(description, SHORT))
        await client.set_my_description(description[:LONG])
    except TelegramError as error:
        logger.info("an agent's bot could not be introduced: %s", type(error).__name__)
