"""The timed spans of one turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from orchestration.events import Span
from orchestration.model import Usage

Ticks = Callable[[], float]
"""A monotonic clock in seconds."""


class Tracer:
    """Collects spans; times are milliseconds since the tracer was made. Not for use by several threads."""

    def __init__(self, ticks: Ticks = time.perf_counter) -> None:
        self._ticks = ticks
        self._zero = ticks()
        self._spans: list[Span] = []

    @contextmanager
    def span(self, name: str, *, parent: str = "turn") -> Iterator[SpanNotes]:
        """Times the block; what is noted on the way (usage, detail) stands in the span, failed or not."""
        notes = SpanNotes()
        start = self._ticks()
        try:
            yield notes
        finally:
            end = self._ticks()
            self._spans.append(
                Span(
                    name=name,
                    parent=parent,
                    start_ms=round((start - self._zero) * 1000, 1),
                    ms=round((end - start) * 1000, 1),
                    detail=notes.detail,
                    prompt_tokens=notes.usage.prompt_tokens,
                    completion_tokens=notes.usage.completion_tokens,
                    cost=notes.usage.cost,
                )
            )

    def spans(self) -> tuple[Span, ...]:
        """All spans so far, in order of their start, under one root named ``turn``."""
        root = Span(name="turn", start_ms=0.0, ms=round((self._ticks() - self._zero) * 1000, 1))
        return (root, *sorted(self._spans, key=lambda span: span.start_ms))


class SpanNotes:
    """What is learnt while a span is open."""

    __slots__ = ("detail", "usage")

    def __init__(self) -> None:
        self.detail = ""
        self.usage = Usage()
