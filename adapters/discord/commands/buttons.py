"""Presses on the buttons of a clarification: whose it is and what it means stands in the database."""

from __future__ import annotations

from typing import Any

import discord

from adapters.discord.addresses import person_of
from adapters.discord.commands.desk import Desk, Reply
from adapters.discord.plan import CHOICE_PREFIX
from adapters.discord.scope import SCOPE
from orchestration.errors import StorageError
from orchestration.ports import Ingress, Storage
from orchestration.texts import text


class Buttons:
    """Works after a restart as well: nothing about a button is kept in memory."""

    def __init__(self, *, desk: Desk, ingress: Ingress, storage: Storage) -> None:
        self._desk = desk
        self._ingress = ingress
        self._storage = storage

    async def pressed(self, interaction: discord.Interaction[Any]) -> None:
        data: Any = interaction.data or {}
        custom_id = str(data.get("custom_id", ""))
        if not custom_id.startswith(CHOICE_PREFIX):
            return
        if await self._desk.acknowledged(interaction):
            words = await self._choose(interaction, custom_id)
            await self._desk.answer(interaction, Reply(text=words))

    async def _choose(self, interaction: discord.Interaction[Any], custom_id: str) -> str:
        locale = self._desk.locale(interaction)
        try:
            async with self._storage.read() as uow:
                payload = await uow.platform_state.get(SCOPE, custom_id)
            place = await self._desk.place(interaction)
            if not isinstance(payload, dict) or place is None:
                return text(locale, "discord_button_gone")
            taken = await self._ingress.chosen(place.key, person_of(interaction.user), str(payload["choice"]))
        except StorageError:
            return text(locale, "storage_unavailable")
        if not taken:
            return text(locale, "discord_button_not_yours")
        return text(locale, "discord_button_taken", choice=payload["label"])
