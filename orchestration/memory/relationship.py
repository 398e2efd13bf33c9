"""How an agent and a person stand to each other, from how the person talks to it. Pure; rules only.

The stage changes the tone of a reply and how readily the agent joins in unasked; it never keeps an agent from answering
who speaks to it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import regex

from orchestration.memory.records import Relationship, Stage
from orchestration.model import AgentCard

FAMILIAR_AFTER = 5
CLOSE_AFTER = 20
CLOSE_WARMTH = 0.35
STRAINED_WARMTH = -0.35
HALF_LIFE_DAYS = 14.0
STEP = 0.25
EAGERNESS: dict[Stage, float] = {Stage.NEW: 0.0, Stage.FAMILIAR: 0.05, Stage.CLOSE: 0.15, Stage.STRAINED: -0.3}

_WARM = regex.compile(
    r"\b(?:thanks?|thank you|thx|ty|love (?:you|it|this)|great|awesome|perfect|brilliant|you['’]re (?:the best"
    r"|right|sweet|"
    r"great|amazing|wonderful)|well said|good (?:one|job|point|idea)|appreciate|miss(?:ed)? you|haha+|lol|nice)\b"
    r"|谢谢|多谢|感谢|爱你|太好了|太棒|真棒|厉害|说得对|你真好|喜欢你|想你|哈哈|辛苦了|好主意|❤|💕|🥰|😂|👍|🙏",
    regex.IGNORECASE,
)
_COLD = regex.compile(
    r"\b(?:shut up|stupid|idiot|dumb|useless|annoying|hate you|go away|leave me alone|stop (?:talking|it)"
    r"|nobody asked|"
    r"you['’]re (?:wrong|terrible|awful|boring|the worst)|bad (?:bot|answer)|nonsense|garbage|trash|screw you|wtf)\b"
    r"|闭嘴|滚|笨蛋|傻[逼瓜子]|蠢|讨厌你|烦死|没用|废物|垃圾|别说了|走开|没人问你|胡说|😡|🖕|👎",
    regex.IGNORECASE,
)


def warmth_of(text: str) -> float:
    """-1, 0 or 1: how a message sounds."""
    warm, cold = len(_WARM.findall(text[:2_000])), len(_COLD.findall(text[:2_000]))
    return float((warm > cold) - (cold > warm))


def after(relationship: Relationship, texts: list[str], now: datetime) -> Relationship:
    """The relationship after one exchange in which the person said ``texts`` to the agent."""
    warmth = current_warmth(relationship, now)
    for text in texts:
        tone = warmth_of(text)
        if tone:
            warmth += STEP * (tone - warmth) if tone > 0 else 1.4 * STEP * (tone - warmth)
    return replace(
        relationship,
        exchanges=relationship.exchanges + 1,
        warmth=max(-1.0, min(1.0, warmth)),
        updated_at=now,
    )


def current_warmth(relationship: Relationship, now: datetime) -> float:
    """Warmth and coldness fade alike: old quarrels are forgotten, old thanks too."""
    days = max(0.0, (now - relationship.updated_at) / timedelta(days=1))
    return float(relationship.warmth * 0.5 ** (days / HALF_LIFE_DAYS))


def stage(relationship: Relationship | None, now: datetime) -> Stage:
    if relationship is None:
        return Stage.NEW
    warmth = current_warmth(relationship, now)
    if warmth <= STRAINED_WARMTH:
        return Stage.STRAINED
    if relationship.exchanges >= CLOSE_AFTER and warmth >= CLOSE_WARMTH:
        return Stage.CLOSE
    return Stage.FAMILIAR if relationship.exchanges >= FAMILIAR_AFTER else Stage.NEW


def eager(card: AgentCard, how: Stage) -> AgentCard:
    """The card with the readiness to join in that this relationship gives it."""
    ready = min(1.0, max(0.0, card.talkativeness + EAGERNESS[how]))
    return card if ready == card.talkativeness else replace(card, talkativeness=ready)
