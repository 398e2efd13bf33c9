"""The in-memory twin of the database: the same promises, nothing on disk. For tests and trials."""

from storage.memory.store import MemoryStorage

__all__ = ["MemoryStorage"]
