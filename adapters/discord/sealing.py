"""Webhook tokens at rest: Fernet, with a key beside the database that only the process's owner can read.

It guards a copied database, a backup and a dump; not a stolen disk.
"""

from __future__ import annotations

import os
from pathlib import Path

from cryptography.fernet import Fernet, InvalidToken


class SecretBox:
    """Seals and opens tokens. A token sealed with another key opens as None: a webhook is then looked for anew."""

    def __init__(self, key: bytes) -> None:
        self._fernet = Fernet(key)

    @classmethod
    def in_folder(cls, folder: Path) -> SecretBox:
        """The box whose key lies in ``folder`` (mode 0600, made when it is not there)."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "discord.key"
        try:
            handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            return cls(path.read_bytes().strip())
        with os.fdopen(handle, "wb") as file:
            key = Fernet.generate_key()
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        return cls(key)

    def seal(self, token: str) -> str:
        return self._fernet.encrypt(token.encode()).decode()

    def open(self, sealed: str) -> str | None:
        try:
            return self._fernet.decrypt(sealed.encode()).decode()
        except (InvalidToken, ValueError):
            return None
