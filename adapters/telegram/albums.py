"""Albums: many messages for the platform, one for the core. Which parts there were is kept, so that an edit of any
caption finds the one message. No words are kept here: they stand in the message alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime, timedelta

from adapters.telegram.addresses import external_of, numbers_of
from adapters.telegram.heard import Edited, Said
from orchestration.events import Json
from orchestration.ports import Storage, UnitOfWork

ALBUMS = "telegram:albums"
KEPT = timedelta(days=30)


class Albums:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def keep(self, parts: list[Said]) -> None:
        """Remembers the parts, in order, each with how many lines its caption has."""
        lines: dict[str, Json] = {str(said.message_id): _lines(said.message.text) for said in parts}
        row: dict[str, Json] = {"lines": lines, "day": parts[0].message.sent_at.date().isoformat()}
        async with self._storage.begin() as uow:
            await uow.platform_state.put(ALBUMS, _key(parts[0].place.chat_id, parts[0].album), row)

    async def whole(self, edited: Edited) -> Edited:
        """The edit as one of the core's message: its first part's id, all captions together."""
        chat_id, message_id = numbers_of(edited.external_id)
        key = _key(chat_id, edited.album)
        async with self._storage.begin() as uow:
            row = await uow.platform_state.get(ALBUMS, key)
            kept = row.get("lines") if isinstance(row, dict) else None
            if not isinstance(row, dict) or not isinstance(kept, dict) or str(message_id) not in kept:
                return edited
            counts = dict(sorted((int(number), int(str(count))) for number, count in kept.items()))
            first = external_of(chat_id, min(counts))
            captions = _apart(await _text(uow, edited, first), counts)
            captions[message_id] = edited.text
            lines: dict[str, Json] = {str(number): _lines(captions.get(number, "")) for number in counts}
            await uow.platform_state.put(ALBUMS, key, {**row, "lines": lines})
        return replace(edited, external_id=first, text=together(captions.get(number, "") for number in counts))

    async def tidy(self, now: datetime) -> None:
        """Forgets the albums of a month ago. Raises StorageError."""
        oldest = (now - KEPT).date().isoformat()
        async with self._storage.begin() as uow:
            for key, row in (await uow.platform_state.items(ALBUMS)).items():
                if isinstance(row, dict) and str(row.get("day", "9")) < oldest:
                    await uow.platform_state.delete(ALBUMS, key)


async def _text(uow: UnitOfWork, edited: Edited, external_id: str) -> str:
    chat = await uow.chats.find(edited.key)
    message = await uow.messages.by_external(chat.id, external_id) if chat is not None else None
    return message.text if message is not None else ""


def _apart(text: str, counts: dict[int, int]) -> dict[int, str]:
    """The captions in a message's text again; {} when it is not made of that many lines any more."""
    lines = text.split("\n")
    if len(lines) != sum(counts.values()):
        return {}
    captions = {}
    for number, count in counts.items():
        captions[number] = "\n".join(lines[:count])
        del lines[:count]
    return captions


def _lines(caption: str) -> int:
    return caption.count("\n") + 1 if caption else 0


def _key(chat_id: int, album: str) -> str:
    return f"{chat_id}:{album}"


def together(captions: Iterable[str]) -> str:
    """The captions of an album as one text."""
    return "\n".join(words for words in captions if words)
