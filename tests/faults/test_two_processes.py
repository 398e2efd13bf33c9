"""Two processes on one PostgreSQL: the turns of a killed one are taken over, each reply stands once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.chat_process import ChatProcess, transcript, write_config
from tests.databases import PostgresServer, postgres_server
from tests.model_server import ModelServer, Reply


@pytest.fixture(scope="module")
def postgres() -> Iterator[PostgresServer]:
    with postgres_server() as server:
        yield server


@pytest.mark.timeout(300)
async def test_a_living_process_takes_over_from_a_killed_one(tmp_path: Path, postgres: PostgresServer) -> None:
    async with ModelServer(Reply(text="Well.", delay_s=0.4)) as server:
        config = write_config(
            tmp_path, server.base_url, storage={"url": postgres.empty_url()}, engine={"dead_after_s": 1}
        )
        first = await ChatProcess.start(config)
        await first.send(id="m0", author="Ann", text="@Nova hello")
        await first.finished()
        second = await ChatProcess.start(config)
        try:
            await second.send(id="n0", author="Bob", text="@Ben hello")
            await second.until(lambda line: line.get("kind") == "message_stored")
            for number in range(1, 4):
                await first.send(id=f"m{number}", author=f"Ann{number}", text="@Nova how are you?")
            await first.until(
                lambda line: line.get("kind") == "message_stored" and line["content"]["message_id"] == "m3"
            )
            await first.kill()
            assert await second.end() == 0, second.errors
        finally:
            await first.kill()
            await second.kill()
    told = Counter(line["reply_to"] for line in transcript(tmp_path) if line["type"] == "message")
    assert told == {"m0": 1, "n0": 1, "m1": 1, "m2": 1, "m3": 1}
    assert (first.junk, second.junk, second.errors) == ([], [], "")
