"""The Discord adapter: wires its parts, implements `ports.Adapter`, and hears what the client tells."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

import discord

from adapters.discord.addresses import PLATFORM, place_id
from adapters.discord.apart import Apart, IngressApart
from adapters.discord.beginnings import Beginnings
from adapters.discord.catchup import CatchUp
from adapters.discord.checking import look
from adapters.discord.client import TroupeClient
from adapters.discord.commands.agents import AgentCommands
from adapters.discord.commands.buttons import Buttons
from adapters.discord.commands.channels import ChannelCommands
from adapters.discord.commands.desk import Desk
from adapters.discord.commands.languages import OurTexts
from adapters.discord.commands.registering import Registry
from adapters.discord.commands.talk import add_talk_commands
from adapters.discord.gate import BotsPolicy, Gate
from adapters.discord.outward import outward
from adapters.discord.places import Bindings, Places
from adapters.discord.presence import Presence
from adapters.discord.received import ReceivedLog
from adapters.discord.transport import PatientTransport
from adapters.discord.wording import LIMIT
from orchestration.admin import Admin
from orchestration.cast import Casts
from orchestration.commands import DryRun
from orchestration.errors import AdapterError, DeliveryLater, StorageError
from orchestration.findings import Finding
from orchestration.model import AgentCard, GroupChat, Locale, OutboxItem
from orchestration.ports import Clock, Ingress, Limits, Storage
from orchestration.texts import text

_log = logging.getLogger(__name__)

LIMITS: Final = Limits(max_chars=LIMIT, personas=True, edits=True, buttons=True)
LOGIN_WAIT_S: Final = 600.0
CONTENT_FLAGS: Final = ("gateway_message_content", "gateway_message_content_limited")

Hook = Callable[[], Awaitable[None]]


class DiscordAdapter:
    """Built unstarted and without a running loop. ``on_start`` and ``on_stop`` open and close storage and engine;
    both may be called more than once. ``data_dir`` holds the key of the webhook tokens and the log of what arrived.
    """

    def __init__(
        self,
        *,
        token: str,
        api_base_url: str | None,
        gateway_url: str | None,
        storage: Storage,
        ingress: Ingress,
        admin: Admin,
        route: DryRun,
        casts: Casts,
        clock: Clock,
        locale: Locale,
        data_dir: Path,
        policy: BotsPolicy,
        on_start: Hook,
        on_stop: Hook,
    ) -> None:
        self._token = token
        self._api_base_url = api_base_url
        self._transport = PatientTransport(api_base_url=api_base_url)
        self._on_start = on_start
        self._on_stop = on_stop
        self._storage = storage
        self._locale = locale
        self.client = TroupeClient(transport=self._transport, api_base_url=api_base_url, gateway_url=gateway_url)
        self.client.events = self
        self._out = outward(
            client=self.client,
            transport=self._transport,
            storage=storage,
            clock=clock,
            locale=locale,
            data_dir=data_dir,
        )
        self._apart = Apart(self._out.wire.in_clean_context)
        ingress = IngressApart(ingress, self._apart)
        self._places, self._bindings = Places(self.client), Bindings(storage)
        self._received = ReceivedLog(data_dir / "discord-received.log")
        self._presence = Presence(data_dir / "discord-presence", clock)
        self._catchup, self._gate = self._inward(ingress, casts, clock, policy)
        self._desk = Desk(
            admin=admin,
            route=route,
            casts=casts,
            storage=storage,
            places=self._places,
            clock=clock,
            default_locale=locale,
            apart=self._apart,
        )
        self._buttons = Buttons(desk=self._desk, ingress=ingress, storage=storage)
        self._agents = AgentCommands(self._desk)
        self._registry = Registry(self.client.tree, self.client, storage)
        self._add_commands()
        self._started = False
        self._at_work = asyncio.Event()

    def _inward(self, ingress: Ingress, casts: Casts, clock: Clock, policy: BotsPolicy) -> tuple[CatchUp, Gate]:
        catchup = CatchUp(
            client=self.client,
            ingress=ingress,
            storage=self._storage,
            casts=casts,
            bindings=self._bindings,
            received=self._received,
            clock=clock,
        )
        gate = Gate(
            client=self.client,
            ingress=ingress,
            storage=self._storage,
            places=self._places,
            bindings=self._bindings,
            out=self._out,
            catchup=catchup,
            received=self._received,
            beginnings=Beginnings(client=self.client, storage=self._storage, clock=clock),
            policy=policy,
            locale=self._locale,
        )
        return catchup, gate

    def _add_commands(self) -> None:
        tree: Any = self.client.tree
        tree.add_command(self._agents)
        channels = ChannelCommands(
            self._desk, self._bindings, self._registry, bound=self._say_if_deaf, troubles=self._troubles
        )
        tree.add_command(channels)
        add_talk_commands(tree, self._desk)

    # ---------------------------------------------------------------- ports.Adapter

    @property
    def platform(self) -> str:
        return PLATFORM

    @property
    def limits(self) -> Limits:
        return LIMITS

    async def run(self) -> None:
        """Hears until cancelled or closed. Raises AdapterError when Discord refuses the token."""
        try:
            await self.client.start(self._token)
        except discord.LoginFailure:
            raise AdapterError(text(self._locale, "discord_token_refused")) from None

    async def close(self) -> None:
        await self.client.close()

    async def check(self) -> Sequence[Finding]:
        """Looks at token, intent and reach, for `troupe check`."""
        return await look(
            token=self._token, transport=self._transport, api_base_url=self._api_base_url, locale=self._locale
        )

    async def _logged_in(self) -> None:
        """Nothing can be sent before the client knows its application; raises DeliveryLater after a long wait."""
        try:
            async with asyncio.timeout(LOGIN_WAIT_S):
                await self._at_work.wait()
        except TimeoutError:
            raise DeliveryLater("Discord is out of reach", 10.0) from None

    async def deliver(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        await self._logged_in()
        await self._out.delivery.deliver(chat, item, agent)

    async def replace(self, chat: GroupChat, item: OutboxItem, agent: AgentCard | None) -> None:
        await self._logged_in()
        await self._out.delivery.replace(chat, item, agent)

    async def withdraw(self, chat: GroupChat, item: OutboxItem) -> None:
        await self._logged_in()
        await self._out.delivery.withdraw(chat, item)

    async def writing(self, chat: GroupChat, agent: AgentCard | None) -> None:
        place = place_id(chat.key)
        if agent is not None and self._at_work.is_set():
            self._out.typing.start(place)
        else:
            await self._out.typing.stop(place)

    # ---------------------------------------------------------------- client.Events: life

    async def starting(self) -> None:
        """From the client's setup_hook: the application is known, nothing has been heard yet."""
        self._out.wire.install()
        if self._started:
            return
        # From here on posts can go out; what an earlier process left does so while the app starts.
        self._at_work.set()
        await self._apart(self._on_start())
        await self._out.webhooks.load()
        await self._bindings.load()
        left = self._received.open()
        self._presence.open()
        self._catchup.reached_us = lambda message_id: message_id in left or self._presence.reached_us(message_id)
        flags = self.client.application_flags
        self._gate.content_may_be_hidden = not any(getattr(flags, name) for name in CONTENT_FLAGS)
        if self._gate.content_may_be_hidden:
            _log.warning("discord: the portal does not show the intent Message Content as switched on")
        await self.client.tree.set_translator(OurTexts())
        await self._registry.if_changed()
        self._started = True

    def connecting(self) -> None:
        self._out.wire.install()

    async def stopping(self) -> None:
        """From the client's close: no more events; what is under way ends, then storage and engine close."""
        self._started = False
        await self._registry.close()
        self._agents.close()
        await self._out.typing.close()
        await self._out.delivery.close()
        await self._on_stop()
        self._received.close()
        self._presence.close()

    # ---------------------------------------------------------------- client.Events: what happens

    def arrived(self, message: discord.Message) -> None:
        self._gate.arrived(message)

    async def ready(self) -> None:
        """Connected anew: what was missed is read, place by place."""
        self._catchup.again()
        await self._catchup.all(self._places.open_in)
        self._received.clear()
        self._presence.caught_up()
        if self.client.content_denied:
            self._gate.content_may_be_hidden = True
            for channel_id in self._bindings.all:
                if await self._places.of(channel_id) is not None:
                    await self._say_if_deaf(channel_id)

    async def _say_if_deaf(self, channel_id: int) -> None:
        """Where Discord refused the privileged intent, a bound channel is told that words are not heard in it."""
        if self.client.content_denied:
            await self._out.notices.content_hidden(channel_id, channel=channel_id, locale=self._locale)

    async def _troubles(self, channel_id: int, locale: Locale) -> list[str]:
        """What keeps personas or words out of a channel though the rights are there, for `/cast check`."""
        told = [text(locale, "discord_no_message_content")] if self.client.content_denied else []
        why = await self._out.webhooks.trouble(channel_id)
        return [*told, self._out.notices.why_no_persona(channel_id, why, locale)] if why is not None else told

    def connection(self, *, stands: bool) -> None:
        if stands and self._started:
            self._presence.connected()
        else:
            self._presence.disconnected()

    async def guild_seen(self, guild: discord.Guild) -> None:
        try:
            await self._desk.warm(guild.id)
        except StorageError as error:
            _log.warning("discord: the cast of a server could not be read yet (%s)", type(error).__name__)

    async def message(self, message: discord.Message) -> None:
        await self._gate.on_message(message)

    async def edited(self, event: discord.RawMessageUpdateEvent) -> None:
        await self._gate.on_edit(event)

    async def deleted(self, channel_id: int, message_id: int) -> None:
        await self._gate.on_delete(channel_id, message_id)

    def rights_changed(self) -> None:
        self._out.webhooks.rights_changed()

    async def webhooks_changed(self, channel_id: int) -> None:
        await self._out.webhooks.changed(channel_id)

    def channel_gone(self, channel_id: int) -> None:
        self._places.forget(channel_id)

    async def pressed(self, interaction: discord.Interaction[Any]) -> None:
        await self._buttons.pressed(interaction)
