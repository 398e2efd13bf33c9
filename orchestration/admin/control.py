"""`/stop`, `/resume`, `/regenerate`, `/remove`: hands on a running or a finished turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from orchestration.admin.callers import Caller, owns
from orchestration.admin.insight import LAST, About
from orchestration.admin.language import Language
from orchestration.errors import UserError
from orchestration.model import AuditEntry, MessageKind, OutboxItem, OutboxKind, OutboxState, Person
from orchestration.ports import Clock, Storage, UnitOfWork
from orchestration.sessions import StopKind
from orchestration.texts import text

LOOK_BACK_TURNS = 20
"""How many turns back "the last reply" is looked for."""


class TurnControl(Protocol):
    """What the turn runner lets people do to turns."""

    async def stop(self, chat_id: int, kind: StopKind) -> bool:
        """Stops the chat's running and waiting turns; False when there was nothing to stop."""

    async def resume(self, chat_id: int) -> bool:
        """Leaves basic mode (or lifts a stop that still holds); False when nothing held the chat back."""

    async def regenerate(self, chat_id: int, outbox_id: str, person: Person) -> str:
        """Queues a turn that writes the reply anew; returns the turn's id."""

    async def remove(self, chat_id: int, outbox_id: str) -> None:
        """Takes the reply back, from the platform and from the context of later turns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """``changed`` False: there was nothing to do, which is no error."""

    changed: bool
    text: str
    outbox_id: str | None = None
    turn_id: str | None = None


class ControlCases:
    """Everybody may stop and resume; a reply belongs to the person who asked for it, and to the admins."""

    def __init__(self, storage: Storage, turns: TurnControl, language: Language, clock: Clock) -> None:
        self._storage = storage
        self._turns = turns
        self._language = language
        self._clock = clock

    async def stop(self, caller: Caller, kind: StopKind = StopKind.SOFT) -> Done:
        stopped = await self._turns.stop(caller.chat.id, kind)
        if stopped:
            await self._note(caller, "stop", kind.value)
        code = ("stop_hard" if kind is StopKind.HARD else "stop_soft") if stopped else "stop_nothing"
        return Done(changed=stopped, text=text(self._language.of(caller), code))

    async def resume(self, caller: Caller) -> Done:
        resumed = await self._turns.resume(caller.chat.id)
        if resumed:
            await self._note(caller, "resume", "")
        return Done(changed=resumed, text=text(self._language.of(caller), "resumed" if resumed else "resume_nothing"))

    async def regenerate(self, caller: Caller, about: About = LAST) -> Done:
        """Has the reply (the last one, where ``about`` is empty) written anew by the same agent."""
        item = await self._reply(caller, about)
        turn_id = await self._turns.regenerate(caller.chat.id, item.id, caller.person)
        await self._note(caller, "regenerate", item.id)
        said = text(self._language.of(caller), "regenerating")
        return Done(changed=True, text=said, outbox_id=item.id, turn_id=turn_id)

    async def remove_reply(self, caller: Caller, about: About = LAST) -> Done:
        item = await self._reply(caller, about)
        await self._turns.remove(caller.chat.id, item.id)
        await self._note(caller, "remove_reply", item.id)
        return Done(changed=True, text=text(self._language.of(caller), "reply_removed"), outbox_id=item.id)

    async def _reply(self, caller: Caller, about: About) -> OutboxItem:
        """The reply meant, once it is proved that the caller may touch it."""
        async with self._storage.read() as unit:
            item = await _item(unit, caller.chat.id, about)
            if item is None or item.chat_id != caller.chat.id or item.kind is not OutboxKind.REPLY:
                raise UserError("reply_unknown")
            turn = await unit.turns.get(item.turn_id) if item.turn_id is not None else None
        asked_by = turn.person_id if turn is not None else item.person_id
        if not (caller.may_manage or owns(caller, asked_by)):
            raise UserError("not_yours")
        return item

    async def _note(self, caller: Caller, action: str, target: str) -> None:
        entry = AuditEntry(
            tenant_id=caller.chat.tenant_id,
            chat_id=caller.chat.id,
            actor=caller.person,
            action=action,
            target=target,
            detail="",
            at=self._clock(),
        )
        async with self._storage.begin() as unit:
            await unit.audit.add(entry)


async def _item(unit: UnitOfWork, chat_id: int, about: About) -> OutboxItem | None:
    if about.outbox_id is not None:
        return await unit.outbox.get(about.outbox_id)
    if about == LAST:
        return await _last_reply(unit, chat_id)
    if about.external_id is not None:
        message = await unit.messages.by_external(chat_id, about.external_id)
    else:
        message = await unit.messages.get(chat_id, about.seq) if about.seq is not None else None
    if message is None or message.turn_id is None:
        return None
    replies = [i for i in await unit.outbox.of_turn(message.turn_id) if i.kind is OutboxKind.REPLY]
    if message.kind is MessageKind.HUMAN:  # the question was pointed at: its only answer is meant
        return replies[0] if len(replies) == 1 else None
    return next((item for item in replies if item.message_seq == message.seq), None)


async def _last_reply(unit: UnitOfWork, chat_id: int) -> OutboxItem | None:
    for turn in await unit.turns.last(chat_id, limit=LOOK_BACK_TURNS):
        standing = [
            item
            for item in await unit.outbox.of_turn(turn.id)
            if item.kind is OutboxKind.REPLY and item.state is not OutboxState.WITHDRAWN
        ]
        if standing:
            return max(standing, key=lambda item: item.idx)
    return None
