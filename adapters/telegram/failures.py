"""What a Bot API failure means for us: one table from the server's words to an action. Pure.

The library capitalises some descriptions ("Topic_closed"), so all texts are compared without case.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from telegram.error import BadRequest, ChatMigrated, Conflict, Forbidden, InvalidToken, NetworkError, TelegramError


class Action(StrEnum):
    WAIT = "wait"  # 429: nothing of this bot to this chat until the deadline
    DONE = "done"  # the wished state is there already
    SPLIT = "split"  # the text is too long
    PLAIN = "plain"  # the entities are refused: once more without
    NO_REPLY = "no_reply"  # what we reply to (or quote) is gone: once more without
    NO_THREAD = "no_thread"  # the topic is gone: once more without
    MIGRATE = "migrate"  # the group is a supergroup now
    GONE = "gone"  # the bot is out of the chat, or the chat is no more
    DEAD_TOKEN = "dead_token"  # noqa: S105
    CONFLICT = "conflict"  # somebody else polls with our token
    ANEW = "anew"  # the message to be edited is gone: send a new one
    RETRY = "retry"  # nothing was applied: the same call again is safe
    UNKNOWN = "unknown"  # applied or not, nobody knows
    REFUSED = "refused"  # no, for good


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """``retry_after_s`` belongs to WAIT, ``new_chat_id`` to MIGRATE; ``words`` are the server's, for our log."""

    action: Action
    words: str = ""
    retry_after_s: float = 0.0
    new_chat_id: int = 0


class NotSent(NetworkError):
    """The request never left: no connection, no free slot."""


class Ambiguous(NetworkError):
    """The request left and no whole answer came back: a time-out, a cut line, a gateway's page, half a body."""


class ServerTrouble(NetworkError):
    """A 5xx in the server's own JSON: it did not do what we asked."""


class Flood(NetworkError):
    """429. ``retry_after_s`` as the server told, never less than 1."""

    def __init__(self, retry_after_s: float) -> None:
        self.retry_after_s = max(1.0, retry_after_s)
        super().__init__(f"flood control: wait {self.retry_after_s:g} s")


# The server's words -> what to do. The first line that fits counts.
_TEXTS: tuple[tuple[str, Action], ...] = (
    ("message is not modified", Action.DONE),
    ("message is too long", Action.SPLIT),
    ("message_too_long", Action.SPLIT),
    ("can't parse entities", Action.PLAIN),
    ("entity_bounds_invalid", Action.PLAIN),
    ("url_invalid", Action.PLAIN),
    ("message to be replied not found", Action.NO_REPLY),
    ("message to reply not found", Action.NO_REPLY),
    ("replied message not found", Action.NO_REPLY),
    ("quote_text_invalid", Action.NO_REPLY),
    ("quote not found", Action.NO_REPLY),
    ("message thread not found", Action.NO_THREAD),
    ("topic_deleted", Action.NO_THREAD),
    ("topic_id_invalid", Action.NO_THREAD),
    ("topic_closed", Action.REFUSED),
    ("message to edit not found", Action.ANEW),
    ("message can't be edited", Action.ANEW),
    ("message_id_invalid", Action.ANEW),
    ("message to delete not found", Action.DONE),
    ("message can't be deleted", Action.REFUSED),
    ("upgraded to a supergroup", Action.MIGRATE),
    ("bot was kicked", Action.GONE),
    ("bot is not a member", Action.GONE),
    ("the group chat was deleted", Action.GONE),
    ("chat not found", Action.GONE),
    ("bot was blocked by the user", Action.GONE),
    ("user is deactivated", Action.GONE),
    ("need administrator rights", Action.REFUSED),
    ("not enough rights", Action.REFUSED),
    ("have no rights to send", Action.REFUSED),
    ("chat_write_forbidden", Action.REFUSED),
    ("chat_restricted", Action.REFUSED),
)


def failure_of(error: TelegramError) -> Failure:
    """The action for an error of any Bot API call."""
    words = str(error)
    if isinstance(error, Flood):
        return Failure(action=Action.WAIT, words=words, retry_after_s=error.retry_after_s)
    if isinstance(error, ChatMigrated):
        return Failure(action=Action.MIGRATE, words=words, new_chat_id=error.new_chat_id)
    if isinstance(error, (NotSent, ServerTrouble)):
        return Failure(action=Action.RETRY, words=words)
    if isinstance(error, Conflict):
        return Failure(action=Action.CONFLICT, words=words)
    if isinstance(error, InvalidToken):
        return Failure(action=Action.DEAD_TOKEN, words=words)
    if isinstance(error, (BadRequest, Forbidden)):
        low = words.casefold()
        for text, action in _TEXTS:
            if text in low:
                return Failure(action=action, words=words)
        return Failure(action=Action.GONE if isinstance(error, Forbidden) else Action.REFUSED, words=words)
    return Failure(action=Action.UNKNOWN, words=words)
