"""`/memory`: what is remembered of oneself, and how to have it forgotten, switched off or taken along; for admins the
group's.

People see and remove only what is theirs; the group's memories are for its admins to remove.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from orchestration.admin.callers import Caller, ensure_manager
from orchestration.admin.kept import as_json, forget_threads, lines_of, of_group, of_person
from orchestration.admin.language import Language
from orchestration.card_rules import name_key
from orchestration.cast import Casts
from orchestration.cleaning import clean_text
from orchestration.errors import UserError
from orchestration.memory.guard import MAX_CHARS, holds_secret, is_order
from orchestration.memory.records import GROUP, Forgotten, MadeBy, MemoryKind, Relationship
from orchestration.memory.relationship import stage
from orchestration.memory.switching import start_from_here
from orchestration.model import AuditEntry, Memory, Person
from orchestration.monospace import one_line
from orchestration.ports import Clock, NewId, Storage
from orchestration.texts import text
from orchestration.upkeep.parts import names_of

SHOWN = 40
CODE_CHARS = 6
IMPORTANCE_BY_HAND = 8
_EVERYTHING = frozenset({"everything", "all", "messages", "texts", "全部", "所有", "消息", "一切"})
_GROUP = frozenset({"group", "chat", "群", "群聊", "本群"})
_ME = frozenset({"", "me", "myself", "我", "自己"})


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoriesShown:
    memories: tuple[Memory, ...]
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryChanged:
    text: str
    gone: Forgotten | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryExported:
    file_name: str
    data: bytes
    text: str


class MemoryCases:
    """Every answer is for the asking person alone."""

    def __init__(self, storage: Storage, casts: Casts, language: Language, clock: Clock, new_id: NewId) -> None:
        self._storage = storage
        self._casts = casts
        self._language = language
        self._clock = clock
        self._new_id = new_id

    # -------------------------------------------------------------------------------------- seeing

    async def list(self, caller: Caller, whom: str = "") -> MemoriesShown:
        """What is remembered of the caller (and how the agents stand to them), or (admins) with ``group`` of it."""
        group = _is(whom, _GROUP)
        if group:
            ensure_manager(caller)
        elif not _is(whom, _ME):
            raise UserError("memory_usage")
        async with self._storage.read() as uow:
            choices = (await uow.people.choices(caller.chat.tenant_id, [caller.person.id]))[caller.person.id]
            found = await (of_group(uow, caller) if group else of_person(uow, caller))
            known = [] if group else await uow.people.relationships(caller.chat.tenant_id, caller.person.id)
        names = {card.id: card.name for card in await self._casts.of(caller.chat.tenant_id)}
        say = self._say
        lines = [say(caller, "memory_head_group" if group else "memory_head", count=len(found))]
        lines += [self._line(caller, memory, names) for memory in found[-SHOWN:]]
        if len(found) > SHOWN:
            lines.append(say(caller, "memory_more", count=len(found) - SHOWN))
        lines += [self._standing(caller, one, names) for one in known]
        if not group and choices.memory_off:
            lines.append(say(caller, "memory_is_off"))
        if not caller.chat.settings.memory:
            lines.append(say(caller, "memory_is_off_group"))
        lines.append(say(caller, "memory_hint"))
        return MemoriesShown(memories=tuple(found), text="\n".join(lines))

    def _line(self, caller: Caller, memory: Memory, names: dict[str, str]) -> str:
        locale = self._language.of(caller)
        who = names.get(memory.agent_id, memory.agent_id) or text(locale, "memory_group")
        kind = memory.kind if memory.kind not in set(MemoryKind) else text(locale, f"memory_kind_{memory.kind}")
        marks = ", ".join(f"#{seq}" for seq in memory.source_seqs[:3])
        said = one_line(memory.text, 160)
        return text(
            locale,
            "memory_line",
            key=memory.id[:CODE_CHARS],
            agent=one_line(who, 24),
            kind=kind,
            importance=memory.importance,
            said=said,
            sources=f" [{marks}]" if marks else "",
        )

    def _standing(self, caller: Caller, one: Relationship, names: dict[str, str]) -> str:
        locale = self._language.of(caller)
        how = text(locale, f"stage_{stage(one, self._clock())}")
        who = one_line(names.get(one.agent_id, one.agent_id), 24)
        return text(locale, "memory_standing", agent=who, stage=how, exchanges=one.exchanges)

    # -------------------------------------------------------------------------------------- forgetting

    async def forget(self, caller: Caller, what: str = "") -> MemoryChanged:
        """``me``, ``everything`` (texts too), ``group``, the code of one memory, or (admins) another person's name."""
        words = what.strip().lstrip("@")
        first, _, rest = words.partition(" ")
        texts = _is(rest, _EVERYTHING) and bool(rest)
        if _is(words, _ME) or _is(words, _EVERYTHING) or (_is(first, _ME) and texts):
            return await self._forget_person(caller, caller.person, texts=texts or _is(words, _EVERYTHING))
        if _is(words, _GROUP):
            return await self._forget_group(caller)
        one = await self._one(caller, words)
        if one is not None:
            return await self._forget_one(caller, one)
        ensure_manager(caller)
        person = await self._person(caller, first if texts else words)
        return await self._forget_person(caller, person, texts=texts)

    async def _forget_person(self, caller: Caller, person: Person, *, texts: bool) -> MemoryChanged:
        tenant_id = caller.chat.tenant_id
        async with self._storage.begin() as uow:
            gone = await uow.people.forget(tenant_id, person.id, messages=texts, at=self._clock())
            await forget_threads(uow, tenant_id, person.id)
            await uow.audit.add(self._entry(caller, "memory_forget", person.id, "texts" if texts else ""))
        code = "memory_forgotten_texts" if texts else "memory_forgotten"
        said = self._say(
            caller,
            code,
            memories=gone.memories,
            lines=gone.lines,
            relationships=gone.relationships,
            messages=gone.messages,
            answers=gone.answers,
        )
        return MemoryChanged(text=said, gone=gone)

    async def _forget_group(self, caller: Caller) -> MemoryChanged:
        ensure_manager(caller)
        async with self._storage.begin() as uow:
            gone = await uow.people.forget_chat(caller.chat.id)
            await start_from_here(uow, caller.chat.id)
            await uow.audit.add(self._entry(caller, "memory_forget", GROUP, ""))
        said = self._say(caller, "memory_forgotten_group", memories=gone.memories, lines=gone.lines)
        return MemoryChanged(text=said, gone=gone)

    async def _one(self, caller: Caller, code: str) -> Memory | None:
        """The memory of this code that the caller may remove."""
        wanted = code.lstrip("#").casefold()
        if len(wanted) < CODE_CHARS or not all(c in "0123456789abcdef" for c in wanted):
            return None
        async with self._storage.read() as uow:
            mine = await of_person(uow, caller)
            groups = await of_group(uow, caller) if caller.may_manage else []
        return next((memory for memory in [*mine, *groups] if memory.id.startswith(wanted)), None)

    async def _forget_one(self, caller: Caller, memory: Memory) -> MemoryChanged:
        """It, and the same as other agents keep it."""
        async with self._storage.begin() as uow:
            same = [m.id for m in await of_person(uow, caller) if m.text == memory.text]
            count = await uow.memories.remove({memory.id, *same})
            await uow.audit.add(self._entry(caller, "memory_forget", memory.id, ""))
        return MemoryChanged(text=self._say(caller, "memory_forgotten_one", count=count))

    async def reset(self, caller: Caller, name: str) -> MemoryChanged:
        """The caller and this agent are new to each other again."""
        if not name.strip():
            raise UserError("command_missing_name")
        card = await self._casts.require(caller.chat.tenant_id, name.strip().lstrip("@"))
        async with self._storage.begin() as uow:
            known = await uow.people.reset_relationship(caller.chat.tenant_id, card.id, caller.person.id)
        code = "memory_reset" if known else "memory_reset_nothing"
        return MemoryChanged(text=self._say(caller, code, agent=card.name))

    # -------------------------------------------------------------------------------------- switching

    async def switch(self, caller: Caller, *, on: bool, whom: str = "") -> MemoryChanged:
        """For oneself, or with ``group`` (admins) for the chat. What is said while it is off is never learnt later."""
        if _is(whom, _GROUP):
            return await self._switch_group(caller, on=on)
        if not _is(whom, _ME):
            raise UserError("memory_usage")
        async with self._storage.begin() as uow:
            mine = (await uow.people.choices(caller.chat.tenant_id, [caller.person.id]))[caller.person.id]
            since = self._clock() if on and mine.memory_off else mine.forgotten_at
            await uow.people.save_choices(caller.chat.tenant_id, replace(mine, memory_off=not on, forgotten_at=since))
        return MemoryChanged(text=self._say(caller, "memory_switched_on" if on else "memory_switched_off"))

    async def _switch_group(self, caller: Caller, *, on: bool) -> MemoryChanged:
        ensure_manager(caller)
        async with self._storage.begin() as uow:
            chat = await uow.chats.get(caller.chat.id)
            if chat is None:
                raise UserError("chat_unknown")
            if on and not chat.settings.memory:
                await start_from_here(uow, chat.id)
            await uow.chats.save_settings(chat.id, replace(chat.settings, memory=on))
            await uow.audit.add(self._entry(caller, "memory_on" if on else "memory_off", GROUP, ""))
        code = "memory_switched_on_group" if on else "memory_switched_off_group"
        return MemoryChanged(text=self._say(caller, code))

    # -------------------------------------------------------------------------------------- writing by hand

    async def add(self, caller: Caller, words: str) -> MemoryChanged:
        """``TEXT`` about oneself, or (admins) ``NAME; TEXT`` about somebody else: for every agent of the cast."""
        name, mark, rest = words.replace("；", ";").partition(";")
        about = caller.person
        if mark and name.strip():
            ensure_manager(caller)
            about = await self._person(caller, name)
        said = " ".join(clean_text(rest if mark else words).split())
        if not said:
            raise UserError("memory_usage")
        if len(said) > MAX_CHARS:
            raise UserError("memory_too_long", limit=MAX_CHARS)
        if is_order(said) or holds_secret(said):
            raise UserError("memory_not_kept")
        now = self._clock()
        cast = await self._casts.of(caller.chat.tenant_id)
        async with self._storage.begin() as uow:
            choices = (await uow.people.choices(caller.chat.tenant_id, [about.id]))[about.id]
            if choices.memory_off or not caller.chat.settings.memory:
                raise UserError("memory_off_for", name=about.name)
            for card in cast:
                await uow.memories.add(
                    Memory(
                        id=self._new_id(),
                        chat_id=caller.chat.id,
                        agent_id=card.id,
                        person_id=about.id,
                        subject_id=about.id,
                        kind=MemoryKind.FACT,
                        text=said,
                        importance=IMPORTANCE_BY_HAND,
                        confidence=1.0,
                        made_by=MadeBy.PERSON,
                        created_at=now,
                    )
                )
            if about.id != caller.person.id:
                await uow.audit.add(self._entry(caller, "memory_add", about.id, ""))
        return MemoryChanged(text=self._say(caller, "memory_added", name=one_line(about.name, 40)))

    # -------------------------------------------------------------------------------------- taking along

    async def export(self, caller: Caller, whom: str = "") -> MemoryExported:
        """Everything kept of the caller as JSON, or with ``group`` (admins) what is kept of the group."""
        group = _is(whom, _GROUP)
        if group:
            ensure_manager(caller)
        elif not _is(whom, _ME):
            raise UserError("memory_usage")
        async with self._storage.read() as uow:
            memories = await (of_group(uow, caller) if group else of_person(uow, caller))
            lines = await lines_of(uow, caller, everybody=group)
            known = [] if group else await uow.people.relationships(caller.chat.tenant_id, caller.person.id)
            choices = (await uow.people.choices(caller.chat.tenant_id, [caller.person.id]))[caller.person.id]
        kept: dict[str, object] = {
            "memories": [as_json(memory) for memory in memories],
            "summary": [{"chat": line.chat_id, "text": line.text, "messages": list(line.seqs)} for line in lines],
        }
        if not group:
            kept["person"] = caller.person.id
            kept["relationships"] = [
                {"agent": one.agent_id, "stage": stage(one, self._clock()), "exchanges": one.exchanges} for one in known
            ]
            kept["memory_off"] = choices.memory_off
        data = json.dumps(kept, ensure_ascii=False, indent=1).encode()
        name = f"memory-{'group' if group else 'me'}-{self._clock():%Y%m%d}.json"
        said = self._say(caller, "memory_exported", memories=len(memories), lines=len(lines))
        return MemoryExported(file_name=name, data=data, text=said)

    # -------------------------------------------------------------------------------------- pieces

    async def _person(self, caller: Caller, name: str) -> Person:
        """Somebody who spoke in this chat, by name or id. UserError when nobody or several are meant."""
        wanted = name_key(name.lstrip("@"))
        async with self._storage.read() as uow:
            names = {i: n for i, n in (await names_of(uow, caller.chat.id)).items() if not i.startswith("agent:")}
        found = [i for i, n in names.items() if wanted and wanted in (name_key(n), name_key(i))]
        if len(found) != 1:
            raise UserError("memory_person_unknown", name=one_line(name, 40))
        return Person(id=found[0], name=names[found[0]])

    def _entry(self, caller: Caller, action: str, target: str, detail: str) -> AuditEntry:
        return AuditEntry(
            tenant_id=caller.chat.tenant_id,
            chat_id=caller.chat.id,
            actor=caller.person,
            action=action,
            target=target,
            detail=detail,
            at=self._clock(),
        )

    def _say(self, caller: Caller, code: str, **values: object) -> str:
        return text(self._language.of(caller), code, **values)


def _is(words: str, known: frozenset[str]) -> bool:
    return words.strip().casefold() in known
