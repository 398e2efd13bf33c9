"""Secrets at rest: the key beside the database."""

from __future__ import annotations

from pathlib import Path

import pytest

from adapters.sealing import SecretBox
from orchestration.errors import ConfigError


def test_what_is_sealed_is_opened_with_the_same_key_alone(tmp_path: Path) -> None:
    path = tmp_path / "data" / "discord.key"
    sealed = SecretBox.with_key(path).seal("token")
    assert "token" not in sealed
    assert SecretBox.with_key(path).open(sealed) == "token"
    assert SecretBox.with_key(tmp_path / "other.key").open(sealed) is None
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["discord.key"]


def test_a_key_that_a_crash_left_empty_is_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "discord.key"
    path.touch()
    sealed = SecretBox.with_key(path).seal("token")
    assert SecretBox.with_key(path).open(sealed) == "token"
    assert path.stat().st_mode & 0o777 == 0o600


def test_what_is_no_key_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "discord.key"
    path.write_text("something of somebody's")
    with pytest.raises(ConfigError, match="expected the key"):
        SecretBox.with_key(path)
    assert path.read_text() == "something of somebody's"


def test_a_key_that_cannot_be_read_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "discord.key").mkdir()
    with pytest.raises(ConfigError, match="cannot be read"):
        SecretBox.with_key(tmp_path / "discord.key")


def test_a_key_that_cannot_be_made_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "data").symlink_to(tmp_path / "gone" / "away")
    with pytest.raises(ConfigError, match="cannot be written"):
        SecretBox.with_key(tmp_path / "data" / "discord.key")


@pytest.mark.parametrize("broken", ["", "no seal", "\ud800", "gAAAAA=="])
def test_what_is_no_seal_opens_as_nothing(tmp_path: Path, broken: str) -> None:
    assert SecretBox.with_key(tmp_path / "discord.key").open(broken) is None
