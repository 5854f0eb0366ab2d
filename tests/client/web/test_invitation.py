"""The way to the page for others: addresses and QR codes."""

import pytest

from parlour.client.web.invitation import page_address, qr_lines


@pytest.mark.parametrize(
    ("url", "code", "wanted"),
    [
        ("ws://192.168.1.7:21925", "", "http://192.168.1.7:21925/"),
        ("wss://games.lan:443/", "K7M2PQ", "https://games.lan:443/#K7M2PQ"),
        ("ws://[fd00::2]:1", "ABC234", "http://[fd00::2]:1/#ABC234"),
    ],
)
def test_the_page_is_where_the_server_is(url: str, code: str, wanted: str) -> None:
    assert page_address(url, code) == wanted


def test_a_qr_code_is_a_square_of_letters_that_fits_a_small_window() -> None:
    lines = qr_lines(page_address("wss://[fd00:1234:5678:9abc:def0:1234:5678:9abc]:21925", "K7M2PQ"))
    assert len({len(line) for line in lines}) == 1
    assert len(lines[0]) in (2 * len(lines) - 1, 2 * len(lines))
    assert len(lines) <= 22 and set("".join(lines)) <= set("█▀▄ ")
