"""`python -m bot …`, the same as `troupe …`: whatever goes wrong is one human line and exit code 2."""

from __future__ import annotations

import os
import sys

from bot.cli import run_command_line


def main() -> None:
    os.umask(0o077)  # what people say to each other is read by nobody else on this machine
    _have_streams()
    sys.exit(run_command_line(sys.argv[1:]))


def _have_streams() -> None:
    """A standard stream that was closed leads nowhere; without this, the first file of ours would take its place."""
    for descriptor, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(descriptor)
        except OSError:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115 (open as long as the process)


if __name__ == "__main__":
    main()
