"""`python -m bot …`, the same as `troupe …`: whatever goes wrong is one human line and exit code 2."""

from __future__ import annotations

import sys

from bot.cli import run_command_line


def main() -> None:
    sys.exit(run_command_line(sys.argv[1:]))


if __name__ == "__main__":
    main()
