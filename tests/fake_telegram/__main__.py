"""``python -m tests.fake_telegram [PORT]``: prints its address, then serves until it is ended."""

from __future__ import annotations

import asyncio
import sys

from tests.fake_telegram.server import FakeTelegram


async def _main() -> None:
    port = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    async with FakeTelegram(port=port) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    asyncio.run(_main())
