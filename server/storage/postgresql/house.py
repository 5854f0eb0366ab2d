"""What the nodes of a house tell each other through the database, and what each asks it about people.

Events are read in the order of their commits: those of transactions that are all over, after the last that
was read. Numbers alone would not do: a lower one may be committed later.
"""

import hashlib
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgpack

from parlour.protocol.lookalikes import looks
from parlour.server.storage.change import PERSON, SESSION
from parlour.server.storage.errors import Damaged
from parlour.server.storage.postgresql.connection import Connection, transaction
from parlour.server.storage.postgresql.house_values import Found, Lease, LeaseHolder, Look, Mark, Person
from parlour.server.storage.postgresql.membership import Membership, addresses
from parlour.server.storage.seal import unseal

BELL = "parlour"
"""The channel on which nodes are told that there is something to read."""
TICKET_BYTES, TICKET_LASTS = 32, "60 seconds"
KEPT_FOR = "10 minutes"
"""For how long events can be read."""
AT_ONCE = 50
"""Tables that are taken over in one transaction."""
SHARES = "1.5 seconds"
"""For how long after the end of a node each of the others takes only its share: all look once a second."""
MOST_EVENTS = 1000


def _hash(token: str) -> bytes:
    return hashlib.sha256(token.encode()).digest()


class HouseRows:
    """The questions of one node, on a connection of its own. It raises ArchiveErrors and psycopg.Error."""

    def __init__(
        self,
        membership: Membership,
        connection: Connection,
        secret: Callable[[int], str] = secrets.token_urlsafe,
    ) -> None:
        """`secret` makes a text that nobody can guess, of so many bytes."""
        self._place, self._membership, self._connection = membership.place, membership, connection
        self._secret = secret
        self._node = membership.node.name

    def close(self) -> None:
        self._connection.close()

    # Events

    def now(self) -> Mark:
        """The mark after everything that is committed now."""
        row = self._connection.execute("SELECT pg_snapshot_xmin(pg_current_snapshot())::text").fetchone()
        assert row is not None
        return row[0], 0

    def look(self, after: Mark) -> Look:
        found = self._connection.execute(
            "SELECT xid::text, seq, node, map FROM parlour.house_events "
            "WHERE xid < pg_snapshot_xmin(pg_current_snapshot()) AND (xid, seq) > (%s::xid8, %s) "
            "ORDER BY xid, seq LIMIT %s",
            [*after, MOST_EVENTS],
        ).fetchall()
        events = [(node, msgpack.unpackb(packed, strict_map_key=False)) for _, _, node, packed in found]
        mark = (found[-1][0], found[-1][1]) if found else after
        return Look(*addresses(self._connection), events, mark, self.mine(), self._loads())

    def _loads(self) -> dict[str, int]:
        return dict(
            self._connection.execute("SELECT node, count(*) FROM parlour.leases GROUP BY node").fetchall()
        )

    def mine(self) -> list[Lease]:
        """What this node has."""
        found = self._connection.execute(
            "SELECT id, kind, epoch FROM parlour.leases WHERE node = %s", [self._node]
        )
        return [Lease(*row) for row in found.fetchall()]

    def tell(self, events: Sequence[Mapping[str, Any]]) -> None:
        """Writes events and rings the bell: in a statement of its own, for its lock is one for all.

        Nobody reads what is newer than a transaction under way: that of a node that is frozen ends by itself.
        What is old news by now (`tell_of` of server/house/node.py) is not written.
        """
        with transaction(self._connection), self._connection.cursor() as cursor:
            cursor.executemany(
                "INSERT INTO parlour.house_events (node, map) VALUES (%s, %s)",
                [(self._node, msgpack.packb(event)) for event in self._without_old_news(events)],
            )
        self.ring()

    def _without_old_news(self, events: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
        """Those of what this node has; and ends, unless another has it."""
        ids = {event["of"] for event in events if "of" in event}
        if not ids:
            return list(events)
        # This transaction has its place among all others before it reads: what a node tells that has taken
        # something over afterwards is read after this.
        self._connection.execute("SELECT pg_current_xact_id()")
        owners = self._owners(ids)
        return [event for event in events if "of" not in event or self._is_news(event, owners)]

    def _is_news(self, event: Mapping[str, Any], owners: Mapping[str, LeaseHolder]) -> bool:
        owner = owners.get(event["of"])
        return event["ends"] if owner is None else owner == LeaseHolder(self._node, event["epoch"])

    def ring(self) -> None:
        self._connection.execute(f"NOTIFY {BELL}")

    def tidy(self) -> None:
        """Forgets what everybody has read, and tickets that nobody can use."""
        self._connection.execute(
            f"DELETE FROM parlour.house_events WHERE at < clock_timestamp() - interval '{KEPT_FOR}'"
        )
        self._connection.execute("DELETE FROM parlour.tickets WHERE expires < clock_timestamp()")

    # People

    def find(self, token: str | None, ticket: str | None, name: str | None) -> Found:
        """Looks up who says hello."""
        made = self._connection.execute("SELECT nextval('parlour.versions')").fetchone()
        assert made is not None
        number, owner, names = made[0], None, list[str]()
        if ticket is not None:
            taken = self._connection.execute(
                "DELETE FROM parlour.tickets WHERE hash = %s AND node = %s AND expires > clock_timestamp() "
                "RETURNING name, number",
                [_hash(ticket), self._node],
            ).fetchone()
            if taken is not None:
                owner, number = taken
                names = [taken[0]]
        elif token is not None:
            names = self._names("SELECT name FROM parlour.tokens WHERE hash = %s", _hash(token))
        elif name is not None:
            names = self._names("SELECT name FROM parlour.looks WHERE look = ANY(%s)", sorted(looks(name)))
        return Found(number, owner, tuple(self.people(names)))

    def _names(self, query: str, given: Any) -> list[str]:
        return [name for (name,) in self._connection.execute(query, [given]).fetchall()]

    def people(self, names: Sequence[str]) -> list[Person]:
        found = self._connection.execute(
            "SELECT name, map, version, writer, kept FROM parlour.people WHERE name = ANY(%s)",
            [list(names)],
            binary=True,
        ).fetchall()
        people = []
        for name, sealed, version, writer, kept in found:
            packed = unseal(PERSON, name, None, None, sealed)
            if packed is None:
                raise Damaged(self._place, "changed", "sum", "person", name)
            plain = msgpack.unpackb(packed, strict_map_key=False)
            people.append(Person(name, plain, version, writer == self._membership.life, bool(kept)))
        return people

    def make_ticket(self, name: str, line: int, node: str) -> str:
        """Its number is that of the line on which it is told: a hello by token that replaces that one, or has
        done so unheard, voids it as well (`Identity.hello`, which is stored with the hello).
        """
        ticket = self._secret(TICKET_BYTES)
        self._connection.execute(
            "INSERT INTO parlour.tickets (hash, name, node, number, expires) VALUES "
            f"(%s, %s, %s, %s, clock_timestamp() + interval '{TICKET_LASTS}')",
            [_hash(ticket), name, node, line],
        )
        return ticket

    # Tables

    def where(self, id: str) -> LeaseHolder | None:
        """The node that has a table or a tournament."""
        return self._owners([id]).get(id)

    def settled(self, id: str) -> LeaseHolder | None:
        """The node that has it once no change of that is under way: the answer to one may have been lost."""
        with transaction(self._connection):
            found = self._connection.execute(
                "SELECT node, epoch FROM leases WHERE id = %s FOR UPDATE", [id]
            ).fetchone()
        return None if found is None else LeaseHolder(*found)

    def _owners(self, ids: Iterable[str]) -> dict[str, LeaseHolder]:
        found = self._connection.execute(
            "SELECT id, node, epoch FROM parlour.leases WHERE id = ANY(%s)", [sorted(ids)]
        ).fetchall()
        return {id: LeaseHolder(node, epoch) for id, node, epoch in found}

    def leases(self) -> list[tuple[str, str, LeaseHolder]]:
        """What all nodes have: ids, kinds, and which node has each since which epoch."""
        found = self._connection.execute("SELECT id, kind, node, epoch FROM parlour.leases").fetchall()
        return [(id, kind, LeaseHolder(node, epoch)) for id, kind, node, epoch in found]

    def seats(self, name: str) -> list[tuple[str, LeaseHolder]]:
        """The tables at which somebody sits, or sat when a node last stored that, and their nodes."""
        found = self._connection.execute(
            "SELECT node, map FROM parlour.sessions WHERE name = %s", [name], binary=True
        ).fetchall()
        ids: set[str] = set()
        for node, sealed in found:
            packed = unseal(SESSION, name, None, node, sealed)
            if packed is None:
                raise Damaged(self._place, "changed", "sum", "person", name)
            ids.update(msgpack.unpackb(packed, strict_map_key=False).get("tables", ()))
        return list(self._owners(ids).items()) if ids else []

    def take_over(self, event: str) -> bool:
        """Takes some of what a node had that is over, and tells all others; False if there is nothing.

        From then on that node stores nothing more, whatever it believes. What another node leaves of its
        share, being over as well, say, anybody takes.
        """
        with transaction(self._connection):
            over = self._connection.execute(
                f"SELECT name, expires < clock_timestamp() - interval '{SHARES}' FROM nodes "
                "WHERE expires < clock_timestamp() AND name <> %s "
                "AND EXISTS (SELECT 1 FROM leases WHERE node = name) "
                "ORDER BY expires LIMIT 1 FOR UPDATE SKIP LOCKED",
                [self._node],
            ).fetchone()
            if over is None:
                return False
            name, is_late = over
            most = AT_ONCE if is_late else min(AT_ONCE, self._room())
            if most <= 0:
                return False
            self._connection.execute("UPDATE owners SET open = false WHERE open AND node = %s", [name])
            taken = self._connection.execute(
                "UPDATE leases SET node = %s, epoch = epoch + 1 WHERE id IN ("
                "SELECT id FROM leases WHERE node = %s ORDER BY id LIMIT %s FOR UPDATE SKIP LOCKED) "
                "RETURNING id, epoch",
                [self._node, name, most],
            ).fetchall()
            self._moved(event, {id: (self._node, epoch) for id, epoch in taken})
        self.ring()
        return bool(taken)

    def _room(self) -> int:
        """How much this node has less than its share of all that the house has."""
        row = self._connection.execute(
            "SELECT (SELECT count(*) FROM leases), (SELECT count(*) FROM leases WHERE node = %s), "
            "(SELECT count(*) FROM nodes WHERE expires > clock_timestamp())",
            [self._node],
        ).fetchone()
        assert row is not None
        everything, mine, nodes = row
        return int(-(-everything // max(1, nodes)) - mine)

    def hand_over(self, event: str) -> int:
        """Gives what is this node's to the others, the least busy first; how much that was."""
        with transaction(self._connection):
            others = self._connection.execute(
                "SELECT name FROM nodes WHERE expires > clock_timestamp() AND name <> %s "
                "ORDER BY (SELECT count(*) FROM leases WHERE node = name), name",
                [self._node],
            ).fetchall()
            ids = self._connection.execute(
                "SELECT id, epoch FROM leases WHERE node = %s ORDER BY id FOR UPDATE", [self._node]
            ).fetchall()
            if not others:
                return 0
            moved = {id: (others[place % len(others)][0], epoch + 1) for place, (id, epoch) in enumerate(ids)}
            with self._connection.cursor() as cursor:
                cursor.executemany(
                    "UPDATE leases SET node = %s, epoch = %s WHERE id = %s",
                    [(node, epoch, id) for id, (node, epoch) in moved.items()],
                )
            self._moved(event, moved)
        self.ring()
        return len(moved)

    def give(self, event: str, id: str, node: str, table: Mapping[str, Any]) -> LeaseHolder | None:
        """Gives one table of this node to another that lives, and tells of it; returns who has it now."""
        with transaction(self._connection):
            given = self._connection.execute(
                "UPDATE leases SET node = %s, epoch = epoch + 1 WHERE id = %s AND node = %s "
                "AND EXISTS (SELECT 1 FROM nodes WHERE name = %s AND expires > clock_timestamp()) "
                "RETURNING epoch",
                [node, id, self._node, node],
            ).fetchone()
            if given is not None:
                self._moved(event, {id: (node, given[0])}, table)
        self.ring()
        return self.settled(id)

    def _moved(
        self, event: str, moved: dict[str, tuple[str, int]], table: Mapping[str, Any] | None = None
    ) -> None:
        told = {"event": event, "moved": moved, "table": table}
        self._connection.execute(
            "INSERT INTO parlour.house_events (node, map) VALUES (%s, %s)", [self._node, msgpack.packb(told)]
        )
