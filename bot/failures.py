"""Every failure of a command as one line for people; the trace, where there is one, goes to the log."""

from __future__ import annotations

import logging

import click

logger = logging.getLogger(__name__)


def failure_line(error: Exception) -> str:
    """The line; "" where there is nobody to read it."""
    from orchestration.errors import TroupeError, UserError

    if isinstance(error, click.UsageError):
        path = error.ctx.command_path if error.ctx else "troupe"
        return _one_line(f"{path}: {error.format_message()} (see {path} --help)")
    if isinstance(error, click.ClickException):
        return _one_line(f"troupe: {error.format_message()}")
    if isinstance(error, UserError):
        from orchestration.texts import refusal

        return _one_line(refusal("en", error))
    if isinstance(error, TroupeError):
        return _one_line(str(error))
    if isinstance(error, BrokenPipeError):
        return ""
    if isinstance(error, OSError):
        named = f" ({error.filename})" if error.filename else ""
        return _one_line(f"troupe: {error.strerror or type(error).__name__}{named}")
    return _unexpected(error)


def _unexpected(error: Exception) -> str:
    files = [
        handler.baseFilename for handler in logging.getLogger().handlers if isinstance(handler, logging.FileHandler)
    ]
    told = f"troupe: something went wrong that nobody expected ({type(error).__name__})"
    if not files:
        return told
    logger.error("a command failed", exc_info=error)
    return f"{told}; the trace is in {files[0]}"


def _one_line(text: str) -> str:
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())
