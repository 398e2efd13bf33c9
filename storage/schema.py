"""The migrations, run from the program: no alembic.ini, no command line."""

from __future__ import annotations

from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.util import CommandError

from orchestration.errors import StorageError

_LOCK = 7_076_011_001
"""Any number, but always this one: PostgreSQL's advisory lock for migrations."""


def alembic_config(connection: sa.Connection) -> Config:
    """Alembic's configuration for this package's migrations over an open connection."""
    config = Config()
    migrations = Path(__file__).parent / "migrations"
    config.set_main_option("script_location", str(migrations).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def upgrade(connection: sa.Connection) -> None:
    """To the newest revision, within the connection's transaction; others wait until it commits.

    StorageError for tables of a revision this program does not know.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(sa.text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
    try:
        command.upgrade(alembic_config(connection), "head")
    except CommandError:
        raise StorageError("the database was made by a newer Troupe: update this one, or take a backup back") from None
