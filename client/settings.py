"""What a player's machine remembers: a name, likes, the last servers, and the tokens that prove the name."""

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

NAME = "parlour"
RECENT = 5
"""Servers that are remembered."""
PRIVATE = 0o600


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
    """Read when the client starts, written when something changes. Without a folder nothing is kept."""

    name: str = attrs.field(factory=lambda: _user() or "Player")
    lang: str | None = None
    bell: bool = True
    title: bool = True
    """Whether the terminal's title says whose turn it is."""
    quiet: bool = False
    """Keep quiet whenever horns are asked."""
    level: str = USUAL
    """How strong the bots are that one plays against here."""
    recent: list[str] = attrs.field(factory=list)
    """URLs of servers, the last one first."""
    tokens: dict[str, str] = attrs.field(factory=dict, repr=False)
    """By URL and name."""
    home: Path | None = attrs.field(default=None, eq=False)

    @classmethod
    def read(cls, home: Path) -> "Settings":
        """Whatever is unreadable or of another kind is as if it were not there."""
        settings = cls(home=home)
        plain = _read(home / "settings.json")
        for field in ("name", "lang"):
            if isinstance(plain.get(field), str) and plain[field]:
                setattr(settings, field, plain[field])
        for field in ("bell", "title", "quiet"):
            if isinstance(plain.get(field), bool):
                setattr(settings, field, plain[field])
        if plain.get("level") in LEVELS:
            settings.level = plain["level"]
        if isinstance(plain.get("recent"), list):
            settings.recent = [url for url in plain["recent"] if isinstance(url, str)][:RECENT]
        tokens = _read(home / "tokens.json")
        settings.tokens = {key: token for key, token in tokens.items() if isinstance(token, str)}
        return settings

    def write(self) -> str | None:
        """Keeps everything; what is wrong if it cannot."""
        if self.home is None:
            return None
        plain = attrs.asdict(self, filter=lambda field, _: field.name not in ("tokens", "home"))
        try:
            self.home.mkdir(parents=True, exist_ok=True)
            _write(self.home / "settings.json", plain)
            _write(self.home / "tokens.json", self.tokens)
        except OSError as wrong:
            return f"{self.home}: {wrong.strerror or wrong}"
        return None

    def visited(self, url: str) -> None:
        self.recent = [url, *[each for each in self.recent if each != url]][:RECENT]

    def token(self, url: str) -> str | None:
        return self.tokens.get(f"{url} {self.name}")

    def remember(self, url: str, name: str, token: str) -> None:
        self.name = name
        self.tokens[f"{url} {name}"] = token

    def forget(self, url: str) -> None:
        self.tokens.pop(f"{url} {self.name}", None)


def _read(path: Path) -> dict[str, Any]:
    try:
        plain = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return plain if isinstance(plain, dict) else {}


def _write(path: Path, plain: Any) -> None:
    """In a new file that takes the old one's place: readable by its owner only from its first byte on."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(plain, file, ensure_ascii=False, indent=1)
        Path(name).chmod(PRIVATE)
        Path(name).replace(path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
