"""The host and the agents' own bots: their tokens, names and in which group which bot is whose face."""

from __future__ import annotations

import asyncio
import hashlib
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace

from telegram.error import InvalidToken, TelegramError

from adapters.telegram.groups import FACES
from adapters.telegram.heard import Roster
from adapters.telegram.vault import Vault
from adapters.telegram.wire import Client, Clients, number_of_token
from orchestration.errors import StorageError
from orchestration.events import Json
from orchestration.ports import Storage

logger = logging.getLogger(__name__)

BOTS = "telegram:bots"
ASKED_AT_START = 8
"""Bots asked for their names at the start, which keeps to sixteen calls in all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BotRecord:
    """An agent's own bot. ``owner_id`` and ``card`` belong to bots made in a private chat; starters have none.

    ``bot_id`` 0 with a ``key``: an agent without a bot of its own, which joins by the host's own link.
    """

    bot_id: int
    token: str = ""
    username: str = ""
    name: str = ""
    owner_id: str = ""
    key: str = ""
    card: tuple[tuple[str, str], ...] = ()
    photo: str = ""
    """The file of a picture that the maker uploaded."""

    @property
    def agent_name(self) -> str:
        return dict(self.card).get("name", self.name)

    @property
    def row(self) -> str:
        return str(self.bot_id) if self.bot_id else f"key:{self.key}"


class Bots:
    """Tokens stay sealed at rest; clients share one HTTP connection pool and are never polled."""

    def __init__(
        self, *, clients: Clients, storage: Storage, vault: Vault, token: str, starters: Mapping[str, str]
    ) -> None:
        self._clients = clients
        self._storage = storage
        self._vault = vault
        self._starters = {agent: token for agent, token in starters.items() if token}
        self.host: Client = clients.client(token)
        self.host_username = ""
        self.host_name = ""
        self.reads_all = True
        self.manages_bots = False
        self._records: dict[str, BotRecord] = {}
        self._strangers: list[int] = []
        self.asked = 0
        """How many bots had to be asked for their names at the start."""
        self._made: dict[int, Client] = {}
        self._faces: dict[int, dict[str, int]] = {}
        """Group -> agent id -> bot id."""
        self._faceless: dict[int, dict[str, str]] = {}
        """Group -> agent id -> the row of a record without a bot."""
        self._starter_bots: dict[str, int] = {}
        self._ours: frozenset[int] = frozenset({self.host.number})

    async def load(self) -> None:
        """Reads what is stored. Starters' bots that were never seen are asked for their names (one call each, at most
        ASKED_AT_START).
        """
        await self.read()
        strangers = [r for agent, token in self._starters.items() if (r := self._enlisted(agent, token)) is not None]
        self._strangers = [record.bot_id for record in strangers[ASKED_AT_START:]]
        self.asked = len(strangers) - len(self._strangers)
        await asyncio.gather(*(self._ask_name(record) for record in strangers[:ASKED_AT_START]))

    async def meet_the_rest(self, pause_s: float) -> None:
        """Asks the bots for their names that were too many for the start, one after each pause."""
        while self._strangers:
            await asyncio.sleep(pause_s)
            record = self._records.get(str(self._strangers.pop(0)))
            if record is None or record.username:
                continue
            try:
                await self._ask_name(record)
            except StorageError as error:
                logger.warning("the name of bot %s could not be kept: %s", record.bot_id, type(error).__name__)

    async def read(self) -> None:
        """Reads what is stored; again, where another process may have changed it."""
        async with self._storage.read() as uow:
            rows = await uow.platform_state.items(BOTS)
            faces = await uow.platform_state.items(FACES)
        for key, row in rows.items():
            if isinstance(row, dict):
                self._records[key] = self._opened(key, row)
        for key, bot in faces.items():
            chat, _, agent = key.partition(":")
            if isinstance(bot, int):
                self._faces.setdefault(int(chat), {})[agent] = bot
            else:
                self._faceless.setdefault(int(chat), {})[agent] = str(bot)
        self._ours |= {record.bot_id for record in self._records.values()}
        for agent, number in self._starter_bots.items():  # the configuration's token counts, not a stored one
            record = self._records.get(str(number), BotRecord(bot_id=number))
            self._records[str(number)] = replace(record, token=self._starters[agent])

    def _opened(self, key: str, row: dict[str, Json]) -> BotRecord:
        card = row.get("card")
        pairs = tuple((k, str(v)) for k, v in card.items()) if isinstance(card, dict) else ()
        return BotRecord(
            bot_id=int(key) if key.isdigit() else 0,
            token=self._vault.open(str(row.get("token", ""))) or "",
            username=str(row.get("username", "")),
            name=str(row.get("name", "")),
            owner_id=str(row.get("owner", "")),
            key=str(row.get("key", "")),
            card=pairs,
            photo=str(row.get("photo", "")),
        )

    def _enlisted(self, agent: str, token: str) -> BotRecord | None:
        """Takes a starter's bot among ours; returns its record when its name is not known yet."""
        try:
            number = number_of_token(token)
        except ValueError:
            logger.error("the bot token of the starter agent %s is no token; its header is used", agent)
            return None
        if number in (self.host.number, *self._starter_bots.values()):
            logger.error("the bot of the starter agent %s is the host or another agent's; its header is used", agent)
            return None
        self._starter_bots[agent] = number
        self._ours |= {number}
        record = replace(self._records.get(str(number), BotRecord(bot_id=number)), token=token)
        self._records[str(number)] = record
        return None if record.username else record

    async def _ask_name(self, record: BotRecord) -> None:
        try:
            me = await self._clients.client(record.token).get_me()
        except TelegramError as error:
            logger.warning("bot %s of a starter agent does not answer: %s", record.bot_id, type(error).__name__)
            return
        await self.save(replace(record, username=me.username or "", name=me.first_name))

    async def meet_host(self) -> None:
        """Who the host is. Raises TelegramError."""
        me = await self.host.get_me()
        self.host_username, self.host_name = me.username or "", me.first_name
        self.reads_all = bool(me.can_read_all_group_messages)
        self.manages_bots = bool(me.can_manage_bots)

    async def save(self, record: BotRecord) -> None:
        old = self._records.get(record.row)
        self._records[record.row] = record
        self._ours |= {record.bot_id}
        if old is not None and old.token != record.token:
            self._made.pop(record.bot_id, None)
        row: dict[str, Json] = {
            "token": self._vault.seal(record.token) if record.token else "",
            "username": record.username,
            "name": record.name,
            "owner": record.owner_id,
            "key": record.key,
            "card": dict(record.card),
            "photo": record.photo,
        }
        async with self._storage.begin() as uow:
            await uow.platform_state.put(BOTS, record.row, row)

    # ------------------------------------------------------------------------------------------ looking up

    def client(self, token: str) -> Client:
        """A client for a token that is not stored (yet)."""
        return self._clients.client(token)

    def by_number(self, bot_id: int) -> Client | None:
        if bot_id == self.host.number:
            return self.host
        record = self._records.get(str(bot_id))
        if record is None or not record.token:
            return None
        if bot_id not in self._made:
            self._made[bot_id] = self._clients.client(record.token)
        return self._made[bot_id]

    def record(self, bot_id: int) -> BotRecord | None:
        return self._records.get(str(bot_id))

    def record_by_key(self, key: str) -> BotRecord | None:
        return next((r for r in self._records.values() if r.key and r.key == key), None)

    def owned(self, person_id: str) -> tuple[BotRecord, ...]:
        return tuple(r for r in self._records.values() if r.owner_id and r.owner_id == person_id)

    def client_or_none(self, token: str) -> Client | None:
        """None for what cannot be a token."""
        try:
            number_of_token(token)
        except ValueError:
            return None
        return self._clients.client(token)

    def made(self) -> tuple[BotRecord, ...]:
        """The bots that people gave to agents of their own."""
        return tuple(r for r in self._records.values() if r.bot_id and r.card)

    def starters(self) -> tuple[tuple[str, str], ...]:
        """(agent id, token) of the starter agents that have their own bot."""
        return tuple(self._starters.items())

    def bot_of(self, chat_id: int, agent_id: str) -> Client | None:
        """The bot that is this agent's face in the group, whether or not it may post there."""
        number = self._faces.get(chat_id, {}).get(agent_id) or self._starter_bots.get(agent_id)
        return self.by_number(number) if number else None

    async def settle(self, chat_id: int, agent_id: str, record: BotRecord) -> None:
        """The record's agent is this one in the group, and its bot, if it has one, is its face there."""
        if record.bot_id:
            self._faces.setdefault(chat_id, {})[agent_id] = record.bot_id
        else:
            self._faceless.setdefault(chat_id, {})[agent_id] = record.row
        async with self._storage.begin() as uow:
            await uow.platform_state.put(FACES, f"{chat_id}:{agent_id}", record.bot_id or record.row)

    def places(self, record: BotRecord) -> list[tuple[int, str]]:
        """(group, agent id) wherever the record's agent was brought into."""
        if record.bot_id:
            return [(c, a) for c, faces in self._faces.items() for a, bot in faces.items() if bot == record.bot_id]
        return [(c, a) for c, rows in self._faceless.items() for a, row in rows.items() if row == record.row]

    def link(self, record: BotRecord) -> str:
        """What the maker follows to bring the agent into a group."""
        return f"https://t.me/{record.username or self.host_username}?startgroup={record.key}"

    async def forget(self, record: BotRecord) -> None:
        """The record, its token and its faces are no more. The bot stays one of ours: we never answer it."""
        self._records.pop(record.row, None)
        self._made.pop(record.bot_id, None)
        places = self.places(record)
        for chat_id, agent_id in places:
            self._faces.get(chat_id, {}).pop(agent_id, None)
            self._faceless.get(chat_id, {}).pop(agent_id, None)
        async with self._storage.begin() as uow:
            await uow.platform_state.delete(BOTS, record.row)
            for chat_id, agent_id in places:
                await uow.platform_state.delete(FACES, f"{chat_id}:{agent_id}")

    def agent_of(self, chat_id: int, bot_id: int) -> str | None:
        """The agent whose face the bot is in the group."""
        made = next((a for a, number in self._faces.get(chat_id, {}).items() if number == bot_id), None)
        return made or next((a for a, number in self._starter_bots.items() if number == bot_id), None)

    def roster(self, chat_id: int) -> Roster:
        agents: dict[int, str] = {number: agent for agent, number in self._starter_bots.items()}
        agents.update({number: agent for agent, number in self._faces.get(chat_id, {}).items()})
        named = tuple((number, self._name(number), agent) for number, agent in agents.items())
        return Roster(
            host_id=self.host.number,
            host_username=self.host_username,
            ours=self._ours,
            agents=named,
        )

    def _name(self, bot_id: int) -> str:
        record = self._records.get(str(bot_id))
        return record.username if record else ""

    def moved(self, old: int, new: int) -> None:
        """The group has a new number (the database knows already)."""
        self._faces[new] = {**self._faces.pop(old, {}), **self._faces.get(new, {})}
        self._faceless[new] = {**self._faceless.pop(old, {}), **self._faceless.get(new, {})}

    async def close(self) -> None:
        await self._clients.close()


async def try_token(clients: Bots, token: str) -> tuple[int, str, str] | None:
    """(bot id, name, username) of a token that works; None for one that does not. Raises TelegramError otherwise."""
    try:
        me = await clients.client(token).get_me()
    except InvalidToken:
        return None
    return me.id, me.first_name, me.username or ""


def link_key(text: str) -> str:
    """A start payload: letters and digits only, 24 of them."""
    return hashlib.sha256(text.encode()).hexdigest()[:24]
