"""What people plainly say of themselves is found by rule; what they only ask, suppose or tell of others is not."""

from __future__ import annotations

import pytest

from orchestration.memory.guard import Refusal, admitted
from orchestration.memory.plain import plainly_said
from orchestration.memory.records import MemoryKind
from tests.unit.memory_world import ANN, NOVA, evidence, said


def found(text: str) -> list[tuple[str, str]]:
    message = said(1, ANN, text)
    kept = (admitted(one, evidence(message)) for one in plainly_said([message]))
    return [(one.kind, one.text) for one in kept if not isinstance(one, Refusal)]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("I'm allergic to peanuts", MemoryKind.FACT),
        ("I love oolong tea", MemoryKind.PREFERENCE),
        ("I can't stand coriander", MemoryKind.PREFERENCE),
        ("my favourite colour is green", MemoryKind.PREFERENCE),
        ("I live in Lisbon", MemoryKind.FACT),
        ("I just moved to Berlin", MemoryKind.FACT),
        ("my birthday is on 3 May", MemoryKind.FACT),
        ("I have two cats", MemoryKind.FACT),
        ("My sister lives in Rome", MemoryKind.RELATIONSHIP),
        ("I'll bring the tent", MemoryKind.PROMISE),
        ("I have an interview on Monday", MemoryKind.EVENT),
        ("Please don't call me Annie", MemoryKind.BOUNDARY),
        ("never mention my ex", MemoryKind.BOUNDARY),
        ("@Nova remember that I take the early train", MemoryKind.FACT),
        ("我对花生过敏", MemoryKind.FACT),
        ("我最喜欢乌龙茶", MemoryKind.PREFERENCE),
        ("我不吃香菜", MemoryKind.PREFERENCE),
        ("我住在杭州", MemoryKind.FACT),
        ("我的生日是5月3日", MemoryKind.FACT),
        ("我养了两只猫", MemoryKind.FACT),
        ("我来订餐厅", MemoryKind.PROMISE),
        ("别再叫我小安", MemoryKind.BOUNDARY),
        ("记住：我周五交报告", MemoryKind.FACT),
    ],
)
def test_plain_statements(text: str, kind: MemoryKind) -> None:
    assert [k for k, _ in found(text)] == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Do I like tea?",
        "If I were vegan I'd starve",
        "maybe I love it",
        '"I love cheese", she said',
        "> I hate mondays",
        "Ben lives in Lisbon",
        "what a day",
        "he loves tea",
        "我喜欢吃什么呢？",
        "如果我住在杭州就好了",
        "小王住在北京",
        "just kidding, I love mondays",
        "```I like code```",
    ],
)
def test_what_is_no_plain_statement(text: str) -> None:
    assert found(text) == []


def test_several_sentences_are_several_memories_and_an_address_is_left_out() -> None:
    assert found("@Nova I love tea. I live in Rome! Do you?") == [
        (MemoryKind.PREFERENCE, "I love tea."),
        (MemoryKind.FACT, "I live in Rome!"),
    ]
    assert plainly_said([said(1, NOVA, "I love stars")]) == []


def test_a_message_of_any_length_gives_few_memories() -> None:
    assert len(plainly_said([said(1, ANN, "I love tea. " * 5000)])) <= 4
