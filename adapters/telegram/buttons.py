"""Inline buttons: an id travels in the button, what it means stays in the database and survives a restart.

Only the host sends keyboards: a press is told to the bot that sent the message, and only the host listens.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from orchestration.events import Json
from orchestration.model import OutboxItem, OutboxKind
from orchestration.ports import Storage
from orchestration.texts import text

BUTTONS = "telegram:buttons"
KEPT = timedelta(days=30)


class Does(StrEnum):
    CHOOSE = "choose"
    REGENERATE = "regenerate"
    REMOVE = "remove"


@dataclass(frozen=True, slots=True, kw_only=True)
class Button:
    """What a press means: ``choice_id`` belongs to CHOOSE, ``person_id`` is whom the item answers."""

    does: Does
    outbox_id: str
    choice_id: str = ""
    person_id: str = ""


class Buttons:
    def __init__(self, storage: Storage) -> None:
        self._storage = storage

    async def under(self, item: OutboxItem, locale: str) -> InlineKeyboardMarkup | None:
        """The keyboard for an item that the host posts; its payloads are stored first."""
        if item.kind is OutboxKind.CLARIFICATION:
            rows = [[(c.label, _button(item, Does.CHOOSE, c.id))] for c in item.choices]
        elif item.kind is OutboxKind.REPLY:
            rows = [
                [
                    (text(locale, "telegram_button_regenerate"), _button(item, Does.REGENERATE)),
                    (text(locale, "telegram_button_remove"), _button(item, Does.REMOVE)),
                ]
            ]
        else:
            rows = []
        if not rows:
            return None
        day = item.created_at.date().isoformat()
        async with self._storage.begin() as uow:
            for row in rows:
                for _, button in row:
                    await uow.platform_state.put(BUTTONS, _id(button), _payload(button, day))
        return InlineKeyboardMarkup(
            [[InlineKeyboardButton(label[:64], callback_data=_id(b)) for label, b in row] for row in rows]
        )

    async def meaning(self, data: str) -> Button | None:
        """What was pressed; None for what we never made or have forgotten."""
        async with self._storage.read() as uow:
            row = await uow.platform_state.get(BUTTONS, data)
        if not isinstance(row, dict):
            return None
        return Button(
            does=Does(str(row["does"])),
            outbox_id=str(row["outbox_id"]),
            choice_id=str(row.get("choice_id", "")),
            person_id=str(row.get("person_id", "")),
        )

    async def tidy(self, now: datetime) -> None:
        """Forgets the buttons of a month ago: presses on them are told that they are old. Raises StorageError."""
        oldest = (now - KEPT).date().isoformat()
        async with self._storage.begin() as uow:
            for key, row in (await uow.platform_state.items(BUTTONS)).items():
                if isinstance(row, dict) and str(row.get("day", "9")) < oldest:
                    await uow.platform_state.delete(BUTTONS, key)

    async def forget(self, item_id: str, choices: tuple[str, ...] = ()) -> None:
        """The item is gone: its buttons mean nothing any more."""
        gone = [Button(does=d, outbox_id=item_id) for d in (Does.REGENERATE, Does.REMOVE)]
        gone += [Button(does=Does.CHOOSE, outbox_id=item_id, choice_id=c) for c in choices]
        async with self._storage.begin() as uow:
            for button in gone:
                await uow.platform_state.delete(BUTTONS, _id(button))


def _button(item: OutboxItem, does: Does, choice_id: str = "") -> Button:
    return Button(does=does, outbox_id=item.id, choice_id=choice_id, person_id=item.person_id or "")


def _id(button: Button) -> str:
    """At most 64 bytes go into a button; 32 hexadecimal digits do."""
    return hashlib.sha256(f"{button.does}|{button.outbox_id}|{button.choice_id}".encode()).hexdigest()[:32]


def _payload(button: Button, day: str) -> Json:
    return {
        "does": button.does.value,
        "outbox_id": button.outbox_id,
        "choice_id": button.choice_id,
        "person_id": button.person_id,
        "day": day,
    }
