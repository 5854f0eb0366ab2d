"""`parlour serve --processes N` as a shell sees it: nodes are kept alive, and end with their parent."""

import asyncio
import contextlib
import http.client
import os
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator

import pytest
from support.processes import children, runs, until_ended
from support.server.sockets import PATIENCE, Caller, own_ports

from parlour.machine.programs import PARLOUR, command_line
from tools.postgresql import Cluster

COUNT = 3


@pytest.fixture
def archive(postgresql_cluster: Cluster) -> str:
    return postgresql_cluster.address(postgresql_cluster.create_database())


class Parent:
    """The parent as a process, its screen, and where its nodes are."""

    def __init__(self, process: Process, port: int, screen: list[str]) -> None:
        self.process, self.screen = process, screen
        self.pid = process.pid
        self.ports = range(port, port + COUNT)
        self.url = f"ws://127.0.0.1:{port}"

    @property
    def nodes(self) -> list[int]:
        return children(self.pid)

    def get(self, path: str, host: str | None = None) -> tuple[int, str]:
        line = http.client.HTTPConnection("127.0.0.1", self.ports[-1] + 1)
        line.request("GET", path, headers={"Host": host} if host else {})
        answer = line.getresponse()
        told = answer.status, answer.read().decode()
        line.close()
        return told

    async def until_all_are_well(self) -> None:
        while await asyncio.to_thread(self.get, "/healthz") != (200, "ok\n"):
            await asyncio.sleep(0.02)


@contextlib.asynccontextmanager
async def parent(archive: str) -> AsyncIterator[Parent]:
    with own_ports(COUNT + 1) as port:
        process = await _start(archive, port)
        try:
            async with asyncio.timeout(PATIENCE):
                assert process.stdout is not None
                screen: list[str] = []
                while not screen or "Ctrl-C" not in screen[-1]:
                    line = (await process.stdout.readline()).decode()
                    assert line, screen
                    screen.append(line.rstrip("\n"))
                yield Parent(process, port, screen)
        finally:
            if process.returncode is None:
                process.kill()
            await process.wait()


async def _start(archive: str, port: int) -> Process:
    flags = ["--processes", str(COUNT), "--node", "club", "--host", "127.0.0.1", "--port", str(port)]
    command = command_line(PARLOUR, "serve", *flags, "--hidden", "--bots", "0", "--archive", archive)
    return await asyncio.create_subprocess_exec(*command, stdout=PIPE, stderr=PIPE)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_all_nodes_and_then_the_parent(number: signal.Signals, archive: str) -> None:
    async with parent(archive) as house:
        nodes = house.nodes
        assert len(nodes) == COUNT
        house.process.send_signal(number)
        _, log = await house.process.communicate()
        assert house.process.returncode == 0
        assert not any(map(runs, nodes))
    text = log.decode()
    assert "Traceback" not in text
    assert all(f"club-{count + 1} " in text for count in range(COUNT)), "whose line it is"


async def test_nodes_end_with_a_parent_that_was_killed(archive: str) -> None:
    async with parent(archive) as house:
        nodes = house.nodes
        house.process.kill()
        await until_ended(*nodes)


async def test_a_node_that_dies_is_started_again_on_its_port(archive: str) -> None:
    async with parent(archive) as house:
        await house.until_all_are_well()
        (before, *others) = house.nodes
        os.kill(before, signal.SIGKILL)
        await until_ended(before)
        await house.until_all_are_well()
        assert set(others) < set(house.nodes)
        status, page = await asyncio.to_thread(house.get, "/metrics")
        assert status == 200
        assert 'parlour_node_restarts_total{node="club-1"} 1.0' in page
        await (await Caller(house.url, "Ann").connect()).drop(rudely=False)


async def test_a_hangup_has_every_node_started_anew(archive: str) -> None:
    async with parent(archive) as house:
        await house.until_all_are_well()
        before = set(house.nodes)
        house.process.send_signal(signal.SIGHUP)
        await until_ended(*before)
        await house.until_all_are_well()
        assert not before & set(house.nodes) and len(house.nodes) == COUNT


async def test_the_screen_has_the_first_node_and_the_ports_of_all(archive: str) -> None:
    async with parent(archive) as house:
        text = "\n".join(house.screen)
        assert house.url in text
        last = house.ports[-1]
        assert f"ports {house.ports[0]} to {last}, /healthz and /metrics of all at {last + 1}" in text
        assert len(house.screen) <= 24 and max(map(len, house.screen)) <= 80


async def test_only_who_asks_for_the_parent_by_its_own_name_is_answered(archive: str) -> None:
    async with parent(archive) as house:
        for path in ("/healthz", "/metrics"):
            assert (await asyncio.to_thread(house.get, path))[0] == 200
            assert (await asyncio.to_thread(house.get, path, "evil.example"))[0] == 403
        assert (await asyncio.to_thread(house.get, "/"))[0] == 404


async def test_what_keeps_the_first_node_from_starting_is_told_in_one_line(archive: str) -> None:
    nowhere = archive.replace("?", "nowhere?")
    with own_ports(COUNT + 1) as port:
        process = await _start(nowhere, port)
        out, told = await asyncio.wait_for(process.communicate(), PATIENCE)
    lines = [line for line in told.decode().splitlines() if " INFO " not in line]
    assert (process.returncode, out) == (2, b"")
    assert len(lines) == 1 and lines[0].startswith("parlour: archive: ") and "nowhere" in lines[0]
