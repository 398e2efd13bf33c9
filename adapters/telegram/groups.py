"""What the host knows of the groups it is (or was) in: their kind, and whether it may post there."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace

from adapters.telegram.addresses import key_of
from orchestration.events import Json
from orchestration.ports import Storage, UnitOfWork

GROUPS = "telegram:groups"
LOST_TOPICS = "telegram:lost_topics"
FACES = "telegram:faces"
FALLBACKS = "telegram:fallbacks"
BY_CHAT = (LOST_TOPICS, FACES, FALLBACKS)
"""Scopes whose keys begin with ``{chat id}:``; they move along when a group becomes a supergroup."""
_FIRST_SUPERGROUP = -1_000_000_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    chat_id: int
    kind: str = ""
    title: str = ""
    inside: bool = True
    admin: bool = False

    @property
    def basic(self) -> bool:
        """Message numbers are per account in basic groups: only one bot can speak sensibly there."""
        return self.kind == "group" if self.kind else _FIRST_SUPERGROUP < self.chat_id < 0


class Groups:
    """Read from memory, written through."""

    def __init__(self, storage: Storage) -> None:
        self._storage = storage
        self._known: dict[int, Group] = {}
        self._moved: dict[int, int] = {}
        self._lost: set[tuple[int, int]] = set()

    async def load(self) -> None:
        async with self._storage.read() as uow:
            rows = await uow.platform_state.items(GROUPS)
            lost = await uow.platform_state.items(LOST_TOPICS)
        for key, row in rows.items():
            if isinstance(row, dict):
                self._take(int(key), row)
        for key in lost:
            chat, _, topic = key.partition(":")
            self._lost.add((int(chat), int(topic)))

    def _take(self, chat_id: int, row: Mapping[str, Json]) -> None:
        moved = row.get("moved_to")
        if isinstance(moved, int):
            self._moved[chat_id] = moved
            return
        self._known[chat_id] = Group(
            chat_id=chat_id,
            kind=str(row.get("kind", "")),
            title=str(row.get("title", "")),
            inside=bool(row.get("inside", True)),
            admin=bool(row.get("admin", False)),
        )

    def of(self, chat_id: int) -> Group:
        return self._known.get(chat_id, Group(chat_id=chat_id))

    def known(self) -> tuple[Group, ...]:
        return tuple(self._known.values())

    def now(self, chat_id: int) -> int:
        """The chat's present number: another one once it became a supergroup."""
        return self._moved.get(chat_id, chat_id)

    async def note(self, group: Group) -> None:
        """Writes down what is new. Late news of a group that has moved on is no news."""
        if group.chat_id in self._moved or self._known.get(group.chat_id) == group:
            return
        self._known[group.chat_id] = group
        row = {k: v for k, v in asdict(group).items() if k != "chat_id"}
        async with self._storage.begin() as uow:
            await uow.platform_state.put(GROUPS, str(group.chat_id), row)

    async def left(self, chat_id: int) -> None:
        await self.note(replace(self.of(chat_id), inside=False, admin=False))

    def topic_lost(self, chat_id: int, topic: int) -> bool:
        return (chat_id, topic) in self._lost

    async def lose_topic(self, chat_id: int, topic: int) -> None:
        """The topic is gone: what belongs there goes to the group itself from now on."""
        self._lost.add((chat_id, topic))
        async with self._storage.begin() as uow:
            await uow.platform_state.put(LOST_TOPICS, f"{chat_id}:{topic}", True)

    async def find_topic(self, chat_id: int, topic: int) -> None:
        """Somebody speaks in the topic again."""
        if (chat_id, topic) in self._lost:
            self._lost.discard((chat_id, topic))
            async with self._storage.begin() as uow:
                await uow.platform_state.delete(LOST_TOPICS, f"{chat_id}:{topic}")

    async def migrate(self, old: int, new: int) -> None:
        """Renames the group everywhere in one transaction; again is harmless, whichever notice comes first."""
        if old == new or self._moved.get(old) == new:
            return
        async with self._storage.begin() as uow:
            await uow.chats.rename(key_of(old), key_of(new))
            for scope in BY_CHAT:
                await _rename(uow, scope, old, new)
            await uow.platform_state.put(GROUPS, str(old), {"moved_to": new})
            row: Json = {"kind": "supergroup", "title": self.of(old).title, "inside": True}
            await uow.platform_state.put_if_absent(GROUPS, str(new), row)
        before = self._known.pop(old, Group(chat_id=old))
        self._moved[old] = new
        self._known.setdefault(new, replace(before, chat_id=new, kind="supergroup", inside=True))


async def _rename(uow: UnitOfWork, scope: str, old: int, new: int) -> None:
    state = uow.platform_state
    for key, value in (await state.items(scope, prefix=f"{old}:")).items():
        await state.put_if_absent(scope, f"{new}:{key.partition(':')[2]}", value)
        await state.delete(scope, key)
