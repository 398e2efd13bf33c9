"""Audit, platform state and inbox, in memory."""

from __future__ import annotations

from collections.abc import Sequence

from orchestration.errors import StorageError
from orchestration.events import Json
from orchestration.model import AuditEntry
from orchestration.ports import InboxRow
from storage.memory.state import State, aware
from storage.text import as_json, clean, cleaned


class MemoryAudit:
    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, entry: AuditEntry) -> None:
        aware(entry.at)
        self._state.need_tenant(entry.tenant_id)
        if entry.chat_id is not None:
            self._state.chat(entry.chat_id)
        self._state.audit[len(self._state.audit) + 1] = cleaned(entry)

    async def newest(self, tenant_id: int, *, limit: int = 100) -> list[AuditEntry]:
        of_tenant = [entry for entry in self._state.audit.values() if entry.tenant_id == tenant_id]
        return of_tenant[::-1][:limit]


class MemoryPlatformState:
    def __init__(self, state: State) -> None:
        self._state = state

    async def get(self, scope: str, key: str) -> Json:
        return as_json(self._state.platform_state.get((clean(scope), clean(key))))

    async def put(self, scope: str, key: str, value: Json) -> None:
        self._state.platform_state[clean(scope), clean(key)] = as_json(value)

    async def put_if_absent(self, scope: str, key: str, value: Json) -> bool:
        if (clean(scope), clean(key)) in self._state.platform_state:
            return False
        await self.put(scope, key, value)
        return True

    async def delete(self, scope: str, key: str) -> None:
        self._state.platform_state.pop((clean(scope), clean(key)), None)

    async def items(self, scope: str, *, prefix: str = "") -> dict[str, Json]:
        found = sorted(self._state.platform_state.items())
        return {key: as_json(value) for (owner, key), value in found if owner == scope and key.startswith(prefix)}


class MemoryInbox:
    def __init__(self, state: State) -> None:
        self._state = state

    async def add(self, rows: Sequence[InboxRow]) -> int:
        before = len(self._state.inbox)
        for row in rows:
            self._state.inbox.setdefault((clean(row.source), row.update_id), (cleaned(row), "new"))
        return len(self._state.inbox) - before

    async def pending(self, source: str, *, limit: int = 100) -> list[InboxRow]:
        rows = [row for row, state in self._state.inbox.values() if row.source == source and state == "new"]
        return sorted(rows, key=lambda row: row.update_id)[:limit]

    async def done(self, source: str, update_id: int, *, poison: bool = False) -> None:
        try:
            row, _ = self._state.inbox[source, update_id]
        except KeyError:
            raise StorageError("no such inbox row") from None
        after = (row, "poison") if poison else (InboxRow(source=source, update_id=update_id, raw=""), "done")
        self._state.inbox[source, update_id] = after

    async def clear(self, *, keep: int) -> int:
        gone = 0
        for source in {owner for owner, _ in self._state.inbox}:
            kept = sorted((number for owner, number in self._state.inbox if owner == source), reverse=True)[:keep]
            for number in [number for owner, number in self._state.inbox if owner == source]:
                if number < kept[-1] and self._state.inbox[source, number][1] != "new":
                    del self._state.inbox[source, number]
                    gone += 1
        return gone

    async def last_id(self, source: str) -> int | None:
        return max((number for owner, number in self._state.inbox if owner == source), default=None)
