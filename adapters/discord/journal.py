"""The journal of an outbox item's parts: what was tried, and finding a post again whose outcome nobody told us."""

from __future__ import annotations

import json
from collections import deque
from dataclasses import asdict, dataclass, replace
from typing import Any, Final

from adapters.discord.faces import looks
from adapters.discord.recent import Recent
from adapters.discord.wording import Part, content_hash
from orchestration.model import OutboxPart, OutboxState
from orchestration.ports import Storage

ECHOES_KEPT: Final = 64
_FOUND: Final = (OutboxState.SENT, OutboxState.WITHDRAWN)


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What is needed to find, edit or delete a posted part: where it is, and which webhook posted it (0: the bot).

    ``after`` is the newest message known there before the first try: the post is younger.
    """

    place: int
    hook: int = 0
    parent: int = 0
    name: str = ""
    after: int = 0

    def to_text(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_text(cls, text: str) -> Note | None:
        try:
            raw = json.loads(text)
            return cls(
                place=int(raw["place"]),
                hook=int(raw["hook"]),
                parent=int(raw["parent"]),
                name=str(raw["name"]),
                after=int(raw["after"]),
            )
        except (ValueError, KeyError, TypeError):
            return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A post of ours as the gateway or the history shows it. ``name``: the persona's, "" for the bot's own."""

    id: int
    hash: str
    name: str


class Echoes:
    """Our own posts as the gateway told of them (often the first news that a send went through), and the newest
    message of each place, whoever wrote it.
    """

    def __init__(self) -> None:
        self._seen: Recent[deque[Seen]] = Recent()
        self._newest: Recent[int] = Recent()

    def note(self, place: int, message_id: int) -> None:
        self._newest.put(place, max(message_id, self.newest(place)))

    def newest(self, place: int) -> int:
        """The highest message id seen there by this process, 0 for none."""
        return self._newest.get(place) or 0

    def hear(self, place: int, seen: Seen) -> None:
        heard = self._seen.get(place) or self._seen.put(place, deque(maxlen=ECHOES_KEPT))
        heard.append(seen)
        self.note(place, seen.id)

    def of(self, place: int) -> list[Seen]:
        return list(self._seen.get(place) or ())


def seen_in(message: dict[str, Any]) -> Seen:
    """A message of the history as `Seen`."""
    name = str(message["author"].get("username", "")) if message.get("webhook_id") else ""
    return Seen(id=int(message["id"]), hash=content_hash(str(message.get("content") or "")), name=name)


def pick(candidates: list[Seen], *, part: Part, note: Note, taken: frozenset[int]) -> Seen | None:
    """The first post that can be this part: same text, same face, young enough, not another part's already."""
    wanted_name = looks(note.name) if note.hook else ""
    for seen in sorted(candidates, key=lambda one: one.id):
        if seen.id > note.after and seen.id not in taken and seen.hash == part.hash and looks(seen.name) == wanted_name:
            return seen
    return None


class PartJournal:
    """The rows of one outbox item. ``begin`` before a send, ``done`` after it."""

    def __init__(self, storage: Storage, outbox_id: str, rows: dict[int, OutboxPart]) -> None:
        self._storage = storage
        self._outbox_id = outbox_id
        self._rows = rows

    @classmethod
    async def read(cls, storage: Storage, outbox_id: str) -> PartJournal:
        async with storage.read() as uow:
            rows = await uow.outbox.parts(outbox_id)
        return cls(storage, outbox_id, {row.part: row for row in rows})

    def row(self, part: int) -> OutboxPart | None:
        return self._rows.get(part)

    @property
    def rows(self) -> list[OutboxPart]:
        return [self._rows[index] for index in sorted(self._rows)]

    @property
    def posted(self) -> list[OutboxPart]:
        return [row for row in self.rows if row.state is OutboxState.SENT and row.external_id]

    @property
    def ids(self) -> frozenset[int]:
        return frozenset(int(row.external_id) for row in self._rows.values() if row.external_id)

    def is_posted(self, part: int) -> bool:
        row = self._rows.get(part)
        return row is not None and row.state in _FOUND

    def in_doubt(self, part: int) -> bool:
        """Whether a send of this part was begun and nobody knows how it ended."""
        row = self._rows.get(part)
        return row is not None and row.state in (OutboxState.SENDING, OutboxState.UNKNOWN)

    async def begin(self, index: int, part: Part, note: Note) -> None:
        """Journals a try. A further try of a part in doubt keeps the first one's ``after``."""
        row = self._rows.get(index)
        before = Note.from_text(row.note) if row is not None and self.in_doubt(index) else None
        if before is not None:
            note = replace(note, after=before.after)
        await self._save(
            OutboxPart(
                outbox_id=self._outbox_id,
                part=index,
                state=OutboxState.SENDING,
                content_hash=part.hash,
                note=note.to_text(),
            )
        )

    async def done(self, index: int, part: Part, note: Note, message_id: int) -> None:
        await self._save(
            OutboxPart(
                outbox_id=self._outbox_id,
                part=index,
                state=OutboxState.SENT,
                external_id=str(message_id),
                content_hash=part.hash,
                note=note.to_text(),
            )
        )

    async def withdrawn(self, row: OutboxPart) -> None:
        """The post is gone, but `/why` must still find the reply by its id."""
        await self._save(replace(row, state=OutboxState.WITHDRAWN))

    async def _save(self, row: OutboxPart) -> None:
        async with self._storage.begin() as uow:
            await uow.outbox.save_part(row)
        self._rows[row.part] = row
