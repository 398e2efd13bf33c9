"""What each language says to call, ask, exclude, gather and hush: tables only, one module a language.

A table maps a tag to cues separated by ``|``; a cue that ends in ``*`` stands for every word that begins so.
The tags and what they mean are listed in `orchestration.routing.languages.tags`. A new language is a new module
with a ``CUES`` table and a line in ``LANGUAGES``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final

from orchestration.routing.languages import (
    ar,
    de,
    en,
    en_how,
    en_lines,
    es,
    fr,
    ja,
    ko,
    pt,
    ru,
    topics_en,
    topics_more,
    topics_zh,
    zh,
    zh_how,
    zh_lines,
)
from orchestration.routing.words import Lexicon, compile_lexicon

LANGUAGES: Final[Mapping[str, tuple[Mapping[str, str], ...]]] = {
    "zh": (zh.CUES, zh_how.CUES, zh_lines.CUES),
    "en": (en.CUES, en_how.CUES, en_lines.CUES),
    "ja": (ja.CUES,),
    "ko": (ko.CUES,),
    "es": (es.CUES,),
    "fr": (fr.CUES,),
    "de": (de.CUES,),
    "pt": (pt.CUES,),
    "ru": (ru.CUES,),
    "ar": (ar.CUES,),
}
TOPICS: Final = (topics_zh.TOPICS, topics_en.TOPICS, topics_more.TOPICS)


@cache
def cues() -> Lexicon:
    """The cue tables of all languages, compiled once: people mix languages within one line."""
    return compile_lexicon(
        (tag, line) for tables in LANGUAGES.values() for table in tables for tag, line in table.items()
    )


@cache
def topics() -> Lexicon:
    """The topic tables of all languages, compiled once."""
    return compile_lexicon((tag, line) for table in TOPICS for tag, line in table.items())


TOPIC_WORDS: Final = 14
"""Words of a topic that stand for it where its meaning is compared."""


@cache
def topic_words(topic: str) -> tuple[str, ...]:
    """A topic in its first words, Chinese and English apart."""
    tables = ((topics_zh.TOPICS, "、"), (topics_en.TOPICS, ", "))
    return tuple(
        joint.join(word.rstrip("*") for word in table[topic].split("|")[:TOPIC_WORDS])
        for table, joint in tables
        if topic in table
    )
