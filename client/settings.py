"""What a player's machine remembers: a name, preferences, the last servers, and tokens for the name."""

import contextlib
import getpass
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import attrs
import platformdirs

from parlour.client.levels import LEVELS, USUAL
from parlour.machine.file_lock import locked

NAME = "parlour"
RECENT = 5
"""Servers that are remembered."""
PRIVATE = 0o600
LIKES = ("name", "lang", "bell", "title", "quiet", "linger", "level", "recent", "nodes")
"""What is no secret."""


def folder() -> Path:
    """Where this platform keeps settings."""
    return Path(platformdirs.user_config_dir(NAME, appauthor=False))


def archive() -> Path:
    """Where the games of a server that plays here are kept."""
    return Path(platformdirs.user_data_dir(NAME, appauthor=False)) / "parlour.db"


def _user() -> str:
    """A first guess at what the player is called."""
    with contextlib.suppress(OSError, KeyError, ImportError):
        return "".join(letter for letter in getpass.getuser() if letter.isalnum())[:24].capitalize()
    return ""


@attrs.define
class Settings:
    """Read when the client starts, written when something changes. Without a folder nothing is stored.

    Several programs of one person share the files: each writes what it has changed, and leaves the rest as it
    finds it.
    """

    name: str = attrs.field(factory=lambda: _user() or "Player")
    lang: str | None = None
    bell: bool = True
    title: bool = True
    """Whether the terminal's title says whose turn it is."""
    quiet: bool = False
    """Never honk, and do not ask."""
    linger: bool = True
    """What was scored stands on the board for a moment."""
    level: str = USUAL
    """How strong the bots are that one plays against here."""
    recent: list[str] = attrs.field(factory=list)
    """URLs of servers, the last one first."""
    nodes: dict[str, dict[str, str]] = attrs.field(factory=dict)
    """By the URL of a server: the addresses of all nodes of its house, by name."""
    tokens: dict[str, str] = attrs.field(factory=dict, repr=False)
    """By URL and name."""
    home: Path | None = attrs.field(default=None, eq=False)
    _before: dict[str, Any] = attrs.field(init=False, eq=False, repr=False, factory=dict)
    """The likes that are in the file, as far as we know."""
    _unwritten: set[str] = attrs.field(init=False, eq=False, repr=False)
    """Tokens that we were given, or have forgotten, and that the file does not know of."""

    @_unwritten.default
    def _all_tokens(self) -> set[str]:
        return set(self.tokens)

    @classmethod
    def read(cls, home: Path) -> "Settings":
        """Ignores whatever is unreadable or of another kind."""
        settings = cls(home=home)
        plain = _read(home / "settings.json")
        for field in ("name", "lang"):
            if isinstance(plain.get(field), str) and plain[field]:
                setattr(settings, field, plain[field])
        for field in ("bell", "title", "quiet", "linger"):
            if isinstance(plain.get(field), bool):
                setattr(settings, field, plain[field])
        if plain.get("level") in LEVELS:
            settings.level = plain["level"]
        if isinstance(plain.get("recent"), list):
            settings.recent = [url for url in plain["recent"] if isinstance(url, str)][:RECENT]
        if isinstance(plain.get("nodes"), dict):
            settings.nodes = {url: _texts(each) for url, each in plain["nodes"].items()}
        settings.tokens = _tokens(home)
        settings._written()
        return settings

    def write(self) -> str | None:
        """Writes what was changed here; gives the problem if it cannot."""
        if self.home is None:
            return None
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            with locked(self.home / "settings.lock"):
                kept = self._merged(Settings.read(self.home))
                _write(self.home / "settings.json", kept._likes())
                _write(self.home / "tokens.json", kept.tokens)
        except OSError as wrong:
            return f"{self.home}: {wrong.strerror or wrong}"
        self.recent, self.tokens = kept.recent, kept.tokens
        self._written()
        return None

    def _likes(self) -> dict[str, Any]:
        return attrs.asdict(self, filter=lambda field, _: field.name in LIKES)

    def _written(self) -> None:
        self._before, self._unwritten = self._likes(), set()

    def _merged(self, kept: "Settings") -> "Settings":
        """What the files hold now, with our changes."""
        others, houses = kept.recent, kept.nodes
        for each, like in self._likes().items():
            if each not in self._before or self._before[each] != like:
                setattr(kept, each, like)
        if kept.recent is not others:
            # The first one is where we went; the others may have been elsewhere meanwhile.
            kept.recent = list(dict.fromkeys([*self.recent[:1], *others, *self.recent]))[:RECENT]
        kept.nodes = {**houses, **kept.nodes}
        kept.tokens = self._tokens_now(kept.tokens)
        return kept

    def add_recent(self, url: str) -> None:
        self.recent = [url, *[each for each in self.recent if each != url]][:RECENT]

    def house_of(self, url: str) -> str:
        """What the token of this name for a server is kept under: its URL, or another node's of its house.

        Its own comes first: any server may claim that others belong to its house. Houses in which this name
        has no token do not count: its first one would be kept under the address of whoever has claimed so.
        """
        if self.token(url) is not None:
            return url
        for known, nodes in self.nodes.items():
            if url.rstrip("/") in [each.rstrip("/") for each in nodes.values()] and self.token(known):
                return known
        return url

    # Tokens

    def token(self, url: str) -> str | None:
        """The token in the file now: another program of the player may have used the one we know."""
        return self._tokens_now(_tokens(self.home)).get(f"{url} {self.name}")

    def remember(self, url: str, name: str, token: str) -> None:
        self.name = name
        self.tokens[f"{url} {name}"] = token
        self._unwritten.add(f"{url} {name}")

    def forget(self, url: str, token: str) -> None:
        """Removes a token that is no longer valid; a newer one in its place stays."""
        key = f"{url} {self.name}"
        kept = _tokens(self.home)
        if kept.get(key, token) != token:
            self.tokens[key] = kept[key]
            self._unwritten.discard(key)
        elif self._tokens_now(kept).get(key) == token:
            self.tokens.pop(key, None)
            self._unwritten.add(key)

    def _tokens_now(self, there: dict[str, str]) -> dict[str, str]:
        """Those in the file, with ours that could not be written yet."""
        ours = {key: token for key, token in self.tokens.items() if key in self._unwritten}
        return {**{key: token for key, token in there.items() if key not in self._unwritten}, **ours}


def _tokens(home: Path | None) -> dict[str, str]:
    return _texts(_read(home / "tokens.json")) if home is not None else {}


def _texts(plain: Any) -> dict[str, str]:
    """What is text in a map."""
    there = plain.items() if isinstance(plain, dict) else ()
    return {key: text for key, text in there if isinstance(text, str)}


def _read(path: Path) -> dict[str, Any]:
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return plain if isinstance(plain, dict) else {}


def _write(path: Path, plain: Any) -> None:
    """Writes a new file that replaces the old one, and that only its owner could ever read."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(plain, file, ensure_ascii=False, indent=1)
        Path(name).chmod(PRIVATE)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
