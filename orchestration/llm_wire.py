"""`ChatOpenAI` over one HTTP client: a prompt goes out, an `Answer` or a `Failure` comes back. Imported late (1.5 s).

The SDK's own retries are off; retries, time limits and the reading of answers are ours (llm.py, llm_text.py).
"""

from __future__ import annotations

import ssl
import warnings
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

import aiohttp
import httpx2
import openai
from langchain_core.language_models import LanguageModelInput
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_openai import ChatOpenAI
from pydantic import ValidationError

from orchestration.errors import ModelNonsense, ModelUnavailable
from orchestration.llm_answer import Answer
from orchestration.llm_failures import (
    TIMEOUT_CODE,
    TOO_LONG_CODE,
    UNREACHABLE_CODE,
    Failure,
    nonsense,
    of_error_in_answer,
    of_status,
)
from orchestration.llm_settings import RESPONSES, ProviderSettings
from orchestration.ports import PromptMessage

MAX_ANSWER_BYTES = 4 * 2**20
MAX_REDIRECTS = 2
"""A server that sends us round in circles is not followed for long."""
MAX_ANSWER_CHARS = 120_000
"""So much of an answer is read, like one that was cut off: to look megabytes over takes seconds, and no chat moves."""
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
# What the libraries raise for answers that are none; everything else is a fault of ours and shall be seen.
# What the SDK lets through of the transport's own errors (an answer that is no HTTP, an impossible address).
_LINE_FAULTS = (aiohttp.ClientError, httpx2.HTTPError, httpx2.InvalidURL, OSError)
_ANSWER_FAULTS = (ValueError, TypeError, LookupError, AttributeError, ValidationError)


class Wire:
    """One provider in one event loop. Cancelling a call closes its connection."""

    def __init__(self, provider: ProviderSettings, *, connect_timeout_s: float, clock: Callable[[], datetime]) -> None:
        self._provider = provider
        self._clock = clock
        host = urlsplit(provider.base_url).hostname or ""
        self.official = host.endswith(("openai.com", "openai.azure.com"))
        # The aiohttp transport costs less CPU than the classic one under load (2.9 against 5.2 ms a call, a hundred in
        # flight); a proxy of the environment must not come between us and a server on this machine.
        self._http = openai.DefaultAioHttpClient(
            timeout=httpx2.Timeout(None, connect=connect_timeout_s),
            trust_env=host not in _LOOPBACK,
            max_redirects=MAX_REDIRECTS,
            verify=_trust(provider.base_url),
            event_hooks={"response": [_bounded]},
        )
        # langchain-openai warns on stderr, with the provider's words, before it raises its error.
        warnings.filterwarnings("ignore", category=UserWarning, module=r"langchain_openai\.")
        warnings.filterwarnings("ignore", category=UserWarning, message="Pydantic serializer warnings")
        self._chat = _PlainChat(
            model="-",
            base_url=provider.base_url,
            api_key=_as_callable(provider.api_key),
            http_async_client=self._http,
            max_retries=0,
            use_responses_api=provider.wire_api == RESPONSES,
            stream_usage=False,
        )

    async def close(self) -> None:
        await self._http.aclose()

    async def call(
        self,
        messages: Sequence[PromptMessage],
        *,
        model: str,
        max_tokens: int,
        temperature: float | None,
        legacy_max_tokens: bool | None = None,
        options: Mapping[str, Any] | None = None,
        body: Mapping[str, Any] | None = None,
    ) -> Answer | Failure:
        """One request. ``options`` are ChatOpenAI's (tools), ``body`` goes into the request as it is.

        ``legacy_max_tokens`` None: ``max_tokens`` for every server but OpenAI's own, which wants the newer name.
        """
        extra: dict[str, Any] = {**self._provider.extra_body, **(body or {})}
        arguments: dict[str, Any] = {"model": model, **(options or {})}
        legacy = not self.official if legacy_max_tokens is None else legacy_max_tokens
        if legacy and self._provider.wire_api != RESPONSES:
            extra["max_tokens"] = max_tokens
        else:
            arguments["max_tokens"] = max_tokens
        if temperature is not None:
            arguments["temperature"] = temperature
        if extra:
            arguments["extra_body"] = extra
        try:
            message = await self._chat.ainvoke([_as_langchain(m) for m in messages], **arguments)
        except openai.OpenAIError as error:
            return self._of_sdk(error)
        except AnswerTooLong:
            return Failure(error=ModelNonsense(TOO_LONG_CODE), nonsense=True)
        except _LINE_FAULTS:
            return Failure(error=ModelUnavailable(UNREACHABLE_CODE), again=True)
        except _ANSWER_FAULTS as error:
            return self._of_answer(error)
        return self._answer(message)

    def _of_sdk(self, error: openai.OpenAIError) -> Failure:
        if isinstance(error, openai.APIStatusError):
            return of_status(
                error.status_code, headers=error.response.headers, hint=str(error.message), now=self._clock()
            )
        if isinstance(error, openai.APITimeoutError) and any(isinstance(c, TimeoutError) for c in _causes(error)):
            return Failure(error=ModelUnavailable(TIMEOUT_CODE), again=True)
        if isinstance(error, openai.APIConnectionError):
            return Failure(error=ModelUnavailable(UNREACHABLE_CODE), again=True)
        return nonsense()

    def _of_answer(self, error: Exception) -> Failure:
        # ChatOpenAI raises ValueError(<the error object>) for an error inside a 200.
        inside = error.args[0] if isinstance(error, ValueError) and error.args else None
        if inside is not None and not isinstance(inside, str | bytes | list):
            return of_error_in_answer(inside, self._clock())
        return nonsense()

    def _answer(self, message: AIMessage) -> Answer:
        about = message.response_metadata
        calls = tuple(call["args"] for call in message.tool_calls)
        broken = tuple(str(call.get("args") or "") for call in message.invalid_tool_calls)
        usage = message.usage_metadata
        finish = _finish_of_response(about) if self._provider.wire_api == RESPONSES else about.get("finish_reason")
        text = message.text or str(message.additional_kwargs.get("refusal") or "")
        if len(text) > MAX_ANSWER_CHARS:
            text, finish = text[:MAX_ANSWER_CHARS], "length"
        return Answer(
            text=text,
            arguments=(*calls, *(arguments[:MAX_ANSWER_CHARS] for arguments in broken)),
            finish=str(finish) if finish else None,
            prompt_tokens=usage["input_tokens"] if usage else None,
            completion_tokens=usage["output_tokens"] if usage else None,
        )


class _PlainChat(ChatOpenAI):
    """ChatOpenAI without the libraries' walks over every message, which change nothing in ours (a role and a text).

    langchain-openai looks at each character of what an assistant said, as at a block of content; the SDK matches each
    message against its table of types. What travels as extra body is not walked: with ten messages, 9 ms of CPU a call
    become 3.
    """

    def _get_request_payload(
        self, input_: LanguageModelInput, *, stop: list[str] | None = None, **kwargs: Any
    ) -> dict[str, Any]:
        messages = self._convert_input(input_).to_messages()
        if self.use_responses_api:
            payload = super()._get_request_payload(messages, stop=stop, **kwargs)
            words, told = "input", payload["input"]
        else:
            payload = super()._get_request_payload(messages[:1], stop=stop, **kwargs)
            words, told = "messages", [{"content": m.content, "role": _ROLES[m.type]} for m in messages]
        payload["extra_body"] = {**(payload.get("extra_body") or {}), words: told}
        payload[words] = []
        return payload


_ROLES = {"system": "system", "human": "user", "ai": "assistant"}


class AnswerTooLong(Exception):
    """A body of more than MAX_ANSWER_BYTES: whatever it is, it is not something said in a chat."""


class _BoundedStream(httpx2.AsyncByteStream):
    def __init__(self, stream: httpx2.AsyncByteStream) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        size = 0
        async for chunk in self._stream:
            size += len(chunk)
            if size > MAX_ANSWER_BYTES:
                raise AnswerTooLong
            yield chunk

    async def aclose(self) -> None:
        await self._stream.aclose()


async def _bounded(response: httpx2.Response) -> None:
    if isinstance(response.stream, httpx2.AsyncByteStream):
        response.stream = _BoundedStream(response.stream)


def _trust(base_url: str) -> ssl.SSLContext:
    """The usual certificates; none for plain HTTP, which needs none (reading them takes 70 ms)."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    return context if base_url.startswith("http://") else httpx2.create_ssl_context()


def _causes(error: BaseException) -> Iterator[BaseException]:
    cause = error.__cause__ or error.__context__
    while cause is not None:
        yield cause
        cause = cause.__cause__ or cause.__context__


def _as_callable(key: str) -> Callable[[], Any]:
    """The key as an async callable: it is then in no repr, and ChatOpenAI builds no second, synchronous client."""
    cleaned = key.strip() or "no-key"

    async def api_key() -> str:
        return cleaned

    return api_key


def _as_langchain(message: PromptMessage) -> BaseMessage:
    # Lone surrogates cannot travel as UTF-8.
    text = message.text.encode("utf-8", "replace").decode()
    if message.role == "system":
        return SystemMessage(text)
    return AIMessage(text) if message.role == "assistant" else HumanMessage(text)


def _finish_of_response(about: Mapping[str, Any]) -> str | None:
    if about.get("status") == "incomplete":
        reason = (about.get("incomplete_details") or {}).get("reason")
        return "content_filter" if reason == "content_filter" else "length"
    return "stop" if about.get("status") == "completed" else None
