"""When this process was connected, written down while it lives: so that a restart knows what was sent to it.

A busy process that is killed may have messages in its socket that it never looked at. They were sent to it all the
same: they are answered, unlike those sent in its absence. A small process of its own keeps the time, because a thread
of this one would wait for the interpreter exactly when this matters. It looks whether we still live before it puts down
the time it took before that look: a stamp is never later than our end, and survives kill -9.
"""

from __future__ import annotations

import contextlib
import logging
import os
import struct
import sys
from pathlib import Path
from typing import Final

import discord

from orchestration.ports import Clock

_log = logging.getLogger(__name__)

EVERY_S: Final = 0.02
NOWHERE: Final = -1
_SPAN: Final = struct.Struct("<QQ")
_ORDER: Final = struct.Struct("<q")

_LIBRARY_PATHS: Final = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""All that the keeper gets to know of the environment: it may need them to start, and the secrets are none of its."""

_KEEPER: Final = Path(__file__).with_name("presence_keeper.py")


class Presence:
    """Spans (from, to) in milliseconds since 1970, one a connection. `connected` and `disconnected` may repeat."""

    def __init__(self, path: Path, clock: Clock) -> None:
        self._path = path
        self._clock = clock
        self._file: int | None = None
        self._offset = 0
        self._since = 0
        self._stands = False
        self._keeper: tuple[int, int] | None = None
        """(process id, our end of its pipe)"""
        self._earlier: tuple[tuple[int, int], ...] = ()

    def open(self) -> None:
        """Reads what earlier processes left, and gets ready to add to it."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        raw = os.read(self._file, 1 << 20)
        whole = len(raw) - len(raw) % _SPAN.size
        # A stamp that came late for a file made empty stands behind nothing: it has no beginning.
        self._earlier = tuple((begin, end) for begin, end in _SPAN.iter_unpack(raw[:whole]) if begin)
        self._offset = whole
        try:
            self._keeper = _keeper(self._path)
        except OSError as error:
            _log.warning("discord: what was sent in the last moment before a crash will not be known (%s)", error)

    def reached_us(self, message_id: int) -> bool:
        """Whether an earlier process was connected when this message was made (by our clock)."""
        at = int(discord.utils.snowflake_time(message_id).timestamp() * 1000)
        return any(begin <= at <= end for begin, end in self._earlier)

    def connected(self) -> None:
        if self._file is None or self._stands:
            return
        self._since = self._now()
        self._begin(self._file)

    def _begin(self, file: int) -> None:
        self._stands = True
        os.pwrite(file, _SPAN.pack(self._since, self._now()), self._offset)
        self._order(self._offset + _SPAN.size // 2)

    def disconnected(self) -> None:
        if self._file is None or not self._stands:
            return
        self._stands = False
        self._order(NOWHERE)
        os.pwrite(self._file, _SPAN.pack(self._since, self._now()), self._offset)
        self._offset += _SPAN.size

    def caught_up(self) -> None:
        """All that was missed has been read: earlier spans say nothing any more. The present one does, from its
        beginning: what was sent in it may wait in the socket still.
        """
        if self._file is None:
            return
        stood = self._stands
        self.disconnected()
        os.ftruncate(self._file, 0)
        self._earlier, self._offset = (), 0
        if stood:
            self._begin(self._file)

    def close(self) -> None:
        self.disconnected()
        self._dismiss()
        if self._file is not None:
            os.close(self._file)
            self._file = None

    def _order(self, place: int) -> None:
        """Tells the keeper where to stamp from now on."""
        if self._keeper is None:
            return
        try:
            os.write(self._keeper[1], _ORDER.pack(place))
        except OSError as error:
            _log.warning("discord: the keeper of the time of presence is gone (%s)", error)
            self._dismiss()

    def _dismiss(self) -> None:
        """The keeper ends when its pipe closes."""
        if self._keeper is None:
            return
        process, pipe = self._keeper
        self._keeper = None
        os.close(pipe)
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process, 0)

    def _now(self) -> int:
        return int(self._clock().timestamp() * 1000)


def _keeper(path: Path) -> tuple[int, int]:
    """Starts the process that keeps the time, apart from the terminal's signals; raises OSError."""
    ours_to_give, ours = os.pipe()
    try:
        process = os.posix_spawn(
            sys.executable,
            [sys.executable, "-I", "-S", str(_KEEPER), str(path), str(EVERY_S)],
            {name: os.environ[name] for name in _LIBRARY_PATHS if name in os.environ},
            file_actions=[
                (os.POSIX_SPAWN_DUP2, ours_to_give, 0),
                (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0),
                (os.POSIX_SPAWN_DUP2, 1, 2),
            ],
            setpgroup=0,
        )
    except OSError:
        os.close(ours)
        raise
    finally:
        os.close(ours_to_give)
    return process, ours
