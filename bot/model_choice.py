"""Which models a process speaks with: configured ones, else OpenAI's variables, else the demo model, else phrases."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, field
from datetime import UTC, datetime

from bot.config import RoleConfig, Settings
from bot.demo_fetch import cached_model, runnable
from bot.demo_model import DemoModel, DemoServer
from bot.model_listing import listed_models
from orchestration.llm import ModelTools, OpenAIModel
from orchestration.llm_clients import Clients
from orchestration.llm_ladder import ServerMemory
from orchestration.llm_settings import CHECKER, ROUTER, SUMMARISER, WRITER, Price, ProviderSettings, RoleSettings
from orchestration.model import Locale
from orchestration.models import ModelSet
from orchestration.phrases import PhraseModel
from orchestration.ports import ChatModel
from orchestration.texts import text

OPENAI_URL = "https://api.openai.com/v1"
DEFAULT_MODEL = "gpt-4o-mini"
ROUTER_TIMEOUT_S = 20.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenModels:
    """The models (implements `ports.Models`), and what people should be told of them."""

    models: ModelSet
    notice: str = ""
    """Code of a text to show once, "" when a real model speaks."""
    providers: tuple[ProviderSettings, ...] = field(default=())

    @property
    def writer(self) -> ChatModel:
        return self.models.writer

    @property
    def router(self) -> ChatModel | None:
        return self.models.router

    @property
    def checker(self) -> ChatModel | None:
        return self.models.checker

    @property
    def summariser(self) -> ChatModel | None:
        return self.models.summariser

    def notice_text(self, locale: Locale) -> str:
        """The notice in words, "" when there is none."""
        return text(locale, self.notice) if self.notice else ""

    async def warm(self) -> None:
        await self.models.warm()

    async def close(self) -> None:
        await self.models.close()


async def choose(settings: Settings) -> ChosenModels:
    """Nothing is downloaded here; clients and the demo model open at their first call.

    Only a server named by OPENAI_BASE_URL alone is asked which models it has (for at most a few seconds).
    """
    tools = _tools(settings)
    configured = providers(settings)
    if configured and settings.role(WRITER) is not None:
        return _real(settings, tools, configured)
    if (provider := provider_of_environment(settings)) is not None:
        return _by_environment(tools, provider, await _model_of_environment(settings, provider))
    model_file = cached_model(settings.environment)
    if model_file is None or not runnable():
        return ChosenModels(models=ModelSet(writer=PhraseModel(settings.locale)), notice="notice_phrases_only")
    server = DemoServer(model_file)
    demo = DemoModel(server, tools, PhraseModel(settings.locale))
    notice = "notice_demo_model_unread" if settings.locale is Locale.ZH else "notice_demo_model"

    async def close() -> None:
        await tools.clients.close()
        await server.close()

    return ChosenModels(models=ModelSet(writer=demo, closing=close, warming=demo.warm), notice=notice)


def wants_demo(settings: Settings) -> bool:
    """Whether the demo model would be used if it were there."""
    has_other = settings.role(WRITER) is not None or provider_of_environment(settings) is not None
    return not has_other and runnable()


def providers(settings: Settings) -> dict[str, ProviderSettings]:
    """The configured providers with their keys."""
    return {
        name: ProviderSettings(
            name=name,
            base_url=config.base_url,
            api_key=settings.secret(config.api_key_env),
            wire_api=config.wire_api,
        )
        for name, config in settings.models.providers.items()
    }


def provider_of_environment(settings: Settings) -> ProviderSettings | None:
    """The provider that OPENAI_API_KEY or OPENAI_BASE_URL name; None when neither is set."""
    key, url = settings.secret("OPENAI_API_KEY").strip(), settings.variable("OPENAI_BASE_URL").strip()
    if not key and not url:
        return None
    return ProviderSettings(name="openai", base_url=url or OPENAI_URL, api_key=key)


def _real(settings: Settings, tools: ModelTools, known: dict[str, ProviderSettings]) -> ChosenModels:
    def model(role: str) -> OpenAIModel | None:
        config = settings.role(role)
        return None if config is None else OpenAIModel(known[config.provider], _role(config, role), tools)

    writer = model(WRITER)
    assert writer is not None
    models = ModelSet(
        writer=writer,
        router=model(ROUTER),
        checker=model(CHECKER),
        summariser=model(SUMMARISER),
        closing=tools.clients.close,
        warming=tools.clients.warm,
    )
    return ChosenModels(models=models, providers=tuple(known.values()))


async def _model_of_environment(settings: Settings, provider: ProviderSettings) -> str:
    if named := settings.variable("OPENAI_MODEL").strip():
        return named
    # A server without a key is one of the person's own (Ollama, vLLM, llama.cpp): it has the models that it has.
    listed = () if provider.api_key else await listed_models(provider.base_url)
    return DEFAULT_MODEL if not listed or DEFAULT_MODEL in listed else listed[0]


def _by_environment(tools: ModelTools, provider: ProviderSettings, name: str) -> ChosenModels:
    def model(role: str) -> OpenAIModel:
        return OpenAIModel(provider, _role(RoleConfig(provider=provider.name, model=name), role), tools)

    models = ModelSet(
        writer=model(WRITER),
        router=model(ROUTER),
        checker=model(CHECKER),
        summariser=model(SUMMARISER),
        closing=tools.clients.close,
        warming=tools.clients.warm,
    )
    return ChosenModels(models=models, providers=(provider,))


def _role(config: RoleConfig, role: str) -> RoleSettings:
    # A person waits for the router before anybody writes: rules decide well enough when it dawdles.
    dawdling = role == ROUTER and "timeout_s" not in config.model_fields_set
    limit = ROUTER_TIMEOUT_S if dawdling else config.timeout_s
    return RoleSettings(provider=config.provider, model=config.model, temperature=config.temperature, timeout_s=limit)


def _tools(settings: Settings) -> ModelTools:
    prices = {
        name: Price(prompt=price.input, completion=price.output) for name, price in settings.models.prices.items()
    }
    return ModelTools(
        clients=Clients(lambda: datetime.now(UTC)),
        prices=prices,
        clock=time.monotonic,
        chance=random.Random(),
        servers=ServerMemory(time.monotonic),
    )
