"""The console adapter on its own: a real view over pipes, the storage twin, and a core that only listens."""

from __future__ import annotations

import asyncio
import json
import os
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from adapters.console.adapter import ConsoleAdapter, Seat
from adapters.console.command_desk import CommandDesk
from adapters.console.transcript import Transcript
from adapters.console.views import JsonView, PlainView
from orchestration.admin import Admin
from orchestration.cast import Casts
from orchestration.commands import Commands
from orchestration.errors import StorageUnavailable
from orchestration.events import EventKind, NewEvent
from orchestration.model import (
    AgentCard,
    ChatKey,
    GroupChat,
    IncomingMessage,
    Locale,
    OutboxItem,
    OutboxKind,
    OutboxState,
    Person,
)
from orchestration.ports import Received
from orchestration.sessions import StopKind
from orchestration.settings import TurnSettings
from orchestration.turns import TurnRecord, TurnStatus, turn_finished
from storage.memory import MemoryStorage

ADA = AgentCard(id="ada", name="Ada", emoji="🦉", aliases=("艾达",))
BO = AgentCard(id="bo-li", name="Bo Li", emoji="🥁")
LIMIT_S = 20.0


class Listening:
    """A core that stores messages and never answers."""

    def __init__(self, storage: MemoryStorage) -> None:
        self.storage = storage
        self.heard: list[IncomingMessage] = []
        self.fails: list[Exception] = []

    async def receive(self, message: IncomingMessage) -> Received:
        if self.fails:
            raise self.fails.pop(0)
        self.heard.append(message)
        async with self.storage.begin() as uow:
            chat = await uow.chats.ensure(message.chat, at=clock())
            stored, new = await uow.messages.add_human(chat.id, message)
        return Received(message=stored, turn_id=None, new=new)

    async def edited(self, chat: ChatKey, external_id: str, text: str) -> None:
        raise NotImplementedError

    async def deleted(self, chat: ChatKey, external_id: str) -> None:
        raise NotImplementedError

    async def chosen(self, chat: ChatKey, person: Person, choice_id: str) -> bool:
        raise NotImplementedError


class NoTurns:
    """Nothing runs, so nothing can be stopped."""

    async def stop(self, chat_id: int, kind: StopKind) -> bool:
        return False

    async def resume(self, chat_id: int) -> bool:
        return False

    async def regenerate(self, chat_id: int, outbox_id: str, person: Person) -> str:
        raise NotImplementedError

    async def remove(self, chat_id: int, outbox_id: str) -> None:
        raise NotImplementedError


def clock() -> datetime:
    return datetime(2026, 1, 1, tzinfo=UTC)


@dataclass(kw_only=True)
class Terminal:
    """The adapter, and the far ends of its pipes."""

    adapter: ConsoleAdapter
    core: Listening
    storage: MemoryStorage
    chat: GroupChat
    folder: Path
    stdin: int
    stdout: int
    said: bytes = b""
    running: asyncio.Task[None] = field(init=False)
    _typing: list[threading.Thread] = field(default_factory=list)

    def types(self, text: str) -> None:
        self._typing.append(threading.Thread(target=self._type, args=(text.encode(), *self._typing[-1:])))
        self._typing[-1].start()

    def _type(self, data: bytes, before: threading.Thread | None = None) -> None:
        """A pipe takes 64 kB at a time; what was typed before goes first."""
        if before is not None:
            before.join(LIMIT_S)
        view = memoryview(data)
        while view:
            view = view[os.write(self.stdin, view) :]

    async def posts(self, item: OutboxItem, agent: AgentCard | None = ADA) -> None:
        """What the dispatcher does with an item."""
        await self.adapter.deliver(self.chat, item, agent)
        async with self.storage.begin() as uow:
            await uow.outbox.mark(item.id, OutboxState.SENT)

    def sends(self, **fields: Any) -> None:
        self.types(json.dumps(fields) + "\n")

    async def hangs_up(self) -> None:
        for typing in self._typing:
            await asyncio.to_thread(typing.join, LIMIT_S)
        if self.stdin >= 0:
            os.close(self.stdin)
            self.stdin = -1

    async def ends(self) -> None:
        """End of input; the adapter comes to its own end."""
        await self.hangs_up()
        async with asyncio.timeout(LIMIT_S):
            await self.running

    async def out(self, lines: int) -> list[str]:
        """That many lines of output."""
        async with asyncio.timeout(LIMIT_S):
            while self.said.count(b"\n") < lines:
                self.said += await asyncio.to_thread(os.read, self.stdout, 65_536)
        return self.said.decode().split("\n")[:-1]

    async def objects(self, lines: int) -> list[dict[str, Any]]:
        return [json.loads(line) for line in await self.out(lines)]

    def transcript(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in (self.folder / "transcript.jsonl").read_text("utf-8").splitlines()]


@asynccontextmanager
async def terminal(
    folder: Path, storage: MemoryStorage, *, plain: bool = False, locale: Locale = Locale.EN
) -> AsyncIterator[Terminal]:
    fd_in, stdin = os.pipe()
    stdout, fd_out = os.pipe()
    core = Listening(storage)
    casts = Casts(storage, (ADA, BO), clock=clock)
    admin = Admin(storage=storage, casts=casts, clock=clock, defaults=TurnSettings(locale=locale), turns=NoTurns())
    desk = CommandDesk(admin=admin, commands=Commands(admin), locale=locale, exports=folder / "exports")
    numbers = count(1)
    adapter = ConsoleAdapter(
        transcript=Transcript(folder / "transcript.jsonl"),
        view=PlainView(fd_in=fd_in, fd_out=fd_out) if plain else JsonView(fd_in=fd_in, fd_out=fd_out),
        seat=Seat(name="Ann", locale=locale),
        storage=storage,
        casts=casts,
        ingress=core,
        desk=desk,
        clock=clock,
        new_id=lambda: f"id{next(numbers)}",
    )
    async with storage.begin() as uow:
        chat = await uow.chats.ensure(ChatKey(platform="console", tenant_id="local", channel_id="terminal"), at=clock())
    seat = Terminal(adapter=adapter, core=core, storage=storage, chat=chat, folder=folder, stdin=stdin, stdout=stdout)
    seat.running = asyncio.create_task(adapter.run())
    try:
        yield seat
    finally:
        await seat.hangs_up()
        async with asyncio.timeout(LIMIT_S):
            await asyncio.gather(seat.running, return_exceptions=True)
            await adapter.close()
        os.close(fd_in)
        os.close(fd_out)
        os.close(stdout)


@pytest.fixture
def storage() -> MemoryStorage:
    return MemoryStorage()


def reply(chat: GroupChat, n: int = 0, text: str = "Hello", **fields: Any) -> OutboxItem:
    item = OutboxItem(
        id=f"turn:{chat.id}:000000000001:{n}",
        chat_id=chat.id,
        kind=OutboxKind.REPLY,
        text=text,
        created_at=clock(),
        turn_id=f"turn:{chat.id}:000000000001",
        idx=n,
        agent_id="ada",
        reply_to_external="m1",
    )
    return replace(item, **fields)


async def planned(storage: MemoryStorage, item: OutboxItem) -> OutboxItem:
    async with storage.begin() as uow:
        await uow.outbox.add(item)
    return item


# ------------------------------------------------------------------------------------------- coming in


async def test_a_line_becomes_a_message_with_its_mentions(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage) as seat:
        seat.sends(id="m1", author="Zoe", text="hey @Bo Li and ＠艾达!", reply_to="turn:1:000000000001:0")
        await seat.ends()
        (heard,) = seat.core.heard
    assert (heard.external_id, heard.author, heard.text) == (
        "m1",
        Person(id="console:Zoe", name="Zoe"),
        "hey @Bo Li and ＠艾达!",
    )
    assert heard.mentioned_agents == ("bo-li", "ada")
    assert heard.reply_to == "turn:1:000000000001:0"
    assert heard.chat == ChatKey(platform="console", tenant_id="local", channel_id="terminal")


async def test_who_sits_here_speaks_where_no_author_is_named(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage) as seat:
        seat.sends(id="m1", text="hi")
        seat.sends(id="m2", author="", text="hi")
        await seat.ends()
        assert {heard.author.id for heard in seat.core.heard} == {"console:Ann"}


async def test_what_is_not_understood_is_told_and_the_next_line_is_heard(
    tmp_path: Path, storage: MemoryStorage
) -> None:
    async with terminal(tmp_path, storage) as seat:
        seat.types('nonsense\n[]\n{"id":"m"}\n\n' + "x" * 2_100_000 + '\n{"id":"m1","text":"hi"}\n')
        notices = await seat.objects(4)
        await seat.ends()
        assert [heard.external_id for heard in seat.core.heard] == ["m1"]
    assert {notice["type"] for notice in notices} == {"notice"}
    assert len({notice["text"] for notice in notices}) == 4


async def test_a_database_that_is_away_loses_one_line_with_a_notice(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage) as seat:
        seat.core.fails = [StorageUnavailable("locked"), ZeroDivisionError()]
        for n in range(3):
            seat.sends(id=f"m{n}", text="hi")
        notices = await seat.objects(2)
        await seat.ends()
        assert [heard.external_id for heard in seat.core.heard] == ["m2"]
    assert all("Error" not in notice["text"] for notice in notices)


async def test_a_command_is_answered_by_a_notice(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage) as seat:
        seat.sends(command="/agent list")
        seat.sends(command="/why")
        seat.sends(command="/nonsense")
        notices = await seat.objects(3)
        assert "Ada" in notices[0]["text"]
        assert "Bo Li" in notices[0]["text"]
        assert seat.core.heard == []


async def test_an_agent_is_exported_and_imported_again(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage) as seat:
        seat.sends(command="/agent export Ada")
        (exported,) = await seat.objects(1)
        file = tmp_path / "exports" / "ada.json"
        assert str(file) in exported["text"]
        file.write_text(file.read_text("utf-8").replace('"Ada"', '"Ida"').replace("艾达", "伊达"), "utf-8")
        seat.sends(command=f"/agent import {file}")
        seat.sends(command="/agent list")
        seat.sends(command="/agent import /nowhere/card.png")
        answers = await seat.objects(4)
        assert "Ida" in answers[2]["text"]
        assert "/nowhere/card.png" in answers[3]["text"]


async def test_plain_lines_are_a_chat_too(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage, plain=True) as seat:
        assert "Ada, Bo Li" in (await seat.out(1))[0]
        seat.types("hello @Ada\n/agent list\n")
        await seat.out(2)
        await seat.posts(await planned(storage, reply(seat.chat, text="\x1b[31mHi\nthere")))
        await seat.ends()
        (heard,) = seat.core.heard
        assert heard.mentioned_agents == ("ada",)
        assert heard.external_id == "id1"
        lines = await seat.out(6)
        assert "Ada: ␛[31mHi" in lines
        assert "there" in lines


async def test_the_language_of_the_terminal(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage, locale=Locale.ZH) as seat:
        seat.types("nonsense\n")
        assert "JSON" in (await seat.objects(1))[0]["text"]
        assert "已略过" in (await seat.objects(1))[0]["text"]


# ------------------------------------------------------------------------------------------- going out


async def test_a_reply_stands_once_in_transcript_and_output_however_often_it_is_delivered(
    tmp_path: Path, storage: MemoryStorage
) -> None:
    async with terminal(tmp_path, storage) as seat:
        item = await planned(storage, reply(seat.chat))
        for _ in range(3):
            await seat.posts(item)
        await seat.posts(await planned(storage, reply(seat.chat, 1, "Again")))
        lines = await seat.objects(2)
    assert [line["message_id"] for line in lines] == [item.id, f"{item.id[:-1]}1"]
    assert seat.transcript() == lines
    async with storage.read() as uow:
        (part,) = await uow.outbox.parts(item.id)
        assert (part.state, part.external_id) == (OutboxState.SENT, item.id)


async def test_a_reply_that_stood_before_a_crash_is_journaled_but_not_shown_again(
    tmp_path: Path, storage: MemoryStorage
) -> None:
    async with terminal(tmp_path, storage) as seat:
        item = await planned(storage, reply(seat.chat))
        await seat.posts(item)
    fresh = MemoryStorage()
    async with terminal(tmp_path, fresh) as seat:
        await seat.posts(await planned(fresh, item))
        seat.types("nonsense\n")
        assert [line["type"] for line in await seat.objects(1)] == ["notice"]
        async with fresh.read() as uow:
            assert [part.state for part in await uow.outbox.parts(item.id)] == [OutboxState.SENT]
    assert len(seat.transcript()) == 1


async def test_a_delivery_that_is_cancelled_is_still_shown(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage) as seat:
        item = await planned(storage, reply(seat.chat))
        task = asyncio.create_task(seat.posts(item))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert [line["message_id"] for line in await seat.objects(1)] == [item.id]
        await seat.posts(item)  # as after a restart


async def test_a_reply_that_changes_is_a_notice_that_names_it(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage) as seat:
        item = reply(seat.chat, text="Hello")
        await seat.adapter.replace(seat.chat, replace(item, text="Good day"), ADA)
        await seat.adapter.withdraw(seat.chat, item)
        anew, back = await seat.objects(2)
        assert (anew["type"], anew["replaces"], anew["with"]) == ("notice", item.id, "Good day")
        assert anew["text"] == "Ada says it anew: Good day"
        assert (back["type"], back["replaces"], back["with"]) == ("notice", item.id, None)
        assert back["text"] == "Ada takes back: Hello"


async def test_on_plain_lines_a_reply_that_changes_is_said_again(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage, plain=True) as seat:
        await seat.out(1)
        item = reply(seat.chat, text="Hello")
        await seat.adapter.replace(seat.chat, replace(item, text="Good day"), ADA)
        await seat.adapter.withdraw(seat.chat, item)
        assert (await seat.out(4))[1:] == ["* Ada says it anew:", "Ada: Good day", "* Ada takes back: Hello"]


async def test_a_question_is_a_notice_with_numbered_choices(tmp_path: Path, storage: MemoryStorage) -> None:
    from orchestration.model import Choice

    async with terminal(tmp_path, storage) as seat:
        choices = (Choice(id="c1", label="Ada"), Choice(id="c2", label="Bo Li"))
        item = reply(seat.chat, kind=OutboxKind.CLARIFICATION, text="Who?", choices=choices, agent_id=None)
        await seat.posts(await planned(storage, item), None)
        (line,) = await seat.objects(1)
    assert (line["type"], line["text"]) == ("notice", "Who?\n1. Ada\n2. Bo Li")


async def test_events_of_this_chat_are_mirrored_also_those_before_anybody_sat_down(
    tmp_path: Path, storage: MemoryStorage
) -> None:
    async with terminal(tmp_path, storage) as seat:
        kind = EventKind.TURN_FINISHED
        new = [NewEvent(kind=kind, at=clock(), turn_id="turn:1:1", block_id="b", content={"n": n}) for n in range(2)]
        async with storage.begin() as uow:
            other = await uow.chats.ensure(replace(seat.chat.key, channel_id="other"), at=clock())
            here = await uow.events.append(seat.chat.id, new)
            there = await uow.events.append(other.id, new)
        for event in (here[0], there[0]):
            seat.adapter.hear(event)  # before `run` had its first step
        await asyncio.sleep(0.05)
        seat.adapter.hear(here[1])
        lines = await seat.objects(2)
    assert lines == [
        {
            "type": "event",
            "seq": n,
            "kind": "turn_finished",
            "turn_id": "turn:1:1",
            "block_id": "b",
            "content": {"n": n - 1},
        }
        for n in (1, 2)
    ]


# ------------------------------------------------------------------------------------------- the end


async def test_at_the_end_of_input_what_is_open_is_still_posted(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage) as seat:
        item = await planned(storage, reply(seat.chat))
        await seat.hangs_up()
        await asyncio.sleep(0.3)
        assert not seat.running.done()
        await seat.posts(item)
        await seat.ends()
        assert [line["message_id"] for line in await seat.objects(1)] == [item.id]


async def test_a_turn_that_a_crash_left_without_its_last_event_gets_it_before_the_end(
    tmp_path: Path, storage: MemoryStorage
) -> None:
    async with terminal(tmp_path, storage) as seat:
        turn = TurnRecord(
            id="turn:1:1",
            chat_id=seat.chat.id,
            tenant_id=seat.chat.tenant_id,
            seq=1,
            trace_id="t",
            person_id="console:Ann",
            status=TurnStatus.STOPPED,
            created_at=clock(),
            last_line_at=clock(),
        )
        async with storage.begin() as uow:
            await uow.turns.add(turn)
        await seat.hangs_up()
        await asyncio.sleep(0.3)
        assert not seat.running.done()
        async with storage.begin() as uow:
            await uow.turns.save(replace(turn, finished_at=clock()))
            events = await uow.events.append(seat.chat.id, [turn_finished(turn, clock())])
        seat.adapter.hear(events[0])
        await seat.ends()
        assert [line["kind"] for line in await seat.objects(1)] == ["turn_finished"]


async def test_when_nobody_reads_any_more_the_chat_ends(tmp_path: Path, storage: MemoryStorage) -> None:
    async with terminal(tmp_path, storage) as seat:
        os.close(seat.stdout)
        seat.stdout = os.open("/dev/null", os.O_RDONLY)
        seat.types("nonsense\n")
        async with asyncio.timeout(LIMIT_S):
            await seat.running
