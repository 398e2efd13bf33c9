"""The whole program on Telegram: started, answering, killed, started again, ended."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from tests.fake_telegram import FakeTelegram
from tests.faults.telegram_process import TelegramProcess, until, write_config
from tests.model_server import ModelServer
from tests.platforms.telegram_stage import ANN, AVA_BOT, BASIC, FORUM, GROUP, HOST, a_world


async def test_it_answers_and_sigterm_ends_it_with_nothing_half_done(tmp_path: Path) -> None:
    async with FakeTelegram(a_world()) as server, ModelServer("Ferns like shade.") as model:
        config = write_config(tmp_path, server.url, model.base_url)
        run = await TelegramProcess.start(config)
        try:
            server.acts.say(GROUP, ANN, "Ava, do ferns like shade?")
            await until(lambda: server.world.sent(GROUP), run=run)
            assert server.world.sent(GROUP)[0]["text"] == "🦊 Ava\nFerns like shade."
        finally:
            code, output = await run.end()
        assert code == 0, output
        assert "Traceback" not in output
        assert "h" * 35 not in output


async def test_killed_around_a_send_nothing_is_lost_and_nothing_said_twice(tmp_path: Path) -> None:
    async with FakeTelegram(a_world()) as server, ModelServer("Once.") as model:
        config = write_config(tmp_path, server.url, model.base_url)
        # The first send is applied but its answer hangs: the process is killed just then.
        server.fail("hang_after", method="sendMessage", seconds=15.0)
        run = await TelegramProcess.start(config)
        server.acts.say(GROUP, ANN, "Ava, the first")
        await until(lambda: server.world.calls_of("sendMessage"), run=run)
        server.acts.say(GROUP, ANN, "Ben, the second")
        await until(lambda: not server.world.bot(HOST).updates)
        await run.kill()
        again = await TelegramProcess.start(config)
        try:
            await until(lambda: len(server.world.sent(GROUP)) == 2)
            server.acts.say(GROUP, ANN, "Ava, the third")
            await until(lambda: len(server.world.sent(GROUP)) == 3)
        finally:
            code, output = await again.end()
        assert code == 0, output
        answered = Counter(m["reply_to_message"]["text"] for m in server.world.sent(GROUP))
        assert answered == {"Ava, the first": 1, "Ben, the second": 1, "Ava, the third": 1}


async def test_check_names_a_dead_token_and_ends_with_a_code(tmp_path: Path) -> None:
    world = a_world()
    world.bot(AVA_BOT).revoked = True
    async with FakeTelegram(world) as server, ModelServer("hello") as model:
        config = write_config(tmp_path, server.url, model.base_url, pool=True)
        code, output = await (await TelegramProcess.start(config, "check")).over()
    assert code == 2, output
    assert "@cast_bot" in output
    assert "Ava" in output
    assert "refused" in output
    assert "a" * 35 not in output


async def test_sigterm_ends_it_in_time_however_much_hangs(tmp_path: Path) -> None:
    """Sends, typing and commands' answers of two bots in three chats are under way, and none is ever answered."""
    world = a_world()
    world.put(GROUP, AVA_BOT)
    async with FakeTelegram(world) as server, ModelServer("Ferns like shade.") as model:
        config = write_config(tmp_path, server.url, model.base_url, pool=True)
        for method in ("sendMessage", "sendChatAction", "getChatMember"):
            server.fail("hang_after", method=method, seconds=90.0, times=99)
        run = await TelegramProcess.start(config)
        try:
            for chat in (GROUP, FORUM, BASIC):
                for line in ("Ava, do they?", "/settings", "/why", "/help"):
                    server.acts.say(chat, ANN, line)
            await until(lambda: len(server.world.calls_of("sendMessage", bot_id=HOST)) >= 6, run=run)
            await until(lambda: server.world.calls_of("sendMessage", bot_id=AVA_BOT), run=run)
        finally:
            code, output = await run.end()
        assert code == 0, output
