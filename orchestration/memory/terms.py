"""Texts as terms that can be compared in every script: words of Latin and the like, pairs of characters of Chinese."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import lru_cache
from itertools import pairwise

import regex

_WIDE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}"
_PIECE = regex.compile(rf"(?V1)[{_WIDE}]+|[[\p{{L}}\p{{M}}\p{{N}}]--[{_WIDE}]]+(?:['’]\p{{L}}+)?")
_WIDE_RUN = regex.compile(rf"[{_WIDE}]+")
_NUMBER = regex.compile(r"\p{Nd}+(?:[.,:/-]\p{Nd}+)*")
_BOUNDARY = regex.compile(r"(?V1)(?<=[。！？；])\s*|(?<=[.!?;])\s+|\n+|(?<=[!?])(?=\p{Han})")
_AFTER_NAME = regex.compile(r"\s*[,，:：!！、]+\s*")
_AFTER_MENTION = regex.compile(r"\s*[,，:：!！、]+\s*|\s+")
READ_CHARS = 4_000
"""Of a longer text only the beginning is compared."""

_STOP_WORDS = (
    "a an and are as at be been but by did do does for from had has have he her him his i i'm i've if in into is "
    "it it's its just me my not of on or our she so than that the their them then there they this to too up us "
    "very was we were what when which who will with would you your yours am can could should about also all any "
    "said says say told tells wants want likes like really much more some one get got im ive dont don't "
    "的 了 是 我 你 他 她 它 我们 你们 他们 在 有 和 就 都 也 很 吗 呢 吧 啊 说 一个 这个 那个"
)
_STOP = frozenset(_STOP_WORDS.split())
_COMMON_SIGNS = (
    "的 了 是 我 你 他 她 它 们 在 有 和 就 都 也 很 吗 呢 吧 啊 说 一 个 这 那 不 没 什 么 怎"
    " 样 要 会 能 可 以 去 来 到 给 把 被 让 跟 对 从 为 上 下 里 大 小 多 少 好"
)
_COMMON = frozenset(_COMMON_SIGNS.split())
_EVERYDAY_WORDS = (
    "will may mark bill art joy hope grace rose frank jack rich faith sunny summer april june august dawn eve ray guy"
    " max pat rob sue drew chase miles penny ruby ivy lily daisy violet jade amber angel king dean earl duke major"
    " young long be me my you he she it we i a an the so no on in up or if do go ok hi all one some any im not yes"
    " day sky star moon sun 大家 我们 我 你 他 她 今天 明天 好的 先生 老师"
)
_EVERYDAY = frozenset(_EVERYDAY_WORDS.split())
"""Words that some people are called by."""
_ENDINGS = ("ings", "ing", "ies", "ed", "es", "s")


@lru_cache(maxsize=2_048)
def terms(text: str) -> frozenset[str]:
    """The terms of a text, folded and shorn of endings; words that say nothing are left out."""
    found: set[str] = set()
    folded = unicodedata.normalize("NFKC", text[:READ_CHARS]).casefold().replace("’", "'")
    for piece in _PIECE.findall(folded):
        if _WIDE_RUN.fullmatch(piece):
            found.update(_pairs(piece))
        elif piece not in _STOP:
            found.add(_stem(piece))
    return frozenset(found)


def characters(text: str) -> frozenset[str]:
    """The single characters of Chinese and the like: one of them may be the word that is asked for (猫, 琴)."""
    folded = unicodedata.normalize("NFKC", text[:READ_CHARS]).casefold()
    return frozenset(c for run in _WIDE_RUN.findall(folded) for c in run if c not in _COMMON)


def stems(text: str) -> frozenset[str]:
    """The stems of all words of Latin and the like, those too that say little."""
    folded = unicodedata.normalize("NFKC", text[:READ_CHARS]).casefold().replace("’", "'")
    return frozenset(_stem(piece) for piece in _PIECE.findall(folded) if not _WIDE_RUN.fullmatch(piece))


def _pairs(run: str) -> Iterable[str]:
    """Overlapping pairs of characters: two-character words are found where no word list knows them."""
    if len(run) == 1:
        return () if run in _STOP else (run,)
    return (pair for pair in map("".join, pairwise(run)) if pair not in _STOP)


def _stem(word: str) -> str:
    word = word.removesuffix("'s").removesuffix("n't")
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and word.isascii():
            stem = word[: -len(ending)]
            return stem + "y" if ending == "ies" else stem.removesuffix("e")
    return word.removesuffix("e") if len(word) > 3 and word.isascii() else word


def numbers(text: str) -> frozenset[str]:
    """Every number in the text, as plain digits (``1,200`` and ``1200`` are the same, ``３`` is ``3``)."""
    folded = unicodedata.normalize("NFKC", text[: READ_CHARS * 4])
    return frozenset(number.replace(",", "").strip(".-/:") for number in _NUMBER.findall(folded))


def share(part: frozenset[str], whole: frozenset[str]) -> float:
    """Which share of ``part`` is in ``whole``: 0..1; 1 for nothing."""
    return len(part & whole) / len(part) if part else 1.0


def alike(one: frozenset[str], other: frozenset[str]) -> float:
    """How alike two sets of terms are, 0..1 (those in both to those in either)."""
    either = len(one | other)
    return len(one & other) / either if either else 0.0


def sentences(text: str) -> list[str]:
    """The sentences of a text, without empty ones."""
    return [s for s in (found.strip() for found in _BOUNDARY.split(text[: READ_CHARS * 4])) if s]


def without_address(text: str, names: Iterable[str]) -> str:
    """The text without the name it calls at its beginning (``Ada, …``, ``@Ada …``), where something is left then."""
    bare = text.strip()
    called = bare.lstrip("@＠")
    separator = _AFTER_NAME if called == bare else _AFTER_MENTION
    for name in names:
        if not name or called[: len(name)].casefold() != name.casefold():
            continue
        found = separator.match(called, len(name))
        if found is not None and called[found.end() :].strip():
            return called[found.end() :].strip()
    return bare


def names_in(text: str, names: Iterable[str]) -> frozenset[str]:
    """Which of the names stand in the text as words of their own (in Chinese: anywhere).

    Names that are everyday words (Will, May, A, 好) count only where they are written like a name: with their capital,
    and a single sign of Chinese only by itself.
    """
    plain = unicodedata.normalize("NFKC", text)
    folded = plain.casefold()
    found = set()
    for name in names:
        wanted = unicodedata.normalize("NFKC", name).strip()
        if not wanted:
            continue
        everyday = wanted.casefold() in _EVERYDAY or len(wanted) == 1
        where, wanted = (plain, wanted) if everyday else (folded, wanted.casefold())
        alone = everyday and _WIDE_RUN.fullmatch(wanted) is not None
        at = where.find(wanted)
        while at >= 0:
            if _is_whole(where, at, at + len(wanted)) and not (alone and _in_run(where, at, at + len(wanted))):
                found.add(name)
                break
            at = where.find(wanted, at + 1)
    return frozenset(found)


def names_known(text: str, written_at: datetime | None, since: Mapping[str, datetime]) -> bool:
    """Whether a text names somebody who went by one of these names when it was written.

    Who was not there yet cannot be meant: else a newcomer with the name of a thing, or of somebody else, would lay
    hands on all that was ever written of it.
    """
    return bool(names_in(text, [name for name, begun in since.items() if written_at is None or begun <= written_at]))


def _is_whole(text: str, start: int, end: int) -> bool:
    return not (_joins(text, start - 1, start) or _joins(text, end - 1, end))


def _in_run(text: str, start: int, end: int) -> bool:
    """Whether signs of Chinese and the like go on right before or behind."""
    return _WIDE_RUN.search(text[max(0, start - 1) : start] + text[end : end + 1]) is not None


def _joins(text: str, left: int, right: int) -> bool:
    """Whether the characters at both places are letters of one word. Scripts without blanks have no such bond."""
    if left < 0 or right >= len(text):
        return False
    pair = text[left], text[right]
    return all(c.isalnum() and not _WIDE_RUN.match(c) for c in pair)


def says(one: str, other: str) -> bool:
    """Whether two lines say nearly the same."""
    return alike(terms(one), terms(other)) >= 0.8
