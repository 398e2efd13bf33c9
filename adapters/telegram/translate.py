"""Updates of the Bot API -> what Troupe hears. Pure: no call is made, nothing is kept.

Entity offsets count UTF-16 units; slices go through the library's own parser, never through Python's indices.
"""

from __future__ import annotations

import re

from telegram import CallbackQuery, Chat, ChatMemberUpdated, Message, MessageEntity, Update, User
from telegram.constants import ChatMemberStatus, MessageEntityType

from adapters.telegram.addresses import ANONYMOUS_ADMIN, AUTO_FORWARD, CHANNEL_SENDER, external_of, key_of, person_of
from adapters.telegram.attachments import attachments_of, spoken_by
from adapters.telegram.heard import (
    BotMade,
    Commanded,
    Edited,
    Heard,
    HostMoved,
    Ignored,
    Joined,
    Migrated,
    Place,
    Pressed,
    Roster,
    Said,
    Speaker,
)
from orchestration.model import ANY_AGENT, IncomingMessage, Person

_STANDS_FOR_OTHERS = frozenset({ANONYMOUS_ADMIN, CHANNEL_SENDER, AUTO_FORWARD})
_COMMAND = re.compile(r"^/([A-Za-z0-9_]{1,32})(?:@(\w{3,32}))?$", re.ASCII)
_ASK = "ask"
_START = "start"


def translate(update: Update, roster: Roster) -> Heard:
    """The one thing this update tells us."""
    if update.message is not None:
        return _message(update.message, roster)
    if update.edited_message is not None:
        return _edited(update.edited_message, roster)
    if update.callback_query is not None:
        return _pressed(update.callback_query)
    if update.my_chat_member is not None:
        return _host_moved(update.my_chat_member)
    if update.managed_bot is not None:
        return _bot_made(speaker_of_user(update.managed_bot.user), update.managed_bot.bot)
    return Ignored(reason="kind")


def place_of(chat: Chat, thread_id: int | None = None) -> Place:
    title = chat.title or chat.effective_name or ""
    return Place(key=key_of(chat.id, thread_id), chat_id=chat.id, kind=str(chat.type), title=title)


def _topic(message: Message) -> int | None:
    """The topic's number. A reply in General carries a thread number too, which is none: it is not a topic message."""
    return message.message_thread_id if message.is_topic_message else None


def speaker_of(message: Message) -> Speaker | None:
    """Who speaks: a chat where a chat speaks (its id is the key), else the user; None for bots and for nobody."""
    user, chat = message.from_user, message.sender_chat
    if chat is not None:
        anonymous = chat.id == message.chat.id
        name = chat.title or message.author_signature or chat.username or "?"
        return Speaker(person=Person(id=person_of(chat.id), name=name), user_id=None, anonymous_admin=anonymous)
    if user is None or user.is_bot or user.id in _STANDS_FOR_OTHERS:
        return None
    return speaker_of_user(user)


def speaker_of_user(user: User) -> Speaker:
    name = (user.full_name or "").strip() or user.username or str(user.id)
    return Speaker(person=Person(id=person_of(user.id), name=name), user_id=user.id, language=user.language_code or "")


def _message(message: Message, roster: Roster) -> Heard:
    chat = message.chat
    if message.migrate_to_chat_id:
        return Migrated(old=chat.id, new=message.migrate_to_chat_id)
    if message.migrate_from_chat_id:
        return Migrated(old=message.migrate_from_chat_id, new=chat.id)
    if message.from_user is not None and message.from_user.id in roster.ours:
        return Ignored(reason="own")
    if message.new_chat_members:
        return _joined(message)
    speaker = speaker_of(message)
    if speaker is None:
        return Ignored(reason="bot")
    if message.managed_bot_created is not None:
        return _bot_made(speaker, message.managed_bot_created.bot)
    if chat.type not in ("private", "group", "supergroup"):
        return Ignored(reason="chat")
    command = _command(message)
    if command is not None:
        return _commanded(message, speaker, roster, *command)
    return _said(message, speaker, roster, _words(message, roster), _mentioned(message, roster))


def _joined(message: Message) -> Heard:
    bots = tuple(user.id for user in message.new_chat_members or () if user.is_bot)
    user = message.from_user
    if not bots or user is None:
        return Ignored(reason="people joined")
    return Joined(place=place_of(message.chat), speaker=speaker_of_user(user), bot_ids=bots)


def _command(message: Message) -> tuple[str, str, str] | None:
    """(name, addressee, arguments) when the message is a command: an entity at its start (or at the start of a
    file's or a picture's caption), not a forward. A message without any entities is judged by its first word.
    """
    text = message.text or (message.caption if message.document or message.photo else None)
    if not text or message.forward_origin is not None:
        return None
    found = _entities(message)
    head = next((w for e, w in found if e.type == MessageEntityType.BOT_COMMAND and e.offset == 0), "")
    if not found and text.startswith("/"):
        head = text.split(maxsplit=1)[0]
    parts = _COMMAND.match(head)
    return (parts.group(1).lower(), parts.group(2) or "", text[len(head) :].strip()) if parts else None


def _commanded(message: Message, speaker: Speaker, roster: Roster, name: str, to: str, rest: str) -> Heard:
    agent = roster.agent_of_name(to) if to else None
    if to and agent is None and not roster.is_host(to):
        return Ignored(reason="other bot's command")
    if agent is not None and name == _START:
        bot = next(number for number, _, agent_id in roster.agents if agent_id == agent)
        return Joined(place=place_of(message.chat), speaker=speaker, bot_ids=(bot,))
    if name == _ASK or agent is not None:
        agents, people = _mentioned(message, roster)
        agents = tuple(dict.fromkeys((agent, *agents))) if agent else agents
        return _said(message, speaker, roster, rest, (agents, people)) if rest else Ignored(reason="nothing asked")
    return Commanded(
        place=place_of(message.chat, _topic(message)),
        speaker=speaker,
        name=name,
        words=rest,
        message_id=message.message_id,
        named=bool(to),
        file_id=_file_id(message),
        reply_to=_reply_to(message)[0],
    )


def _file_id(message: Message) -> str:
    if message.document is not None:
        return message.document.file_id
    return message.photo[-1].file_id if message.photo else ""


def _said(
    message: Message, speaker: Speaker, roster: Roster, text: str, mentioned: tuple[tuple[str, ...], tuple[str, ...]]
) -> Heard:
    attachments = attachments_of(message)
    text = text or spoken_by(message)
    if not text and not attachments:
        return Ignored(reason="service")
    place = place_of(message.chat, _topic(message))
    reply_to, reply_text = _reply_to(message)
    incoming = IncomingMessage(
        chat=place.key,
        external_id=external_of(message.chat.id, message.message_id),
        author=speaker.person,
        text=text,
        sent_at=message.date,
        mentioned_agents=mentioned[0],
        mentioned_people=mentioned[1],
        reply_to=reply_to,
        reply_text=reply_text,
        attachments=attachments,
        chat_title=place.title,
    )
    return Said(
        place=place,
        speaker=speaker,
        message=incoming,
        message_id=message.message_id,
        album=message.media_group_id or "",
    )


def _reply_to(message: Message) -> tuple[str | None, str]:
    """(external id, quoted words). In a topic every message "replies" to the topic's opening: that is no reply."""
    quote = message.quote.text if message.quote else ""
    original = message.reply_to_message
    if original is None or original.forum_topic_created is not None:
        return None, quote
    return external_of(original.chat.id, original.message_id), quote or original.text or original.caption or ""


def _entities(message: Message) -> list[tuple[MessageEntity, str]]:
    """Entities of the text or the caption, each with the words it stands over."""
    if message.text is not None:
        return list(message.parse_entities().items())
    return list(message.parse_caption_entities().items())


def _words(message: Message, roster: Roster) -> str:
    """Text or caption without the host's own @name: calling the host is calling the group, not somebody."""
    text = message.text or message.caption or ""
    for entity, words in _entities(message):
        if entity.type == MessageEntityType.MENTION and roster.is_host(words[1:]):
            before, _, after = text.partition(words)
            text = f"{before.rstrip()} {after.lstrip()}".strip()
    return text


def _mentioned(message: Message, roster: Roster) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """(agent ids, person ids) that the platform itself marked."""
    agents: dict[str, None] = {}
    people: dict[str, None] = {}
    for entity, words in _entities(message):
        if entity.type == MessageEntityType.TEXT_MENTION and entity.user is not None:
            agent = roster.agent_of_bot(entity.user.id)
            if agent:
                agents[agent] = None
            elif entity.user.id != roster.host_id:
                people[person_of(entity.user.id)] = None
            else:
                agents[ANY_AGENT] = None
        elif entity.type == MessageEntityType.MENTION and roster.is_host(words[1:]):
            agents[ANY_AGENT] = None
        elif entity.type == MessageEntityType.MENTION:
            agent = roster.agent_of_name(words[1:])
            if agent:
                agents[agent] = None
            else:
                people[f"telegram:{words.casefold()}"] = None
    return tuple(agents), tuple(people)


def _edited(message: Message, roster: Roster) -> Heard:
    """An edit is new text and nothing else: a command in it does not run again."""
    speaker = speaker_of(message)
    if speaker is None:
        return Ignored(reason="bot")
    place = place_of(message.chat, _topic(message))
    text = _words(message, roster) or spoken_by(message)
    command = _command(message)
    if command is not None and (command[0] == _ASK or roster.agent_of_name(command[1])):
        text = command[2]
    elif command is not None:
        return Ignored(reason="edited command")
    return Edited(
        place=place,
        speaker=speaker,
        external_id=external_of(message.chat.id, message.message_id),
        text=text,
        message_id=message.message_id,
        album=message.media_group_id or "",
    )


def _pressed(query: CallbackQuery) -> Heard:
    message = query.message
    if message is None or not query.data:
        return Ignored(reason="button without message")
    thread = _topic(message) if isinstance(message, Message) else None
    return Pressed(
        place=place_of(message.chat, thread),
        speaker=speaker_of_user(query.from_user),
        query_id=query.id,
        data=query.data,
        message_id=message.message_id,
    )


def _host_moved(change: ChatMemberUpdated) -> Heard:
    status = change.new_chat_member.status
    inside = status in (ChatMemberStatus.MEMBER, ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER)
    if status == ChatMemberStatus.RESTRICTED:
        inside = bool(getattr(change.new_chat_member, "is_member", False))
    return HostMoved(
        place=place_of(change.chat),
        speaker=speaker_of_user(change.from_user),
        inside=inside,
        admin=status in (ChatMemberStatus.ADMINISTRATOR, ChatMemberStatus.OWNER),
    )


def _bot_made(owner: Speaker, bot: User) -> Heard:
    """Told twice, by an update of its own and by a service message: whichever comes first counts."""
    return BotMade(owner=owner, bot_id=bot.id, name=bot.full_name, username=bot.username or "")
