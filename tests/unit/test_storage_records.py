"""Small records as JSON, text that can be stored, and drivers' errors in our own words."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from sqlalchemy import exc

from orchestration.errors import StorageError, StorageUnavailable
from orchestration.events import Span
from storage.failures import translated
from storage.records import RECORDS, packed, packed_all, unpacked, unpacked_all
from storage.text import clean, cleaned
from tests.contracts.samples import MIRA, filled

# ------------------------------------------------------------------------------------------ records


@pytest.mark.parametrize("kind", RECORDS)
def test_every_record_comes_back_from_json(kind: type) -> None:
    record = filled(kind)
    assert unpacked(kind, json.loads(json.dumps(packed(record)))) == record
    assert unpacked_all(kind, json.loads(json.dumps(packed_all([record, record])))) == (record, record)


def test_defaults_are_not_stored() -> None:
    span = Span(name="reply", start_ms=0.0, ms=12.5)
    assert packed(span) == {"name": "reply", "start_ms": 0.0, "ms": 12.5}
    assert unpacked(Span, packed(span)) == span


def test_what_a_newer_program_stored_can_still_be_read() -> None:
    assert unpacked(Span, {"name": "reply", "start_ms": 0, "ms": 1, "colour": "red"}) == Span(
        name="reply", start_ms=0, ms=1
    )


# ------------------------------------------------------------------------------------------ text


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("plain 火锅 🎭 e\u0301", "plain 火锅 🎭 e\u0301"),
        ("a\x00b", "a\ufffdb"),
        ("\ud83d", "\ufffd"),
        ("\udfff\ud800", "\ufffd\ufffd"),
        ("\u202eright to left\u200b", "\u202eright to left\u200b"),
    ],
)
def test_only_what_cannot_be_stored_is_replaced(text: str, stored: str) -> None:
    assert clean(text) == stored
    assert clean(text).encode()
    assert cleaned({text: [(text,), replace(MIRA, name=text)]}) == {stored: [(stored,), replace(MIRA, name=stored)]}


# ------------------------------------------------------------------------------------------ errors


class DriverError(Exception):
    def __init__(self, **codes: str) -> None:
        super().__init__("secret words of the driver")
        vars(self).update(codes)


def wrapped(error: Exception, kind: type[exc.DBAPIError] = exc.OperationalError) -> exc.DBAPIError:
    return kind("SELECT 'secret statement'", {"secret": "value"}, error)


@pytest.mark.parametrize(
    ("error", "kind", "words"),
    [
        (wrapped(DriverError(sqlite_errorname="SQLITE_BUSY_SNAPSHOT")), StorageUnavailable, "locked"),
        (wrapped(DriverError(sqlite_errorname="SQLITE_IOERR_WRITE")), StorageUnavailable, "disk failed"),
        (wrapped(DriverError(sqlite_errorname="SQLITE_FULL")), StorageUnavailable, "full"),
        (wrapped(DriverError(sqlite_errorname="SQLITE_CORRUPT_INDEX")), StorageError, "damaged"),
        (wrapped(DriverError(sqlite_errorname="SQLITE_CONSTRAINT_UNIQUE")), StorageError, "refused"),
        (wrapped(DriverError(sqlstate="40P01")), StorageUnavailable, "gave way"),
        (wrapped(DriverError(sqlstate="53100")), StorageUnavailable, "ran out of disk"),
        (wrapped(DriverError(sqlstate="57P01")), StorageUnavailable, "shutting down"),
        (wrapped(DriverError(sqlstate="55P03")), StorageUnavailable, "locked"),
        (wrapped(DriverError(sqlstate="25006")), StorageUnavailable, "read-only"),
        (wrapped(DriverError(sqlstate="28P01")), StorageUnavailable, "login"),
        (wrapped(DriverError(sqlstate="23505"), exc.IntegrityError), StorageError, "refused"),
        (wrapped(DriverError()), StorageUnavailable, "cannot be reached"),
        (exc.TimeoutError(), StorageUnavailable, "busy"),
        (exc.InvalidRequestError("secret"), StorageError, "refused"),
    ],
)
def test_a_drivers_error_is_told_in_our_words_only(
    error: exc.SQLAlchemyError, kind: type[StorageError], words: str
) -> None:
    told = translated(error)
    assert type(told) is kind
    assert words in str(told)
    assert "secret" not in str(told)
    assert "\n" not in str(told)
