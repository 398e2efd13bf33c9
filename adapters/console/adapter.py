"""The terminal as a platform: one group chat, its lines in, its replies out through the transcript."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine
from dataclasses import dataclass

from adapters.console.command_desk import CommandDesk
from adapters.console.mentions import mentioned
from adapters.console.presence import Presence
from adapters.console.transcript import Transcript
from adapters.console.views import Scene, View
from adapters.console.wire import Command, Entry, NewAgent, Said, Unreadable, outbox_line
from orchestration.cast import Casts
from orchestration.errors import StorageUnavailable, UserError
from orchestration.events import Event
from orchestration.model import (
    AgentCard,
    ChatKey,
    GroupChat,
    IncomingMessage,
    Locale,
    OutboxItem,
    OutboxKind,
    OutboxPart,
    OutboxState,
    Person,
)
from orchestration.ports import Clock, Ingress, Limits, NewId, Storage
from orchestration.texts import refusal, text

logger = logging.getLogger(__name__)

PLATFORM = "console"
CHAT = ChatKey(platform=PLATFORM, tenant_id="local", channel_id="terminal")
HISTORY = 30
COMMAND_LIMIT_S = 30.0
LIMITS = Limits(max_chars=1_000_000, personas=True, edits=True, buttons=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Who sits at the terminal, and in which language Troupe speaks to that person."""

    name: str
    locale: Locale


class ConsoleAdapter:
    """Implements `ports.Adapter`, and hears events as a `ports.EventSink` (`hear`)."""

    platform = PLATFORM
    limits = LIMITS

    def __init__(
        self,
        *,
        transcript: Transcript,
        view: View,
        seat: Seat,
        storage: Storage,
        casts: Casts,
        ingress: Ingress,
        desk: CommandDesk,
        clock: Clock,
        new_id: NewId,
    ) -> None:
        self._transcript = transcript
        self._view = view
        self._seat = seat
        self._storage = storage
        self._casts = casts
        self._ingress = ingress
        self._desk = desk
        self._clock = clock
        self._new_id = new_id
        self._presence = Presence(view)
        self._posting: set[asyncio.Task[None]] = set()
        self._word: str = ""

    def greet(self, word: str) -> None:
        """A word for whoever sits down next, after the welcome."""
        self._word = word

    # -------------------------------------------------------------------------------------- hearing

    async def run(self) -> None:
        """Hears until the input ends and what was asked is answered, or until the person leaves."""
        chat = await self._sit_down()
        async for entry in self._view.entries():
            await self._take(chat, entry)
        if not self._view.left:
            await self._presence.settled(self._storage, chat.id)

    async def close(self) -> None:
        """Waits for what is being written down, then lets the terminal go."""
        if self._posting:
            await asyncio.wait(set(self._posting), timeout=10)
        await asyncio.to_thread(self._view.close)
        self._transcript.close()

    def hear(self, event: Event) -> None:
        self._presence.hear(event)

    async def _sit_down(self) -> GroupChat:
        async with self._storage.begin() as uow:
            chat = await uow.chats.ensure(CHAT, at=self._clock())
            history = await uow.messages.recent(chat.id, limit=HISTORY)
        cast = await self._casts.speaking(chat.tenant_id)
        names = ", ".join(card.name for card in cast)
        hello = text(self._seat.locale, "console_hello", names=names)
        scene = Scene(cast=cast, history=tuple(history), hello=hello, names=lambda: self._casts.names(chat.tenant_id))
        self._view.begin(scene)
        if self._word:
            self._view.notice(self._word)
        self._presence.sit_down(chat.id)
        return chat

    async def _take(self, chat: GroupChat, entry: Entry) -> None:
        """One line. Whatever goes wrong with it is said, and the next one is heard."""
        try:
            async with asyncio.timeout(COMMAND_LIMIT_S):
                await self._handle(chat, entry)
        except UserError as error:
            self._view.notice(refusal(self._seat.locale, error))
        except StorageUnavailable:
            self._notice("storage_unavailable")
        except Exception:  # the edge to a person: the chat goes on, the log has the trace
            logger.exception("a console line failed")
            self._notice("console_failed")

    async def _handle(self, chat: GroupChat, entry: Entry) -> None:
        match entry:
            case Said():
                received = await self._ingress.receive(await self._message(chat, entry))
                if received.new and received.turn_id is not None:
                    self._presence.expects(received.turn_id)
            case Command():
                person = self._person(entry.author)
                self._view.notice(await self._desk.answer(entry.line, person, chat, about=entry.reply_to))
            case NewAgent():
                self._view.notice(await self._desk.add_agent(entry.values, self._person(""), chat))
            case Unreadable():
                self._notice(entry.code)

    async def _message(self, chat: GroupChat, said: Said) -> IncomingMessage:
        cast = await self._casts.speaking(chat.tenant_id)
        return IncomingMessage(
            chat=CHAT,
            external_id=said.id or self._new_id(),
            author=self._person(said.author),
            text=said.text,
            sent_at=self._clock(),
            mentioned_agents=mentioned(said.text, cast),
            reply_to=said.reply_to,
        )

    def _person(self, author: str) -> Person:
        name = " ".join(author.split())[:80] or self._seat.name
        return Person(id=f"{PLATFORM}:{name}", name=name)

    def _notice(self, code: str) -> None:
        self._view.notice(text(self._seat.locale, code))

    # -------------------------------------------------------------------------------------- posting

    async def deliver(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        """Writes the item into the transcript, shows it, and journals it. DeliveryLater when the disk is full.

        Where it stands in the transcript already, only the journal is brought up to date.
        """
        await self._owned(self._post(item, agent))
        part = OutboxPart(outbox_id=item.id, part=0, state=OutboxState.SENT, external_id=item.id)
        async with self._storage.begin() as uow:
            await uow.outbox.save_part(part)

    async def writing(self, chat: GroupChat, agent: AgentCard | None) -> None:
        self._presence.writing(agent)

    async def replace(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        self._view.replaced(item, agent)

    async def withdraw(self, chat: GroupChat, item: OutboxItem) -> None:
        self._view.withdrawn(item)

    async def _post(self, item: OutboxItem, agent: AgentCard | None) -> None:
        if await asyncio.to_thread(self._transcript.append_once, item.id, outbox_line(item, agent)):
            if item.kind is OutboxKind.REPLY:
                self._presence.spoke(item.agent_id)
            self._view.posted(item, agent)

    async def _owned(self, work: Coroutine[object, object, None]) -> None:
        """Runs to its end even when the caller is cancelled: what stands in the transcript is shown."""
        task = asyncio.create_task(work, name="console post")
        self._posting.add(task)
        task.add_done_callback(self._posting.discard)
        await asyncio.shield(task)
