"""Servers that announce themselves are found; one for its own machine alone is not announced."""

import asyncio

import pytest
from zeroconf import IPVersion, ServiceInfo
from zeroconf.asyncio import AsyncServiceInfo

from parlour.client import discovery as finding
from parlour.client.discovery import Found, found, looking
from parlour.machine.addresses import all_reached_at
from parlour.server import discovery
from parlour.server.discovery import announced, service

OWN = ["192.168.1.7", "fd00::7"]


def test_what_a_server_says_is_where_a_client_goes() -> None:
    said = service(["192.168.1.7"], 21925, False, "oak")
    info = AsyncServiceInfo(
        said.type, said.name, port=said.port, addresses=said.addresses, properties=said.properties
    )
    assert found(info) == Found("oak", "ws://192.168.1.7:21925")


def test_encryption_and_ipv6_are_in_the_address() -> None:
    said = service(["fd00::7"], 1, True, "oak")
    info = AsyncServiceInfo(said.type, said.name, port=1, properties=said.properties)
    info.addresses = said.addresses_by_version(IPVersion.All)
    assert found(info) == Found("oak", "wss://[fd00::7]:1")


def test_a_server_that_has_no_address_is_nowhere() -> None:
    assert found(AsyncServiceInfo(finding.SERVICE, f"oak.{finding.SERVICE}", port=1)) is None


@pytest.mark.parametrize(
    ("ports", "where"),
    [
        ([("0.0.0.0", 1), ("::", 1)], OWN),
        ([("0.0.0.0", 1)], ["192.168.1.7"]),
        ([("127.0.0.1", 1), ("::1", 1)], []),
        ([("10.0.0.1", 1)], ["10.0.0.1"]),
    ],
)
def test_only_addresses_that_others_can_use_are_announced(
    ports: list[tuple[str, int]], where: list[str]
) -> None:
    assert all_reached_at([host for host, _ in ports], OWN) == where


def test_both_sides_name_the_same_service() -> None:
    assert discovery.SERVICE == finding.SERVICE


async def test_a_server_announces_itself_and_takes_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []

    class Network:
        """Zeroconf without a network."""

        async def async_register_service(
            self, info: ServiceInfo, allow_name_change: bool
        ) -> asyncio.Future[None]:
            told.append(f"{info.port} {allow_name_change}")
            done: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            done.set_result(None)
            return done

        async def async_unregister_all_services(self) -> None:
            told.append("gone")

        async def async_close(self) -> None:
            told.append("closed")

    monkeypatch.setattr(discovery, "AsyncZeroconf", Network)
    monkeypatch.setattr(discovery, "own_addresses", lambda: OWN)
    async with announced([("0.0.0.0", 7)], False):
        while not told:
            await asyncio.sleep(0)
    assert told == ["7 True", "gone", "closed"]


async def test_a_machine_without_a_network_finds_nobody_and_plays_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_network() -> None:
        raise OSError("no such device")

    monkeypatch.setattr(finding, "AsyncZeroconf", no_network)
    monkeypatch.setattr(discovery, "AsyncZeroconf", no_network)
    monkeypatch.setattr(discovery, "own_addresses", lambda: OWN)
    async with looking(lambda *_: None), announced([("0.0.0.0", 1)], False):
        await asyncio.wait_for(asyncio.sleep(0), 1)
