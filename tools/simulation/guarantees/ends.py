"""Ends of games, servers and lines: G15, G16, close codes."""

import hashlib
from typing import TYPE_CHECKING

from tools.simulation.guarantees.broken import Plain, hold

if TYPE_CHECKING:
    from tools.simulation.known import Table, Visit
    from tools.simulation.peer import Peer


RESTART_GAP = 10_000
ROUNDING = 0.002
"""Seconds: journals count in milliseconds."""
STEP = ("told", "taken", "to_act")


HOW_CLOSED = {"replaced": 4001, "restart": 1012, "errors": 4005}


def g15_the_end(peer: "Peer", _visit: "Visit", message: Plain) -> None:
    """The last update of a game has its result, and then `table_changed` says that it is finished."""
    table = peer.tables.get(message["table"])
    if message["type"] == "snapshot":
        done = message["info"]["stage"] == "finished"
        hold(
            done == (message["result"] is not None),
            "G15",
            peer,
            f"a result, and the stage is {message['info']['stage']}",
        )
        return
    if table is None or message["seq"] != table.seq + 1:
        return  # it was known, or the table was resumed by a number that the peer never had
    if message["type"] == "update":
        hold(
            not table.ended or table.info["stage"] == "gathering", "G15", peer, "an update after the last one"
        )
    elif message["type"] == "table_changed":
        stage = message["info"]["stage"]
        if stage in ("playing", "finished") and table.info["stage"] != "gathering":
            hold(
                table.ended == (stage == "finished"),
                "G15",
                peer,
                f"the stage is {stage}, and the result is {table.ended}",
            )
        result = table.known["result"]
        if stage == "finished" and result is not None and result["secret"] is not None:
            secret = hashlib.sha256(bytes.fromhex(result["secret"])).hexdigest()
            hold(
                secret == table.info["commitment"],
                "G15",
                peer,
                "the secret is not the one that was published",
            )


def g16_numbers_after_a_restart(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """After a restart numbers go on by 10,000 or more, and there is a snapshot first."""
    table = peer.tables.get(message["table"])
    if table is None or table.epoch == visit.epoch:
        return
    if message["type"] != "snapshot":
        hold(
            message["table"] in visit.streams,
            "G16",
            peer,
            f"{message['type']} before the snapshot after a restart",
        )
        return
    sat_down = any(sent.word in ("join", "sit") for sent in visit.order)
    if table.seat == message["seat"] and not sat_down:
        least = table.highest + RESTART_GAP
        hold(
            message["seq"] >= least,
            "G16",
            peer,
            f"number {message['seq']} after {table.highest} and a restart",
        )
    if table.info["number"] == message["info"]["number"]:
        g16_clocks(peer, visit, table, message)
        g16_everything_acknowledged(peer, table, message)


def g16_names(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """A name with which something was done is never lost, nor is the last token that came."""
    if peer.world.disk is None or peer.built_in or not peer.tokens:
        return
    done = any(sent.answer is not None and sent.readable for sent in peer.sent.values())
    newest = visit.who.get("token") == peer.tokens[-1]
    hold(not (done and newest), "G16", peer, f"the name is lost: {message['code']}")


def g16_clocks(peer: "Peer", visit: "Visit", table: "Table", message: Plain) -> None:
    """No time passes while the server is down: what was left when it went down is left when it begins."""
    before, now = table.known["clock"], message["clock"]
    span = peer.world.down_between(message["table"], table.epoch, visit.epoch)
    if before is None or now is None or span is None or message["view"] is None:
        return
    if [table.known["view"][part] for part in STEP] != [message["view"][part] for part in STEP]:
        return
    stopped, began = span
    for had, has in zip(before["ends"], now["ends"], strict=True):
        if had is not None and has is not None:
            left, again = had - stopped, has - began
            hold(again >= left - ROUNDING, "G16", peer, f"{left} seconds were left, and now {again}")


def g16_everything_acknowledged(peer: "Peer", table: "Table", message: Plain) -> None:
    """A server comes back with everything that it told anybody."""
    before, now = table.known, message
    if before["view"] is not None and table.seat == message["seat"]:
        hold(now["view"] is not None, "G16", peer, "the game is gone")
        told, again = before["view"]["told"], now["view"]["told"]
        hold(again[: len(told)] == told, "G16", peer, f"{told} were told, and now {again}")
        for had, has in zip(before["view"]["taken"], now["view"]["taken"], strict=True):
            hold(had is None or had == has, "G16", peer, f"prize {had} was snatched, and now {has}")
        hold(
            before["result"] is None or now["result"] == before["result"],
            "G16",
            peer,
            "the result is another one",
        )
    texts, again = [line["text"] for line in before["chat"]], [line["text"] for line in now["chat"]]
    hold(again[: len(texts)] == texts or len(again) >= 50, "G16", peer, f"{texts} were said, and now {again}")


def on_end(peer: "Peer", visit: "Visit", code: int | None) -> None:
    """A connection that the server closes has the code that its last message says."""
    if code is not None and visit.over in HOW_CLOSED:
        # A built-in bot whose table was closed is done, whatever it was told before.
        said_bye = (visit.bye is not None or visit.closed or peer.built_in) and code == 1000
        hold(
            code == HOW_CLOSED[visit.over] or said_bye,
            "close codes",
            peer,
            f"{visit.over}, and closed with {code}",
        )
    elif code is not None and visit.over is not None and not visit.closed:
        hold(code == 4000, "close codes", peer, f"{visit.over}, and closed with {code}")


def after_the_end(peer: "Peer", visit: "Visit", message: Plain) -> None:
    """A goodbye is the last message, but for the answers that are due before a restart."""
    if visit.over == "restart":
        return
    hold(visit.over is None, "goodbye", peer, f"{message['type']} after {visit.over}")
