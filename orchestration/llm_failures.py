"""Every way a model call goes wrong, as one small value: which error it is, and whether asking again may help.

Provider text is looked at to adapt the request and then forgotten: it is in no error, no log and no chat.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from orchestration.errors import ModelEmpty, ModelError, ModelNonsense, ModelRateLimited, ModelRefused, ModelUnavailable

TOO_LONG_CODE = "model_answer_too_long"
TIMEOUT_CODE = "model_timeout"
UNREACHABLE_CODE = "model_unreachable"
KEY_CODE = "model_key_refused"
NOT_FOUND_CODE = "model_not_found"
CUT_CODE = "model_cut_off"
FILTERED_CODE = "model_filtered"


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failed attempt. ``again``: the same request may succeed later; ``nonsense``: an answer came, but none."""

    error: ModelError
    status: int | None = None
    again: bool = False
    nonsense: bool = False
    wants_tokens: bool = False
    """The model used all its tokens before it said a word (it thought, mostly)."""
    hint: str = field(default="", repr=False)
    """The provider's words in lower case, only ever searched for what to adapt."""

    @property
    def retry_after_s(self) -> float | None:
        return self.error.retry_after_s if isinstance(self.error, ModelRateLimited) else None


def nonsense(error: ModelError | None = None) -> Failure:
    return Failure(error=error or ModelNonsense(), again=True, nonsense=True)


def empty(code: str | None = None, *, wants_tokens: bool = False) -> Failure:
    return Failure(error=ModelEmpty(code), again=True, nonsense=True, wants_tokens=wants_tokens)


def of_status(status: int, *, headers: Mapping[str, str], hint: str, now: datetime) -> Failure:
    """The failure behind an HTTP status (or behind a status that came inside a 200)."""
    hint = hint[:4000].lower()
    if status == 429:
        spent = "insufficient_quota" in hint
        return Failure(error=ModelRateLimited(_retry_after(headers, now)), status=status, again=not spent, hint=hint)
    if status in (408, 409) or status >= 500:
        return Failure(error=ModelUnavailable(), status=status, again=status != 501, hint=hint)
    code = {401: KEY_CODE, 403: KEY_CODE, 404: NOT_FOUND_CODE}.get(status)
    return Failure(error=ModelRefused(code), status=status, hint=hint)


def of_error_in_answer(error: object, now: datetime) -> Failure:
    """An error object inside a 200: its code tells which it is."""
    codes = [str(value).lower() for value in _codes(error)]
    for code in codes:
        if code.isdigit() and 400 <= int(code) < 600:
            return of_status(int(code), headers={}, hint="", now=now)
    if any(("rate" in code and "limit" in code) or "overloaded" in code for code in codes):
        return of_status(429, headers={}, hint="", now=now)
    if any("auth" in code or "key" in code for code in codes):
        return of_status(401, headers={}, hint="", now=now)
    return Failure(error=ModelUnavailable(), again=True)


def _codes(error: object) -> Iterator[object]:
    for name in ("code", "status", "type"):
        value = error.get(name) if isinstance(error, Mapping) else getattr(error, name, None)
        if isinstance(value, int | str):
            yield value


def _retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds the server asks to wait, from ``Retry-After-Ms`` or ``Retry-After`` (seconds or a date)."""
    for name, scale in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name, "").strip()
        try:
            return max(0.0, float(value) * scale)
        except ValueError:
            continue
    try:
        at = parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError):
        return None
    return max(0.0, ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds())
