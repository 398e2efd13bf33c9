"""Commands as Telegram hears them: the use cases of the core, and the few things only Telegram has."""

from __future__ import annotations

import difflib

from adapters.telegram.addresses import numbers_of, thread_id_of
from adapters.telegram.bots import Bots
from adapters.telegram.diagnosis import Diagnosis
from adapters.telegram.dialogue import Dialogue
from adapters.telegram.ear import Done
from adapters.telegram.heard import Commanded, Place, Pressed, Speaker
from adapters.telegram.membership import Membership
from adapters.telegram.owned import VERBS, Owned
from adapters.telegram.rights import Rights
from adapters.telegram.saying import Saying
from orchestration.admin import LAST, About, Caller
from orchestration.cast import Casts
from orchestration.commands import COMMANDS, Answer, Commands
from orchestration.model import GroupChat, Locale
from orchestration.ports import Clock, Storage
from orchestration.texts import text

_OPEN_TO_ALL = frozenset({"help", "why", "trace", "stop", "resume", "stats", "summary", "route"})
"""Commands whose outcome no right changes: they never wait for Telegram to tell who is an admin."""
_OWN = ("start", "check", "skip", "cancel", "agents", "ask")


class Commanding:
    def __init__(
        self,
        *,
        bots: Bots,
        rights: Rights,
        saying: Saying,
        dialogue: Dialogue,
        membership: Membership,
        diagnosis: Diagnosis,
        owned: Owned,
        commands: Commands,
        casts: Casts,
        storage: Storage,
        clock: Clock,
        locale: str,
    ) -> None:
        self._bots = bots
        self._rights = rights
        self._saying = saying
        self._dialogue = dialogue
        self._membership = membership
        self._diagnosis = diagnosis
        self._owned = owned
        self._commands = commands
        self._casts = casts
        self._storage = storage
        self._clock = clock
        self._locale = locale

    @staticmethod
    def is_open_to_all(command: Commanded) -> bool:
        """Whether nobody's right changes what the command does."""
        return command.name in _OPEN_TO_ALL

    async def run(self, command: Commanded, done: Done) -> None:
        """Acts, has the row marked, then answers: an answer may be lost to a crash, no act is done twice."""
        name, words = command.name, command.words
        if name.startswith("agent_"):  # menus know no blanks: /agent_add is /agent add
            name, words = "agent", f"{name.removeprefix('agent_')} {words}".strip()
        if command.place.private:
            await self._private(command, name, words, done)
        else:
            await self._in_group(command, name, words, done)

    # ------------------------------------------------------------------------------------------ in a group

    async def _in_group(self, command: Commanded, name: str, words: str, done: Done) -> None:
        verb = words.partition(" ")[0].casefold()
        if not command.named and not _is_ours(name):
            await done()
        elif name == "start":
            said = await self._membership.joined_by_key(command.place, words)
            await done()
            await self._membership.say(command.place, said)
        elif name in ("skip", "cancel", "ask"):
            await done()
        elif name == "agent" and verb == "add":
            await done()
            link = f"https://t.me/{self._bots.host_username}?start=agent_add"
            chat = await self.chat(command.place)
            await self._say(command, Answer(text=text(self._language(chat), "telegram_add_in_private", link=link)))
        elif name == "check":
            await done()
            chat = await self.chat(command.place)
            words = await self._diagnosis.group(command.place, chat, self._language(chat))
            await self._say(command, Answer(text=words, private=True))
        else:
            answer = await self._through(command, name, words)
            await done()
            await self._say(command, answer)

    async def _through(self, command: Commanded, name: str, words: str) -> Answer:
        """The core's own commands."""
        needs_right = name not in _OPEN_TO_ALL
        caller = await self.caller(command.place, command.speaker, prove=needs_right)
        about = About(external_id=command.reply_to) if command.reply_to else LAST
        line = f"/{name} {words}".strip()
        file = await self._saying.fetch(command.file_id) if command.file_id else None
        return await self._commands.run(line, caller, about=about, file=file, platform="telegram")

    async def _say(self, command: Commanded, answer: Answer) -> None:
        place = command.place
        if answer.personal and not place.private:
            await self._say_alone(command, answer)
            return
        thread_id = thread_id_of(place.key)
        await self._saying.say(
            place.chat_id,
            answer.text,
            thread_id=thread_id,
            reply_to=command.message_id,
            only_for=command.speaker.user_id if answer.private and not place.private else None,
        )
        if answer.file is not None:
            await self._saying.send_file(place.chat_id, answer.file.name, answer.file.data, thread_id=thread_id)

    async def _say_alone(self, command: Commanded, answer: Answer) -> None:
        """What concerns one person goes to their private chat; where there is none yet, the group hears only that."""
        user_id = command.speaker.user_id
        if user_id is not None and await self._saying.say(user_id, answer.text):
            if answer.file is not None:
                await self._saying.send_file(user_id, answer.file.name, answer.file.data)
            return
        chat = await self.chat(command.place)
        host = self._bots.host_username
        refusal = text(self._language(chat), "telegram_personal", link=f"https://t.me/{host}")
        await self._say(command, Answer(text=refusal, private=True))

    # ------------------------------------------------------------------------------------------ in private

    async def _private(self, command: Commanded, name: str, words: str, done: Done) -> None:
        locale = language_of(command.speaker, self._locale)
        verb, _, rest = words.partition(" ")
        chat = await self.chat(command.place)
        user_id = command.place.chat_id
        if (name == "agent" and verb.casefold() == "add") or (name == "start" and words == "agent_add"):
            await self._dialogue.begin(chat, command, rest if name == "agent" else "", locale)
        elif name == "skip":
            await self._dialogue.skip(chat, command, locale)
        elif name == "cancel":
            await self._dialogue.cancel(user_id, locale)
        elif name == "check":
            await done()
            await self._saying.say(user_id, await self._diagnosis.maker(command.speaker, locale))
        elif name in ("start", "help"):
            await done()
            await self._saying.say(user_id, self.private_help(locale))
        elif name == "agents" or (name == "agent" and verb.casefold() in ("", "list")):
            await done()
            await self._saying.say(user_id, self._owned.listed(command.speaker, locale) or self.private_help(locale))
        elif name == "agent" and verb.casefold() in VERBS:
            said = await self._owned.run(command.speaker, verb.casefold(), rest, locale, file_id=command.file_id)
            await done()
            await self._saying.say(user_id, said)
        elif name == "agent":  # pause, import …: things of a group
            await done()
            await self._saying.say(user_id, self.private_help(locale))
        else:
            answer = await self._through(command, name, words)
            await done()
            await self._say(command, answer)
        await done()

    # ------------------------------------------------------------------------------------------ for all

    async def chat(self, place: Place) -> GroupChat:
        async with self._storage.begin() as uow:
            return await uow.chats.ensure(place.key, title=place.title, at=self._clock())

    async def is_bound(self, place: Place) -> bool:
        """False where an admin sent the cast away (/cast unbind): such a group is not even listened to."""
        async with self._storage.read() as uow:
            chat = await uow.chats.find(place.key)
        return chat is None or chat.settings.bound

    async def caller(self, place: Place, speaker: Speaker, *, prove: bool = True) -> Caller:
        """``prove`` False: no right is needed, so nobody is asked."""
        manages = await self._rights.may_manage(place, speaker) if prove else speaker.anonymous_admin
        locale = Locale(language_of(speaker, self._locale)) if place.private else None
        return Caller(
            person=speaker.person, chat=await self.chat(place), may_manage=manages, locale=locale, link=link_to
        )

    def language(self, pressed: Pressed) -> str:
        return language_of(pressed.speaker, self._locale)

    def _language(self, chat: GroupChat) -> str:
        return chat.settings.locale or self._locale

    def private_help(self, locale: str) -> str:
        return text(locale, "telegram_private_help", host=self._bots.host_username)


def language_of(speaker: Speaker, default: str) -> str:
    """The language the person's Telegram speaks, where it is one of ours."""
    short = speaker.language.casefold().split("-")[0]
    return short if short in set(Locale) else default


def link_to(seq: int, external_id: str) -> str:
    """A message's number, with its address where Telegram has one (supergroups only)."""
    chat_id, message_id = numbers_of(external_id)
    inner = str(chat_id).removeprefix("-100")
    return f"#{seq} https://t.me/c/{inner}/{message_id}" if inner != str(chat_id) else f"#{seq}"


def _is_ours(name: str) -> bool:
    """A group may hold other bots: a command that is not ours, nor a slip of the pen of one, is theirs."""
    known = (*COMMANDS, *_OWN)
    return name in known or bool(difflib.get_close_matches(name, known, n=1, cutoff=0.75))
