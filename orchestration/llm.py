"""A model of an OpenAI-compatible server behind the `ChatModel` port: retries, limits, the ladder, usage and cost."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, TypeVar

import tenacity

from orchestration.errors import ModelNonsense, ModelRefused, ModelUnavailable
from orchestration.llm_answer import Answer
from orchestration.llm_clients import Clients
from orchestration.llm_failures import CUT_CODE, FILTERED_CODE, TIMEOUT_CODE, Failure, empty, nonsense
from orchestration.llm_json import first_valid, instructions, validated
from orchestration.llm_ladder import (
    Request,
    Rung,
    ServerMemory,
    adapted,
    ask_by,
    in_strict_roles,
    refuses_rung,
    rungs_of,
)
from orchestration.llm_settings import Price, ProviderSettings, RetrySettings, RoleSettings, price_of
from orchestration.llm_text import for_people, up_to_sentence
from orchestration.model import Usage
from orchestration.ports import Completion, PromptMessage, SchemaT, WriteRequest

if TYPE_CHECKING:
    from orchestration.llm_wire import Wire

_T = TypeVar("_T")

DECISION_TOKENS = 1_200
MORE_TOKENS = 4
"""A model that thought all its tokens away is asked once more with so many times as many."""
_QUOTED_BACK = 2_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTools:
    """What all models of a process share. ``clock`` gives seconds that only grow, ``chance`` the jitter of waits."""

    clients: Clients
    retries: RetrySettings = field(default_factory=RetrySettings)
    prices: Mapping[str, Price] = field(default_factory=dict)
    clock: Callable[[], float] = time.monotonic
    chance: random.Random = field(default_factory=random.Random)
    servers: ServerMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class _Written:
    text: str
    model: str
    finish: str
    usage: Usage


class OpenAIModel:
    """One role's model. Raises ModelError only; the provider's words and the key are in none of them."""

    def __init__(self, provider: ProviderSettings, role: RoleSettings, tools: ModelTools, *, label: str = "") -> None:
        self._provider = provider
        self._role = role
        self._tools = tools
        self._label = label or f"{role.model} ({provider.name})"

    @property
    def label(self) -> str:
        return self._label

    async def write(self, request: WriteRequest) -> Completion:
        """Free text for people. A text cut by ``max_tokens`` ends at its last sentence (``finish`` = length).

        An agent's own model that the server does not know is stood in for by the role's.
        """
        started = self._tools.clock()
        outcome = await self._within_limit(lambda: self._written_by_any(request))
        if isinstance(outcome, Failure):
            raise outcome.error
        return Completion(
            text=outcome.text,
            model=outcome.model,
            provider=self._provider.name,
            wire_api=self._provider.wire_api,
            usage=outcome.usage,
            ms=round((self._tools.clock() - started) * 1000),
            finish=outcome.finish,
        )

    async def decide(self, messages: Sequence[PromptMessage], schema: type[SchemaT]) -> tuple[SchemaT, Usage]:
        """A validated object, down the ladder as far as this server makes it necessary, with one repair at most."""
        outcome = await self._within_limit(lambda: self._decided(tuple(messages), schema))
        if isinstance(outcome, Failure):
            raise outcome.error
        return outcome

    async def _within_limit(self, work: Callable[[], Awaitable[_T | Failure]]) -> _T | Failure:
        """The limit of the whole call: retries and waits count, reading the libraries in does not.

        Failures are values up to here, so that no raised error trails a library's one (with the provider's words).
        """
        await self._wire()
        try:
            async with asyncio.timeout(self._role.timeout_s):
                return await work()
        except TimeoutError:
            return Failure(error=ModelUnavailable(TIMEOUT_CODE))

    async def _wire(self) -> Wire:
        return await self._tools.clients.wire(self._provider, self._tools.retries.connect_timeout_s)

    # ------------------------------------------------------------------------------------------------ writing

    async def _written_by_any(self, request: WriteRequest) -> _Written | Failure:
        if request.model and request.model != self._role.model:
            outcome = await self._written(request, request.model)
            if not (isinstance(outcome, Failure) and outcome.status in (400, 404)):
                return outcome
        return await self._written(request, self._role.model)

    async def _written(self, request: WriteRequest, model: str) -> _Written | Failure:
        spent: list[Usage] = []
        tokens = request.max_tokens

        async def attempt() -> _Written | Failure:
            nonlocal tokens
            answer = await self._call(Request(messages=request.messages, options={}, body={}), model, tokens)
            if isinstance(answer, Failure):
                return answer
            spent.append(answer.usage(request.messages, self._price(model)))
            judged = _judged(answer)
            if isinstance(judged, Failure):
                tokens = request.max_tokens * MORE_TOKENS if judged.wants_tokens else tokens
                return judged
            text, finish = judged
            return _Written(text=text, model=model, finish=finish, usage=sum(spent[1:], spent[0]))

        return await self._again(attempt, nonsense_tries=self._tools.retries.nonsense_tries)

    # ------------------------------------------------------------------------------------------------ deciding

    async def _decided(
        self, messages: tuple[PromptMessage, ...], schema: type[SchemaT]
    ) -> tuple[SchemaT, Usage] | Failure:
        rungs = rungs_of(self._provider.wire_api)
        key = (self._provider.base_url, self._role.model)
        at = self._tools.servers.start(key, rungs)
        ignored: Rung | None = None
        usage = Usage()
        failure: Failure = nonsense()
        while at < len(rungs):
            answer = await self._asked(rungs[at], messages, schema)
            if isinstance(answer, Failure):
                failure = answer
                if not (refuses_rung(answer) or (answer.nonsense and ignored is None)):
                    return answer
                ignored = rungs[at] if answer.nonsense else ignored
                at += 1
                continue
            usage += answer.usage(messages, self._price(self._role.model))
            if (found := _object_in(answer, schema)) is not None:
                self._remember(key, rungs[at], ignored)
                return found, usage
            if ignored is not None:
                return Failure(error=ModelNonsense())
            # The one repair: asked by the next rung, with the bad answer held before it.
            ignored = rungs[at]
            messages = _repaired(messages, answer, schema)
            at = min(at + 1, len(rungs) - 1)
        return Failure(error=ModelRefused()) if refuses_rung(failure) else failure

    def _remember(self, key: tuple[str, str], rung: Rung, ignored: Rung | None) -> None:
        if ignored is None or ignored is rung:
            self._tools.servers.kept(key, rung)
        else:
            self._tools.servers.ignored(key, ignored, rung)

    async def _asked(self, rung: Rung, messages: tuple[PromptMessage, ...], schema: type[SchemaT]) -> Answer | Failure:
        request = ask_by(rung, messages, schema, self._provider.wire_api)

        async def attempt() -> Answer | Failure:
            return await self._call(request, self._role.model, DECISION_TOKENS)

        # After nonsense the next rung is the better second try.
        return await self._again(attempt, nonsense_tries=1)

    # ------------------------------------------------------------------------------------------------ calling

    async def _call(self, request: Request, model: str, max_tokens: int) -> Answer | Failure:
        """One request in the server's dialect; adapts the dialect when a refusal says what it did not like."""
        key = (self._provider.base_url, model)
        known = dialect = self._tools.servers.dialect(key)
        wire = await self._wire()
        while True:
            messages = in_strict_roles(request.messages) if dialect.strict_roles else request.messages
            answer = await wire.call(
                messages,
                model=model,
                max_tokens=max_tokens,
                temperature=self._role.temperature if dialect.temperature else None,
                legacy_max_tokens=dialect.legacy_max_tokens,
                options=request.options,
                body=request.body,
            )
            if not isinstance(answer, Failure):
                if dialect is not known:
                    self._tools.servers.speaks(key, dialect)
                return answer
            other = adapted(dialect, answer, official=wire.official)
            if other is None:
                return answer
            dialect = other

    async def _again(self, attempt: Callable[[], Awaitable[_T | Failure]], *, nonsense_tries: int) -> _T | Failure:
        """The attempt, repeated while its failure says that another one may help; the last outcome otherwise."""
        retrying = tenacity.AsyncRetrying(
            retry=tenacity.retry_if_result(lambda outcome: isinstance(outcome, Failure) and outcome.again),
            stop=partial(self._enough, nonsense_tries),
            wait=self._wait,
            sleep=asyncio.sleep,
            retry_error_callback=lambda state: state.outcome.result() if state.outcome else nonsense(),
        )
        outcome: _T | Failure = await retrying(attempt)
        return outcome

    def _enough(self, nonsense_tries: int, state: tenacity.RetryCallState) -> bool:
        failure = state.outcome.result() if state.outcome else None
        if not isinstance(failure, Failure):
            return True
        tries = nonsense_tries if failure.nonsense else self._tools.retries.tries
        # Waiting longer than the call may last cannot end well: the turn had better degrade now.
        return state.attempt_number >= tries or (failure.retry_after_s or 0.0) >= self._role.timeout_s

    def _wait(self, state: tenacity.RetryCallState) -> float:
        retries = self._tools.retries
        failure = state.outcome.result() if state.outcome else None
        longest: float = min(retries.longest_wait_s, retries.first_wait_s * 2.0 ** (state.attempt_number - 1))
        jittered = longest * self._tools.chance.uniform(0.5, 1.0)
        asked = failure.retry_after_s if isinstance(failure, Failure) else None
        # A little after the moment the server named, or all its clients come back at once.
        return jittered if asked is None else asked + 0.1 * jittered

    def _price(self, model: str) -> Price:
        return price_of(self._tools.prices, self._provider.name, model)


def _judged(answer: Answer) -> tuple[str, str] | Failure:
    """(text for people, finish) of a written answer, or why it cannot stand."""
    cut = answer.finish == "length"
    text = for_people(answer.text)
    if answer.finish == "content_filter" and not text:
        return Failure(error=ModelRefused(FILTERED_CODE))
    if not text:
        return empty(wants_tokens=cut)
    if answer.finish is None:
        return nonsense(ModelNonsense(CUT_CODE))
    if cut or answer.finish == "content_filter":
        return up_to_sentence(text), answer.finish
    return text, "stop"


def _object_in(answer: Answer, schema: type[SchemaT]) -> SchemaT | None:
    for arguments in answer.arguments:
        found = first_valid(arguments, schema) if isinstance(arguments, str) else validated(arguments, schema)
        if found is not None:
            return found
    return first_valid(answer.text, schema)


def _repaired(messages: tuple[PromptMessage, ...], answer: Answer, schema: type[SchemaT]) -> tuple[PromptMessage, ...]:
    said = for_people(answer.text)[:_QUOTED_BACK] or "…"
    wanted = f"That was not the JSON object that was asked for. {instructions(schema)}"
    return (*messages, PromptMessage(role="assistant", text=said), PromptMessage(role="user", text=wanted))
