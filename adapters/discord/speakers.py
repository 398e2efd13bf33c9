"""Who spoke last in a place: two speakers of one look must not run together in a client."""

from __future__ import annotations

from adapters.discord.recent import Recent


class Speakers:
    """Only in memory: after a restart nobody has spoken, which costs an invisible sign at most."""

    def __init__(self) -> None:
        self._last: Recent[tuple[str, str]] = Recent()

    def spoke(self, place: int, key: str, name: str) -> None:
        """``key`` tells speakers apart (``agent:ada``, a user's id), ``name`` is what was shown."""
        self._last.put(place, (key, name))

    def name_before(self, place: int, key: str) -> str:
        """The name shown last, when it was another speaker's; else ""."""
        last_key, name = self._last.get(place) or ("", "")
        return name if last_key != key else ""

    def shown_as(self, place: int, key: str) -> str:
        """The name under which this very speaker spoke last, when nobody spoke since; else ""."""
        last_key, name = self._last.get(place) or ("", "")
        return name if last_key == key else ""
