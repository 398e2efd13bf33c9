"""A real `OpenAIModel` before a scripted server: what tests of model calls stand on."""

from __future__ import annotations

import random
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime

from orchestration.llm import ModelTools, OpenAIModel
from orchestration.llm_clients import Clients
from orchestration.llm_ladder import ServerMemory
from orchestration.llm_settings import Price, ProviderSettings, RetrySettings, RoleSettings
from orchestration.ports import PromptMessage, WriteRequest
from tests.model_server import ModelServer

KEY = "sk-test-KEY-must-stay-secret-0123456789"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
QUICK = RetrySettings(first_wait_s=0.01, longest_wait_s=0.02)


@dataclass(slots=True)
class Ticker:
    """Seconds that pass only when told to."""

    now: float = 1_000.0

    def __call__(self) -> float:
        return self.now


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    server: ModelServer
    model: OpenAIModel
    clients: Clients
    ticker: Ticker
    tools: ModelTools


@asynccontextmanager
async def stage(
    *,
    wire_api: str = "chat_completions",
    temperature: float | None = None,
    timeout_s: float = 30.0,
    prices: Mapping[str, Price] | None = None,
    retries: RetrySettings = QUICK,
    extra_body: Mapping[str, float] | None = None,
) -> AsyncIterator[Stage]:
    """The server answers "I hear you." until it is told otherwise. Waits between tries are a few milliseconds."""
    ticker = Ticker()
    clients = Clients(lambda: NOW)
    tools = ModelTools(
        clients=clients,
        retries=retries,
        prices=prices or {},
        clock=ticker,
        chance=random.Random(7),
        servers=ServerMemory(ticker),
    )
    async with ModelServer() as server:
        provider = ProviderSettings(
            name="loop", base_url=server.base_url, api_key=KEY, wire_api=wire_api, extra_body=extra_body or {}
        )
        role = RoleSettings(provider="loop", model="small", temperature=temperature, timeout_s=timeout_s)
        try:
            yield Stage(
                server=server,
                model=OpenAIModel(provider, role, tools),
                clients=clients,
                ticker=ticker,
                tools=tools,
            )
        finally:
            await clients.close()


def prompt(*lines: str) -> tuple[PromptMessage, ...]:
    """A system message and the lines of people."""
    said = [PromptMessage(role="user", text=line) for line in lines or ("Ann: hello",)]
    return (PromptMessage(role="system", text="You are Nova."), *said)


def request(*lines: str, max_tokens: int = 100, model: str = "") -> WriteRequest:
    return WriteRequest(messages=prompt(*lines), max_tokens=max_tokens, model=model)
