"""All names of a text and how each is meant: names in a row share what is made of the row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from orchestration.routing.around import Around, around
from orchestration.routing.languages import everyday
from orchestration.routing.names import Found
from orchestration.routing.pauses import trimmed
from orchestration.routing.roles import Role, role_of
from orchestration.routing.words import Hits


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """One name and how it is meant, with how sure that reading is (0..1). ``clause`` counts commas before it."""

    found: Found
    role: Role
    sure: float
    at_sign: bool = False
    isolated: bool = False
    """Between two pauses: nothing but the name in its clause."""

    @property
    def owner(self) -> str:
        return self.found.owner


def addresses(found: list[Found], low: str, cased: str, hits: Hits) -> list[Address]:
    """How every name is meant, in order of the text. Names in a row ("A, B and C") share the role of their row."""
    spots = _chained([around(f, i, found, low, cased, hits) for i, f in enumerate(found)])
    out: list[Address] = []
    for i, (f, spot) in enumerate(zip(found, spots, strict=True)):
        role, sure = role_of(f, spot)
        out.append(
            Address(
                found=f,
                role=role,
                sure=sure,
                at_sign=spot.at_sign,
                isolated=spot.left in ("start", "call") and spot.right == "end",
            )
        )
        if spot.left == "list" and i:
            out[i] = _joined(out[i - 1], out[i], spot)
    return _contrasted(_side_by_side(_share_backwards(_after_others(out, spots, low, hits), spots), spots, low), spots)


def _contrasted(out: list[Address], spots: list[Around]) -> list[Address]:
    """ "I wasn't asking you, Ben. Ann is the graph right?": who opens a question behind one refused is asked it."""
    for i in range(1, len(out)):
        spot, turned_down = spots[i], out[i - 1].role in (Role.REFUSED, Role.HUSHED)
        opens = spot.left in ("start", "call") or (spot.left == "list" and not spot.firm)
        if turned_down and opens and spot.question and out[i].role is Role.ABOUT:
            out[i] = replace(out[i], role=Role.CALLED, sure=0.86)
    return out


def _side_by_side(out: list[Address], spots: list[Around], low: str) -> list[Address]:
    """ "小梅看合同，阿东看路线": names that open their clauses before the same word share out the work."""
    for i in range(1, len(out)):
        pair = (out[i - 1], out[i])
        if pair[0].owner == pair[1].owner or any(s.left not in ("start", "call", "list") for s in spots[i - 1 : i + 1]):
            continue
        words = [_task(a, s, low) for a, s in zip(pair, spots[i - 1 : i + 1], strict=True)]
        if words[0] and words[0] == words[1]:
            for j in (i - 1, i):
                if out[j].role in (Role.CALLED, Role.ABOUT):
                    out[j] = replace(out[j], role=Role.CALLED, sure=max(0.87, out[j].sure))
    return out


def _task(address: Address, spot: Around, low: str) -> str:
    """The Chinese character behind a name that is told what to do; nothing where it is told about."""
    behind = low[address.found.end : address.found.end + 1]
    return behind if spot.right not in ("tell", "hush", "drop") and behind in everyday.TASKS else ""


def _chained(spots: list[Around]) -> list[Around]:
    """ "A, B and C": the word between the last two joins the whole row."""
    for i in range(len(spots) - 2, -1, -1):
        if spots[i].left == "list" and spots[i + 1].left == "list" and spots[i + 1].firm:
            spots[i] = replace(spots[i], firm=True)
    return spots


def _after_others(out: list[Address], spots: list[Around], low: str, hits: Hits) -> list[Address]:
    """ "Ann should speak after Ben": both are to speak."""
    for i in range(1, len(out)):
        first, second = out[i - 1], out[i]
        behind = low[first.found.end : second.found.start].strip() in _BEHIND
        if behind and low[second.found.end :].startswith(_PLACES):
            out[i - 1] = replace(first, role=Role.ASKED, sure=0.88)
            out[i] = replace(second, role=Role.ASKED, sure=0.88)
            continue
        told = first.role in (Role.CALLED, Role.ASKED) and spots[i - 1].acts
        if told and second.role is Role.ABOUT and hits.until(trimmed(second.found.start, low), "after") is not None:
            out[i] = replace(second, role=Role.ASKED, sure=0.86)
    return out


_BEHIND: Final = frozenset(("在", "排在", "跟在", "接在", "排", "放在"))
_PLACES: Final = ("后面", "之后", "后边", "前面", "之前", "前边", "后头", "前头")


def _read_alone(f: Found, spot: Around) -> tuple[Role, float]:
    return role_of(f, replace(spot, left="start"))


def _joined(before: Address, own: Address, spot: Around) -> Address:
    """A later name of a row is meant as the first one, unless its own right side says otherwise."""
    if spot.right in ("hush", "drop") or own.at_sign:
        return own
    if before.found.rest in everyday.CALL_PARTICLES and not spot.firm and spot.right not in ("end", "you"):
        return replace(own, role=Role.ABOUT, sure=0.75)
    if not spot.firm and (own.found.weak or before.role not in (Role.CALLED, Role.ASKED)):
        role, sure = _read_alone(own.found, spot)
        return replace(own, role=role, sure=sure)
    if not spot.firm and (spot.right in ("tell", "word", "may") or _read_alone(own.found, spot)[0] is Role.ABOUT):
        # "Ann, Ben took my pen": Ann is told about Ben.
        return replace(own, role=Role.ABOUT, sure=0.75)
    if before.role in (Role.CALLED, Role.ASKED, Role.REFUSED, Role.ABOUT, Role.HUSHED):
        role, sure = before.role, before.sure
        if role is Role.ABOUT and spot.right in ("you", "do", "own") and not own.found.bent:
            role, sure = Role.CALLED, 0.85
        if role is Role.REFUSED and spot.right in ("you", "do"):
            role, sure = Role.CALLED, 0.85
        return replace(own, role=role, sure=sure)
    return own


def _share_backwards(out: list[Address], spots: list[Around]) -> list[Address]:
    """ "Ann and Ben said": what the last of a row makes of it holds for the names before it."""
    firm = False
    for i in range(len(out) - 1, 0, -1):
        firm = spots[i].left == "list" and (firm or spots[i].firm)
        if not firm or out[i - 1].at_sign:
            continue
        if spots[i].right == "tell" and out[i].role is Role.ABOUT:
            out[i - 1] = replace(out[i - 1], role=Role.ABOUT, sure=0.8)
        elif spots[i].right in ("hush", "drop") or (
            out[i - 1].role is Role.ABOUT
            and out[i].role in (Role.CALLED, Role.ASKED)
            and spots[i - 1].left in ("start", "call", "ask", "list")
        ):
            out[i - 1] = replace(out[i - 1], role=out[i].role, sure=out[i].sure)
    return out
