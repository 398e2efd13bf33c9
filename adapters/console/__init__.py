"""The group chat in a terminal: for a person, for a pipe, or for a program that speaks JSON lines."""
