"""How a name is proven at a server: by the newest token, whichever program of the same person was given it.

A token is good until the next one is used. So it is read from the file right before each hello, the next one
is in the file before anything else is done with the welcome that brought it, and between the two no other
program of the same person says hello.
"""

import contextlib

import attrs

from parlour.client.settings import Settings
from parlour.machine.file_lock import in_turn
from parlour.protocol import messages as m


@attrs.define
class Proof:
    """One's name at one server."""

    settings: Settings
    key: str
    """The server's URL, or what its token is kept under."""

    _used: str | None = attrs.field(default=None, init=False, repr=False)

    def turn(self) -> contextlib.AbstractAsyncContextManager[None]:
        """From the token that is read to the one that is kept."""
        home = self.settings.home
        return in_turn(home / "hello.lock") if home is not None else contextlib.nullcontext()

    def token(self, known: str | None) -> str | None:
        """The one for a hello; where none is kept, the one that the session knows."""
        self._used = self.settings.token(self.key) or known
        return self._used

    def keep(self, welcome: m.Welcome) -> None:
        """What cannot be written is known to this program all the same."""
        self.settings.remember(self.key, welcome.you.name, welcome.token)
        self.settings.write()

    def outdated(self, reason: str) -> bool:
        """Whether one was turned away for an old token: it is forgotten, and a new session may say hello.

        So it is at a server that was set up anew, which knows nobody.
        """
        if reason != "bad_token" or self._used is None:
            return False
        self.settings.forget(self.key, self._used)
        return True
