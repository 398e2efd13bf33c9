"""Slash commands, message commands and forms: they ask the core's use cases and show the answer."""
