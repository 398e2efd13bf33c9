"""What adapters must remember: values by scope and key."""

from __future__ import annotations

import sqlalchemy as sa

from orchestration.events import Json
from storage.connection import Connection
from storage.tables import platform_state
from storage.text import clean

_LAST_CHARACTER = "\U0010ffff"
_BY_KEY = sa.select(platform_state.c.value).where(
    platform_state.c.scope == sa.bindparam("scope"), platform_state.c.key == sa.bindparam("key")
)


class SqlPlatformState:
    def __init__(self, connection: Connection) -> None:
        self._db = connection

    async def get(self, scope: str, key: str) -> Json:
        """None when there is none."""
        row = await self._db.row(_BY_KEY, {"scope": clean(scope), "key": clean(key)})
        value: Json = None if row is None else row.value
        return value

    async def put(self, scope: str, key: str, value: Json) -> None:
        await self._db.upsert(platform_state, dict(scope=clean(scope), key=clean(key), value=value))

    async def put_if_absent(self, scope: str, key: str, value: Json) -> bool:
        return await self._db.insert_if_new(platform_state, dict(scope=clean(scope), key=clean(key), value=value))

    async def delete(self, scope: str, key: str) -> None:
        await self._db.run(
            sa.delete(platform_state).where(platform_state.c.scope == clean(scope), platform_state.c.key == clean(key))
        )

    async def items(self, scope: str, *, prefix: str = "") -> dict[str, Json]:
        """In order of key."""
        query = sa.select(platform_state.c.key, platform_state.c.value).where(platform_state.c.scope == clean(scope))
        prefix = clean(prefix)
        if prefix:  # a range of the index; LIKE would fold case on SQLite
            query = query.where(platform_state.c.key >= prefix, platform_state.c.key < prefix + _LAST_CHARACTER)
        return {row.key: row.value for row in await self._db.rows(query.order_by(platform_state.c.key))}
