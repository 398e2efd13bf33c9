"""In which language a caller is answered."""

from __future__ import annotations

from orchestration.admin.callers import Caller
from orchestration.model import Locale


class Language:
    """The person's own where the platform tells it, else the chat's setting, else the operator's default."""

    def __init__(self, default: Locale) -> None:
        self.default = default

    def of(self, caller: Caller) -> Locale:
        return caller.locale or caller.chat.settings.locale or self.default
