"""What holds for all tests: property tests have no time limit of their own, because machines are busy."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("troupe", deadline=None)
settings.load_profile("troupe")
