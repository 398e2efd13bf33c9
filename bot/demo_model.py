"""The local demo model: SmolLM2-135M on llama.cpp's own OpenAI-compatible server, inside this process.

It lets a newcomer without a key see real, if weak, English text. It writes only: it never routes or checks, and it
does not speak Chinese (set phrases stand in).
"""

from __future__ import annotations

import asyncio
import importlib
import logging
import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import regex

from orchestration.cleaning import is_chinese
from orchestration.errors import ModelError, ModelRefused
from orchestration.human_claims import claims_human
from orchestration.llm import ModelTools, OpenAIModel
from orchestration.llm_settings import ProviderSettings, RoleSettings
from orchestration.llm_text import up_to_sentence
from orchestration.model import AgentCard, Locale, Usage
from orchestration.phrases import PhraseModel, is_grief, phrase
from orchestration.ports import Completion, PromptMessage, SchemaT, WriteRequest

logger = logging.getLogger(__name__)

LABEL = "demo model SmolLM2-135M"
MODEL = "SmolLM2-135M-Instruct"
CONTEXT_TOKENS = 1_024
ANSWER_TOKENS = 70
SENTENCES = 2
TEMPERATURE = 0.4
# Without a penalty a model this small falls into loops.
SAMPLING = {"repeat_penalty": 1.15, "top_p": 0.9}
TIMEOUT_S = 40.0
MAX_WORDS_CHARS = 400
MAX_CARD_CHARS = 160

_EXAMPLE = "What about a walk"
_HAN_PART = regex.compile(r"[^.!?\n]*\p{Han}[^.!?\n]*[.!?]?")
_SENTENCE = regex.compile(r".+?(?:[.!?]+[\"'”’)*]*(?=\s|\Z)|\Z)", regex.DOTALL)
_OWN_NAME = regex.compile(r"\b(?:(?i:I am|I['’]m|my name is|call me))\s+(\p{Lu}[\w'’-]*(?:[ ]\p{Lu}[\w'’-]*)*)")
# What a model this small blurts out now and then, and no cast should.
_COARSE = regex.compile(r"fuck|shit|bitch|cunt|nigg|slut|rape|\bsex", regex.IGNORECASE)


class DemoServer:
    """llama.cpp's server on a free loopback port, started at the first call and stopped by `close`."""

    def __init__(self, model_file: Path) -> None:
        self._model_file = model_file
        self._server: Any = None
        # A thread's lock: turns and the person's terminal may live in different event loops.
        self._starting = threading.Lock()

    async def base_url(self) -> str:
        """Raises RuntimeError or OSError when the server cannot be started."""
        return await asyncio.to_thread(self._started)

    async def close(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            # Dropping the last reference stops the server and waits for its threads.
            holder = [server]
            del server
            await asyncio.to_thread(holder.clear)

    def _started(self) -> str:
        with self._starting:
            if self._server is None:
                self._server = self._start()
            return f"{self._server.listening_address}/v1"

    def _start(self) -> Any:
        llama = importlib.import_module("xllamacpp")
        params = llama.CommonParams()
        params.model.path = str(self._model_file)
        params.n_ctx = CONTEXT_TOKENS
        params.n_parallel = 1
        params.port = 0
        params.verbosity = -1
        params.warmup = False
        # llama.cpp's threads spin while they wait for each other: on a busy machine one beats two by far.
        params.cpuparams.n_threads = 1
        params.cpuparams_batch.n_threads = 1
        return llama.Server(params)


class Served(Protocol):
    """Where the demo model can be reached."""

    async def base_url(self) -> str:
        """Raises RuntimeError, OSError or ImportError when it cannot be."""


class DemoModel:
    """A `ChatModel` with prompts of its own: a model this small gets lost in the ones made for real models."""

    def __init__(self, server: Served, tools: ModelTools, phrases: PhraseModel) -> None:
        self._server = server
        self._tools = tools
        self._phrases = phrases
        self._model: OpenAIModel | None = None
        self._broken = False

    @property
    def label(self) -> str:
        return self._phrases.label if self._broken else LABEL

    async def write(self, request: WriteRequest) -> Completion:
        if self._broken or request.locale.startswith("zh") or is_chinese(request.words) or is_grief(request.words):
            return await self._phrases.write(request)
        model = await self._ready()
        if model is None:
            return await self._phrases.write(request)
        messages = short_prompt(request.agent, request.words)
        try:
            said = await model.write(replace(request, messages=messages, model="", max_tokens=ANSWER_TOKENS))
        except ModelError as error:
            logger.info("the demo model gave nothing (%s): a set phrase stands in", error.code)
            return await self._phrases.write(request)
        shown = first_sentences(said.text)
        if not shown or _COARSE.search(shown) or claims_human(shown) or _is_somebody_else(shown, request.agent):
            return await self._phrases.write(request)
        return replace(said, text=shown)

    async def decide(self, messages: Sequence[PromptMessage], schema: type[SchemaT]) -> tuple[SchemaT, Usage]:
        # Its choices are no better than chance, however valid their JSON is.
        raise ModelRefused

    async def warm(self) -> None:
        """Loads the model and the client's libraries, so that the first person does not wait for them."""
        await self._tools.clients.warm()
        await self._ready()

    async def _ready(self) -> OpenAIModel | None:
        if self._model is None and not self._broken:
            try:
                url = await self._server.base_url()
            except (RuntimeError, OSError, ImportError) as error:
                logger.warning("the demo model cannot run here (%s): set phrases stand in", type(error).__name__)
                self._broken = True
                return None
            provider = ProviderSettings(name="demo", base_url=url, extra_body=SAMPLING)
            role = RoleSettings(provider="demo", model=MODEL, temperature=TEMPERATURE, timeout_s=TIMEOUT_S)
            self._model = OpenAIModel(provider, role, self._tools, label=LABEL)
        return self._model


def short_prompt(agent: AgentCard | None, words: str) -> tuple[PromptMessage, ...]:
    """Who speaks, how, two examples, and the person's words: all that 135 million parameters can hold on to."""
    name = agent.name if agent else "Troupe"
    who = f"You are {name}"
    if agent and (about := _english(agent.description)):
        who += f", {about[:1].lower()}{about[1:]}"
    tone = _english(agent.tone) if agent else ""
    system = f"{who}." + (f" Your tone: {tone}." if tone else "")
    system += " You are chatting with friends. Answer the last message in one or two short sentences."
    shown = phrase(agent, _EXAMPLE, Locale.EN).replace('"', "")
    return (
        PromptMessage(role="system", text=system),
        PromptMessage(role="user", text="Who are you?"),
        PromptMessage(role="assistant", text=f"Hello! I am {name}. Good to see you all."),
        PromptMessage(role="user", text=f"{_EXAMPLE}, {name}?"),
        PromptMessage(role="assistant", text=shown),
        PromptMessage(role="user", text=words.strip()[:MAX_WORDS_CHARS] or "Hello!"),
    )


def _is_somebody_else(text: str, agent: AgentCard | None) -> bool:
    """Whether it calls itself by a name that is not its own, as a model this small does every so often."""
    if agent is None:
        return False
    known = {word for name in (agent.name, *agent.aliases) for word in name.casefold().split()}
    return any(word.casefold() not in known for found in _OWN_NAME.finditer(text) for word in found[1].split())


def first_sentences(text: str) -> str:
    """The first two whole sentences on one line of talk; a third one is where so small a model loses the thread."""
    talk = " ".join(text.split())
    sentences = [found.group().strip() for found in _SENTENCE.finditer(talk)]
    whole = [sentence for sentence in sentences if sentence[-1:] in ".!?\"'”’)*"]
    return " ".join((whole or sentences)[:SENTENCES]) if whole or sentences else up_to_sentence(talk)


def _english(field: str) -> str:
    cut = " ".join(_HAN_PART.sub("", field).split())[:MAX_CARD_CHARS]
    return (cut.rpartition(" ")[0] if len(cut) == MAX_CARD_CHARS else cut).rstrip(" .")
