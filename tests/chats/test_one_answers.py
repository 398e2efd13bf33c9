"""One message, one turn: who answers, what is stored, what stays silent."""

from __future__ import annotations

import asyncio
from time import sleep

import pytest

from orchestration.decisions import DecidedBy, ReplyMode
from orchestration.events import EventKind
from orchestration.model import AgentCard, MessageKind
from orchestration.turns import TurnStatus
from tests.chats.stage import stage


async def test_the_mentioned_agent_answers_with_one_call() -> None:
    async with stage("The Moon is bright tonight.") as room:
        assert await room.say("Ann", "@Nova what is up there?") == ["Nova: The Moon is bright tonight."]
        assert room.server.count == 1


async def test_the_turn_is_written_down_in_columns() -> None:
    async with stage("The Moon.") as room:
        await room.say("Ann", "@Nova what is up there?")
        turn = await room.last_turn()
    assert turn.status is TurnStatus.FINISHED
    assert turn.selection[0].agent_id == "nova"
    assert turn.mode is ReplyMode.SINGLE
    assert turn.decided_by in (DecidedBy.MENTION, DecidedBy.RULE)
    assert turn.usage.calls == 1
    assert turn.usage.prompt_tokens == 100
    assert {"turn", "assess", "intent", "select", "write Nova"} <= {span.name for span in turn.spans}


async def test_the_reply_is_a_message_with_its_authorship() -> None:
    async with stage("The Moon.") as room:
        await room.say("Ann", "@Nova what is up there?")
        chat = await room.chat()
        async with room.storage.read() as uow:
            reply = await uow.messages.get(chat.id, 2)
    assert reply is not None
    assert (reply.kind, reply.agent_id, reply.text) == (MessageKind.AGENT, "nova", "The Moon.")
    assert reply.authorship is not None
    assert reply.authorship.model == "scripted"
    assert reply.authorship.wire_api == "chat_completions"
    assert reply.reply_to_seq == 1


async def test_events_tell_the_turn_in_order_and_end_with_its_finish() -> None:
    async with stage("The Moon.") as room:
        await room.say("Ann", "@Nova what is up there?")
        turn = await room.last_turn()
        kinds = room.kinds(turn.id)
        numbers = [event.seq for event in room.events]
    assert kinds == [
        EventKind.MESSAGE_STORED,
        EventKind.TURN_STARTED,
        EventKind.INTENT_DECIDED,
        EventKind.AGENTS_SELECTED,
        EventKind.REPLY_STARTED,
        EventKind.REPLY_WRITTEN,
        EventKind.REPLY_POSTED,
        EventKind.TURN_FINISHED,
    ]
    assert numbers == sorted(set(numbers))


async def test_the_same_platform_id_again_is_the_same_message() -> None:
    async with stage("The Moon.") as room:
        first = await room.tell("Ann", "@Nova hello", id="x1")
        again = await room.tell("Ann", "@Nova hello", id="x1")
        await room.line.idle()
        assert (first.new, again.new) == (True, False)
        assert first.turn_id == again.turn_id
        assert room.transcript() == ["Nova: The Moon."]


async def test_context_only_messages_get_no_turn_but_are_read() -> None:
    async with stage("Seven o'clock.") as room:
        await room.tell("Bob", "dinner is at seven", wants_turn=False)
        assert room.server.count == 0
        await room.say("Ann", "@Ben when is dinner?")
        assert "dinner is at seven" in room.server.requests[0].text


async def test_a_reply_to_an_agent_goes_to_that_agent() -> None:
    async with stage("Yes.") as room:
        await room.say("Ann", "@Ben hello")
        chat = await room.chat()
        async with room.storage.begin() as uow:
            item = (await uow.outbox.of_turn((await room.last_turn()).id))[0]
            from orchestration.model import OutboxPart, OutboxState

            await uow.outbox.save_part(
                OutboxPart(outbox_id=item.id, part=0, state=OutboxState.SENT, external_id="posted-1")
            )
        assert chat.id == item.chat_id
        assert await room.say("Bob", "really?", reply_to="posted-1") == ["Ben: Yes."]


async def test_the_words_and_the_instructions_stand_word_for_word() -> None:
    from dataclasses import replace

    from tests.chats.stage import CAST, NOVA

    odd = "Say {name} and {{char}} {% raw %} <b> ``` and {} }"
    cast = (replace(NOVA, instructions=odd), *CAST[1:])
    async with stage("Fine.", cast=cast) as room:
        await room.say("Ann", '@Nova {"a": 1} {} {{user}} %s $x')
        request = room.server.requests[0]
    assert odd in request.system
    assert '{"a": 1} {} {{user}} %s $x' in request.last_user
    assert all("name" not in message for message in request.body["messages"])


async def test_surrogates_and_nul_are_cleaned_and_answered() -> None:
    async with stage("Fine.") as room:
        assert await room.say("A\x00nn\ud800", "@Nova he\x00llo \udc00 there") == ["Nova: Fine."]
        chat = await room.chat()
        async with room.storage.read() as uow:
            stored = await uow.messages.get(chat.id, 1)
    assert stored is not None
    assert stored.text == "@Nova hello \ufffd there"


async def test_tenants_do_not_see_each_other() -> None:
    from dataclasses import replace

    from tests.chats.stage import ROOM

    async with stage("Fine.") as room:
        other = replace(ROOM, tenant_id="elsewhere", channel_id="kitchen")
        await room.say("Ann", "@Nova my secret is plum", chat=other)
        await room.say("Ann", "@Nova what do you know?")
    assert "plum" not in room.server.requests[1].text


@pytest.mark.parametrize("words", ["hi", "Hello there!", "good morning", "早上好~", "嗨"])
async def test_a_bare_greeting_is_answered_without_asking_a_model_who_answers(words: str) -> None:
    async with stage("Good to see you.", router=True) as room:
        assert len(await room.say("Ann", words)) == 1
        assert room.server.count == 1


async def test_what_only_begins_like_a_greeting_is_routed_like_anything_else() -> None:
    async with stage("Good to see you.", router=True) as room:
        await room.say("Ann", "hi, hmm, could that work out somehow")
        assert room.server.count > 1


class _SlowMeaning:
    """Meaning that takes its time, as embeddings do; notes whether the loop stood still meanwhile."""

    def __init__(self, ticked: asyncio.Event, loop: asyncio.AbstractEventLoop) -> None:
        self._ticked, self._loop = ticked, loop
        self.loop_went_on = False

    def nearness(self, text: str, cast: tuple[AgentCard, ...]) -> dict[str, float]:
        self._loop.call_soon_threadsafe(self._ticked.set)
        for _ in range(200):
            if self._seen():
                break
            sleep(0.01)
        return {card.id: 1.0 for card in cast}

    def _seen(self) -> bool:
        self.loop_went_on |= self._ticked.is_set()
        return self.loop_went_on

    def leanings(self, text: str) -> dict[str, float]:
        return {}


async def test_embeddings_never_hold_up_the_loop_and_are_not_asked_where_a_name_decides() -> None:
    meaning = _SlowMeaning(asyncio.Event(), asyncio.get_running_loop())
    async with stage("Well.", semantic=meaning) as room:
        assert await room.say("Ann", "@Nova hello") == ["Nova: Well."]
        assert not meaning.loop_went_on
        await room.say("Ann", "I wonder whether that could work out somehow")
        assert meaning.loop_went_on
