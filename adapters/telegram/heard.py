"""What an update can be for us, once it is translated."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from orchestration.model import ChatKey, IncomingMessage, Person


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """The chat of an update as it is right now: ``kind`` is private, group, supergroup or channel."""

    key: ChatKey
    chat_id: int
    kind: str
    title: str = ""

    @property
    def private(self) -> bool:
        return self.kind == "private"


@dataclass(frozen=True, slots=True, kw_only=True)
class Speaker:
    """Who acts. ``user_id`` is None where a group or channel speaks; ``anonymous_admin`` is proved by the platform."""

    person: Person
    user_id: int | None
    anonymous_admin: bool = False
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A message for the core. ``album`` is the id that the parts of an album share."""

    place: Place
    speaker: Speaker
    message: IncomingMessage
    message_id: int
    album: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Commanded:
    """A command for the host. ``named``: it was said to the host by name, as in /why@host; ``file_id``: a document
    or a picture that came with it.
    """

    place: Place
    speaker: Speaker
    name: str
    words: str
    message_id: int
    named: bool = False
    file_id: str = ""
    reply_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Edited:
    """New words of a message, or of one part of an album."""

    place: Place
    speaker: Speaker
    external_id: str
    text: str
    message_id: int
    album: str = ""

    @property
    def key(self) -> ChatKey:
        return self.place.key


@dataclass(frozen=True, slots=True, kw_only=True)
class Pressed:
    """A press on one of the host's buttons. The presser is always a real user, anonymous admins too."""

    place: Place
    speaker: Speaker
    query_id: str
    data: str
    message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Accounts that came into a group (``bot_ids``: the bots among them)."""

    place: Place
    speaker: Speaker
    bot_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class HostMoved:
    """The host bot itself came, left, was kicked or made admin."""

    place: Place
    speaker: Speaker
    inside: bool
    admin: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Migrated:
    old: int
    new: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BotMade:
    """A managed bot was made, or its token or owner changed."""

    owner: Speaker
    bot_id: int
    name: str
    username: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Ignored:
    """Nothing for us; ``reason`` is a short code for the log."""

    reason: str


Heard: TypeAlias = "Said | Commanded | Edited | Pressed | Joined | HostMoved | Migrated | BotMade | Ignored"


@dataclass(frozen=True, slots=True, kw_only=True)
class Roster:
    """Who among the bots is ours: the host, and by bot id or lower-case username the agents of this chat."""

    host_id: int
    host_username: str
    ours: frozenset[int]
    agents: tuple[tuple[int, str, str], ...] = ()
    """(bot id, username, agent id)."""

    def agent_of_bot(self, bot_id: int) -> str | None:
        return next((agent for number, _, agent in self.agents if number == bot_id), None)

    def agent_of_name(self, username: str) -> str | None:
        name = username.casefold()
        return next((agent for _, username, agent in self.agents if username.casefold() == name), None)

    def is_host(self, username: str) -> bool:
        return bool(username) and username.casefold() == self.host_username.casefold()
