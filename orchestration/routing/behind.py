"""What stands behind a name."""

from __future__ import annotations

from typing import Final

from orchestration.routing.before import is_join
from orchestration.routing.languages import everyday
from orchestration.routing.names import Found
from orchestration.routing.pauses import CLAUSE_ENDS, forth, is_picture, pauses, trimmed
from orchestration.routing.words import Hits


def right_of(f: Found, end: int, i: int, found: list[Found], low: str, hits: Hits) -> tuple[str, str]:
    """The tag of what stands behind a name that ends at ``end``, and its text: end, list, word, or an ``a_`` tag
    without its prefix."""
    owned = _possessive(f, low, hits)
    if owned:
        return owned, "'s"
    if i + 1 < len(found):
        following = _start_of(found[i + 1], low)
        if is_join(low[end:following], f, hits, following, low[found[i + 1].start]):
            return "list", ""
    position = forth(end, low)
    if position >= len(low) or pauses(low, position):
        return ("hush" if _hushed_next(position, low, hits) else "end"), ""
    glued = _glued(f.rest, position, hits)
    if glued:
        return glued, f.rest
    tag, text = _tagged(position, low, hits)
    if tag == "you" and any(_hushes(p, low, hits) for p in _behind_you(position, text, low, hits)):
        return "hush", text
    if text == "的" and _their_word(f.start, position + 1, low, hits):
        return "own", text
    if tag == "do" and _done_already(position + len(text), text, low):
        return "may", text
    if tag == "do" and hits.at(position, "a_stage") == position + len(text) and (alone(found) or not _queued(hits)):
        return "tell", text
    return tag, text


def alone(found: list[Found]) -> bool:
    """Whether all names are one's: nobody takes turns with it."""
    return all(f.owner == found[0].owner for f in found)


def _possessive(f: Found, low: str, hits: Hits) -> str:
    plural = f.bent and low[f.end - 1 : f.end] == "s" and low[f.end : f.end + 1] == " "
    if not plural and not low.startswith(("'s ", "' "), f.end):
        return ""
    own = hits.at(f.end + (3 if low.startswith("'s ", f.end) else 1), "opinion", "a_own")
    return "own" if own is not None else "tell"


def _glued(rest: str, position: int, hits: Hits) -> str:
    """What a Hangul particle makes of the name before it."""
    if rest in everyday.DATIVE_PARTICLES and hits.at(position, "a_dative") is not None:
        return "own"
    if rest in everyday.CALL_PARTICLES:
        return "end"
    if rest in everyday.TELL_PARTICLES:
        return "do" if hits.at(position, "a_act") is not None else "tell"
    return ""


def _their_word(start: int, end: int, low: str, hits: Hits) -> bool:
    """ "先听小梅的，": what that one has to say, no thing of theirs. The "听" of following advice is not enough."""
    at = hits.until(trimmed(start, low), "b_ask")
    return at is not None and start - at > 1 and (end >= len(low) or pauses(low, end))


def _done_already(end: int, text: str, low: str) -> bool:
    """ "给我讲了", "帮着改的": as well told of as asked for."""
    if text[:1] not in "给帮教陪替":
        return False
    following = low[end : end + DONE_WITHIN]
    owned = following.find("的", 1)
    if owned > 0 and (end + owned + 1 >= len(low) or pauses(low, end + owned + 1)):
        return True
    return any(c in "了过" for c in following[1:]) and not any(c in "吧啦吗" or c in CLAUSE_ENDS for c in following)


DONE_WITHIN: Final = 4
"""Characters behind a Chinese verb of giving within which 了 tells that it was done."""


def titled_end(f: Found, low: str, hits: Hits) -> int:
    """The end of the name with what belongs to it: Hangul particles, honorifics, closing brackets, a trailing emoji."""
    end = f.end + len(f.rest)
    longer = hits.at(end, "a_title")
    if longer is not None and (low[end : end + 1] > "\u3000"):
        end = longer
    while end < len(low) and (low[end] in "*_)]}'\"" or is_picture(low[end]) or low[end] in "\u200d"):
        end += 1
    return end


def acts(end: int, found: list[Found], low: str, hits: Hits) -> bool:
    """Whether what follows asks for an act, or gives the name its place in a queue ("sings first")."""
    position = forth(end, low)
    if hits.at(position, "a_act", "a_own") is not None:
        return True
    if alone(found):
        return False
    if hits.at(position, "a_stage") is not None and _queued(hits):
        return True
    if len(hits.of(*_PLACES, "then")) < 2:
        return False
    for hit in hits.of(*_PLACES):
        between = low[position : hit.start]
        if 0 <= hit.start - position <= PLACE_WITHIN and not any(c in CLAUSE_ENDS for c in between):
            return True
    return False


def _queued(hits: Hits) -> bool:
    return hits.has(*_PLACES, "then", "after", "before", "turns")


_PLACES: Final = ("first", "second", "third", "last")
PLACE_WITHIN: Final = 12
"""Characters between a name and the word that gives it a place."""


def _tagged(position: int, low: str, hits: Hits) -> tuple[str, str]:
    best, best_end = "word", position
    for tag, meaning in _RIGHT_OF:
        end = hits.at(position, tag)
        if end is not None and end > best_end:
            best, best_end = meaning, end
    if best == "hush" and hits.at(position, "a_halt") == best_end and not _falls_silent(best_end, low, hits):
        return "you", low[position:best_end]
    return best, low[position:best_end]


_RIGHT_OF: Final = (
    *((f"a_{tag}", tag) for tag in ("hush", "drop", "done", "own", "you", "do")),
    *((tag, "do") for tag in ("a_act", "a_stage", *_PLACES)),
    ("a_tell", "tell"),
    ("a_may", "may"),
)


def _falls_silent(position: int, low: str, hits: Hits) -> bool:
    """ "stop" and "please don't" silence alone or with a word of talking; "please don't call me Annie" does not."""
    following = forth(position, low)
    if following >= len(low):
        return True
    if pauses(low, following):
        return "?" not in low[following:]
    return hits.at(following, "a_still") is not None


def _hushes(position: int, low: str, hits: Hits) -> bool:
    end = hits.at(position, "a_hush")
    if end is None:
        return hits.at(position, "a_drop") is not None
    return hits.at(position, "a_halt") != end or _falls_silent(end, low, hits)


def _behind_you(position: int, text: str, low: str, hits: Hits) -> tuple[int, ...]:
    """Where an order may follow: behind the word, and in a script without spaces behind a time ("你今天先歇着")."""
    if text.isascii():
        return (_next_word(position, low),)
    end = position + len(text)
    return (_next_word(position, low), end, hits.at(end, "a_may") or end)


def _next_word(position: int, low: str) -> int:
    while position < len(low) and low[position].isalnum():
        position += 1
    return forth(position, low)


def _hushed_next(position: int, low: str, hits: Hits) -> bool:
    """ "Ann, be quiet": the clause behind the name silences it."""
    following = position
    while following < len(low) and low[following] in ",，!！ \t":
        following += 1
    if following == position:
        return False
    if hits.at(following, "hush_all", "b_notyou") is not None:
        return True
    return hits.at(following, "a_hush") is not None and _hushes(following, low, hits)


def _start_of(f: Found, low: str) -> int:
    start = f.start
    while start and low[start - 1] in "@*_([{\"'":
        start -= 1
    return start
