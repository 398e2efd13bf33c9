"""A small Discord on loopback: REST, gateway, permissions, limits and faults, for the real discord.py library."""

from tests.fake_discord.server import FakeDiscord

__all__ = ["FakeDiscord"]
