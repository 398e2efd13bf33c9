"""Whole turns on Telegram, told as chats."""

from __future__ import annotations

from tests.platforms.telegram_stage import ANN, GROUP, HOST, telegram_stage


async def test_a_message_in_a_group_is_answered_with_a_header() -> None:
    async with telegram_stage("Ferns like shade.") as stage:
        said = await stage.say("Ava, do ferns like shade?")
        assert said == ["🦊 Ava\nFerns like shade."]
        message = stage.world.sent(GROUP)[0]
        assert message["from"]["id"] == HOST
        assert message["entities"] == [{"type": "bold", "offset": 0, "length": 6}]
        assert message["reply_to_message"]["from"]["id"] == ANN
