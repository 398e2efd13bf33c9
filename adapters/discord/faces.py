"""How an agent looks in Discord: the webhook user name and the avatar address. Pure.

Discord refuses some names (documentation of "webhook" and "user" resources, and reports 10 to 13 in docs/discord.md).
The agent's name stays as it is; only invisible signs are put into it where a rule needs them.
"""

from __future__ import annotations

import unicodedata
from hashlib import sha256
from typing import Final
from urllib.parse import urlsplit

import regex

from adapters.splitting import utf16_units

NAME_UNITS: Final = 80
HAIR_SPACE: Final = "\u200a"
BLANK_LETTER: Final = "\u17b5"
"""A letter without a shape: makes a one-letter name long enough, and two equal names different."""
FALLBACK_NAME: Final = "Agent"

_FORBIDDEN_INSIDE = regex.compile(r"(?i)clyde|discord|```")
_FORBIDDEN_WHOLE = frozenset({"everyone", "here"})
_INVISIBLE = regex.compile(r"[\p{Cc}\p{Zl}\p{Zp}\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad]")
_LONE_JOINERS = regex.compile(r"[\u200c\u200d\ufe0f\u17b5\u3164\u115f\u1160]")
_CLUSTER = regex.compile(r"\X")
_DISCORD_FILES = ("cdn.discordapp.com", "media.discordapp.net")


def persona_name(name: str, *, unlike: str = "") -> str:
    """The user name for a webhook post: 2..80 UTF-16 units and acceptable to Discord.

    ``unlike``: what the speaker before is called. When that reads the same (another speaker of one name), an
    invisible sign is added so that clients do not run the two together.
    """
    kept = " ".join(_INVISIBLE.sub("", unicodedata.normalize("NFC", _no_surrogates(name))).split())
    if not visible(kept):
        kept = FALLBACK_NAME
    kept = _FORBIDDEN_INSIDE.sub(lambda found: found.group()[0] + HAIR_SPACE + found.group()[1:], kept)
    if kept.casefold() in _FORBIDDEN_WHOLE:
        kept = kept[0] + HAIR_SPACE + kept[1:]
    if utf16_units(kept) > NAME_UNITS:
        kept = shortened(kept, NAME_UNITS - 2) or FALLBACK_NAME
    if len(kept) == 1:
        kept += BLANK_LETTER
    if unlike and looks(kept) == looks(unlike):
        kept += HAIR_SPACE + BLANK_LETTER
    return kept


def safe_name(name: str, agent_id: str) -> str:
    """A name of plain letters for a name that Discord refused all the same."""
    plain = "".join(ch for ch in unicodedata.normalize("NFKD", name) if ch.isascii() and (ch.isalnum() or ch == " "))
    plain = _FORBIDDEN_INSIDE.sub("", plain).strip()
    usable = len(plain) > 1 and plain.casefold() not in _FORBIDDEN_WHOLE
    return plain[:40].strip() if usable else f"{FALLBACK_NAME} {sha256(agent_id.encode()).hexdigest()[:4]}"


def visible(name: str) -> bool:
    """Whether anything of the name can be seen."""
    return bool(_LONE_JOINERS.sub("", _INVISIBLE.sub("", name)).strip())


def looks(name: str) -> str:
    """What two names share when a reader cannot tell them apart."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    return "".join(_LONE_JOINERS.sub("", _INVISIBLE.sub("", folded)).split())


def _no_surrogates(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")


def shortened(text: str, units: int) -> str:
    """The longest run of whole clusters that fits; "" when not even the first one does."""
    kept, used = "", 0
    for found in _CLUSTER.finditer(text):
        cluster = found.group()
        used += utf16_units(cluster)
        if used > units:
            break
        kept += cluster
    return kept.rstrip()


def avatar_url(avatar: str, agent_id: str, *, version: int = 1) -> str:
    """The address sent with every post (a post without one would show the previous persona's picture).

    A card without a usable picture gets one of Discord's own, always the same for the same agent.
    """
    if avatar and avatar_problem(avatar) is None:
        parts = urlsplit(avatar)
        if parts.query or version <= 1:
            return avatar
        return f"{avatar}?v={version}"
    return f"https://cdn.discordapp.com/embed/avatars/{int(sha256(agent_id.encode()).hexdigest(), 16) % 6}.png"


def avatar_problem(avatar: str) -> str | None:
    """Why Discord would not show this picture, as a text code; None when it should."""
    try:
        parts = urlsplit(avatar)
        host = parts.hostname or ""
    except ValueError:
        return "discord_avatar_not_https"
    if parts.scheme != "https" or not host or any(ch.isspace() for ch in avatar) or len(avatar) > 2000:
        return "discord_avatar_not_https"
    path = parts.path.lower()
    if host in _DISCORD_FILES and path.startswith(("/attachments/", "/ephemeral-attachments/")):
        return "discord_avatar_attachment"
    if path.endswith((".gif", ".svg", ".mp4", ".webm")):
        return "discord_avatar_kind"
    return None
