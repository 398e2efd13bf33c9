"""The text chunks of a PNG, read without decoding the picture; every size is bounded."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator

from orchestration.errors import UserError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_TEXT_BYTES = 4_000_000
"""What one text chunk may unpack to."""
MAX_CHUNKS = 10_000


def texts_of(png: bytes, wanted: frozenset[str]) -> dict[str, bytes]:
    """The first text under each ``wanted`` keyword (lower case), from tEXt, zTXt and iTXt chunks.

    No other text is unpacked, so a file of a thousand packed texts costs no more than one of two.
    UserError ``card_png_broken`` for a torn file, ``card_too_big`` for a text that unpacks beyond MAX_TEXT_BYTES.
    """
    found: dict[str, bytes] = {}
    for kind, body in _chunks(png):
        read = _READERS.get(kind)
        keyword, separator, rest = body.partition(b"\0")
        name = keyword.decode("latin-1").lower()
        if read is None or not separator or name not in wanted or name in found:
            continue
        value = read(rest)
        if value is not None:
            found[name] = value
    return found


def _chunks(png: bytes) -> Iterator[tuple[bytes, bytes]]:
    """(kind, content) of each chunk up to the end mark."""
    at = len(SIGNATURE)
    for _ in range(MAX_CHUNKS):
        if at >= len(png):
            return
        if at + 8 > len(png):
            raise UserError("card_png_broken")
        length = int.from_bytes(png[at : at + 4], "big")
        kind = png[at + 4 : at + 8]
        body = png[at + 8 : at + 8 + length]
        if len(body) != length:
            raise UserError("card_png_broken")
        if kind in _READERS:
            yield kind, body
        if kind == b"IEND":
            return
        at += 12 + length
    raise UserError("card_png_broken")


def _plain(rest: bytes) -> bytes | None:
    return _bounded(rest)


def _packed(rest: bytes) -> bytes | None:
    return _unpacked(rest[1:]) if rest[:1] == b"\0" else None


def _international(rest: bytes) -> bytes | None:
    if len(rest) < 2:
        return None
    is_packed = rest[0] == 1
    _language, first, rest = rest[2:].partition(b"\0")
    _translated, second, value = rest.partition(b"\0")
    if not (first and second):
        return None
    return _unpacked(value) if is_packed else _bounded(value)


_READERS: dict[bytes, Callable[[bytes], bytes | None]] = {b"tEXt": _plain, b"zTXt": _packed, b"iTXt": _international}
"""What follows a keyword, by the kind of its chunk; None where it is none of ours."""


def _bounded(value: bytes) -> bytes:
    if len(value) > MAX_TEXT_BYTES:
        raise UserError("card_too_big")
    return value


def _unpacked(value: bytes) -> bytes:
    """Stops at the limit instead of unpacking a bomb first and measuring it then."""
    unpacker = zlib.decompressobj()
    try:
        out = unpacker.decompress(value, MAX_TEXT_BYTES)
    except zlib.error as error:
        raise UserError("card_png_broken") from error
    if unpacker.unconsumed_tail:
        raise UserError("card_too_big")
    return out
