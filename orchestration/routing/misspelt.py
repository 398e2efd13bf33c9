"""Names written nearly right: looked for only where somebody is being called, and only within a bound."""

from __future__ import annotations

import unicodedata
from typing import Final

from orchestration.routing.forms import Form, NameIndex, Trust
from orchestration.routing.languages import everyday
from orchestration.routing.languages.pinyin import sound_of
from orchestration.routing.names import Found, is_particle
from orchestration.routing.pauses import CLAUSE_ENDS
from orchestration.routing.words import Hits, Word

MIN_LETTERS: Final = 4
TWO_SLIPS_FROM: Final = 8
"""Letters from which two slips are forgiven."""


def misspelt(words: list[Word], low: str, hits: Hits, index: NameIndex, found: list[Found]) -> list[Found]:
    """At most one near-name, where a vocative may stand. Only for texts in which nobody is called rightly."""
    out = []
    for i in _spots(words, low, hits):
        match = _near(words, i, low, hits, index)
        if match and not any(f.start < match.end and match.start < f.end for f in found):
            out.append(match)
            break
    return out


def _spots(words: list[Word], low: str, hits: Hits) -> list[int]:
    """Indexes of words where a vocative may stand: at the start, behind greetings and commas, and last."""
    spots = []
    for i, word in enumerate(words[:60]):
        before = low[: word.start].rstrip(" \t@*_")
        if not before or before[-1] in CLAUSE_ENDS or hits.until(len(before), "b_call", "b_ask") is not None:
            spots.append(i)
    if words and len(words) - 1 not in spots:
        spots.append(len(words) - 1)
    return spots


def _near(words: list[Word], i: int, low: str, hits: Hits, index: NameIndex) -> Found | None:
    word = words[i]
    if word.kind == "c":
        return _near_by_sound(words, i, hits, index)
    head = word.text.split("'", 1)[0]
    if word.kind == "w" and (
        hits.at(word.start, *_WORDS) is not None or (len(head) < MIN_LETTERS and i + 1 >= len(words))
    ):
        return None
    best: list[tuple[int, Form, int]] = []
    for form in index.forms:
        if form.trust is Trust.MADE or form.bent or _common(form):
            continue
        j = i + len(form.words)
        if j > len(words) or any(w.kind != word.kind for w in words[i:j]):
            continue
        written = "".join(w.text.split("'", 1)[0] for w in words[i:j])
        slips = _slips(written, "".join(form.words), hangul=word.kind == "h")
        if slips:
            best.append((slips, form, j))
    return _closest(best, words, i)


_WORDS: Final = (
    "a_do",
    "a_you",
    "b_call",
    "b_ask",
    "b_about",
    "a_tell",
    "follow",
    "ask",
    "greet",
    "and",
    "all",
    "all_call",
    "b_not",
    "b_with",
    "a_may",
    "hush_all",
    "feel",
    "plan",
    "play",
    "opinion",
    "recall",
)


def _common(form: Form) -> bool:
    return form.weak and (len("".join(form.words)) < MIN_LETTERS or "".join(form.words) in everyday.VERBS)


def _closest(best: list[tuple[int, Form, int]], words: list[Word], i: int) -> Found | None:
    if not best:
        return None
    fewest = min(s for s, _, _ in best)
    owners = {f.owner for s, f, _ in best if s == fewest}
    if len(owners) != 1:
        return None
    _, form, j = next(b for b in best if b[0] == fewest)
    return Found(form.owner, words[i].start, words[j - 1].end, Trust.PART, False, typo=True)


def _near_by_sound(words: list[Word], i: int, hits: Hits, index: NameIndex) -> Found | None:
    owners: dict[str, int] = {}
    cue_end = hits.at(words[i].start, *_WORDS) if index.sounds else None
    for n in {len(sound) for sound in index.sounds}:
        run = words[i : i + n]
        if len(run) < n or cue_end == run[-1].end or any(w.kind != "c" for w in run):
            continue
        sound = sound_of("".join(w.text for w in run))
        owners.update(dict.fromkeys(index.sounds.get(sound, ()), n) if sound else {})
    if len(owners) != 1:
        return None
    owner, n = next(iter(owners.items()))
    return Found(owner, words[i].start, words[i + n - 1].end, Trust.PART, False, typo=True)


def _slips(written: str, name: str, *, hangul: bool) -> int:
    """Slips between the two, 0 when there are too many (or none: then it is no misspelling)."""
    rest = ""
    if hangul:
        for cut in range(len(written), 1, -1):
            if is_particle(written[cut:]) and cut == len(name):
                written, rest = written[:cut], written[cut:]
                break
        if len(name) < 2 or (len(written) != len(name) and not rest):
            return 0
        written, name = unicodedata.normalize("NFD", written), unicodedata.normalize("NFD", name)
    if len(name) < MIN_LETTERS or len(written) < MIN_LETTERS - 1 or written == name:
        return 0
    allowed = 2 if len(name) >= TWO_SLIPS_FROM and not hangul else 1
    if abs(len(written) - len(name)) > allowed or (written[0] != name[0] and written[:2] != name[1::-1]):
        return 0
    slips = min(_distance(written, name), max(1, _distance(_ended(written), _ended(name))))
    return slips if slips <= allowed else 0


def _ended(name: str) -> str:
    """With the endings of English pet names written alike: Bobby, Bobbie, Bobbi."""
    return next((name[: -len(end)] + "y" for end in ("ie", "ey", "ee", "i") if name.endswith(end)), name)


def _distance(a: str, b: str) -> int:
    """Insertions, deletions, replacements and swaps of neighbours. Both are short."""
    rows = [list(range(len(b) + 1))]
    for i, ca in enumerate(a, 1):
        row = [i]
        for j, cb in enumerate(b, 1):
            cost = min(rows[-1][j] + 1, row[j - 1] + 1, rows[-1][j - 1] + (ca != cb))
            if i > 1 and j > 1 and ca == b[j - 2] and a[i - 2] == cb:
                cost = min(cost, rows[-2][j - 2] + 1)
            row.append(cost)
        rows.append(row)
    return rows[-1][-1]
