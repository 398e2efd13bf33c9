"""`/route`: who would answer these words here and now. Reads only; no model is asked, nothing is stored or posted."""

from __future__ import annotations

from dataclasses import replace

from orchestration.admin import Caller
from orchestration.cast import Casts
from orchestration.cleaning import clean_text
from orchestration.explain import would
from orchestration.model import Message, MessageKind
from orchestration.ports import Clock, Storage
from orchestration.routing.awaited import by_rules
from orchestration.routing.decide import Semantic
from orchestration.scene import ROUTED, Scene
from orchestration.settings import TurnSettings
from orchestration.turns import TurnRecord


class DryRuns:
    """What `orchestration.commands.Commands` takes as its ``route``."""

    def __init__(
        self,
        *,
        storage: Storage,
        casts: Casts,
        clock: Clock,
        settings: TurnSettings,
        semantic: Semantic | None = None,
        model: bool = False,
    ) -> None:
        self._storage = storage
        self._casts = casts
        self._clock = clock
        self._settings = settings
        self.semantic = semantic
        self.model = model
        """Whether a router model stands by for what the rules are not sure of."""

    async def __call__(self, caller: Caller, words: str) -> str:
        scene = await self._scene(caller, clean_text(words))
        decision = await by_rules(scene.route_input(), self.semantic)
        cast = await self._casts.of(caller.chat.tenant_id)
        return would(decision, cast, model=self.model, locale=caller.locale or scene.locale)

    async def _scene(self, caller: Caller, words: str) -> Scene:
        """The scene of a turn that is never begun: as if the caller had just said the words."""
        now = self._clock()
        cast = await self._casts.speaking(caller.chat.tenant_id)
        async with self._storage.read() as unit:
            chat = await unit.chats.get(caller.chat.id) or caller.chat
            history = await unit.messages.recent(chat.id, limit=ROUTED)
            session = await unit.sessions.get(chat.id)
        line = Message(
            chat_id=chat.id,
            seq=history[-1].seq + 1 if history else 1,
            kind=MessageKind.HUMAN,
            author=caller.person,
            text=words,
            sent_at=now,
        )
        turn = TurnRecord(
            id="",
            chat_id=chat.id,
            tenant_id=chat.tenant_id,
            seq=line.seq,
            trace_id="",
            person_id=caller.person.id,
            created_at=now,
            last_line_at=now,
        )
        settings = chat.settings
        below = settings.clarify_below
        return Scene(
            chat=chat,
            turn=turn,
            session=replace(session, pending=None),
            locale=settings.locale or self._settings.locale,
            agents_max=settings.agents_max or self._settings.agents_max,
            clarify_below=self._settings.clarify_below if below is None else below,
            cast=cast,
            everyone=cast,
            person=caller.person,
            lines=(line,),
            history=tuple(history),
            quoted="",
            reply_to_agent=None,
            reply_to_human=False,
            regenerated=None,
            now=now,
            begun_before=False,
        )
