"""Alembic's revisions of the tables, oldest first. `Database.upgrade()` runs them."""
