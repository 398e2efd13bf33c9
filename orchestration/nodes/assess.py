"""What kind of message is this? Decides, without a model, what the rest of the turn must mind."""

from __future__ import annotations

import regex
from langgraph.runtime import Runtime

from orchestration.state import TurnDeps, TurnState

SHORT_CHARS = 24

_CRISIS = regex.compile(
    r"\b(?:kill(?:ing)? myself|end(?:ing)? my life|suicid\w*|want to die|don'?t want to (?:live|be alive)|"
    r"hurt(?:ing)? myself|self[- ]harm\w*)\b|自杀|自殺|轻生|輕生|不想活|想死|结束生命|結束生命|自残|自殘",
    regex.IGNORECASE,
)
_HEAD = 4000


async def assess(state: TurnState, runtime: Runtime[TurnDeps]) -> TurnState:
    """Marks words of crisis (answered with care, never by several at once) and greetings (the short path)."""
    running = runtime.context.running
    with running.tracer.span("assess"):
        words = running.scene.words[:_HEAD]
        return {"crisis": _CRISIS.search(words) is not None, "short": len(words) <= SHORT_CHARS}
