"""`chat --json` as the real process: what a program may rely on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.chat_process import ChatProcess, transcript, write_config
from tests.model_server import ModelServer, Rule

MESSAGE_KEYS = {"type", "message_id", "turn_id", "agent_id", "agent", "text", "reply_to"}
EVENT_KEYS = {"type", "seq", "kind", "turn_id", "block_id", "content"}


@pytest.mark.timeout(300)
async def test_the_contract_over_a_restart(tmp_path: Path) -> None:
    async with ModelServer([Rule(when="again", reply="Once more."), "Hello there."]) as server:
        chat = await ChatProcess.start(write_config(tmp_path, server.base_url))
        await chat.send(id="m1", author="Ann", text="Hello @Nova", reply_to=None)
        await chat.send(id="m1", author="Ann", text="Hello @Nova", reply_to=None)
        await chat.finished(1)
        (first,) = chat.messages()
        await chat.send(id="m2", author="Ann", text="and again?", reply_to=first["message_id"])
        await chat.finished(2)
        await chat.send(command="/why")
        await chat.until(lambda line: line["type"] == "notice" and "Nova" in line["text"])
        assert await chat.end() == 0
        assert (chat.junk, chat.errors) == ([], "")

        assert set(first) == MESSAGE_KEYS
        assert (first["agent_id"], first["agent"], first["text"]) == ("nova", "Nova", "Hello there.")
        assert first["reply_to"] == "m1"
        assert chat.messages()[1]["agent_id"] == "nova", "a reply to an agent's message goes to that agent"
        assert chat.messages()[1]["reply_to"] == "m2"
        events = [line for line in chat.lines if line["type"] == "event"]
        assert all(set(event) == EVENT_KEYS for event in events)
        assert [event["seq"] for event in events] == sorted(event["seq"] for event in events)
        for turn_id in {event["turn_id"] for event in events if event["turn_id"]}:
            assert [e["kind"] for e in events if e["turn_id"] == turn_id][-1] == "turn_finished"
        before = transcript(tmp_path)
        assert before == chat.messages()

        chat = await ChatProcess.start(tmp_path / "config.yaml")
        await chat.send(id="m1", author="Ann", text="Hello @Nova", reply_to=None)
        await chat.send(id="m2", author="Ann", text="and again?", reply_to=first["message_id"])
        await chat.send(command="/agent list")
        await chat.until(lambda line: line["type"] == "notice" and "Ben" in line["text"])
        assert await chat.end() == 0
        assert chat.messages() == []
        assert transcript(tmp_path) == before
        assert server.count == 2


@pytest.mark.timeout(300)
async def test_hostile_lines_are_answered_and_harm_nothing(tmp_path: Path) -> None:
    lines = {
        "nul": "@Nova a\0b",
        "half": "@Nova \ud800 half",
        "braces": "@Nova {x} {{char}} } %s ${y} <system> ```",
        "turned": "@Nova \u202eabc\u2066 \u200b",
        "long": "@Nova " + "长 x" * 33_000,
        "lines": "@Nova one\u2028two\x85three",
    }
    async with ModelServer(lambda request: f"I heard {len(request.last_user)} signs.") as server:
        chat = await ChatProcess.start(write_config(tmp_path, server.base_url, turn={"burst_s": 0}))
        for count, (line_id, text) in enumerate(lines.items(), start=1):
            await chat.send(id=line_id, author="Ann {x} \u202e", text=text)
            await chat.finished(count)
        assert await chat.end() == 0
    assert (chat.junk, chat.errors) == ([], "")
    assert [message["reply_to"] for message in chat.messages()] == list(lines)
    assert transcript(tmp_path) == chat.messages()


async def test_a_server_that_refuses_leaves_one_friendly_notice_and_no_secret(tmp_path: Path) -> None:
    async with ModelServer(["fault:401"]) as server:
        config = write_config(tmp_path, server.base_url)
        provider = {"base_url": server.base_url, "api_key_env": "LOOPBACK_KEY"}
        role = {"provider": "loopback", "model": "scripted"}
        models = {"providers": {"loopback": provider}, "roles": {"writer": role, "router": None, "checker": None}}
        write_config(tmp_path, server.base_url, models=models)
        chat = await ChatProcess.start(config, LOOPBACK_KEY="sk-very-secret-key-1")
        await chat.send(id="m1", author="Ann", text="Hello @Nova")
        await chat.finished(1)
        assert await chat.end() == 0
    assert (chat.junk, chat.errors) == ([], "")
    assert chat.messages() == []
    assert len(chat.notices()) == 1
    for file in (tmp_path / "data").rglob("*"):
        if file.is_file():
            assert b"very-secret" not in file.read_bytes(), file
    assert "very-secret" not in str(chat.lines)
