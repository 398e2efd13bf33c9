"""A maker's own agents, in the private chat with the host; what is changed here reaches every group they are in.

The card here is the original. A group has its own copy, which its admins may change too: so a change of one field is
carried there, never the whole card.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace

from adapters.telegram.addresses import key_of
from adapters.telegram.bots import BotRecord, Bots
from adapters.telegram.heard import Speaker
from adapters.telegram.profile import Profiles
from orchestration.admin import with_field
from orchestration.admin.agents import described
from orchestration.card_lines import card_of, field_of
from orchestration.card_rules import checked
from orchestration.cast import Casts
from orchestration.errors import UserError
from orchestration.model import GroupChat
from orchestration.ports import Clock, Storage
from orchestration.texts import refusal, text

logger = logging.getLogger(__name__)
VERBS = ("show", "edit", "remove")


class Owned:
    def __init__(self, *, bots: Bots, profiles: Profiles, casts: Casts, storage: Storage, clock: Clock) -> None:
        self._bots = bots
        self._profiles = profiles
        self._casts = casts
        self._storage = storage
        self._clock = clock

    def listed(self, speaker: Speaker, locale: str) -> str:
        """The agents this person made, each with the link that brings it into a group; "" when there are none."""
        lines = [f"{record.agent_name}: {self._bots.link(record)}" for record in self._bots.owned(speaker.person.id)]
        return text(locale, "telegram_own_agents", agents="\n".join(lines)) if lines else ""

    async def run(self, speaker: Speaker, verb: str, words: str, locale: str, *, file_id: str = "") -> str:
        """One of VERBS; returns what to answer. ``file_id``: a picture that came with it."""
        try:
            if verb == "edit" and file_id and not words.partition(";")[2]:
                return await self._picture(self._record(speaker, words), file_id, locale)
            if verb == "edit":
                return await self._edit(speaker, words, locale)
            record = self._record(speaker, words)
            if verb == "remove":
                return await self._remove(record, speaker, locale)
            return described(card_of(dict(record.card)), locale, private=True)
        except UserError as error:
            return refusal(locale, error)

    def _record(self, speaker: Speaker, name: str) -> BotRecord:
        owned = self._bots.owned(speaker.person.id)
        wanted = name.strip().lstrip("@").casefold()
        for record in owned:
            if wanted and wanted in (record.agent_name.casefold(), record.username.casefold()):
                return record
        raise UserError("agent_unknown", name=name.strip()[:40], names=", ".join(r.agent_name for r in owned) or "–")

    async def _edit(self, speaker: Speaker, words: str, locale: str) -> str:
        name, _, change = words.replace("；", ";").partition(";")
        field, value = field_of(change)
        record = self._record(speaker, name)
        card = checked(with_field(card_of(dict(record.card)), field, value))
        # The words stay as they were typed: `card_of` reads them again.
        changed = replace(record, card=tuple({**dict(record.card), field: value}.items()))
        if field == "avatar":
            changed = replace(changed, photo="")
        await self._bots.save(changed)

        async def carry(chat: GroupChat, agent_id: str) -> None:
            await self._casts.edit(
                chat.tenant_id,
                agent_id,
                lambda copy: with_field(copy, field, value),
                actor=speaker.person,
                chat_id=chat.id,
            )

        refused = await self._everywhere(record, carry, locale)
        await self._profiles.wear(changed)
        return "\n".join([text(locale, "agent_edited", name=card.name), *refused])

    async def _picture(self, record: BotRecord, file_id: str, locale: str) -> str:
        changed = replace(record, photo=file_id)
        await self._bots.save(changed)
        await self._profiles.wear(changed)
        return text(locale, "agent_edited", name=record.agent_name)

    async def _remove(self, record: BotRecord, speaker: Speaker, locale: str) -> str:
        async def carry(chat: GroupChat, agent_id: str) -> None:
            await self._casts.remove(chat.tenant_id, agent_id, actor=speaker.person, chat_id=chat.id)

        refused = await self._everywhere(record, carry, locale)
        await self._bots.forget(record)
        await self._profiles.forget(record.bot_id)
        return "\n".join([text(locale, "agent_removed", name=record.agent_name), *refused])

    async def _everywhere(
        self, record: BotRecord, carry: Callable[[GroupChat, str], Awaitable[None]], locale: str
    ) -> list[str]:
        """Does it in each group the agent is in; one line for each group that refused."""
        refused = []
        for chat_id, agent_id in self._bots.places(record):
            async with self._storage.begin() as uow:
                chat = await uow.chats.ensure(key_of(chat_id), at=self._clock())
            if await self._casts.get(chat.tenant_id, agent_id) is None:
                continue
            try:
                await carry(chat, agent_id)
            except UserError as error:
                refused.append(f"{chat.title or chat_id}: {refusal(locale, error)}")
        return refused
