"""States of sessions and turns: legal moves only."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import product

import pytest

from orchestration import sessions, turns
from orchestration.degrading import learn
from orchestration.errors import IllegalMove
from orchestration.events import EventKind
from orchestration.sessions import Session, SessionState
from orchestration.settings import TurnSettings
from orchestration.turns import TurnRecord, TurnStatus, turn_id_of

NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
SETTINGS = TurnSettings()


def record(status: TurnStatus) -> TurnRecord:
    return TurnRecord(
        id="turn:1:000000000001",
        chat_id=1,
        tenant_id=1,
        seq=1,
        trace_id="t",
        person_id="p",
        status=status,
        created_at=NOW,
        last_line_at=NOW,
    )


@pytest.mark.parametrize(("old", "new"), list(product(SessionState, SessionState)))
def test_sessions_move_by_the_table(old: SessionState, new: SessionState) -> None:
    session = Session(chat_id=1, state=old)
    if new is old or new in sessions.MOVES[old]:
        assert session.move(new, active_turn="t").state is new
    else:
        with pytest.raises(IllegalMove):
            session.move(new)


@pytest.mark.parametrize(("old", "new"), list(product(TurnStatus, TurnStatus)))
def test_turns_move_by_the_table(old: TurnStatus, new: TurnStatus) -> None:
    if new is old or new in turns.MOVES[old]:
        assert record(old).move(new).status is new
    else:
        with pytest.raises(IllegalMove):
            record(old).move(new)


def test_every_state_can_come_to_rest() -> None:
    assert all(SessionState.IDLE in sessions.MOVES[s] for s in SessionState if s is not SessionState.IDLE)
    assert {s for s in TurnStatus if not turns.MOVES[s]} == {
        TurnStatus.FINISHED,
        TurnStatus.SILENT,
        TurnStatus.STOPPED,
        TurnStatus.FAILED,
    }


def test_turn_ids_sort_like_their_numbers() -> None:
    ids = [turn_id_of(3, seq) for seq in (1, 2, 10, 999, 1000, 123_456_789)]
    assert ids == sorted(ids)


def test_failures_count_up_to_basic_mode_and_success_forgets_them() -> None:
    session, notices = Session(chat_id=1), []
    for _ in range(2):
        lesson = learn(session, TurnStatus.FAILED, "model_unavailable", NOW, SETTINGS)
        session = lesson.session
        notices.append(lesson.notice)
    assert notices == ["notice_turn_failed"] * 2
    well = learn(session, TurnStatus.FINISHED, "", NOW, SETTINGS)
    assert well.session.degradation.failed_turns == 0
    assert well.notice is None
    third = learn(session, TurnStatus.FAILED, "model_unavailable", NOW, SETTINGS)
    assert (third.notice, third.event) == ("notice_basic_mode", EventKind.DEGRADED)
    assert third.session.degradation.basic_since == NOW


def test_basic_mode_ends_with_the_first_success_after_its_time() -> None:
    session = Session(chat_id=1)
    for _ in range(3):
        session = learn(session, TurnStatus.FAILED, "x", NOW, SETTINGS).session
    early = learn(session, TurnStatus.FINISHED, "", NOW + timedelta(seconds=299), SETTINGS)
    assert (early.session, early.notice) == (session, None)
    late = learn(session, TurnStatus.FINISHED, "", NOW + timedelta(seconds=300), SETTINGS)
    assert (late.notice, late.event) == ("notice_recovered", EventKind.RECOVERED)
    assert late.session.degradation.basic_since is None


@pytest.mark.parametrize("status", [TurnStatus.SILENT, TurnStatus.STOPPED, TurnStatus.CLARIFYING])
def test_silence_stops_and_questions_teach_nothing(status: TurnStatus) -> None:
    session = learn(Session(chat_id=1), TurnStatus.FAILED, "x", NOW, SETTINGS).session
    lesson = learn(session, status, "", NOW, SETTINGS)
    assert (lesson.session, lesson.notice, lesson.event) == (session, None, None)
