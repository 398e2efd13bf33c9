"""Presses on the host's buttons: a clarification's choice, a reply anew, a reply away."""

from __future__ import annotations

from adapters.telegram.addresses import person_of
from adapters.telegram.buttons import Button, Buttons, Does
from adapters.telegram.commanding import Commanding
from adapters.telegram.ear import Done
from adapters.telegram.heard import Pressed
from adapters.telegram.rights import Rights
from adapters.telegram.saying import Saying
from orchestration.admin import About, Admin
from orchestration.errors import UserError
from orchestration.model import Person
from orchestration.ports import Ingress
from orchestration.texts import text


class Pressing:
    def __init__(
        self,
        *,
        buttons: Buttons,
        commanding: Commanding,
        rights: Rights,
        saying: Saying,
        admin: Admin,
        ingress: Ingress,
    ) -> None:
        self._buttons = buttons
        self._commanding = commanding
        self._rights = rights
        self._saying = saying
        self._admin = admin
        self._ingress = ingress

    async def run(self, pressed: Pressed, done: Done) -> None:
        button = await self._buttons.meaning(pressed.data)
        locale = self._commanding.language(pressed)
        if button is None:
            await done()
            await self._saying.confirm(pressed.query_id, text(locale, "telegram_button_old"))
        elif button.does is Does.CHOOSE:
            await self._choose(pressed, button, locale, done)
        else:
            await self._on_reply(pressed, button, done)

    async def _choose(self, pressed: Pressed, button: Button, locale: str, done: Done) -> None:
        person = await self._asked(pressed, button)
        heard = await self._ingress.chosen(pressed.place.key, person, button.choice_id)
        await done()
        if heard:
            await self._saying.confirm(pressed.query_id)
            await self._saying.drop_keyboard(pressed.place.chat_id, pressed.message_id)
        else:
            await self._saying.confirm(pressed.query_id, text(locale, "telegram_not_your_question"))

    async def _asked(self, pressed: Pressed, button: Button) -> Person:
        """An anonymous admin asks as the group but presses as themselves: any admin may then answer."""
        group = person_of(pressed.place.chat_id)
        if button.person_id == group and await self._rights.may_manage(pressed.place, pressed.speaker):
            return Person(id=group, name=pressed.place.title)
        return pressed.speaker.person

    async def _on_reply(self, pressed: Pressed, button: Button, done: Done) -> None:
        caller = await self._commanding.caller(pressed.place, pressed.speaker)
        about = About(outbox_id=button.outbox_id)
        control = self._admin.control
        act = control.regenerate if button.does is Does.REGENERATE else control.remove_reply
        try:
            words = (await act(caller, about)).text
        except UserError as error:
            words = self._admin.refusal(caller, error)
        await done()
        await self._saying.confirm(pressed.query_id, words)
