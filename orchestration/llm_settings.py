"""What a model call needs to know: the provider it goes to, the role it is made in, what it costs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

CHAT_COMPLETIONS = "chat_completions"
RESPONSES = "responses"

WRITER, ROUTER, CHECKER, SUMMARISER = "writer", "router", "checker", "summariser"
ROLES = (WRITER, ROUTER, CHECKER, SUMMARISER)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderSettings:
    """An OpenAI-compatible server. ``api_key`` never shows in a repr; empty where the server wants none."""

    name: str
    base_url: str
    api_key: str = field(default="", repr=False)
    wire_api: str = CHAT_COMPLETIONS
    extra_body: Mapping[str, float | int | str | bool] = field(default_factory=dict)
    """Fields of this server's own that go with every request, e.g. llama.cpp's ``repeat_penalty``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RoleSettings:
    """A role's model. ``provider`` names a ProviderSettings; ``timeout_s`` bounds the whole call, retries included.

    ``temperature`` None: the server's own (some models refuse the field).
    """

    provider: str
    model: str
    temperature: float | None = None
    timeout_s: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """Money for a million tokens, in the operator's currency."""

    prompt: float = 0.0
    completion: float = 0.0

    def of(self, prompt_tokens: int, completion_tokens: int) -> float:
        return (prompt_tokens * self.prompt + completion_tokens * self.completion) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrySettings:
    """``tries`` counts the first one. Waits grow from ``first_wait_s`` with full jitter up to ``longest_wait_s``."""

    tries: int = 3
    nonsense_tries: int = 2
    first_wait_s: float = 0.4
    longest_wait_s: float = 8.0
    connect_timeout_s: float = 5.0


def price_of(prices: Mapping[str, Price], provider: str, model: str) -> Price:
    """The price by ``provider/model``, else by ``model``, else nothing."""
    return prices.get(f"{provider}/{model}") or prices.get(model) or Price()
