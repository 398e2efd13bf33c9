"""The chat for a person at a terminal: rich above, a prompt below that says who is writing."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import AsyncIterator, Callable, Iterable, Mapping

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.formatted_text import StyleAndTextTuples
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.patch_stdout import patch_stdout
from prompt_toolkit.styles import Style
from rich.console import Console, RenderableType

from adapters.console.faces import DEFAULT_FACE, Painter, colours_of
from adapters.console.screen_text import harmless_line
from adapters.console.views import Scene, told_anew, told_back
from adapters.console.wire import Command, Entry, NewAgent, Said, question
from orchestration.card_lines import ADD_FIELDS, AddField, fields_of
from orchestration.card_rules import name_key
from orchestration.commands import AGENT_VERBS, COMMANDS
from orchestration.events import Event, EventKind
from orchestration.model import AgentCard, Locale, Message, MessageKind, OutboxItem, OutboxKind
from orchestration.monospace import cut
from orchestration.texts import text
from orchestration.turns import TurnStatus

TWICE_S = 2.0
"""A second Ctrl-C within so many seconds leaves."""
STYLE = Style.from_dict({"hint": "ansibrightblack"})
ADD_AGENT = "/agent add"
SKIP, CANCEL = "/skip", "/cancel"
COMMAND_LINES = (*(f"/{command}" for command in COMMANDS), "/stop now", *(f"/agent {verb}" for verb in AGENT_VERBS))


class TerminalView:
    """Needs a terminal for both input and output. Everything is called in the loop's thread."""

    def __init__(self, *, person: str, locale: Locale) -> None:
        self._person = harmless_line(person)
        self._locale = locale
        self._painter = Painter(colour_system=colours_of(Console()))
        self._names: Callable[[], tuple[str, ...]] = tuple
        self._entries: asyncio.Queue[Entry | None] = asyncio.Queue()
        self._session: PromptSession[str] | None = None
        self._writers: tuple[AgentCard, ...] = ()
        self._busy = False
        self._pressed_at: float | None = None
        self._left = False
        self._asking = False
        self._asked_back: set[str | None] = set()
        self._cards: dict[str, AgentCard] = {}

    @property
    def left(self) -> bool:
        return self._left

    # -------------------------------------------------------------------------------------- showing

    def begin(self, scene: Scene) -> None:
        self._names = scene.names
        self._cards = {card.id: card for card in scene.cast}
        for card in scene.cast:
            self._painter.palette.colour(card.id)
        if scene.history:
            self._show(self._painter.rule(text(self._locale, "console_earlier")))
            for message in scene.history:
                self._show(self._remembered(message))
        self._show(self._painter.rule("Troupe"))
        for card in scene.cast:
            face, about = harmless_line(card.emoji) or DEFAULT_FACE, harmless_line(card.description)
            self._show(self._painter.notice(cut(f"{face} {card.name}" + (f": {about}" if about else ""), 76)))
        self._show(self._painter.notice(scene.hello))

    def posted(self, item: OutboxItem, agent: AgentCard | None) -> None:
        if agent is not None:
            self._cards[agent.id] = agent
        if item.kind is OutboxKind.REPLY:
            self._show(self._painter.agent_said(agent, item.agent_id or "", item.text, _clock(None)))
        else:
            self.notice(question(item))

    def replaced(self, item: OutboxItem, agent: AgentCard | None) -> None:
        self.notice(told_anew(item, agent, self._locale))
        self.posted(item, agent)

    def withdrawn(self, item: OutboxItem) -> None:
        self.notice(told_back(item, self._cards.get(item.agent_id or ""), self._locale))

    def notice(self, text: str) -> None:
        self._show(self._painter.notice(text))

    def event(self, event: Event) -> None:
        """`/trace` shows them. That nobody answers is said at once: on a screen silence looks like a fault."""
        if event.kind is EventKind.CLARIFICATION_ASKED:
            self._asked_back.add(event.turn_id)
        silent = event.kind is EventKind.TURN_FINISHED and event.content.get("status") == TurnStatus.SILENT
        if silent and event.turn_id not in self._asked_back:
            self.notice(text(self._locale, "console_silent"))

    def writing(self, agents: tuple[AgentCard, ...]) -> None:
        self._writers = agents
        self._redraw()

    def busy(self, running: bool) -> None:
        self._busy = running
        self._redraw()

    def close(self) -> None:
        """The terminal is as it was when `entries` has ended."""

    def _remembered(self, message: Message) -> RenderableType:
        if message.kind is MessageKind.AGENT:
            agent_id = message.agent_id or ""
            card = self._cards.get(agent_id)
            name = card or AgentCard(id=agent_id, name=message.author.name)
            return self._painter.agent_said(name, agent_id, message.text, _clock(message))
        return self._painter.person_said(message.author.name, message.text, _clock(message))

    def _show(self, renderable: RenderableType) -> None:
        columns = self._session.output.get_size().columns if self._session else Console().width
        sys.stdout.write(self._painter.render(renderable, columns))
        sys.stdout.flush()

    def _redraw(self) -> None:
        if self._session is not None and self._session.app.is_running:
            self._session.app.invalidate()

    # -------------------------------------------------------------------------------------- hearing

    async def entries(self) -> AsyncIterator[Entry]:
        self._session = PromptSession(
            key_bindings=self._keys(),
            completer=Names(self._names, COMMAND_LINES),
            complete_while_typing=True,
            style=STYLE,
            erase_when_done=True,
            reserve_space_for_menu=4,
            refresh_interval=1.0,
        )
        # Where a terminal does not tell its cursor position everything works but the completion menu: no warning then.
        self._session.app.renderer.cpr_not_supported_callback = None
        with patch_stdout(raw=True):
            prompting = asyncio.create_task(self._prompt(self._session), name="console prompt")
            try:
                while (entry := await self._entries.get()) is not None:
                    yield entry
            finally:
                prompting.cancel()
                await asyncio.gather(prompting, return_exceptions=True)

    async def _prompt(self, session: PromptSession[str]) -> None:
        """Puts what is typed into the queue, and at last None."""
        try:
            while True:
                line = (await session.prompt_async(self._prompt_lines)).strip()
                if (known := _add_begun(line)) is not None:
                    await self._ask_for_agent(session, known)
                elif line.startswith("/"):
                    self._show(self._painter.notice(line))
                    self._entries.put_nowait(Command(line=line))
                elif line:
                    self._show(self._painter.person_said(self._person, line, _clock(None)))
                    self._entries.put_nowait(Said(text=line))
        except EOFError:
            self._left = True
        finally:
            self._entries.put_nowait(None)

    async def _ask_for_agent(self, session: PromptSession[str], known: Mapping[str, str]) -> None:
        """One question a field that is not known. `/cancel` and Ctrl-C let it go."""
        self.notice(text(self._locale, "console_add_begin"))
        answers = {field: words for field, words in known.items() if not self._is_taken(field, words)}
        for asked in (asked for asked in ADD_FIELDS if asked.field not in answers):
            said = await self._answer_to(session, asked, answers.get("name", ""))
            if said is None:
                self.notice(text(self._locale, "add_cancelled"))
                return
            answers[asked.field] = said
        self._entries.put_nowait(NewAgent(values=answers))

    async def _answer_to(self, session: PromptSession[str], asked: AddField, name: str) -> str | None:
        """The answer to one question, which is asked until there is one ("" skips it); None: no agent after all."""
        label = text(self._locale, f"field_{asked.field}")
        while True:
            self.notice(text(self._locale, asked.ask, name=name))
            self._asking = True
            try:
                said = (await session.prompt_async(f"{label} › ")).strip()
            finally:
                self._asking = False
            self._show(self._painter.notice(f"{label} › {said}"))
            if said == CANCEL:
                return None
            said = "" if said == SKIP else said
            if said.startswith("/"):
                self.notice(text(self._locale, "console_add_begin"))
            elif asked.required and not said:
                self.notice(text(self._locale, "console_add_needed"))
            elif not self._is_taken(asked.field, said):
                return said

    def _is_taken(self, field: str, words: str) -> bool:
        """Whether it is a name that somebody has, which is said now rather than after the last question."""
        taken = field == "name" and name_key(words) in {name_key(name) for name in self._names()}
        if taken:
            self.notice(text(self._locale, "console_add_taken", name=words))
        return taken

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()

        @keys.add("c-c")
        def _(event: KeyPressEvent) -> None:
            now = time.monotonic()
            if self._pressed_at is not None and now - self._pressed_at < TWICE_S:
                event.app.exit(exception=EOFError)
                return
            self._pressed_at = now
            if self._asking:
                event.app.exit(result=CANCEL)
                return
            event.current_buffer.reset()
            if self._busy:
                self._entries.put_nowait(Command(line="/stop"))

        return keys

    def _prompt_lines(self) -> StyleAndTextTuples:
        """Who is writing (or what one can do), and below it where one writes."""
        return [*self._state(), ("", "\n"), ("bold", f"{cut(self._person, 20)} › ")]

    def _state(self) -> StyleAndTextTuples:
        if self._pressed_at is not None and time.monotonic() - self._pressed_at < TWICE_S:
            return [("class:hint", text(self._locale, "console_leave_hint"))]
        if not self._writers:
            return [("class:hint", text(self._locale, "console_thinking" if self._busy else "console_hint"))]
        shown: StyleAndTextTuples = []
        for card in self._writers[:3]:
            colour = _ansi(self._painter.palette.colour(card.id))
            face = harmless_line(card.emoji) or DEFAULT_FACE
            shown += [("", f"{face} "), (colour, f"{cut(harmless_line(card.name), 14)} ")]
        code = "console_writes" if len(self._writers) == 1 else "console_write"
        return [*shown, ("class:hint", text(self._locale, code))]


class Names(Completer):
    """Completes `@name` anywhere and `/command` at the start."""

    def __init__(self, names: Callable[[], tuple[str, ...]], commands: tuple[str, ...]) -> None:
        self._names = names
        self._commands = commands

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        before = document.text_before_cursor
        if before.startswith("/"):
            for command in self._commands:
                if command.startswith(before) and command != before:
                    yield Completion(command, start_position=-len(before))
            return
        at = max(before.rfind("@"), before.rfind("＠"))
        typed = before[at + 1 :]
        if at < 0 or len(typed) > 40:
            return
        for name in self._names():
            plain = harmless_line(name)
            if plain.casefold().startswith(typed.casefold()):
                yield Completion(f"{plain} ", start_position=-len(typed), display=plain)


def _add_begun(line: str) -> Mapping[str, str] | None:
    """What `/agent add` or `/agent add Kai` says of the agent; None for a line that is none or says it all."""
    if line != ADD_AGENT and not line.startswith(f"{ADD_AGENT} "):
        return None
    said = {field: words for field, words in fields_of(line.removeprefix(ADD_AGENT)).items() if words}
    return said if set(said) <= {"name"} else None


def _clock(message: Message | None) -> str:
    """Local time of a message, or now."""
    return message.sent_at.astimezone().strftime("%H:%M") if message else time.strftime("%H:%M")


def _ansi(colour: str) -> str:
    return "bold ansi" + colour.replace("_", "")
