"""The text chunks of a PNG, read without decoding the picture; every size is bounded."""

from __future__ import annotations

import zlib
from collections.abc import Iterator

from orchestration.errors import UserError

SIGNATURE = b"\x89PNG\r\n\x1a\n"
MAX_TEXT_BYTES = 4_000_000
"""What one text chunk may unpack to."""
MAX_CHUNKS = 10_000


def text_chunks(png: bytes) -> Iterator[tuple[str, bytes]]:
    """(keyword in lower case, text) of each tEXt, zTXt and iTXt chunk.

    UserError ``card_png_broken`` for a torn file, ``card_too_big`` for a text that unpacks beyond MAX_TEXT_BYTES.
    """
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
            found = _READERS[kind](body)
            if found is not None:
                yield found
        if kind == b"IEND":
            return
        at += 12 + length
    raise UserError("card_png_broken")


def _plain(body: bytes) -> tuple[str, bytes] | None:
    keyword, separator, value = body.partition(b"\0")
    return (_keyword(keyword), _bounded(value)) if separator else None


def _packed(body: bytes) -> tuple[str, bytes] | None:
    keyword, separator, rest = body.partition(b"\0")
    return (_keyword(keyword), _unpacked(rest[1:])) if separator and rest[:1] == b"\0" else None


def _international(body: bytes) -> tuple[str, bytes] | None:
    keyword, separator, rest = body.partition(b"\0")
    if not separator or len(rest) < 2:
        return None
    is_packed = rest[0] == 1
    _language, first, rest = rest[2:].partition(b"\0")
    _translated, second, value = rest.partition(b"\0")
    if not (first and second):
        return None
    return _keyword(keyword), _unpacked(value) if is_packed else _bounded(value)


_READERS = {b"tEXt": _plain, b"zTXt": _packed, b"iTXt": _international}


def _keyword(raw: bytes) -> str:
    return raw.decode("latin-1").lower()


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
