"""How the chat is shown and where its lines come from: the port, and the two views without a screen."""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from typing import Protocol

from adapters.console.pipes import LineReader, LineWriter, TooLong
from adapters.console.screen_text import harmless, harmless_line
from adapters.console.wire import (
    MAX_LINE_BYTES,
    Command,
    Entry,
    Said,
    Unreadable,
    changed_line,
    event_line,
    notice_line,
    outbox_line,
    question,
    read_line,
)
from orchestration.events import Event
from orchestration.model import AgentCard, Locale, Message, OutboxItem, OutboxKind
from orchestration.monospace import one_line
from orchestration.texts import text

START_CHARS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What a person who sits down sees: who is here and what was said last, oldest first."""

    cast: tuple[AgentCard, ...]
    history: tuple[Message, ...]
    hello: str
    """One line of welcome."""
    names: Callable[[], tuple[str, ...]]
    """The names of the cast at any time, without waiting."""


class View(Protocol):
    """Shows without waiting; `entries` ends when the person (or the pipe) is done."""

    @property
    def left(self) -> bool:
        """Whether nobody is there any more to see what is still to come."""

    def begin(self, scene: Scene) -> None: ...

    def entries(self) -> AsyncIterator[Entry]: ...

    def posted(self, item: OutboxItem, agent: AgentCard | None) -> None: ...

    def replaced(self, item: OutboxItem, agent: AgentCard | None) -> None: ...

    def withdrawn(self, item: OutboxItem) -> None: ...

    def notice(self, text: str) -> None:
        """A word of Troupe's own to the person here: a command's answer, a line that was not understood."""

    def event(self, event: Event) -> None: ...

    def writing(self, agents: tuple[AgentCard, ...]) -> None:
        """Who is writing just now."""

    def busy(self, running: bool) -> None:
        """Whether a turn runs."""

    def close(self) -> None: ...


class PipeView:
    """Lines in from a file descriptor, lines out to another."""

    def __init__(self, *, fd_in: int, fd_out: int, locale: Locale = Locale.EN) -> None:
        self._locale = locale
        self._cards: dict[str, AgentCard] = {}
        self._reader = LineReader(fd_in, max_bytes=MAX_LINE_BYTES)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._left = False
        self._writer = LineWriter(fd_out, gone=self._reader_gone)

    @property
    def left(self) -> bool:
        return self._left

    async def raw_lines(self) -> AsyncIterator[bytes | TooLong]:
        self._loop = asyncio.get_running_loop()
        if self._left:
            return
        async for line in self._reader.lines():
            yield line

    def write(self, line: str) -> None:
        self._writer.write(line)

    def close(self) -> None:
        self._writer.close()

    def _meet(self, *agents: AgentCard | None) -> None:
        self._cards |= {agent.id: agent for agent in agents if agent is not None}

    def _told_back(self, item: OutboxItem) -> str:
        return told_back(item, self._cards.get(item.agent_id or ""), self._locale)

    def _reader_gone(self) -> None:
        """Whoever read our output is gone (called in the writer's thread): the chat may end."""
        self._left = True
        loop = self._loop
        if loop is not None and not loop.is_closed():
            loop.call_soon_threadsafe(self._reader.stop)


class JsonView(PipeView):
    """The platform for programs."""

    def begin(self, scene: Scene) -> None:
        self._meet(*scene.cast)

    async def entries(self) -> AsyncIterator[Entry]:
        async for line in self.raw_lines():
            entry = Unreadable(code="console_line_too_long") if isinstance(line, TooLong) else read_line(line)
            if entry is not None:
                yield entry

    def posted(self, item: OutboxItem, agent: AgentCard | None) -> None:
        self._meet(agent)
        self.write(outbox_line(item, agent))

    def replaced(self, item: OutboxItem, agent: AgentCard | None) -> None:
        self._meet(agent)
        self.write(changed_line(f"{told_anew(item, agent, self._locale)} {item.text}", item, new_text=item.text))

    def withdrawn(self, item: OutboxItem) -> None:
        self.write(changed_line(self._told_back(item), item, new_text=None))

    def notice(self, text: str) -> None:
        self.write(notice_line(text))

    def event(self, event: Event) -> None:
        self.write(event_line(event))

    def writing(self, agents: tuple[AgentCard, ...]) -> None:
        """The events tell it."""

    def busy(self, running: bool) -> None:
        """The events tell it."""


class PlainView(PipeView):
    """Plain lines, for a pipe without JSON or a screen that can do nothing."""

    def begin(self, scene: Scene) -> None:
        self._meet(*scene.cast)
        self.write(scene.hello)

    async def entries(self) -> AsyncIterator[Entry]:
        async for line in self.raw_lines():
            if isinstance(line, TooLong):
                yield Unreadable(code="console_line_too_long")
            elif words := line.decode("utf-8", "replace").strip():
                yield Command(line=words) if words.startswith("/") else Said(text=words)

    def posted(self, item: OutboxItem, agent: AgentCard | None) -> None:
        self._meet(agent)
        if item.kind is OutboxKind.REPLY:
            self.write(f"{harmless_line(agent.name if agent else item.agent_id or '?')}: {harmless(item.text)}")
        else:
            self.notice(question(item))

    def replaced(self, item: OutboxItem, agent: AgentCard | None) -> None:
        self.notice(told_anew(item, agent, self._locale))
        self.posted(item, agent)

    def withdrawn(self, item: OutboxItem) -> None:
        self.notice(self._told_back(item))

    def notice(self, text: str) -> None:
        self.write("\n".join(f"* {line}" for line in harmless(text).split("\n")))

    def event(self, event: Event) -> None:
        """Not for people."""

    def writing(self, agents: tuple[AgentCard, ...]) -> None:
        """Nothing to draw on."""

    def busy(self, running: bool) -> None:
        """Nothing to draw on."""


def told_anew(item: OutboxItem, agent: AgentCard | None, locale: Locale) -> str:
    """What stands above a reply that takes the place of an earlier one: printed lines stay printed."""
    return text(locale, "console_replaced", name=_name(item, agent))


def told_back(item: OutboxItem, agent: AgentCard | None, locale: Locale) -> str:
    """Which printed reply counts no longer."""
    return text(locale, "console_withdrawn", name=_name(item, agent), start=one_line(item.text, START_CHARS))


def _name(item: OutboxItem, agent: AgentCard | None) -> str:
    return harmless_line(agent.name if agent else item.agent_id or "?")


def private_stdout() -> int:
    """A descriptor of standard output that is ours alone: what libraries print goes to standard error from now on."""
    own = os.dup(1)
    os.dup2(2, 1)
    return own
