"""One transaction over all aggregates."""

from __future__ import annotations

from storage.agents import SqlAgents
from storage.audit import SqlAudit
from storage.chats import SqlChats
from storage.connection import Connection
from storage.events import SqlEvents
from storage.inbox import SqlInbox
from storage.memories import SqlMemories
from storage.messages import SqlMessages
from storage.outbox import SqlOutbox
from storage.people import SqlPeople
from storage.platform_state import SqlPlatformState
from storage.sessions import SqlSessions
from storage.summaries import SqlSummaries
from storage.turns import SqlTurns
from storage.upkeep import SqlUpkeep


class SqlUnitOfWork:
    """The repositories of one open transaction. Not for two tasks at once."""

    __slots__ = (
        "agents",
        "audit",
        "chats",
        "events",
        "inbox",
        "memories",
        "messages",
        "outbox",
        "people",
        "platform_state",
        "sessions",
        "summaries",
        "turns",
        "upkeep",
    )

    def __init__(self, connection: Connection) -> None:
        self.chats = SqlChats(connection)
        self.agents = SqlAgents(connection)
        self.messages = SqlMessages(connection)
        self.turns = SqlTurns(connection)
        self.events = SqlEvents(connection)
        self.outbox = SqlOutbox(connection)
        self.sessions = SqlSessions(connection)
        self.audit = SqlAudit(connection)
        self.platform_state = SqlPlatformState(connection)
        self.inbox = SqlInbox(connection)
        self.memories = SqlMemories(connection)
        self.summaries = SqlSummaries(connection)
        self.people = SqlPeople(connection)
        self.upkeep = SqlUpkeep(connection)
