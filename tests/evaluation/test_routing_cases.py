"""The router on our own labelled cases, without a model and without embeddings, and the command that measures it."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from bot.evaluate import Case, decided, prediction, run
from orchestration.errors import ConfigError, ModelUnavailable
from orchestration.model import Usage
from orchestration.router_call import RouterAnswer
from tests.evaluation.judging import judge, keyword_baseline, own_cases, rates

WHO, MODE, PRECISION, COVERAGE, OVER = 0.93, 0.92, 0.985, 0.5, 0.05
CATEGORY = 0.75


def verdicts() -> dict[str, list]:
    groups: dict[str, list] = {}
    for row in own_cases():
        case = Case.model_validate(row)
        made = prediction(case.id, asyncio.run(decided(case.route_input(), None, None)))
        groups.setdefault(row["category"], []).append(judge(row, made))
    return groups


def test_the_rules_reach_what_they_promise() -> None:
    groups = verdicts()
    total = rates(v for group in groups.values() for v in group)
    assert total.who >= WHO
    assert total.mode >= MODE
    assert total.precision is not None
    assert total.precision >= PRECISION
    assert total.coverage >= COVERAGE
    assert total.over is not None
    assert total.over <= OVER
    assert {name: rates(group).mode for name, group in groups.items() if rates(group).mode < CATEGORY} == {}


def test_a_keyword_router_is_far_behind() -> None:
    assert rates(judge(row, keyword_baseline(row)) for row in own_cases()).who < 0.5


def test_there_are_cases_of_every_kind_in_many_languages() -> None:
    rows = own_cases()
    assert len(rows) >= 150
    assert len({row["category"] for row in rows}) == 25
    assert len({row["language"] for row in rows}) >= 6
    assert len({row["id"] for row in rows}) == len(rows)


async def test_the_command_writes_one_decision_per_case_in_order(tmp_path: Path) -> None:
    rows = own_cases()[:5]
    inputs, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    inputs.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), "utf-8")
    summary = await run(inputs, out, use_model=False, models=None)
    made = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    assert [p["id"] for p in made] == [row["id"] for row in rows]
    assert set(made[0]) == {"id", "respond", "agents", "mode", "intent", "clarify", "decided_by"}
    assert summary.cases == 5
    assert summary.rules + summary.semantic == 5
    assert summary.model == 0


@pytest.mark.parametrize(
    "content", ["{}\n", "not json\n", "[]\n", "[" * 100_000 + "\n", '{"id":"x","cast":[],"message":{"speaker":"a"}}\n']
)
async def test_a_line_that_is_no_case_is_named(tmp_path: Path, content: str) -> None:
    inputs = tmp_path / "in.jsonl"
    inputs.write_text(content, "utf-8")
    with pytest.raises(ConfigError, match=r"in\.jsonl:1"):
        await run(inputs, tmp_path / "out.jsonl", use_model=False, models=None)


async def test_hostile_texts_are_read_like_in_a_chat(tmp_path: Path) -> None:
    """Signs that end a line elsewhere, halves of characters and NUL, in lines that are JSON all the same."""
    row = own_cases()[0]
    said = {**row["message"], "text": "\u2028\x85 \ud800 \x00 hello"}
    inputs, out = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    plain = json.dumps({**row, "message": said}).replace("\\u2028", "\u2028").replace("\\u0085", "\x85")
    inputs.write_text("\ufeff" + plain + "\n", "utf-8")
    assert (await run(inputs, out, use_model=False, models=None)).cases == 1
    assert json.loads(out.read_text("utf-8"))["id"] == row["id"]


async def test_an_input_without_end_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="at most 100 MB"):
        await run(Path("/dev/zero"), tmp_path / "out.jsonl", use_model=False, models=None)


async def test_missing_files_are_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        await run(tmp_path / "none.jsonl", tmp_path / "out.jsonl", use_model=False, models=None)


class Router:
    """A router model that always names the second of the cast, or fails."""

    label = "scripted"

    def __init__(self, *, fails: bool = False) -> None:
        self.fails = fails
        self.asked = 0

    async def decide(self, messages: object, schema: type[RouterAnswer]) -> tuple[RouterAnswer, Usage]:
        self.asked += 1
        if self.fails:
            raise ModelUnavailable
        return schema(intent="cc", agents=["a2"], mode="s", sure=90), Usage(calls=1)


def unsure_and_sure() -> tuple[Case, Case]:
    rows = {row["category"]: row for row in own_cases()}
    return Case.model_validate(rows["expertise"]), Case.model_validate(rows["platform_mention"])


async def test_the_model_is_asked_only_for_what_is_left() -> None:
    unsure, sure = unsure_and_sure()
    router = Router()
    left = await decided(unsure.route_input(), None, router)
    assert prediction("x", left)["decided_by"] == "model"
    assert router.asked == 1
    assert prediction("x", await decided(sure.route_input(), None, router))["decided_by"] == "rules"
    assert router.asked == 1


async def test_a_failing_model_leaves_the_word_of_the_rules() -> None:
    unsure, _ = unsure_and_sure()
    alone = await decided(unsure.route_input(), None, None)
    fallen = await decided(unsure.route_input(), None, Router(fails=True))
    assert fallen.agent_ids == alone.agent_ids
    assert prediction("x", fallen)["decided_by"] == "semantic"
