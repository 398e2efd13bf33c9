"""What every storage promises: memories, cited summaries, people's rights, upkeep."""

from __future__ import annotations

from dataclasses import replace

import pytest

from orchestration.errors import StaleWrite, StorageError
from orchestration.events import EventKind
from orchestration.memory.records import PersonChoices, Relationship, SummaryLine, UpkeepState, Work
from orchestration.model import Authorship, ChatSettings, GroupChat, Memory, OutboxState, Person, Source
from orchestration.ports import Storage
from orchestration.turns import TurnStatus, turn_id_of
from tests.contracts.samples import ANN, MIRA, NOW, a_post, a_turn, filled, happened, key, later, new_chat, said

BEN = Person(id="console:Ben", name="Ben")


async def heard(storage: Storage, chat: GroupChat, *authors: Person) -> list[Source]:
    """One message of each author in turn (external ids ``h1``...); the sources they make."""
    sources = []
    async with storage.begin() as unit:
        for number, author in enumerate(authors, start=1):
            message, _ = await unit.messages.add_human(
                chat.id, said(f"words {number}", external_id=f"h{number}", author=author, sent_at=later(number))
            )
            sources.append(Source(seq=message.seq, person_id=author.id, edited_at=message.edited_at))
    return sources


def a_memory(chat: GroupChat, id: str = "m", *sources: Source, **more: object) -> Memory:
    values: dict[str, object] = dict(
        id=id,
        chat_id=chat.id,
        agent_id="nova",
        person_id=ANN.id,
        subject_id=ANN.id,
        kind="preference",
        text="likes 火锅",
        importance=5,
        confidence=0.5,
        sources=sources,
        created_at=NOW,
    )
    return Memory(**values | more)  # type: ignore[arg-type]


def a_line(chat: GroupChat, *sources: Source, **more: object) -> SummaryLine:
    values: dict[str, object] = dict(chat_id=chat.id, text="They plan a trip.", sources=sources, created_at=NOW)
    return SummaryLine(**values | more)  # type: ignore[arg-type]


async def recalled(storage: Storage, *chats: GroupChat, agent_id: str = "nova", person_id: str = ANN.id) -> list[str]:
    async with storage.read() as unit:
        found = await unit.memories.standing([c.id for c in chats], agent_id=agent_id, person_id=person_id)
    return [memory.id for memory in found]


# ------------------------------------------------------------------------------------------ memories


async def test_every_field_of_a_memory_comes_back(storage: Storage) -> None:
    chat = await new_chat(storage)
    sources = (filled(Source, seq=7), filled(Source, seq=9))
    memory = filled(Memory, chat_id=chat.id, sources=sources, vector=b"\x00\xff\x10", version=1)
    async with storage.begin() as unit:
        await unit.memories.add(memory)
        saved = await unit.memories.save(replace(memory, text="改了", sources=sources[:1]))
    assert saved == replace(memory, text="改了", sources=sources[:1], version=2)
    async with storage.read() as unit:
        assert await unit.memories.get(memory.id) == saved
        assert await unit.memories.of_chat(chat.id) == [saved]
        assert await unit.memories.get("unknown") is None
    with pytest.raises(StaleWrite):
        async with storage.begin() as unit:
            await unit.memories.save(memory)
    with pytest.raises(StorageError):
        async with storage.begin() as unit:
            await unit.memories.add(a_memory(replace(chat, id=999), "elsewhere"))


async def test_a_memory_is_recalled_by_its_owners_only(storage: Storage) -> None:
    chat, other = await new_chat(storage), await new_chat(storage, key("private"))
    (source, *_) = await heard(storage, chat, ANN)
    async with storage.begin() as unit:
        await unit.memories.add(a_memory(chat, "of Ann", source))
        await unit.memories.add(a_memory(chat, "of Ben", source, person_id=BEN.id))
        await unit.memories.add(a_memory(chat, "other agent", source, agent_id="mira"))
        await unit.memories.add(a_memory(chat, "own", source, person_id="", importance=9))
        await unit.memories.add(a_memory(chat, "group", source, agent_id="", person_id="", importance=8))
        await unit.memories.add(a_memory(chat, "old", source, superseded_by="of Ann"))
        await unit.memories.add(a_memory(other, "private"))
    assert await recalled(storage, chat) == ["own", "group", "of Ann"]
    assert await recalled(storage, other) == ["private"]
    assert set(await recalled(storage, chat, other)) == {"own", "group", "of Ann", "private"}
    assert await recalled(storage) == []
    assert await recalled(storage, chat, agent_id="mira", person_id=BEN.id) == ["group"]
    async with storage.read() as unit:
        assert await unit.memories.count(chat.id) == 5


async def test_an_edit_or_deletion_of_a_source_shakes_at_once(storage: Storage) -> None:
    chat = await new_chat(storage)
    one, two, three = await heard(storage, chat, ANN, ANN, BEN)
    async with storage.begin() as unit:
        await unit.memories.add(a_memory(chat, "a", one))
        await unit.memories.add(a_memory(chat, "b", one, two))
        await unit.memories.add(a_memory(chat, "c", three))
        await unit.summaries.add(chat.id, [a_line(chat, one), a_line(chat, two, three)])
    async with storage.begin() as unit:
        await unit.messages.edit(chat.id, "h2", text="changed", at=later(60))
    assert set(await recalled(storage, chat)) == {"a", "c"}
    async with storage.read() as unit:
        assert [m.id for m in await unit.memories.shaken(chat.id)] == ["b"]
        assert [line.number for line in await unit.summaries.standing(chat.id)] == [1]
        assert [line.number for line in await unit.summaries.shaken(chat.id)] == [2]
    async with storage.begin() as unit:
        await unit.messages.delete(chat.id, "h1", at=later(61))
        mended = await unit.messages.get(chat.id, two.seq)
        assert mended is not None
        again = await unit.memories.get("b")
        assert again is not None
        await unit.memories.save(replace(again, sources=(replace(two, edited_at=mended.edited_at),)))
    assert set(await recalled(storage, chat)) == {"b", "c"}


async def test_what_is_shaken_or_superseded_stands_in_no_list(storage: Storage) -> None:
    chat = await new_chat(storage)
    first, second = await heard(storage, chat, ANN, ANN)
    async with storage.begin() as unit:
        await unit.memories.add(a_memory(chat, "old", first, superseded_by="new"))
        await unit.memories.add(a_memory(chat, "shaken", first))
        await unit.memories.add(a_memory(chat, "new", second))
        await unit.messages.delete(chat.id, "h1", at=later(9))
    async with storage.read() as unit:
        for standing, ids in ((False, ["new", "old", "shaken"]), (True, ["new"])):
            of_chat = await unit.memories.of_chat(chat.id, standing=standing)
            of_person = await unit.memories.of_person(chat.tenant_id, ANN.id, standing=standing)
            assert sorted(m.id for m in of_chat) == ids
            assert sorted(m.id for m in of_person) == ids


async def test_a_reply_written_anew_or_taken_back_shakes_too(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        seqs = []
        for turn in ("t1", "t2"):
            reply = await unit.messages.add_agent(
                chat.id, agent=MIRA, text="I promise.", turn_id=turn, reply_to_seq=None, authorship=Authorship(), at=NOW
            )
            seqs.append(reply.seq)
            source = Source(seq=reply.seq, person_id="agent:mira")
            await unit.memories.add(a_memory(chat, turn, source, agent_id="mira", person_id=""))
    assert len(await recalled(storage, chat, agent_id="mira")) == 2
    async with storage.begin() as unit:
        await unit.messages.replace_text(chat.id, seqs[0], text="Perhaps.", authorship=Authorship(), at=later(1))
        await unit.messages.withdraw(chat.id, seqs[1], at=later(1))
    assert await recalled(storage, chat, agent_id="mira") == []


async def test_touched_and_removed(storage: Storage) -> None:
    chat = await new_chat(storage)
    (source,) = await heard(storage, chat, ANN)
    async with storage.begin() as unit:
        await unit.memories.add(a_memory(chat, "a", source))
        await unit.memories.add(a_memory(chat, "b", source))
        await unit.memories.touch(["a", "unknown"], at=later(5))
        await unit.memories.touch([], at=later(6))
        assert await unit.memories.remove(["b", "b", "unknown"]) == 1
        assert await unit.memories.remove([]) == 0
    async with storage.read() as unit:
        (left,) = await unit.memories.of_chat(chat.id)
    assert (left.id, left.used_at) == ("a", later(5))


# ------------------------------------------------------------------------------------------ summaries


async def test_lines_are_numbered_and_stand_in_order_of_their_sources(storage: Storage) -> None:
    chat = await new_chat(storage)
    one, two, three = await heard(storage, chat, ANN, BEN, ANN)
    late = a_line(chat, three, pinned=True, made_by="rule", text="at most 300 €")
    async with storage.begin() as unit:
        assert [line.number for line in await unit.summaries.add(chat.id, [late, a_line(chat, two, one)])] == [1, 2]
    async with storage.begin() as unit:
        (third,) = await unit.summaries.add(chat.id, [a_line(chat, two)])
        assert third.number == 3
        assert await unit.summaries.remove(chat.id, [3, 77]) == 1
        assert await unit.summaries.remove(chat.id, []) == 0
    async with storage.read() as unit:
        lines = await unit.summaries.standing(chat.id)
        assert [line.seqs for line in lines] == [(1, 2), (3,)]
        assert lines[1] == replace(late, number=1)
        assert len(await unit.summaries.standing(chat.id, limit=1)) == 1
        assert await unit.summaries.standing(999) == []


# ------------------------------------------------------------------------------------------ people


async def test_choices_and_relationships(storage: Storage) -> None:
    chat = await new_chat(storage)
    tenant = chat.tenant_id
    mine = PersonChoices(person_id=ANN.id, memory_off=True, forgotten_at=NOW)
    async with storage.begin() as unit:
        await unit.people.save_choices(tenant, mine)
        assert await unit.people.choices(tenant, [ANN.id, BEN.id]) == {
            ANN.id: mine,
            BEN.id: PersonChoices(person_id=BEN.id),
        }
        assert await unit.people.choices(tenant, []) == {}
        assert await unit.people.relationship(tenant, "nova", ANN.id) is None
        known = Relationship(agent_id="nova", person_id=ANN.id, exchanges=3, warmth=0.5, updated_at=NOW)
        await unit.people.save_relationship(tenant, known)
        await unit.people.save_relationship(tenant, replace(known, agent_id="ada"))
    async with storage.begin() as unit:
        stored = await unit.people.relationship(tenant, "nova", ANN.id)
        assert stored == replace(known, version=1)
        await unit.people.save_relationship(tenant, replace(stored, exchanges=4))
        assert [r.agent_id for r in await unit.people.relationships(tenant, ANN.id)] == ["ada", "nova"]
        assert await unit.people.reset_relationship(tenant, "nova", ANN.id)
        assert not await unit.people.reset_relationship(tenant, "nova", ANN.id)
    with pytest.raises(StaleWrite):
        async with storage.begin() as unit:
            await unit.people.save_relationship(tenant, replace(known, agent_id="ada"))


@pytest.mark.parametrize("texts", [False, True])
async def test_forgetting_somebody_takes_everything_of_theirs_and_nothing_else(storage: Storage, texts: bool) -> None:
    chat, second = await new_chat(storage), await new_chat(storage, key("second"))
    stranger = await new_chat(storage, key("far", tenant="other guild"))
    for place in (chat, second, stranger):
        ann, ben, _ = await heard(storage, place, ANN, BEN, BEN)
        async with storage.begin() as unit:
            name = place.key.channel_id
            await unit.messages.add_human(
                place.id, said("so", external_id="q", author=BEN, reply_to="h1", reply_text="words 1")
            )
            await unit.memories.add(a_memory(place, f"{name} of Ann", ann))
            await unit.memories.add(a_memory(place, f"{name} heard", ann, ben, agent_id="", person_id=""))
            await unit.memories.add(a_memory(place, f"{name} of Ben", ben, person_id=BEN.id, subject_id=BEN.id))
            await unit.summaries.add(place.id, [a_line(place, ann, ben), a_line(place, ben)])
            for person in (ANN, BEN):
                met = Relationship(agent_id="nova", person_id=person.id, updated_at=NOW)
                if place is not second:
                    await unit.people.save_relationship(place.tenant_id, met)
    async with storage.begin() as unit:
        gone = await unit.people.forget(chat.tenant_id, ANN.id, messages=texts, at=later(100))
    assert (gone.memories, gone.lines, gone.relationships, gone.messages) == (4, 2, 1, 2 if texts else 0)
    async with storage.read() as unit:
        for place in (chat, second):
            assert [m.person_id for m in await unit.memories.of_chat(place.id)] == [BEN.id]
            assert [line.seqs for line in await unit.summaries.standing(place.id)] == [(2,)]
            first = await unit.messages.get(place.id, 1)
            answer = await unit.messages.get(place.id, 4)
            assert first is not None
            assert answer is not None
            assert (first.text, first.deleted_at is None) == (("", False) if texts else ("words 1", True))
            assert (first.author.name, answer.reply_text) == (("–", "") if texts else ("Ann", "words 1"))
            assert answer.text == "so"
        assert len(await unit.memories.of_chat(stranger.id)) == 3
        assert len(await unit.summaries.standing(stranger.id)) == 2
        assert await unit.memories.of_person(chat.tenant_id, ANN.id) == []
        assert len(await unit.memories.of_person(stranger.tenant_id, ANN.id)) == 2
        assert len(await unit.people.relationships(chat.tenant_id, BEN.id)) == 1
        choices = (await unit.people.choices(chat.tenant_id, [ANN.id]))[ANN.id]
    assert not choices.allows(later(100))
    assert choices.allows(later(101))


async def an_exchange(storage: Storage, chat: GroupChat, who: Person, number: int, status: TurnStatus) -> None:
    """A message (h1…), its turn, MIRA's answer with its post, and the event that names the author."""
    async with storage.begin() as unit:
        asked, _ = await unit.messages.add_human(
            chat.id, said(f"{who.name} asks", external_id=f"h{number}", author=who, sent_at=later(number))
        )
        turn = a_turn(chat, asked.seq, person_id=who.id, status=status, message_seqs=(asked.seq,))
        await unit.turns.add(turn)
        await unit.messages.set_turn(chat.id, asked.seq, turn.id)
        answer = await unit.messages.add_agent(
            chat.id,
            agent=MIRA,
            text=f"to {who.name}",
            turn_id=turn.id,
            reply_to_seq=asked.seq,
            authorship=Authorship(),
            at=later(number),
        )
        post = a_post(
            chat,
            f"{turn.id}:0",
            turn_id=turn.id,
            text=answer.text,
            message_seq=answer.seq,
            state=OutboxState.SENT if turn.over else OutboxState.SENDING,
        )
        await unit.outbox.add(post)
        told = {"message_seq": asked.seq, "message_id": asked.external_id, "author": who.name}
        await unit.events.append(
            chat.id, [happened(EventKind.MESSAGE_STORED, turn_id=turn.id if number % 2 else None, content=told)]
        )
        source = Source(seq=answer.seq, person_id=f"agent:{MIRA.id}", edited_at=answer.edited_at)
        vow = dict(agent_id=MIRA.id, person_id="", subject_id=f"agent:{MIRA.id}")
        await unit.memories.add(a_memory(chat, f"vow {number}", source, **vow))
        await unit.summaries.add(chat.id, [a_line(chat, source)])


@pytest.mark.parametrize("texts", [False, True])
async def test_answers_to_the_forgotten_go_with_what_they_answer(storage: Storage, texts: bool) -> None:
    chat = await new_chat(storage)
    await an_exchange(storage, chat, ANN, 1, TurnStatus.FINISHED)
    await an_exchange(storage, chat, BEN, 2, TurnStatus.FINISHED)
    await an_exchange(storage, chat, ANN, 4, TurnStatus.RUNNING)
    async with storage.begin() as unit:
        gone = await unit.people.forget(chat.tenant_id, ANN.id, messages=texts, at=later(100))
    assert (gone.memories, gone.lines) == (2, 2)
    assert (gone.messages, gone.answers) == ((2, 1) if texts else (0, 0))
    async with storage.read() as unit:
        assert [m.id for m in await unit.memories.of_chat(chat.id)] == ["vow 2"]
        assert [line.seqs for line in await unit.summaries.standing(chat.id)] == [(4,)]
        found = [await unit.messages.get(chat.id, seq) for seq in range(1, 7)]
        posts = [item.text for seq in (1, 3, 5) for item in await unit.outbox.of_turn(turn_id_of(chat.id, seq))]
        names = [event.content["author"] for event in await unit.events.since(chat.id, 0)]
    # What is still being said is posted as it was written.
    kept = ["", "", "Ben asks", "to Ben", "", "to Ann"]
    everything = ["Ann asks", "to Ann", "Ben asks", "to Ben", "Ann asks", "to Ann"]
    assert [m.text for m in found if m is not None] == (kept if texts else everything)
    assert posts == (["", "to Ben", "to Ann"] if texts else ["to Ann", "to Ben", "to Ann"])
    assert names == (["–", "Ben", "–"] if texts else ["Ann", "Ben", "Ann"])


async def test_memories_of_others_that_name_the_forgotten_go_too(storage: Storage) -> None:
    chat, stranger = await new_chat(storage), await new_chat(storage, key("far", tenant="other guild"))
    for place in (chat, stranger):
        _, ben, _ = await heard(storage, place, ANN, BEN, BEN)
        texts = {
            "named": "“I moved in with Ann in May”",
            "word": "likes Annie's 100% cotton_shirts",
            "own": "likes tea",
        }
        async with storage.begin() as unit:
            for name, text in texts.items():
                of_ben = dict(person_id=BEN.id, subject_id=BEN.id, text=text, created_at=later(50))
                await unit.memories.add(a_memory(place, f"{place.key.channel_id} {name}", ben, **of_ben))
    async with storage.begin() as unit:
        gone = await unit.people.forget(chat.tenant_id, ANN.id, messages=False, at=later(100))
    assert gone.memories == 1
    async with storage.read() as unit:
        assert [m.id.split()[-1] for m in await unit.memories.of_chat(chat.id)] == ["own", "word"]
        assert len(await unit.memories.of_chat(stranger.id)) == 3


@pytest.mark.parametrize(("name", "other"), [("ОЛЬГА", "Ann"), ("ольга", "Ann"), ("Ａnn", "Ольга"), ("𝓐𝓷𝓷", "Ольга")])
async def test_who_is_named_in_another_spelling_is_forgotten_too(storage: Storage, name: str, other: str) -> None:
    chat = await new_chat(storage)
    them = Person(id="p:them", name=name)
    _, ben = await heard(storage, chat, them, BEN)
    async with storage.begin() as unit:
        for called in ("Ольга", "Ann"):
            text = f"“I moved in with {called} in May”"
            of_ben = dict(person_id=BEN.id, subject_id=BEN.id, text=text, created_at=later(50))
            await unit.memories.add(a_memory(chat, called, ben, **of_ben))
    async with storage.begin() as unit:
        await unit.people.forget(chat.tenant_id, them.id, messages=False, at=later(100))
    async with storage.read() as unit:
        assert [m.id for m in await unit.memories.of_chat(chat.id)] == [other]


async def test_a_newcomer_with_the_name_of_a_thing_has_no_power_over_what_was_written_of_it(storage: Storage) -> None:
    chat = await new_chat(storage)
    newcomer = Person(id="p:new", name="tea")
    ben, _ = await heard(storage, chat, BEN, newcomer)
    async with storage.begin() as unit:
        for id, at in (("before", later(1)), ("since", later(3))):
            of_ben = dict(person_id=BEN.id, subject_id=BEN.id, text="likes tea", created_at=at)
            await unit.memories.add(a_memory(chat, id, ben, **of_ben))
    async with storage.begin() as unit:
        assert (await unit.people.forget(chat.tenant_id, newcomer.id, messages=False, at=later(100))).memories == 1
    async with storage.read() as unit:
        assert [m.id for m in await unit.memories.of_chat(chat.id)] == ["before"]


async def test_forgetting_a_chat(storage: Storage) -> None:
    chat, other = await new_chat(storage), await new_chat(storage, key("other"))
    for place in (chat, other):
        (source,) = await heard(storage, place, ANN)
        async with storage.begin() as unit:
            await unit.memories.add(a_memory(place, f"m{place.id}", source))
            await unit.summaries.add(place.id, [a_line(place, source)])
    async with storage.begin() as unit:
        gone = await unit.people.forget_chat(chat.id)
    assert (gone.memories, gone.lines) == (1, 1)
    assert await recalled(storage, chat) == []
    assert await recalled(storage, other) == [f"m{other.id}"]


async def test_what_is_kept_follows_a_group_that_moves(storage: Storage) -> None:
    old, new = key("-1", tenant="-1"), key("-100", tenant="-100")
    chat = await new_chat(storage, old)
    await new_chat(storage, key("x", tenant="-100"))
    (source,) = await heard(storage, chat, ANN)
    async with storage.begin() as unit:
        await unit.memories.add(a_memory(chat, "m", source))
        await unit.people.save_choices(chat.tenant_id, PersonChoices(person_id=ANN.id, memory_off=True))
        met = Relationship(agent_id="nova", person_id=ANN.id, updated_at=NOW)
        await unit.people.save_relationship(chat.tenant_id, met)
        assert await unit.chats.rename(old, new) == 1
    async with storage.read() as unit:
        moved = await unit.chats.find(new)
        assert moved is not None
        assert (await unit.people.choices(moved.tenant_id, [ANN.id]))[ANN.id].memory_off
        assert len(await unit.people.relationships(moved.tenant_id, ANN.id)) == 1
        assert len(await unit.memories.of_person(moved.tenant_id, ANN.id)) == 1


# ------------------------------------------------------------------------------------------ upkeep


async def test_a_state_of_upkeep_comes_back_and_is_written_by_one_only(storage: Storage) -> None:
    chat = await new_chat(storage)
    async with storage.begin() as unit:
        fresh = await unit.upkeep.get(chat.id, Work.COMPACT)
        assert fresh == UpkeepState(chat_id=chat.id, work=Work.COMPACT)
        full = filled(UpkeepState, chat_id=chat.id, work=Work.COMPACT, version=0)
        saved = await unit.upkeep.save(full)
        assert saved == replace(full, version=1)
        saved = await unit.upkeep.save(replace(saved, cursor_seq=60))
    async with storage.read() as unit:
        assert await unit.upkeep.get(chat.id, Work.COMPACT) == saved
        assert await unit.upkeep.of_chat(chat.id) == [saved]
    for stale in (fresh, replace(saved, version=1)):
        with pytest.raises(StaleWrite):
            async with storage.begin() as unit:
                await unit.upkeep.save(stale)


async def test_chats_with_waiting_work_the_furthest_behind_first(storage: Storage) -> None:
    chats = [await new_chat(storage, key(f"c{n}")) for n in range(5)]
    for chat, count in zip(chats, (3, 5, 5, 1, 5), strict=True):
        await heard(storage, chat, *[ANN] * count)
    async with storage.begin() as unit:
        await unit.upkeep.save(UpkeepState(chat_id=chats[1].id, work=Work.COMPACT, cursor_seq=2))
        await unit.upkeep.save(UpkeepState(chat_id=chats[2].id, work=Work.COMPACT, not_before=later(60)))
        await unit.chats.save_settings(chats[4].id, ChatSettings(memory=False))
        await unit.chats.save_settings(chats[0].id, ChatSettings(quiet_hours="22:00-07:00"))
    async with storage.read() as unit:
        found = await unit.upkeep.behind(Work.COMPACT, by=2, now=NOW)
        assert [b.chat_id for b in found] == [chats[0].id, chats[1].id]
        assert (found[1].last_seq, found[1].cursor_seq, found[1].version) == (5, 2, 1)
        assert (found[0].quiet_hours, found[0].last_message_at) == ("22:00-07:00", later(3))
        later_on = await unit.upkeep.behind(Work.COMPACT, by=2, now=later(61), limit=1)
        assert [b.chat_id for b in later_on] == [chats[2].id]
        assert len(await unit.upkeep.behind(Work.REMEMBER, by=1, now=NOW)) == 4
        assert len(await unit.upkeep.behind(Work.TIDY, by=0, now=NOW)) == 5


async def test_what_keeps_failing_is_found(storage: Storage) -> None:
    chats = [await new_chat(storage, key(f"c{n}")) for n in range(3)]
    async with storage.begin() as unit:
        assert await unit.upkeep.newest() is None
        for chat, failures in zip(chats, (2, 3, 9), strict=True):
            state = UpkeepState(chat_id=chat.id, work=Work.COMPACT, failures=failures, last_at=later(failures))
            await unit.upkeep.save(state)
    async with storage.read() as unit:
        assert [s.chat_id for s in await unit.upkeep.failing()] == [chats[2].id, chats[1].id]
        assert len(await unit.upkeep.failing(since=1, limit=1)) == 1
        newest = await unit.upkeep.newest()
        assert newest is not None
        assert (newest.chat_id, newest.last_at) == (chats[2].id, later(9))


async def test_what_failed_is_tried_again_when_its_pause_is_over(storage: Storage) -> None:
    chats = [await new_chat(storage, key(f"c{n}")) for n in range(5)]
    pauses = [(1, later(9)), (2, later(5)), (1, later(11)), (0, later(1)), (1, None)]
    async with storage.begin() as unit:
        for chat, (failures, pause) in zip(chats, pauses, strict=True):
            state = UpkeepState(chat_id=chat.id, work=Work.MEND, failures=failures, not_before=pause)
            await unit.upkeep.save(state)
        await unit.upkeep.save(UpkeepState(chat_id=chats[3].id, work=Work.TIDY, failures=1, not_before=NOW))
    async with storage.read() as unit:
        found = await unit.upkeep.to_retry(Work.MEND, now=later(9))
        assert [s.chat_id for s in found] == [chats[1].id, chats[0].id]
        assert found[0].not_before == later(5)
        assert len(await unit.upkeep.to_retry(Work.MEND, now=later(9), limit=1)) == 1
        assert await unit.upkeep.to_retry(Work.MEND, now=later(4)) == []


async def test_tokens_of_a_day_are_reserved_and_settled(storage: Storage) -> None:
    chat = await new_chat(storage)
    tenant = chat.tenant_id
    async with storage.begin() as unit:
        assert await unit.upkeep.reserve(tenant, "2026-03-01", 60, limit=100)
        assert not await unit.upkeep.reserve(tenant, "2026-03-01", 60, limit=100)
        assert await unit.upkeep.reserve(tenant, "2026-03-02", 60, limit=100)
        await unit.upkeep.settle(tenant, "2026-03-01", -40)
        await unit.upkeep.settle(tenant, "2026-03-02", -400)
        await unit.upkeep.settle(tenant, "2026-03-03", 5)
    async with storage.read() as unit:
        assert [await unit.upkeep.spent(tenant, f"2026-03-0{d}") for d in (1, 2, 3)] == [20, 0, 0]


async def test_texts_whose_time_is_over_go_in_portions(storage: Storage) -> None:
    chat = await new_chat(storage)
    sources = await heard(storage, chat, ANN, BEN, ANN, BEN)
    async with storage.begin() as unit:
        await unit.outbox.add(a_post(chat, "o:sent", message_seq=1, text="secret"))
        await unit.outbox.add(a_post(chat, "o:open", message_seq=2, text="still to be posted"))
        await unit.outbox.mark("o:sent", OutboxState.SENT)
        await unit.memories.add(a_memory(chat, "old", sources[0]))
        await unit.memories.add(a_memory(chat, "new", sources[3]))
        assert await unit.upkeep.bury_before(chat.id, later(4), at=later(99), limit=2) == 2
    async with storage.begin() as unit:
        assert await unit.upkeep.bury_before(chat.id, later(4), at=later(99), limit=2) == 1
        assert await unit.upkeep.bury_before(chat.id, later(4), at=later(99), limit=2) == 0
    async with storage.read() as unit:
        assert [m.text for m in await unit.messages.range(chat.id, 1, 4)] == ["", "", "", "words 4"]
        texts = [item.text for i in ("o:sent", "o:open") if (item := await unit.outbox.get(i)) is not None]
    assert texts == ["", "still to be posted"]
    assert await recalled(storage, chat) == ["new"]
