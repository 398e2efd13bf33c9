"""Telegram as a platform: hears groups through the host bot, posts under each agent's own bot or a header line."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from telegram.error import TelegramError

from adapters.telegram.addresses import PLATFORM
from adapters.telegram.assembly import Assembly, Core, Pace, Plan, assemble
from adapters.telegram.checking import TokenSource, findings
from adapters.telegram.dialogue import Step
from adapters.telegram.ear import Ear
from adapters.telegram.failures import Action, failure_of
from adapters.telegram.menus import set_menus
from adapters.telegram.poller import Inlet, Poller
from adapters.telegram.reader import NotReader, Reader
from adapters.telegram.splitting import LIMIT
from adapters.telegram.vault import holds_secret
from adapters.telegram.webhook import Webhook, WebhookPlan
from adapters.telegram.wire import DEFAULT_ROOT
from orchestration.admin import Admin
from orchestration.cast import Casts
from orchestration.commands import Commands
from orchestration.errors import StorageError
from orchestration.events import Event
from orchestration.findings import Finding
from orchestration.model import AgentCard, GroupChat, OutboxItem
from orchestration.ports import Clock, Ingress, Limits, NewId, Storage

logger = logging.getLogger(__name__)
LOOK_S = 1.0
"""So often the ear looks for what other processes put into the inbox."""
MANY_BOTS = 5
"""From here on the start keeps to fewer calls: at most sixteen in all."""


class TelegramAdapter:
    """Implements `ports.Adapter`. Built without a call or a file; the first use opens it."""

    def __init__(
        self,
        *,
        token: str,
        data_dir: Path,
        storage: Storage,
        ingress: Ingress,
        admin: Admin,
        commands: Commands,
        casts: Casts,
        clock: Clock,
        new_id: NewId,
        api_base_url: str = DEFAULT_ROOT,
        webhook: WebhookPlan | None = None,
        starter_tokens: Mapping[str, str] | None = None,
        token_sources: Mapping[str, TokenSource] | None = None,
        locale: str = "en",
        pace: Pace | None = None,
        stand_by_s: float = 0.0,
    ) -> None:
        self._plan = Plan(
            token=token,
            data_dir=data_dir,
            api_base_url=api_base_url,
            webhook=webhook,
            starter_tokens=starter_tokens or {},
            token_sources=token_sources or {},
            stand_by_s=stand_by_s,
            locale=locale,
            pace=pace or Pace(),
        )
        self._core = Core(
            storage=storage,
            ingress=ingress,
            admin=admin,
            commands=commands,
            casts=casts,
            clock=clock,
            new_id=new_id,
        )
        self._opening = asyncio.Lock()
        self._assembly: Assembly | None = None
        self._closing = False

    @property
    def platform(self) -> str:
        return PLATFORM

    @property
    def limits(self) -> Limits:
        return Limits(max_chars=LIMIT, personas=True, edits=True, buttons=True)

    async def open(self) -> Assembly:
        """The parts, built at the first use (posting may begin before hearing)."""
        async with self._opening:
            if self._assembly is None:
                self._assembly = await assemble(self._plan, self._core)
            return self._assembly

    # ------------------------------------------------------------------------------------------ hearing

    async def run(self) -> None:
        parts = await self.open()
        await self._met(parts)
        host, wake = parts.mouth.bots.host, asyncio.Event()
        source = f"{PLATFORM}:{host.number}"
        inlet = Inlet(storage=self._core.storage, source=source, seal=self._sealed, wake=wake)
        reader = Reader(
            storage=self._core.storage,
            clock=self._core.clock,
            source=source,
            me=self._core.new_id(),
            dead_after_s=self._plan.stand_by_s,
        )
        try:
            async with asyncio.TaskGroup() as group:
                if self._plan.webhook is not None:  # whichever process is called stores what it is told
                    group.create_task(Webhook(host, inlet, self._plan.webhook).run(), name="telegram webhook")
                group.create_task(self._hear(parts, inlet, source, wake, reader), name="telegram hearing")
                group.create_task(self._tidy(parts), name="telegram tidying")
                group.create_task(parts.mouth.bots.meet_the_rest(self._plan.pace.meet_s), name="telegram bots' names")
                group.create_task(set_menus(host, few_calls=parts.mouth.bots.asked > MANY_BOTS), name="telegram menus")
        except BaseExceptionGroup as failures:
            raise _first(failures) from None
        finally:
            parts.mouth.calls.end_soon()
            await parts.hearing.settle(3.0)
            await reader.resign()

    async def _hear(self, parts: Assembly, inlet: Inlet, source: str, wake: asyncio.Event, reader: Reader) -> None:
        """Hears whenever this process is the one that does."""
        host, pace = parts.mouth.bots.host, self._plan.pace
        ear = Ear(
            client=host,
            storage=self._core.storage,
            source=source,
            wake=wake,
            roster=parts.mouth.bots.roster,
            handle=parts.hearing.hear,
            album=parts.hearing.album,
            album_wait_s=pace.album_s,
            look_s=None if reader.alone else LOOK_S,
        )
        while True:
            await reader.wait(parts.refresh)
            try:
                async with asyncio.TaskGroup() as group:
                    group.create_task(reader.keep(), name="telegram reader")
                    group.create_task(ear.run(), name="telegram ear")
                    if self._plan.webhook is None:
                        poller = Poller(host, inlet, timeout_s=pace.poll_s)
                        group.create_task(poller.run(), name="telegram updates")
            except* NotReader:
                logger.warning("another process hears this bot's updates now")
            finally:
                await ear.flush()

    async def _tidy(self, parts: Assembly) -> None:
        try:
            await parts.mouth.buttons.tidy(self._core.clock())
            await parts.albums.tidy(self._core.clock())
        except StorageError as error:
            logger.warning("what is old could not be forgotten: %s", type(error).__name__)

    async def _met(self, parts: Assembly) -> None:
        """Waits until the host's token works and its name is known; says once why it does not."""
        pause, said = 1.0, None
        while True:
            try:
                await parts.mouth.bots.meet_host()
            except TelegramError as error:
                failure = failure_of(error)
                if failure.action is not said:
                    said = failure.action
                    if said is Action.DEAD_TOKEN:
                        logger.error("the host bot's token is refused: check the variable named in telegram.token_env")
                    else:
                        logger.warning("Telegram cannot be reached: %s", failure.words)
                await asyncio.sleep(failure.retry_after_s if failure.action is Action.WAIT else pause)
                pause = min(pause * 2, 60.0)
            else:
                break
        if not parts.mouth.bots.reads_all:
            logger.warning(
                "privacy mode is on: @%s hears only commands and replies to it. Turn it off with /setprivacy at "
                "@BotFather and add the bot to its groups again, or make it an admin there",
                parts.mouth.bots.host_username,
            )

    async def _sealed(self, update: dict[str, Any]) -> dict[str, Any]:
        """The update as it may be stored: no token in the clear, whichever field it stands in."""
        parts = await self.open()
        sealed: dict[str, Any] = parts.mouth.vault.hide(update)
        for kind in ("message", "edited_message"):
            message = sealed.get(kind)
            if not isinstance(message, dict) or not await self._answers_with_token(parts, message):
                continue
            for words in ("text", "caption"):
                if isinstance(message.get(words), str) and not holds_secret(message[words]):
                    message[words] = parts.mouth.vault.hide_whole(message[words])
                    message.pop("entities", None)
        return sealed

    async def _answers_with_token(self, parts: Assembly, message: dict[str, Any]) -> bool:
        """Whether this is said in private where a token was asked for: then all of it may be one."""
        chat, words = message.get("chat"), message.get("text")
        if not isinstance(chat, dict) or chat.get("type") != "private" or type(chat.get("id")) is not int:
            return False
        if isinstance(words, str) and words.startswith("/"):
            return False
        talk = await parts.dialogue.of(chat["id"])
        return talk is not None and talk.step is Step.BOT

    # ------------------------------------------------------------------------------------------ posting

    async def deliver(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        parts = await self.open()
        await parts.mouth.delivery.deliver(chat, item, agent)

    async def replace(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        parts = await self.open()
        await parts.mouth.delivery.replace(chat, item, agent)

    async def withdraw(self, chat: GroupChat, item: OutboxItem) -> None:
        parts = await self.open()
        await parts.mouth.delivery.withdraw(chat, item)

    async def writing(self, chat: GroupChat, agent: AgentCard | None) -> None:
        parts = await self.open()
        place = str(chat.key)
        where = parts.mouth.posting.where(chat.key)
        if agent is None or self._closing or not parts.mouth.groups.of(where.chat_id).inside:
            parts.mouth.typing.hide(place)
            return
        own, _ = await parts.mouth.looks.own_bot(where.chat_id, agent, look=False)
        parts.mouth.typing.show(place, own or parts.mouth.bots.host, where)

    def hear(self, event: Event) -> None:
        """Implements `ports.EventSink`: an agent that keeps silent shows that it saw the message."""
        if self._assembly is not None and not self._closing:
            self._assembly.mouth.reacting(event)

    async def check(self) -> list[Finding]:
        """How Telegram stands, before anything runs. The adapter is closed afterwards."""
        parts = await self.open()
        try:
            return await findings(parts.mouth.bots, self._plan.token_sources, self._plan.locale)
        finally:
            await self.close()

    # ------------------------------------------------------------------------------------------ ending

    async def close(self) -> None:
        """Ends what hears and shows; a post under way comes to its end, so that the journal is true."""
        parts = self._assembly
        self._closing = True
        if parts is None:
            return
        parts.mouth.calls.end_soon()
        await parts.mouth.typing.stop()
        await parts.mouth.reacting.stop()
        await parts.hearing.settle(1.0)
        await parts.mouth.calls.settle()
        await parts.mouth.limiter.stop()
        await parts.mouth.bots.close()


def _first(failures: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first failure of a group, however deep it stands."""
    first: BaseException = failures
    while isinstance(first, BaseExceptionGroup):
        first = first.exceptions[0]
    return first
