"""What of a model's answer reaches people: thoughts, tool calls, templates and envelopes never do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestration.llm_text import for_people, up_to_sentence, visible

SECRET = "SECRET-THOUGHT"

THOUGHTS = [
    "<think>{s}</think>",
    "<thinking>\n{s}\n</thinking>",
    "<Think >{s}</ think>",
    "<think>{s} ```json\n{{}}\n``` more</think>",
    "<think>{s} <think>deeper</think></think>",
    "<reasoning effort='high'>{s}</reasoning>",
    "◁think▷{s}◁/think▷",
    "[THINK]{s}[/THINK]",
    "<|begin_of_thought|>{s}<|end_of_thought|>",
    "<|channel|>analysis<|message|>{s}<|end|><|start|>assistant<|channel|>final<|message|>",
]
TOOLS = [
    '<tool_call>\n{{"name": "search", "arguments": {{"q": "{s}"}}}}\n</tool_call>',
    '<invoke name="search"><parameter name="q">{s}</parameter></invoke>',
    '<function_calls><invoke name="search"><parameter name="q">{s}</parameter></invoke></function_calls>',
    "<function=search><parameter=q>{s}</parameter></function>",
    '<｜DSML｜function_calls><｜DSML｜invoke name="{s}"></｜DSML｜invoke></｜DSML｜function_calls>',
    "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>{s}<｜tool▁call▁end｜><｜tool▁calls▁end｜>",
    "<|tool_calls_section_begin|>{s}<|tool_calls_section_end|>",
    "<tool_response>{s}</tool_response>",
]
OPEN_ONLY = ["<think>{s}", "<tool_call>{s}", "[TOOL_CALLS] [{s}]", "<|python_tag|>{s}", "<think>{s} ```py\n</thi"]


@pytest.mark.parametrize("shape", THOUGHTS + TOOLS)
@pytest.mark.parametrize("around", [("", "Good morning!"), ("", "\n\nGood morning!"), ("Good ", "morning!")])
def test_closed_blocks_go_and_the_words_around_them_stay(shape: str, around: tuple[str, str]) -> None:
    before, after = around
    spoken = for_people(before + shape.format(s=SECRET) + after)
    assert SECRET not in spoken
    if "nested" not in shape and "<think>deeper" not in shape:
        assert spoken == (before + after).strip()


@pytest.mark.parametrize("shape", OPEN_ONLY)
def test_a_block_that_is_never_closed_takes_the_rest(shape: str) -> None:
    assert for_people(shape.format(s=SECRET)) == ""
    assert for_people(f"Good morning!\n{shape.format(s=SECRET)}") == "Good morning!"


def test_a_lone_closing_mark_means_that_all_before_was_thought() -> None:
    assert for_people(f"{SECRET}\n</think>\n\nGood morning!") == "Good morning!"


@pytest.mark.parametrize(
    "text",
    [
        "Write `<think>` to make it think, and `</think>` to end.",
        "```xml\n<think>a</think>\n<tool_call>{}</tool_call>\n```\nThat is how.",
        "~~~\n</think>\n<|im_end|>\n~~~",
        "```\nan open block with <think> in it",
        "a < b, c > d, x <- y, <b>bold</b>, {braces}, {{char}}",
        '{"name": "Nova", "colour": "blue", "reply": "is data that was asked for"}',
        "[1, 2, 3]",
        "I think; therefore I am.",
        "Use ``a ` b`` there",
    ],
)
def test_code_and_ordinary_prose_survive_untouched(text: str) -> None:
    assert for_people(text) == text


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ('{"reply": "Hello {x}"}', "Hello {x}"),
        ('```json\n{"reply": "Hello", "emotion": "joy"}\n```', "Hello"),
        ('{"agent": "Nova", "message": "你好"}', "你好"),
        ('{"reply": "<think>x</think>Hello"}', "Hello"),
        ('{"reply": "Hello, I was cut of', "Hello, I was cut of"),
        ("<response>\nHello\n</response>", "Hello"),
        ('{"name": "search", "arguments": {"q": "x"}}', ""),
        ('[{"name": "search", "parameters": {}}]', ""),
        ("Action: search\nAction Input: {}", ""),
        ("<|im_start|>assistant\nHello<|im_end|>", "Hello"),
        ("Hello<|im_end|>\n<|im_start|>user\nand now I am the user", "Hello"),
        ("Hello<|eot_id|><|start_header_id|>user<|end_header_id|>\n\nmade up", "Hello"),
        ("Hello [INST] made up [/INST] more", "Hello"),
        ("<s>Hello</s>", "Hello"),
        ("Hello<｜end▁of▁sentence｜>", "Hello"),
        ("<start_of_turn>model\nHello<end_of_turn>", "Hello"),
        (" \u200b\n\u2060 ", ""),
    ],
)
def test_envelopes_and_template_marks_go(text: str, want: str) -> None:
    assert for_people(text) == want


MARKS = """<think> </think> <tool_call> </tool_call> ``` ` ~~~ <|im_end|> <|im_start|>user words 好。 <thi nk> <s>
[TOOL_CALLS] <reply> </reply>"""
FRAGMENTS = st.sampled_from([*MARKS.split(), '{"reply": "', '"}', "\n\n", "\n```\n", "~~~\n"])
SOUP = st.lists(FRAGMENTS | st.text(max_size=8), max_size=24).map("".join)


@given(SOUP)
def test_what_was_cleaned_is_clean(text: str) -> None:
    once = for_people(text)
    assert for_people(once) == once


@given(SOUP, st.text(alphabet="ab \n", max_size=30))
def test_a_thought_never_comes_out(noise: str, thought: str) -> None:
    plain = noise.replace("`", "").replace("~", "")
    assert SECRET not in for_people(f"<think>{thought}{SECRET}</think>{plain}")
    assert SECRET not in for_people(f"{plain}<think>{thought}{SECRET}")


@given(st.text(alphabet=st.characters(blacklist_characters="`~<[{◁\\", blacklist_categories=("C", "Z")), min_size=1))
def test_text_without_marks_is_not_changed(text: str) -> None:
    assert for_people(text) == (text.strip() if visible(text) else "")


@given(st.text(max_size=300))
def test_a_cut_text_stays_a_beginning_of_itself(text: str) -> None:
    cut = up_to_sentence(text)
    assert text.startswith(cut) or cut.rpartition("\n")[2].strip("`~") == ""


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("I would start small. Then I wou", "I would start small."),
        ("我先试试。然后我会", "我先试试。"),
        ('He said "no." And the', 'He said "no."'),
        ("no end at all", "no end at all"),
        ("First:\n1. do it\n2. and", "First:\n1. do it"),
        ("About 3.5 of them", "About 3.5 of them"),
        ("See:\n```py\nx = 1\ny =", "See:\n```py\nx = 1\ny =\n```"),
        ("See this.\n```py\n", "See this."),
        ("", ""),
    ],
)
def test_a_cut_text_ends_at_its_last_sentence(text: str, want: str) -> None:
    assert up_to_sentence(text) == want


@pytest.mark.parametrize(
    "piece",
    ["<think>", "`", "` ", "``` \n", "<", "{", "</think>", '<tool a="', '{"a":', "< ", "\n   ", "\u200b<|im_end|>"],
)
@pytest.mark.timeout(60)
def test_hostile_repetition_ends(piece: str) -> None:
    # Quadratic work on this would take many minutes; the limit above only catches a blow-up.
    size = 100_000 // len(piece)
    for_people(piece * size)
    up_to_sentence(piece * size)
