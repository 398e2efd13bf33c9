"""Faults of manner that rules can see in a draft: preaching, echo, the wrong kind of answer, a touched boundary."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Set

import regex

from orchestration.cleaning import is_chinese
from orchestration.decisions import IntentKind
from orchestration.prose import prose_of

READ_CHARS = 8_000
ECHO_SHARE = 0.6
ECHO_LEAST = 12
"""Fewer shingles than this are a greeting, not an echo."""

_LONG = {IntentKind.CASUAL_CHAT: 1200, IntentKind.EMOTIONAL_SUPPORT: 1200, IntentKind.DIRECT_MENTION: 4000}
_LONG_OTHERWISE = 3000

_AS_MACHINE = regex.compile(
    r"\bas an? (?:ai|artificial intelligence)(?: language)?(?: model| assistant)\b|\bas a (?:large )?language model\b"
    r"|作为(?:一个|一名)?(?:AI|人工智能)?(?:大?语言模型|AI ?助手|人工智能助手)",
    regex.IGNORECASE,
)
_SERMON = regex.compile(
    r"\bit(?:['’]s| is) (?:very |so )?(?:important|crucial|essential|vital) (?:to|that)\b"
    r"|\bplease (?:remember|note|consult)\b|\bremember(?: that|,| to)\b"
    r"|\bseek (?:professional|medical) (?:help|advice)\b"
    r"|\bconsult (?:a|your) (?:professional|doctor|lawyer|therapist)\b"
    r"|\bi (?:cannot|can['’]t|am unable to) (?:assist|help) with\b|\byou (?:should|must) always\b"
    r"|\balways (?:remember|be sure)\b|\bit is (?:never|not) (?:okay|acceptable|appropriate) to\b"
    r"|重要的是|请(?:务必)?(?:记住|注意|咨询)|需要(?:注意|强调)的是|建议(?:您|你)?(?:咨询|寻求)(?:专业|医生|律师)"
    r"|我(?:无法|不能)(?:协助|提供)|(?:你|您|我们)(?:应该|必须|一定要)(?:始终|永远|时刻)|切记|务必(?:要|记得)",
    regex.IGNORECASE,
)
_LISTED = regex.compile(r"^[ \t]{0,8}(?:[-*+•][ \t]+|\d{1,2}[.)、]|#{1,6}[ \t])", regex.MULTILINE)
_STEPS = regex.compile(
    r"\b(?:first(?:ly)?|second(?:ly)?|third(?:ly)?|next|finally|step \d)\b(?=[,: ])"
    r"|第[一二三四]步?|首先|其次|最后|然后",
    regex.IGNORECASE,
)
_LAUGHS = regex.compile(r"\b(?:lol|lmao|haha\w*|rofl)\b|哈哈|😂|🤣|233", regex.IGNORECASE)
_NOT_WORD = regex.compile(r"[^\p{L}\p{N}]+")
_CLAUSES = regex.compile(r"[.;,!?。；，！？、\n]+|\bor\b|\band\b|和|或|以及|与")
_WORD = regex.compile(r"\p{Latin}{4,}|[\p{Cyrillic}\p{Hangul}]{3,}")
_HAN = regex.compile(r"\p{Han}{2,}")
_HAN_COMMON = regex.compile(
    r"不要|不会|不能|不得|不可|不做|不聊|不谈|不给|不提供|不讨论|不透露|不写|绝不|从不|拒绝|避免|禁止|任何|有关|关于|相关|别人|他人"
    r"|用户|提供|讨论|谈论|透露|建议|话题|内容|信息|问题|进行|参与|评价|评论|回答"
    r"|不|别|勿|的|了|给|做|聊|谈|说|写"
)
_WORDS_COMMON = frozenset(
    {
        *(
            "never",
            "always",
            "about",
            "does",
            "will",
            "with",
            "give",
            "gives",
            "giving",
            "given",
            "talk",
            "talks",
            "speak",
        ),
        *(
            "speaks",
            "write",
            "writes",
            "make",
            "makes",
            "people",
            "person",
            "others",
            "other",
            "anyone",
            "someone",
            "their",
        ),
        *(
            "them",
            "they",
            "that",
            "this",
            "from",
            "into",
            "when",
            "without",
            "avoid",
            "avoids",
            "refuse",
            "refuses",
            "share",
        ),
        *(
            "shares",
            "reveal",
            "discuss",
            "discusses",
            "advice",
            "topics",
            "topic",
            "questions",
            "things",
            "anything",
            "only",
        ),
        *(
            "cannot",
            "should",
            "must",
            "more",
            "than",
            "users",
            "user",
            "personal",
            "help",
            "answer",
            "offer",
            "keep",
            "stay",
        ),
    }
)


def is_long(text: str, intent: IntentKind) -> bool:
    """Whether the text (code left aside) is longer than a chat bears for such a message."""
    return len(prose_of(text)) > _LONG.get(intent, _LONG_OTHERWISE)


def is_preaching(text: str) -> bool:
    """Whether it lectures: the phrases of an assistant, or two phrases of a sermon."""
    read = text[:READ_CHARS]
    return _AS_MACHINE.search(read) is not None or len(_SERMON.findall(read)) >= 2


def is_mismatch(text: str, intent: IntentKind) -> bool:
    """Whether the manner cannot fit what was wanted: a list or a joke for grief, an assistant's voice in a play."""
    read = text[:READ_CHARS]
    if intent is IntentKind.EMOTIONAL_SUPPORT:
        steps = {found.casefold() for found in _STEPS.findall(read)}
        return len(_LISTED.findall(read)) >= 3 or len(steps) >= 3 or _LAUGHS.search(read) is not None
    if intent is IntentKind.ROLEPLAY:
        return _AS_MACHINE.search(read) is not None
    return False


def breaks_boundary(text: str, boundaries: str) -> bool:
    """Whether the text touches what a clause of the card's boundaries names: two of its telling words, or its only one.

    Only a smell: a refusal names the same words.
    """
    if not boundaries.strip():
        return False
    read = _plain(text[:READ_CHARS])
    for clause in _CLAUSES.split(_plain(boundaries[:4000])):
        terms = _terms(clause)
        if terms and sum(term in read for term in terms) >= min(2, len(terms)):
            return True
    return False


def _terms(clause: str) -> Set[str]:
    # The beginning of a word stands for all its forms: diagnoses, diagnosis, diagnosing.
    words = {word[: max(5, len(word) - 3)] for word in _WORD.findall(clause) if word not in _WORDS_COMMON}
    return words | set(_HAN.findall(_HAN_COMMON.sub(" ", clause)))


def is_echo(text: str, others: Iterable[str]) -> bool:
    """Whether the text says nearly the same as one of the others."""
    own = _bare(text)
    for other in others:
        theirs = _bare(other)
        if min(len(own), len(theirs)) < ECHO_SHARE * max(len(own), len(theirs)):
            continue  # of so unlike lengths that they cannot share so much
        one, two = _shingles(own), _shingles(theirs)
        if len(one) >= ECHO_LEAST and len(one & two) >= ECHO_SHARE * len(one | two):
            return True
    return False


def is_other_language(text: str, words: str) -> bool:
    """Whether a Chinese message was answered without one Chinese character, or a Latin one in Chinese."""
    read, asked = prose_of(text[:READ_CHARS]), words[:READ_CHARS]
    if len(read) < 20 or regex.search(
        r"翻译|英文|英语|translat|chinese|english|中文|日语|japanese", asked, regex.IGNORECASE
    ):
        return False
    if is_chinese(asked):
        return not regex.search(r"\p{Han}", read)
    return len(asked) >= 12 and not regex.search(r"[\p{Han}\p{Hiragana}\p{Katakana}]", asked) and is_chinese(read)


def _bare(text: str) -> str:
    return _NOT_WORD.sub("", _plain(prose_of(text[:READ_CHARS])))


def _shingles(bare: str) -> Set[str]:
    size = 2 if is_chinese(bare) else 4
    return {bare[at : at + size] for at in range(len(bare) - size + 1)}


def _plain(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()
