"""What docs/architecture.md promises of the code's shape, proved on the source itself."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("bot", "adapters", "orchestration", "storage")
MAY_IMPORT = {
    "bot": {"bot", "adapters", "orchestration", "storage"},
    "adapters": {"adapters", "orchestration"},
    "storage": {"storage", "orchestration"},
    "orchestration": {"orchestration"},
}
HOMES = {
    "discord": ("adapters/discord/",),
    "telegram": ("adapters/telegram/",),
    "rich": ("adapters/console/", "bot/"),
    "prompt_toolkit": ("adapters/console/",),
    "sqlalchemy": ("storage/",),
    "aiosqlite": ("storage/", "bot/checkpoints.py"),
    "alembic": ("storage/",),
    "apscheduler": ("bot/",),
    "dbos": ("bot/engine.py", "bot/claims.py", "bot/engine_retention.py"),
    "yaml": ("bot/",),
    "click": ("bot/",),
    "dotenv": ("bot/",),
    "langchain_openai": ("orchestration/llm",),
    "openai": ("orchestration/llm",),
    "langgraph": (
        "orchestration/graph.py",
        "orchestration/nodes/",
        "orchestration/workflows",
        "orchestration/playing.py",
        "bot/checkpoints.py",
        "bot/app.py",
    ),
}
DATA = ("orchestration/texts/", "orchestration/routing/languages/", "orchestration/prompts/", "storage/migrations/")
"""Tables of words: long by nature, and the only places where Troupe's own sentences may stand."""


@cache
def sources() -> tuple[Path, ...]:
    return tuple(file for package in PACKAGES for file in sorted((ROOT / package).rglob("*.py")))


def name_of(file: Path) -> str:
    return file.relative_to(ROOT).as_posix()


@cache
def tree_of(file: Path) -> ast.Module:
    return ast.parse(file.read_text("utf-8"))


def imports_of(file: Path) -> Iterator[str]:
    """Every module a file names, imports inside functions included."""
    package = name_of(file).removesuffix(".py").split("/")[:-1]
    for node in ast.walk(tree_of(file)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            yield ".".join([*base, *([node.module] if node.module else [])])


def functions_of(file: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    yield from (n for n in ast.walk(tree_of(file)) if isinstance(n, ast.FunctionDef | ast.AsyncFunctionDef))


def test_imports_point_inward() -> None:
    wrong = [
        f"{name_of(file)} imports {module}"
        for file in sources()
        for module in imports_of(file)
        if (top := module.split(".")[0]) in PACKAGES and top not in MAY_IMPORT[name_of(file).split("/")[0]]
    ]
    assert wrong == []


def test_no_platform_knows_another() -> None:
    wrong = [
        f"{name_of(file)} imports {module}"
        for file in (ROOT / "adapters").glob("*/**/*.py")
        for module in imports_of(file)
        if (parts := module.split("."))[0] == "adapters"
        and len(parts) > 1
        and (ROOT / "adapters" / parts[1]).is_dir()
        and parts[1] != name_of(file).split("/")[1]
    ]
    assert wrong == []


@pytest.mark.parametrize("library", HOMES)
def test_a_library_is_used_in_its_home_only(library: str) -> None:
    wrong = [
        name_of(file)
        for file in sources()
        for module in imports_of(file)
        if module.split(".")[0] == library and not name_of(file).startswith(HOMES[library])
    ]
    assert wrong == []


def test_the_core_never_names_a_platform() -> None:
    """Branching on a platform's name belongs to adapters; the core may only carry it."""
    wrong = [
        f"{name_of(file)}:{node.lineno}"
        for file in sources()
        if name_of(file).startswith("orchestration/") and not name_of(file).startswith(DATA)
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and node.value in {"discord", "telegram", "console"}
    ]
    assert wrong == []


def test_files_and_functions_are_short() -> None:
    lengths = {name_of(f): len(f.read_text("utf-8").splitlines()) for f in sources() if not name_of(f).startswith(DATA)}
    assert {name: n for name, n in lengths.items() if n > 450} == {}
    assert sum(n <= 300 for n in lengths.values()) >= 0.95 * len(lengths)
    functions = {
        f"{name_of(file)}:{f.name}": (f.end_lineno or f.lineno) - f.lineno + 1
        for file in sources()
        if not name_of(file).startswith(DATA)
        for f in functions_of(file)
    }
    assert {name: n for name, n in functions.items() if n > 100} == {}
    assert sum(n <= 40 for n in functions.values()) >= 0.95 * len(functions)


def test_files_are_named_for_what_they_hold() -> None:
    vague = {"utils", "util", "helpers", "helper", "manager", "common", "misc", "base_utils"}
    assert [name_of(file) for file in sources() if file.stem in vague] == []


def test_what_people_read_stands_in_the_texts() -> None:
    """A whole sentence in the code, English or Chinese, is one that somebody forgot to put into the texts."""
    sentence = re.compile(r"^[A-Z][a-z']*( [\w',;:()-]+){4,}[.!?]$|[\u4e00-\u9fff，。！？]{9,}")
    wrong = [
        f"{name_of(file)}:{node.lineno}: {node.value[:60]}"
        for file in sources()
        if not name_of(file).startswith((*DATA, "bot/"))  # the command line speaks to the operator, in one language
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and sentence.search(node.value)
        and node.value not in docstrings(file)
    ]
    assert wrong == []


@cache
def docstrings(file: Path) -> frozenset[str]:
    """Docstrings, and the bare strings under attributes that serve as such."""
    return frozenset(
        node.value.value
        for node in ast.walk(tree_of(file))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
    )


def test_a_broad_except_leaves_a_trace() -> None:
    wrong = []
    for file in sources():
        for node in ast.walk(tree_of(file)):
            if not isinstance(node, ast.ExceptHandler):
                continue
            names = {n.id for n in ast.walk(node.type) if isinstance(n, ast.Name)} if node.type else {"BaseException"}
            if not names & {"Exception", "BaseException"}:
                continue
            body = [inner for statement in node.body for inner in ast.walk(statement)]
            logged = any(isinstance(n, ast.Attribute) and n.attr in LOGGED for n in body)
            if not (logged or any(isinstance(n, ast.Raise) for n in body)):
                wrong.append(f"{name_of(file)}:{node.lineno}")
    assert [place for place in wrong if not place.startswith("bot/cli.py:")] == []  # cli.py tells it in one line


LOGGED = {"exception", "error", "warning", "debug", "info"}


def test_every_module_says_what_it_holds() -> None:
    assert [
        name_of(file) for file in sources() if not ast.get_docstring(tree_of(file)) and file.stem != "__init__"
    ] == []


def test_importing_does_nothing() -> None:
    """No thread, no output, no file: everything is built in bot/app.py."""
    modules = [
        name_of(file).removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        for file in sources()
        if not name_of(file).startswith("storage/migrations/") and file.stem != "__main__"
    ]
    script = (
        "import importlib, sys, threading, warnings; warnings.simplefilter('ignore')\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "sys.exit(str(threading.enumerate()) if threading.active_count() > 1 else 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=100, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_no_test_patches_our_code() -> None:
    patching = re.compile(r"\bmock\.patch|from unittest import mock|import unittest\.mock|monkeypatch\.setattr\(")
    wrong = [
        name_of(file)
        for file in sorted((ROOT / "tests").rglob("*.py"))
        if file != Path(__file__) and patching.search(file.read_text("utf-8"))
    ]
    assert wrong == []


def test_nothing_points_at_somebodys_machine() -> None:
    listed = subprocess.run(["git", "ls-files"], capture_output=True, text=True, timeout=60, cwd=ROOT, check=False)
    if listed.returncode:
        pytest.skip("this copy is no git repository")
    pointing = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/[\w.-]+/")
    wrong = [
        name
        for name in listed.stdout.splitlines()
        if (file := ROOT / name) != Path(__file__)
        and file.is_file()
        and file.suffix in {".py", ".md", ".toml", ".yaml", ".lock", ".txt", ""}
        and pointing.search(file.read_text("utf-8", "replace"))
    ]
    assert wrong == []
