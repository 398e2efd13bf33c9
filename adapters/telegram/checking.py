"""What `troupe check` says about Telegram: every token tried, privacy mode explained."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from telegram.error import TelegramError

from adapters.telegram.addresses import PLATFORM
from adapters.telegram.bots import Bots
from adapters.telegram.failures import Action, failure_of
from adapters.telegram.wire import Client
from orchestration.findings import Finding, Level
from orchestration.texts import text

MOST_BOTS = 40
HOST = ""
"""The host's key among the token sources; the others are agent ids."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenSource:
    """Where a token of the configuration comes from: the agent's name, and the variable that holds it."""

    name: str = ""
    variable: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Own:
    """An agent's own bot; ``source`` says where its token came from."""

    name: str
    source: str
    client: Client | None
    taken: bool = False
    """The same bot is the host or another agent already."""


async def findings(bots: Bots, sources: Mapping[str, TokenSource], locale: str) -> list[Finding]:
    """One finding a bot, and one more where the host does not hear everything."""
    found = [await _host(bots, sources.get(HOST, TokenSource(variable="telegram.token_env")).variable, locale)]
    if found[0].level is Level.OK and not bots.reads_all:
        found.append(
            Finding(
                area=PLATFORM,
                level=Level.WARNING,
                text=text(locale, "telegram_finding_privacy", bot=bots.host_username),
                mend=text(locale, "telegram_finding_privacy_mend", bot=bots.host_username),
            )
        )
    for own in [*_starters(bots, sources), *_made(bots)][:MOST_BOTS]:
        found.append(await _agent(own, locale))
    return found


def _starters(bots: Bots, sources: Mapping[str, TokenSource]) -> list[_Own]:
    out = []
    seen = {bots.host.number}
    for agent, token in bots.starters():
        source = sources.get(agent, TokenSource(name=agent, variable="cast[].telegram.token_env"))
        client = bots.client_or_none(token)
        taken = client is not None and client.number in seen
        out.append(_Own(name=source.name, source=source.variable, client=client, taken=taken))
        seen |= {client.number} if client is not None else set()
    return out


def _made(bots: Bots) -> list[_Own]:
    return [_Own(name=r.agent_name, source=f"@{r.username}", client=bots.by_number(r.bot_id)) for r in bots.made()]


async def _host(bots: Bots, variable: str, locale: str) -> Finding:
    try:
        await bots.meet_host()
    except TelegramError as error:
        if failure_of(error).action is Action.DEAD_TOKEN:
            return _problem(locale, "telegram_finding_host_dead", "telegram_finding_host_dead_mend", variable=variable)
        return _problem(locale, "telegram_finding_silent", "telegram_finding_silent_mend")
    return Finding(area=PLATFORM, level=Level.OK, text=text(locale, "telegram_finding_host", bot=bots.host_username))


async def _agent(own: _Own, locale: str) -> Finding:
    dead = ("telegram_finding_agent_dead", "telegram_finding_agent_dead_mend")
    if own.client is None:
        return _problem(locale, *dead, name=own.name, source=own.source)
    if own.taken:
        shared = ("telegram_finding_agent_shared", "telegram_finding_agent_shared_mend")
        return _problem(locale, *shared, name=own.name, source=own.source)
    try:
        me = await own.client.get_me()
    except TelegramError as error:
        if failure_of(error).action is Action.DEAD_TOKEN:
            return _problem(locale, *dead, name=own.name, source=own.source)
        return _problem(locale, "telegram_finding_silent", "telegram_finding_silent_mend")
    words = text(locale, "telegram_finding_agent", name=own.name, bot=me.username or "")
    return Finding(area=PLATFORM, level=Level.OK, text=words)


def _problem(locale: str, code: str, mend: str, **values: str) -> Finding:
    return Finding(
        area=PLATFORM, level=Level.PROBLEM, text=text(locale, code, **values), mend=text(locale, mend, **values)
    )
