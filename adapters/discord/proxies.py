"""The guard against hearing a person twice who speaks through PluralKit or Tupperbox.

Such a bot copies the person's message under another name and deletes the original a second later. The copy is the
same message: it gets no turn of its own, and the original's deletion is no deletion.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from adapters.discord.recent import Recent

PROXY_APPLICATIONS: Final = frozenset({466378653216014359, 431544605209788416})
"""PluralKit and Tupperbox."""
NEAR: Final = timedelta(seconds=15)
KEPT: Final = 30


@dataclass(slots=True, kw_only=True)
class Original:
    """A message by a person that a copy may turn up for."""

    message_id: int
    text: str
    at: datetime
    deleted: bool = False
    copied: bool = False


class Originals:
    """The last messages of people in each place, and which of them were copied."""

    def __init__(self) -> None:
        self._by_place: Recent[deque[Original]] = Recent()

    def heard(self, place: int, message_id: int, text: str, at: datetime) -> None:
        kept = self._by_place.get(place) or self._by_place.put(place, deque(maxlen=KEPT))
        kept.append(Original(message_id=message_id, text=text, at=at))

    def of_copy(self, place: int, text: str, at: datetime) -> Original | None:
        """The original that this copy stands for, now marked as copied: the copy's words stand in it."""
        words = _squeezed(text)
        for original in reversed(self._by_place.get(place) or ()):
            if not original.copied and abs(at - original.at) <= NEAR and words in _squeezed(original.text):
                original.copied = True
                return original
        return None

    def deleted(self, place: int, message_id: int) -> bool:
        """Notes a deletion; True when a copy stands for the message, so that nothing was taken back."""
        for original in self._by_place.get(place) or ():
            if original.message_id == message_id:
                original.deleted = True
                return original.copied
        return False


def _squeezed(text: str) -> str:
    return "".join(text.split()).casefold()
