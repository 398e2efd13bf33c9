"""What drivers raise, told in our own words.

The driver's text is dropped on purpose: it may hold addresses, statements and what people said.
"""

from __future__ import annotations

from sqlalchemy import exc

from orchestration.errors import StorageError, StorageUnavailable

_SQLITE_UNAVAILABLE = {
    "SQLITE_BUSY": "the database is locked by somebody else",
    "SQLITE_LOCKED": "the database is locked by somebody else",
    "SQLITE_FULL": "the disk is full",
    "SQLITE_READONLY": "the database is read-only",
    "SQLITE_CANTOPEN": "the database file cannot be opened",
    "SQLITE_IOERR": "the disk failed",
    "SQLITE_PERM": "the database file may not be touched",
    "SQLITE_NOMEM": "memory ran out",
}
_SQLITE_BROKEN = {
    "SQLITE_CORRUPT": "the database file is damaged",
    "SQLITE_NOTADB": "the database file is not a SQLite database",
}
# Classes (two characters) and single states of https://www.postgresql.org/docs/current/errcodes-appendix.html
_POSTGRES_UNAVAILABLE = {
    "08": "the database cannot be reached",
    "25006": "the database is read-only",
    "28": "the database refuses the login",
    "3D000": "the database does not exist",
    "40": "the database gave way to somebody else's write",
    "53": "the database ran out of disk, memory or connections",
    "55P03": "the database is locked by somebody else",
    "57": "the database is shutting down or gave up",
    "58": "the disk failed",
}


def translated(error: exc.SQLAlchemyError) -> StorageError:
    """StorageUnavailable for what may pass (locked, full, unreachable), else StorageError."""
    if isinstance(error, exc.TimeoutError):
        return StorageUnavailable("the database is busy: no free connection")
    origin = error.orig if isinstance(error, exc.StatementError) else None
    sqlite_name = getattr(origin, "sqlite_errorname", None)
    if isinstance(sqlite_name, str):
        return _of_sqlite(sqlite_name, error)
    state = getattr(origin, "sqlstate", None)
    if isinstance(state, str):
        return _of_postgres(state, error)
    if isinstance(error, exc.DBAPIError) and (error.connection_invalidated or isinstance(error, exc.OperationalError)):
        return StorageUnavailable("the database cannot be reached")
    if isinstance(error, exc.InterfaceError):
        return StorageUnavailable("the database cannot be reached")
    return StorageError(f"the database refused the statement ({_kind(error)})")


def _of_sqlite(name: str, error: exc.SQLAlchemyError) -> StorageError:
    primary = "_".join(name.split("_")[:2])  # SQLITE_IOERR_WRITE -> SQLITE_IOERR
    if primary in _SQLITE_UNAVAILABLE:
        return StorageUnavailable(f"{_SQLITE_UNAVAILABLE[primary]} ({name})")
    if primary in _SQLITE_BROKEN:
        return StorageError(f"{_SQLITE_BROKEN[primary]} ({name})")
    return StorageError(f"the database refused the statement ({_kind(error)}, {name})")


def _of_postgres(state: str, error: exc.SQLAlchemyError) -> StorageError:
    for prefix, meaning in _POSTGRES_UNAVAILABLE.items():
        if state.startswith(prefix):
            return StorageUnavailable(f"{meaning} ({state})")
    return StorageError(f"the database refused the statement ({_kind(error)}, {state})")


def _kind(error: exc.SQLAlchemyError) -> str:
    origin = error.orig if isinstance(error, exc.StatementError) else None
    return type(origin if origin is not None else error).__name__
