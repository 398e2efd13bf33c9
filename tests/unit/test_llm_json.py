"""The tolerant reader of objects in model answers."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel, Field

from orchestration.llm_json import first_valid, instructions, strict_schema


class Inner(BaseModel):
    title: str = ""


class Route(BaseModel):
    agents: list[str] = Field(default_factory=list)
    sure: float = 0.5
    inner: Inner = Inner()


class Needed(BaseModel):
    agents: list[str]


GOOD = '{"agents": ["a1"], "sure": 0.9}'


@pytest.mark.parametrize(
    "text",
    [
        GOOD,
        f"Sure! Here it is:\n```json\n{GOOD}\n```\nHope it helps.",
        f'<think>maybe {{\'agents\': 3}} or {{"agents": ["a9"]}}</think>\n{GOOD}',
        f'thought {{"agents": ["a9"]}} </think>{GOOD}',
        f'<tool_call>\n{{"name": "route", "arguments": {GOOD}}}\n</tool_call>',
        json.dumps({"name": "route", "arguments": GOOD}),
        json.dumps({"type": "function", "function": {"name": "route", "parameters": json.loads(GOOD)}}),
        '{"agents": ["a1",], "sure": 0.9,}',
        f'{{not json}} {GOOD} {{"agents": ["a2"]}}',
        f'{{"unrelated": 1}} {GOOD}',
        '{"agents": ["a1"], "sure": 0.9, "extra": {"deep": ["}"]}}',
        '{"result": {"agents": ["a1"], "sure": 0.9}}',
        f"<answer>{GOOD}</answer>",
        "{" * 20 + GOOD,
    ],
)
def test_the_object_is_found(text: str) -> None:
    found = first_valid(text, Route)
    assert found is not None
    assert (found.agents, found.sure) == (["a1"], 0.9)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I would ask Nova.",
        "{}",
        "null",
        "[]",
        '{"other": 1}',
        '{"agents": "not a list"}',
        '{"agents": ["a1"',
        "{" * 5000,
        '{"agents":' * 5000,
        "<think>" + GOOD + "</think>",
        '{"agents": [' * 20_000,
    ],
)
def test_no_object_is_none(text: str) -> None:
    assert first_valid(text, Needed) is None


@given(st.text(max_size=200))
def test_anything_may_come(text: str) -> None:
    first_valid(text, Route)
    first_valid(text + GOOD + text, Route)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda c: st.lists(c) | st.dictionaries(st.text(), c)
    )
)
def test_any_json_may_come(value: object) -> None:
    first_valid(json.dumps(value), Route)
    found = first_valid(json.dumps({"agents": ["a1"], "extra": value}), Needed)
    assert found == Needed(agents=["a1"])


def test_strict_schema_requires_all_and_allows_nothing_else() -> None:
    schema = strict_schema(Route)
    assert schema["required"] == ["agents", "sure", "inner"]
    assert schema["additionalProperties"] is False
    assert schema["$defs"]["Inner"]["required"] == ["title"]
    assert "title" in schema["$defs"]["Inner"]["properties"]
    assert "default" not in json.dumps(schema)
    assert json.dumps(schema, separators=(",", ":")) in instructions(Route)
