"""What `troupe check` says about Telegram: every token tried, privacy mode explained."""

from __future__ import annotations

from telegram.error import TelegramError

from adapters.telegram.addresses import PLATFORM
from adapters.telegram.bots import Bots
from adapters.telegram.failures import Action, failure_of
from adapters.telegram.wire import Client
from orchestration.findings import Finding, Level
from orchestration.texts import text

MOST_BOTS = 40


async def findings(bots: Bots, locale: str) -> list[Finding]:
    """One finding a bot, and one more where the host does not hear everything."""
    found = [await _host(bots, locale)]
    if found[0].level is Level.OK and not bots.reads_all:
        found.append(
            Finding(
                area=PLATFORM,
                level=Level.WARNING,
                text=text(locale, "telegram_finding_privacy", bot=bots.host_username),
                mend=text(locale, "telegram_finding_privacy_mend", bot=bots.host_username),
            )
        )
    own = [(agent, bots.client_or_none(token)) for agent, token in bots.starters()]
    own += [(r.name or r.username, bots.by_number(r.bot_id)) for r in bots.made()]
    for name, client in own[:MOST_BOTS]:
        found.append(await _agent(name, client, locale))
    return found


async def _host(bots: Bots, locale: str) -> Finding:
    try:
        await bots.meet_host()
    except TelegramError as error:
        if failure_of(error).action is Action.DEAD_TOKEN:
            return _problem(locale, "telegram_finding_host_dead", "telegram_finding_host_dead_mend")
        return _problem(locale, "telegram_finding_silent", "telegram_finding_silent_mend")
    return Finding(area=PLATFORM, level=Level.OK, text=text(locale, "telegram_finding_host", bot=bots.host_username))


async def _agent(name: str, client: Client | None, locale: str) -> Finding:
    if client is None:
        return _problem(locale, "telegram_finding_agent_dead", "telegram_finding_agent_dead_mend", name=name)
    try:
        me = await client.get_me()
    except TelegramError as error:
        if failure_of(error).action is Action.DEAD_TOKEN:
            return _problem(locale, "telegram_finding_agent_dead", "telegram_finding_agent_dead_mend", name=name)
        return _problem(locale, "telegram_finding_silent", "telegram_finding_silent_mend")
    words = text(locale, "telegram_finding_agent", name=name, bot=me.username or "")
    return Finding(area=PLATFORM, level=Level.OK, text=words)


def _problem(locale: str, code: str, mend: str, **values: str) -> Finding:
    return Finding(
        area=PLATFORM, level=Level.PROBLEM, text=text(locale, code, **values), mend=text(locale, mend, **values)
    )
