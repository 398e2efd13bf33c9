"""`/why` in sentences: how a turn came to its answer. Pure; names and words of people and agents are data."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from orchestration.decisions import Candidate, DecidedBy, IntentKind, ReplyMode, RouteDecision
from orchestration.model import AgentCard, Authorship, Message, MessageKind, OutboxItem, OutboxKind, Usage
from orchestration.monospace import one_line, pad, wrapped
from orchestration.texts import has, text
from orchestration.turns import Selected, TurnRecord, TurnStatus

MAX_CANDIDATES = 8
NAME_COLUMNS = 20


def why(
    turn: TurnRecord,
    messages: Sequence[Message],
    cast: Iterable[AgentCard],
    items: Sequence[OutboxItem],
    *,
    locale: str,
) -> str:
    """The turn told in lines of at most 80 columns (names and words are cut to fit).

    ``messages`` are those of the turn that are at hand, humans' and agents'; ``items`` its outbox in order.
    """
    page = _Page(locale=locale, names={card.id: card.name for card in cast} | _signed(messages))
    lines = [page.head(turn), *page.question(messages)]
    if turn.intent is not None or turn.decided_by is not None:
        lines += page.decision(turn.intent, turn.confidence, turn.decided_by, turn.reason)
        if turn.mode is not None and len(turn.selection) > 1:
            lines.append(page.mode(turn.mode))
        lines += page.selection(turn.selection, silent=turn.status is TurnStatus.SILENT)
        lines += page.considered(turn.candidates)
    for item in items:
        lines += page.posted(item, messages)
    lines += page.account(turn)
    return "\n".join(piece for line in lines if line for piece in wrapped(line))


def would(decision: RouteDecision, cast: Iterable[AgentCard], *, model: bool, locale: str) -> str:
    """What `/route` tells: who would answer, as far as it can be known without asking anybody.

    ``model``: whether there is a router model that would be asked where the rules are not sure.
    """
    page = _Page(locale=locale, names={card.id: card.name for card in cast})
    lines = page.decision(decision.intent, decision.confidence, decision.decided_by, decision.reason)
    if decision.clarify:
        names = [page.name(candidate.agent_id) for candidate in decision.candidates[:MAX_CANDIDATES]]
        lines.append(page.say("route_asks", names=", ".join(names)))
    elif not decision.respond:
        lines += page.selection((), silent=True)
    else:
        if len(decision.agent_ids) > 1:
            lines.append(page.mode(decision.mode))
        reasons = {candidate.agent_id: candidate.reason for candidate in decision.candidates}
        chosen = [Selected(agent_id=a, reason=reasons.get(a, decision.reason)) for a in decision.agent_ids]
        lines += page.selection(chosen, silent=False)
    lines += page.considered(decision.candidates)
    if not decision.sure and model:
        lines.append(page.say("route_model"))
    return "\n".join(piece for line in lines for piece in wrapped(line))


def reason(locale: str, code: str) -> str:
    """The sentence for a reason code; a code nobody wrote a sentence for is shown as it is."""
    return _coded(locale, "reason", code)


def duration(locale: str, ms: float) -> str:
    """``340 ms`` or ``2.3 s``."""
    return text(locale, "why_ms", ms=round(ms)) if ms < 1000 else text(locale, "why_s", s=f"{ms / 1000:.1f}")


def tokens(locale: str, usage: Usage) -> str:
    """``210 + 48 tokens (estimated) · $0.0012``; empty when nothing was spent."""
    if not (usage.prompt_tokens or usage.completion_tokens):
        return ""
    said = text(locale, "why_tokens", prompt=usage.prompt_tokens, completion=usage.completion_tokens)
    if usage.estimated:
        said += text(locale, "why_estimated")
    return f"{said} · {money(usage.cost)}" if usage.cost else said


def money(cost: float) -> str:
    return f"${cost:.4f}" if cost >= 0.0001 else f"${cost:.2g}"


def _signed(messages: Iterable[Message]) -> dict[str, str]:
    """Names under which agents spoke: right also for an agent that is gone or was renamed since."""
    return {m.agent_id: m.author.name for m in messages if m.agent_id is not None}


def _coded(locale: str, area: str, code: str) -> str:
    """A sentence for a code made from data, with the code itself where there is none."""
    known = f"{area}_{code}"
    return text(locale, known) if code and has(locale, known) else one_line(code.replace("_", " "), 40)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Page:
    """The language and the names that every line of one explanation needs."""

    locale: str
    names: dict[str, str]

    def say(self, code: str, **values: object) -> str:
        return text(self.locale, code, **values)

    def name(self, agent_id: str | None) -> str:
        return one_line(self.names.get(agent_id or "", agent_id or "?"), NAME_COLUMNS)

    def head(self, turn: TurnRecord) -> str:
        parts = [self.say("why_turn", seq=turn.seq), self.say(f"why_status_{turn.status}")]
        if turn.finished_at is not None:
            parts.append(duration(self.locale, _ms(turn.created_at, turn.finished_at)))
        return " · ".join(parts)

    def question(self, messages: Sequence[Message]) -> list[str]:
        return [
            self.say("why_question", person=one_line(m.author.name, NAME_COLUMNS), words=one_line(m.text, 44))
            for m in messages
            if m.kind is MessageKind.HUMAN
        ][:3]

    def decision(
        self, intent: IntentKind | None, confidence: float | None, decided_by: DecidedBy | None, why_so: str
    ) -> list[str]:
        sure = "" if confidence is None else self.say("why_confidence", percent=round(confidence * 100))
        lines = [self.say("why_intent", intent=_coded(self.locale, "intent", intent or "unknown"), sure=sure)]
        if decided_by is not None:
            lines.append(self.say("why_decided", who=_coded(self.locale, "decided", decided_by)))
        if why_so:
            lines.append(self.say("why_reason", reason=reason(self.locale, why_so)))
        return lines

    def mode(self, mode: ReplyMode) -> str:
        return self.say("why_mode", mode=_coded(self.locale, "mode", mode))

    def selection(self, selection: Sequence[Selected], *, silent: bool) -> list[str]:
        if not selection:
            return [self.say("why_nobody")] if silent else []
        return [
            self.say("why_chosen", name=self.name(chosen.agent_id), reason=reason(self.locale, chosen.reason))
            for chosen in selection
        ]

    def considered(self, candidates: Sequence[Candidate]) -> list[str]:
        if not candidates:
            return []
        best = sorted(candidates, key=lambda c: -c.score)[:MAX_CANDIDATES]
        rows = [
            f"  {pad(self.name(c.agent_id), NAME_COLUMNS)} {c.score:4.2f}  {reason(self.locale, c.reason)}".rstrip()
            for c in best
        ]
        return [self.say("why_considered"), *rows]

    def posted(self, item: OutboxItem, messages: Sequence[Message]) -> list[str]:
        state = self.say(f"why_state_{item.state}")
        if item.kind is not OutboxKind.REPLY:
            return [self.say(f"why_item_{item.kind}", state=state)]
        lines = [self.say("why_reply", n=item.idx + 1, name=self.name(item.agent_id), state=state)]
        said = next((m for m in messages if item.message_seq is not None and m.seq == item.message_seq), None)
        if said is not None and said.authorship is not None:
            lines += [f"  {line}" for line in self.authorship(said.authorship)]
        return lines

    def authorship(self, made: Authorship) -> list[str]:
        lines = []
        if made.quality is not None or made.quality_issues:
            lines.append(self.quality(made))
        if made.model or made.provider:
            where = " · ".join(one_line(part, 24) for part in (made.provider, made.wire_api) if part)
            lines.append(self.say("why_model", model=one_line(made.model or "?", 34), where=where))
        spent = [tokens(self.locale, made.usage), duration(self.locale, made.ms) if made.ms else ""]
        lines.append(" · ".join(part for part in spent if part))
        return [line for line in lines if line]

    def quality(self, made: Authorship) -> str:
        score = "–" if made.quality is None else f"{made.quality:.2f}"
        issues = [_coded(self.locale, "issue", code) for code in made.quality_issues]
        said = ", ".join(issues) if issues else self.say("why_no_issues")
        revised = self.say("why_revisions", count=made.revisions) if made.revisions else ""
        return one_line(self.say("why_quality", score=score, issues=said) + revised, 76)

    def account(self, turn: TurnRecord) -> list[str]:
        """What went wrong and was stood in for, and what the turn took in all."""
        lines = [self.say("why_regenerates")] if turn.regenerates is not None else []
        lines += [self.say("why_stood_in", what=stood_in(self.locale, code, self.names)) for code in turn.degradation]
        if turn.stop is not None:
            lines.append(self.say(f"why_stop_{turn.stop}"))
        if turn.error:
            lines.append(self.say("why_error", error=failure(self.locale, turn.error)))
        if turn.usage.calls:
            spent = tokens(self.locale, turn.usage)
            lines.append(self.say("why_total", calls=turn.usage.calls, spent=f" · {spent}" if spent else ""))
        if turn.started_at is not None:
            waited = duration(self.locale, _ms(turn.created_at, turn.started_at))
            lines.append(self.say("why_waited", waited=waited))
        return lines


def failure(locale: str, code: str) -> str:
    """What failed, in words: a failure, or an objection to a draft."""
    area = "failure" if has(locale, f"failure_{code}") else "issue"
    return _coded(locale, area, code)


def stood_in(locale: str, code: str, names: Mapping[str, str]) -> str:
    """``reply:ada:model_empty`` as ``a reply is missing: Ada (the model gave an empty answer)``."""
    place, *rest = code.split(":")
    said = _coded(locale, "degraded", place)
    if len(rest) > 1:
        name = one_line(names.get(rest[0], rest[0]), NAME_COLUMNS)
        said = text(locale, "why_stood_in_agent", what=said, name=name)
    return text(locale, "why_stood_in_cause", what=said, cause=failure(locale, rest[-1])) if rest else said


def _ms(start: datetime, end: datetime) -> float:
    return max(0.0, (end - start).total_seconds() * 1000)
