"""For whom a connection counts that comes through a proxy."""

import pytest
from websockets.datastructures import Headers

from parlour.server.wire.proxies import Proxies

PROXIES = Proxies.of(["127.0.0.1", "10.0.0.0/8", "fd00::/8"])
GUEST = "192.0.2.7"


def headers(*forwarded: str) -> Headers:
    return Headers([("X-Forwarded-For", text) for text in forwarded])


@pytest.mark.parametrize(
    ("remote", "forwarded", "client"),
    [
        ("127.0.0.1", [GUEST], GUEST),
        ("127.0.0.1", [], "127.0.0.1"),
        (GUEST, ["198.51.100.1"], GUEST),  # no proxy of ours
        ("127.0.0.1", [f"198.51.100.1, {GUEST}"], GUEST),  # the first was the guest's own invention
        ("127.0.0.1", ["198.51.100.1", GUEST], GUEST),
        ("127.0.0.1", [f"{GUEST}, 10.1.2.3, 10.1.2.4"], GUEST),
        ("127.0.0.1", ["10.1.2.3"], "10.1.2.3"),
        ("127.0.0.1", [f"{GUEST}, nonsense"], "127.0.0.1"),
        ("127.0.0.1", [f"{GUEST}, unknown, 10.1.2.3"], "10.1.2.3"),
        ("127.0.0.1", [""], "127.0.0.1"),
        ("127.0.0.1", [f"{GUEST}:4711"], GUEST),
        ("fd00::1", ["[2001:db8::7]:4711"], "2001:db8::7"),
        ("fd00::1", ["2001:db8::7"], "2001:db8::7"),
        ("::ffff:127.0.0.1", [f"::ffff:{GUEST}"], GUEST),
        ("unknown", [GUEST], "unknown"),
    ],
)
def test_the_last_address_that_is_no_trusted_proxy_s_counts(
    remote: str, forwarded: list[str], client: str
) -> None:
    assert PROXIES.client(remote, headers(*forwarded)) == client


def test_nobody_is_trusted_unless_named() -> None:
    assert Proxies().client("127.0.0.1", headers(GUEST)) == "127.0.0.1"


@pytest.mark.parametrize(
    ("remote", "protocols", "secure"),
    [
        ("127.0.0.1", ["https"], True),
        ("127.0.0.1", ["http"], False),
        ("127.0.0.1", ["https", "http"], False),
        ("127.0.0.1", [], False),
        (GUEST, ["https"], False),
    ],
)
def test_a_trusted_proxy_says_whether_its_client_speaks_tls(
    remote: str, protocols: list[str], secure: bool
) -> None:
    said = Headers([("X-Forwarded-Proto", text) for text in protocols])
    assert PROXIES.secure(remote, said) is secure
