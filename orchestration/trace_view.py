"""`/trace` as a small tree: the spans of a turn with milliseconds and tokens, the layers of its prompts, and what
happened on the way. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from orchestration.events import Event, EventKind, Span
from orchestration.explain import duration, failure, money, tokens
from orchestration.monospace import WIDTH, cut, one_line, pad
from orchestration.texts import has, text
from orchestration.turns import TurnRecord

TREE_COLUMNS = 34
BAR_COLUMNS = 12
PROMPT = "prompt "
"""How the name of a span begins that made a prompt; its detail names each layer and its tokens."""
LAYERS = ("rules", "public", "private", "scratch")
MAX_SPANS = 60
MAX_MARKS = 20

_MARKS = frozenset(
    {
        EventKind.MESSAGE_MERGED,
        EventKind.MESSAGE_DELETED,
        EventKind.CLARIFICATION_ASKED,
        EventKind.CLARIFICATION_ANSWERED,
        EventKind.REPLY_DROPPED,
        EventKind.REPLY_POSTED,
        EventKind.REPLY_REMOVED,
        EventKind.DEGRADED,
        EventKind.RECOVERED,
        EventKind.STOP_REQUESTED,
    }
)
"""Events worth a line of their own; the others are told by the spans."""


def trace(turn: TurnRecord, events: Sequence[Event], *, locale: str, names: Mapping[str, str] | None = None) -> str:
    """The turn's spans as a tree, the sizes of its prompts, its noteworthy events, each a line of at most 80 columns.

    ``names`` are the agents' by id.
    """
    head = [text(locale, "trace_head", seq=turn.seq, trace=turn.trace_id[:12] or "–")]
    if turn.decided_by is not None:
        known = f"decided_{turn.decided_by}"
        head.append(text(locale, "trace_decided", who=text(locale, known)))
    spent = tokens(locale, turn.usage)
    if spent:
        head.append(spent)
    return "\n".join(
        [*head, *_tree(turn.spans, locale), *_prompts(turn.spans, locale), *_marks(turn, events, locale, names or {})]
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Branch:
    span: Span
    lead: str
    """The drawn lines left of the name."""


def _tree(spans: Sequence[Span], locale: str) -> list[str]:
    if not spans:
        return [text(locale, "trace_no_spans")]
    whole = max(span.start_ms + span.ms for span in spans) or 1.0
    rows = [_row(branch, whole, locale) for branch in branches(spans[:MAX_SPANS])]
    hidden = len(spans) - MAX_SPANS
    return rows if hidden <= 0 else [*rows, text(locale, "trace_more", count=hidden)]


def branches(spans: Sequence[Span]) -> list[_Branch]:
    """Every span once, each under its parent. Of several spans with the parent's name it is the one that was open
    when the child began. A span whose parent is unknown (or which lies in a ring) is a root.
    """
    parents = [_parent_of(index, spans) for index in range(len(spans))]
    children: dict[int | None, list[int]] = {}
    for index, parent in enumerate(parents):
        children.setdefault(parent, []).append(index)
    out: list[_Branch] = []

    def draw(index: int, lead: str, below: str) -> None:
        out.append(_Branch(span=spans[index], lead=lead))
        under = sorted(children.get(index, []), key=lambda child: spans[child].start_ms)
        for child in under:
            last = child == under[-1]
            draw(child, below + ("└ " if last else "├ "), below + ("  " if last else "│ "))

    for root in sorted(children.get(None, []), key=lambda child: spans[child].start_ms):
        draw(root, "", "")
    return out


def _parent_of(index: int, spans: Sequence[Span]) -> int | None:
    """The index of the parent. Only a span that began earlier (or stands earlier in the list) can be one: no rings."""
    span = spans[index]
    if not span.parent:
        return None
    earlier = [
        i for i, other in enumerate(spans) if other.name == span.parent and (other.start_ms, i) < (span.start_ms, index)
    ]
    around = [i for i in earlier if spans[i].start_ms + spans[i].ms >= span.start_ms]
    return max(around or earlier, key=lambda i: spans[i].start_ms, default=None)


def _row(branch: _Branch, whole: float, locale: str) -> str:
    span = branch.span
    detail = "" if _layers(span) else span.detail
    name = one_line(f"{span.name} {detail}".strip(), TREE_COLUMNS)
    tree = pad(branch.lead + name, TREE_COLUMNS)
    spent = ""
    if span.prompt_tokens or span.completion_tokens:
        spent = f"  {span.prompt_tokens}+{span.completion_tokens}"
        spent += f" {money(span.cost)}" if span.cost else ""
    return cut(f"{tree} {_bar(span, whole)} {duration(locale, span.ms):>8}{spent}".rstrip(), WIDTH)


def _prompts(spans: Sequence[Span], locale: str) -> list[str]:
    """What each prompt was made of: estimated tokens per layer."""
    rows = []
    for span in spans[:MAX_SPANS]:
        if sizes := _layers(span):
            agent = one_line(span.name.removeprefix(PROMPT), 16)
            rows.append(cut(text(locale, "trace_prompt", agent=agent, **sizes), WIDTH))
    return rows


def _layers(span: Span) -> dict[str, str]:
    """Layer -> tokens, of a span that made a prompt; else nothing."""
    words = span.detail.split()
    sizes = dict(zip(words[::2], words[1::2], strict=False))
    return sizes if span.name.startswith(PROMPT) and set(sizes) == set(LAYERS) else {}


def _bar(span: Span, whole: float) -> str:
    first = min(BAR_COLUMNS - 1, int(span.start_ms / whole * BAR_COLUMNS))
    length = max(1, round(span.ms / whole * BAR_COLUMNS))
    return ("·" * first + "█" * length)[:BAR_COLUMNS].ljust(BAR_COLUMNS, "·")


def _marks(turn: TurnRecord, events: Sequence[Event], locale: str, names: Mapping[str, str]) -> list[str]:
    start = turn.started_at or turn.created_at
    lines = []
    for event in [event for event in events if event.kind in _MARKS][:MAX_MARKS]:
        after = max(0.0, (event.at - start).total_seconds() * 1000)
        known = f"event_{event.kind}"
        said = text(locale, known) if has(locale, known) else event.kind.replace("_", " ")
        notes = ": ".join(_notes(event, locale, names))
        lines.append(cut(f"  +{duration(locale, after)} {said}" + (f": {notes}" if notes else ""), WIDTH))
    return lines


def _notes(event: Event, locale: str, names: Mapping[str, str]) -> list[str]:
    """The short facts of an event that say more than its kind: which agent, which failure."""
    agent = event.content.get("agent_id")
    codes = [event.content.get(key) for key in ("code", "reason", "state", "kind")]
    notes = [one_line(names.get(agent, agent), 24)] if isinstance(agent, str) else []
    notes += [failure(locale, code) for code in codes if isinstance(code, str) and code]
    return notes[:2]
