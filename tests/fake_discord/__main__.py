"""``python -m tests.fake_discord [PORT]``: the fake Discord alone, with a server, a bound-to-be channel and a talker.

Prints what goes into the configuration. A line typed on stdin is said in the channel; what the bot posts is printed.
"""

from __future__ import annotations

import asyncio
import sys

from tests.fake_discord.server import FakeDiscord
from tests.fake_discord.world import MANAGE_GUILD


async def main(port: int) -> None:
    async with FakeDiscord(port=port) as discord:
        guild = discord.world.add_guild("Garden")
        channel = discord.world.add_channel(guild, "general")
        ann = discord.world.add_user("Ann")
        discord.world.join(guild, ann, [discord.world.add_role(guild, "Managers", MANAGE_GUILD)])
        print(f"api_base_url: {discord.api_url}\ngateway_url: {discord.gateway_url}", flush=True)
        print(f"token: {discord.token}", flush=True)
        await asyncio.wait_for(discord.gateway.connected.wait(), 600)
        await discord.slash(ann, channel, "cast bind")
        shown = 0
        loop = asyncio.get_running_loop()
        reader = loop.run_in_executor(None, sys.stdin.readline)
        while True:
            await asyncio.wait({reader}, timeout=0.2)
            for message in discord.said(channel)[shown:]:
                print(f"{message['author']['username']}: {message['content']}", flush=True)
                shown += 1
            if reader.done():
                line = reader.result()
                if not line:
                    return
                await discord.post(channel, ann, line.strip())
                reader = loop.run_in_executor(None, sys.stdin.readline)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]) if len(sys.argv) > 1 else 0))
