"""Every failure Troupe knows by name.

TroupeError
├── ConfigError            the configuration is wrong (one line: yaml path and what was expected)
├── StorageError           the database cannot do what was asked
│   ├── StaleWrite         somebody else wrote in between: read again, try again
│   └── StorageUnavailable locked, full, unreachable
├── IllegalMove            a state machine was asked for a move its table does not have
├── UserError              a person asked for something impossible; the text is shown to them
├── ModelError             a model call failed
│   ├── ModelUnavailable   connection, time-out, 5xx, 429: another try may help
│   │   └── ModelRateLimited
│   ├── ModelRefused       401, 403, 404, 400: trying again cannot help
│   └── ModelNonsense      an answer that is none (HTML, empty choices, truncated, unparsable)
│       └── ModelEmpty     an answer without a word in it
└── AdapterError           a platform failed
    ├── DeliveryRefused    the platform says no for good
    ├── DeliveryLater      not now: try again after ``retry_after_s``
    └── DeliveryUnknown    sent or not, nobody knows: never resend blindly
"""

from __future__ import annotations


class TroupeError(Exception):
    """Root of all failures named here. ``str(error)`` is one line, free of secrets and provider text."""


class ConfigError(TroupeError):
    """The configuration is wrong: ``path: what was expected``."""


class StorageError(TroupeError):
    """The database cannot do what was asked."""


class StaleWrite(StorageError):
    """A version-checked write met a newer version."""


class StorageUnavailable(StorageError):
    """The database is locked, full or out of reach; nothing was written."""


class IllegalMove(TroupeError):
    """A move that the table of a state machine does not have."""


class UserError(TroupeError):
    """A person asked for something that cannot be done. ``code`` names the text shown, ``values`` fill it."""

    def __init__(self, code: str, **values: object) -> None:
        self.code = code
        self.values = values
        super().__init__(f"{code} {values}" if values else code)


class ModelError(TroupeError):
    """A model call failed. ``code`` is short and safe to store; the provider's own words are never kept."""

    code = "model_error"

    def __init__(self, code: str | None = None) -> None:
        if code is not None:
            self.code = code
        super().__init__(self.code)


class ModelUnavailable(ModelError):
    """The server cannot be reached, is too slow or broken; another try may help."""

    code = "model_unavailable"


class ModelRateLimited(ModelUnavailable):
    """429, as a status or inside a 200. ``retry_after_s`` is what the server asked for, if it did."""

    code = "model_rate_limited"

    def __init__(self, retry_after_s: float | None = None) -> None:
        self.retry_after_s = retry_after_s
        super().__init__()


class ModelRefused(ModelError):
    """The server refuses this request for good (key, model name, malformed request)."""

    code = "model_refused"


class ModelNonsense(ModelError):
    """The server answered with something that is no answer."""

    code = "model_nonsense"


class ModelEmpty(ModelNonsense):
    """The model said nothing."""

    code = "model_empty"


class AdapterError(TroupeError):
    """A platform failed. The message is free of tokens and addresses."""


class DeliveryRefused(AdapterError):
    """The platform refuses this post for good."""


class DeliveryLater(AdapterError):
    """The platform asks to wait."""

    def __init__(self, message: str, retry_after_s: float) -> None:
        self.retry_after_s = retry_after_s
        super().__init__(message)


class DeliveryUnknown(AdapterError):
    """Whether the post exists cannot be found out."""
