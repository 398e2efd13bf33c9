"""`python -m bot …`, the same as `troupe …`: whatever goes wrong is one human line and exit code 2."""

from __future__ import annotations

import os
import sys

from bot.cli import run_command_line


def main() -> None:
    os.umask(0o077)  # what people say to each other is read by nobody else on this machine
    sys.exit(run_command_line(sys.argv[1:]))


if __name__ == "__main__":
    main()
