"""Two admins on two machines change one cast at the same moment: its rules hold all the same."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from orchestration.cast import Casts
from orchestration.errors import UserError
from orchestration.model import AgentCard, Person
from orchestration.ports import Storage

NOW = datetime(2026, 5, 1, tzinfo=UTC)
ANN = Person(id="console:Ann", name="Ann")


async def test_a_cast_never_grows_beyond_eight_speakers_or_gets_a_name_twice(storage: Storage) -> None:
    async with storage.begin() as unit:
        tenant = await unit.chats.tenant_of("console", "here", at=NOW)

    async def add(number: int) -> bool:
        desk = Casts(storage, (), clock=lambda: NOW)  # each admin on a machine of their own
        card = AgentCard(id="", name=f"Agent {number}", aliases=(f"Alias {number % 6}",))
        try:
            await desk.add(tenant, card, actor=ANN)
        except UserError:
            return False
        return True

    added = await asyncio.gather(*(add(number) for number in range(12)))
    cast = await Casts(storage, (), clock=lambda: NOW).of(tenant)
    assert sum(added) == len(cast) == 6
    assert len({alias for card in cast for alias in card.aliases}) == 6
