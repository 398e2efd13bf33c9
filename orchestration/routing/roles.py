"""How one name is meant, from what stands around it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from orchestration.routing.around import Around
from orchestration.routing.forms import Trust
from orchestration.routing.languages import everyday
from orchestration.routing.names import Found


class Role(StrEnum):
    CALLED = "called"
    """Spoken to: a vocative, an at sign."""
    ASKED = "asked"
    """Its word is wanted: "ask X", "X's opinion"."""
    ABOUT = "about"
    """Spoken about, or a part to be played."""
    REFUSED = "refused"
    """Not this one: "not you X", "except X"."""
    HUSHED = "hushed"
    """This one is to be quiet."""


def role_of(f: Found, a: Around) -> tuple[Role, float]:
    if a.right == "hush" or (a.left == "hush" and a.right == "end"):
        return Role.HUSHED, 0.93
    if a.left in ("drop", "not") or a.right == "drop":
        return _refused(f, a)
    if a.right == "done" and a.left != "be":
        return Role.ASKED, 0.88
    if a.left == "turn":
        return Role.ASKED, 0.9
    if a.left == "next":
        return (Role.ASKED, 0.88) if a.right != "tell" else (Role.ABOUT, 0.6)
    if a.left == "be":
        return (Role.CALLED, 0.8) if a.at_sign else (Role.ABOUT, 0.85)
    if a.at_sign:
        return (Role.ABOUT, 0.6) if a.right == "tell" else (Role.CALLED, 0.97)
    if f.weak or f.trust is Trust.MADE:
        return _weak_role(f, a)
    if f.bent:
        return _bent_role(a)
    if a.left in ("start", "call"):
        return _opening_role(f, a)
    if a.left == "ask":
        return _asked_role(a)
    if a.left in ("about", "with"):
        return (Role.CALLED, 0.7) if a.right == "you" else (Role.ABOUT, 0.8)
    return _inner_role(f, a)


def _refused(f: Found, a: Around) -> tuple[Role, float]:
    if a.left == "not" and a.right in ("tell", "own") and a.right_text not in ("'s",):
        return Role.ABOUT, 0.7
    if (f.weak or f.trust is Trust.MADE) and a.right in ("word", "tell") and not a.mid_capital:
        return Role.ABOUT, 0.6
    return Role.REFUSED, 0.9


def _opening_role(f: Found, a: Around) -> tuple[Role, float]:
    """The name opens its clause, at most a greeting before it."""
    match a.right:
        case "end":
            return Role.CALLED, 0.97 if f.trust is Trust.GIVEN else 0.92
        case "own":
            return Role.ASKED, 0.93
        case "you":
            return Role.CALLED, 0.95
        case "do":
            if a.right_text in everyday.AUXILIARIES and not a.inverted:
                return Role.ABOUT, 0.6
            return Role.CALLED, 0.93 if f.trust is Trust.GIVEN else 0.87
        case "tell":
            return (
                (Role.CALLED, 0.6)
                if a.question and a.start_of_text and a.right_text in everyday.AUXILIARIES
                else (Role.ABOUT, 0.8)
            )
        case "list":
            return Role.CALLED, 0.93
        case "may":
            return Role.CALLED, 0.86
        case _:
            return Role.CALLED, 0.8 if a.start_of_text else 0.7


def _asked_role(a: Around) -> tuple[Role, float]:
    match a.right:
        case "tell":
            return (Role.ASKED, 0.8) if a.question else (Role.ABOUT, 0.55)
        case "own" | "you" | "do" | "list":
            return Role.ASKED, 0.92
        case _:
            return Role.ASKED, 0.88


def _inner_role(f: Found, a: Around) -> tuple[Role, float]:
    """Words before the name that say nothing: only its right side, or the end of the text, tells."""
    if a.right == "you":
        return Role.CALLED, 0.88
    if a.right == "own":
        return Role.ASKED, 0.9
    if a.end_of_text and a.right == "end":
        return Role.CALLED, 0.82 if f.trust is Trust.GIVEN else 0.7
    if a.right == "do" and not a.right_text.isascii() and a.acts:
        return Role.CALLED, 0.78
    if a.right == "tell":
        return Role.ABOUT, 0.85
    return Role.ABOUT, 0.6


def _bent_role(a: Around) -> tuple[Role, float]:
    if a.left == "ask":
        return Role.ASKED, 0.88
    if a.right == "own":
        return Role.ASKED, 0.88
    return Role.ABOUT, 0.75


def _weak_role(f: Found, a: Around) -> tuple[Role, float]:
    """An everyday word is a name only with a pause, an at sign, a capital inside a sentence, or a call around it."""
    opening = a.left in ("start", "call")
    modest = f.trust is not Trust.GIVEN
    verb = a.word in everyday.VERBS
    if opening and a.right == "end":
        return Role.CALLED, 0.88 if modest else 0.94
    if opening and a.right == "own":
        return Role.ASKED, 0.88
    if opening and a.right == "list":
        return Role.CALLED, 0.88
    if opening and a.hailed and a.right not in ("tell", "hush") and (not verb or a.right != "word"):
        return Role.CALLED, 0.87
    if opening and a.right == "you" and not (verb and not a.mid_capital):
        return Role.CALLED, 0.88
    if opening and a.right == "you" and a.right_text in everyday.PLEAS:
        return Role.CALLED, 0.87
    if opening and (a.right == "do" or (a.acts and a.right == "word")) and (a.acts or a.mid_capital):
        return Role.CALLED, 0.87
    if (
        opening
        and a.right == "do"
        and not verb
        and a.right_text.isascii()
        and a.right_text not in everyday.AUXILIARIES | everyday.LOOSE
    ):
        return Role.CALLED, 0.86 if f.trust is Trust.GIVEN else 0.8
    if opening and a.mid_capital and a.right != "tell":
        return Role.CALLED, 0.75
    if a.left == "ask" and (a.right in ("end", "you", "own", "list") or a.acts or a.mid_capital):
        return Role.ASKED, 0.87
    if a.mid_capital and a.end_of_text and a.left not in ("about", "with"):
        return Role.CALLED, 0.75
    if a.right == "own" and (a.mid_capital or f.rest or a.right_text[:1] in _ASKING_PARTICLES):
        return Role.ASKED, 0.88
    return Role.ABOUT, 0.7


_ASKING_PARTICLES: Final = ("に", "を")
"""What joins a Japanese name to the verb that asks for it."""
