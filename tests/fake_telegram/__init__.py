"""A Bot API server on loopback: groups, topics, several bots, members, updates, floods and faults.

Its rules follow the public server's source and documentation, not the client library; it is driven by the library's
`Bot`, by our poller and by raw HTTP alike. Run it alone with ``python -m tests.fake_telegram``.
"""

from tests.fake_telegram.faults import Fault
from tests.fake_telegram.server import FakeTelegram
from tests.fake_telegram.world import ApiError, Call, World

__all__ = ["ApiError", "Call", "FakeTelegram", "Fault", "World"]
