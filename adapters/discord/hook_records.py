"""What the database knows of webhooks: the one of each channel, its token sealed, and those that went away."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from hashlib import sha256
from typing import Final

from adapters.discord.scope import SCOPE
from adapters.sealing import SecretBox
from orchestration import events
from orchestration.ports import Storage

_GHOSTS_KEPT: Final = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Hook:
    id: int
    token: str

    @property
    def mark(self) -> str:
        """Tells it from itself with another token, and gives the token to nobody."""
        return f"{self.id}:{sha256(self.token.encode()).hexdigest()[:8]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """What is known of a channel's webhooks that went away: when the last one did, the marks of those that are ghosts,
    and until when no new one is made.
    """

    last: datetime | None = None
    paused_until: datetime | None = None
    ghosts: tuple[str, ...] = ()

    def is_ghost(self, hook: Hook) -> bool:
        return hook.mark in self.ghosts

    def with_ghost(self, hook: Hook) -> Losses:
        return replace(self, ghosts=(*self.ghosts, hook.mark)[-_GHOSTS_KEPT:])


class HookRecords:
    """``box`` is opened when the first token is sealed or read."""

    def __init__(self, storage: Storage, box: Callable[[], SecretBox]) -> None:
        self._storage = storage
        self._open_box = box

    @cached_property
    def _box(self) -> SecretBox:
        return self._open_box()

    async def ids(self) -> frozenset[int]:
        """The ids of all webhooks that are ours."""
        async with self._storage.read() as uow:
            rows = await uow.platform_state.items(SCOPE, prefix="webhook:")
        return frozenset(int(str(row["id"])) for row in rows.values() if isinstance(row, dict))

    async def hook(self, channel_id: int) -> Hook | None:
        """The channel's webhook; None where there is none, or its token was sealed with another key."""
        async with self._storage.read() as uow:
            row = await uow.platform_state.get(SCOPE, f"webhook:{channel_id}")
        if not isinstance(row, dict):
            return None
        token = self._box.open(str(row.get("token", "")))
        return Hook(id=int(str(row["id"])), token=token) if token else None

    async def save_hook(self, channel_id: int, hook: Hook) -> None:
        async with self._storage.begin() as uow:
            row: dict[str, events.Json] = {"id": str(hook.id), "token": self._box.seal(hook.token)}
            await uow.platform_state.put(SCOPE, f"webhook:{channel_id}", row)

    async def losses(self, channel_id: int) -> Losses:
        async with self._storage.read() as uow:
            row = await uow.platform_state.get(SCOPE, f"lost:{channel_id}")
        if not isinstance(row, dict):
            return Losses()
        last, paused, ghosts = row.get("last"), row.get("paused_until"), row.get("ghosts")
        return Losses(
            last=datetime.fromisoformat(last) if isinstance(last, str) else None,
            paused_until=datetime.fromisoformat(paused) if isinstance(paused, str) else None,
            ghosts=tuple(str(ghost) for ghost in ghosts) if isinstance(ghosts, list) else (),
        )

    async def save_losses(self, channel_id: int, losses: Losses) -> None:
        row: dict[str, events.Json] = {
            "last": losses.last.isoformat() if losses.last else None,
            "paused_until": losses.paused_until.isoformat() if losses.paused_until else None,
            "ghosts": list(losses.ghosts),
        }
        async with self._storage.begin() as uow:
            await uow.platform_state.put(SCOPE, f"lost:{channel_id}", row)
