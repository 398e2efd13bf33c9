"""What becomes of each thing heard: the core is told, a command is run, a change of the group is written down."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from typing import TypeVar

from adapters.telegram.addresses import key_of, thread_id_of
from adapters.telegram.albums import Albums, together
from adapters.telegram.commanding import Commanding, language_of
from adapters.telegram.dialogue import Dialogue
from adapters.telegram.ear import Done
from adapters.telegram.gates import Gates
from adapters.telegram.groups import Groups
from adapters.telegram.heard import BotMade, Commanded, Edited, Heard, HostMoved, Joined, Migrated, Place, Pressed, Said
from adapters.telegram.membership import Membership
from adapters.telegram.posting import Posting
from adapters.telegram.pressing import Pressing
from adapters.telegram.saying import Saying
from adapters.telegram.vault import holds_secret, shown
from orchestration.errors import StorageError
from orchestration.model import IncomingMessage
from orchestration.ports import Ingress
from orchestration.texts import text

logger = logging.getLogger(__name__)
STORAGE_TRIES = 60
T = TypeVar("T", Said, Commanded, Edited, Pressed)


class Hearing:
    def __init__(
        self,
        *,
        groups: Groups,
        albums: Albums,
        posting: Posting,
        membership: Membership,
        dialogue: Dialogue,
        commanding: Commanding,
        pressing: Pressing,
        saying: Saying,
        ingress: Ingress,
        locale: str,
    ) -> None:
        self._groups = groups
        self._albums = albums
        self._posting = posting
        self._membership = membership
        self._dialogue = dialogue
        self._commanding = commanding
        self._pressing = pressing
        self._saying = saying
        self._ingress = ingress
        self._locale = locale
        self._in_turn = Gates()
        """What one person says in private is taken in one by one, in order."""
        self._tasks: set[asyncio.Task[None]] = set()

    async def hear(self, heard: Heard, done: Done) -> bool:
        """True when the thing is stored or dealt with; False when a task of its own does that and calls ``done``."""
        match heard:
            case Said():
                said = self._present(heard)
                await self._membership.seen(said.place)
                return await self._said(said, done)
            case Commanded():
                command = self._present(heard)
                await self._membership.seen(command.place)
                if holds_secret(command.words) and not command.place.private:
                    self._beside(lambda: self._exposed(command), _nothing)
                self._beside(lambda: self._command(command, done), done)
                return False
            case Pressed():
                pressed = self._present(heard)
                self._beside(lambda: self._pressing.run(pressed, done), done)
                return False
            case Edited():
                await self._edited(heard)
            case Migrated():
                await self._posting.migrate(heard.old, heard.new)
            case HostMoved():
                await self._membership.host_moved(heard)
                if heard.inside:
                    self._beside(lambda: self._membership.look_for_agents(heard.place, heard.speaker), _nothing)
            case Joined():
                await self._joined(heard)
            case BotMade():
                self._beside(lambda: self._bot_made(heard, done), done)
                return False
            case _:
                logger.debug("ignored: %s", heard.reason)
        return True

    async def _edited(self, heard: Edited) -> None:
        """New words, and nothing more. A token that came in by an edit is taken away like any other."""
        edited = self._present(heard)
        if holds_secret(edited.text):
            self._beside(lambda: self._exposed(edited), _nothing)
        if edited.place.private:
            return
        whole = await self._albums.whole(edited) if edited.album else edited
        await self._ingress.edited(edited.place.key, whole.external_id, shown(whole.text))

    async def _joined(self, joined: Joined) -> None:
        """The cast changes at once; telling the group may have to wait its turn."""
        place = self._here(joined.place)
        await self._membership.seen(place)
        for bot_id in joined.bot_ids:
            words = await self._membership.bot_joined(place, bot_id)
            self._beside(partial(self._membership.welcome, place, bot_id, words), _nothing)

    async def _command(self, command: Commanded, done: Done) -> None:
        """What one person orders in a group is done in order, and its answers do not hold up the next act; what needs
        no right waits for nothing.
        """
        if command.place.private:
            async with self._in_turn.through(command.place.chat_id):
                await self._commanding.run(command, done)
            return
        async with AsyncExitStack() as turn:
            if not self._commanding.is_open_to_all(command):
                whose = (command.place.chat_id, command.speaker.person.id)
                await turn.enter_async_context(self._in_turn.through(whose))

            async def acted() -> None:
                await done()
                await turn.aclose()

            await self._commanding.run(command, acted)

    async def _bot_made(self, made: BotMade, done: Done) -> None:
        async with self._in_turn.through(made.owner.user_id):
            await self._dialogue.bot_made(made, language_of(made.owner, self._locale))
            await done()

    async def _said(self, said: Said, done: Done) -> bool:
        if said.place.private:
            self._beside(lambda: self._in_private(said, done), done)
            return False
        if holds_secret(said.message.text):
            self._beside(lambda: self._exposed(said), _nothing)
        topic = thread_id_of(said.place.key)
        if topic is not None:
            await self._groups.find_topic(said.place.chat_id, topic)
        if await self._commanding.is_bound(said.place):
            await self._ingress.receive(_presentable(said.message, said.place))
        return True

    async def album(self, parts: list[Said]) -> None:
        """An album is one message: the first part's number, every file, the caption wherever it stood."""
        parts = sorted(parts, key=lambda said: said.message_id)
        first = parts[0].message
        whole = replace(
            first,
            text=together(said.message.text for said in parts),
            attachments=tuple(a for said in parts for a in said.message.attachments),
            mentioned_agents=tuple(dict.fromkeys(a for s in parts for a in s.message.mentioned_agents)),
            mentioned_people=tuple(dict.fromkeys(p for s in parts for p in s.message.mentioned_people)),
            reply_to=next((s.message.reply_to for s in parts if s.message.reply_to), None),
            reply_text=next((s.message.reply_text for s in parts if s.message.reply_text), ""),
        )
        place = self._here(parts[0].place)
        if place.private:
            return
        await self._membership.seen(place)
        if await self._commanding.is_bound(place):
            await self._albums.keep(parts)
            await self._ingress.receive(_presentable(whole, place))

    async def _in_private(self, said: Said, done: Done) -> None:
        """In private there is no group to answer: only the dialogue, and a word about what the host is for."""
        locale = language_of(said.speaker, self._locale)
        async with self._in_turn.through(said.place.chat_id):
            chat = await self._commanding.chat(said.place)
            taken = await self._dialogue.heard(chat, said, locale)
            await done()
            if taken:
                return
            if holds_secret(said.message.text):
                await self._saying.delete(said.place.chat_id, said.message_id)
            await self._saying.say(said.place.chat_id, self._commanding.private_help(locale))

    async def _exposed(self, heard: Said | Commanded | Edited) -> None:
        """Somebody posted a bot token where none was asked for."""
        place = heard.place
        await self._saying.delete(place.chat_id, heard.message_id)
        words = text(language_of(heard.speaker, self._locale), "telegram_token_exposed")
        await self._saying.say(place.chat_id, words, thread_id=thread_id_of(place.key))

    def _present(self, heard: T) -> T:
        """The thing heard under the group's present address. Where the group has moved since, the message has no
        number that counts there.
        """
        place = self._here(heard.place)
        return heard if place is heard.place else replace(heard, place=place, message_id=0)

    def _here(self, place: Place) -> Place:
        """The place under its present address: what comes in may be from before the group moved."""
        now = self._groups.now(place.chat_id)
        if now == place.chat_id:
            return place
        return replace(place, key=key_of(now, thread_id_of(place.key)), chat_id=now, kind="supergroup")

    # ------------------------------------------------------------------------------------------ tasks

    def _beside(self, work: Callable[[], Awaitable[None]], done: Done) -> None:
        """Runs the work beside the rest, so that nothing queues behind it."""
        task = asyncio.create_task(self._watched(work, done))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _watched(self, work: Callable[[], Awaitable[None]], done: Done) -> None:
        """A busy database is tried again for some minutes; what fails otherwise is logged and not tried for ever."""
        for n in range(STORAGE_TRIES):
            try:
                await work()
            except StorageError as error:
                logger.warning("something heard waits for the database: %s", type(error).__name__)
                await asyncio.sleep(min(10.0, 0.5 * 2**n))
            except Exception:  # the adapter's edge: a failed command must not end the hearing
                logger.exception("something heard could not be handled")
                await done()
                return
            else:
                return

    async def settle(self, limit_s: float) -> None:
        """Lets what runs beside come to its end; cancels what is too slow."""
        if self._tasks:
            _, slow = await asyncio.wait(set(self._tasks), timeout=limit_s)
            for task in slow:
                task.cancel()


def _presentable(message: IncomingMessage, place: Place) -> IncomingMessage:
    return replace(message, chat=place.key, text=shown(message.text), reply_text=shown(message.reply_text))


async def _nothing() -> None:
    """Nothing to mark."""
