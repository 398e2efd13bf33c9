"""Who a line claims to be spoken by: `Nova: …`, `**阿哲**：…`, `[12:03] <Bob> …`, in any script. Pure.

Only the beginning of a line counts, and only whole names: "Bob: the name I like" inside a sentence is prose, `@Bob:`
addresses somebody, and a list item about Bob speaks for him only when it says "I".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

import regex

from orchestration.card_rules import name_key
from orchestration.model import AgentCard, Locale
from orchestration.prompts import prompt_text
from orchestration.prompts.frame import spoken_name

LABEL_CHARS = 120
"""How far into a line a speaker's label may reach."""


class Voice(StrEnum):
    """``own`` the agent itself, ``other`` a cast member or a person, ``assistant`` the protocol's word for itself."""

    OWN = "own"
    OTHER = "other"
    ASSISTANT = "assistant"


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A line that claims a speaker. ``rest`` is what is said; ``listed``/``quoted``: inside a list or block quote."""

    voice: Voice
    rest: str
    listed: bool = False
    quoted: bool = False


_COLONS = regex.compile(r"[:：∶﹕꞉]")
_LIST = regex.compile(r"^\s*(?:[-*+•·▪‣]\s+|\d{1,2}\s?[.)、．]\s*|[a-hA-H][.)]\s+)")
_QUOTE = regex.compile(r"^\s*(?:>|＞)+\s?")
_CLOCK = r"\d{1,2}[:：]\d{2}(?:[:：]\d{2})?(?:\s?[AaPp]\.?[Mm]\.?)?"
_DAY = r"\d{4}[-/.年]\d{1,2}[-/.月]\d{1,2}日?"
_STAMP = regex.compile(
    rf"^\s*[\[(（【<]?\s*(?:{_DAY}[\sT,]*)?(?:{_CLOCK}|(?<={_DAY}))\s*Z?\s*[\])）】>]?\s*[-–—|,]?\s*(?=\S)|^\s*#\d{{1,9}}\s+"
)
_STAMPS = regex.compile(rf"[\[(（【<]?\s*(?:{_DAY}[\sT,]*)?{_CLOCK}\s*[\])）】>]?")
_ASIDE = regex.compile(r"\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|【[^【】]*】|\{[^{}]*\}")
_TAGS = regex.compile(r"</?[a-zA-Z]{1,12}(?:\s[^<>]{0,40})?>")
_BRACKETED = regex.compile(
    r"^\s*[*_~]{0,3}[\[【<〈《「](?P<name>[^\[\]【】<>〈〉《》「」\n]{1,90})[\]】>〉》」][*_~]{0,3}(?!\()\s*(?P<rest>.*)$",
    regex.DOTALL,
)
_HEADING = regex.compile(r"^\s*(?:#{1,6}\s+(?P<a>.{1,90}?)\s*#*|[*_]{2,3}(?P<b>[^*_\n]{1,90})[*_]{2,3})\s*$")
_NAME_TAG = regex.compile(
    r"^\s*<name>(?P<name>[^<>\n]{1,90})</name>\s*(?:<content>)?(?P<rest>.*?)(?:</content>)?\s*$", regex.DOTALL
)
_NOT_WORD = regex.compile(r"[^\p{L}\p{N}\p{M}]+")
_FIRST_PERSON = regex.compile(
    r"\bI(?:['’](?:m|ll|ve|d))?\b|我|俺|私は|僕|저는|나는|내가|(?i:\bja\b|\bje\b|\byo\b|\bich\b)|[Яя]\b"
)
_TOWARDS = regex.compile(
    r"^(?P<who>[^\n]{1,80}?)\s*(?:->|=>|→|⇒|(?P<word>(?<=\s)to(?=\s)|对|對))\s*(?P<whom>[^\n]{1,80}?)(?:说|说道|說)?\s*$"
)
_SAYS = regex.compile(
    r"^(?P<who>[^\n]{1,80}?)\s*(?:says|replies|responds|answers|说|说道|說|回复|回答|答道|回应)\s*$", regex.IGNORECASE
)
_TRIM = " \t*_~`\"'“”‘’#|-–—•@"

_PERSON_ROLES = frozenset(("user", "human", "用户", "使用者", "人类"))
_OWN_ROLES = frozenset(("assistant", "助手"))
_LABELS = frozenset(
    {
        *(
            "note",
            "notes",
            "ps",
            "tip",
            "tips",
            "hint",
            "warning",
            "edit",
            "update",
            "todo",
            "plan",
            "example",
            "summary",
        ),
        *("question", "answer", "step", "option", "idea"),
        *("注意", "提示", "备注", "例如", "比如", "总结", "计划", "问题", "答案", "建议", "步骤"),
    }
)
"""Words that head ordinary lines; a person who calls themselves so is not looked for."""


class Speakers:
    """The names of one group chat, seen from one agent."""

    def __init__(self, agent: AgentCard, cast: Iterable[AgentCard], people: Iterable[str]) -> None:
        voices: dict[str, Voice] = {}
        for name in people:
            if name_key(name) not in _LABELS:
                _enter(voices, name, Voice.OTHER)
            for locale in Locale:  # what a prompt calls a person whose name is an agent's
                _enter(voices, prompt_text(locale, "person", name=spoken_name(name)), Voice.OTHER)
        for role in _PERSON_ROLES:
            voices.setdefault(role, Voice.OTHER)
        for role in _OWN_ROLES:
            voices.setdefault(role, Voice.ASSISTANT)
        for card in cast:
            if card.id != agent.id:
                for name in (card.name, *card.aliases):
                    _enter(voices, name, Voice.OTHER)
        for name in (agent.name, *agent.aliases):
            _enter(voices, name, Voice.OWN)
        self._voices: Mapping[str, Voice] = voices

    def claim(self, line: str) -> Claim | None:
        """Who the line says it is spoken by, if it does say so and it is somebody we know."""
        quote = _QUOTE.match(line)
        inner = line[quote.end() :] if quote else line
        item = _LIST.match(inner)
        bare = inner[item.end() :] if item else inner
        found = self._labelled(bare)
        if found is None and item:
            found = self._labelled(inner)  # a name that looks like the mark of a list
        if found is None:
            return None
        voice, rest = found
        return Claim(voice=voice, rest=rest, listed=item is not None, quoted=quote is not None)

    def heads(self, line: str) -> Voice | None:
        """Whose name stands alone on the line as a heading (`**Bob**`, `### 小雨`, `[Bob]`)."""
        found = _HEADING.match(line)
        return self._known(found["a"] or found["b"]) if found else None

    def speaks_first_person(self, rest: str) -> bool:
        return _FIRST_PERSON.search(rest[:400]) is not None

    def _labelled(self, line: str) -> tuple[Voice, str] | None:
        stamped = _STAMP.sub("", line[:LABEL_CHARS]) + line[LABEL_CHARS:]
        for pattern in (_NAME_TAG, _BRACKETED):
            found = pattern.match(stamped)
            voice = self._known(found["name"]) if found else None
            if found and voice is not None:
                return voice, _without_colon(found["rest"])
        if stamped.lstrip().startswith("@"):
            return None
        for colon in list(_COLONS.finditer(stamped, 0, LABEL_CHARS))[:4]:
            label = stamped[: colon.start()]
            if stamped.startswith("//", colon.end()) or label.count("`") % 2:
                continue  # an address, or code in the line
            voice = self._known(label)
            if voice is not None:
                return voice, _after_label(stamped[colon.end() :])
        return None

    def _known(self, label: str) -> Voice | None:
        """The voice of a label: a known name, `Nova → Bob`, `Nova to Bob`, and `Nova says` of the agent itself."""
        found = self._named(label)
        if found is not None:
            return found
        if towards := _TOWARDS.match(label):
            arrow = towards["word"] is None
            return self._named(towards["who"]) if arrow or self._named(towards["whom"]) else None
        says = _SAYS.match(label)
        return Voice.OWN if says and self._named(says["who"]) is Voice.OWN else None

    def _named(self, label: str) -> Voice | None:
        return next((self._voices[key] for key in _keys(label) if key in self._voices), None)


def _enter(voices: dict[str, Voice], name: str, voice: Voice) -> None:
    for shown in {name, spoken_name(name)}:
        full = name_key(shown)
        bare = _bare(full)
        if full:
            voices[full] = voice
        if len(bare) > 1 or bare == full:
            voices[bare] = voice
    voices.pop("", None)


def _keys(label: str) -> Iterator[str]:
    plain = _TAGS.sub("", label)
    without_asides = _ASIDE.sub(" ", plain)
    for form in (plain, without_asides, _STAMPS.sub(" ", plain), _STAMPS.sub(" ", without_asides)):
        key = name_key(form.strip(_TRIM))
        bare = _bare(key)
        yield key
        yield bare
        if not bare:  # signs only: one of them may be a name
            yield from key.split()


def _bare(key: str) -> str:
    """Letters and digits only: `🦊 Bob!` and `Bob` are one name."""
    return _NOT_WORD.sub(" ", key).strip()


def _without_colon(rest: str) -> str:
    found = _COLONS.match(rest)
    return _after_label(rest[found.end() :]) if found else rest.strip()


def _after_label(rest: str) -> str:
    """What is said after the colon, without the closing half of marks that stood around the name."""
    bare = rest.strip()
    closing = regex.match(r"^(?:\*{1,3}|_{1,3}|~~)(?=\s|$)", bare)
    return bare[closing.end() :].lstrip() if closing else bare
