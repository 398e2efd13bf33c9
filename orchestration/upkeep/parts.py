"""What background work is made of, and what it may spend."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from orchestration.cast import Casts
from orchestration.errors import ModelError, ModelUnavailable
from orchestration.llm_tokens import tokens_of
from orchestration.memory.meaning import Embedder
from orchestration.memory.records import Outcome, UpkeepState, Work
from orchestration.model import GroupChat, Locale, Message
from orchestration.ports import ChatModel, Clock, NewId, PromptMessage, SchemaT, Storage, UnitOfWork
from orchestration.transactions import transact

CALL_S = 180.0
"""No model call of upkeep takes longer, whatever the role's own limit is."""
ANSWER_TOKENS = 800
NAMES_FROM = 200
"""So many messages back the people of a chat are known by name."""
BACKOFF_FIRST = timedelta(seconds=15)
BACKOFF_MOST = timedelta(hours=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepSettings:
    """``daily_tokens``: what background work may spend a day for one tenant; 0: no model is asked."""

    daily_tokens: int = 200_000
    remember_quiet_s: float = 10.0
    """A chat that was still for so long is read for memories at once."""
    remember_after: int = 20
    """So many new messages are enough to read it while it goes on."""
    locale: Locale = Locale.EN


@dataclass(frozen=True, slots=True, kw_only=True)
class UpkeepMinds:
    """What thinks in background work; had only once the process has started."""

    summariser: ChatModel | None = None
    embedder: Embedder | None = None


@dataclass(slots=True, kw_only=True)
class UpkeepParts:
    storage: Storage
    casts: Casts
    clock: Clock
    new_id: NewId
    settings: UpkeepSettings
    minds: UpkeepMinds
    chores: Mapping[Work, Callable[[], Awaitable[bool]]] = field(default_factory=dict)
    """What is done once a day for all chats; each tells whether there was anything to do."""

    @property
    def asks_model(self) -> bool:
        """Whether a model helps at all; else rules do everything."""
        return self.minds.summariser is not None and self.settings.daily_tokens > 0

    def locale(self, chat: GroupChat) -> Locale:
        return chat.settings.locale or self.settings.locale

    async def vectors(self, texts: Sequence[str]) -> dict[str, bytes]:
        """Text -> vector; empty where nothing can embed."""
        embedder = self.minds.embedder
        if embedder is None or not texts:
            return {}
        made = await asyncio.to_thread(embedder.vectors, list(texts))
        return dict(zip(texts, made, strict=True))


class OutOfBudget(Exception):
    """The tenant's tokens of this day are spent."""


@dataclass(slots=True)
class Purse:
    """What one piece of work spends of a tenant's allowance of the day: reserved before a call, settled after it."""

    parts: UpkeepParts
    tenant_id: int
    spent: int = 0

    async def decide(self, messages: tuple[PromptMessage, ...], schema: type[SchemaT]) -> SchemaT:
        """One call of the summariser. Raises OutOfBudget and ModelError."""
        model = self.parts.minds.summariser
        assert model is not None, "asked only where there is a summariser"
        wanted = sum(tokens_of(message.text) for message in messages) + ANSWER_TOKENS
        day = f"{self.parts.clock():%Y-%m-%d}"
        limit = self.parts.settings.daily_tokens
        async with self.parts.storage.begin() as uow:
            if not await uow.upkeep.reserve(self.tenant_id, day, wanted, limit=limit):
                raise OutOfBudget
        used = wanted
        try:
            async with asyncio.timeout(CALL_S):
                answer, usage = await model.decide(messages, schema)
            used = usage.prompt_tokens + usage.completion_tokens or wanted
        except TimeoutError:
            raise ModelUnavailable("model_timeout") from None
        except ModelError:
            used = wanted - ANSWER_TOKENS
            raise
        finally:
            self.spent += used
            async with self.parts.storage.begin() as uow:
                await uow.upkeep.settle(self.tenant_id, day, used - wanted)
        return answer


async def names_of(uow: UnitOfWork, chat_id: int, said: Sequence[Message] = ()) -> dict[str, str]:
    """Names of everybody who spoke lately, or wrote one of these messages, by id."""
    heard = [*said, *await uow.messages.recent(chat_id, limit=NAMES_FROM)]
    return {message.author.id: message.author.name for message in heard}


async def private_among(uow: UnitOfWork, tenant_id: int, ids: Iterable[str]) -> frozenset[str]:
    """Who of these people asked not to be remembered, or to be forgotten: others' words keep nothing of them either."""
    choices = await uow.people.choices(tenant_id, {one for one in ids if not one.startswith("agent:")})
    return frozenset(one for one, choice in choices.items() if choice.memory_off or choice.forgotten_at is not None)


async def allowed(uow: UnitOfWork, tenant_id: int, messages: Sequence[Message]) -> list[Message]:
    """Those that may be learnt from: not deleted, with words, by people who have nothing against it, or by agents in
    answer to such people.
    """
    said = [m for m in messages if m.deleted_at is None and m.text.strip()]
    asked = await _asked_by(uow, said)
    who = {m.seq: m.author.id if m.agent_id is None else asked.get(m.turn_id or "") for m in said}
    choices = await uow.people.choices(tenant_id, {person_id for person_id in who.values() if person_id is not None})
    return [m for m in said if (person_id := who[m.seq]) is None or choices[person_id].allows(m.sent_at)]


async def _asked_by(uow: UnitOfWork, said: Sequence[Message]) -> dict[str, str]:
    """Turn id -> the person it answers, for the turns in which an agent speaks here."""
    found = {m.turn_id: m.author.id for m in said if m.agent_id is None and m.turn_id is not None}
    for turn_id in {m.turn_id for m in said if m.agent_id is not None and m.turn_id is not None} - set(found):
        turn = await uow.turns.get(turn_id)
        if turn is not None:
            found[turn_id] = turn.person_id
    return found


def after_failure(state: UpkeepState, outcome: Outcome, now: datetime) -> UpkeepState:
    """The state after a piece of work that changed nothing: when it may be tried again, and how it ended."""
    ended = replace(state, last_at=now, last_outcome=outcome)
    if outcome is Outcome.NOTHING:
        return replace(ended, failures=0, not_before=None)
    if outcome is Outcome.OVERTAKEN:
        return ended
    wait = min(BACKOFF_MOST, BACKOFF_FIRST * 2 ** min(state.failures, 10))
    return replace(ended, failures=state.failures + 1, not_before=now + wait)


async def note(parts: UpkeepParts, work: Work, chat_id: int, outcome: Outcome, spent: int = 0) -> None:
    """Writes down how a piece of work ended that has not written it itself."""

    async def write(uow: UnitOfWork) -> None:
        state = after_failure(await uow.upkeep.get(chat_id, work), outcome, parts.clock())
        await uow.upkeep.save(replace(state, tokens=state.tokens + spent))

    await transact(parts.storage, write)
