"""What config.yaml may say, as pydantic models: the one place where operator input is checked.

Every field's description finishes the sentence "expected …" of an error line, so it says exactly what the check wants.
Secrets are never values here: only names of environment variables.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from orchestration.model import MAX_AGENTS_A_TURN, MAX_CAST

ENV_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
DATABASE_URL = r"^(sqlite(\+(aiosqlite|pysqlite))?|postgres(ql)?(\+(psycopg2?|asyncpg))?)://"
MAX_NAME_CHARS = 200


def callable_address(value: str) -> str:
    """ValueError for what no program can call. A user or a key in it would end up in errors and logs."""
    if not value:
        return value  # where it may be left out
    if re.search(r"[\s\x00-\x1f?#]", value):
        raise ValueError("blanks, ? or #")
    parts = urlsplit(value)
    if not parts.hostname or parts.port == 0 or parts.username is not None:
        raise ValueError("no host, no port, or a user in it")
    return value


def _listening(value: str) -> str:
    if not 0 <= int(value.rpartition(":")[2]) <= 65_535:
        raise ValueError("no port")
    return value


Web = Annotated[str, Field(pattern=r"^(?i:https?)://", max_length=2000), AfterValidator(callable_address)]
"""An address that HTTP calls go to."""

EnvName = Annotated[
    str, Field(pattern=ENV_NAME, max_length=100, description="the name of an environment variable (never the secret)")
]
Text = Annotated[str, Field(max_length=200_000, description="text of at most 200,000 characters")]
Price = Annotated[float, Field(ge=0, le=1_000_000, description="a price in USD per million tokens, 0 or more")]


class Section(BaseModel):
    """A mapping with known keys only, never coerced from something else."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, hide_input_in_errors=True)
    may_be_empty: ClassVar[frozenset[str]] = frozenset()
    """Keys whose whole content may be commented out: yaml then reads nothing, which means the default."""

    @model_validator(mode="before")
    @classmethod
    def _drop_empty(cls, value: Any) -> Any:
        if not isinstance(value, dict):
            return value
        return {k: v for k, v in value.items() if v is not None or k not in cls.may_be_empty}


class StorageConfig(Section):
    url: str = Field(
        default="",
        max_length=2000,
        pattern=rf"^$|{DATABASE_URL}",
        description="a database address, sqlite:///FILE or postgresql://HOST/NAME",
    )
    url_env: EnvName | None = Field(
        default=None, description="the name of an environment variable that holds the database address"
    )


class ProviderConfig(Section):
    base_url: Web = Field(description="an address, http://… or https://…, mostly ending in /v1")
    api_key_env: EnvName | None = Field(
        default=None, description="the name of an environment variable (never the key itself)"
    )
    wire_api: Literal["chat_completions", "responses"] = Field(
        default="chat_completions", description="chat_completions or responses"
    )


class RoleConfig(Section):
    provider: str = Field(min_length=1, max_length=100, description="the name of one of models.providers")
    model: str = Field(min_length=1, max_length=200, description="the provider's name of a model")
    temperature: float | None = Field(
        default=None, ge=0, le=2, description="a number from 0 to 2, or null to send none"
    )
    timeout_s: float = Field(default=60.0, gt=0, le=600, description="seconds, more than 0 and at most 600")


class RolesConfig(Section):
    """An absent role is played by the writer's model; null leaves a role out and the rules decide alone."""

    writer: RoleConfig | None = Field(default=None, description="a mapping with provider and model")
    router: RoleConfig | None = Field(default=None, description="a mapping with provider and model, or null")
    checker: RoleConfig | None = Field(default=None, description="a mapping with provider and model, or null")
    summariser: RoleConfig | None = Field(default=None, description="a mapping with provider and model, or null")


class PriceConfig(Section):
    input: Price = 0.0
    output: Price = 0.0


class ModelsConfig(Section):
    may_be_empty = frozenset({"providers", "roles", "prices"})

    providers: dict[Annotated[str, Field(min_length=1, max_length=100)], ProviderConfig] = Field(
        default={}, description="a mapping from a name of your choice to base_url, api_key_env and wire_api"
    )
    roles: RolesConfig = Field(default=RolesConfig(), description="a mapping of writer, router, checker, summariser")
    prices: dict[str, PriceConfig] = Field(
        default={}, description="a mapping from a model's name to its prices, input and output"
    )


class TurnConfig(Section):
    agents_max: int = Field(
        default=3, ge=1, le=MAX_AGENTS_A_TURN, description=f"a whole number from 1 to {MAX_AGENTS_A_TURN}"
    )
    clarify_below: float = Field(default=0.6, ge=0, le=1, description="a number from 0 to 1")
    timeout_s: float = Field(default=120.0, gt=0, le=3600, description="seconds, more than 0 and at most 3600")
    burst_s: float = Field(default=1.5, ge=0, le=60, description="seconds from 0 to 60")
    clarify_expires_s: float = Field(
        default=600.0, gt=0, le=86_400, description="seconds, more than 0 and at most 86400"
    )
    failures_to_basic: int = Field(default=3, ge=1, le=100, description="a whole number from 1 to 100")
    basic_retry_s: float = Field(default=300.0, gt=0, le=86_400, description="seconds, more than 0 and at most 86400")
    speculative: bool = Field(default=False, description="true or false")


class EngineConfig(Section):
    workers: int = Field(default=50, ge=1, le=1000, description="a whole number from 1 to 1000")
    dead_after_s: float = Field(default=15.0, ge=1, le=600, description="seconds from 1 to 600")


class UpkeepConfig(Section):
    enabled: bool = Field(default=True, description="true or false")
    every_s: float = Field(default=5.0, ge=0.05, le=3600, description="seconds from 0.05 to 3600")
    still_s: float = Field(default=10.0, ge=0, le=3600, description="seconds from 0 to 3600")
    daily_tokens: int = Field(default=200_000, ge=0, le=1_000_000_000, description="a whole number, 0 or more")
    backups_kept: int = Field(default=7, ge=0, le=1000, description="a whole number from 0 to 1000")


class AgentTelegramConfig(Section):
    token_env: EnvName


class AgentConfig(Section):
    name: str = Field(
        min_length=1, max_length=MAX_NAME_CHARS, description=f"a name of 1 to {MAX_NAME_CHARS} characters"
    )
    aliases: list[Annotated[str, Field(min_length=1, max_length=MAX_NAME_CHARS, description="a name in quotes")]] = (
        Field(default=[], max_length=20, description="a list of at most 20 other names")
    )
    avatar: str = Field(default="", max_length=2000, description="the address of a picture, https://…")
    emoji: str = Field(default="", max_length=16, description="one emoji in quotes")
    description: Text = ""
    personality: Text = ""
    tone: Text = ""
    instructions: Text = ""
    backstory: Text = ""
    boundaries: Text = ""
    model: str = Field(default="", max_length=200, description="the writer provider's name of a model")
    tools: list[Annotated[str, Field(description="the name of a tool, in quotes")]] = Field(
        default=[], max_length=50, description="a list of at most 50 tool names"
    )
    talkativeness: float = Field(default=0.5, ge=0, le=1, description="a number from 0 to 1")
    telegram: AgentTelegramConfig | None = Field(default=None, description="a mapping with token_env")


class DiscordConfig(Section):
    enabled: bool = Field(default=False, description="true or false")
    token_env: EnvName = "DISCORD_TOKEN"  # noqa: S105 (a name, not a secret)
    api_base_url: Web | None = Field(
        default=None, description="the address of Discord's API with its version, https://discord.com/api/v10"
    )
    gateway_url: Annotated[str, Field(pattern=r"^wss?://"), AfterValidator(callable_address)] | None = Field(
        default=None, description="the address of Discord's gateway, wss://… or ws://…"
    )
    allowed_bots: list[str] = Field(default=[], description="a list of bot or webhook ids, each in quotes")
    hop_limit: int = Field(default=3, ge=0, le=20, description="a whole number from 0 to 20")
    proxy_guard: bool = Field(default=True, description="true or false")


class WebhookConfig(Section):
    public_url: Annotated[str, Field(pattern=r"^$|^https?://"), AfterValidator(callable_address)] = Field(
        default="", description="the address Telegram is to call, https://…"
    )
    listen: Annotated[str, Field(pattern=r"^[^\s]+:\d{1,5}$"), AfterValidator(_listening)] = Field(
        default="127.0.0.1:8443", description="host:port to listen on"
    )
    secret_env: EnvName = "TELEGRAM_WEBHOOK_SECRET"  # noqa: S105 (a name, not a secret)


class TelegramConfig(Section):
    enabled: bool = Field(default=False, description="true or false")
    token_env: EnvName = "TELEGRAM_TOKEN"  # noqa: S105 (a name, not a secret)
    api_base_url: Web = Field(
        default="https://api.telegram.org",
        description="the root address of the Bot API, without /bot<token>",
    )
    mode: Literal["polling", "webhook"] = Field(default="polling", description="polling or webhook")
    webhook: WebhookConfig = Field(
        default=WebhookConfig(), description="a mapping with public_url, listen and secret_env"
    )


class FileConfig(Section):
    """The whole of config.yaml."""

    may_be_empty = frozenset({"storage", "models", "turn", "engine", "upkeep", "discord", "telegram"})

    data_dir: str = Field(default="data", min_length=1, description="a folder, absolute or relative to this file")
    locale: Literal["en", "zh"] = Field(default="en", description="en or zh")
    storage: StorageConfig = Field(default=StorageConfig(), description="a mapping with url")
    models: ModelsConfig = Field(default=ModelsConfig(), description="a mapping with providers, roles and prices")
    turn: TurnConfig = Field(default=TurnConfig(), description="a mapping with agents_max, clarify_below, timeout_s, …")
    engine: EngineConfig = Field(default=EngineConfig(), description="a mapping with workers and dead_after_s")
    upkeep: UpkeepConfig = Field(default=UpkeepConfig(), description="a mapping with enabled, daily_tokens, …")
    cast: list[AgentConfig] = Field(
        default=[], min_length=1, max_length=MAX_CAST, description=f"a list of 1 to {MAX_CAST} agents"
    )
    discord: DiscordConfig = Field(default=DiscordConfig(), description="a mapping with enabled, token_env, …")
    telegram: TelegramConfig = Field(default=TelegramConfig(), description="a mapping with enabled, token_env, …")
