"""How a name is proven at a server: by the newest token, whichever program of the same person was given it.

A token is good until the next one is used. So it is read from the file right before each hello, the next one
is in the file before anything else is done with the welcome that brought it, and between the two no other
program of the same person says hello.
"""

import contextlib
import hashlib
from collections.abc import Mapping

import attrs

from parlour.client.settings import Settings, folder
from parlour.machine.file_lock import locked_async
from parlour.protocol import messages as m


@attrs.define
class Credentials:
    """The name of a player at one server, and the token that proves it."""

    settings: Settings
    url: str
    """The server's, or another word for a server."""
    key: str = attrs.field(init=False)
    """What its token is kept under: that URL, or another node's of its house."""

    def __attrs_post_init__(self) -> None:
        self.key = self.settings.house_of(self.url)

    @classmethod
    def of_bot(cls, name: str, url: str) -> "Credentials":
        """Those of a bot, for when it is started anew. It has a folder of its own: people keep their name."""
        home = folder() / "bots" / hashlib.sha256(name.encode()).hexdigest()[:16]
        settings = Settings.read(home)
        settings.name = name
        return cls(settings, url)

    @property
    def nodes(self) -> Mapping[str, str]:
        """The nodes of the house as they were at the last visit, by name: one of them may be there."""
        return self.settings.nodes.get(self.key, {})

    _used: str | None = attrs.field(default=None, init=False, repr=False)

    def lock(self) -> contextlib.AbstractAsyncContextManager[None]:
        """Keeps other programs from saying hello between reading a token and storing the next."""
        home = self.settings.home
        return locked_async(home / "hello.lock") if home is not None else contextlib.nullcontext()

    def token(self, known: str | None) -> str | None:
        """The token for a hello: the stored one, or else the one that the session knows."""
        self._used = self.settings.token(self.key) or known
        return self._used

    def keep(self, welcome: m.Welcome) -> None:
        """Stores the next token; if it cannot be written, this program still knows it."""
        self.settings.remember(self.key, welcome.you.name, welcome.token)
        if welcome.nodes:
            self.settings.nodes[self.key] = {node.name: node.url for node in welcome.nodes}
        self.settings.write()

    def outdated(self, reason: str) -> bool:
        """Whether the server refused an old token: it is forgotten, and a new session may say hello.

        That happens at a server that was set up again and knows nobody, and at one that another has only
        called a node of its house: the next token is for this server alone.
        """
        if reason != "bad_token" or self._used is None:
            return False
        self.settings.forget(self.key, self._used)
        self.key = self.settings.house_of(self.url)
        return True
