"""The one short call that asks a model for intent and selection together, where the rules are not sure.

Agents travel as codes (a1..a8) and intents as two letters, because every token of the answer costs time. What comes
back is untrusted: codes and names are looked up in the cast, numbers are clamped, and an answer that names nobody we
know leaves the rules' decision standing, marked as a fallback.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from pydantic import BaseModel, ConfigDict, Field, model_validator

from orchestration.card_rules import name_key
from orchestration.decisions import Candidate, DecidedBy, IntentKind, ReplyMode, RouteDecision
from orchestration.model import MAX_AGENTS_A_TURN, AgentCard, Locale
from orchestration.ports import PromptMessage
from orchestration.prompts import prompt_text
from orchestration.prompts.frame import excerpt, is_reserved, speech, spoken_name
from orchestration.routing.inputs import RecentLine, RouteInput

RECENT_LINES = 8
LINE_TOKENS = 60
WORDS_TOKENS = 400
ABOUT_TOKENS = 24
PAUSE_MINUTES = 20
"""A silence as long as this is told: what was said before it is another talk."""
MAX_TOKENS = 40
"""What the answer may take; `{"intent":"go","agents":["a1","a2","a3"],"mode":"q","sure":80}` takes about 30."""

REASON_MODEL = "router_model"
REASON_SILENCE = "router_silence"

_INTENTS = {
    "dm": IntentKind.DIRECT_MENTION,
    "go": IntentKind.GROUP_OPINION,
    "es": IntentKind.EMOTIONAL_SUPPORT,
    "pl": IntentKind.PLANNING,
    "rp": IntentKind.ROLEPLAY,
    "cc": IntentKind.CASUAL_CHAT,
    "cr": IntentKind.CONFLICT_REPAIR,
    "mp": IntentKind.MEMORY_OR_PREFERENCE,
    "un": IntentKind.UNKNOWN,
}
_MODES = {
    **dict.fromkeys(("s", "single", "one", "solo"), ReplyMode.SINGLE),
    **dict.fromkeys(("q", "serial", "multi_serial", "queue", "sequential", "series"), ReplyMode.SERIAL),
    **dict.fromkeys(("p", "parallel", "multi_parallel", "all", "concurrent"), ReplyMode.PARALLEL),
}
_SURE_WORDS = {"high": 85, "sure": 85, "medium": 65, "low": 40, "unsure": 40}
_FIELDS = {
    "intent": ("intent", "i", "intent_kind", "kind"),
    "agents": ("agents", "a", "agent", "agent_ids", "agent_id", "speakers", "names", "selected", "targets", "who"),
    "mode": ("mode", "m", "reply_mode"),
    "sure": ("sure", "c", "s", "confidence", "certainty", "score"),
}
_SILENT = frozenset({"", "none", "nobody", "no one", "null", "[]", "silence", "silent", "无", "没有", "不回复"})


class RouterAnswer(BaseModel):
    """Who answers."""

    # The docstring travels in the schema, so it is short. Known keys are read under any of their names, ``agents`` are
    # codes or names as the model wrote them, at most eight (`to_decision` checks them), ``sure`` is 0..100.

    model_config = ConfigDict(extra="ignore")

    intent: str = "un"
    agents: list[str] = Field(default_factory=list)
    mode: str = "s"
    sure: int = 70

    @model_validator(mode="before")
    @classmethod
    def _tolerate(cls, data: object) -> object:
        if not isinstance(data, Mapping):
            return data
        said = {str(key).strip().casefold(): value for key, value in data.items()}
        if not any(name in said for name in _FIELDS["agents"]) and not _declines(said):
            raise ValueError("no agents in the answer")
        found = {field: next((said[name] for name in names if name in said), None) for field, names in _FIELDS.items()}
        return {
            "intent": _word(found["intent"], "un"),
            "agents": [] if _declines(said) else _names(found["agents"]),
            "mode": _word(found["mode"], "s"),
            "sure": _percent(found["sure"]),
        }


def _declines(said: Mapping[str, object]) -> bool:
    return said.get("respond") is False or said.get("reply") is False or said.get("silent") is True


def _word(value: object, otherwise: str) -> str:
    return value.strip().casefold()[:40] if isinstance(value, str) and value.strip() else otherwise


def _names(value: object) -> list[str]:
    if isinstance(value, str):
        value = re.split(r"[,;、，]\s*", value[:400])
    if isinstance(value, Mapping):
        value = [value]
    if not isinstance(value, Sequence):
        return []
    names = []
    for item in value[:24]:
        if isinstance(item, Mapping):
            item = next((item[key] for key in ("code", "id", "agent_id", "agent", "name") if key in item), "")
        if isinstance(item, str) and name_key(item) not in _SILENT:
            names.append(item.strip()[:100])
    return names[: MAX_AGENTS_A_TURN + 2]


def _percent(value: object) -> int:
    """0..1 and 0..100, also as text and as a word; 70 when it is neither."""
    if isinstance(value, str):
        bare = value.strip().rstrip("%").strip().casefold()
        if bare in _SURE_WORDS:
            return _SURE_WORDS[bare]
        try:
            value = float(bare) / (100 if value.strip().endswith("%") else 1)
        except ValueError:
            return 70
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        return 70
    share = value if 0 <= value <= 1 else value / 100
    return round(min(max(share, 0.0), 1.0) * 100)


# ---------------------------------------------------------------------------------------------- the prompt


def router_prompt(
    locale: Locale, inputs: RouteInput, candidates: Sequence[Candidate] = ()
) -> tuple[PromptMessage, ...]:
    """System: the task and the cast with its codes (the same for every message of a chat). User: recent lines and how
    long ago they were, whom the message replies to, what the rules would guess, and the message itself, last.
    """
    coded = _coded(inputs.cast)
    names = _names_taken(coded)
    about = "\n".join(f"{code}: {_about(card, locale)}" for code, card in coded.items())
    rules = prompt_text(locale, "router_rules", cap=_cap(inputs.agents_max))
    system = f"{rules}\n{prompt_text(locale, 'router_codes')}\n{about}"
    rows = []
    if inputs.recent:
        rows.append(prompt_text(locale, "router_chat"))
        rows += [_line(line, coded, names, locale) for line in inputs.recent[-RECENT_LINES:]]
        if (minutes := inputs.recent[-1].minutes_ago) >= PAUSE_MINUTES:
            rows.append(prompt_text(locale, "router_pause", minutes=round(minutes)))
    if reply := _replied_to(inputs, coded, locale):
        rows.append(reply)
    if guess := _guess(candidates, coded):
        rows.append(prompt_text(locale, "router_hint", codes=guess))
    rows.append(prompt_text(locale, "router_now", person=_person(inputs.speaker, names, locale)))
    rows.append(excerpt(inputs.text, WORDS_TOKENS, locale))
    return (PromptMessage(role="system", text=system), PromptMessage(role="user", text="\n".join(rows)))


def _coded(cast: Sequence[AgentCard]) -> dict[str, AgentCard]:
    """Codes by agent id, not by place in the cast: the order of the cast never matters."""
    awake = sorted((card for card in cast if not card.paused), key=lambda card: card.id)
    return {f"a{number}": card for number, card in enumerate(awake, start=1)}


def _cap(agents_max: int) -> int:
    return min(max(agents_max, 1), MAX_AGENTS_A_TURN)


def _about(card: AgentCard, locale: Locale) -> str:
    names = ", ".join(spoken_name(name, locale) for name in (card.name, *card.aliases[:4]))
    about = " ".join(excerpt(card.description or card.personality, ABOUT_TOKENS * 2, locale).split())
    return f"{names} - {about}" if about else names


def _line(line: RecentLine, coded: Mapping[str, AgentCard], names: Set[str], locale: Locale) -> str:
    code = next((code for code, card in coded.items() if card.id == line.agent_id), None)
    name = code if code is not None else _person(line.speaker, names, locale)
    return speech(name, excerpt(line.text, LINE_TOKENS, locale))


def _names_taken(coded: Mapping[str, AgentCard]) -> Set[str]:
    return set(coded) | {name_key(name) for card in coded.values() for name in (card.name, *card.aliases)}


def _person(name: str, taken: Set[str], locale: Locale) -> str:
    """A person whose name is an agent's, a code or a mark of ours is told apart from it."""
    spoken = spoken_name(name, locale)
    known = is_reserved(spoken) or name_key(spoken) in taken
    return prompt_text(locale, "person", name=spoken) if known else spoken


def _replied_to(inputs: RouteInput, coded: Mapping[str, AgentCard], locale: Locale) -> str:
    code = next((code for code, card in coded.items() if card.id == inputs.reply_to_agent), None)
    if code is not None:
        return prompt_text(locale, "router_reply", agent=code)
    return prompt_text(locale, "router_reply_human") if inputs.reply_to_human else ""


def _guess(candidates: Sequence[Candidate], coded: Mapping[str, AgentCard]) -> str:
    code_of = {card.id: code for code, card in coded.items()}
    likely = sorted(
        (one for one in candidates if one.score > 0), key=lambda candidate: (-candidate.score, candidate.agent_id)
    )
    return ",".join(dict.fromkeys(code_of[one.agent_id] for one in likely if one.agent_id in code_of))


# ---------------------------------------------------------------------------------------------- the decision


def to_decision(answer: RouterAnswer, inputs: RouteInput, rules: RouteDecision) -> RouteDecision:
    """The model's answer as a decision about this cast.

    Agents that the platform itself proved to be mentioned stay in, first. Silence is respected where nobody was
    mentioned, nor the cast as a whole. Named agents of which the cast knows none: `fallback_decision`.
    """
    known = _coded(inputs.cast)
    by_id = {card.id for card in known.values()}
    mentioned = [agent for agent in inputs.mentioned_agents if agent in by_id]
    chosen = [agent for agent in (_agent_of(said, known) for said in answer.agents) if agent is not None]
    if answer.agents and not chosen:
        return fallback_decision(rules)
    agents = tuple(dict.fromkeys([*mentioned, *chosen]))[: _cap(inputs.agents_max)]
    intent = _intent(answer.intent, rules.intent)
    confidence = answer.sure / 100
    if not agents and inputs.summons:
        return fallback_decision(rules)
    if not agents:
        return replace(_model_decision(intent, confidence, rules), reason=REASON_SILENCE)
    others = [candidate for candidate in rules.candidates if candidate.agent_id not in agents]
    candidates = (*(Candidate(agent_id=a, score=confidence, reason=REASON_MODEL) for a in agents), *others)
    return replace(
        _model_decision(intent, confidence, rules),
        respond=True,
        agent_ids=agents,
        mode=_mode(answer.mode, len(agents)),
        candidates=candidates,
        clarify=confidence < inputs.clarify_below and len(candidates) > 1,
    )


def fallback_decision(rules: RouteDecision) -> RouteDecision:
    """What stands when the router failed or named nobody we know: the rules' word, marked as such."""
    return replace(rules, decided_by=DecidedBy.FALLBACK)


def _model_decision(intent: IntentKind, confidence: float, rules: RouteDecision) -> RouteDecision:
    return RouteDecision(
        respond=False,
        agent_ids=(),
        mode=ReplyMode.SINGLE,
        intent=intent,
        confidence=confidence,
        decided_by=DecidedBy.MODEL,
        reason=REASON_MODEL,
        candidates=rules.candidates,
    )


def _agent_of(said: str, coded: Mapping[str, AgentCard]) -> str | None:
    """By code, id, name or alias; `a1: Nova`, `@Nova` and `Role: X\\_Y` are read too, parts of names never."""
    plain = name_key(said.replace("\\", "")).strip(" @[]<>()\"'`*.")
    tries = [plain, *(part.strip(" @[]<>()\"'`*.") for part in re.split(r"[:：(（]", plain, maxsplit=3))]
    for wanted in tries:
        if wanted in coded:
            return coded[wanted].id
        for card in coded.values():
            if wanted and wanted in (name_key(card.id), *(name_key(name) for name in (card.name, *card.aliases))):
                return card.id
    return None


def _intent(said: str, otherwise: IntentKind) -> IntentKind:
    if said in _INTENTS:
        return _INTENTS[said]
    spelled = said.replace(" ", "_").replace("-", "_")
    return next((kind for kind in IntentKind if kind.value == spelled), otherwise)


def _mode(said: str, agents: int) -> ReplyMode:
    if agents == 1:
        return ReplyMode.SINGLE
    mode = _MODES.get(said.replace(" ", "_").replace("-", "_"), ReplyMode.SERIAL)
    return ReplyMode.SERIAL if mode is ReplyMode.SINGLE else mode
