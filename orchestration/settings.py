"""The operator's defaults for turns; built from the configuration, overridden per chat by `ChatSettings`."""

from __future__ import annotations

from dataclasses import dataclass

from orchestration.model import Locale


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnSettings:
    """Times are seconds."""

    agents_max: int = 3
    clarify_below: float = 0.6
    timeout_s: float = 120.0
    burst_s: float = 1.5
    """Lines of one author no further apart than this, with nobody in between, are one turn."""
    clarify_expires_s: float = 600.0
    failures_to_basic: int = 3
    basic_retry_s: float = 300.0
    locale: Locale = Locale.EN
    speculative: bool = False
    """Whether the likeliest agent begins to write while a model is still asked who answers."""
    watch_s: float | None = None
    """How often a running turn looks for what other processes did to it; None where this process is the only one."""
