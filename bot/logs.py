"""Structured logs: JSON lines in data_dir/troupe.log, plain lines on stderr where a person watches, secrets nowhere."""

from __future__ import annotations

import json
import logging
import logging.handlers
import re
import sys
import threading
import traceback
from collections.abc import Iterable, MutableMapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import structlog

LOG_FILE = "troupe.log"
MAX_BYTES = 10_000_000
KEPT_FILES = 3
REDACTED = "[redacted]"

_PATTERNS = re.compile(
    r"(?P<webhook>/webhooks/\d+/)[\w-]+"
    r"|(?P<bot>bot\d+:)[\w-]{20,}"
    r"|\b\d{6,}:[\w-]{30,}"
    r"|(?P<auth>authorization['\"]?\s*[:=]\s*(?:b?['\"])?)(?:(?:bearer|bot|basic)\s+)?[^\s'\",}]+"
    r"|(?P<bearer>\bbearer\s+)[\w.~+/=-]{8,}"
    r"|\b(?:sk|gsk|xai|ghp)[-_][\w-]{8,}"
    r"|\b[A-Za-z\d_-]{23,28}\.[\w-]{6}\.[\w-]{27,}"
    r"|(?P<url>\b[a-z][a-z0-9+]*://[^\s:/@]*:)[^\s@/]+(?=@)",
    re.IGNORECASE,
)
_CONTROLS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
OURS = ("bot", "adapters", "orchestration", "storage")
_MODEL_LIBRARIES = re.compile(r"[/\\](?:openai|httpx|httpcore|aiohttp|langchain\w*|pydantic|json)[/\\]")


class Redactor:
    """Takes known secrets, and whatever has the shape of one, out of a text."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        known = sorted({s for s in secrets if len(s) >= 4}, key=len, reverse=True)
        self._known = re.compile("|".join(map(re.escape, known))) if known else None

    def __call__(self, text: str) -> str:
        if self._known is not None:
            text = self._known.sub(REDACTED, text)
        return _PATTERNS.sub(_keep_prefix, text)

    def deeply(self, value: Any) -> Any:
        """The value with every text in it redacted; what is not plain data becomes its redacted ``repr``."""
        if value is None or isinstance(value, bool | int | float):
            return value
        if isinstance(value, str):
            return self(value)
        if isinstance(value, dict):
            return {self(str(k)): self.deeply(v) for k, v in value.items()}
        if isinstance(value, list | tuple | set | frozenset):
            return [self.deeply(v) for v in value]
        return self(repr(value))


def configure(data_dir: Path, *, secrets: Iterable[str], level: int = logging.INFO, to_stderr: bool) -> None:
    """Sends every logger of the process to the file (and stderr). Called once, by the command that runs.

    Raises OSError when the file cannot be written.
    """
    data_dir.mkdir(parents=True, exist_ok=True)
    redactor = Redactor(secrets)
    root = logging.getLogger()
    for handler in list(root.handlers):
        root.removeHandler(handler)
        handler.close()
    file = logging.handlers.RotatingFileHandler(
        data_dir / LOG_FILE, maxBytes=MAX_BYTES, backupCount=KEPT_FILES, encoding="utf-8", errors="replace"
    )
    file.setFormatter(_formatter(redactor, _json_line))
    root.addHandler(file)
    if to_stderr:
        screen = logging.StreamHandler(sys.stderr)
        screen.setFormatter(_formatter(redactor, _human_line))
        root.addHandler(screen)
    # Libraries are heard when something is wrong; whatever handlers they brought would print past the redactor.
    root.setLevel(logging.WARNING)
    for name in OURS:
        logging.getLogger(name).setLevel(level)
    for library in list(root.manager.loggerDict.values()):
        if isinstance(library, logging.Logger):
            library.handlers.clear()
            library.propagate = True
    logging.captureWarnings(True)
    logging.raiseExceptions = False


def route_strays() -> None:
    """What nobody awaited or caught (threads, finalizers) goes to the log instead of to standard error."""
    logger = logging.getLogger("strays")

    def from_thread(stray: threading.ExceptHookArgs) -> None:
        name = stray.thread.name if stray.thread else "?"
        logger.error("the thread %s failed", name, exc_info=stray.exc_value)

    def from_finalizer(stray: sys.UnraisableHookArgs) -> None:
        logger.error("a clean-up failed: %s", stray.err_msg, exc_info=stray.exc_value)

    threading.excepthook = from_thread
    sys.unraisablehook = from_finalizer


def bound(**values: str) -> AbstractContextManager[None]:
    """Puts ``trace_id``, ``chat``, … on every line logged inside the block (tasks begun there inherit them)."""
    return structlog.contextvars.bound_contextvars(**values)


def _formatter(redactor: Redactor, renderer: Any) -> logging.Formatter:
    def redact(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
        return {key: redactor.deeply(value) for key, value in event.items()}

    return structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=[
            structlog.contextvars.merge_contextvars,
            structlog.stdlib.add_log_level,
            structlog.stdlib.add_logger_name,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ],
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, _with_trace, redact, renderer],
        use_get_message=True,
        keep_exc_info=False,
        keep_stack_info=False,
    )


def _with_trace(_: Any, __: str, event: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    fault = event.pop("exc_info", None)
    if isinstance(fault, tuple) and isinstance(fault[1], BaseException):
        event["exception"] = _told(fault[1])
    event.pop("stack_info", None)
    return event


def _told(error: BaseException) -> str:
    """The error, its frames and what it came from. A model server's own words (they are in the messages of the
    libraries that talk to it) are left out.
    """
    frames = traceback.extract_tb(error.__traceback__)
    foreign = any(_MODEL_LIBRARIES.search(frame.filename) for frame in frames)
    message = "" if foreign else f": {error}"
    told = "".join(traceback.format_list(frames)) + f"{type(error).__module__}.{type(error).__qualname__}{message}"
    source = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return told if source is None else f"{_told(source)}\n\n{told}"


def _json_line(_: Any, __: str, event: MutableMapping[str, Any]) -> str:
    return _one_line(json.dumps(event, ensure_ascii=False, default=str))


def _human_line(_: Any, __: str, event: MutableMapping[str, Any]) -> str:
    at = str(event.pop("timestamp", ""))[11:19]
    level = str(event.pop("level", "info"))
    text = event.pop("event", "")
    event.pop("logger", None)
    event.pop("exception", None)  # the file has it
    rest = "".join(f"  {key}={value}" for key, value in event.items())
    return _one_line(f"{at} {level:<7} {text}{rest}")


def _keep_prefix(found: re.Match[str]) -> str:
    prefix = next((found[name] for name in ("webhook", "bot", "auth", "bearer", "url") if found[name]), "")
    return prefix + REDACTED


def _one_line(text: str) -> str:
    """Nothing in it can begin a line of its own, colour a terminal or turn the reading direction."""
    return _CONTROLS.sub(lambda found: _escaped(found.group()), text)


def _escaped(char: str) -> str:
    return {"\n": "\\n", "\r": "\\r", "\t": "\\t"}.get(char, f"\\u{ord(char):04x}")
