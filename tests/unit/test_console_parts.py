"""The console's pure parts and its pipes: lines in, lines out, names in lines, harmless screens."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import threading
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from adapters.console.faces import Painter, colours_of
from adapters.console.mentions import mentioned
from adapters.console.pipes import LineReader, LineWriter, TooLong
from adapters.console.screen_text import harmless, harmless_line
from adapters.console.transcript import Transcript
from adapters.console.wire import Command, Said, Unreadable, encode, message_line, notice_line, outbox_line, read_line
from orchestration.errors import DeliveryLater
from orchestration.model import AgentCard, Choice, OutboxItem, OutboxKind

REPLY = OutboxItem(
    id="turn:1:000000000001:0",
    chat_id=1,
    kind=OutboxKind.REPLY,
    text="Hello\u2028\x85 \ud800 {x}",
    created_at=datetime(2026, 1, 1, tzinfo=UTC),
    turn_id="turn:1:000000000001",
    agent_id="ada",
    reply_to_external="m1",
)
ADA = AgentCard(id="ada", name="Ada")

# ------------------------------------------------------------------------------------------- lines in


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (
            '{"id":"m1","author":"Ann","text":"hi","reply_to":null}',
            Said(id="m1", author="Ann", text="hi", reply_to=None),
        ),
        ('{"id":7,"text":"hi","reply_to":"x:0"}', Said(id="7", author="", text="hi", reply_to="x:0")),
        ('{"command":"/why"}', Command(line="/why")),
        ('{"command":" /stop now ","author":"Ann"}', Command(line="/stop now", author="Ann")),
        ('{"id":"m1","text":"hi","command":null}', Said(id="m1", text="hi")),
        ('\ufeff{"id":"m1","text":"hi"}', Said(id="m1", text="hi")),
        ("", None),
        ("  \t", None),
        ("hello", Unreadable(code="console_not_json")),
        ('{"id":"m1"', Unreadable(code="console_not_json")),
        ("[" * 200_000, Unreadable(code="console_not_json")),
        ("[]", Unreadable(code="console_not_object")),
        ("null", Unreadable(code="console_not_object")),
        ("{}", Unreadable(code="console_bad_fields")),
        ('{"text":"no id"}', Unreadable(code="console_bad_fields")),
        ('{"id":true,"text":"x"}', Unreadable(code="console_bad_fields")),
        ('{"id":"","text":"x"}', Unreadable(code="console_bad_fields")),
        ('{"id":"m","text":5}', Unreadable(code="console_bad_fields")),
        ('{"id":"m","text":"x","author":[]}', Unreadable(code="console_bad_fields")),
        ('{"command":""}', Unreadable(code="console_bad_fields")),
        ('{"command":{}}', Unreadable(code="console_bad_fields")),
        ('{"id":"' + "x" * 201 + '","text":"x"}', Unreadable(code="console_bad_fields")),
        ('{"id":"a\\u0000b","text":"x"}', Unreadable(code="console_bad_fields")),
    ],
)
def test_lines_of_a_program(line: str, expected: object) -> None:
    assert read_line(line.encode()) == expected


@given(st.binary(max_size=200))
def test_no_bytes_break_the_reader(line: bytes) -> None:
    read_line(line)


def test_half_characters_in_names_are_mended_those_in_texts_are_left_to_the_core() -> None:
    entry = read_line(b'{"id":"m\\ud83d\\ude00","author":"A\\ud800","text":"\\ud800"}')
    assert entry == Said(id="m😀", author="A\ufffd", text="\ud800")


# ------------------------------------------------------------------------------------------- lines out


def test_a_reply_has_exactly_the_promised_keys() -> None:
    assert json.loads(message_line(REPLY, ADA)) == {
        "type": "message",
        "message_id": "turn:1:000000000001:0",
        "turn_id": "turn:1:000000000001",
        "agent_id": "ada",
        "agent": "Ada",
        "text": "Hello\u2028\x85 \ud800 {x}",
        "reply_to": "m1",
    }


def test_notices_and_questions() -> None:
    assert json.loads(notice_line("hi")) == {"type": "notice", "text": "hi"}
    choices = (Choice(id="c1", label="Ada"), Choice(id="c2", label="Bo"))
    asked = replace(REPLY, kind=OutboxKind.CLARIFICATION, text="Who?", choices=choices)
    line = json.loads(outbox_line(asked, None))
    assert line == {"type": "notice", "text": "Who?\n1. Ada\n2. Bo", "line_id": REPLY.id}


@given(st.text(st.characters(exclude_categories=()), max_size=60))
def test_every_text_goes_out_as_one_line_and_comes_back(text: str) -> None:
    line = encode({"text": text})
    assert line.splitlines() == [line]
    assert json.loads(line.encode("utf-8")) == {"text": text}


# ------------------------------------------------------------------------------------------- mentions

CAST = (
    AgentCard(id="ada", name="Ada", aliases=("艾达",)),
    AgentCard(id="ada-byron", name="Ada Byron"),
    AgentCard(id="peach", name="小桃"),
    AgentCard(id="fox", name="🦊"),
    AgentCard(id="zoe", name="Zoë"),
    AgentCard(id="mon", name="月子"),
)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("@Ada hello", ("ada",)),
        ("hello @ada", ("ada",)),
        ("hey@ADA!", ("ada",)),
        ("@Ada Byron hi", ("ada-byron",)),
        ("@Ada  Byron hi @Ada", ("ada-byron", "ada")),
        ("@Adam hi", ()),
        ("@小桃你好", ("peach",)),
        ("你好@小桃", ("peach",)),
        ("＠艾达 在吗", ("ada",)),
        ("@🦊 what", ("fox",)),
        ("@🦊what", ("fox",)),
        ("@Zoe\u0308 and @月子さん", ("zoe", "mon")),
        ("@ Ada", ("ada",)),
        ("ann@example.org", ()),
        ("write to ann@ada.org", ()),
        ("hey@Ada. You too", ("ada",)),
        ("你好@小桃.好", ("peach",)),
        ("Ada", ()),
        ("@", ()),
        ("@@@Ada", ("ada",)),
    ],
)
def test_mentions(text: str, expected: tuple[str, ...]) -> None:
    assert mentioned(text, CAST) == expected


def test_mentions_do_not_depend_on_the_order_of_the_cast() -> None:
    text = "@Ada Byron @Ada @小桃"
    assert mentioned(text, CAST) == mentioned(text, CAST[::-1])


# ------------------------------------------------------------------------------------------- screens


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_nothing_that_steers_a_terminal_is_left(text: str) -> None:
    shown = harmless(text)
    assert not any(ord(c) < 0x20 and c != "\n" for c in shown)
    assert not any(0x7F <= ord(c) <= 0x9F or 0x202A <= ord(c) <= 0x202E or 0x2066 <= ord(c) <= 0x2069 for c in shown)
    shown.encode("utf-8")
    assert "\n" not in harmless_line(text)


@pytest.mark.parametrize(("environ", "coloured"), [({}, True), ({"NO_COLOR": "1"}, False)])
def test_who_wants_no_colours_gets_none(environ: dict[str, str], coloured: bool) -> None:
    terminal = Console(force_terminal=True, _environ={"TERM": "xterm-256color", **environ})
    painter = Painter(colour_system=colours_of(terminal))
    shown = painter.render(painter.agent_said(AgentCard(id="a", name="Ada"), "a", "Hello.", "12:00"), 80)
    assert ("\x1b[" in shown) is coloured


def test_chinese_words_keep_their_marks_at_the_end_of_a_line() -> None:
    painter = Painter(colour_system=None)
    card = AgentCard(id="a", name="小桃", emoji="🍑")
    shown = painter.render(painter.agent_said(card, "a", "长一点的话，" * 40, "12:00"), 80).splitlines()
    assert shown[0].rstrip() == "🍑 小桃  12:00"
    assert len(shown) > 5
    assert not any(line.strip().startswith("，") for line in shown)


def test_plain_words_and_markup_stay() -> None:
    assert harmless("a [bold]b[/] {x}\n\tc 你好 👩‍👩‍👧") == "a [bold]b[/] {x}\n    c 你好 👩‍👩‍👧"
    assert harmless("\x1b[31mred\x1b]0;title\x07") == "␛[31mred␛]0;title␇"


# ------------------------------------------------------------------------------------------- transcript


def whole_lines(file: Path) -> list[dict[str, str]]:
    data = file.read_bytes()
    assert data == b"" or data.endswith(b"\n")
    return [json.loads(line) for line in data.splitlines()]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "sub" / "transcript.jsonl"


def opened(file: Path) -> Transcript:
    return Transcript(file)


def test_a_line_of_one_id_stands_once_also_after_a_restart(file: Path) -> None:
    for wanted in (True, False, False):
        transcript = opened(file)
        assert transcript.append_once(REPLY.id, message_line(REPLY, ADA)) is wanted
        transcript.close()
    assert [line["message_id"] for line in whole_lines(file)] == [REPLY.id]


def test_a_torn_last_line_is_taken_away(file: Path) -> None:
    transcript = opened(file)
    transcript.append_once("a", '{"message_id":"a"}')
    transcript.close()
    with file.open("ab") as out:
        out.write(b'{"message_id":"b","te')
    transcript = opened(file)
    assert transcript.append_once("b", '{"message_id":"b"}')
    transcript.close()
    assert [line["message_id"] for line in whole_lines(file)] == ["a", "b"]


def test_strange_lines_are_left_alone(file: Path) -> None:
    file.parent.mkdir()
    file.write_bytes(b'nonsense\n[1]\n{"message_id":5}\n\n{"message_id":"a"}\n')
    transcript = opened(file)
    assert not transcript.append_once("a", '{"message_id":"a"}')
    transcript.close()
    assert file.read_bytes().startswith(b"nonsense\n")


def test_what_another_process_wrote_is_seen(file: Path) -> None:
    one, two = opened(file), opened(file)
    assert one.append_once("a", '{"message_id":"a"}')
    assert not two.append_once("a", '{"message_id":"a"}')
    one.close()
    two.close()


def test_a_full_disk_leaves_nothing_of_the_line(file: Path) -> None:
    transcript = opened(file)
    assert transcript.append_once("a", '{"message_id":"a"}')
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (30, hard))  # files of this process may not grow beyond 30 bytes
    try:
        for _ in range(2):
            with pytest.raises(DeliveryLater, match="cannot be written"):
                transcript.append_once("b", '{"message_id":"b"}')
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert [line["message_id"] for line in whole_lines(file)] == ["a"]
    assert transcript.append_once("b", '{"message_id":"b"}')
    transcript.close()
    assert [line["message_id"] for line in whole_lines(file)] == ["a", "b"]


def test_eight_threads_write_each_line_once(file: Path) -> None:
    transcript = opened(file)
    threads = [
        threading.Thread(target=lambda: [transcript.append_once(f"{n}", f'{{"message_id":"{n}"}}') for n in range(50)])
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    transcript.close()
    assert sorted(int(line["message_id"]) for line in whole_lines(file)) == list(range(50))


# ------------------------------------------------------------------------------------------- pipes


def feed(fd: int, data: bytes) -> None:
    with os.fdopen(fd, "wb") as pipe:
        pipe.write(data)


async def read_all(data: bytes, *, max_bytes: int) -> list[bytes | TooLong]:
    fd_in, fd_out = os.pipe()
    feeder = threading.Thread(target=feed, args=(fd_out, data))
    feeder.start()
    async with asyncio.timeout(20):
        lines = [line async for line in LineReader(fd_in, max_bytes=max_bytes).lines()]
    feeder.join(10)
    os.close(fd_in)
    return lines


async def test_lines_come_whole_the_last_one_without_its_end_too() -> None:
    assert await read_all("a\r\n\n你好\nlast".encode(), max_bytes=100) == [b"a", b"", "你好".encode(), b"last"]
    assert await read_all(b"", max_bytes=100) == []


async def test_a_line_over_the_limit_is_left_out_and_the_next_one_heard() -> None:
    lines = await read_all(b"x" * 200_000 + b"\nok\n" + b"y" * 150_000, max_bytes=100_000)
    assert [line if isinstance(line, bytes) else "long" for line in lines] == ["long", b"ok", "long"]
    lines = await read_all(b"x" * 100_000 + b"\n", max_bytes=100_000)
    assert lines == [b"x" * 100_000]


async def test_more_lines_than_the_chat_can_take_wait() -> None:
    data = b"".join(b"%d\n" % n for n in range(3000))
    assert await read_all(data, max_bytes=100) == [b"%d" % n for n in range(3000)]


async def test_a_regular_file_can_be_read(tmp_path: Path) -> None:
    (tmp_path / "in").write_bytes(b"a\nb\n")
    fd = os.open(tmp_path / "in", os.O_RDONLY)
    assert [line async for line in LineReader(fd, max_bytes=10).lines()] == [b"a", b"b"]
    os.close(fd)


def test_written_lines_arrive_in_order() -> None:
    fd_in, fd_out = os.pipe()
    writer = LineWriter(fd_out, gone=lambda: pytest.fail("somebody reads"))
    for n in range(100):
        writer.write(f"{n} 你好 \ud800")
    writer.close()
    os.close(fd_out)
    with os.fdopen(fd_in, "rb") as out:
        assert out.read().decode() == "".join(f"{n} 你好 ?\n" for n in range(100))


def test_a_reader_that_goes_away_is_told_once() -> None:
    fd_in, fd_out = os.pipe()
    gone = threading.Event()
    writer = LineWriter(fd_out, gone=gone.set)
    os.close(fd_in)
    writer.write("x")
    assert gone.wait(10)
    writer.write("y")
    writer.close()
    os.close(fd_out)
