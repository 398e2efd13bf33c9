"""The text as the router reads it: folded to one alphabet of forms, what is only quoted masked, cut to a window.

Everything here is linear in the length of the text: no pattern can look at a character more than a few times.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from dataclasses import dataclass
from typing import Final

import regex

HOLE: Final = "\ufffc"
"""Stands where something was quoted, linked or pasted: neither a letter nor punctuation."""

HEAD: Final = 420
TAIL: Final = 280
"""Characters kept at the beginning and at the end: there people say whom they mean."""
NEARBY: Final = 60
PLACES: Final = 4
"""Characters kept around a landmark in between, and how many landmarks."""

_ASCII_QUOTES: Final = str.maketrans({"’": "'", "‘": "'", "İ": "I", "\u00a0": " ", "`": "`"})
_SPELLED: Final = {
    "ß": "ss",
    "æ": "ae",
    "Æ": "Ae",
    "œ": "oe",
    "Œ": "Oe",
    "ø": "o",
    "Ø": "O",
    "ł": "l",
    "Ł": "L",
    "ı": "i",
}
_LIGATURES: Final = regex.compile("[ßæÆœŒøØłŁı]")
_DROPPED: Final = regex.compile(
    r"[\u0300-\u036f\u0640\u064b-\u0655\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufe0e\ufe0f\ufeff]+"
)

_CONTROL: Final = (
    r"(?:system|sys|admin|administrator|developer|dev|root|assistant|user|router|routing|route|instructions?|prompt|"
    r"messages?|agents?|tool|override|select|selection|系统|管理员|开发者|路由|指令|提示词|sistema|systeme?)"
)
"""What a forged order calls itself: no line of a chat comes from there."""

# Each pattern stops at the next opener of its own kind, so that a line of unclosed openers stays linear.
_MASKS: Final = (
    regex.compile(r"```.*?(?:```|\Z)", regex.S),
    regex.compile(r"`[^`\n]*`"),
    regex.compile(r"^[ \t]*>[^\n]*$", regex.M),
    regex.compile(rf"<({_CONTROL})\b[^<>\n]{{0,80}}>[^<>\n]{{0,400}}</\1>", regex.I),
    regex.compile(rf"[\[【]\s*{_CONTROL}(?![a-z])[^\[\]【】\n]{{0,400}}[\]】]", regex.I),
    regex.compile(r"\b\w{1,20}\s?=\s?\[[^\[\]\n]{0,400}\]"),
    regex.compile(
        r"^[ \t]*(?:system|admin\w*|developer|root|router)[ -]?(?:override|command|message|prompt|instruction|order)s?"
        r"\s?:[^.!?\n]{0,400}|(?:系统|管理员|开发者)(?:指令|命令|提示|消息|通知)\s?[:：][^。！？!?\n]{0,400}"
        r"|\bsystem-?(?:befehl|nachricht)\s?:[^.!?\n]{0,400}",
        regex.I | regex.M,
    ),
    regex.compile(r"(?:https?://|www\.)[^\s<>，。、）)\]」』”]+"),
    regex.compile(r"[\w.+-]{1,64}@[\w-]{1,63}\.[\w.-]{2,63}"),
    regex.compile(r"<[@#:!&]?[^<>\n]{1,200}>"),
    regex.compile(r"“[^“”]*”"),
    regex.compile(r"„[^„“”\"]*[“”\"]"),
    regex.compile(r"«[^«»]*»"),
    regex.compile(r"‹[^‹›]*›"),
    regex.compile(r"「[^「」]*」"),
    regex.compile(r"『[^『』]*』"),
    regex.compile(r"【[^【】]*】"),
    regex.compile(r"《[^《》]*》"),
    regex.compile(r"〈[^〈〉]*〉"),
    regex.compile(r"(?<!\w)'[^'\n]{2,400}'(?!\w)"),
)
_STRAIGHT: Final = regex.compile(r'"[^"]*"')
_STRAIGHT_LINE: Final = regex.compile(r'"[^"\n]*"')
_HEADER: Final = regex.compile(
    r"^[ \t]*(?:from|to|cc|bcc|subject|date|sent|发件人|收件人|主题|抄送|日期"
    r"|von|an|betreff|de|para|asunto|objet|差出人|件名|宛先)"
    r"\s?[:：]",
    regex.I,
)
_SIGN_OFF: Final = regex.compile(
    r"^[ \t]*(?:best|best regards|kind regards|regards|thanks|cheers|sincerely|yours|此致|敬礼|祝好|viele gruesse|"
    r"mit freundlichen|saludos|un saludo|cordialement|atenciosamente|с уважением)\b",
    regex.I,
)
_LOG_LINE: Final = regex.compile(
    r"^[ \t]*(?:\[?\d{1,2}:\d{2}(?::\d{2})?\]?\s*)?[^\s:：,，。?？!！][^:：,，。?？!！\n]{0,30}[:：]\s?\S"
)
_PASTE_LEAD: Final = regex.compile(
    r"(?:翻译|译成|译一下|润色|校对|改一下|改改|总结|概括|朗读|translate|proofread|rephrase|summari[sz]e|paraphrase|"
    r"correct this|fix the grammar|copying|pasting|quote|traduis|traduce|traduz|ubersetz\w*|翻訳|번역\S*)"
    r"[^:：\n]{0,60}[:：]\s?(?P<rest>\S[^\n]{25,})",
    regex.I,
)

MAX_LINES: Final = 200
"""Lines kept at the beginning and at the end of a very long text."""
PASTED_LINE: Final = 60
"""Characters from which a line after a colon is taken for something pasted."""


def fold(text: str) -> str:
    """NFKC, without combining marks of Latin and Cyrillic, Arabic vowel signs, or invisible characters; case kept."""
    if text.isascii():
        return text
    text = _LIGATURES.sub(lambda m: _SPELLED[m.group()], text.translate(_ASCII_QUOTES))
    text = unicodedata.normalize("NFKD", text)
    return unicodedata.normalize("NFC", _DROPPED.sub("", text))


def key(text: str) -> str:
    """The folded text in lower case: what names and words are compared by. As long as ``fold(text)``."""
    folded = fold(text)
    lowered = folded.lower()
    return lowered if len(lowered) == len(folded) else "".join(c.lower()[0] for c in folded)


@dataclass(frozen=True, slots=True, kw_only=True)
class Outer:
    """What the speaker says in their own voice. ``cased`` and ``low`` have the same length.

    ``quoted`` is true when something was masked, ``bare`` when nothing but holes and punctuation is left.
    """

    cased: str
    low: str
    quoted: bool

    @property
    def bare(self) -> bool:
        return not any(c.isalnum() for c in self.low)


def read(text: str, landmarks: re.Pattern[str] | None = None) -> Outer:
    """Folds and masks ``text`` and keeps its beginning, its end, and what stands around a few ``landmarks``."""
    cased = _mask(text)
    quoted = HOLE in cased
    cased = fold(cased)
    if len(cased) > HEAD + TAIL:
        cased = _windowed(cased, landmarks)
    low = cased.lower()
    if len(low) != len(cased):
        low = "".join(c.lower()[0] for c in cased)
    return Outer(cased=cased, low=low, quoted=quoted)


def _windowed(cased: str, landmarks: re.Pattern[str] | None) -> str:
    # A character of Chinese or Japanese says as much as several letters.
    share = 0.6 if sum(c >= "\u3040" for c in cased[:HEAD]) > HEAD // 3 else 1.0
    head, tail = int(HEAD * share), int(TAIL * share)
    pieces = [cased[:head]]
    end = head
    found = landmarks.finditer(cased.lower(), head, len(cased) - tail) if landmarks else iter(())
    for place in itertools.islice(found, PLACES):
        start = max(end, place.start() - NEARBY)
        end = min(len(cased) - tail, max(end, place.end() + NEARBY))
        pieces.append(cased[start:end])
    return f"\n{HOLE}\n".join([*(p for p in pieces if p), cased[-tail:]])


def _mask(text: str) -> str:
    # A mention the platform renders as <@id> is an address, not markup: it keeps an at sign.
    text = regex.sub(r"<@[!&]?\d{1,32}>", "@" + HOLE, text)
    for pattern in _MASKS:
        text = pattern.sub(HOLE, text)
    straight = _STRAIGHT if text.count('"') % 2 == 0 else _STRAIGHT_LINE
    text = straight.sub(HOLE, text)
    return _mask_pastes(text) if "\n" in text or ":" in text or "：" in text else text


def _mask_pastes(text: str) -> str:
    text = _PASTE_LEAD.sub(lambda m: m.group()[: m.start("rest") - m.start()] + HOLE, text)
    lines = text.split("\n")
    if len(lines) == 1:
        return text
    if len(lines) > 2 * MAX_LINES:
        lines = [*lines[:MAX_LINES], HOLE, *lines[-MAX_LINES:]]
    lines = _mask_mail(lines)
    logged = [bool(_LOG_LINE.match(line)) for line in lines]
    if sum(logged) >= 2:
        lines = [HOLE if is_log else line for line, is_log in zip(lines, logged, strict=True)]
    return "\n".join(_mask_after_colon(lines))


def _mask_mail(lines: list[str]) -> list[str]:
    """From two header lines on, everything up to a sign-off and the name under it belongs to the mail.

    A mail that nobody signed ends where its last paragraph does, unless it has but one.
    """
    headers = [i for i, line in enumerate(lines) if _HEADER.match(line)]
    if len(headers) < 2:
        return lines
    first = headers[0]
    signed = next((i + 1 for i in range(headers[-1], len(lines)) if _SIGN_OFF.match(lines[i])), None)
    last = signed if signed is not None else _unsigned_end(lines, headers[-1])
    return [HOLE if first <= i <= last else line for i, line in enumerate(lines)]


def _unsigned_end(lines: list[str], header: int) -> int:
    body = next((i for i in range(header + 1, len(lines)) if lines[i].strip()), len(lines))
    blank = [i for i in range(body, len(lines) - 1) if not lines[i].strip()]
    return blank[-1] if blank else len(lines) - 1


def _mask_after_colon(lines: list[str]) -> list[str]:
    out: list[str] = []
    pasting = False
    for line in lines:
        pasting = pasting and len(line) >= PASTED_LINE
        out.append(HOLE if pasting else line)
        pasting = pasting or line.rstrip().endswith((":", "：", "↓"))
    return out
