"""Commands and buttons on Telegram: the same verbs as everywhere, rights from Telegram's own admins."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from adapters.telegram.addresses import key_of
from orchestration.model import AgentCard, Choice, OutboxKind
from orchestration.sessions import PendingClarification, SessionState
from orchestration.turns import TurnStatus
from storage.memory import MemoryStorage
from tests.fake_telegram import FakeTelegram
from tests.model_server import Reply, Rule
from tests.platforms.telegram_stage import (
    ANN,
    AVA_BOT,
    AVA_TOKEN,
    BASIC,
    BOB,
    EVE,
    GROUP,
    HOST,
    TelegramStage,
    a_world,
    telegram_stage,
)


def buttons(message: dict[str, Any]) -> list[dict[str, Any]]:
    return [b for row in message.get("reply_markup", {}).get("inline_keyboard", []) for b in row]


async def confirmed(stage: TelegramStage, n: int) -> str:
    """What the n-th presser was told."""
    calls = await stage.until(lambda: stage.world.calls_of("answerCallbackQuery")[n - 1 :])
    return str(calls[0].params.get("text", ""))


async def test_why_on_the_question_and_on_the_answer_names_agent_model_and_state() -> None:
    async with telegram_stage("Ferns.") as stage:
        asked = stage.acts.say(GROUP, ANN, "Ava, what grows?")
        await stage.settled()
        answer = stage.world.sent(GROUP)[-1]
        for message in (asked, answer):
            why = await stage.command("/why", who=BOB, reply_to=message["message_id"])
            assert "Ava" in why["text"]
            assert "scripted" in why["text"]
            assert why["_receiver_user_id"] in (BOB, str(BOB))


async def test_why_answers_while_a_turn_runs() -> None:
    def script(request: Any) -> Any:
        return Reply(text="late", delay_s=20)

    async with telegram_stage(script) as stage:
        stage.acts.say(GROUP, ANN, "Ava, think long")
        await stage.until(lambda: stage.model.count)
        why = await stage.command("/why")
        assert why["text"]
        await stage.command("/stop now")
        await stage.settled()


async def test_a_refusal_says_that_it_is_for_admins() -> None:
    async with telegram_stage() as stage:
        for line in ("/settings agents_max 1", "/agent remove Ben", "/audit"):
            refused = await stage.command(line, who=BOB)
            assert "admin" in refused["text"], line
        done = await stage.command("/agent remove Ben", who=ANN)
        assert "Ben" in done["text"]
        cast = await stage.command("/cast")
        assert "Ben" not in cast["text"]


async def test_ask_at_an_agents_bot_goes_to_that_agent_and_other_bots_commands_are_not_ours() -> None:
    async with telegram_stage("Me.", pool={"ava": AVA_TOKEN}) as stage:
        stage.world.put(GROUP, AVA_BOT)
        assert await stage.say("/ask@ava_bot what grows in the shade?") == ["Me."]
        asked = await stage.chat(key_of(GROUP))
        async with stage.storage.read() as uow:
            assert (await uow.messages.recent(asked.id, limit=9))[0].text == "what grows in the shade?"
        for line in ("/why@other_bot", "/quote", "/ask@other_bot hello Ava", "/ask@ava_bot"):
            assert await stage.say(line) == [], line
        before = len(stage.world.sent(GROUP))
        await stage.command("/why@cast_bot")
        assert len(stage.world.sent(GROUP)) == before + 1


async def test_a_slip_of_the_pen_is_helped_with() -> None:
    async with telegram_stage() as stage:
        assert "/settings" in (await stage.command("/setings"))["text"]


async def test_a_clarification_is_answered_by_a_button_and_only_by_its_person() -> None:
    unsure = {"obj": {"intent": "unknown", "targets": [], "mode": "single", "confidence": 0.2, "reply": True}}
    script = [Rule(when="(?i)json", reply=unsure), Rule(reply="It was I.")]
    storage = MemoryStorage()
    async with FakeTelegram(a_world()) as server:
        async with telegram_stage(script, server=server, storage=storage) as stage:
            chat = await stage.chat(key_of(GROUP))
            await _ask(stage, chat.id)
        async with telegram_stage(script, server=server, storage=storage) as stage:
            question = server.world.sent(GROUP)[-1]
            choices = buttons(question)
            assert [b["text"] for b in choices] == ["Ava", "Ben"]
            assert all(len(b["callback_data"].encode()) <= 64 for b in choices)
            stage.acts.press(GROUP, BOB, question["message_id"], choices[0]["callback_data"])
            assert await confirmed(stage, 1)
            stage.acts.press(GROUP, ANN, question["message_id"], choices[0]["callback_data"])
            await stage.until(lambda: server.world.sent(GROUP)[-1]["text"].startswith("🦊 Ava"))
            await stage.until(lambda: not buttons(server.world.chats[GROUP].messages[question["message_id"]]))


async def _ask(stage: TelegramStage, chat_id: int) -> None:
    """A question that waits for Ann, as a turn would leave it."""
    stage.acts.say(GROUP, ANN, "Ava, a question")
    await stage.settled()
    choices = (Choice(id="a", label="Ava", agent_ids=("ava",)), Choice(id="b", label="Ben", agent_ids=("ben",)))
    async with stage.storage.begin() as uow:
        turn = (await uow.turns.last(chat_id))[0]
        now = datetime.now(UTC)
        waiting = replace(turn, id=f"{turn.id}x", seq=turn.seq, status=TurnStatus.CLARIFYING, version=0)
        await uow.turns.add(waiting)
        session = await uow.sessions.get(chat_id)
        pending = PendingClarification(
            turn_id=waiting.id,
            person_id=f"telegram:{ANN}",
            question="Who?",
            choices=choices,
            asked_at=now,
            expires_at=now + timedelta(minutes=10),
        )
        await uow.sessions.save(replace(session, state=SessionState.CLARIFYING, pending=pending))
    await stage.post(
        key_of(GROUP),
        "Who?",
        None,
        kind=OutboxKind.CLARIFICATION,
        choices=choices,
        person_id=f"telegram:{ANN}",
        turn_id=f"{turn.id}x",
    )


async def test_regenerate_and_remove_buttons_belong_to_the_person_and_the_admins() -> None:
    script = [Rule(reply=["First.", "Second.", "Third."])]
    async with telegram_stage(script) as stage:
        await stage.say("Ava, say something", who=BOB)
        posted = stage.world.sent(GROUP)[-1]
        anew, away = (b["callback_data"] for b in buttons(posted))
        stage.world.put(GROUP, EVE)
        stage.acts.press(GROUP, EVE, posted["message_id"], anew)
        assert "admin" in await confirmed(stage, 1)
        stage.acts.press(GROUP, BOB, posted["message_id"], anew)
        await stage.until(lambda: stage.world.sent(GROUP)[-1]["text"] == "🦊 Ava\nSecond.")
        assert stage.world.sent(GROUP)[-1]["message_id"] == posted["message_id"]
        await stage.settled()
        stage.acts.press(GROUP, ANN, posted["message_id"], away)
        await stage.until(lambda: not stage.world.sent(GROUP))


async def test_an_anonymous_admins_press_counts_as_an_admins() -> None:
    async with telegram_stage("Hm.") as stage:
        stage.acts.say_as_group(GROUP, "Ava, say something")
        await stage.settled()
        posted = stage.world.sent(GROUP)[-1]
        away = buttons(posted)[-1]["callback_data"]
        stage.acts.press(GROUP, BOB, posted["message_id"], away)
        assert "admin" in await confirmed(stage, 1)
        stage.acts.press(GROUP, ANN, posted["message_id"], away)
        await stage.until(lambda: not stage.world.sent(GROUP))


async def test_a_button_from_long_ago_says_so() -> None:
    async with telegram_stage("Hm.") as stage:
        await stage.say("Ava, hello")
        posted = stage.world.sent(GROUP)[-1]
        stage.acts.press(GROUP, ANN, posted["message_id"], "nothing-we-know")
        assert await confirmed(stage, 1)


async def test_remove_by_command_takes_the_answer_away_under_its_own_bot() -> None:
    async with telegram_stage("Oops.", pool={"ava": AVA_TOKEN}) as stage:
        stage.world.put(GROUP, AVA_BOT)
        await stage.say("Ava, hello", who=BOB)
        posted = stage.world.sent(GROUP)[-1]
        stage.acts.say(GROUP, BOB, "/remove", reply_to=posted["message_id"])
        await stage.until(lambda: posted["message_id"] not in stage.world.chats[GROUP].messages)


async def test_a_long_answer_of_a_command_comes_in_parts_and_a_file_as_a_file() -> None:
    cards = tuple(
        AgentCard(id=f"a{n}", name=f"Agent {n}", description="d" * 900, starter=True, emoji="🦊") for n in range(6)
    )
    async with telegram_stage(cast=cards) as stage:
        await stage.command("/agent export Agent 1")
        files = await stage.until(lambda: stage.world.calls_of("sendDocument"))
        assert files[0].status == 200


async def test_commands_in_a_basic_group_and_forwarded_ones() -> None:
    async with telegram_stage("Hm.") as stage:
        assert (await stage.command("/help", chat=BASIC))["text"]
        origin = {"type": "user", "date": 1, "sender_user": {"id": BOB, "is_bot": False, "first_name": "Bob"}}
        await stage.say("/stop", forward_origin=origin)
        chat = await stage.chat(key_of(GROUP))
        async with stage.storage.read() as uow:
            assert [m.text for m in await uow.messages.recent(chat.id, limit=9) if not m.agent_id] == ["/stop"]


async def test_hosts_answers_survive_a_429() -> None:
    async with telegram_stage() as stage:
        stage.server.fail("status", method="sendMessage", code=429, parameters={"retry_after": 1})
        assert (await stage.command("/help"))["from"]["id"] == HOST
        assert stage.world.early_retries == 0


@pytest.mark.parametrize("line", ["/settings locale zh", "/help"])
async def test_the_chats_language_is_spoken(line: str) -> None:
    async with telegram_stage() as stage:
        await stage.command("/settings locale zh")
        answer = await stage.command(line)
        assert any("\u4e00" <= c <= "\u9fff" for c in answer["text"])


async def test_a_group_whose_cast_was_sent_away_is_not_listened_to() -> None:
    async with telegram_stage("Hm.") as stage:
        await stage.command("/cast unbind")
        assert await stage.say("Ava, hello") == []
        chat = await stage.chat(key_of(GROUP))
        async with stage.storage.read() as uow:
            assert await uow.messages.recent(chat.id, limit=9) == []
        await stage.command("/cast bind")
        assert await stage.say("Ava, hello again") == ["🦊 Ava\nHm."]


async def test_a_card_comes_in_as_a_document_with_a_command() -> None:
    card = {"spec": "chara_card_v2", "data": {"name": "Zoe", "description": "slow and wise"}}
    async with telegram_stage("Hm.") as stage:
        stage.server.files["zoe.json"] = json.dumps(card).encode()
        document = {"file_id": "zoe.json", "file_unique_id": "z", "file_name": "zoe.json"}
        stage.acts.say(GROUP, ANN, None, caption="/agent import", document=document)
        await stage.until(lambda: stage.world.sent(GROUP))
        assert "Zoe" in {card.name for card in await stage.casts.of((await stage.chat(key_of(GROUP))).tenant_id)}


async def test_a_right_given_or_taken_counts_at_once() -> None:
    async with telegram_stage() as stage:
        assert "admin" in (await stage.command("/settings agents_max 2", who=BOB))["text"]
        stage.acts.promote(GROUP, BOB, by=ANN)
        await stage.command("/settings agents_max 2", who=BOB)
        assert (await stage.chat(key_of(GROUP))).settings.agents_max == 2
        stage.world.put(GROUP, BOB)
        assert "admin" in (await stage.command("/settings agents_max 3", who=BOB))["text"]


async def test_an_answer_that_finds_the_group_moved_follows_it() -> None:
    async with telegram_stage("Hm.") as stage:
        await stage.say("Ava, hello", chat=BASIC)
        stage.acts.say(BASIC, ANN, "/cast")
        stage.acts.migrate(BASIC, -1001000000077, order="")
        moved = await stage.until(lambda: stage.world.sent(-1001000000077))
        assert "Ben" in moved[0]["text"]
        async with stage.storage.read() as uow:
            assert await uow.chats.find(key_of(-1001000000077)) is not None


async def test_a_reply_to_a_later_part_of_a_long_answer_is_a_reply_to_the_answer() -> None:
    def script(request: Any) -> str:
        return "fern " * 2500 if request.last_user.endswith("everything about ferns") else "Soup."

    async with telegram_stage(script) as stage:
        await stage.say("Ava, everything about ferns")
        await stage.say("Ben, and dinner?", who=BOB)
        parts = [m for m in stage.world.sent(GROUP) if "fern fern" in m["text"]]
        assert len(parts) == 4
        why = await stage.command("/why", who=BOB, reply_to=parts[2]["message_id"])
        assert "everything about ferns" in why["text"]
        said = await stage.say("go on", who=BOB, reply_to=parts[3]["message_id"])
        assert said[0].startswith("🦊 Ava\n")
