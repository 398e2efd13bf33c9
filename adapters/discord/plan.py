"""What one outbox item looks like in Discord: its parts, its face, its buttons. Reads, sends nothing."""

from __future__ import annotations

from dataclasses import dataclass
from hashlib import sha256

import discord

from adapters.discord.addresses import jump_link, native_id
from adapters.discord.faces import avatar_url, persona_name
from adapters.discord.scope import SCOPE
from adapters.discord.wire import mentions_of
from adapters.discord.wording import LIMIT, Part, harmless, parts_of, quote_line, with_mention
from adapters.splitting import split
from orchestration.model import AgentCard, GroupChat, Locale, Message, OutboxItem, OutboxKind
from orchestration.ports import Storage
from orchestration.texts import text

CHOICE_PREFIX = "troupe:choice:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """``agent`` is None for what the bot itself says; ``ping`` is the one person who may be pinged."""

    parts: list[Part]
    agent: AgentCard | None
    name: str = ""
    avatar: str = ""
    ping: int | None = None

    @property
    def mentions(self) -> discord.AllowedMentions:
        return mentions_of(self.ping)


class Planner:
    """Makes plans. The same item gives the same plan, also after a restart, as long as nobody edits the chat."""

    def __init__(self, storage: Storage, default_locale: Locale) -> None:
        self._storage = storage
        self._default_locale = default_locale

    def locale(self, chat: GroupChat) -> Locale:
        return chat.settings.locale or self._default_locale

    async def of(
        self,
        chat: GroupChat,
        item: OutboxItem,
        agent: AgentCard | None,
        *,
        unlike: str = "",
        as_bot: bool = False,
        may_attach: bool = True,
    ) -> Plan:
        """``unlike``: the face before, ``as_bot``: no persona is possible, the bot says it under a bold name."""
        ping = native_id(item.person_id) if chat.settings.mention_policy == "author" else None
        if item.kind is not OutboxKind.REPLY:
            pieces = split(harmless(item.text), LIMIT) or ["…"]
            return Plan(parts=[Part(content=piece) for piece in pieces], agent=None, ping=ping)
        asked = await self._answered(chat, item)
        words = harmless(item.text)
        if ping is not None and asked is not None:
            words = with_mention(words, person_name=asked.author.name, native_id=str(ping))
        shown = agent.name if agent is not None else (item.agent_id or "")
        parts = parts_of(
            words,
            quote=await self._quote(chat, item, asked),
            speaker=shown if as_bot else "",
            file_name=f"{item.agent_id or 'reply'}.txt",
            file_note=text(self.locale(chat), "discord_whole_reply_in_file"),
            may_attach=may_attach,
        )
        agent_id, version = item.agent_id or "", agent.version if agent is not None else 1
        return Plan(
            parts=parts,
            agent=agent,
            name=persona_name(shown, unlike=unlike),
            avatar=avatar_url(agent.avatar if agent is not None else "", agent_id, version=version),
            ping=ping,
        )

    async def _answered(self, chat: GroupChat, item: OutboxItem) -> Message | None:
        if item.reply_to_seq is None:
            return None
        async with self._storage.read() as uow:
            return await uow.messages.get(chat.id, item.reply_to_seq)

    async def _quote(self, chat: GroupChat, item: OutboxItem, asked: Message | None) -> str:
        """The quote line, where the message answered is not the last one any more. Of a proxied person's message
        the copy is what still stands.
        """
        if item.reply_to_is_last or not item.reply_to_external or asked is None or asked.deleted_at is not None:
            return ""
        async with self._storage.read() as uow:
            copy = await uow.platform_state.get(SCOPE, f"copied:{item.reply_to_external}")
        target = copy if isinstance(copy, str) else item.reply_to_external
        return quote_line(name=asked.author.name, text=asked.text, link=jump_link(chat.key, target))


def button_id(item: OutboxItem, choice_id: str) -> str:
    """A button's id: the same whenever the item is posted again; what it stands for is kept in the database."""
    return CHOICE_PREFIX + sha256(f"{item.id}|{choice_id}".encode()).hexdigest()[:32]


def choice_view(item: OutboxItem) -> discord.ui.View | None:
    """The buttons of a clarification."""
    if not item.choices:
        return None
    view = discord.ui.View(timeout=None)
    for choice in item.choices[:25]:
        view.add_item(discord.ui.Button(label=choice.label[:80] or "…", custom_id=button_id(item, choice.id)))
    return view
