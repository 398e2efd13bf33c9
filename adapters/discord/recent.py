"""What is kept of the places used last, so that a bot that lives for months does not remember all it ever saw."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Final, Generic, TypeVar

V = TypeVar("V")
MAX_PLACES: Final = 4096


class Recent(Generic[V]):
    """A mapping that holds the ``most`` keys used last; the one unused for longest makes room."""

    def __init__(self, most: int = MAX_PLACES) -> None:
        self._most = most
        self._kept: OrderedDict[Hashable, V] = OrderedDict()

    def get(self, key: Hashable) -> V | None:
        if key in self._kept:
            self._kept.move_to_end(key)
        return self._kept.get(key)

    def put(self, key: Hashable, value: V) -> V:
        """Keeps the value, and returns it."""
        self._kept[key] = value
        self._kept.move_to_end(key)
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
        return value
