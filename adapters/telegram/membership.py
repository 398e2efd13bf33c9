"""Bots that come into groups and leave them: the host's own coming and going, agents that join by a link."""

from __future__ import annotations

import logging
from dataclasses import replace

from telegram.constants import ChatMemberStatus

from adapters.telegram.addresses import thread_id_of
from adapters.telegram.bots import BotRecord, Bots
from adapters.telegram.calls import CallFailed, Calls
from adapters.telegram.groups import Group, Groups
from adapters.telegram.heard import HostMoved, Place, Speaker
from adapters.telegram.looks import Looks
from adapters.telegram.profile import Profiles
from adapters.telegram.saying import Saying
from orchestration.card_lines import card_of
from orchestration.cast import Casts
from orchestration.errors import UserError
from orchestration.model import GroupChat, Person
from orchestration.ports import Clock, Storage
from orchestration.texts import refusal, text

logger = logging.getLogger(__name__)
_INSIDE = (ChatMemberStatus.MEMBER, ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)


class Membership:
    def __init__(
        self,
        *,
        bots: Bots,
        groups: Groups,
        looks: Looks,
        saying: Saying,
        calls: Calls,
        profiles: Profiles,
        casts: Casts,
        storage: Storage,
        clock: Clock,
        locale: str,
    ) -> None:
        self._bots = bots
        self._groups = groups
        self._looks = looks
        self._saying = saying
        self._calls = calls
        self._profiles = profiles
        self._casts = casts
        self._storage = storage
        self._clock = clock
        self._locale = locale

    async def seen(self, place: Place) -> None:
        """Something was heard from this group: the host is in it, and we know its kind."""
        if place.private:
            return
        known = self._groups.of(place.chat_id)
        await self._groups.note(replace(known, kind=place.kind, title=place.title or known.title, inside=True))

    async def host_moved(self, moved: HostMoved) -> None:
        """The host came, left or was made admin. Out: nothing is posted any more; in again: it goes on by itself.

        Like everything here but `look_for_agents`, this waits for nothing but the database.
        """
        if moved.place.private:
            return
        place = moved.place
        await self._groups.note(
            Group(chat_id=place.chat_id, kind=place.kind, title=place.title, inside=moved.inside, admin=moved.admin)
        )

    async def look_for_agents(self, place: Place, speaker: Speaker) -> None:
        """The speaker's agents whose bots were in the group before the host could see them come."""
        for record in self._bots.owned(speaker.person.id):
            if not record.bot_id or self._bots.agent_of(place.chat_id, record.bot_id):
                continue
            if await self._is_inside(place.chat_id, record.bot_id):
                await self.welcome(place, record.bot_id, await self.bot_joined(place, record.bot_id))

    async def _is_inside(self, chat_id: int, bot_id: int) -> bool:
        host = self._bots.host
        try:
            member = await self._calls.ask(host, chat_id, lambda: host.get_chat_member(chat_id, bot_id))
        except CallFailed:
            return False
        return member.status in _INSIDE

    async def say(self, place: Place, words: str) -> None:
        """Tells the group, where there is something to tell."""
        if words:
            await self._saying.say(place.chat_id, words, thread_id=thread_id_of(place.key))

    async def welcome(self, place: Place, bot_id: int, words: str) -> None:
        """Tells the group of the agent, and sees to it that its bot looks like it."""
        await self.say(place, words)
        record = self._bots.record(bot_id)
        if record is not None:
            await self._profiles.wear(record)

    async def bot_joined(self, place: Place, bot_id: int) -> str:
        """One of our agents' bots is in the group (now, or again). Returns what the group should be told."""
        record = self._bots.record(bot_id)
        if record is None or bot_id == self._bots.host.number:
            return ""
        await self._looks.rose(place.chat_id, bot_id)
        return await self._join(place, record) if record.card else ""

    async def joined_by_key(self, place: Place, key: str) -> str:
        """An agent joins by the host's own link. Returns what the group should be told, "" when nobody has this key."""
        record = self._bots.record_by_key(key)
        if record is None or not record.card or place.private:
            return ""
        return await self._join(place, record)

    async def _join(self, place: Place, record: BotRecord) -> str:
        chat = await self._chat(place)
        if await self._is_here(chat, place, record):
            return ""
        wanted = replace(card_of(dict(record.card)), owner_id=record.owner_id)
        try:
            card = await self._casts.add(chat.tenant_id, wanted, actor=_owner(record), chat_id=chat.id)
        except UserError as error:
            locale = chat.settings.locale or self._locale
            return text(locale, "telegram_join_refused", name=wanted.name, why=refusal(locale, error))
        await self._bots.settle(place.chat_id, card.id, record)
        logger.info("agent %s of %s joined group %s", card.id, record.owner_id, place.chat_id)
        return text(chat.settings.locale or self._locale, "agent_added", name=card.name)

    async def _is_here(self, chat: GroupChat, place: Place, record: BotRecord) -> bool:
        cast = await self._casts.of(chat.tenant_id)
        if record.bot_id:
            agent = self._bots.agent_of(place.chat_id, record.bot_id)
            return agent is not None and any(card.id == agent for card in cast)
        name = dict(record.card).get("name", "")
        return any(card.owner_id == record.owner_id and card.name == name for card in cast)

    async def _chat(self, place: Place) -> GroupChat:
        async with self._storage.begin() as uow:
            return await uow.chats.ensure(place.key, title=place.title, at=self._clock())


def _owner(record: BotRecord) -> Person:
    return Person(id=record.owner_id, name=record.name or record.owner_id)
