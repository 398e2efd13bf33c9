"""`/agent add` in a private chat with the host: one question a message, kept in the database between them.

The steps are name, face, character, own bot. The message that answers the last one holds a token: it is sealed before
it is stored anywhere, and deleted, a wrong one too.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from telegram import KeyboardButton, KeyboardButtonRequestManagedBot, ReplyKeyboardMarkup, ReplyKeyboardRemove
from telegram.error import TelegramError

from adapters.telegram.bots import BotRecord, Bots, link_key, try_token
from adapters.telegram.heard import BotMade, Commanded, Said
from adapters.telegram.looks import Looks
from adapters.telegram.profile import Profiles
from adapters.telegram.saying import Keyboard, Saying
from adapters.telegram.vault import Vault, holds_secret
from orchestration.card_lines import card_of, fields_of
from orchestration.card_rules import checked, ensure_unique, slug
from orchestration.cast import Casts
from orchestration.errors import UserError
from orchestration.events import Json
from orchestration.model import GroupChat
from orchestration.ports import NewId, Storage
from orchestration.texts import refusal, text

logger = logging.getLogger(__name__)
DIALOGUES = "telegram:dialogues"


class Step(StrEnum):
    NAME = "name"
    EMOJI = "emoji"
    CHARACTER = "description"
    BOT = "bot"


_NEXT = {Step.NAME: Step.EMOJI, Step.EMOJI: Step.CHARACTER, Step.CHARACTER: Step.BOT}
_ASK = {
    Step.NAME: "telegram_ask_name",
    Step.EMOJI: "telegram_ask_emoji",
    Step.CHARACTER: "telegram_ask_character",
    Step.BOT: "telegram_ask_bot",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """Where a person's dialogue stands. ``heard`` is the last message taken in: a repeat of it says nothing new."""

    step: Step
    values: tuple[tuple[str, str], ...] = ()
    heard: int = 0
    key: str = ""
    photo: str = ""

    def value(self, name: str) -> str:
        return dict(self.values).get(name, "")


class Dialogue:
    def __init__(
        self,
        *,
        bots: Bots,
        looks: Looks,
        saying: Saying,
        profiles: Profiles,
        casts: Casts,
        storage: Storage,
        vault: Vault,
        new_id: NewId,
    ) -> None:
        self._bots = bots
        self._looks = looks
        self._saying = saying
        self._profiles = profiles
        self._casts = casts
        self._storage = storage
        self._vault = vault
        self._new_id = new_id

    async def of(self, user_id: int) -> Talk | None:
        async with self._storage.read() as uow:
            row = await uow.platform_state.get(DIALOGUES, str(user_id))
        if not isinstance(row, dict):
            return None
        values = row.get("values")
        heard = row.get("heard")
        return Talk(
            step=Step(str(row["step"])),
            values=tuple((k, str(v)) for k, v in values.items()) if isinstance(values, dict) else (),
            heard=heard if isinstance(heard, int) else 0,
            key=str(row.get("key", "")),
            photo=str(row.get("photo", "")),
        )

    async def _keep(self, user_id: int, talk: Talk | None) -> None:
        async with self._storage.begin() as uow:
            if talk is None:
                await uow.platform_state.delete(DIALOGUES, str(user_id))
                return
            row: dict[str, Json] = {
                "step": talk.step.value,
                "values": dict(talk.values),
                "heard": talk.heard,
                "key": talk.key,
                "photo": talk.photo,
            }
            await uow.platform_state.put(DIALOGUES, str(user_id), row)

    # ------------------------------------------------------------------------------------------ steps

    async def begin(self, chat: GroupChat, command: Commanded, words: str, locale: str) -> None:
        """Starts anew. What stands behind the command already is not asked again."""
        user_id = command.place.chat_id
        if holds_secret(words):
            await self._saying.delete(user_id, command.message_id)
            words = ""
        values = {k: v for k, v in fields_of(words).items() if v}
        talk = Talk(step=Step.NAME, heard=command.message_id, key=link_key(self._new_id()))
        if "name" in values:
            try:
                await self._check(chat, values)
            except UserError as error:
                await self._saying.say(user_id, refusal(locale, error))
                values = {}
            else:
                talk = replace(talk, values=tuple(values.items()), step=Step.EMOJI)
        await self._keep(user_id, talk)
        await self._ask(user_id, talk, locale)

    async def cancel(self, user_id: int, locale: str) -> None:
        talk = await self.of(user_id)
        await self._keep(user_id, None)
        code = "add_cancelled" if talk else "telegram_private_help"
        await self._saying.say(user_id, text(locale, code, **self._names()), keyboard=ReplyKeyboardRemove())

    async def skip(self, chat: GroupChat, command: Commanded, locale: str) -> None:
        user_id = command.place.chat_id
        talk = await self.of(user_id)
        if talk is None or talk.heard == command.message_id:
            return
        talk = replace(talk, heard=command.message_id)
        if talk.step is Step.BOT:
            await self._without_bot(user_id, command.speaker.person.id, talk, locale)
        elif talk.step is Step.NAME:
            await self._ask(user_id, talk, locale)
        else:
            await self._on(user_id, replace(talk, step=_NEXT[talk.step]), locale)

    async def heard(self, chat: GroupChat, said: Said, locale: str) -> bool:
        """Takes an answer in; False when no dialogue is open with this person."""
        user_id = said.place.chat_id
        talk = await self.of(user_id)
        if talk is None:
            return False
        if talk.heard == said.message_id:
            return True
        talk = replace(talk, heard=said.message_id)
        if talk.step is Step.BOT:
            await self._token(user_id, said, talk, locale)
            return True
        if holds_secret(said.message.text):  # too early: nothing of it is kept
            await self._saying.delete(user_id, said.message_id)
            await self._on(user_id, talk, locale)
            return True
        if talk.step is Step.EMOJI:
            picture = next((a.url for a in said.message.attachments if a.kind == "photo"), "")
            talk = replace(talk, photo=picture or talk.photo)
        values = {**dict(talk.values), talk.step.value: said.message.text.strip()}
        try:
            await self._check(chat, values)
        except UserError as error:
            await self._keep(user_id, talk)
            await self._saying.say(user_id, refusal(locale, error))
            return True
        await self._on(user_id, replace(talk, values=tuple(values.items()), step=_NEXT[talk.step]), locale)
        return True

    async def _check(self, chat: GroupChat, values: Mapping[str, str]) -> None:
        """UserError when the card cannot be: a bad name, one that a starter has already, too long a text."""
        card = checked(card_of(values))
        ensure_unique(card, await self._casts.of(chat.tenant_id))

    async def _on(self, user_id: int, talk: Talk, locale: str) -> None:
        await self._keep(user_id, talk)
        await self._ask(user_id, talk, locale)

    def _names(self) -> dict[str, str]:
        return {"host": self._bots.host_username}

    async def _ask(self, user_id: int, talk: Talk, locale: str) -> None:
        words = text(locale, _ASK[talk.step], name=talk.value("name"))
        keyboard: Keyboard | None = None
        if talk.step is Step.BOT and self._bots.manages_bots:
            words = f"{text(locale, 'telegram_ask_bot_button')}\n\n{words}"
            name = talk.value("name")
            latin = "".join(c for c in slug(name) if c.isascii() and c.isalnum()) or "agent"
            wish = KeyboardButtonRequestManagedBot(
                request_id=1, suggested_name=name[:64], suggested_username=f"{latin[:18]}_{talk.key[:6]}_bot"
            )
            button = KeyboardButton(text(locale, "telegram_button_make_bot"), request_managed_bot=wish)
            keyboard = ReplyKeyboardMarkup([[button]], resize_keyboard=True, one_time_keyboard=True)
        await self._saying.say(user_id, words, keyboard=keyboard)

    # ------------------------------------------------------------------------------------------ the bot

    async def _token(self, user_id: int, said: Said, talk: Talk, locale: str) -> None:
        token = self._vault.find(said.message.text)
        await self._saying.delete(user_id, said.message_id)
        code, found = "telegram_token_wrong", None
        if token is not None:
            try:
                found = await try_token(self._bots, token)
            except (TelegramError, ValueError):
                code = "telegram_token_later"
        if found is not None and token is not None:
            record = BotRecord(bot_id=found[0], token=token, name=found[1], username=found[2])
            if await self._with_bot(user_id, said.speaker.person.id, talk, record, locale):
                return
            code = "telegram_token_taken"
        await self._keep(user_id, talk)
        await self._saying.say(user_id, text(locale, code))

    async def _with_bot(self, user_id: int, owner_id: str, talk: Talk, record: BotRecord, locale: str) -> bool:
        """Stores the agent with its bot; False when the bot is somebody's already."""
        known = self._bots.record(record.bot_id)
        if record.bot_id == self._bots.host.number or (known is not None and known.owner_id != owner_id):
            return False
        made = replace(record, owner_id=owner_id, key=talk.key, card=talk.values, photo=talk.photo)
        await self._bots.save(made)
        await self._looks.new_token(record.bot_id)
        await self._keep(user_id, None)
        link = self._bots.link(made)
        said = text(locale, "telegram_agent_ready", name=talk.value("name"), link=link)
        await self._saying.say(user_id, said, keyboard=ReplyKeyboardRemove())
        await self._profiles.wear(made)
        return True

    async def _without_bot(self, user_id: int, owner_id: str, talk: Talk, locale: str) -> None:
        record = BotRecord(bot_id=0, owner_id=owner_id, key=talk.key, card=talk.values)
        await self._bots.save(record)
        await self._keep(user_id, None)
        link = self._bots.link(record)
        said = text(locale, "telegram_agent_ready_header", name=talk.value("name"), link=link)
        await self._saying.say(user_id, said, keyboard=ReplyKeyboardRemove())

    async def _fetched(self, bot_id: int) -> str | None:
        """A managed bot's token; None when it cannot be had after three tries."""
        for pause in (0.5, 2.0, 0.0):
            try:
                return await self._bots.host.get_managed_bot_token(bot_id)
            except TelegramError as error:
                logger.warning("a managed bot's token could not be fetched: %s", type(error).__name__)
                await asyncio.sleep(pause)
        return None

    async def bot_made(self, made: BotMade, locale: str) -> None:
        """A managed bot was made for the open dialogue, or a known one has a new token."""
        token = await self._fetched(made.bot_id)
        if token is None:
            await self._saying.say(made.owner.user_id or 0, text(locale, "telegram_token_later"))
            return
        record = BotRecord(bot_id=made.bot_id, token=token, name=made.name, username=made.username)
        known = self._bots.record(made.bot_id)
        if known is not None:
            owner = made.owner.person.id if known.card else known.owner_id
            await self._bots.save(replace(known, token=token, username=made.username or known.username, owner_id=owner))
            await self._looks.new_token(made.bot_id)
            return
        user_id = made.owner.user_id or 0
        talk = await self.of(user_id)
        if talk is not None and talk.step is Step.BOT:
            await self._with_bot(user_id, made.owner.person.id, talk, record, locale)
