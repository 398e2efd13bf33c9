"""Events of this process, told to whoever listens: the terminal, later a web stream."""

from __future__ import annotations

from collections.abc import Iterable

from orchestration.events import Event
from orchestration.ports import EventSink


class EventBus:
    """Passes stored events on in order. A listener never waits, so a turn is never held up by one."""

    def __init__(self) -> None:
        self._sinks: list[EventSink] = []

    def subscribe(self, sink: EventSink) -> None:
        self._sinks.append(sink)

    def publish(self, events: Iterable[Event]) -> None:
        for event in events:
            for sink in self._sinks:
                sink(event)
