"""What `troupe check` (and `/check`) finds: how a thing stands, and how to mend it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable


class Level(StrEnum):
    OK = "ok"
    WARNING = "warning"
    PROBLEM = "problem"
    """Something will not work: `troupe check` then ends with exit code 2."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """``text`` says how it stands, ``mend`` what to do about it; both are sentences in the operator's language."""

    area: str
    level: Level
    text: str
    mend: str = ""


@runtime_checkable
class Checkable(Protocol):
    """An adapter that can look at its platform before it runs. Raises nothing that the caller would not expect:
    what fails is a finding. The app is not started; the database is open.
    """

    async def check(self) -> Sequence[Finding]: ...
