"""The arena on a Dask cluster: a real scheduler and two workers, each in a process of its own."""

import json
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from socketserver import BaseRequestHandler, TCPServer

import distributed
import pytest
from support.server.sockets import PATIENCE

import parlour.engine
from parlour.client.bots import cluster as cluster_module
from parlour.client.bots.arena import Block, ClusterFailed, Matchup, play_blocks
from parlour.client.bots.cluster import OtherBuild, play_block_of, play_blocks_on, sources, watched
from parlour.client.cli.main import main
from parlour.protocol.version import build

GAMES = ["--game", "balloon-cup", "--games", "8", "--json"]


LONG = Matchup.of("greedy", "greedy", "balloon-cup", None, "7", {})
BLOCKS = 16


def start(workers: int) -> distributed.LocalCluster:
    return distributed.LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0")


@pytest.fixture(scope="module")
def cluster() -> Iterator[distributed.LocalCluster]:
    with start(2) as cluster:
        yield cluster


def played(blocks: list[Block]) -> list[tuple[int, tuple[float, ...], list[int]]]:
    """What does not depend on how quick a machine is."""
    found = [(one.number, one.shares, [pace.moves for pace in one.paces]) for one in blocks]
    return sorted(found)


def test_the_same_seed_gives_the_same_games_as_on_one_machine(
    cluster: distributed.LocalCluster, capsys: pytest.CaptureFixture[str]
) -> None:
    reports = []
    for where in (["--workers", "1"], ["--cluster", cluster.scheduler_address]):
        assert main(["arena", "greedy", "random", *GAMES, *where]) == 0
        report = json.loads(capsys.readouterr().out)
        for strategy in report["strategies"]:
            del strategy["seconds_per_move"], strategy["slowest_move"]
        reports.append(report)
    assert reports[0] == reports[1]


def test_a_worker_that_dies_costs_only_its_block_again(cluster: distributed.LocalCluster) -> None:
    playing = play_blocks_on(cluster.scheduler_address, LONG, BLOCKS)
    blocks = [next(playing)]
    with distributed.Client(cluster, set_as_default=False) as client:
        victim, *_ = client.run(os.getpid).values()
    os.kill(victim, signal.SIGKILL)
    blocks += playing
    assert played(blocks) == played(list(play_blocks(LONG, BLOCKS, 1)))


def test_a_worker_of_another_build_does_not_play() -> None:
    matchup = Matchup.of("random", "random", "balloon-cup", None, "1", {})
    with pytest.raises(OtherBuild, match=f"a worker runs {build()} .*, and this is another: install"):
        play_block_of("another", matchup, 0)


def test_other_sources_of_the_same_version_are_another_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours = sources()
    shutil.copytree(parlour.engine.__path__[0], tmp_path / "engine")
    monkeypatch.setattr(parlour.engine, "__path__", [str(tmp_path / "engine")])
    assert sources.__wrapped__() == ours
    with (tmp_path / "engine" / "chance.py").open("a", encoding="utf-8") as file:
        file.write("# another\n")
    assert sources.__wrapped__() != ours


class Emptied:
    """In the place of a client of Dask: its workers leave one after the other."""

    def __init__(self) -> None:
        self.workers = ["one", "two"]

    def scheduler_info(self) -> dict[str, list[str]]:
        found = {"workers": list(self.workers)}
        self.workers = self.workers[1:]
        return found


def test_that_no_worker_is_left_is_told_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster_module, "LOOK_EVERY", 0.0)
    told, calls = threading.Event(), list[int]()

    def idle() -> None:
        calls.append(1)
        told.set()

    with watched(Emptied(), idle):  # type: ignore[arg-type]
        assert told.wait(PATIENCE)
    assert calls == [1]


def test_an_address_without_a_scheduler_is_told_in_a_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "PATIENCE", 0.5)
    with TCPServer(("127.0.0.1", 0), BaseRequestHandler) as server:  # closes each connection
        threading.Thread(target=server.serve_forever, daemon=True).start()
        there = f"tcp://127.0.0.1:{server.server_address[1]}"
        assert main(["arena", "greedy", "random", *GAMES, "--cluster", there]) == 1
        server.shutdown()
    assert capsys.readouterr().err == f"parlour: --cluster: no Dask scheduler answers at {there}\n"


def test_a_scheduler_that_goes_is_told_in_a_line() -> None:
    with start(1) as cluster:
        playing = play_blocks_on(cluster.scheduler_address, LONG, BLOCKS)
        next(playing)
    with pytest.raises(ClusterFailed, match="is gone: start it, and play again"):
        list(playing)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--cluster", "there"], "must be like tcp://10.0.0.5:8786, not 'there'"),
        (["--cluster", "tcp://127.0.0.1:8786", "--workers", "2"], "--workers is for games on this machine"),
    ],
)
def test_what_is_wrong_with_a_cluster_is_told_in_one_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["arena", "greedy", "random", *GAMES, *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1 and told in err
