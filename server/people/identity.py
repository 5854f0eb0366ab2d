"""Who is who on this server: names, and the tokens that prove them."""

import hashlib
import secrets
from collections.abc import Callable

import attrs

from parlour.protocol.errors import ProtocolError
from parlour.protocol.lookalikes import looks

TOKEN_BYTES = 32
ALSO = 7
"""Tokens beside the last one that stay good when one hello is said again and again."""


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


@attrs.define(repr=False)
class Identity:
    """One name. `proven` is the hash of the token last used, `offered` that of the one given in return.

    A token rotates on use, and the old one stays good until the new one is first used: a welcome that got
    lost on the way locks nobody out. Nor does a hello of a lost connection that comes late: what was given
    for the same token before, perhaps on a newer connection, stays good as well.
    """

    name: str
    bot: bool
    proven: bytes | None
    offered: bytes
    played: bool = False
    """Has finished a game or entered a tournament."""
    seen: int = 0
    """When the last connection came, in milliseconds since 1970."""
    also: tuple[bytes, ...] = ()
    """The hashes of tokens that were given for `proven` before `offered`, oldest first."""
    version: int = 0
    """What the house has of it, if there are several nodes: 0 nothing yet, 1 what this one has stored."""
    hello: int = 0
    """In a house: the number of the last hello by token. A ticket with a smaller one was made on a line that
    this hello has replaced, and is void."""

    @property
    def hashes(self) -> tuple[bytes, ...]:
        """Of all tokens that are good."""
        return (*((self.proven,) if self.proven is not None else ()), *self.also, self.offered)


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


@attrs.define(repr=False)
class Register:
    """Every identity, by the looks of its name and by its tokens.

    A new name looks like no other. Names from before a restart all stay, even if they look alike.
    """

    make_token: Callable[[], str] = new_token
    _by_look: dict[str, list[Identity]] = attrs.field(factory=dict)
    _by_hash: dict[bytes, Identity] = attrs.field(factory=dict)

    def taken(self, name: str) -> bool:
        return bool(self.alike(name))

    def check_free(self, name: str) -> None:
        """Raises `name_taken` if somebody owns the name, or one that looks like it."""
        for owner in self.alike(name):
            raise ProtocolError("name_taken", name=name, like=owner.name)

    def alike(self, name: str) -> list[Identity]:
        """Those whose names look like this one."""
        return [identity for look in looks(name) for identity in self._by_look.get(look, ())]

    def add(self, name: str, bot: bool) -> tuple[Identity, str]:
        """Registers a name that is clean and free, and makes its token."""
        token = self.make_token()
        identity = Identity(name, bot, None, _hash(token))
        self.restore(identity)
        return identity, token

    def authenticate(self, token: str) -> tuple[Identity, str]:
        """Finds the owner of a token and makes the next token; raises `bad_token`."""
        used = _hash(token)
        identity = self._by_hash.get(used)
        if identity is None:
            raise ProtocolError("bad_token")
        before = identity.hashes
        again = used == identity.proven
        identity.also = (*identity.also, identity.offered)[-ALSO:] if again else ()
        following = self.make_token()
        identity.proven, identity.offered = used, _hash(following)
        for old in set(before).difference(identity.hashes):
            del self._by_hash[old]
        self._by_hash[identity.offered] = identity
        return identity, following

    def owner(self, token: str) -> str | None:
        """The name that a token belongs to, as far as this node knows."""
        identity = self._by_hash.get(_hash(token))
        return None if identity is None else identity.name

    def restore(self, identity: Identity) -> None:
        """Adds an identity from before a restart."""
        for look in looks(identity.name):
            self._by_look.setdefault(look, []).append(identity)
        for known in identity.hashes:
            self._by_hash[known] = identity

    def reissue(self, identity: Identity) -> str:
        """Makes a new token and ends all others: for bots that the server starts anew."""
        for old in identity.hashes:
            self._by_hash.pop(old, None)
        token = self.make_token()
        identity.proven, identity.offered, identity.also = None, _hash(token), ()
        self._by_hash[identity.offered] = identity
        return token

    def forget(self, identity: Identity) -> None:
        """Frees a name: of a player who never sat down, or of a bot whose table is gone."""
        for look in looks(identity.name):
            left = [other for other in self._by_look.pop(look, ()) if other is not identity]
            if left:
                self._by_look[look] = left
        for old in identity.hashes:
            self._by_hash.pop(old, None)
