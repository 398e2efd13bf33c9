"""Gateway events on their way to discord.py's parsers: what is missing is put in, and none can cost the connection.

Gateway proxies and test servers tell less than Discord itself; discord.py would lose such an event whole.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final

_log = logging.getLogger(__name__)

_DEFAULTS: Final[dict[str, dict[str, Any]]] = {
    "READY": {"shard": (0, 1), "guilds": ()},
    "INTERACTION_CREATE": {"version": 1, "attachment_size_limit": 10 * 1024 * 1024},
}


def guarded(name: str, parse: Callable[[Any], None]) -> Callable[[Any], None]:
    """The parser of one kind of event, for an event that may be poor; one that cannot be parsed is left out."""

    def parsed(data: Any) -> None:
        try:
            parse(_completed(name, data))
        except Exception as error:  # noqa: BLE001 - the library's parsers on whatever the network sent
            _log.warning("discord: a %s event could not be read (%s)", name, type(error).__name__)

    return parsed


def _completed(name: str, data: Any) -> Any:
    """The event with what discord.py counts on; what is there stays as it is."""
    if not isinstance(data, dict) or name not in _DEFAULTS:
        return data
    whole = _DEFAULTS[name] | data
    if name == "INTERACTION_CREATE" and not whole.get("channel") and whole.get("channel_id"):
        whole["channel"] = {"id": whole["channel_id"]}
    return whole
