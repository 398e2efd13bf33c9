"""Bot tokens at rest: Fernet, with a key that only the owner of the process can read.

The key lies beside the database, so the vault guards a copied database, a backup and a log, not a stolen disk.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from cryptography.fernet import Fernet, InvalidToken

from adapters.telegram.wire import PASTED, TOKEN

_OPEN, _CLOSE = "⟦token:", "⟧"
_UNSTORABLE = re.compile(r"[\x00\ud800-\udfff]")


class Vault:
    """Seals and opens texts. ``open`` returns None for what another key sealed."""

    def __init__(self, key: bytes) -> None:
        self._fernet = Fernet(key)

    @classmethod
    def in_folder(cls, folder: Path) -> Vault:
        """The vault whose key lies in the folder; the key is made (mode 0600) when there is none."""
        path = folder / "telegram.key"
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            key = path.read_bytes().strip()
            if key:
                return cls(key)
            # Made, but never written: the process died in between.
            handle = os.open(path, os.O_WRONLY)
        with os.fdopen(handle, "wb") as file:
            key = Fernet.generate_key()
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        return cls(key)

    def seal(self, text: str) -> str:
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str | None:
        try:
            return self._fernet.decrypt(sealed.encode()).decode()
        except (InvalidToken, UnicodeDecodeError):
            return None

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
