"""Registers the commands with Discord: one scope, one request that replaces all, and only when something changed."""

from __future__ import annotations

import asyncio
import json
import logging
from hashlib import sha256
from typing import Any, Final

import discord
from discord import app_commands

from adapters.discord.scope import SCOPE
from adapters.discord.transport import Busy, Interrupted
from orchestration.errors import StorageError, UserError
from orchestration.ports import Storage

_log = logging.getLogger(__name__)

AGAIN_S: Final = (5.0, 30.0, 120.0, 600.0)


class Registry:
    """`if_changed` at the start, `put` when an admin asks."""

    def __init__(self, tree: app_commands.CommandTree[Any], client: discord.Client, storage: Storage) -> None:
        self._tree = tree
        self._client = client
        self._storage = storage
        self._later: asyncio.Task[None] | None = None

    async def if_changed(self) -> None:
        """Registers the commands unless Discord has just these. A refusal is tried again later, in the background."""
        try:
            await self._compare()
        except (discord.HTTPException, Interrupted, Busy, OSError, StorageError) as error:
            _log.warning("discord: commands not registered yet (%s)", type(error).__name__)
            self._later = asyncio.create_task(self._again(), name="register commands")

    async def _again(self) -> None:
        for pause in AGAIN_S:
            await asyncio.sleep(pause)
            try:
                await self._compare()
                return
            except (discord.HTTPException, Interrupted, Busy, OSError, StorageError) as error:
                _log.warning("discord: commands not registered yet (%s)", type(error).__name__)

    async def _compare(self) -> None:
        payload = await self._payload()
        async with self._storage.read() as uow:
            known = await uow.platform_state.get(SCOPE, self._key)
        if known != _digest(payload):
            await self._put(payload)

    async def put(self) -> int:
        """Registers all commands, changed or not; how many there are. UserError when Discord does not take them."""
        try:
            return await self._put(await self._payload())
        except (discord.HTTPException, Interrupted, Busy, OSError) as error:
            raise UserError("discord_sync_failed") from error

    async def _put(self, payload: list[dict[str, Any]]) -> int:
        application = self._client.application_id
        if application is None:
            raise UserError("discord_sync_failed")
        await self._client.http.bulk_upsert_global_commands(application, payload=payload)
        async with self._storage.begin() as uow:
            await uow.platform_state.put(SCOPE, self._key, _digest(payload))
        _log.info("discord: %s commands registered", len(payload))
        return len(payload)

    async def _payload(self) -> list[dict[str, Any]]:
        """All commands as Discord wants them, translations included."""
        translator = self._tree.translator
        return [
            await command.get_translated_payload(self._tree, translator) if translator else command.to_dict(self._tree)
            for command in self._tree._get_all_commands(guild=None)
        ]

    @property
    def _key(self) -> str:
        return f"commands:{self._client.application_id}"

    async def close(self) -> None:
        if self._later is not None:
            self._later.cancel()
            await asyncio.gather(self._later, return_exceptions=True)


def _digest(payload: list[dict[str, Any]]) -> str:
    return sha256(json.dumps(payload, sort_keys=True, default=str).encode()).hexdigest()
