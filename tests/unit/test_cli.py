"""The command line: help at once, every failure one human line and exit code 2."""

from __future__ import annotations

import json
import os
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

import pytest

from bot.cli import run_command_line
from orchestration.cards import read_card
from tests.chat_process import write_config
from tests.model_server import ModelServer

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without a configuration, an environment without keys."""
    monkeypatch.chdir(tmp_path)
    for name in [name for name in os.environ if name.startswith(("OPENAI_", "DISCORD_", "TELEGRAM_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("TROUPE_CACHE", str(tmp_path / "no-cache"))


class Said:
    """What a command wrote and returned."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = run_command_line(arguments)
        self.out, self.err = capsys.readouterr()

    def refused(self) -> str:
        """The one line of a failure."""
        assert self.code == 2, (self.out, self.err)
        assert self.out == ""
        assert self.err.endswith("\n")
        (line,) = self.err.splitlines()
        assert "Traceback" not in line
        return line

    def well(self) -> str:
        assert (self.code, self.err) == (0, ""), (self.out, self.err)
        return self.out


def run_process(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "bot", *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


# ------------------------------------------------------------------------------------------- help and misuse


def test_help_imports_nothing_heavy() -> None:
    script = (
        "import sys; from bot.cli import run_command_line; code = run_command_line(['chat', '--help']);"
        "heavy = {'pydantic', 'yaml', 'sqlalchemy', 'langgraph', 'openai', 'discord', 'telegram', 'dbos', 'rich'};"
        "heavy = sorted((heavy | {'prompt_toolkit', 'structlog'}) & set(sys.modules));"
        "sys.exit(f'{code} {heavy}' if code or heavy else 0)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=60, cwd=ROOT, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "--json" in done.stdout


COMMANDS = [
    [],
    ["run"],
    ["chat"],
    ["check"],
    ["agents"],
    *(["agents", verb] for verb in ("list", "show", "add", "remove", "import", "export")),
    ["eval", "routing"],
    ["db", "upgrade"],
    ["db", "backup"],
    ["models", "fetch"],
]


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_command_has_help(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "Usage: troupe" in Said(capsys, *command, "--help").well()


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
def test_streams_that_are_closed_lead_nowhere(closed: str) -> None:
    """The shell's word for no such stream at all."""
    done = subprocess.run(
        ["sh", "-c", f'"$0" -m bot agents add Kai {closed} && "$0" -m bot agents list', sys.executable],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines()[-1] == "Kai"


def test_the_version_is_the_distributions(capsys: pytest.CaptureFixture[str]) -> None:
    assert Said(capsys, "--version").well().strip() == f"troupe {version('troupe-bot')}"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nonsense"], "troupe: No such command 'nonsense'"),
        (["chat", "--nope"], "troupe chat: No such option"),
        (["agents", "show"], "troupe agents show: Missing argument 'NAME'"),
        (["eval", "routing", "in.jsonl"], "troupe eval routing: Missing option '--out'"),
        (["db", "backup"], "troupe db backup: Missing argument 'FILE'"),
        (["chat", "--config", "nowhere.yaml"], "nowhere.yaml: expected a file, found none at nowhere.yaml"),
        (["run"], "config.yaml: discord.enabled: expected true here or in telegram.enabled"),
        (["agents", "import", "nowhere.png"], "troupe: No such file or directory (nowhere.png)"),
        (["agents", "list", "--tenant", "irc:1"], "troupe agents list: Invalid value for --tenant"),
        (["agents", "list", "--tenant", "discord:1"], "Nobody has been heard from discord:1 yet"),
        (["agents", "show", "Nobody\n\x1b[31m"], "There is no agent"),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value)[:30],
)
def test_misuse_is_one_line(arguments: list[str], told: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = Said(capsys, *arguments).refused()
    assert line.startswith(told)
    assert "\x1b" not in line


@pytest.mark.parametrize(
    "command", [["chat"], ["run"], ["check"], ["agents", "list"], ["db", "upgrade"], ["models", "fetch"]]
)
def test_a_wrong_configuration_is_the_same_one_line_everywhere(
    command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.yaml").write_text("turn: {agents_max: 9}", encoding="utf-8")
    said = Said(capsys, *command)
    assert said.refused() == "config.yaml: turn.agents_max: expected a whole number from 1 to 6, got 9"


def test_a_group_without_a_command_shows_its_help(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ([], ["agents"], ["db"]):
        assert "Commands:" in Said(capsys, *command).well()


# ------------------------------------------------------------------------------------------- the cast


def test_agents_come_and_go(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "Mira" in Said(capsys, "agents", "list").well()
    Said(capsys, "agents", "add", "阿福", "--alias", "Fu", "--tone", "dry {char}", "--emoji", "🎲").well()
    assert "There is" in Said(capsys, "agents", "add", "Fu").refused()
    shown = Said(capsys, "agents", "show", "阿福").well()
    assert "dry {char}" in shown
    assert "🎲" in shown

    Said(capsys, "agents", "export", "Fu", "--out", "fu.json").well()
    assert "File exists" in Said(capsys, "agents", "export", "Fu", "--out", "fu.json").refused()
    assert json.loads(Said(capsys, "agents", "export", "Fu").well())["data"]["name"] == "阿福"
    assert read_card((tmp_path / "fu.json").read_bytes(), locale="en", name="").card.tone == "dry {char}"

    Said(capsys, "agents", "remove", "阿福").well()
    assert "阿福" not in Said(capsys, "agents", "list").well()
    Said(capsys, "agents", "import", "fu.json", "--name", "Fuji").well()
    assert "Fuji" in Said(capsys, "agents", "list").well()


def test_a_card_that_is_none_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "x.png").write_bytes(b"\x89PNG\r\n\x1a\n" + b"\0" * 50)
    Said(capsys, "agents", "import", "x.png").refused()


# ------------------------------------------------------------------------------------------- database


def test_database_is_upgraded_and_copied(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "up to date" in Said(capsys, "db", "upgrade").well()
    Said(capsys, "db", "backup", "copy.db").well()
    assert (tmp_path / "copy.db").read_bytes().startswith(b"SQLite format 3")
    assert "copy.db" in Said(capsys, "db", "backup", "copy.db").refused()


def test_a_database_out_of_reach_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.yaml").write_text("storage: {url: 'sqlite:////proc/nowhere/x.db'}", encoding="utf-8")
    for command in (["db", "upgrade"], ["agents", "list"]):
        assert Said(capsys, *command).refused().startswith("config.yaml: storage.url: expected a database that answers")
    done = run_process("chat", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("config.yaml: storage.url: expected a database that answers")
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("name", ["troupe.db", "engine.db", "checkpoints.db"])
def test_a_file_that_is_no_database_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / name).write_bytes(b"what is this" * 400)
    done = run_process("chat", "--json")
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert name in line
    assert "SQLite database" in line
    assert name in run_process("check").stdout


def test_tables_of_a_newer_troupe_are_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    Said(capsys, "db", "upgrade").well()
    with closing(sqlite3.connect(tmp_path / "data" / "troupe.db")) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
        database.commit()
    assert "newer Troupe" in Said(capsys, "db", "upgrade").refused()


def test_a_password_in_the_address_is_never_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        port = closed.getsockname()[1]
        url = f"postgresql://troupe:hunter2hunter2@127.0.0.1:{port}/troupe"
        (tmp_path / "config.yaml").write_text(f"storage: {{url: '{url}'}}", encoding="utf-8")
        told = Said(capsys, "db", "upgrade").refused()
        assert told.startswith("config.yaml: storage.url: expected a database that answers")
        assert "hunter2" not in told


def test_a_data_directory_that_cannot_be_written_is_named_by_its_key(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "config.yaml").write_text("data_dir: /proc/nowhere", encoding="utf-8")
    for command in (["chat", "--json"], ["agents", "list"], ["db", "upgrade"]):  # before anything is opened
        assert Said(capsys, *command).refused().startswith("config.yaml: data_dir: expected a folder that can be wr")


# ------------------------------------------------------------------------------------------- check


def test_check_without_a_model_warns_and_is_content(capsys: pytest.CaptureFixture[str]) -> None:
    said = Said(capsys, "check")
    assert said.code == 0
    assert "OPENAI_API_KEY" in said.out
    assert "All is well." in said.out


def test_check_says_it_in_chinese(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.yaml").write_text("locale: zh", encoding="utf-8")
    assert "一切正常" in Said(capsys, "check").out


async def check_with(server: ModelServer, folder: Path) -> subprocess.CompletedProcess[str]:
    import asyncio

    write_config(folder, server.base_url)
    return await asyncio.to_thread(run_process, "check")


async def test_check_calls_the_model_once(tmp_path: Path) -> None:
    async with ModelServer(["hello"]) as server:
        done = await check_with(server, tmp_path)
        assert (done.returncode, done.stderr) == (0, "")
        assert "writer" in done.stdout
        assert server.count == 1


async def test_check_names_a_refused_key_and_how_to_mend_it(tmp_path: Path) -> None:
    async with ModelServer(["fault:401"]) as server:
        done = await check_with(server, tmp_path)
    assert (done.returncode, done.stderr) == (2, "")
    assert "api_key_env" in done.stdout
    assert "To mend: 1" in done.stdout


def test_check_names_a_server_that_is_not_there(tmp_path: Path) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        write_config(tmp_path, f"http://127.0.0.1:{closed.getsockname()[1]}/v1")
        done = run_process("check")
    assert done.returncode == (2)
    assert "base_url" in done.stdout
    assert done.stderr == ""


def test_check_names_a_folder_that_cannot_be_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.yaml").write_text("data_dir: /proc/nowhere", encoding="utf-8")
    said = Said(capsys, "check")
    assert said.code == 2
    assert "data_dir" in said.out


# ------------------------------------------------------------------------------------------- chat


def test_chat_takes_plain_lines_and_keeps_stderr_clean(tmp_path: Path) -> None:
    done = run_process("chat", "--as", "Ann", stdin="Hello Mira\n/agent list\n")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\nMira: " in done.stdout
    assert (tmp_path / "data" / "transcript.jsonl").exists()


def test_chat_says_in_one_line_that_the_data_directory_is_taken(tmp_path: Path) -> None:
    first = subprocess.Popen(
        [sys.executable, "-m", "bot", "chat", "--json"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert first.stdin is not None
    assert first.stdout is not None
    try:
        first.stdin.write('{"command": "/agent list"}\n')
        first.stdin.flush()
        assert json.loads(first.stdout.readline())["type"] == "notice"
        done = run_process("chat", "--json", stdin='{"id":"m1","text":"hi"}\n')
        assert (done.returncode, done.stdout) == (2, "")
        assert len(done.stderr.splitlines()) == 1
    finally:
        first.communicate(timeout=60)
    assert first.returncode == 0


def test_a_reader_that_goes_away_ends_the_chat_without_a_word(tmp_path: Path) -> None:
    done = subprocess.run(
        f"yes nonsense | '{sys.executable}' -m bot chat --json | head -1",
        shell=True,
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert json.loads(done.stdout)["type"] == "notice"
    assert [line for line in done.stderr.splitlines() if not line.startswith("yes:")] == []
