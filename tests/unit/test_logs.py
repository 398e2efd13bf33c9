"""Logs: one line a fact, the chat and trace on it, no secret in it, nothing forged."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import TypeAdapter, ValidationError

from bot import logs


@pytest.fixture
def root_logging() -> Iterator[None]:
    """Puts the process's logging back as it was."""
    root = logging.getLogger()
    before, level, loud = root.handlers[:], root.level, logging.raiseExceptions
    root.handlers = []
    yield
    for handler in root.handlers:
        handler.close()
    root.handlers, logging.raiseExceptions = before, loud
    root.setLevel(level)
    logging.captureWarnings(False)
    for name in logs.OURS:
        logging.getLogger(name).setLevel(logging.NOTSET)


def lines(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / logs.LOG_FILE).read_text("utf-8").split("\n") if line]


@pytest.mark.usefixtures("root_logging")
def test_trace_and_chat_stand_on_every_line(tmp_path: Path) -> None:
    logs.configure(tmp_path, secrets=(), to_stderr=False)
    with logs.bound(trace_id="t1", chat="console:terminal"):
        logging.getLogger("orchestration.turn").info("turn %s", "begins")
    logging.getLogger("orchestration.turn").info("after")
    first, second = lines(tmp_path)
    assert (first["event"], first["trace_id"], first["chat"]) == ("turn begins", "t1", "console:terminal")
    assert first["level"] == "info"
    assert first["timestamp"].startswith("20")
    assert "trace_id" not in second


@pytest.mark.usefixtures("root_logging")
def test_a_value_cannot_forge_a_line_or_colour_a_terminal(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    logs.configure(tmp_path, secrets=(), to_stderr=True)
    logging.getLogger("x").warning("said %s", 'a\n{"event":"forged"}\r\x1b[31m\u2028\u202e')
    (only,) = lines(tmp_path)
    assert "forged" in only["event"]
    err = capfd.readouterr().err
    assert err.count("\n") == 1
    assert "\x1b" not in err
    assert "\u202e" not in err


SECRETS = [
    "hunter2-known",
    "https://discord.com/api/v10/webhooks/123456/AbC-d_ef?wait=true",
    "https://api.telegram.org/bot123456:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/getMe",
    "token 123456789:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw here",
    "Authorization: Bearer abcdefgh12345",
    "{'Authorization': 'Bot abcdefgh12345'}",
    "key sk-proj-abcdefgh12345",
    "postgresql://troupe:abcdefgh12345@db/troupe",
]


@pytest.mark.parametrize("text", SECRETS)
def test_secrets_are_redacted_wherever_they_stand(text: str) -> None:
    redacted = logs.Redactor(["hunter2-known"]).deeply({"a": [text, (text,)], text: 1})
    for bare in ("hunter2", "AbC-d_ef", "AAHdqTcv", "abcdefgh12345"):
        assert bare not in str(redacted)
    assert logs.REDACTED in str(redacted)


def test_plain_words_stay() -> None:
    text = "the webhooks/1 of channel 12 answered 404; see https://example.org/a:b"
    assert logs.Redactor(["secret-1"])(text) == text


@pytest.mark.usefixtures("root_logging")
def test_an_exception_is_logged_without_secrets_and_not_on_the_screen(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    logs.configure(tmp_path, secrets=["hunter2-known"], to_stderr=True)
    try:
        raise ValueError("it said hunter2-known")
    except ValueError:
        logging.getLogger("x").exception("failed")
    (only,) = lines(tmp_path)
    assert "ValueError: it said [redacted]" in only["exception"]
    assert "test_logs.py" in only["exception"]
    assert "Traceback" not in capfd.readouterr().err


@pytest.mark.usefixtures("root_logging")
def test_words_of_a_model_server_are_left_out(tmp_path: Path) -> None:
    logs.configure(tmp_path, secrets=(), to_stderr=False)
    answer = "".join(["prov", "ider words"])
    try:
        TypeAdapter(int).validate_python(answer)
    except ValidationError as inner:
        try:
            raise RuntimeError("ours") from inner
        except RuntimeError:
            logging.getLogger("x").exception("failed")
    (only,) = lines(tmp_path)
    assert "ValidationError" in only["exception"]
    assert answer not in only["exception"]
    assert "RuntimeError: ours" in only["exception"]


@pytest.mark.usefixtures("root_logging")
def test_libraries_speak_only_when_something_is_wrong(tmp_path: Path) -> None:
    logs.configure(tmp_path, secrets=(), to_stderr=False)
    logging.getLogger("some.library").info("HTTP Request: GET https://api.telegram.org/bot1:x")
    logging.getLogger("discord.gateway").warning("lost")
    assert [line["event"] for line in lines(tmp_path)] == ["lost"]
