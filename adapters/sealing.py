"""Secrets at rest: Fernet, with a key beside the database that only the owner of the process can read.

It guards a copied database, a backup and a log, not a stolen disk. Each platform has a key of its own.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path
from typing import Self

from cryptography.fernet import Fernet, InvalidToken

from orchestration.errors import ConfigError


class SecretBox:
    """Seals and opens texts. ``open`` returns None for what another key sealed."""

    def __init__(self, key: bytes) -> None:
        self._fernet = Fernet(key)

    @classmethod
    def with_key(cls, path: Path) -> Self:
        """The box whose key lies in the file; the key is made (mode 0600) where there is none.

        A key that a crash or a full disk left empty has sealed nothing yet and is made anew. ConfigError: the file
        holds something else, or can be neither read nor made.
        """
        key = _key_in(path)
        if not key:
            try:
                _write(path, Fernet.generate_key())
            except OSError as fault:
                raise ConfigError(f"{path}: cannot be written ({fault.strerror})") from None
            key = _key_in(path)  # another process may have been faster
        try:
            return cls(key)
        except ValueError:
            raise ConfigError(
                f"{path}: expected the key of the secrets in the database; put it back, or remove the file (what was "
                "sealed with it is then lost)"
            ) from None

    def seal(self, text: str) -> str:
        return self._fernet.encrypt(text.encode()).decode()

    def open(self, sealed: str) -> str | None:
        try:
            return self._fernet.decrypt(sealed.encode()).decode()
        except (InvalidToken, ValueError):
            return None


def _key_in(path: Path) -> bytes:
    try:
        return path.read_bytes().strip()
    except FileNotFoundError:
        return b""
    except OSError as fault:
        raise ConfigError(f"{path}: cannot be read ({fault.strerror})") from None


def _write(path: Path, key: bytes) -> None:
    """The whole key appears at once, or nothing: nobody ever reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, fresh = tempfile.mkstemp(prefix=f"{path.name}.", dir=path.parent)  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())
        _put(fresh, path)
    finally:
        with contextlib.suppress(FileNotFoundError):
            os.unlink(fresh)


def _put(fresh: str, path: Path) -> None:
    """Never over a key that another process has put there, as far as the file system can tell."""
    try:
        os.link(fresh, path)
    except FileExistsError:
        if not path.stat().st_size:
            os.replace(fresh, path)
    except OSError:  # a file system without links
        os.replace(fresh, path)
