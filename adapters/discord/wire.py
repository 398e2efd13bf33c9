"""Discord's REST calls that posting needs, as plain JSON: webhooks, the bot's own messages, history, typing."""

from __future__ import annotations

import contextvars
import io
from collections.abc import Sequence
from typing import Any, Final

import discord
from discord.http import Route, handle_message_parameters
from discord.webhook.async_ import AsyncWebhookAdapter, async_context

from adapters.discord.transport import Interrupted, PatientTransport
from adapters.discord.wording import Part

Json = dict[str, Any]
HISTORY_PAGE: Final = 100


def mentions_of(user_id: int | None) -> discord.AllowedMentions:
    """Nobody, or the one person who may be pinged. Sent with every post and every edit."""
    users: Sequence[discord.abc.Snowflake] = [discord.Object(user_id)] if user_id is not None else []
    return discord.AllowedMentions(everyone=False, roles=False, users=users, replied_user=False)


class Wire:
    """One client's calls. A transport that a test harness has put into the context is left in its place."""

    def __init__(self, client: discord.Client, transport: PatientTransport) -> None:
        self._client = client
        self._transport = transport
        self._chosen: Any = transport

    def install(self) -> None:
        """Makes the transport the one of this context (and of all tasks begun in it), interactions included."""
        current = async_context.get()
        if type(current) is AsyncWebhookAdapter:
            async_context.set(self._transport)
        else:
            self._chosen = current

    def in_clean_context(self) -> contextvars.Context:
        """A context for long-lived work: nothing of whoever started it (trace ids, transports) but our transport."""
        context = contextvars.Context()
        context.run(async_context.set, self._chosen)
        return context

    @property
    def _session(self) -> Any:
        return self._client.http._HTTPClient__session  # type: ignore[attr-defined]

    def is_bot(self, message: Json) -> bool:
        """Whether the message is the bot account's own."""
        user = self._client.user
        return user is not None and not message.get("webhook_id") and str(message["author"]["id"]) == str(user.id)

    async def execute(
        self,
        hook_id: int,
        token: str,
        *,
        part: Part,
        username: str,
        avatar_url: str,
        mentions: discord.AllowedMentions,
        thread_id: int | None,
    ) -> Json:
        """A post under a persona; the message as Discord stored it."""
        with handle_message_parameters(
            content=part.content,
            username=username,
            avatar_url=avatar_url,
            allowed_mentions=mentions,
            **_file(part),
        ) as params:
            done: Any = await self._chosen.execute_webhook(
                hook_id,
                token,
                session=self._session,
                payload=params.payload,
                multipart=params.multipart,
                files=params.files,
                thread_id=thread_id,
                wait=True,
            )
        return _told(done)

    async def edit_execution(
        self,
        hook_id: int,
        token: str,
        message_id: int,
        *,
        content: str,
        mentions: discord.AllowedMentions,
        thread_id: int | None,
    ) -> None:
        with handle_message_parameters(content=content, allowed_mentions=mentions) as params:
            await self._chosen.edit_webhook_message(
                hook_id, token, message_id, session=self._session, payload=params.payload, thread_id=thread_id
            )

    async def delete_execution(self, hook_id: int, token: str, message_id: int, *, thread_id: int | None) -> None:
        await self._chosen.delete_webhook_message(
            hook_id, token, message_id, session=self._session, thread_id=thread_id
        )

    async def post(
        self,
        channel_id: int,
        part: Part,
        *,
        nonce: str,
        mentions: discord.AllowedMentions,
        view: discord.ui.View | None = None,
    ) -> Json:
        """A post by the bot's own account; ``nonce`` makes a repeat harmless for a few minutes."""
        extra = _file(part) | ({"view": view} if view is not None else {})
        with handle_message_parameters(content=part.content, nonce=nonce, allowed_mentions=mentions, **extra) as params:
            done: Any = await self._client.http.send_message(channel_id, params=params)
        return _told(done)

    async def edit(self, channel_id: int, message_id: int, *, content: str, mentions: discord.AllowedMentions) -> None:
        with handle_message_parameters(content=content, allowed_mentions=mentions) as params:
            await self._client.http.edit_message(channel_id, message_id, params=params)

    async def delete(self, channel_id: int, message_id: int) -> None:
        await self._client.http.delete_message(channel_id, message_id)

    async def typing(self, channel_id: int) -> None:
        await self._client.http.send_typing(channel_id)

    async def history(self, channel_id: int, *, after: int | None = None) -> list[Json]:
        """Up to 100 messages, oldest first: the first ones after ``after``, or the newest ones of all."""
        page: Any = await self._client.http.logs_from(channel_id, HISTORY_PAGE, after=after)
        return sorted((dict(message) for message in page), key=lambda message: int(message["id"]))

    async def webhooks(self, channel_id: int) -> list[Json]:
        listed: Any = await self._authorized(Route("GET", "/channels/{channel_id}/webhooks", channel_id=channel_id))
        return [dict(hook) for hook in listed]

    async def webhook(self, hook_id: int, token: str) -> Json:
        """The webhook as it stands; NotFound when it is gone."""
        found: Any = await self._chosen.fetch_webhook_with_token(hook_id, token, session=self._session)
        return found if isinstance(found, dict) else {}

    async def create_webhook(self, channel_id: int, *, name: str) -> Json:
        route = Route("POST", "/channels/{channel_id}/webhooks", channel_id=channel_id)
        made: Any = await self._authorized(route, payload={"name": name})
        return dict(made)

    async def _authorized(self, route: Route, *, payload: Json | None = None) -> Any:
        """A call as the bot whose answer holds tokens: discord.py's own client would log it at DEBUG."""
        token = self._client.http.token
        return await self._chosen.request(route, self._session, payload=payload, auth_token=token)


def _told(done: Any) -> Json:
    """The post as it was answered. An answer that does not say which post it is leaves it to be looked for."""
    if not isinstance(done, dict) or not done.get("id"):
        raise Interrupted("Discord did not tell which message was posted", reached=True)
    return done


def _file(part: Part) -> dict[str, Any]:
    if part.file is None:
        return {}
    name, text = part.file
    return {"file": discord.File(io.BytesIO(text.encode("utf-8", "replace")), filename=name)}
