"""`make faults`: every fault bench of this folder (`bench_*.py`), one after the other.

Each prints one JSON line a scenario and ends with an exit code other than 0 when something was lost, doubled or out of
order; so does this. Names given as arguments choose: ``python -m tests.faults telegram``.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LIMIT_S = 1800


def main(names: list[str]) -> int:
    worst = 0
    for bench in sorted(Path(__file__).parent.glob("bench_*.py")):
        if names and bench.stem.removeprefix("bench_") not in names:
            continue
        print(f"# {bench.stem}", file=sys.stderr, flush=True)
        done = subprocess.run([sys.executable, "-m", f"tests.faults.{bench.stem}"], timeout=LIMIT_S, check=False)
        worst = max(worst, abs(done.returncode))
    return min(worst, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
