"""What text a chat line may have: nothing that could play tricks on a terminal."""

import unicodedata

from parlour.protocol.errors import ProtocolError


def clean_text(text: str, longest: int) -> str:
    """Accepts one line of visible text; raises `bad_message`."""
    text = unicodedata.normalize("NFC", text).strip()
    if not text or len(text) > longest:
        raise ProtocolError("bad_message", where="text", problem=f"must have 1 to {longest} characters")
    for character in text:
        if unicodedata.category(character) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"):
            raise ProtocolError("bad_message", where="text", problem="has a character that cannot be shown")
    return text
