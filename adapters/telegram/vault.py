"""Bot tokens at rest, in whatever text they stand."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from adapters.sealing import SecretBox
from adapters.telegram.wire import PASTED, TOKEN

_OPEN, _CLOSE = "⟦token:", "⟧"
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


class Vault(SecretBox):
    """Seals bot tokens wherever they stand."""

    @classmethod
    def in_folder(cls, folder: Path) -> Vault:
        return cls.with_key(folder / "telegram.key")

    def hide(self, value: Any) -> Any:
        """The JSON value with every bot token in its texts sealed, whatever field it stands in, and with a sign of the
        same length for each half of a surrogate pair and each NUL, which no database and no encoding takes.
        """
        if isinstance(value, str):
            return TOKEN.sub(lambda m: f"{_OPEN}{self.seal(m.group(0))}{_CLOSE}", _UNSTORABLE.sub("\ufffd", value))
        if isinstance(value, list):
            return [self.hide(v) for v in value]
        if isinstance(value, dict):
            return {k: self.hide(v) for k, v in value.items()}
        return value

    def hide_whole(self, text: str) -> str:
        """The text as one sealed piece, whatever it holds."""
        return f"{_OPEN}{self.seal(text)}{_CLOSE}"

    def find(self, text: str) -> str | None:
        """The token in this text, sealed by `hide` or `hide_whole`, if there is one."""
        _, found, rest = text.partition(_OPEN)
        opened = self.open(rest.partition(_CLOSE)[0]) if found else None
        token = (TOKEN.search(opened) or PASTED.search(opened)) if opened is not None else None
        return token.group(0) if token else None


def holds_secret(text: str) -> bool:
    return _OPEN in text


def shown(text: str) -> str:
    """The text for people and prompts: a sealed token is dots."""
    head, found, rest = text.partition(_OPEN)
    if not found:
        return text
    return f"{head}…{shown(rest.partition(_CLOSE)[2])}"
