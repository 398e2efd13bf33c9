"""config.yaml: what is right is loaded word for word; what is wrong is one line that names the place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import yaml
from pydantic import BaseModel

from bot.config import Settings, load
from bot.config_models import FileConfig
from orchestration.errors import ConfigError
from orchestration.model import Locale

EXAMPLE = Path(__file__).parents[2] / "config.example.yaml"
PROVIDER = (
    "models: {providers: {main: {base_url: 'http://127.0.0.1:1/v1', api_key_env: MAIN_KEY}}, "
    "roles: {writer: {provider: main, model: m}}}"
)


def load_text(folder: Path, text: str, **environ: str) -> Settings:
    file = folder / "config.yaml"
    file.write_text(text, encoding="utf-8")
    return load(file, environ=environ)


def refusal(folder: Path, text: str, **environ: str) -> str:
    with pytest.raises(ConfigError) as caught:
        load_text(folder, text, **environ)
    line = str(caught.value)
    assert "\n" not in line
    return line


# ------------------------------------------------------------------------------------------- the example


def test_the_example_is_loaded_as_it_stands() -> None:
    settings = load(EXAMPLE, environ={})
    assert settings.data_dir == EXAMPLE.parent / "data"
    assert [agent.name for agent in settings.cast] == ["Ada", "Bo"]


def test_the_example_is_loaded_with_all_its_optional_keys(tmp_path: Path) -> None:
    text = re.sub(r"^(\s*)#~ ", r"\1", EXAMPLE.read_text("utf-8"), flags=re.MULTILINE)
    settings = load_text(tmp_path, text, OPENAI_API_KEY="k-123456", TROUPE_DATABASE_URL="postgresql://u:pw@h/d")
    assert settings.role("writer") is not None
    assert settings.database_url == "postgresql+psycopg://u:pw@h/d"
    assert settings.discord.gateway_url == "wss://gateway.discord.gg"


def keys_of(model: type[BaseModel]) -> set[str]:
    found: set[str] = set()
    for name, info in model.model_fields.items():
        found.add(name)
        for inner in [info.annotation, *getattr(info.annotation, "__args__", ())]:
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                found |= keys_of(inner)
    return found


def test_the_example_shows_and_explains_every_key() -> None:
    lines = EXAMPLE.read_text("utf-8").splitlines()
    shown = {m[1] for line in lines if (m := re.match(r"[\s#~-]*([a-z_]+):(\s|$)", line))}
    assert keys_of(FileConfig) - shown == set()
    assert sum(line.lstrip().startswith("# ") for line in lines) > len(keys_of(FileConfig))


# ------------------------------------------------------------------------------------------- defaults


def test_without_a_file_the_starter_cast_is_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    settings = load(None, environ={})
    cards = settings.starter_cards()
    assert settings.file is None
    assert settings.data_dir == tmp_path / "data"
    assert settings.database_url == f"sqlite+aiosqlite:///{tmp_path}/data/troupe.db"
    assert len(cards) >= 4
    assert len({card.id for card in cards}) == len(cards)
    for card in cards:
        assert card.starter
        assert any(re.search(r"[\u4e00-\u9fff]", alias) for alias in card.aliases), f"{card.name} has no Chinese name"
        for text in (card.emoji, card.description, card.personality, card.tone, card.instructions, card.backstory):
            assert text, f"{card.name} has an empty field"
        assert card.boundaries


def test_a_file_in_the_current_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "config.yaml").write_text("locale: zh", encoding="utf-8")
    assert load(None, environ={}).locale is Locale.ZH


def test_empty_file_and_empty_sections_mean_defaults(tmp_path: Path) -> None:
    assert load_text(tmp_path, "").turn.agents_max == 3
    assert load_text(tmp_path, "discord:\nturn:\nmodels:\n  providers:\n").turn.timeout_s == 120


def test_data_dir_is_relative_to_the_file_not_to_the_process(tmp_path: Path) -> None:
    assert load_text(tmp_path, "data_dir: ../elsewhere").data_dir == tmp_path.parent / "elsewhere"


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("sqlite:///x/y.db", "sqlite+aiosqlite:///{here}/x/y.db"),
        ("sqlite:////abs/y.db", "sqlite+aiosqlite:////abs/y.db"),
        ("sqlite:///y.db?timeout=3", "sqlite+aiosqlite:///{here}/y.db?timeout=3"),
        ("postgresql://h/d", "postgresql+psycopg://h/d"),
        ("postgres://h/d", "postgresql+psycopg://h/d"),
        ("postgresql+psycopg://postgres@/d?host=/tmp/pg", "postgresql+psycopg://postgres@/d?host=/tmp/pg"),
    ],
)
def test_database_address(tmp_path: Path, url: str, expected: str) -> None:
    settings = load_text(tmp_path, f"storage: {{url: '{url}'}}")
    assert settings.database_url == expected.format(here=tmp_path)


# ------------------------------------------------------------------------------------------- roles and secrets


def test_an_absent_role_is_the_writers_and_null_is_nobody(tmp_path: Path) -> None:
    text = (
        "models: {providers: {m: {base_url: 'http://h/v1'}}, roles: {writer: {provider: m, model: big}, checker: null}}"
    )
    settings = load_text(tmp_path, text)
    router = settings.role("router")
    assert router is not None
    assert router.model == "big"
    assert settings.role("checker") is None


def test_keys_come_from_the_environment_then_from_dotenv(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("MAIN_KEY=from-file\nOTHER=x y\n", encoding="utf-8")
    assert load_text(tmp_path, PROVIDER).secret("MAIN_KEY") == "from-file"
    settings = load_text(tmp_path, PROVIDER, MAIN_KEY="from-process")
    assert settings.secret("MAIN_KEY") == "from-process"
    assert settings.secret("OTHER") == "x y"
    assert settings.secret("NOT_SET") == ""
    assert settings.secret(None) == ""
    assert "from-process" in settings.secrets()
    assert "from-process" not in repr(settings)


def test_an_unset_key_is_refused_by_name(tmp_path: Path) -> None:
    for environ in ({}, {"MAIN_KEY": ""}, {"MAIN_KEY": "  "}):
        line = refusal(tmp_path, PROVIDER, **environ)
        assert line == (
            "config.yaml: models.providers.main.api_key_env: expected the environment variable MAIN_KEY to be set "
            "(or written in .env), got nothing"
        )


@pytest.mark.parametrize(
    "text",
    [
        "models: {providers: {m: {base_url: 'http://h/v1', api_key: sk-verysecret1}}}",
        "models: {providers: {m: {base_url: 'http://h/v1', api_key_env: sk-verysecret1}}}",
        "models: {providers: {m: {base_url: 'http://h/v1', api_key_env: hf_verysecret1verysecret1verysecret1}}}",
        "models: {providers: {m: {base_url: 'http://me:verysecret1@h/v1'}}}",
        "storage: {url: 'postgresql://me:verysecret1@h:port/d'}",
        "telegram: {token_env: '123456:verysecret1'}",
        "discord: {enabled: true, token_env: MTA_verysecret1}",
        "verysecret1verysecret1verysecret1verysecret1",
        "sk-verysecret1: true",
        "models: {providers: {verysecret1verysecret1verysecret1: {base_url: 5}}}",
    ],
)
def test_a_pasted_secret_is_never_repeated(tmp_path: Path, text: str) -> None:
    assert "verysecret1" not in refusal(tmp_path, text)


# ------------------------------------------------------------------------------------------- refusals

REFUSED = [
    ("lokale: en", "lokale: expected locale (one of data_dir, locale,"),
    ("locale: fr", "locale: expected en or zh, got 'fr'"),
    ("turn: {agents_max: 7}", "turn.agents_max: expected a whole number from 1 to 6, got 7"),
    ("turn: {agents_max: 0}", "turn.agents_max: expected a whole number from 1 to 6, got 0"),
    ("turn: {agents_max: true}", "turn.agents_max: expected a whole number from 1 to 6, got true"),
    ("turn: {agents_max: '3'}", "turn.agents_max: expected a whole number from 1 to 6, got '3'"),
    ("turn: {clarify_below: 2}", "turn.clarify_below: expected a number from 0 to 1, got 2"),
    ("turn: {clarify_below: .nan}", "turn.clarify_below: expected a number from 0 to 1, got nan"),
    ("turn: [1]", "turn: expected a mapping with agents_max, clarify_below, timeout_s, …, got a list of 1"),
    ("cast: []", "cast: expected a list of 1 to 8 agents, got a list of 0"),
    ("cast:", "cast: expected a list of 1 to 8 agents, got nothing"),
    ("cast: {name: A}", "cast: expected a list of 1 to 8 agents, got a mapping"),
    ("cast: [" + "{name: A}," * 9 + "]", "cast: expected a list of 1 to 8 agents, got a list of 9"),
    ("cast: [{name: A}, {aliases: [b]}]", "cast[1].name: expected a name of 1 to 200 characters, got nothing"),
    ("cast: [{name: 5}]", "cast[0].name: expected a name of 1 to 200 characters, got 5"),
    ("cast: [{name: A, age: 5}]", "cast[0].age: expected one of name, aliases, "),
    (
        "cast: [{name: Ada}, {name: ' ＡＤＡ'}]",
        "cast[1].name: expected a name that no other agent has (cast[0] has it)",
    ),
    ("cast: [{name: A, aliases: [X]}, {name: x}]", "cast[1].name: expected a name that no other agent has"),
    ('cast: [{name: "\\u200b\\u2060"}]', "cast[0].name: expected a name with at least one visible character, got none"),
    ('cast: [{name: "A\\eB"}]', "cast[0].name: expected a name without control characters"),
    ("models: {roles: {writer: {model: m}}}", "models.roles.writer.provider: expected the name of one of models.pro"),
    (
        "models: {providers: {a: {base_url: 'http://h/v1'}}, roles: {writer: {provider: b, model: m}}}",
        "models.roles.writer.provider: expected one of the names under models.providers (a), got 'b'",
    ),
    ("models: {providers: {a: {base_url: 'http://h/v1'}}}", "models.roles.writer: expected a provider and a model"),
    ("models: {providers: {a: {base_url: 'h/v1'}}}", "models.providers.a.base_url: expected an address, http://…"),
    (
        "models: {providers: {a: {base_url: 'http://h', wire_api: chat}}}",
        "models.providers.a.wire_api: expected chat_completions or responses, got 'chat'",
    ),
    ("storage: {url: 'mysql://h/d'}", "storage.url: expected a database address, sqlite:///FILE or postgresql://"),
    ("storage: {url: 'sqlite+odd:///x'}", "storage.url: expected a database address, sqlite:///FILE or postgresql://"),
    ("storage: {url: 'sqlite:///:memory:'}", "storage.url: expected a file, sqlite:///FILE: what is kept in memory"),
    ("storage: {url: 'postgresql://h:port/d'}", "storage.url: expected a host and a port, postgresql://HOST:PORT/NAME"),
    ("storage: {url: 'postgresql://[::1/d'}", "storage.url: expected a host and a port, postgresql://HOST:PORT/NAME"),
    ("data_dir: ~nobody-of-this-name/x", "data_dir: expected a folder, or a place for one, got '~nobody"),
    ("data_dir: ./config.yaml", "data_dir: expected a folder, or a place for one, got './config.yaml'"),
    ("telegram: {webhook: {public_url: 'x'}}", "telegram.webhook.public_url: expected the address Telegram is to call"),
    ("telegram: {webhook: {listen: 'h:70000'}}", "telegram.webhook.listen: expected host:port to listen on"),
    ("discord: {enabled: true}", "discord.token_env: expected the environment variable DISCORD_TOKEN to be set"),
    ("telegram: {enabled: true}", "telegram.token_env: expected the environment variable TELEGRAM_TOKEN to be set"),
    ("telegram: {mode: push}", "telegram.mode: expected polling or webhook, got 'push'"),
    ("- a", "expected a mapping of keys like `locale: en`, got a list of 1"),
    ("locale: en\nturn: [", "line 2, column 8: expected valid yaml, got:"),
    ("locale: en\nlocale: zh", "line 2, column 1: expected valid yaml, got: the key locale stands twice"),
    ("a: !!python/object/apply:os.system ['true']", "line 1, column 4: expected valid yaml, got:"),
    ('"a\\nb": 1', "a?b: expected one of data_dir, locale,"),
    ("'': 1", '"": expected one of data_dir, locale,'),
    ("turn: {" + "x" * 900 + ": 1}", f"turn.{'x' * 39}…: expected one of agents_max, "),
    ("LOCALE: en", "LOCALE: expected locale (one of data_dir, locale,"),
    ("cast: [{name: A, aliases: [5]}]", "cast[0].aliases[0]: expected a name in quotes, got 5"),
    ("cast: [{name: A, tools: [5]}]", "cast[0].tools[0]: expected the name of a tool, in quotes, got 5"),
]


@pytest.mark.parametrize(("text", "expected"), REFUSED)
def test_what_is_wrong_is_one_line_with_the_place(tmp_path: Path, text: str, expected: str) -> None:
    assert refusal(tmp_path, text).startswith("config.yaml: " + expected)


@pytest.mark.parametrize(
    "url",
    [
        "h/v1",
        "//h/v1",
        "ftp://h",
        "http://",
        "http:///v1",
        "http://a b",
        "http://h:port",
        "http://h:99999",
        "http://[::1/v1",
        "http://h:0/v1",
        "http://h/v1?key=x",
        "http://h/v1#x",
        "http://me@h/v1",
        "http://h/v1 ",
    ],
)
def test_an_address_that_cannot_be_called_is_refused(tmp_path: Path, url: str) -> None:
    said = refusal(tmp_path, f"models: {{providers: {{a: {{base_url: '{url}'}}}}}}")
    assert said.startswith("config.yaml: models.providers.a.base_url: expected an address, http://… or https://…")


@pytest.mark.parametrize("url", ["localhost:11434", "http://", "http://h:port/v1", "http://me:verysecret1@h/v1"])
def test_an_address_of_the_environment_is_looked_at_too(tmp_path: Path, url: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_text(tmp_path, "locale: en", OPENAI_BASE_URL=url)
    assert str(error.value).startswith("config.yaml: OPENAI_BASE_URL: expected an address, http://… or https://…")
    assert "verysecret1" not in str(error.value)


@pytest.mark.parametrize(
    "text",
    [
        "a: &a [*a]",
        "a: &a {b: *a}",
        "\n".join(["a0: &a0 [x, x]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))]),
    ],
)
def test_anchors_that_never_end_are_refused(tmp_path: Path, text: str) -> None:
    assert refusal(tmp_path, text) == "config.yaml: expected plain yaml, got something that cannot be read"


def test_more_faults_are_counted(tmp_path: Path) -> None:
    assert refusal(tmp_path, "locale: fr\nlokale: en\nturn: {agents_max: 9}").endswith("(and 2 more)")


def test_files_that_are_none(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"^nowhere\.yaml: expected a file, found none at "):
        load(tmp_path / "nowhere.yaml", environ={})
    with pytest.raises(ConfigError, match="expected a readable file"):
        load(tmp_path, environ={})
    with pytest.raises(ConfigError, match=r"^/: expected a readable file"):
        load("/", environ={})
    (tmp_path / "bytes.yaml").write_bytes(b"locale: en\nx: \xff\xfe")
    with pytest.raises(ConfigError, match=r"^bytes\.yaml: line 2: expected UTF-8 text"):
        load(tmp_path / "bytes.yaml", environ={})
    with pytest.raises(ConfigError, match=r"^zero: expected at most 10 MB, got more"):
        load("/dev/zero", environ={})


# ------------------------------------------------------------------------------------------- hostile cards

HOSTILE = "{x} {{char}} }{ ${y} {% raw %} ```\n```json\n<system> \u202eabc\u200b \\n %s 'quotes\"" + "长" * 100_000


def test_card_text_stays_word_for_word(tmp_path: Path) -> None:
    card = {"name": "Ada {{char}}", "instructions": HOSTILE, "backstory": HOSTILE}
    settings = load_text(tmp_path, yaml.safe_dump({"cast": [card]}, allow_unicode=True))
    (loaded,) = settings.starter_cards()
    assert (loaded.name, loaded.instructions, loaded.backstory) == ("Ada {{char}}", HOSTILE, HOSTILE)


def test_nul_and_half_characters_are_replaced_whole_ones_kept(tmp_path: Path) -> None:
    settings = load_text(tmp_path, 'cast: [{name: "A\\ud83d\\ude00", tone: "x\\0y\\ud800z"}]')
    assert (settings.cast[0].name, settings.cast[0].tone) == ("A😀", "x\ufffdy\ufffdz")


@pytest.mark.parametrize("name", ["Clyde", "Discord Helper", "everyone", "here", "A", "👩‍👩‍👧", "n" * 200, "阿 福"])
def test_names_that_platforms_dislike_are_loaded(tmp_path: Path, name: str) -> None:
    assert load_text(tmp_path, yaml.safe_dump({"cast": [{"name": name}]})).starter_cards()[0].name == name


def test_names_with_one_slug_get_two_ids(tmp_path: Path) -> None:
    cards = load_text(tmp_path, "cast: [{name: A-B}, {name: A B}, {name: 'A!B'}]").starter_cards()
    assert [card.id for card in cards] == ["a-b", "a-b-2", "a-b-3"]
