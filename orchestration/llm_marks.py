"""The marks that models leave in their text and that are not for people: thoughts, tool calls, chat templates.

Collected from the templates of Qwen, DeepSeek, Kimi, GLM, Mistral/Magistral, Llama 3, Gemma, gpt-oss (harmony) and
Anthropic-style tool XML, as they were seen leaking through OpenAI-compatible servers.
"""

from __future__ import annotations

from dataclasses import dataclass

import regex

_THOUGHTS = "think|thinking|thought|thoughts|reasoning|reflection|scratchpad|inner_monologue|analysis|seed:think"
_TOOLS = (
    "tool_calls?|tool_code|tool_use|tool_response|tool_result|tool_results|tool_outputs?|use_tool|use_mcp_tool"
    "|function_calls?|function_results?|function_response|invoke|antml:function_calls|antml:invoke|minimax:tool_call"
    "|function=[\\w.:-]+|tools?=[\\w.:-]+|execute_tool|mcp_call|parameter=[\\w.:-]+"
)
# DeepSeek writes its marks with full-width bars and U+2581 for the blanks.
_BAR = r"[|｜]"
_GAP = r"[_\s▁-]?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One mark found in a text. ``kind`` is a key of the table of marks above.

    ``closer`` finds where a block that begins here ends (thought and tool).
    """

    kind: str
    start: int
    end: int
    text: str
    closer: regex.Pattern[str] | None = None


_HEADER = r"<\|start_header_id\|>\s*(?:{roles})\s*<\|end_header_id\|>"
_OTHERS = "user|system|developer|ipython|tool"

_MARKS = {
    "fence": r"^[ ]{0,3}(?:`{3,}|~{3,})",
    "inline": r"`+",
    "thought": rf"<\s*(?:{_THOUGHTS})(?:\s[^<>]{{0,200}})?\s*>"
    rf"|<{_BAR}begin{_GAP}of{_GAP}thought{_BAR}>|◁think▷|\[THINK\]"
    r"|<\|channel\|>\s*(?:analysis|commentary)[^<]{0,200}(?:<\|constrain\|>[^<]{0,50})?<\|message\|>",
    "unthought": rf"<\s*/\s*(?:{_THOUGHTS})\s*>|<{_BAR}end{_GAP}of{_GAP}thought{_BAR}>|◁/think▷|\[/THINK\]",
    "tool": rf"<\s*(?P<tool_name>(?:{_BAR}DSML{_BAR}\s*)?(?:{_TOOLS}))(?:\s[^<>]{{0,500}})?\s*>"
    rf"|<{_BAR}tool{_GAP}(?:calls?|outputs?){_GAP}(?:section{_GAP})?begin{_BAR}>"
    rf"|<\|tool_calls?\|>|<\|python_tag\|>|\[TOOL_CALLS?\]|<{_BAR}DSML{_BAR}[^<>]{{0,500}}>",
    "untool": rf"<\s*/\s*(?:{_BAR}DSML{_BAR}\s*)?(?:{_TOOLS}|function|parameter)\s*>"
    rf"|</{_BAR}DSML{_BAR}[^<>]{{0,500}}>"
    rf"|<{_BAR}tool{_GAP}(?:calls?|outputs?){_GAP}(?:section{_GAP})?end{_BAR}>|\[/TOOL_CALLS?\]",
    "role": rf"<\|im_start\|>\s*(?:{_OTHERS})\b|{_HEADER.format(roles=_OTHERS)}|<\|start\|>\s*(?:{_OTHERS})\b"
    rf"|<start_of_turn>\s*user\b|<\|(?:user|system|observation)\|>|<{_BAR}User{_BAR}>|\[INST\]|<<SYS>>",
    "end": r"<\|(?:im_end|eot_id|eom_id|endoftext|end_of_text|return|call|eot)\|>|<end_of_turn>"
    rf"|<{_BAR}end{_GAP}of{_GAP}sentence{_BAR}>|</s>(?=\s*\Z)|<eos>",
    "noise": rf"<\|im_start\|>(?:\s*assistant\b[^\S\n]*\n?)?|{_HEADER.format(roles='assistant')}\s*"
    r"|<\|start\|>\s*assistant\b|<\|channel\|>\s*final\s*<\|message\|>"
    r"|<\|(?:message|end|channel|begin_of_text|assistant|sep)\|>|<start_of_turn>\s*model\b"
    rf"|<{_BAR}Assistant{_BAR}>|<{_BAR}begin{_GAP}of{_GAP}sentence{_BAR}>|\A\s*<s>|<bos>|\[/INST\]|<</SYS>>",
}
_MARK = regex.compile(
    "|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _MARKS.items()), regex.IGNORECASE | regex.MULTILINE
)
_THOUGHT_ENDS = regex.compile(
    rf"<\s*/\s*(?:{_THOUGHTS})\s*>|<{_BAR}end{_GAP}of{_GAP}thought{_BAR}>|◁/think▷|\[/THINK\]", regex.IGNORECASE
)
_HARMONY_ENDS = regex.compile(r"<\|end\|>|(?=<\|channel\|>\s*final)|(?=<\|start\|>)|<\|call\|>", regex.IGNORECASE)
_TOOL_SECTION_ENDS = regex.compile(
    rf"<{_BAR}tool{_GAP}(?:calls?|outputs?){_GAP}(?:section{_GAP})?end{_BAR}>", regex.IGNORECASE
)
_NEVER = regex.compile(r"(?!)")


def next_mark(text: str, start: int) -> Mark | None:
    """The first mark at or after ``start``."""
    found = _MARK.search(text, start)
    if found is None:
        return None
    kind = found.lastgroup if found.lastgroup != "tool_name" else "tool"
    assert kind is not None
    return Mark(kind=kind, start=found.start(), end=found.end(), text=found.group(), closer=_closer(kind, found))


def _closer(kind: str, found: regex.Match[str]) -> regex.Pattern[str] | None:
    if kind == "thought":
        return _HARMONY_ENDS if "<|" in found.group() and "channel" in found.group() else _THOUGHT_ENDS
    if kind != "tool":
        return None
    if (name := found.group("tool_name")) is not None:
        name = name.split("=")[0]
        return regex.compile(rf"<\s*/\s*{regex.escape(name)}\s*>", regex.IGNORECASE)
    if "begin" in found.group().lower():
        return _TOOL_SECTION_ENDS
    # Marks without an end of their own: the call takes the rest of the text.
    return regex.compile(rf"</{_BAR}DSML{_BAR}[^<>]*>") if "DSML" in found.group() else _NEVER
