"""How a routing decision is judged against a labelled case, and how many of a set were right."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
OWN = HERE / "own_cases.jsonl"
SHARED = HERE.parents[2] / "shared" / "eval" / "routing" / "dev.jsonl"
CAP = 3

Row = dict[str, Any]


def own_cases() -> list[Row]:
    """Our own labelled cases, each with its whole cast; casts, names and words are not those of the shared set."""
    casts = json.loads((HERE / "own_casts.json").read_text("utf-8"))
    rows = read(OWN)
    return [{**row, "cast": casts[row["cast"]]} for row in rows]


def read(path: Path) -> list[Row]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def cases() -> tuple[str, list[Row]]:
    """The shared development set where it is there, our own cases otherwise; doubtful labels are left out."""
    if SHARED.exists():
        return "development set", [row for row in read(SHARED) if not row.get("ambiguous")]
    return "own cases", own_cases()


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """``who``: silence or the right agents, in order, within the cap; ``mode`` and ``all`` build on it."""

    who: bool
    mode: bool
    all: bool
    over: bool
    by_rules: bool
    wants_silence: bool


def judge(row: Row, prediction: Row) -> Verdict:
    wanted = row["expected"]
    agents = list(prediction["agents"]) if prediction["respond"] else []
    by_rules = prediction["decided_by"] == "rules"
    if prediction["clarify"]:
        fine = bool(wanted.get("clarify_ok"))
        return _verdict(
            wanted, who=fine, mode=fine, intent=fine, over=not fine and not wanted["respond"], rules=by_rules
        )
    if not wanted["respond"]:
        silent = not prediction["respond"] and not agents
        return _verdict(wanted, who=silent, mode=silent, intent=silent, over=not silent, rules=by_rules)
    who = _right_agents(wanted, agents, {card["id"] for card in row["cast"]})
    mode = "single" if len(agents) == 1 else prediction["mode"]
    right_mode = mode in wanted["modes"]
    right_intent = not wanted["intents"] or prediction["intent"] in wanted["intents"]
    over = len(agents) > wanted["max_agents"]
    return _verdict(wanted, who=who, mode=right_mode, intent=right_intent, over=over, rules=by_rules)


def _verdict(wanted: Row, *, who: bool, mode: bool, intent: bool, over: bool, rules: bool) -> Verdict:
    return Verdict(
        who=who,
        mode=who and mode,
        all=who and mode and intent,
        over=over,
        by_rules=rules,
        wants_silence=not wanted["respond"],
    )


def _right_agents(wanted: Row, agents: list[str], cast: set[str]) -> bool:
    order = wanted.get("order")
    return (
        wanted["min_agents"] <= len(agents) <= wanted["max_agents"]
        and len(set(agents)) == len(agents)
        and set(agents) <= cast
        and set(wanted["must_include"]) <= set(agents)
        and not set(wanted["must_exclude"]) & set(agents)
        and (not order or [a for a in agents if a in order] == order)
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Rates:
    """Shares of a set of verdicts, 0..1; ``precision`` and ``over`` are None where nothing was to be counted."""

    cases: int
    all: float
    mode: float
    who: float
    coverage: float
    precision: float | None
    over: float | None


def rates(verdicts: Iterable[Verdict]) -> Rates:
    rows = list(verdicts)
    rules = [v for v in rows if v.by_rules]
    quiet = [v for v in rows if v.wants_silence]
    return Rates(
        cases=len(rows),
        all=_share(v.all for v in rows) or 0.0,
        mode=_share(v.mode for v in rows) or 0.0,
        who=_share(v.who for v in rows) or 0.0,
        coverage=len(rules) / max(1, len(rows)),
        precision=_share(v.who for v in rules),
        over=_share(v.over for v in quiet),
    )


def _share(hits: Iterable[bool]) -> float | None:
    found = list(hits)
    return sum(found) / len(found) if found else None


def keyword_baseline(row: Row) -> Row:
    """A plain keyword router: names anywhere, else plural words, else the first of the cast."""
    text = row["message"]["text"]
    cast = row["cast"]
    named = [c["id"] for c in cast if c["name"].lower() in text.lower()][:CAP]
    plural = any(word in text for word in ("你们", "大家", "一起", "分别", "都说", "怎么看", "意见"))
    agents = named or [c["id"] for c in cast[: CAP if plural else 1]]
    intent = "direct_mention" if named else "group_opinion" if plural else "casual_chat"
    return {
        "id": row["id"],
        "respond": True,
        "agents": agents,
        "mode": "single" if len(agents) == 1 else "multi_serial",
        "intent": intent,
        "clarify": False,
        "decided_by": "rules",
    }
