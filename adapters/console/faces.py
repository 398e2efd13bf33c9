"""How messages look in a terminal: an agent's face, colour and name, its words below. Rich renderables, no input."""

from __future__ import annotations

import io
import zlib

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from adapters.console.screen_text import harmless, harmless_line
from orchestration.model import AgentCard
from orchestration.monospace import cut, wrapped

COLOURS = ("cyan", "magenta", "green", "yellow", "blue", "red", "bright_cyan", "bright_magenta")
NAME_COLUMNS = 40
MIN_COLUMNS, MAX_COLUMNS = 20, 100
DEFAULT_FACE = "🙂"
INDENT = 3


class Palette:
    """One colour an agent, the same in every run as long as no two want the same one."""

    def __init__(self) -> None:
        self._taken: dict[str, str] = {}

    def colour(self, agent_id: str) -> str:
        if agent_id not in self._taken:
            start = zlib.crc32(agent_id.encode("utf-8", "replace")) % len(COLOURS)
            order = COLOURS[start:] + COLOURS[:start]
            used = set(self._taken.values())
            self._taken[agent_id] = next((c for c in order if c not in used), order[0])
        return self._taken[agent_id]


def colours_of(terminal: Console) -> str | None:
    """Which colours the terminal has; None where it has none, or where its person wants none (NO_COLOR)."""
    return None if terminal.no_color else terminal.color_system


class Painter:
    """Renders to text with colour codes, for a given width. What others wrote is never markup."""

    def __init__(self, *, colour_system: str | None) -> None:
        self._colour_system = colour_system
        self.palette = Palette()

    def agent_said(self, agent: AgentCard | None, agent_id: str, words: str, at: str) -> RenderableType:
        face = harmless_line(agent.emoji) if agent and agent.emoji else DEFAULT_FACE
        name = cut(harmless_line(agent.name if agent else agent_id) or "?", NAME_COLUMNS)
        head = Text.assemble((f"{face} ", ""), (name, f"bold {self.palette.colour(agent_id)}"), (f"  {at}", "dim"))
        return Group(head, _body(words))

    def person_said(self, name: str, words: str, at: str) -> RenderableType:
        head = Text.assemble(("›  ", "dim"), (cut(harmless_line(name), NAME_COLUMNS), "bold"), (f"  {at}", "dim"))
        return Group(head, _body(words))

    def notice(self, words: str) -> RenderableType:
        grid = Table.grid(padding=(0, 1))
        grid.add_row(Text("·", style="dim"), Text(harmless(words), style="dim", overflow="fold"))
        return grid

    def rule(self, words: str) -> RenderableType:
        return Rule(Text(harmless_line(words), style="dim"), style="dim", align="left", characters="─")

    def render(self, renderable: RenderableType, columns: int) -> str:
        out = io.StringIO()
        console = Console(
            file=out,
            width=max(MIN_COLUMNS, min(columns, MAX_COLUMNS)),
            force_terminal=self._colour_system is not None,
            color_system=self._colour_system,  # type: ignore[arg-type]  # rich's own detection gave this name
            no_color=self._colour_system is None,
            legacy_windows=False,
            markup=False,
            emoji=False,
            highlight=False,
            _environ={},
        )
        console.print(renderable)
        return out.getvalue()


class _Words:
    """What somebody said, broken into lines that fit: rich breaks Chinese without regard to its marks."""

    def __init__(self, words: str) -> None:
        self._words = words

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = self._words.split("\n")
        pieces = (piece for line in lines for piece in wrapped(line, options.max_width, indent=""))
        yield Text("\n".join(pieces), overflow="fold")


def _body(words: str) -> RenderableType:
    return Padding(_Words(harmless(words)), (0, 0, 0, INDENT))
