"""The fault bench's scenarios, each small: nothing lost, nothing said twice, nobody knocks early."""

from __future__ import annotations

import pytest

from tests.faults.bench_telegram import SCENARIOS, Scenario, in_process


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda s: s.name)
async def test_every_message_is_accounted_for(scenario: Scenario) -> None:
    found = await in_process(scenario, 4)
    assert found.good, found
    assert found.answered + found.unknown == 4
