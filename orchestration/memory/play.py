"""Where people play a part: what a captain says of his wooden leg is nothing about who plays the captain. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

import regex

from orchestration.model import Message, MessageKind

LASTS = 30
"""A play is over after so many messages, whatever nobody said, …"""
PAUSE = timedelta(hours=1)
"""… or when nobody spoke for so long."""
_OPENS = regex.compile(
    r"\brole[- ]?play(?:ing)?\b|\blet['’]?s (?:pretend|act out|play (?:pretend|make[- ]believe|a scene)"
    r"|play\W{1,3}(?:i['’]?m|i am|you['’]?re|you are)\b)"
    r"|\bpretend (?:that )?(?:i|you|we)\b|\b(?:stay|get|be|am|are|i['’]m) in(?:to)? character\b"
    r"|\bi(?:['’]ll| will) (?:be|play) the \w+.{0,40}\byou(?:['’]ll| will)? (?:be|play|are)\b"
    r"|\b(?:dungeon master|text adventure|larp)\b"
    r"|角色扮演|演(?:戏|个戏|一段|一场|一出)|扮演|假装(?:我|你|我们|咱)|过家家|进入角色|跑团|剧本杀|语[Cc]",
    regex.IGNORECASE,
)
_CLOSES = regex.compile(
    r"\bout of (?:character|(?:the )?(?:game|play|role|role[- ]?play))\b|\booc\b"
    r"|\b(?:end|stop|pause|enough|done)(?: of| with)?(?: the)?"
    r" (?:role[- ]?play(?:ing)?|game|scene|playing|pretending|acting)\b"
    r"|\bgame over\b|\b(?:seriously|for real|no joke|irl|in real life|back to reality)\b"
    r"|不演了|不玩了|演完|出戏|说真的|说正经|认真的|现实(?:中|里)|游戏结束|言归正传",
    regex.IGNORECASE,
)


def played(messages: Sequence[Message]) -> frozenset[int]:
    """Numbers of the messages (in order) in which people play a part.

    A play that somebody opens takes in everybody who speaks; each leaves it by saying so, and speaks for themselves
    from then on. It is over when all have left.
    """
    found: set[int] = set()
    playing: set[str] = set()
    left: set[str] = set()
    opened = last = None
    for message in messages:
        if message.kind is not MessageKind.HUMAN:
            continue
        if last is not None and message.sent_at - last > PAUSE:
            opened = None
        last = message.sent_at
        if _CLOSES.search(message.text):
            left.add(message.author.id)
            if playing <= left:
                opened = None
        elif _OPENS.search(message.text):
            opened, playing, left = message.seq, set(), set()
        if opened is not None and message.seq - opened < LASTS and message.author.id not in left:
            playing.add(message.author.id)
            found.add(message.seq)
    return frozenset(found)
