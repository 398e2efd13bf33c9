"""How long a channel's webhook is asked for in vain before replies come without one."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from cryptography.fernet import Fernet

from adapters.discord.transport import Interrupted
from adapters.discord.webhooks import DENIED_FOR, FAILS_FOR, NoHook, Webhooks
from adapters.sealing import SecretBox
from storage.memory import MemoryStorage

CHANNEL = 77


class Wire:
    """Discord, out of reach unless it holds an answer."""

    def __init__(self) -> None:
        self.refusal: Exception | None = None

    async def webhooks(self, channel_id: int) -> list[dict[str, Any]]:
        raise self.refusal or Interrupted("no connection to Discord", reached=False)


async def test_a_refusal_between_two_failures_begins_the_patience_anew() -> None:
    wire: Any = Wire()
    client: Any = None
    now = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
    hooks = Webhooks(
        wire=wire,
        client=client,
        storage=MemoryStorage(),
        box=lambda: SecretBox(Fernet.generate_key()),
        clock=lambda: now,
    )
    with pytest.raises(Interrupted):
        await hooks.of(CHANNEL)
    now += FAILS_FOR / 2
    wire.refusal = NoHook("no_permission")
    with pytest.raises(NoHook):
        await hooks.of(CHANNEL)
    now += DENIED_FOR + timedelta(hours=1)
    wire.refusal = None
    with pytest.raises(Interrupted):
        await hooks.of(CHANNEL)
    now += FAILS_FOR
    with pytest.raises(NoHook):
        await hooks.of(CHANNEL)
