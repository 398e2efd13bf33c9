"""A message that people change after it has been read is read once more, soon, and its new words are learnt from."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from orchestration.memory.records import Outcome, Work
from tests.chats.test_memory_turns import admin_of, caller
from tests.model_server import Request
from tests.upkeep_world import codes_in, is_reading, shown, upkeep_world


def reader(words: str, fact: str) -> tuple[Callable[[Request], Any], list[Request]]:
    """A summariser that finds one fact of Ann's where it reads these words; and what it was asked."""
    asked: list[Request] = []

    def script(request: Request) -> Any:
        if not is_reading(request):
            return {"lines": []}
        asked.append(request)
        found = [seq for seq, told in shown(request).items() if words in told]
        code = codes_in(request).get("Ann", "")
        note = {"about": code, "kind": "preference", "text": fact, "quote": words}
        return {"memories": [{**note, "from": [seq]} for seq in found]}

    return script, asked


async def test_a_changed_message_that_had_given_nothing_is_read_again_once() -> None:
    script, asked = reader("oolong", "drinks oolong tea")
    async with upkeep_world(script) as world:
        told = await world.tell("Ann", "what a long strange day", "Yes.")
        await world.run(Work.REMEMBER)
        assert (len(asked), await world.memories()) == (1, [])
        for text in ("I drink oolong tea at work", "I drink oolong tea every morning"):
            await world.edit(told, text)
        assert await world.run(Work.MEND) is Outcome.DONE
        (memory,) = await world.memories()
        assert (memory.text, memory.source_seqs) == ("drinks oolong tea", (told.seq,))
        assert len(asked) == 2
        assert await world.remembered("Ann", "tea?") == ["drinks oolong tea"]
        assert await world.run(Work.MEND) is Outcome.NOTHING
        await world.run(Work.TIDY)
        assert len(asked) == 2


async def test_a_message_changed_before_it_was_read_is_read_once_and_what_was_changed_long_ago_never() -> None:
    script, asked = reader("oolong", "drinks oolong tea")
    async with upkeep_world(script) as world:
        told = await world.tell("Ann", "what a long strange day", "Yes.")
        await world.edit(told, "I drink oolong tea at work")
        await world.run(Work.MEND)
        assert len(asked) == 0
        await world.run(Work.REMEMBER)
        await world.run(Work.MEND)
        assert len(asked) == 1
        await world.edit(told, "coffee, lots of coffee")
        world.time.pass_(2 * 86_400)
        await world.run(Work.TIDY)
        assert len(asked) == 1
        assert await world.memories() == []


async def test_changes_far_apart_are_read_with_their_own_surroundings() -> None:
    script, asked = reader("oolong", "drinks oolong tea")
    async with upkeep_world(script) as world:
        first = await world.tell("Ann", "what a long strange day", "Yes.")
        for n in range(40):
            await world.tell("Ben", f"plan number {n} of mine", "Ok.")
        last = await world.tell("Ann", "and what a short strange night", "Indeed.")
        while await world.run(Work.REMEMBER) is Outcome.DONE:
            continue
        before = len(asked)
        await world.edit(first, "I drink oolong tea at work")
        await world.edit(last, "I drink oolong tea again")
        await world.run(Work.MEND)
        assert [list(shown(request)) for request in asked[before:]] == [[first.seq], [last.seq]]
        (memory,) = await world.memories()
        assert memory.source_seqs == (first.seq, last.seq)


async def test_reading_again_waits_for_a_better_day_of_the_summariser_and_rules_help_meanwhile() -> None:
    away = [False]
    script, _ = reader("oolong", "drinks oolong tea")
    async with upkeep_world(lambda request: "no JSON at all" if away[0] else script(request)) as world:
        told = await world.tell("Ann", "what a long strange day", "Yes.")
        await world.run(Work.REMEMBER)
        away[0] = True
        await world.edit(told, "I drink oolong tea at work. I live in Porto")
        assert await world.run(Work.MEND) is Outcome.MODEL
        assert await world.remembered("Ann") == ["I live in Porto"]
        assert [d for d in await world.upkeep.due(world.time()) if d.work is Work.MEND] == []
        world.time.pass_(60)
        assert [d.chat_id for d in await world.upkeep.due(world.time()) if d.work is Work.MEND] == [world.chat.id]
        away[0] = False
        assert await world.run(Work.MEND) is Outcome.DONE
        assert set(await world.remembered("Ann")) == {"I live in Porto", "drinks oolong tea"}
        world.time.pass_(86_400)
        assert [d for d in await world.upkeep.due(world.time()) if d.work is Work.MEND] == []


@pytest.mark.parametrize("wish", ["off", "forget", "group off"])
async def test_what_somebody_changes_who_wants_no_memory_is_not_read_again(wish: str) -> None:
    script, asked = reader("oolong", "drinks oolong tea")
    async with upkeep_world(script) as world:
        told = await world.tell("Ann", "what a long strange day", "Yes.")
        await world.run(Work.REMEMBER)
        memory = (await admin_of(world)).memory
        ann, admin = await caller(world, "Ann"), await caller(world, "Ann", manager=True)
        if wish == "group off":
            await memory.switch(admin, on=False, whom="group")
        elif wish == "off":
            await memory.switch(ann, on=False)
        else:
            await memory.forget(ann, "me")
        await world.edit(told, "I drink oolong tea at work")
        await world.run(Work.MEND)
        if wish == "group off":
            await memory.switch(admin, on=True, whom="group")
        if wish == "off":
            await memory.switch(ann, on=True)
        await world.run(Work.MEND)
        await world.run(Work.TIDY)
        assert len(asked) == 1
        assert await world.memories() == []
