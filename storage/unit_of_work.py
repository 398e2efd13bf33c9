"""One transaction over all aggregates."""

from __future__ import annotations

from functools import cached_property

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
    """The repositories of one open transaction, made when asked for. Not for two tasks at once."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @cached_property
    def chats(self) -> SqlChats:
        return SqlChats(self._connection)

    @cached_property
    def agents(self) -> SqlAgents:
        return SqlAgents(self._connection)

    @cached_property
    def messages(self) -> SqlMessages:
        return SqlMessages(self._connection)

    @cached_property
    def turns(self) -> SqlTurns:
        return SqlTurns(self._connection)

    @cached_property
    def events(self) -> SqlEvents:
        return SqlEvents(self._connection)

    @cached_property
    def outbox(self) -> SqlOutbox:
        return SqlOutbox(self._connection)

    @cached_property
    def sessions(self) -> SqlSessions:
        return SqlSessions(self._connection)

    @cached_property
    def audit(self) -> SqlAudit:
        return SqlAudit(self._connection)

    @cached_property
    def platform_state(self) -> SqlPlatformState:
        return SqlPlatformState(self._connection)

    @cached_property
    def inbox(self) -> SqlInbox:
        return SqlInbox(self._connection)

    @cached_property
    def memories(self) -> SqlMemories:
        return SqlMemories(self._connection)

    @cached_property
    def summaries(self) -> SqlSummaries:
        return SqlSummaries(self._connection)

    @cached_property
    def people(self) -> SqlPeople:
        return SqlPeople(self._connection)

    @cached_property
    def upkeep(self) -> SqlUpkeep:
        return SqlUpkeep(self._connection)
