"""The process that keeps the time of `presence`: stamps a file at the place it was last told, until its pipe closes.

Run by its path, with nothing but the standard library in reach, so that it starts in milliseconds and stays small:

    python -I -S presence_keeper.py FILE EVERY_S    (places as little-endian 64-bit numbers on standard input)
"""

from __future__ import annotations

import os
import select
import struct
import sys
import time

ORDER = struct.Struct("<q")
STAMP = struct.Struct("<Q")


def keep(file: int, every_s: float) -> None:
    """The time is taken before the look at the pipe: a stamp is never later than the end of whom it is kept for."""
    place = -1
    while True:
        now = time.time_ns() // 1_000_000
        if select.select([0], [], [], None if place < 0 else 0)[0]:
            order = os.read(0, ORDER.size)
            if len(order) < ORDER.size:
                return
            (place,) = ORDER.unpack(order)
        elif place >= 0:
            os.pwrite(file, STAMP.pack(now), place)
            time.sleep(every_s)


if __name__ == "__main__":
    keep(os.open(sys.argv[1], os.O_WRONLY), float(sys.argv[2]))
