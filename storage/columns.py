"""Column types that behave alike on SQLite and PostgreSQL."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import sqlalchemy as sa
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from orchestration.events import Json
from storage.text import clean, json_text


class CleanText(TypeDecorator[str]):
    """Text of any length; what no database can store becomes U+FFFD on the way in."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        return None if value is None else clean(value)


class JsonText(TypeDecorator[Json]):
    """A JSON value kept as compact text: lists and small records that no query looks into."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: Json, dialect: Dialect) -> str | None:
        return None if value is None else json_text(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Json:
        return None if value is None else _loads(value)


class UtcTime(TypeDecorator[datetime]):
    """An aware datetime, in and out, always UTC. A naive one is refused."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without its zone cannot be stored")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


def _loads(text: str) -> Json:
    if text == "[]":  # most lists of most rows
        return []
    value: Json = json.loads(text)
    return value


BigId = sa.BigInteger().with_variant(sa.Integer, "sqlite")
"""A 64-bit number; SQLite numbers rows by itself only where the type is called INTEGER."""

OrderedText = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
"""Text ordered by code point everywhere, so that a prefix is a range of the index. Not cleaned on its way in."""
