"""Nearness of meaning, for recall where embeddings are installed; and what was recalled, until it is written down."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol


class Embedder(Protocol):
    """Meaning of texts as vectors. Blocking: to be called in a thread."""

    def vectors(self, texts: Sequence[str]) -> list[bytes]:
        """One float32 vector for each text that may be found."""

    def near(self, text: str, vectors: Sequence[bytes]) -> list[float]:
        """How near a text that asks is to each; only differences mean anything."""


@dataclass(slots=True)
class UsedMemories:
    """Which memories were of use since the last writing-down. Lost in a crash, which only lets them fade a little."""

    ids: set[str] = field(default_factory=set)

    def take(self) -> set[str]:
        taken, self.ids = self.ids, set()
        return taken
