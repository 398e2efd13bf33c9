"""Background work over a real storage and a scripted summariser: chats are told, jobs are run by hand."""

from __future__ import annotations

import hashlib
import itertools
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from time import monotonic
from typing import Any

from orchestration.cast import Casts
from orchestration.events import EventKind, NewEvent
from orchestration.llm import ModelTools, OpenAIModel
from orchestration.llm_clients import Clients
from orchestration.llm_ladder import ServerMemory
from orchestration.llm_settings import ProviderSettings, RetrySettings, RoleSettings
from orchestration.memory.meaning import Embedder, UsedMemories
from orchestration.memory.records import Outcome, SummaryLine, UpkeepState, Work
from orchestration.model import AgentCard, Authorship, ChatKey, GroupChat, IncomingMessage, Memory, Message, Person
from orchestration.ports import Storage
from orchestration.recall import StoredMemories
from orchestration.turns import TurnRecord, TurnStatus, turn_id_of
from orchestration.upkeep import Upkeep, UpkeepMinds, UpkeepParts, UpkeepSettings
from storage.memory import MemoryStorage
from tests.chats.stage import Time
from tests.model_server import ModelServer, Request

NOVA = AgentCard(id="nova", name="Nova", description="astronomer", starter=True)
MIRA = AgentCard(id="mira", name="Mira", description="listens", starter=True)
CAST = (NOVA, MIRA)
HOUSE = ChatKey(platform="room", tenant_id="house", channel_id="lobby")


def is_digest(request: Request) -> bool:
    return "keep the summary" in request.system or "维护一个群聊的摘要" in request.system


def is_reading(request: Request) -> bool:
    return "worth remembering" in request.system or "值得记住" in request.system


def is_condensing(request: Request) -> bool:
    return "shorten the summary" in request.system or "压缩一个群聊的摘要" in request.system


def shown(request: Request) -> dict[int, str]:
    """The numbered messages that a request is about: number -> speaker and words."""
    told = request.last_user.rpartition("<chat ")[2]
    return {int(n): words for n, words in re.findall(r"^#(\d+) (.*(?:\n  .*)*)", told, re.MULTILINE)}


def codes_in(request: Request) -> dict[str, str]:
    """Name -> code, as the request shows who is who."""
    people = request.last_user.partition("</people")[0]
    pairs = (line.split(": ", 1) for line in people.splitlines() if line[:1] in "pa" and ": " in line)
    return {name: code for code, name in pairs}


def honest(request: Request) -> Any:
    """A summariser that digests by quoting, and proposes no memories."""
    if is_digest(request):
        told = {n: words for n, words in shown(request).items() if "left out" not in words}
        return {"lines": [{"text": words[:120], "from": [n]} for n, words in list(told.items())[:6]]}
    if is_condensing(request):
        numbered = re.findall(r"^(\d+): (.*)$", request.last_user, re.MULTILINE)
        return {"lines": [{"text": text, "from": [int(n)]} for n, text in numbered[::2]]}
    return {"memories": []}


@dataclass(slots=True, kw_only=True)
class UpkeepWorld:
    storage: Storage
    server: ModelServer
    time: Time
    upkeep: Upkeep
    parts: UpkeepParts
    recall: StoredMemories
    chat: GroupChat
    ids: Any = field(default_factory=lambda: itertools.count(1))

    async def chat_at(self, channel: str, *, tenant: str = "house", thread: str = "") -> GroupChat:
        key = ChatKey(platform="room", tenant_id=tenant, channel_id=channel, thread_id=thread)
        async with self.storage.begin() as uow:
            return await uow.chats.ensure(key, at=self.time())

    async def tell(
        self, author: str, text: str, *answers: str, to: GroupChat | None = None, agents: tuple[AgentCard, ...] = CAST
    ) -> Message:
        """One finished turn: ``answers`` by the agents in order; none: silence."""
        chat = to or self.chat
        self.time.pass_(1)
        number = next(self.ids)
        message = IncomingMessage(
            chat=chat.key,
            external_id=f"m{number}",
            author=Person(id=f"room:{author}", name=author),
            text=text,
            sent_at=self.time(),
        )
        async with self.storage.begin() as uow:
            stored, _ = await uow.messages.add_human(chat.id, message)
            turn_id = turn_id_of(chat.id, stored.seq)
            await uow.turns.add(
                TurnRecord(
                    id=turn_id,
                    chat_id=chat.id,
                    tenant_id=chat.tenant_id,
                    seq=stored.seq,
                    trace_id="t",
                    person_id=message.author.id,
                    status=TurnStatus.FINISHED if answers else TurnStatus.SILENT,
                    message_seqs=(stored.seq,),
                    created_at=self.time(),
                    last_line_at=self.time(),
                )
            )
            await uow.messages.set_turn(chat.id, stored.seq, turn_id)
            for card, answer in zip(agents, answers, strict=False):
                await uow.messages.add_agent(
                    chat.id,
                    agent=card,
                    text=answer,
                    turn_id=turn_id,
                    reply_to_seq=stored.seq,
                    authorship=Authorship(),
                    at=self.time(),
                )
        return stored

    async def edit(self, message: Message, text: str) -> None:
        """As intake does it: the words and the event that tells of them."""
        self.time.pass_(1)
        told = NewEvent(kind=EventKind.MESSAGE_EDITED, at=self.time(), content={"message_seq": message.seq})
        async with self.storage.begin() as uow:
            await uow.messages.edit(message.chat_id, message.external_id or "", text=text, at=self.time())
            await uow.events.append(message.chat_id, [told])

    async def fill(self, count: int, text: Callable[[int], str] = "Kyoto plan number {}".format) -> None:
        """So many messages of two people that no agent answered."""
        for n in range(1, count + 1):
            await self.tell(("Ann", "Ben")[n % 2], text(n))

    async def run(self, work: Work, chat: GroupChat | None = None) -> Outcome:
        return await self.upkeep.run(work, (chat or self.chat).id)

    async def state(self, work: Work) -> UpkeepState:
        async with self.storage.read() as uow:
            return await uow.upkeep.get(self.chat.id, work)

    async def lines(self) -> list[SummaryLine]:
        async with self.storage.read() as uow:
            return await uow.summaries.standing(self.chat.id)

    async def memories(self, chat: GroupChat | None = None) -> list[Memory]:
        async with self.storage.read() as uow:
            return [m for m in await uow.memories.of_chat((chat or self.chat).id) if not m.superseded_by]

    async def remembered(
        self, author: str, words: str = "", *, agent: AgentCard = NOVA, chat: GroupChat | None = None
    ) -> list[str]:
        """Texts that this agent recalls when this person says these words."""
        async with self.storage.read() as uow:
            place = await uow.chats.get((chat or self.chat).id)
        assert place is not None
        found = await self.recall.best(place, agent, Person(id=f"room:{author}", name=author), words)
        return [memory.text for memory in found]


@asynccontextmanager
async def upkeep_world(
    script: Any = honest,
    *,
    storage: Storage | None = None,
    model: bool = True,
    settings: UpkeepSettings | None = None,
    embedder: Embedder | None = None,
) -> AsyncIterator[UpkeepWorld]:
    storage = storage or MemoryStorage()
    time, used = Time(), UsedMemories()
    ids = (hashlib.sha256(str(n).encode()).hexdigest()[:32] for n in itertools.count()).__next__
    async with ModelServer(script) as server:
        clients = Clients(time)
        tools = ModelTools(
            clients=clients,
            retries=RetrySettings(tries=1, nonsense_tries=1),
            servers=ServerMemory(monotonic),
        )
        provider = ProviderSettings(name="loopback", base_url=server.base_url, api_key="sk-test-secret-key")
        role = RoleSettings(provider="loopback", model="scripted", timeout_s=5.0)
        summariser = OpenAIModel(provider, role, tools) if model else None
        parts = UpkeepParts(
            storage=storage,
            casts=Casts(storage, CAST, clock=time),
            clock=time,
            new_id=ids,
            settings=settings or UpkeepSettings(),
            minds=UpkeepMinds(summariser=summariser, embedder=embedder),
        )
        recall = StoredMemories(storage, time, used)
        recall.embedder = embedder
        async with storage.begin() as uow:
            chat = await uow.chats.ensure(HOUSE, at=time())
        try:
            yield UpkeepWorld(
                storage=storage,
                server=server,
                time=time,
                upkeep=Upkeep(parts, used),
                parts=parts,
                recall=recall,
                chat=chat,
            )
        finally:
            await clients.close()
