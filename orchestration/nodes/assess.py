"""What kind of message is this? Decides, without a model, what the rest of the turn must mind."""

from __future__ import annotations

import regex
from langgraph.runtime import Runtime

from orchestration.state import TurnDeps, TurnState

_GREETING = regex.compile(
    r"(?:hi|hey|hello|hiya|yo|howdy|greetings|good (?:morning|afternoon|evening|night|day)|morning|evening|"
    r"你好|您好|嗨|哈[喽啰]|早|早安|早上好|上午好|中午好|下午好|晚上好|晚安)(?: there)?[呀啊哦喔~～!！.。…\s]*",
    regex.IGNORECASE,
)
_CRISIS = regex.compile(
    r"\b(?:kill(?:ing)? myself|end(?:ing)? my life|suicid\w*|want to die|don'?t want to (?:live|be alive)|"
    r"hurt(?:ing)? myself|self[- ]harm\w*)\b|自杀|自殺|轻生|輕生|不想活|想死|结束生命|結束生命|自残|自殘",
    regex.IGNORECASE,
)
_HEAD = 4000


async def assess(state: TurnState, runtime: Runtime[TurnDeps]) -> TurnState:
    """Marks words of crisis (answered with care, never by several at once) and bare greetings (no model is asked who
    answers them)."""
    running = runtime.context.running
    with running.tracer.span("assess"):
        words = running.scene.words[:_HEAD].strip()
        return {"crisis": _CRISIS.search(words) is not None, "greeting": _GREETING.fullmatch(words) is not None}
