"""Which models a configuration and an environment lead to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from bot.config import Settings, load
from bot.demo_fetch import BYTES, FILE
from bot.model_choice import choose, wants_demo
from bot.model_listing import listed_models
from orchestration.model import Locale
from orchestration.ports import WriteRequest
from tests.model_server import ModelServer
from tests.model_stage import prompt

CONFIG = """
models:
  providers:
    main: {{base_url: "{url}", api_key_env: MAIN_KEY}}
    small: {{base_url: "{url}", wire_api: responses}}
  roles:
    writer: {{provider: main, model: large, temperature: 0.8}}
    router: {{provider: small, model: tiny, timeout_s: 300}}
    checker: null
  prices:
    large: {{input: 2.0, output: 4.0}}
"""


def settings(folder: Path, text: str, environ: Mapping[str, str]) -> Settings:
    (folder / "config.yaml").write_text(text)
    return load(folder / "config.yaml", environ={"TROUPE_CACHE": str(folder / "cache"), **environ})


async def test_configured_roles_speak_with_their_own_models(tmp_path: Path) -> None:
    async with ModelServer("Hello.") as server:
        chosen = await choose(settings(tmp_path, CONFIG.format(url=server.base_url), {"MAIN_KEY": "key-of-main"}))
        assert (chosen.notice, chosen.notice_text(Locale.EN)) == ("", "")
        assert chosen.writer.label == "large (main)"
        assert chosen.router is not None
        assert chosen.router.label == "tiny (small)"
        assert chosen.checker is None
        assert chosen.summariser is not None
        assert chosen.summariser.label == "large (main)"
        said = await chosen.writer.write(WriteRequest(messages=prompt()))
        assert said.usage.cost == pytest.approx((100 * 2 + 20 * 4) / 1e6)
        await chosen.router.write(WriteRequest(messages=prompt()))
        await chosen.close()
        first, second = server.requests
        assert (first.path, first.headers["Authorization"]) == ("/v1/chat/completions", "Bearer key-of-main")
        assert first.body["temperature"] == 0.8
        assert second.path == "/v1/responses"
        assert "key-of-main" not in second.headers["Authorization"]


async def test_the_environment_comes_next(tmp_path: Path) -> None:
    async with ModelServer("Hello.") as server:
        environ = {"OPENAI_API_KEY": "key-of-env", "OPENAI_BASE_URL": server.base_url, "OPENAI_MODEL": "mini"}
        chosen = await choose(settings(tmp_path, "locale: en\n", environ))
        assert chosen.notice == ""
        assert (await chosen.writer.write(WriteRequest(messages=prompt()))).model == "mini"
        await chosen.close()
        assert server.requests[0].headers["Authorization"] == "Bearer key-of-env"


@pytest.mark.parametrize(
    ("environ", "label"),
    [
        ({"OPENAI_API_KEY": "k"}, "gpt-4o-mini (openai)"),
        ({"OPENAI_BASE_URL": "http://127.0.0.1:9/v1"}, "gpt-4o-mini (openai)"),
    ],
)
async def test_a_key_or_an_address_alone_is_enough(tmp_path: Path, environ: dict[str, str], label: str) -> None:
    found = settings(tmp_path, "locale: en\n", environ)
    chosen = await choose(found)
    assert chosen.writer.label == label
    assert chosen.router is not None
    assert not wants_demo(found)
    await chosen.close()


async def test_a_server_of_ones_own_is_asked_which_models_it_has(tmp_path: Path) -> None:
    async with ModelServer("Hello.") as server:
        chosen = await choose(settings(tmp_path, "locale: en\n", {"OPENAI_BASE_URL": server.base_url}))
        assert chosen.writer.label == "scripted (openai)"
        assert server.count == 0
        await chosen.close()


async def test_a_server_of_ones_own_that_is_down_is_found_out_later(tmp_path: Path) -> None:
    async with ModelServer() as server:
        address = server.base_url
    assert await listed_models(address) == ()
    chosen = await choose(settings(tmp_path, "locale: en\n", {"OPENAI_BASE_URL": address}))
    assert chosen.writer.label == "gpt-4o-mini (openai)"
    await chosen.close()


async def test_a_fetched_demo_model_is_next_and_never_routes(tmp_path: Path) -> None:
    (tmp_path / "cache" / "models").mkdir(parents=True)
    with (tmp_path / "cache" / "models" / FILE).open("wb") as sparse:
        sparse.truncate(BYTES)
    pytest.importorskip("xllamacpp")
    chosen = await choose(settings(tmp_path, "locale: en\n", {}))
    assert chosen.writer.label == "demo model SmolLM2-135M"
    assert (chosen.router, chosen.checker, chosen.summariser) == (None, None, None)
    assert "demo model SmolLM2-135M" in chosen.notice_text(Locale.EN)
    await chosen.close()
    chinese = await choose(settings(tmp_path, "locale: zh\n", {}))
    assert chinese.notice == "notice_demo_model_unread"
    await chinese.close()


async def test_without_anything_there_are_set_phrases_and_a_notice(tmp_path: Path) -> None:
    chosen = await choose(settings(tmp_path, "locale: zh\n", {"OPENAI_API_KEY": "  "}))
    assert chosen.notice == "notice_phrases_only"
    assert "OPENAI_API_KEY" in chosen.notice_text(Locale.ZH)
    assert (await chosen.writer.write(WriteRequest(messages=(), words="周末去爬山", locale="zh"))).provider == "troupe"
    assert chosen.router is None
    await chosen.warm()
    await chosen.close()
