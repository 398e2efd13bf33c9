"""The discord.py client: sharded, moved to the configured addresses, supervised, and without a way to end the process.

Whoever starts it (`DiscordAdapter.run`, a test harness that only logs it in) gets storage, engine and workers started
in `setup_hook` and closed in `close`.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

import discord
from discord import app_commands
from discord.ext import commands

from adapters.discord.http import RedirectedHTTP
from adapters.discord.parsing import guarded
from adapters.discord.transport import Busy, Interrupted, PatientTransport

_log = logging.getLogger(__name__)

PAUSES_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
STEADY_S: Final = 120.0
"""A connection that held this long lets the pauses begin anew."""

HEARING_ENDS_S: Final = 3.0
"""How long closing waits for what is being heard."""


class Events(Protocol):
    """Who hears what happens. Handlers may raise: the client logs it and goes on."""

    async def starting(self) -> None: ...
    async def stopping(self) -> None: ...
    def connecting(self) -> None: ...
    def connection(self, *, stands: bool) -> None: ...
    def arrived(self, message: discord.Message) -> None: ...
    async def ready(self) -> None: ...
    async def guild_seen(self, guild: discord.Guild) -> None: ...
    async def message(self, message: discord.Message) -> None: ...
    async def edited(self, event: discord.RawMessageUpdateEvent) -> None: ...
    async def deleted(self, channel_id: int, message_id: int) -> None: ...
    async def pressed(self, interaction: discord.Interaction[Any]) -> None: ...
    def rights_changed(self) -> None: ...
    async def webhooks_changed(self, channel_id: int) -> None: ...
    def channel_gone(self, channel_id: int) -> None: ...


def intents() -> discord.Intents:
    """What the bot listens to; `message_content` is the privileged one that is switched on in the portal."""
    return discord.Intents(guilds=True, guild_messages=True, webhooks=True, message_content=True)


class TroupeClient(commands.AutoShardedBot):
    """Passes events on. ``api_base_url`` and ``gateway_url`` unset: Discord itself."""

    def __init__(
        self, *, transport: PatientTransport, api_base_url: str | None = None, gateway_url: str | None = None
    ) -> None:
        self._transport = transport
        self._api_base_url = api_base_url
        self._gateway_url = gateway_url
        self.events: Events | None = None
        self._attempt: asyncio.Task[None] | None = None
        """The run of discord.py's own loop that is under way."""
        self._ending = False
        self._ended = asyncio.Event()
        self._hearing: set[asyncio.Task[Any]] = set()
        self._logged_in = False
        self.content_denied = False
        """Discord refused the privileged intent: only mentions and commands are heard."""
        # discord.py would tell everybody that libraries for voice are missing; nothing here speaks aloud.
        discord.VoiceClient.warn_nacl = discord.VoiceClient.warn_dave = False
        super().__init__(
            command_prefix=commands.when_mentioned,
            help_command=None,
            intents=intents(),
            allowed_mentions=discord.AllowedMentions.none(),
            max_messages=2000,
            chunk_guilds_at_startup=False,
            tree_cls=QuietTree,
            shard_count=1,  # until `connect` has asked Discord how many it wants
        )

    def _get_state(self, **options: Any) -> Any:
        self.http = RedirectedHTTP(
            self.loop, transport=self._transport, api_base_url=self._api_base_url, gateway_url=self._gateway_url
        )
        state = super()._get_state(**options)
        state.parsers = {name: guarded(name, parse) for name, parse in state.parsers.items()}
        return state

    # ---------------------------------------------------------------- life

    async def login(self, token: str) -> None:
        """Logs in; while Discord cannot be reached it is tried again. Raises LoginFailure when the token is wrong."""
        for pause in _pauses():
            if self._ending:
                return
            try:
                await super().login(token)
                return
            except (Interrupted, Busy, discord.HTTPException) as error:
                _log.warning("discord: no login yet (%s), next try in %.1f s", error, pause)
                await self._rest(pause)

    async def setup_hook(self) -> None:
        self._logged_in = True
        self._transport.application_id = self.application_id
        if self.events is not None:
            await self.events.starting()

    async def connect(self, *, reconnect: bool = True) -> None:
        """Stays connected until `close`: what ends discord.py's own loop begins it anew after a pause."""
        if self._ending:
            return
        if self.events is not None:
            self.events.connecting()
        self.shard_count = await self._shards()
        loop = asyncio.get_running_loop()
        pauses = _pauses()
        while not self._ending:
            began = loop.time()
            try:
                await self._stay_connected(reconnect)
            except discord.PrivilegedIntentsRequired:
                self._without_content()
                pauses = _pauses()
            except discord.LoginFailure:
                raise
            except Exception as error:  # noqa: BLE001 - the gateway's edge: no fault of it may end the process
                if _is_token_refused(error):
                    raise discord.LoginFailure("Discord refuses the bot's token") from None
                _log.warning("discord gateway: %s, connecting anew", type(error).__name__)
            if self._ending:
                return
            if loop.time() - began > STEADY_S:
                pauses = _pauses()
            await self._rest(next(pauses))
            await self._begin_anew()

    async def _stay_connected(self, reconnect: bool) -> None:
        """One run of discord.py's own loop, in a task of its own: `close` ends it wherever it waits."""
        attempt = self._attempt = asyncio.ensure_future(super().connect(reconnect=reconnect))
        try:
            await asyncio.wait({attempt})
        finally:
            attempt.cancel()
            await asyncio.wait({attempt})
        if not attempt.cancelled():
            attempt.result()

    async def _begin_anew(self) -> None:
        """A fresh start of discord.py's own loop. Who waits for its readiness goes on waiting for the same."""
        ready = self._ready
        ready.clear()
        await self._async_setup_hook()
        self._ready = ready

    async def _rest(self, seconds: float) -> None:
        """A pause that `close` cuts short."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._ended.wait()

    async def _shards(self) -> int:
        try:
            count, _, _ = await self.http.get_bot_gateway()
        except (discord.HTTPException, discord.GatewayNotFound, Interrupted, Busy, KeyError, ValueError):
            return 1
        return max(1, int(count))

    def _without_content(self) -> None:
        _log.error(
            "discord: the privileged intent Message Content is off for this bot. Switch it on in the developer portal "
            "(Bot -> Privileged Gateway Intents -> Message Content Intent). Until then only mentions and commands "
            "are heard."
        )
        self.content_denied = True
        self._connection._intents.message_content = False

    async def close(self) -> None:
        """From outside: ends everything. From within discord.py's own loop: only the connections, to begin anew."""
        if self._attempt is not None and asyncio.current_task() is self._attempt and not self._ending:
            for shard in self.shards.values():
                await shard.disconnect()
            return
        if self._ending:
            return
        self._ending = True
        self._ended.set()
        await self._hear_to_the_end()
        if self.events is not None:
            await self.events.stopping()
        if self._logged_in:
            await super().close()
        else:
            await self.http.close()
        if self._attempt is not None:
            self._attempt.cancel()

    async def _hear_to_the_end(self) -> None:
        """What is being heard is heard to its end, but for what takes too long: that is read again after a restart."""
        running = {task for task in self._hearing if task is not asyncio.current_task()}
        if running:
            _, late = await asyncio.wait(running, timeout=HEARING_ENDS_S)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    # ---------------------------------------------------------------- events

    def dispatch(self, event: str, /, *args: Any, **kwargs: Any) -> None:
        if self.events is not None and not self._ending:
            if event == "message":
                self.events.arrived(args[0])
            elif event in ("connect", "resumed", "disconnect"):
                self.events.connection(stands=event != "disconnect")
        super().dispatch(event, *args, **kwargs)

    def _schedule_event(self, coro: Any, event_name: str, *args: Any, **kwargs: Any) -> asyncio.Task[Any]:
        task = super()._schedule_event(coro, event_name, *args, **kwargs)
        self._hearing.add(task)
        task.add_done_callback(self._hearing.discard)
        return task

    async def _tell(self, handler: Callable[[Events], Awaitable[None]]) -> None:
        if self.events is not None and not self._ending:
            await handler(self.events)

    async def on_ready(self) -> None:
        await self._tell(lambda events: events.ready())

    async def on_guild_available(self, guild: discord.Guild) -> None:
        await self._tell(lambda events: events.guild_seen(guild))

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self._tell(lambda events: events.guild_seen(guild))

    async def on_message(self, message: discord.Message, /) -> None:
        await self._tell(lambda events: events.message(message))

    async def on_raw_message_edit(self, event: discord.RawMessageUpdateEvent) -> None:
        await self._tell(lambda events: events.edited(event))

    async def on_raw_message_delete(self, event: discord.RawMessageDeleteEvent) -> None:
        await self._tell(lambda events: events.deleted(event.channel_id, event.message_id))

    async def on_raw_bulk_message_delete(self, event: discord.RawBulkMessageDeleteEvent) -> None:
        for message_id in sorted(event.message_ids):
            await self._tell(lambda events, gone=message_id: events.deleted(event.channel_id, gone))  # type: ignore[misc]

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        if interaction.type is discord.InteractionType.component:
            await self._tell(lambda events: events.pressed(interaction))

    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        await self._tell(_rights)

    async def on_guild_channel_update(self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel) -> None:
        await self._tell(_rights)

    async def on_webhooks_update(self, channel: discord.abc.GuildChannel) -> None:
        await self._tell(lambda events: events.webhooks_changed(channel.id))

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        if self.events is not None:
            self.events.channel_gone(channel.id)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        _log.exception("discord: %s failed", event_method)


class QuietTree(app_commands.CommandTree[TroupeClient]):
    """Errors of commands are answered where they happen; what gets here is logged without its inputs."""

    async def on_error(
        self, interaction: discord.Interaction[TroupeClient], error: app_commands.AppCommandError, /
    ) -> None:
        cause = error.__cause__ or error
        _log.error("discord: a command failed (%s)", type(cause).__name__, exc_info=cause)


async def _rights(events: Events) -> None:
    events.rights_changed()


def _pauses() -> Any:
    yield from PAUSES_S
    while True:
        yield PAUSES_S[-1]


def _is_token_refused(error: Exception) -> bool:
    return isinstance(error, discord.ConnectionClosed) and error.code == 4004
