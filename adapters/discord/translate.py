"""A Discord message -> what the core stores. Pure: everything it needs is in the message or given."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC
from typing import Final

import discord
import regex

from adapters.discord.addresses import person_id
from orchestration.model import ANY_AGENT, Attachment, ChatKey, IncomingMessage, Person

MAX_REPLY_TEXT: Final = 1500
_USER = regex.compile(r"<@!?(\d+)>")
_ROLE = regex.compile(r"<@&(\d+)>")
_CHANNEL = regex.compile(r"<#(\d+)>")
_EMOJI = regex.compile(r"<a?(:\w+:)\d+>")
_JUMP = regex.compile(r"/channels/\d+/\d+/(\d{15,20})")
_KINDS: Final = {"image": "image", "video": "video", "audio": "voice", "text": "file"}


def incoming(
    message: discord.Message,
    *,
    chat: ChatKey,
    author: Person,
    bot_id: int,
    title: str = "",
    reply_to: str | None = None,
    reply_text: str = "",
    wants_turn: bool = True,
    proxied: bool = False,
) -> IncomingMessage:
    """The message as a human said it. ``reply_to`` and ``reply_text`` are what the caller could resolve."""
    return IncomingMessage(
        chat=chat,
        external_id=str(message.id),
        author=author,
        text=(own_words if proxied else readable)(message, bot_id=bot_id),
        sent_at=message.created_at.astimezone(UTC),
        mentioned_agents=(ANY_AGENT,) if mentions_bot(message, bot_id) else (),
        mentioned_people=tuple(person_id(user.id) for user in message.mentions if user.id != bot_id and not user.bot),
        reply_to=reply_to,
        reply_text=reply_text[:MAX_REPLY_TEXT],
        attachments=attachments(message),
        chat_title=title,
        wants_turn=wants_turn,
    )


def readable(message: discord.Message, *, bot_id: int | None = None) -> str:
    """All that can be read in the message: its words, embeds, poll, forwarded messages, names of stickers.

    A mention of the bot itself (``bot_id``) is left out, unless there is nothing else.
    """
    pieces = [
        _content(message, bot_id),
        *(embed_text(embed) for embed in message.embeds),
        *(_snapshot(snapshot) for snapshot in message.message_snapshots),
        *(f":{sticker.name}:" for sticker in message.stickers),
    ]
    if message.poll is not None:
        pieces.append(_poll(message.poll))
    text = "\n".join(piece for piece in pieces if piece.strip())
    return text if text or bot_id is None else readable(message)


def mentions_bot(message: discord.Message, bot_id: int) -> bool:
    """Whether the bot's account is called: by a mention, by its own role, or by a reply to what it said itself."""
    if bot_id in {user.id for user in message.mentions} or str(bot_id) in _USER.findall(message.content):
        return True
    return any(role.tags is not None and role.tags.bot_id == bot_id for role in message.role_mentions)


def own_words(message: discord.Message, *, bot_id: int | None = None) -> str:
    """What a proxied person wrote: without the embed in which the proxy shows what is replied to."""
    return _content(message, bot_id) or readable(message, bot_id=bot_id)


def proxied_reply(message: discord.Message) -> int | None:
    """The message that a proxied one replies to, from the jump link in its proxy's embed."""
    found = next(filter(None, (_JUMP.search(embed.description or "") for embed in message.embeds)), None)
    return int(found.group(1)) if found is not None else None


def has_content(message: discord.Message) -> bool:
    """Whether there is anything a cast could answer (not a joined-the-server line, not an empty shell)."""
    if message.type not in (
        discord.MessageType.default,
        discord.MessageType.reply,
        discord.MessageType.thread_starter_message,
    ):
        return False
    return bool(readable(message).strip() or message.attachments or _forwarded_files(message))


def plain(
    content: str,
    *,
    names: Mapping[int, str],
    roles: Mapping[int, str] | None = None,
    channels: Mapping[int, str] | None = None,
    bot_id: int | None = None,
) -> str:
    """Tags as people see them. A mention of the bot itself is left out: it addresses whoever of the cast fits."""

    def user(found: regex.Match[str]) -> str:
        native = int(found.group(1))
        if native == bot_id:
            return ""
        return f"@{names.get(native, native)}"

    text = _USER.sub(user, content)
    text = _ROLE.sub(lambda found: f"@{(roles or {}).get(int(found.group(1)), found.group(1))}", text)
    text = _CHANNEL.sub(lambda found: f"#{(channels or {}).get(int(found.group(1)), found.group(1))}", text)
    return _EMOJI.sub(r"\1", text).strip()


def embed_text(embed: discord.Embed) -> str:
    """Title, text and fields of an embed; a bare link preview without words is nothing."""
    head = [embed.author.name, embed.title, embed.description]
    lines = [line for line in head if line]
    lines += [f"{field.name}: {field.value}" for field in embed.fields]
    if embed.footer.text:
        lines.append(embed.footer.text)
    return "\n".join(lines)


def _content(message: discord.Message, bot_id: int | None = None) -> str:
    names = {user.id: user.display_name for user in message.mentions}
    return plain(message.content, names=names, roles=_roles(message), channels=_channels(message), bot_id=bot_id)


def attachments(message: discord.Message) -> tuple[Attachment, ...]:
    return tuple(_attachment(item) for item in (*message.attachments, *_forwarded_files(message)))


def _attachment(item: discord.Attachment) -> Attachment:
    kind = "voice" if item.is_voice_message() else _KINDS.get((item.content_type or "").partition("/")[0], "file")
    return Attachment(kind=kind, name=item.filename, url=item.url, note=item.description or "")


def _forwarded_files(message: discord.Message) -> Iterable[discord.Attachment]:
    return [item for snapshot in message.message_snapshots for item in snapshot.attachments]


def _snapshot(snapshot: discord.MessageSnapshot) -> str:
    pieces = [plain(snapshot.content, names={}), *(embed_text(embed) for embed in snapshot.embeds)]
    text = "\n".join(piece for piece in pieces if piece)
    return "\n".join(f"> {line}" for line in text.split("\n")) if text else ""


def _poll(poll: discord.Poll) -> str:
    question = poll.question if isinstance(poll.question, str) else (poll.question.text or "")
    return "\n".join([question, *(f"- {answer.text}" for answer in poll.answers)])


def _roles(message: discord.Message) -> dict[int, str]:
    return {role.id: role.name for role in message.role_mentions}


def _channels(message: discord.Message) -> dict[int, str]:
    return {channel.id: channel.name for channel in message.channel_mentions}
