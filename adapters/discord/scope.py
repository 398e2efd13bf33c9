"""Under which name the adapter keeps its own state in the database."""

from __future__ import annotations

from typing import Final

SCOPE: Final = "discord"
