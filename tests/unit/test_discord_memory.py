"""What the adapter remembers: proxied originals, received ids, speakers, posts to be found again."""

from __future__ import annotations

import struct
import subprocess
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import discord

from adapters.discord.journal import Echoes, Note, Seen, pick
from adapters.discord.presence import Presence
from adapters.discord.proxies import Originals
from adapters.discord.received import ReceivedLog
from adapters.discord.speakers import Speakers
from adapters.discord.wording import Part

NOW = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)


def test_a_copy_is_matched_with_its_original_once() -> None:
    originals = Originals()
    originals.heard(1, 11, "K: hello  there", NOW)
    assert originals.of_copy(1, "something else", NOW) is None
    assert originals.of_copy(2, "hello there", NOW) is None
    found = originals.of_copy(1, "Hello there", NOW + timedelta(seconds=1))
    assert found is not None
    assert found.message_id == 11
    assert originals.of_copy(1, "Hello there", NOW) is None
    assert originals.deleted(1, 11)


def test_an_original_nobody_copied_is_really_deleted() -> None:
    originals = Originals()
    originals.heard(1, 11, "hello", NOW)
    assert not originals.deleted(1, 11)
    late = originals.of_copy(1, "hello", NOW + timedelta(seconds=1))
    assert late is not None
    assert late.deleted
    assert originals.of_copy(1, "hello", NOW + timedelta(minutes=5)) is None


def test_received_ids_outlive_the_process(tmp_path: Path) -> None:
    path = tmp_path / "data" / "received.log"
    first = ReceivedLog(path)
    assert first.open() == frozenset()
    for message_id in (1, 2, 3):
        first.note(message_id)
    first.stored(1)
    second = ReceivedLog(path)
    assert second.open() == frozenset({1, 2, 3})
    second.note(4)
    second.clear()
    assert ReceivedLog(path).open() == frozenset({4})
    first.close()
    second.close()


def test_presence_tells_what_was_sent_to_a_process_that_was_killed(tmp_path: Path) -> None:
    times = iter([NOW + timedelta(seconds=n) for n in range(10_000)])
    path = tmp_path / "data" / "presence"
    first = Presence(path, lambda: next(times))
    first.open()
    first.connected()
    first.disconnected()
    second = Presence(path, lambda: NOW)
    second.open()
    sent, missed = (discord.utils.time_snowflake(NOW + timedelta(milliseconds=ms)) for ms in (0, -5000))
    assert second.reached_us(sent)
    assert not second.reached_us(missed)
    second.connected()
    second.caught_up()
    assert not second.reached_us(sent)
    second.close()
    first.close()
    assert path.stat().st_size == 16


_BUSY = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from adapters.discord.presence import Presence
presence = Presence(Path(sys.argv[1]), lambda: datetime.now(UTC))
presence.open()
presence.connected()
print("connected", flush=True)
sum(range(10**12))  # holds the interpreter: no other thread of this process runs
"""


def kept_since(path: Path, ms: int) -> datetime:
    """When the one span in the file began, once it is so many milliseconds long."""
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        begin, end = struct.unpack("<QQ", path.read_bytes())
        if end - begin >= ms:
            return datetime.fromtimestamp(begin / 1000, UTC)
        time.sleep(0.02)
    raise TimeoutError


def test_presence_is_kept_while_the_interpreter_is_busy_and_ends_with_the_process(tmp_path: Path) -> None:
    path = tmp_path / "presence"
    command = [sys.executable, "-c", _BUSY, str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]) as busy:
        assert busy.stdout is not None
        assert busy.stdout.readline() == b"connected\n"
        try:
            since = kept_since(path, 500)
        finally:
            busy.kill()
    killed = datetime.now(UTC)
    after = Presence(path, lambda: datetime.now(UTC))
    after.open()
    assert after.reached_us(discord.utils.time_snowflake(since + timedelta(milliseconds=500)))
    assert not after.reached_us(discord.utils.time_snowflake(killed + timedelta(milliseconds=1)))
    after.close()


def test_a_torn_line_is_left_out(tmp_path: Path) -> None:
    path = tmp_path / "received.log"
    path.write_bytes(b"12\n\xff\xfe\n34")
    log = ReceivedLog(path)
    assert log.open() == frozenset({12, 34})
    log.close()


def test_only_another_speaker_of_the_same_look_matters() -> None:
    speakers = Speakers()
    speakers.spoke(1, "discord:7", "Ada")
    assert speakers.name_before(1, "agent:ada") == "Ada"
    speakers.spoke(1, "agent:ada", "Ada\u200a\u17b5")
    assert speakers.name_before(1, "agent:ada") == ""
    assert speakers.shown_as(1, "agent:ada") == "Ada\u200a\u17b5"


def test_a_lost_post_is_found_by_its_words_face_and_age() -> None:
    part, note = Part(content="Yes."), Note(place=1, hook=5, parent=1, name="Ada", after=100)
    echoes = Echoes()
    for seen in (
        Seen(id=90, hash=part.hash, name="Ada"),
        Seen(id=110, hash=part.hash, name="Ben"),
        Seen(id=120, hash=part.hash, name="Ada"),
        Seen(id=130, hash=part.hash, name="Ada"),
    ):
        echoes.hear(1, seen)
    found = pick(echoes.of(1), part=part, note=note, taken=frozenset())
    assert found is not None
    assert found.id == 120
    later = pick(echoes.of(1), part=part, note=note, taken=frozenset({120}))
    assert later is not None
    assert later.id == 130
    assert pick(echoes.of(2), part=part, note=note, taken=frozenset()) is None
    assert echoes.newest(1) == 130


def test_a_note_survives_its_journey_and_nonsense_is_none() -> None:
    note = Note(place=1, hook=2, parent=3, name='A"da', after=4)
    assert Note.from_text(note.to_text()) == note
    assert Note.from_text("{}") is None
    assert Note.from_text("") is None
