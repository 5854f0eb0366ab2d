"""How others come to the page: its address, and the address as a QR code made of letters."""

import io

import segno

BORDER = 2
"""Modules of light around the code; scanners want some."""


def page_address(url: str, code: str = "") -> str:
    """The page of the server at a websocket URL. The code of a table stands where no server's log sees it."""
    scheme, _, rest = url.partition("://")
    address = f"{'https' if scheme == 'wss' else 'http'}://{rest.partition('/')[0]}/"
    return f"{address}#{code}" if code else address


def qr_lines(address: str) -> list[str]:
    """The code for a dark terminal: a letter is two modules high, and blocks are light."""
    drawn = io.StringIO()
    segno.make(address, error="l", micro=False).terminal(drawn, border=BORDER, compact=True)
    return drawn.getvalue().splitlines()
