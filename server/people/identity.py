"""Who is who on this server: names, and the tokens that prove them."""

import hashlib
import secrets
from collections.abc import Callable

import attrs

from parlour.protocol.errors import ProtocolError
from parlour.protocol.names import clean_name, name_key

TOKEN_BYTES = 32


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


@attrs.define(repr=False)
class Identity:
    """One name. `proven` is the hash of the token last used, `offered` that of the one given in return.

    A token rotates on use, and the old one stays good until the new one is first used: a welcome that got
    lost on the way locks nobody out.
    """

    name: str
    bot: bool
    proven: bytes | None
    offered: bytes


def new_token() -> str:
    return secrets.token_urlsafe(TOKEN_BYTES)


@attrs.define(repr=False)
class Register:
    """Every identity, by name and by token."""

    make_token: Callable[[], str] = new_token
    _by_key: dict[str, Identity] = attrs.field(factory=dict)
    _by_hash: dict[bytes, Identity] = attrs.field(factory=dict)

    def taken(self, name: str) -> bool:
        return name_key(name) in self._by_key

    def owner(self, name: str) -> Identity | None:
        return self._by_key.get(name_key(name))

    def add(self, name: str, bot: bool) -> tuple[Identity, str]:
        """Registers a new name and makes its token; raises `bad_name` or `name_taken`."""
        name = clean_name(name)
        key = name_key(name)
        if key in self._by_key:
            raise ProtocolError("name_taken", name=name)
        token = self.make_token()
        identity = Identity(name, bot, None, _hash(token))
        self._by_key[key] = identity
        self._by_hash[identity.offered] = identity
        return identity, token

    def authenticate(self, token: str) -> tuple[Identity, str]:
        """Finds the owner of a token and makes the next token; raises `bad_token`."""
        used = _hash(token)
        identity = self._by_hash.get(used)
        if identity is None:
            raise ProtocolError("bad_token")
        for old in (identity.proven, identity.offered):
            if old is not None and old != used:
                del self._by_hash[old]
        following = self.make_token()
        identity.proven, identity.offered = used, _hash(following)
        self._by_hash[identity.offered] = identity
        return identity, following

    def restore(self, identity: Identity) -> None:
        """Adds an identity from before a restart."""
        self._by_key[name_key(identity.name)] = identity
        for old in (identity.proven, identity.offered):
            if old is not None:
                self._by_hash[old] = identity

    def reissue(self, identity: Identity) -> str:
        """Makes a new token and ends all others: for bots that the server starts anew."""
        for old in (identity.proven, identity.offered):
            if old is not None:
                self._by_hash.pop(old, None)
        token = self.make_token()
        identity.proven, identity.offered = None, _hash(token)
        self._by_hash[identity.offered] = identity
        return token

    def forget(self, identity: Identity) -> None:
        """Frees a name: of a player who never sat down, or of a bot whose table is gone."""
        self._by_key.pop(name_key(identity.name), None)
        for old in (identity.proven, identity.offered):
            if old is not None:
                self._by_hash.pop(old, None)

    def __len__(self) -> int:
        return len(self._by_key)
