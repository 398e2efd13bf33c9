"""What of a model's answer is meant for people. Pure, linear in the length of the text.

Thoughts, tool calls, template marks and envelopes go; whatever stands inside a code block of the answer stays.
"""

from __future__ import annotations

import json

import regex

from orchestration.llm_marks import Mark, next_mark

_FENCE_CLOSE = regex.compile(r"^[ ]{0,3}(`{3,}|~{3,})[^\S\n]*$", regex.MULTILINE)
_INLINE_REACH = 2_000
"""Inline code longer than this is a stray backtick, not code."""

_PASSES = 8

_REPLY_KEYS = ("reply", "response", "message", "text", "content", "answer", "output", "say", "utterance", "speech")
_BESIDE_KEYS = frozenset(
    {*_REPLY_KEYS, "name", "agent", "agent_id", "speaker", "role", "emotion", "mood", "tone", "action", "type", "id"}
    | {"thought", "thoughts", "thinking", "reasoning", "confidence", "language", "to", "reply_to", "status", "author"}
)
_WRAPPED = regex.compile(
    r"\A\s*<(reply|response|message|output|answer|final|final_answer|content)\s*>(.*)</\1\s*>\s*\Z",
    regex.IGNORECASE | regex.DOTALL,
)
_CUT_ENVELOPE = regex.compile(
    r'\A\{\s*"(?:reply|response|message|text|content|answer)"\s*:\s*"((?:[^"\\]|\\.)*)\Z', regex.DOTALL
)
_WHOLE_FENCE = regex.compile(r"\A```(?:json|JSON)?[^\S\n]*\n(.*?)\n?```\Z", regex.DOTALL)
_REACT = regex.compile(r"^Action:[^\n]*\n+Action Input:.*\Z", regex.MULTILINE | regex.DOTALL)
# The dot after a list's number ends no sentence.
_SENTENCE_END = regex.compile(
    r"(?:(?<!(?:^|\n)\s{0,8}\d{1,3})[.!?](?=[\s\"'”’)\]*_]|\Z)|[。！？…；])[\"'”’」』）)\]*_]*|\n"
)
_INVISIBLE = regex.compile(r"[\p{C}\p{Z}\s\u2800\u3164\uFFA0\u115F\u1160]")


def for_people(text: str) -> str:
    """The answer without what is not for people; "" when nothing is left."""
    # Taking one mark out may bring the halves of another together; who nests that deep is not talking to people.
    for _ in range(_PASSES):
        spoken = _unwrapped(_without_marks(text).strip())
        if spoken == text:
            return spoken if visible(spoken) else ""
        text = spoken
    return ""


def visible(text: str) -> bool:
    """Whether anything in the text can be seen."""
    return bool(_INVISIBLE.sub("", text))


def up_to_sentence(text: str) -> str:
    """A text that was cut off, up to its last whole sentence or line; as it is when it has none.

    A code block that was left open is closed, or dropped when it had just begun.
    """
    fence = _open_fence(text)
    if fence is not None:
        start, sign = fence
        code = text[start:].partition("\n")[2]
        return f"{text.rstrip()}\n{sign}" if code.strip() else up_to_sentence(text[:start].rstrip())
    begin = len(text) - len(text.lstrip())
    ends = [found.end() for found in _SENTENCE_END.finditer(text) if found.start() > begin]
    return text[: ends[-1]].rstrip() if ends else text.rstrip()


def _without_marks(text: str) -> str:
    """One walk from left to right. Code is copied, blocks are skipped, an open-only block takes the rest."""
    kept: list[str] = []
    spoke = False
    at = 0
    while (mark := next_mark(text, at)) is not None:
        kept.append(text[at : mark.start])
        spoke = spoke or visible(kept[-1])
        if mark.kind in ("fence", "inline"):
            at = _code_end(text, mark)
            kept.append(text[mark.start : at])
            spoke = True
        elif mark.kind in ("thought", "tool"):
            at = _block_end(text, mark)
        elif mark.kind == "unthought":
            # The opening mark was in the prompt (or lost): all before it was thought.
            kept.clear()
            spoke = False
            at = mark.end
        elif mark.kind in ("end", "role") and spoke:
            # What follows is another turn that the model made up.
            return "".join(kept)
        else:
            at = mark.end
    kept.append(text[at:])
    return "".join(kept)


def _code_end(text: str, mark: Mark) -> int:
    if mark.kind == "inline":
        close = regex.search(rf"(?<!`)`{{{len(mark.text)}}}(?!`)", text[mark.end : mark.end + _INLINE_REACH])
        gap = text[mark.end : mark.end + close.start()] if close else ""
        return mark.end + close.end() if close and "\n\n" not in gap else mark.end
    sign = mark.text.strip()
    for close in _FENCE_CLOSE.finditer(text, mark.end):
        if close.group(1).startswith(sign):
            return close.end()
    return len(text)


def _block_end(text: str, mark: Mark) -> int:
    assert mark.closer is not None
    close = mark.closer.search(text, mark.end)
    if close is None:
        return len(text)
    # A block may hold the same block again; the walk then meets lone closing marks, which are noise for tools but
    # would void what was kept for thoughts: so swallow directly following closing marks here.
    end = close.end()
    while (again := mark.closer.match(text, end)) is not None and again.end() > end:
        end = again.end()
    return end


def _open_fence(text: str) -> tuple[int, str] | None:
    """(where it starts, its sign) of a code block that is never closed."""
    at = 0
    while (mark := next_mark(text, at)) is not None:
        if mark.kind != "fence":
            at = _code_end(text, mark) if mark.kind == "inline" else mark.end
            continue
        sign = mark.text.strip()
        close = next((c for c in _FENCE_CLOSE.finditer(text, mark.end) if c.group(1).startswith(sign)), None)
        if close is None:
            return mark.start, sign
        at = close.end()
    return None


def _unwrapped(text: str) -> str:
    """The words inside an envelope that is the whole text, be it JSON or one XML element; the text where it is none."""
    if (wrapped := _WRAPPED.match(text)) is not None:
        return _unwrapped(wrapped.group(2).strip())
    text = _REACT.sub("", text).strip()
    fenced = _WHOLE_FENCE.match(text)
    inner = fenced.group(1).strip() if fenced else text
    if inner[:1] not in ("{", "["):
        return text
    try:
        parsed = json.loads(inner, strict=False)
    except (ValueError, RecursionError):
        cut = _CUT_ENVELOPE.match(inner)
        return _unescaped(cut.group(1)) if cut else text
    if _is_tool_call(parsed):
        return ""
    words = _envelope_words(parsed)
    return text if words is None else words.strip()


def _envelope_words(parsed: object) -> str | None:
    if not isinstance(parsed, dict) or not set(parsed) <= _BESIDE_KEYS:
        return None
    return next((parsed[key] for key in _REPLY_KEYS if isinstance(parsed.get(key), str)), None)


def _is_tool_call(parsed: object) -> bool:
    calls = parsed if isinstance(parsed, list) else [parsed]
    return bool(calls) and all(
        isinstance(call, dict)
        and isinstance(call.get("name") or call.get("tool") or call.get("function"), str | dict)
        and bool(
            {"arguments", "parameters", "args", "tool_input", "input"} & set(call)
            or isinstance(call.get("function"), dict)
        )
        for call in calls
    )


def _unescaped(fragment: str) -> str:
    """The text of a JSON string that was cut off, without an escape that was cut in two."""
    whole = regex.sub(r"\\(?:u[0-9a-fA-F]{0,3})?\Z", "", fragment)
    try:
        text = json.loads(f'"{whole}"', strict=False)
    except ValueError:
        return whole
    return str(text)
