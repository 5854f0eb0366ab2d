"""Whose limits are counted together."""

import pytest

from parlour.machine.addresses import network_of


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.168.1.7", "192.168.1.7"),
        ("::ffff:192.168.1.7", "192.168.1.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::1", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("unknown", "unknown"),
    ],
)
def test_one_household_is_one_network(address: str, network: str) -> None:
    assert network_of(address) == network
