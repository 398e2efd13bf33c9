"""What one agent reads before it speaks: prompt messages in layers, the lasting first, under a token budget.

Order follows the prompt cache of the servers: rules, card and cast hardly change, summary and memories change now and
then, history grows at its end only (its window moves in steps of STEP), what belongs to this turn alone comes last,
and the person's own words end the prompt. There is one system message and no two messages of one role in a row,
because many chat templates refuse anything else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from orchestration.card_rules import FIELD_LIMITS
from orchestration.decisions import IntentKind, ReplyMode
from orchestration.llm_tokens import tokens_of
from orchestration.memory.records import GROUP, MemoryKind, Stage
from orchestration.model import AgentCard, Attachment, GroupChat, Locale, Memory, Message, Person
from orchestration.ports import PromptMessage
from orchestration.prompts import prompt_text
from orchestration.prompts.frame import excerpt, framed, speech, spoken_name
from orchestration.prompts.naming import speaker_id, speaker_names

STEP = 20
"""The history window holds STEP to 2 * STEP - 1 messages and drops STEP at once."""
LONGEST = 3 * STEP
"""So far the window stretches while what left it is not in the summary yet."""
MEMORIES = 6
MEMORY_TOKENS = 60
SUMMARY_TOKENS = 600
HISTORY_LINE_TOKENS = 300
QUOTED_TOKENS = 200
DRAFT_TOKENS = 300
MEMBER_TOKENS = 16
LEAST_TOKENS = 2500
"""What chat and words may have however long the card is (cards are bounded where they are made, never cut here)."""

_CARD_FIELDS = ("description", "personality", "tone", "instructions", "backstory", "boundaries")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplyContext:
    """All that may reach the prompt of one reply.

    ``history`` is oldest first; what is not older than the turn's first line is left out. ``lines`` are the person's
    messages of this turn, ``drafts`` (agent id, text) what other agents have said in it already, ``quoted`` the text
    of the message replied to, ``reason`` a reason code. ``budget_tokens`` bounds the whole prompt, by estimate.
    """

    locale: Locale
    chat: GroupChat
    agent: AgentCard
    cast: tuple[AgentCard, ...]
    person: Person
    history: tuple[Message, ...] = ()
    summary: str = ""
    compacted_seq: int | None = None
    """Up to which message the summary goes (0: there is none yet); None: nobody keeps one."""
    stage: Stage = Stage.NEW
    memories: tuple[Memory, ...] = ()
    intent: IntentKind = IntentKind.UNKNOWN
    reason: str = ""
    mode: ReplyMode = ReplyMode.SINGLE
    lines: tuple[Message, ...] = ()
    drafts: tuple[tuple[str, str], ...] = ()
    quoted: str = ""
    budget_tokens: int = 6000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Layers:
    rules: str
    card: str
    members: str
    summary: str
    memories: str
    history: tuple[PromptMessage, ...]
    turn: str
    words: str


def reply_prompt(ctx: ReplyContext) -> tuple[PromptMessage, ...]:
    """The messages for one reply: system, then user and assistant in turns; the last one ends in the user's words."""
    return _messages(_layers(ctx))


def measured_prompt(ctx: ReplyContext) -> tuple[tuple[PromptMessage, ...], dict[str, int]]:
    """The messages for one reply, and estimated tokens of the three layers in it, and of our rules before them.

    ``public``: what everybody in the chat may know (members, summary, history); ``private``: what is this agent's alone
    (card, memories); ``scratch``: what belongs to this turn and is gone after it.
    """
    found = _layers(ctx)
    return _messages(found), _three(_sizes(found))


def _messages(layers: _Layers) -> tuple[PromptMessage, ...]:
    system = "\n".join(
        part for part in (layers.rules, layers.card, layers.members, layers.summary, layers.memories) if part
    )
    now = PromptMessage(role="user", text=f"{layers.turn}\n{layers.words}")
    return (PromptMessage(role="system", text=system), *_alternating((*layers.history, now)))


def sizes(ctx: ReplyContext) -> dict[str, int]:
    """Estimated tokens per layer, in the order of the prompt, for `/trace`."""
    return _sizes(_layers(ctx))


def _sizes(layers: _Layers) -> dict[str, int]:
    return {
        "rules": tokens_of(layers.rules),
        "card": tokens_of(layers.card),
        "members": tokens_of(layers.members),
        "summary": tokens_of(layers.summary),
        "memories": tokens_of(layers.memories),
        "history": sum(tokens_of(message.text) for message in layers.history),
        "turn": tokens_of(layers.turn),
        "words": tokens_of(layers.words),
    }


def window_start(last_seq: int, compacted_seq: int | None = None) -> int:
    """The first ``seq`` of the history window when ``last_seq`` is the newest message before the turn.

    Where a summary is kept the window begins right after it, so that no message is in neither. Moves by STEP at a time,
    so that the prompt's beginning stays the same for STEP messages. A summary that is far behind is not waited for,
    and one that begins anew (memory was switched on, the group forgotten) takes no message out of sight.
    """
    if compacted_seq is not None and last_seq - compacted_seq < LONGEST:
        return max(1, min(compacted_seq, last_seq - STEP) + 1)
    return max(0, (last_seq - STEP) // STEP) * STEP + 1


def _three(found: dict[str, int]) -> dict[str, int]:
    return {
        "rules": found["rules"],
        "public": found["members"] + found["summary"] + found["history"],
        "private": found["card"] + found["memories"],
        "scratch": found["turn"] + found["words"],
    }


def rules_text(locale: Locale, agent: AgentCard, chat: GroupChat) -> str:
    """The standing rules every reply is written under (also what a reply must not repeat)."""
    title = spoken_name(chat.title, locale) if chat.title.strip() else prompt_text(locale, "untitled")
    return prompt_text(locale, "rules", name=spoken_name(agent.name, locale), title=title)


def card_text(locale: Locale, agent: AgentCard) -> str:
    """The card word for word between tags that it cannot close."""
    rows = [prompt_text(locale, "card_name") + agent.name]
    for field in _CARD_FIELDS:
        value: str = getattr(agent, field)
        if value.strip():
            rows.append(prompt_text(locale, f"card_{field}") + excerpt(value, FIELD_LIMITS[field], locale))
    return framed("card", "\n".join(rows))


# ---------------------------------------------------------------------------------------------- layers


def _layers(ctx: ReplyContext) -> _Layers:
    rules = rules_text(ctx.locale, ctx.agent, ctx.chat)
    card = card_text(ctx.locale, ctx.agent)
    members = _members(ctx)
    summary, memories = _summary(ctx), _memories(ctx)
    told = _window(ctx)
    names = _speakers(ctx, told)
    turn = _turn(ctx, names[ctx.person.id])
    fixed = sum(tokens_of(text) for text in (rules, card, members, summary, memories, turn))
    room = max(ctx.budget_tokens - fixed, LEAST_TOKENS)
    words = excerpt(_words(ctx), room * 2 // 3, ctx.locale)
    return _Layers(
        rules=rules,
        card=card,
        members=members,
        summary=summary,
        memories=memories,
        history=_history(ctx, told, names, room - tokens_of(words)),
        turn=turn,
        words=words,
    )


def _members(ctx: ReplyContext) -> str:
    others = sorted(
        (card for card in ctx.cast if card.id != ctx.agent.id and not card.paused), key=lambda card: card.id
    )
    if not others:
        return ""
    return prompt_text(ctx.locale, "members") + "; ".join(_member(card, ctx.locale) for card in others)


def _member(card: AgentCard, locale: Locale) -> str:
    name = spoken_name(card.name, locale)
    about = " ".join((card.description or card.personality).split())
    return f"{name} ({_short(about)})" if about else name


def _short(about: str) -> str:
    """The first words of a description, up to MEMBER_TOKENS; a place in a list needs no more."""
    first = about
    for mark in (". ", "。", "；", "; ", "\uff0c", ", "):
        first = first.split(mark, 1)[0]
    limit = MEMBER_TOKENS if not first.isascii() else MEMBER_TOKENS * 3
    return first if len(first) <= limit else first[:limit].rstrip() + "…"


def _summary(ctx: ReplyContext) -> str:
    if not ctx.summary.strip():
        return ""
    body = excerpt(ctx.summary.strip(), SUMMARY_TOKENS, ctx.locale)
    parts = [prompt_text(ctx.locale, "summary"), framed("summary", body)]
    if ctx.compacted_seq:
        parts.append(prompt_text(ctx.locale, "lookup_hint"))
    return "\n".join(parts)


def _memories(ctx: ReplyContext) -> str:
    """How they stand to each other, and what the agent remembers: each with kind and importance."""
    person = spoken_name(ctx.person.name, ctx.locale)
    parts = []
    if ctx.stage is not Stage.NEW:
        parts.append(prompt_text(ctx.locale, f"stage_{ctx.stage.value}", person=person))
    kept = ctx.memories[:MEMORIES]
    if kept:
        rows = "\n".join(_memory(memory, ctx) for memory in kept)
        parts += [prompt_text(ctx.locale, "memories", person=person), framed("memory", rows)]
    return "\n".join(parts)


def _memory(memory: Memory, ctx: ReplyContext) -> str:
    kind = memory.kind
    if kind in set(MemoryKind):
        kind = prompt_text(ctx.locale, f"memory_kind_{kind}")
    about = ""
    if memory.subject_id == GROUP:
        about = prompt_text(ctx.locale, "memory_group") + ", "
    elif memory.subject_id == f"agent:{ctx.agent.id}":
        about = prompt_text(ctx.locale, "memory_self") + ", "
    text = " ".join(excerpt(memory.text, MEMORY_TOKENS, ctx.locale).split())
    return f"- ({about}{kind} {memory.importance}) {text}"


def _turn(ctx: ReplyContext, person: str) -> str:
    """What belongs to this turn alone, up to the line after which only the person's words follow."""
    locale = ctx.locale
    intent = prompt_text(locale, f"intent_{ctx.intent.value}", person=person)
    parts = [prompt_text(locale, "turn", person=person, intent=intent).strip()]
    if ctx.reason:
        parts[0] += " " + prompt_text(locale, "why", reason=ctx.reason)
    if ctx.mode is ReplyMode.PARALLEL:
        parts.append(prompt_text(locale, "together"))
    if ctx.drafts:
        names = {card.id: spoken_name(card.name, locale) for card in ctx.cast}
        said = (
            speech(names.get(agent_id, agent_id), excerpt(text, DRAFT_TOKENS, locale)) for agent_id, text in ctx.drafts
        )
        parts += [prompt_text(locale, "said"), *said]
    if ctx.quoted.strip():
        quoted = framed("quote", excerpt(ctx.quoted, QUOTED_TOKENS, locale))
        parts += [prompt_text(locale, "quoted", person=person), quoted]
    parts.append(prompt_text(locale, "words", person=person))
    return "\n".join(parts)


def _words(ctx: ReplyContext) -> str:
    rows = []
    for line in ctx.lines:
        rows += _notes(line.attachments, ctx.locale)
        rows.append(line.text)
    return "\n".join(row for row in rows if row)


def _notes(attachments: Iterable[Attachment], locale: Locale) -> list[str]:
    return [
        prompt_text(
            locale,
            "attached",
            kind=spoken_name(item.kind, locale),
            note=" ".join(excerpt(item.note or item.name, MEMORY_TOKENS, locale).split()),
        )
        for item in attachments
    ]


# ---------------------------------------------------------------------------------------------- history


def _history(ctx: ReplyContext, told: list[Message], names: dict[str, str], tokens: int) -> tuple[PromptMessage, ...]:
    """The window as user and assistant messages. Oldest messages go first when it is too long, five at a time."""
    rendered = [(message.seq, _told(message, names, ctx)) for message in told]
    total = sum(tokens_of(message.text) + 1 for _, message in rendered)
    first = rendered[0][0] if rendered else 0
    while rendered and total > tokens:
        first = first // 5 * 5 + 6
        while rendered and rendered[0][0] < first:
            total -= tokens_of(rendered.pop(0)[1].text) + 1
    if not rendered:
        return ()
    head = PromptMessage(role="user", text=prompt_text(ctx.locale, "history"))
    return (head, *(message for _, message in rendered))


def _window(ctx: ReplyContext) -> list[Message]:
    before = ctx.lines[0].seq if ctx.lines else max((message.seq for message in ctx.history), default=0) + 1
    start = window_start(before - 1, ctx.compacted_seq)
    return [
        message
        for message in ctx.history
        if start <= message.seq < before
        and message.deleted_at is None
        and (message.text.strip() or message.attachments)
    ]


def _told(message: Message, names: dict[str, str], ctx: ReplyContext) -> PromptMessage:
    body = " ".join([*_notes(message.attachments, ctx.locale), excerpt(message.text, HISTORY_LINE_TOKENS, ctx.locale)])
    if message.agent_id == ctx.agent.id:
        return PromptMessage(role="assistant", text=body.strip())
    return PromptMessage(role="user", text=speech(names[speaker_id(message)], body.strip()))


def _speakers(ctx: ReplyContext, told: list[Message]) -> dict[str, str]:
    people = (*(message.author for message in (*told, *ctx.lines) if message.agent_id is None), ctx.person)
    return speaker_names(ctx.locale, ctx.cast, ctx.history, people)


def _alternating(messages: Sequence[PromptMessage]) -> list[PromptMessage]:
    """Neighbours of one role become one message."""
    joined: list[PromptMessage] = []
    for message in messages:
        if joined and joined[-1].role == message.role:
            joined[-1] = PromptMessage(role=message.role, text=f"{joined[-1].text}\n{message.text}")
        else:
            joined.append(message)
    return joined
