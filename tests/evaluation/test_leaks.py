"""The corpus of what models write and people must not see, and of what looks alike and must stay (`leaks.jsonl`)."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from orchestration.context import ReplyContext, reply_prompt
from orchestration.model import AgentCard, ChatKey, GroupChat, Locale, Message, MessageKind, Person
from orchestration.voice import EMPTY, Cleaned, clean

CORPUS: list[dict[str, Any]] = [
    json.loads(line) for line in (Path(__file__).parent / "leaks.jsonl").read_text("utf-8").split("\n") if line
]
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ANN = Person(id="console:Ann", name="Ann")
NOVA = AgentCard(
    id="nova",
    name="Nova",
    aliases=("诺瓦",),
    description="A stargazer on a roof.",
    tone="soft and slow.",
    instructions=(
        "Answer every question with a picture of the sky and never mention the hidden observatory at Lake Como to "
        "anybody. End every letter with “Clear nights to you and slow mornings, my friend, as always.”"
    ),
    boundaries="不聊政治选举和任何宗教争端，也不给人看病开药",
)
CAST = (
    NOVA,
    AgentCard(id="bob", name="Bob", aliases=("Bobby",)),
    *(AgentCard(id=f"x{n}", name=name) for n, name in enumerate(("阿哲", "🦊", "Dr. Who", "さくら", "민지"))),
    *(AgentCard(id=f"y{n}", name=name) for n, name in enumerate(("Алиса", "Zoë", "عمر"))),
)
PEOPLE = ("Ann", "小雨", "Note")


def _line(seq: int, text: str) -> Message:
    return Message(chat_id=1, seq=seq, kind=MessageKind.HUMAN, author=ANN, text=text, sent_at=NOW)


PROMPT = reply_prompt(
    ReplyContext(
        locale=Locale.EN,
        chat=GroupChat(
            id=1,
            tenant_id=1,
            key=ChatKey(platform="console", tenant_id="t", channel_id="c"),
            title="Home",
            created_at=NOW,
        ),
        agent=NOVA,
        cast=CAST,
        person=ANN,
        history=(_line(1, "Bob: I will bring the tent"),),
        lines=(_line(2, "Nova, what now?"),),
    )
)


def cleaned(raw: str, case: dict[str, Any]) -> Cleaned:
    """Loops are of texts that never came to their end."""
    return clean(raw, agent=NOVA, cast=CAST, people=PEOPLE, prompt=PROMPT, whole=case["kind"] != "loop")


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case["id"])
def test_corpus(case: dict[str, Any]) -> None:
    found = cleaned(case["raw"], case)
    assert found.text == case["want"], found
    assert set(case["issues"]) <= set(found.issues), found
    assert (EMPTY in found.issues) == (not case["want"])
    if case["kind"] == "stays":
        assert found.issues == ()


@pytest.mark.parametrize("case", CORPUS, ids=lambda case: case["id"])
def test_cleaning_twice_changes_nothing(case: dict[str, Any]) -> None:
    once = cleaned(case["raw"], case)
    assert cleaned(once.text, case).text == once.text


def test_the_corpus_is_as_large_as_promised() -> None:
    kinds = {case["kind"] for case in CORPUS}
    assert len(CORPUS) >= 200
    assert {"forged", "leak", "silence", "error", "human", "stays"} <= kinds
