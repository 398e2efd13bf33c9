"""`/why` and `/trace` as people read them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from orchestration.decisions import Candidate, DecidedBy, IntentKind, ReplyMode, RouteDecision
from orchestration.events import Event, EventKind, Span
from orchestration.explain import money, reason, why, would
from orchestration.model import (
    AgentCard,
    Authorship,
    Message,
    MessageKind,
    OutboxItem,
    OutboxKind,
    OutboxState,
    Person,
    Usage,
)
from orchestration.monospace import columns, cut, one_line, pad, wrapped
from orchestration.sessions import StopKind
from orchestration.trace_view import branches, trace
from orchestration.turns import Selected, TurnRecord, TurnStatus

START = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
ADA = AgentCard(id="ada", name="Ada")
BEI = AgentCard(id="贝贝", name="贝贝" * 20)
CAST = (ADA, BEI)


def a_turn() -> TurnRecord:
    return TurnRecord(
        id="turn:1:000000000007",
        chat_id=1,
        tenant_id=1,
        seq=7,
        trace_id="c0ffee0123456789",
        person_id="console:Ann",
        status=TurnStatus.FINISHED,
        message_seqs=(7,),
        intent=IntentKind.DIRECT_MENTION,
        mode=ReplyMode.SERIAL,
        confidence=0.97,
        decided_by=DecidedBy.MENTION,
        reason="mention",
        selection=(Selected(agent_id="ada", reason="mention"), Selected(agent_id="贝贝", reason="brand_new_code")),
        candidates=(
            Candidate(agent_id="贝贝", score=0.4, reason="brand_new_code"),
            Candidate(agent_id="ada", score=0.97, reason="mention"),
        ),
        degradation=("intent:model_unavailable", "reply:ada:model_empty", "graph"),
        usage=Usage(calls=3, prompt_tokens=1200, completion_tokens=80, cost=0.0021, estimated=True),
        created_at=START,
        last_line_at=START,
        started_at=START + timedelta(milliseconds=120),
        finished_at=START + timedelta(seconds=2.5),
    )


def said(seq: int, agent: AgentCard | None, words: str) -> Message:
    return Message(
        chat_id=1,
        seq=seq,
        kind=MessageKind.HUMAN if agent is None else MessageKind.AGENT,
        author=Person(id="console:Ann", name="Ann") if agent is None else Person(id=agent.id, name=agent.name),
        text=words,
        sent_at=START,
        agent_id=None if agent is None else agent.id,
        authorship=None
        if agent is None
        else Authorship(
            provider="local",
            model="SmolLM2-135M",
            wire_api="chat_completions",
            usage=Usage(calls=1, prompt_tokens=210, completion_tokens=48, estimated=True),
            ms=1900,
            quality=0.92,
            quality_issues=("too_long", "some_new_issue"),
            revisions=1,
        ),
    )


def posted(idx: int, agent: AgentCard, seq: int, state: OutboxState) -> OutboxItem:
    return OutboxItem(
        id=f"turn:1:000000000007:{idx}",
        chat_id=1,
        kind=OutboxKind.REPLY,
        text="…",
        created_at=START,
        turn_id="turn:1:000000000007",
        idx=idx,
        agent_id=agent.id,
        message_seq=seq,
        state=state,
    )


MESSAGES = [
    said(7, None, "@Ada and 贝贝, what grows in {shade}?\n\x1b[31mred" + "x" * 200),
    said(8, ADA, "Ferns."),
    said(9, BEI, "蕨"),
]
ITEMS = [posted(0, ADA, 8, OutboxState.SENT), posted(1, BEI, 9, OutboxState.UNKNOWN)]


def test_why_tells_how_the_answer_came_to_be() -> None:
    told = why(a_turn(), MESSAGES, CAST, ITEMS, locale="en")
    for fact in (
        "Turn 7",
        "answered",
        "2.5 s",
        "an agent is addressed",
        "97% sure",
        "a mention",
        "Ada",
        "0.97",
        "0.40",
        "SmolLM2-135M",
        "local",
        "chat_completions",
        "210 + 48 tokens (estimated)",
        "1.9 s",
        "quality 0.92",
        "too long",
        "revised 1x",
        "model calls 3",
        "1200 + 80 tokens (estimated) · $0.0021",
        "the model cannot be reached",
        "Ada (the model gave an empty answer)",
        "posted",
        "unknown whether it was posted",
        "Waited 120 ms",
    ):
        assert fact in told, fact


def test_codes_without_a_sentence_are_shown_as_they_are() -> None:
    assert "brand new code" in why(a_turn(), MESSAGES, CAST, ITEMS, locale="en")
    assert reason("zh", "brand_new_code") == "brand new code"


def test_the_delivery_state_unknown_is_named_in_every_language() -> None:
    for locale in ("en", "zh"):
        assert "unknown" in why(a_turn(), MESSAGES, CAST, ITEMS, locale=locale)


@pytest.mark.parametrize("locale", ["en", "zh"])
def test_everything_fits_eighty_columns_and_is_plain(locale: str) -> None:
    told = why(a_turn(), MESSAGES, CAST, ITEMS, locale=locale)
    assert max(columns(line) for line in told.splitlines()) <= 80
    assert "\x1b" not in told
    assert "{shade}" in told


def test_an_agent_that_left_keeps_the_name_it_spoke_under() -> None:
    assert "Reply 1, Ada" in why(a_turn(), MESSAGES, (), ITEMS, locale="en")


def test_silence_and_waiting_are_told_too() -> None:
    silent = replace(a_turn(), status=TurnStatus.SILENT, selection=(), candidates=(), degradation=(), usage=Usage())
    assert "Nobody speaks" in why(silent, MESSAGES[:1], CAST, [], locale="en")
    waiting = replace(silent, status=TurnStatus.QUEUED, intent=None, decided_by=None, started_at=None, finished_at=None)
    told = why(waiting, MESSAGES[:1], CAST, [], locale="en")
    assert "waits its turn" in told
    assert "Nobody speaks" not in told


def test_a_stopped_and_a_failed_turn_say_so() -> None:
    stopped = replace(a_turn(), status=TurnStatus.STOPPED, stop=StopKind.HARD)
    assert "/stop now" in why(stopped, [], CAST, [], locale="en")
    failed = replace(a_turn(), status=TurnStatus.FAILED, error="model_refused")
    assert "Failure: the model server refuses the request" in why(failed, [], CAST, [], locale="en")


@pytest.mark.parametrize("state", list(OutboxState))
@pytest.mark.parametrize("status", list(TurnStatus))
@pytest.mark.parametrize("locale", ["en", "zh"])
def test_every_state_has_words(state: OutboxState, status: TurnStatus, locale: str) -> None:
    turn = replace(a_turn(), status=status, stop=StopKind.SOFT, regenerates="turn:1:000000000003:0")
    items = [
        replace(ITEMS[0], state=state),
        replace(ITEMS[0], kind=OutboxKind.NOTICE),
        replace(ITEMS[0], kind=OutboxKind.CLARIFICATION),
    ]
    assert why(turn, MESSAGES, CAST, items, locale=locale)


def test_a_dry_run_says_who_would_speak_who_would_be_asked_and_who_would_not() -> None:
    speaks = RouteDecision(
        respond=True,
        agent_ids=("ada", "贝贝"),
        mode=ReplyMode.PARALLEL,
        intent=IntentKind.GROUP_OPINION,
        confidence=0.7,
        decided_by=DecidedBy.RULE,
        reason="plural_all",
        candidates=(Candidate(agent_id="ada", score=0.7, reason="mention"),),
    )
    told = would(speaks, CAST, model=True, locale="en")
    assert "Speaks: Ada (mentioned)" in told
    assert "each on their own" in told
    assert "the router model would be asked" in told
    assert "router model" not in would(speaks, CAST, model=False, locale="en")
    asks = replace(speaks, clarify=True, respond=False, agent_ids=(), confidence=0.4)
    assert "Would ask first whom you mean: Ada" in would(asks, CAST, model=False, locale="en")
    silent = replace(speaks, respond=False, agent_ids=(), confidence=0.9)
    assert "Nobody speaks" in would(silent, CAST, model=True, locale="en")


def test_money_is_readable_from_millionths_to_dollars() -> None:
    assert [money(v) for v in (0.0000021, 0.0012, 3.5)] == ["$2.1e-06", "$0.0012", "$3.5000"]


SPANS = (
    Span(name="turn", start_ms=0, ms=2400),
    Span(name="assess", parent="turn", start_ms=1, ms=2),
    Span(name="intent", parent="turn", start_ms=4, ms=400, detail="model 0.80"),
    Span(name="router call", parent="intent", start_ms=5, ms=390, prompt_tokens=300, completion_tokens=12, cost=0.0003),
    Span(name="write Ada", parent="turn", start_ms=410, ms=1900, prompt_tokens=210, completion_tokens=48),
)


def event(kind: EventKind, ms: float, **content: str) -> Event:
    at = START + timedelta(milliseconds=120 + ms)
    return Event(chat_id=1, seq=1, kind=kind, at=at, turn_id="t", trace_id="x", block_id="", content=dict(content))


def test_trace_draws_a_tree_with_times_and_tokens() -> None:
    events = [
        event(EventKind.INTENT_DECIDED, 400),
        event(EventKind.REPLY_DROPPED, 2000, agent_id="ada", code="model_empty"),
        event(EventKind.REPLY_POSTED, 2400, agent_id="贝贝"),
    ]
    told = trace(replace(a_turn(), spans=SPANS), events, locale="en", names={"ada": "Ada"})
    lines = told.splitlines()
    assert lines[0] == "Trace c0ffee012345 of turn 7"
    assert lines[1] == "Decided by: a mention"
    tree = [line.split("·")[0].split("█")[0].rstrip() for line in lines if line.startswith(("turn", "├", "└", "│"))]
    assert tree == ["turn", "├ assess", "├ intent model 0.80", "│ └ router call", "└ write Ada"]
    assert "390 ms  300+12 $0.0003" in told
    assert "+2.0 s reply dropped: Ada: the model gave an empty answer" in told
    assert "reply posted" in told
    assert max(columns(line) for line in lines) <= 80


def test_trace_of_a_turn_that_has_no_spans_yet() -> None:
    assert "No times" in trace(a_turn(), [], locale="en")


def test_spans_in_a_ring_or_of_unknown_parents_are_all_drawn_once() -> None:
    spans = (
        Span(name="a", parent="b", start_ms=0, ms=1),
        Span(name="b", parent="a", start_ms=0, ms=1),
        Span(name="c", parent="gone", start_ms=0, ms=0),
        Span(name="d", parent="d", start_ms=2, ms=0),
    )
    assert sorted(branch.span.name for branch in branches(spans)) == ["a", "b", "c", "d"]


def test_a_child_hangs_under_the_span_that_was_open_when_it_began() -> None:
    spans = (
        Span(name="reply", start_ms=0, ms=10),
        Span(name="reply", start_ms=20, ms=10),
        Span(name="call one", parent="reply", start_ms=1, ms=5),
        Span(name="call two", parent="reply", start_ms=21, ms=5),
    )
    assert [branch.span.name for branch in branches(spans)] == ["reply", "call one", "reply", "call two"]


def test_a_trace_of_a_thousand_spans_stays_short() -> None:
    spans = tuple(Span(name=f"s{n}", parent=f"s{n - 1}", start_ms=n, ms=1) for n in range(1000))
    assert len(trace(replace(a_turn(), spans=spans), [], locale="en").splitlines()) < 70


def test_columns_count_what_a_terminal_shows() -> None:
    assert columns("贝a") == 3
    assert columns("e\u0301\u200b") == 1
    assert cut("贝贝贝", 5) == "贝贝…"
    assert columns(pad("贝", 5)) == 5
    assert one_line("a\nb\x00\u202ec\td") == "a bc d"


def test_no_piece_begins_with_a_closing_mark_or_ends_with_an_opening_one() -> None:
    line = "第一段话，他说：“你好（真的）”。" * 30
    for width in range(8, 40):
        pieces = wrapped(line, width, indent="")
        assert "".join(pieces) == line
        assert all(columns(piece) <= width for piece in pieces)
        assert not any(piece[0] in "，。：”）" or piece[-1] in "“（" for piece in pieces)


def test_what_fits_nowhere_is_broken_all_the_same() -> None:
    assert wrapped("贝贝贝", 1, indent="") == ["贝", "贝", "贝"]
    assert wrapped("，" * 9, 4, indent="") == ["，，", "，，", "，，", "，，", "，"]


def test_wrapping_keeps_every_word() -> None:
    line = "word " * 40 + "贝" * 100
    pieces = wrapped(line)
    assert all(columns(piece) <= 80 for piece in pieces)
    assert "".join("".join(pieces).split()) == "".join(line.split())
