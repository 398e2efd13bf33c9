"""Names and avatars that Discord accepts, for any card."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from adapters.discord.faces import avatar_problem, avatar_url, looks, persona_name, safe_name
from adapters.splitting import utf16_units
from tests.fake_discord.messages import check_username

names = st.text(max_size=200) | st.sampled_from(
    [
        "Clyde",
        "DISCORD",
        "discord helper",
        "here",
        "Everyone",
        "X",
        "猫",
        "",
        "\u200b",
        "👨‍👩‍👧‍👦" * 30,
        "a```b",
        "\ud83d",
        "İ" * 90,
    ]
)


@given(names, names)
def test_any_name_becomes_one_that_discord_takes(name: str, before: str) -> None:
    shown = persona_name(name, unlike=before)
    check_username(shown)
    assert utf16_units(shown) <= 80
    assert shown == persona_name(name, unlike=before)


@given(names)
def test_two_speakers_of_one_name_are_told_apart_and_look_the_same(name: str) -> None:
    shown, second = persona_name(name), persona_name(name, unlike=persona_name(name))
    assert shown != second
    assert looks(shown) == looks(second)


@pytest.mark.parametrize("name", ["Ada", "Nova 星星", "O'Neil-Smith", "Zoë", "🦊 Fox"])
def test_an_ordinary_name_is_left_as_it_is(name: str) -> None:
    assert persona_name(name) == name


@given(names)
def test_the_last_resort_is_plain(name: str) -> None:
    check_username(safe_name(name, "some-agent"))
    assert safe_name(name, "some-agent").isascii()


def test_an_avatar_is_always_there_and_always_the_same() -> None:
    assert avatar_url("", "ada") == avatar_url("", "ada")
    assert avatar_url("", "ada").startswith("https://")
    assert avatar_url("https://x.example/a.png", "ada") == "https://x.example/a.png"
    assert avatar_url("https://x.example/a.png", "ada", version=3) == "https://x.example/a.png?v=3"


@pytest.mark.parametrize(
    ("avatar", "problem"),
    [
        ("https://x.example/a.png", None),
        ("http://x.example/a.png", "discord_avatar_not_https"),
        ("nonsense", "discord_avatar_not_https"),
        ("https://[", "discord_avatar_not_https"),
        ("https://x.example/a.gif", "discord_avatar_kind"),
        ("https://cdn.discordapp.com/attachments/1/2/a.png", "discord_avatar_attachment"),
        ("https://cdn.discordapp.com/emojis/1.png?size=256", None),
    ],
)
def test_pictures_that_discord_would_not_show(avatar: str, problem: str | None) -> None:
    assert avatar_problem(avatar) == problem
    if problem:
        assert avatar_url(avatar, "ada").startswith("https://cdn.discordapp.com/embed/")
