"""What of a model's words may stand as one agent's message.

`clean` takes away what is not the agent speaking (names in front, time stamps, other speakers, notes of silence, loops,
sentences that claim to be human) and refuses what must never be shown (the prompt, a provider's error). Whatever text
it returns may be posted; "" means that nothing was left, and ``issues`` say why. Code blocks survive untouched. Pure,
linear in the length of the text.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import regex

from orchestration.cleaning import clean_text
from orchestration.human_claims import claims_human, without_claims
from orchestration.leaks import gives_away, is_our_line
from orchestration.llm_text import for_people, up_to_sentence
from orchestration.model import AgentCard
from orchestration.non_replies import is_error_text, is_silence, is_silence_line
from orchestration.ports import PromptMessage
from orchestration.prose import Line, joined, lines_of, prose_of
from orchestration.repetition import without_loops
from orchestration.speakers import Claim, Speakers, Voice

MAX_REPLY_CHARS = 60_000
"""A guard of memory and time, no matter of style: how a long reply is shown is the platform's business."""
_PASSES = 8

CLAIMS_HUMAN = "claims_human"
EMPTY = "empty"
ERROR_TEXT = "error_text"
METADATA = "metadata"
NAME_PREFIX = "name_prefix"
OTHER_VOICE = "other_voice"
PROMPT_LEAK = "prompt_leak"
REPETITION = "repetition"
SILENCE = "silence"
TOO_LONG = "too_long"

_PLAIN = frozenset({"", "text", "txt", "markdown", "md", "plaintext"})
_QUOTES = ('""', "“”", "「」", "『』", "«»", "''", "‘’")
_TEMPLATE = regex.compile(
    r"^#{2,3} ?(?:instructions?|input|user|human|system|question|context) ?[:：]", regex.IGNORECASE
)
_STAMPED = regex.compile(
    r"^\s*[\[(（【]\s*(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}[ T]*)?"
    r"\d{1,2}:\d{2}(?::\d{2})?\s?(?:[AaPp][Mm])?\s*Z?[\])）】]\s*"
)
_NOTED = regex.compile(
    r"^\s*[\[(（【](?:in reply to|reply(?:ing)? to|回复|回覆|to)\s*[:：]?\s*"
    r"[^\[\]()（）【】\n]{1,60}[\])）】]\s*[:：]?\s*",
    regex.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cleaned:
    """``text`` may be posted as it is ("": nothing to post). ``issues`` are codes, in the order they were found."""

    text: str
    issues: tuple[str, ...] = ()


def clean(
    text: str,
    *,
    agent: AgentCard,
    cast: Iterable[AgentCard] = (),
    people: Iterable[str] = (),
    prompt: Sequence[PromptMessage] = (),
    max_chars: int = MAX_REPLY_CHARS,
    whole: bool = True,
) -> Cleaned:
    """``text`` as ``agent`` may say it. ``people`` are the names of the humans in the chat, ``prompt`` is what the
    model was sent: its system message must not come back, what its user messages say may be quoted. ``whole``: the
    model came to an end by itself. One that is stuck never does, so only a text that was cut off is freed of loops:
    what somebody meant to say a hundred times stands a hundred times.
    """
    issues: list[str] = []
    speakers = Speakers(agent, cast, people)
    public = "\n".join(message.text for message in prompt if message.role == "user")
    current = clean_text(text[: max_chars * 4])
    for _ in range(_PASSES):
        before = current
        current = _once(current, agent, speakers, public, max_chars, issues, whole=whole)
        if current == before:
            break
    return _judged(current, agent, prompt, public, issues)


def _once(
    text: str, agent: AgentCard, speakers: Speakers, public: str, max_chars: int, issues: list[str], *, whole: bool
) -> str:
    """One pass of everything that shortens. Repeated until nothing changes: one step may lay bare another's case."""
    text = _one_voice(for_people(text), speakers, public, issues)
    text = _spoken(text, agent, issues)
    if not whole:
        text = _noted(without_loops(text), text, REPETITION, issues)
    if len(text) > max_chars:
        text = _noted(up_to_sentence(text[:max_chars]), text, TOO_LONG, issues)
    text = _noted(without_claims(text), text, CLAIMS_HUMAN, issues)
    return _unquoted(text.strip())


def _judged(text: str, agent: AgentCard, prompt: Sequence[PromptMessage], public: str, issues: list[str]) -> Cleaned:
    if text and gives_away(text, agent, _rules_of(prompt), public):
        text, issues = "", [*issues, PROMPT_LEAK]
    elif text and is_error_text(prose_of(text)):
        text, issues = "", [*issues, ERROR_TEXT]
    elif claims_human(text):  # only after the last pass was used up
        text = ""
    if not text:
        issues.append(EMPTY)
    return Cleaned(text=text, issues=tuple(dict.fromkeys(issues)))


def _rules_of(prompt: Sequence[PromptMessage]) -> str:
    """Our own rules at the head of the system message: what stands before the card. The rest is no secret of ours."""
    system = next((message.text for message in prompt if message.role == "system"), "")
    return system.partition("\n<card ")[0]


def _noted(after: str, before: str, issue: str, issues: list[str]) -> str:
    if after != before:
        issues.append(issue)
    return after


# ---------------------------------------------------------------------------------------------- one voice


def _one_voice(text: str, speakers: Speakers, public: str, issues: list[str]) -> str:
    """Everything up to the first line in which somebody else speaks, own names in front taken away.

    A model that begins with somebody else's line and then speaks itself keeps what it says itself.
    """
    lines = _from_own_voice(_unfenced(lines_of(text), speakers), speakers, issues)
    kept: list[Line] = []
    for at, line in enumerate(lines):
        if line.code:
            kept.append(line)
            continue
        said = _own_words(line.text, speakers, public, first=not any(k.text.strip() for k in kept), issues=issues)
        if said is None or _is_heading(lines, at, speakers) or _TEMPLATE.match(line.text):
            issues.append(OTHER_VOICE)
            break
        kept.append(Line(text=said, code=False))
    return joined(kept)


def _own_words(line: str, speakers: Speakers, public: str, *, first: bool, issues: list[str]) -> str | None:
    """The line without the agent's own name before it; None when somebody else speaks in it."""
    if first:
        bare = _NOTED.sub("", _STAMPED.sub("", line))
        line = _noted(bare, line, METADATA, issues)
    for _ in range(_PASSES):
        claim = speakers.claim(line)
        if claim is None:
            return line
        if claim.voice is Voice.OTHER or (claim.voice is Voice.ASSISTANT and not first):
            return line if _may_stand(claim, speakers, public) else None
        if claim.listed or claim.quoted:
            return line
        issues.append(NAME_PREFIX)
        line = claim.rest
    return line


def _may_stand(claim: Claim, speakers: Speakers, public: str) -> bool:
    """A list item about somebody, and a block quote of what they really said, are the agent's own words."""
    if claim.quoted:
        return bool(claim.rest.strip()) and claim.rest.strip() in public
    return claim.listed and not speakers.speaks_first_person(claim.rest)


def _is_heading(lines: Sequence[Line], at: int, speakers: Speakers) -> bool:
    """Whether the line is somebody else's name over words of theirs (a heading over a list is a heading)."""
    if speakers.heads(lines[at].text) is not Voice.OTHER:
        return False
    below = next((line.text.lstrip() for line in lines[at + 1 :] if line.text.strip()), "")
    return bool(below) and not below.startswith(("-", "*", "+", "•", "1", "|", "#"))


def _from_own_voice(lines: list[Line], speakers: Speakers, issues: list[str]) -> list[Line]:
    first = next((at for at, line in enumerate(lines) if line.text.strip()), None)
    if first is None or lines[first].code or not _voiced(lines[first], speakers, Voice.OTHER):
        return lines
    own = next((at for at, line in enumerate(lines) if not line.code and _voiced(line, speakers, Voice.OWN)), None)
    if own is None:
        return lines
    issues.append(OTHER_VOICE)
    return lines[own:]


def _voiced(line: Line, speakers: Speakers, voice: Voice) -> bool:
    claim = speakers.claim(line.text)
    return claim is not None and claim.voice is voice and not claim.listed and not claim.quoted


def _unfenced(lines: list[Line], speakers: Speakers) -> list[Line]:
    """A reply that is wrapped whole in a fence of plain text and begins with the agent's own name is no code."""
    body = [at for at, line in enumerate(lines) if line.text.strip()]
    if len(body) < 3 or not all(line.code for line in lines[body[0] : body[-1] + 1]):
        return lines
    opening = lines[body[0]].text.strip().strip("`~").strip().casefold()
    inside = lines[body[0] + 1 : body[-1]]
    whole = len(set(lines[body[-1]].text.strip())) == 1 and opening in (
        "",
        "text",
        "txt",
        "markdown",
        "md",
        "plaintext",
    )
    if not whole or not _voiced(inside[0], speakers, Voice.OWN):
        return lines
    return lines_of(joined(inside))


# ---------------------------------------------------------------------------------------------- speech


def _spoken(text: str, agent: AgentCard, issues: list[str]) -> str:
    """Without notes of silence and lines of our own prompt; "" when there is nothing but silence."""
    names = (agent.name, *agent.aliases, "the agent", "the assistant")
    if is_silence(text, *names):
        issues.append(SILENCE)
        return ""
    lines = lines_of(text)
    told = [line for line in lines if line.code or not is_our_line(line.text)]
    kept = [line for line in told if line.code or not is_silence_line(line.text, *names)]
    issues += [METADATA] * (len(told) != len(lines)) + [SILENCE] * (len(kept) != len(told))
    return joined(kept).strip()


def _unquoted(text: str) -> str:
    """Without quotation marks around the whole; "" when nothing but marks is there."""
    for pair in _QUOTES:
        inner = text[1:-1]
        if len(text) > 2 and text[0] == pair[0] and text[-1] == pair[1] and not set(pair) & set(inner):
            return inner.strip()
    return text if regex.search(r"[^\s*_~`\"'“”‘’「」『』>#|-]", text) else ""
