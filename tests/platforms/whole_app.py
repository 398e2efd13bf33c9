"""The whole product in this process, as `troupe run` puts it together, against fake platforms and a scripted model."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import yaml

from bot.app import App, build
from bot.config import load
from tests.model_server import ModelServer, Request
from tests.waiting import until

SUMMARISER = "summariser"
"""The name of the model that keeps summaries and memories; everything else is written by ``writer``."""


def of_summariser(server: ModelServer) -> list[Request]:
    return [request for request in server.requests if is_summariser(request)]


def of_writer(server: ModelServer) -> list[Request]:
    return [request for request in server.requests if not is_summariser(request)]


def is_summariser(request: Request) -> bool:
    return bool(request.body.get("model") == SUMMARISER)


@asynccontextmanager
async def whole_app(folder: Path, model: ModelServer, secrets: Mapping[str, str], **config: Any) -> AsyncIterator[App]:
    """Started, its platforms hearing, background work looked for five times a second."""
    role = {"provider": "loopback", "timeout_s": 20}
    data: dict[str, Any] = {
        "data_dir": str(folder / "data"),
        "models": {
            "providers": {"loopback": {"base_url": model.base_url}},
            "roles": {
                "writer": role | {"model": "writer"},
                "router": None,
                "checker": None,
                "summariser": role | {"model": SUMMARISER},
            },
        },
        "turn": {"burst_s": 0},
        "upkeep": {"every_s": 0.2, "still_s": 0, "backups_kept": 0},
        **config,
    }
    path = folder / "config.yaml"
    path.write_text(yaml.safe_dump(data, allow_unicode=True), encoding="utf-8")
    before = dict(os.environ)
    os.environ.update(secrets)
    try:
        app = build(load(path))
    finally:
        os.environ.clear()
        os.environ.update(before)
    app.add_platforms()
    await app.start()
    hearing = [asyncio.create_task(adapter.run()) for adapter in app.adapters.values()]
    try:
        yield app
    finally:
        for task in hearing:
            task.cancel()
        await asyncio.gather(*hearing, return_exceptions=True)
        for adapter in app.adapters.values():
            await adapter.close()
        await app.close()


async def settled(app: App, count: int, limit_s: float = 60.0) -> None:
    """So many messages are stored, no turn runs, nothing waits to be posted."""

    async def idle() -> bool:
        async with app.storage.read() as uow:
            newest = [await uow.messages.recent(chat.id, limit=1) for chat in await uow.chats.all()]
            return (
                sum(found[-1].seq for found in newest if found) >= count
                and not await uow.turns.unfinished()
                and not await uow.outbox.open()
            )

    await until(idle, limit_s)
