"""`troupe check` for Discord: is the token good, is the privileged intent on, and the link that invites the bot."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import discord

from adapters.discord.addresses import PLATFORM
from adapters.discord.http import RedirectedHTTP
from adapters.discord.rights import invite_link
from adapters.discord.transport import Interrupted, PatientTransport
from orchestration.findings import Finding, Level
from orchestration.model import Locale
from orchestration.texts import text

MESSAGE_CONTENT_FLAGS = (1 << 18) | (1 << 19)


async def look(
    *, token: str, transport: PatientTransport, api_base_url: str | None, locale: Locale
) -> Sequence[Finding]:
    """Two requests; nothing is connected or changed."""
    http = RedirectedHTTP(asyncio.get_running_loop(), transport=transport, api_base_url=api_base_url, gateway_url=None)
    try:
        me: Any = await http.static_login(token)
        application: Any = await http.application_info()
    except discord.LoginFailure:
        return [
            Finding(
                area=PLATFORM,
                level=Level.PROBLEM,
                text=text(locale, "discord_check_token_refused"),
                mend=text(locale, "discord_check_token_mend"),
            )
        ]
    except (discord.HTTPException, Interrupted) as error:
        reason = str(error) if isinstance(error, Interrupted) else f"HTTP {error.status}"
        return [Finding(area=PLATFORM, level=Level.PROBLEM, text=text(locale, "discord_check_silent", reason=reason))]
    finally:
        await http.close()
    link = invite_link(str(application["id"]))
    found = [
        Finding(
            area=PLATFORM, level=Level.OK, text=text(locale, "discord_check_invite", name=me["username"], link=link)
        )
    ]
    if not int(application.get("flags") or 0) & MESSAGE_CONTENT_FLAGS:
        found.append(Finding(area=PLATFORM, level=Level.WARNING, text=text(locale, "discord_intent_check")))
    return found
