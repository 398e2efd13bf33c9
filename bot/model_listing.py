"""Asks an OpenAI-compatible server which models it has."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import aiohttp

LIMIT_S = 3.0
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
_NO_CHAT = re.compile(r"embed|rerank|whisper|tts|bge|clip|moderation", re.IGNORECASE)


async def listed_models(base_url: str, api_key: str = "") -> tuple[str, ...]:
    """Names of the models that can chat, in the server's order; none when it does not tell within a few seconds."""
    headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}
    outside = urlsplit(base_url).hostname not in _LOOPBACK
    try:
        async with (
            aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=LIMIT_S), trust_env=outside) as session,
            session.get(f"{base_url.rstrip('/')}/models", headers=headers) as response,
        ):
            answer = await response.json(content_type=None) if response.status == 200 else None
    except (aiohttp.ClientError, TimeoutError, OSError, ValueError):
        return ()
    rows = answer.get("data") if isinstance(answer, dict) else None
    names = [row.get("id") for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []
    return tuple(name for name in names if isinstance(name, str) and name and not _NO_CHAT.search(name))
