"""`@Name` anywhere in a line, also for names with spaces, CJK or emoji. Pure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from orchestration.card_rules import name_key
from orchestration.model import AgentCard


def mentioned(text: str, cast: Iterable[AgentCard]) -> tuple[str, ...]:
    """Ids of the agents mentioned, in the order of the text. Of two names that fit, the longer one is meant."""
    names = [(name_key(name), card.id) for card in cast for name in (card.name, *card.aliases)]
    names.sort(key=lambda pair: -len(pair[0]))
    found: dict[str, None] = {}
    folded = name_key(text)
    at = folded.find("@")
    while at >= 0:
        rest = folded[at + 1 : at + 1 + 400].lstrip()
        for name, agent_id in names:
            behind = rest[len(name) :]
            if name and rest.startswith(name) and _ends(name, behind):
                if not _is_address(folded[:at], behind):
                    found[agent_id] = None
                break
        at = folded.find("@", at + 1)
    return tuple(found)


def _ends(name: str, behind: str) -> bool:
    """Whether the name ends here: `@Adam` does not mention Ada, `@小桃你好` mentions 小桃."""
    if not behind or not _letter(name[-1]) or not _letter(behind[0]):
        return True
    return _unspaced(name[-1]) or _unspaced(behind[0])


def _is_address(before: str, behind: str) -> bool:
    """`ann@ada.org` writes to somebody else altogether."""
    return before[-1:].isascii() and before[-1:].isalnum() and behind[:1] == "." and behind[1:2].isalnum()


def _letter(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNM" or char == "_"


def _unspaced(char: str) -> bool:
    """Scripts that put no space between words."""
    return unicodedata.name(char, "").startswith(("CJK", "HIRAGANA", "KATAKANA", "HANGUL", "THAI", "LAO", "KHMER"))
