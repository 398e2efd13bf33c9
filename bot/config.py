"""The configuration: `load(path)` gives checked settings, or a ConfigError of one line that names the yaml path."""

from __future__ import annotations

import errno
import os
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote, urlsplit

from bot.config_models import (
    DATABASE_URL,
    AgentConfig,
    DiscordConfig,
    EngineConfig,
    FileConfig,
    ModelsConfig,
    RoleConfig,
    TelegramConfig,
    TurnConfig,
    UpkeepConfig,
    callable_address,
)
from bot.config_reading import Problem, environment, first_line, read_yaml, shown, validate
from orchestration.card_rules import free_slug, name_key
from orchestration.errors import ConfigError
from orchestration.model import AgentCard, Locale
from orchestration.settings import TurnSettings
from orchestration.upkeep import UpkeepSettings

__all__ = ["AgentConfig", "RoleConfig", "Settings", "load"]

DEFAULT_FILE = "config.yaml"
SQLITE_FILE = "troupe.db"
ROLES = ("writer", "router", "checker", "summariser")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """A configuration that has been checked. ``environment`` is read only through `secret` and `variable`."""

    file: Path | None
    """The file it was read from; None: built-in defaults."""
    data_dir: Path
    """Absolute."""
    database_url: str
    """Async SQLAlchemy address; may hold a password, so never log it."""
    database_key: str
    """The file and the key that say where the database is, for errors."""
    locale: Locale
    models: ModelsConfig
    turn: TurnConfig
    upkeep: UpkeepConfig
    engine: EngineConfig
    cast: tuple[AgentConfig, ...]
    discord: DiscordConfig
    telegram: TelegramConfig
    environment: Mapping[str, str] = field(repr=False)

    def secret(self, name: str | None) -> str:
        """The value of an environment variable, "" when it is unset (or no name is given)."""
        return self.environment.get(name, "") if name else ""

    variable = secret

    def secrets(self) -> frozenset[str]:
        """Values that must never be seen: logs and errors redact them."""
        names = {"OPENAI_API_KEY", self.discord.token_env, self.telegram.token_env, self.telegram.webhook.secret_env}
        names |= {p.api_key_env for p in self.models.providers.values() if p.api_key_env}
        names |= {a.telegram.token_env for a in self.cast if a.telegram}
        password = _password(self.database_url)
        values = {self.secret(name) for name in names} | {password, unquote(password)}
        return frozenset(v for v in values if len(v) >= 4)

    def role(self, name: str) -> RoleConfig | None:
        """The model of a role: its own, the writer's where it is absent, None where the file says null."""
        roles = self.models.roles
        own: RoleConfig | None = getattr(roles, name)
        return own if own is not None or name in roles.model_fields_set else roles.writer

    def make_data_dir(self) -> None:
        """Raises ConfigError where there can be no such folder, or nothing can be written into it."""
        try:
            self.data_dir.mkdir(parents=True, exist_ok=True)
            reason = "" if os.access(self.data_dir, os.W_OK | os.X_OK) else os.strerror(errno.EACCES)
        except OSError as fault:
            reason = fault.strerror or type(fault).__name__
        if reason:
            name = self.file.name if self.file else DEFAULT_FILE
            got = f"{self.data_dir} ({reason})"
            raise ConfigError(first_line(name, [Problem("data_dir", "a folder that can be written", got)]))

    def turn_settings(self) -> TurnSettings:
        return TurnSettings(**self.turn.model_dump(), locale=self.locale)

    def upkeep_settings(self) -> UpkeepSettings:
        return UpkeepSettings(
            daily_tokens=self.upkeep.daily_tokens, remember_quiet_s=self.upkeep.still_s, locale=self.locale
        )

    def starter_cards(self) -> tuple[AgentCard, ...]:
        """The configured cast as cards, present in every guild and group."""
        ids: list[str] = []
        for agent in self.cast:
            ids.append(free_slug(agent.name, ids))
        return tuple(_card(agent, agent_id) for agent, agent_id in zip(self.cast, ids, strict=True))


def load(path: str | Path | None = None, *, environ: Mapping[str, str] | None = None) -> Settings:
    """Reads and checks a configuration file; None: ./config.yaml if it is there, else built-in defaults.

    Variables come from ``environ`` (default: the process's own), then from a `.env` beside the file.
    Raises ConfigError.
    """
    file = Path(path) if path is not None else Path(DEFAULT_FILE)
    found: Path | None = file if path is not None or file.exists() else None
    base = (found.parent if found else Path()).absolute()
    variables = environment(base / ".env", os.environ if environ is None else environ)
    name = (found.name or str(found)) if found else DEFAULT_FILE
    raw = read_yaml(found, name=name) if found else {}
    parsed = validate(FileConfig, raw, name=name)
    cast = tuple(parsed.cast) or _starter_cast()
    url_key, url = _storage_url(parsed, variables)
    problems = list(_cross_checks(parsed, cast, variables)) + list(_wrong_address(url_key, url))
    if problems:
        raise ConfigError(first_line(name, problems))
    data_dir = _folder(name, base, parsed.data_dir)
    return Settings(
        file=found.absolute() if found else None,
        data_dir=data_dir,
        database_url=_database_url(url, data_dir, base),
        database_key=f"{name}: {url_key if url else 'data_dir'}",
        locale=Locale(parsed.locale),
        models=parsed.models,
        turn=parsed.turn,
        upkeep=parsed.upkeep,
        engine=parsed.engine,
        cast=cast,
        discord=parsed.discord,
        telegram=parsed.telegram,
        environment=variables,
    )


def _starter_cast() -> tuple[AgentConfig, ...]:
    raw = read_yaml(Path(str(files("bot") / "starter_cast.yaml")), name="starter_cast.yaml")
    return tuple(validate(FileConfig, raw, name="starter_cast.yaml").cast)


def _cross_checks(parsed: FileConfig, cast: tuple[AgentConfig, ...], env: Mapping[str, str]) -> Iterator[Problem]:
    """What one field alone cannot know: names that must match, be unique, or be set."""
    providers = parsed.models.providers
    choices = ", ".join(providers) or "none is there"
    for role in ROLES:
        config: RoleConfig | None = getattr(parsed.models.roles, role)
        if config and config.provider not in providers:
            path = f"models.roles.{role}.provider"
            yield Problem(path, f"one of the names under models.providers ({choices})", shown(config.provider))
    if providers and parsed.models.roles.writer is None:
        yield Problem("models.roles.writer", "a provider and a model, as models.providers is there", "nothing")
    if not providers and not _can_be_called(env.get("OPENAI_BASE_URL", "").strip()):
        yield Problem("OPENAI_BASE_URL", "an address, http://… or https://…, mostly ending in /v1", "another text")
    yield from _unset_variables(parsed, cast, env)
    yield from _clashing_names(cast)


def _can_be_called(address: str) -> bool:
    if address and not address.lower().startswith(("http://", "https://")):
        return False
    try:
        callable_address(address)
    except ValueError:
        return False
    return True


def _unset_variables(parsed: FileConfig, cast: tuple[AgentConfig, ...], env: Mapping[str, str]) -> Iterator[Problem]:
    wanted: list[tuple[str, str | None]] = [("storage.url_env", parsed.storage.url_env)]
    for name, provider in parsed.models.providers.items():
        wanted.append((f"models.providers.{name}.api_key_env", provider.api_key_env))
    if parsed.discord.enabled:
        wanted.append(("discord.token_env", parsed.discord.token_env))
    if parsed.telegram.enabled:
        wanted.append(("telegram.token_env", parsed.telegram.token_env))
        wanted += [(f"cast[{i}].telegram.token_env", a.telegram.token_env) for i, a in enumerate(cast) if a.telegram]
        if parsed.telegram.mode == "webhook":
            wanted.append(("telegram.webhook.secret_env", parsed.telegram.webhook.secret_env))
            if not parsed.telegram.webhook.public_url:
                yield Problem("telegram.webhook.public_url", "the address Telegram is to call, https://…", "nothing")
    for path, variable in wanted:
        if variable and not env.get(variable, "").strip():
            # A lower-case name may well be a key that was pasted here.
            named = f"variable {variable}" if variable.isupper() else "variable that is named here"
            yield Problem(path, f"the environment {named} to be set (or written in .env)", "nothing")


def _clashing_names(cast: tuple[AgentConfig, ...]) -> Iterator[Problem]:
    """No name or alias may stand for two agents, nor be invisible."""
    owner: dict[str, int] = {}
    for i, agent in enumerate(cast):
        names = [(f"cast[{i}].name", agent.name)]
        names += [(f"cast[{i}].aliases[{j}]", alias) for j, alias in enumerate(agent.aliases)]
        for path, name in names:
            folded = name_key(name)
            if not folded:
                yield Problem(path, "a name with at least one visible character", "none")
            elif any(unicodedata.category(c) == "Cc" for c in name):
                yield Problem(path, "a name without control characters", shown(name))
            elif owner.setdefault(folded, i) != i:
                yield Problem(path, f"a name that no other agent has (cast[{owner[folded]}] has it)", shown(name))


def _card(agent: AgentConfig, agent_id: str) -> AgentCard:
    fields = agent.model_dump(exclude={"telegram", "aliases", "tools", "name"})
    return AgentCard(
        id=agent_id,
        name=" ".join(agent.name.split()),
        aliases=tuple(agent.aliases),
        tools=tuple(agent.tools),
        starter=True,
        **fields,
    )


def _folder(name: str, base: Path, data_dir: str) -> Path:
    """The data directory, absolute."""
    try:
        folder = (base / Path(data_dir).expanduser()).resolve()
        wrong = folder.exists() and not folder.is_dir()
    except (OSError, RuntimeError):  # a name too long, a loop of links, the home of nobody
        wrong = True
    if wrong:
        raise ConfigError(first_line(name, [Problem("data_dir", "a folder, or a place for one", shown(data_dir))]))
    return folder


def _storage_url(parsed: FileConfig, env: Mapping[str, str]) -> tuple[str, str]:
    """The database's address as it is written, and the key it stands in."""
    if parsed.storage.url_env and (value := env.get(parsed.storage.url_env, "").strip()):
        return "storage.url_env", value
    return "storage.url", parsed.storage.url


def _wrong_address(path: str, url: str) -> Iterator[Problem]:
    """An address that no database can have. It may hold a password, so it is not shown."""
    if not url:
        return
    if not re.match(DATABASE_URL, url):
        yield Problem(path, "a database address, sqlite:///FILE or postgresql://HOST/NAME", "another text")
    elif url.startswith("sqlite"):
        if url.partition("://")[2].partition("?")[0].removeprefix("/") in ("", ":memory:"):
            yield Problem(path, "a file, sqlite:///FILE: what is kept in memory survives no restart", "none")
    else:
        try:
            bad = urlsplit(url).port == 0
        except ValueError:
            bad = True
        if bad:
            yield Problem(path, "a host and a port, postgresql://HOST:PORT/NAME", "something else")


def _database_url(url: str, data_dir: Path, base: Path) -> str:
    """With the async driver spelt out, and SQLite files absolute."""
    if not url:
        return f"sqlite+aiosqlite:///{data_dir / SQLITE_FILE}"
    scheme, _, rest = url.partition("://")
    if scheme.startswith("postgres"):
        return f"postgresql+psycopg://{rest}"
    path, _, query = rest.removeprefix("/").partition("?")
    if path and path != ":memory:":
        path = str((base / Path(path).expanduser()).resolve())
    return f"sqlite+aiosqlite:///{path}" + (f"?{query}" if query else "")


def _password(url: str) -> str:
    authority = url.partition("://")[2].partition("/")[0]
    return authority.rpartition("@")[0].partition(":")[2]
