"""The function that puts rows of all kinds into their tables: one call is one transaction and one answer.

It stands in the schema, under a name that goes with its words: servers of two builds each have their own.
"""

import hashlib
from collections.abc import Mapping, Sequence

import attrs

from parlour.server.storage.change import (
    END,
    GAME,
    HAPPENED,
    KEPT,
    LEASE,
    LEASE_GONE,
    LINE,
    PERSON,
    PERSON_GONE,
    PLAYED,
    RATED,
    RATED_BEFORE,
    SESSION,
    TABLE,
    TABLE_GONE,
    TOURNAMENT,
    Row,
)
from parlour.server.storage.postgresql.connection import KEY, SCHEMA, WITHIN, Connection, transaction
from parlour.server.storage.postgresql.people import LOOKS, TOKENS, with_index

NOT_OWNER, TAKEN, OVERTAKEN = "PR001", "PR002", "PR003"
"""PostgreSQL's codes for our own errors: another process writes here under our name; another node has a table
now; another node has stored somebody."""
_TAKEN = f"RAISE 'another node has %', its_key USING ERRCODE = '{TAKEN}';"
_OVERTAKEN = f"RAISE 'another node has stored %', its_key USING ERRCODE = '{OVERTAKEN}';"
_FREE = "(its_number IS NULL OR people.version = its_number OR people.writer = owner_life)"
"""Nobody else has stored this person since we have read or stored it."""
_INTO: dict[int, str] = {
    LINE: """INSERT INTO lines SELECT seq, its_number, its_map FROM games WHERE id = its_key;
        IF NOT FOUND THEN RAISE 'no game of that id'; END IF;""",
    TABLE: "INSERT INTO tables VALUES (its_key, its_map) ON CONFLICT (id) DO UPDATE SET map = excluded.map;",
    TABLE_GONE: "DELETE FROM tables WHERE id = its_key; DELETE FROM leases WHERE id = its_key;",
    SESSION: """INSERT INTO sessions VALUES (its_key, its_table, its_map)
        ON CONFLICT (name, node) DO UPDATE SET map = excluded.map;""",
    LEASE: f"""INSERT INTO leases VALUES (its_key, its_table, owner_node, 1) ON CONFLICT (id) DO NOTHING;
        IF NOT FOUND THEN {_TAKEN} END IF;""",
    LEASE_GONE: "DELETE FROM leases WHERE id = its_key;",
    PERSON: f"""IF its_number > 0 THEN
            UPDATE people SET map = its_map, version = nextval('versions'), writer = owner_life
                WHERE name = its_key AND {_FREE};
        ELSE
            INSERT INTO people (name, map, writer) VALUES (its_key, its_map, owner_life)
                ON CONFLICT (name) DO UPDATE
                SET map = excluded.map, version = excluded.version, writer = excluded.writer WHERE {_FREE};
        END IF;
        IF NOT FOUND THEN {_OVERTAKEN} END IF;""",
    LOOKS: f"""INSERT INTO looks SELECT unnest(string_to_array(its_table, chr(10))), its_key
            ON CONFLICT (look) DO NOTHING;
        IF its_number = 0 AND EXISTS (SELECT 1 FROM looks
            WHERE look = ANY(string_to_array(its_table, chr(10))) AND name <> its_key)
        THEN {_OVERTAKEN} END IF;""",
    TOKENS: """DELETE FROM tokens WHERE name = its_key;
        INSERT INTO tokens SELECT substring(its_map FROM 1 + place FOR 32), its_key
            FROM generate_series(0, length(its_map) - 32, 32) AS place ON CONFLICT (hash) DO NOTHING;""",
    KEPT: "UPDATE people SET kept = 1 WHERE name = its_key AND kept = 0;",
    PERSON_GONE: f"""DELETE FROM people WHERE name = its_key AND {_FREE};
        IF FOUND THEN
            DELETE FROM sessions WHERE name = its_key;
            DELETE FROM looks WHERE name = its_key;
            DELETE FROM tokens WHERE name = its_key;
        END IF;""",
    GAME: "INSERT INTO games (id, table_id, header) VALUES (its_key, its_table, its_map);",
    END: """UPDATE games SET ending = its_map,
            lines = (SELECT count(*) FROM lines WHERE game_seq = games.seq),
            finish = nextval('finishes')
            WHERE id = its_key AND finish IS NULL;
        IF NOT FOUND THEN RAISE 'no open game of that id'; END IF;""",
    TOURNAMENT: """INSERT INTO tournaments (id, map) VALUES (its_key, its_map)
        ON CONFLICT (id) DO UPDATE SET map = excluded.map;""",
    HAPPENED: "INSERT INTO happenings VALUES (its_key, its_number, its_map);",
    PLAYED: """INSERT INTO played (name, finish, game_seq)
        SELECT its_key, finish, seq FROM games WHERE id = its_table AND finish IS NOT NULL
        ON CONFLICT DO NOTHING;""",
    RATED_BEFORE: f"""IF its_map IS NULL THEN
            INSERT INTO ratings VALUES (its_table, its_key, '') ON CONFLICT DO NOTHING;
        ELSE
            PERFORM 1 FROM ratings WHERE game = its_table AND name = its_key AND map = its_map FOR UPDATE;
        END IF;
        IF NOT FOUND THEN {_OVERTAKEN} END IF;""",
    RATED: """INSERT INTO ratings VALUES (its_table, its_key, its_map)
        ON CONFLICT (game, name) DO UPDATE SET map = excluded.map;""",
}
_BODY = f"""(
    owner bigint, owner_node text, owner_life bigint, number_of_group bigint, held text[], epochs bigint[],
    kinds integer[], keys text[], numbers bigint[], table_ids text[], maps bytea[]
) RETURNS void LANGUAGE plpgsql SET search_path = {SCHEMA}, pg_temp SET lock_timeout = '{WITHIN}' AS $$
DECLARE
    its_kind integer; its_key text; its_number bigint; its_table text; its_map bytea;
BEGIN
    UPDATE owners SET stored = number_of_group WHERE epoch = owner AND open;
    IF NOT FOUND THEN RAISE 'another server writes here' USING ERRCODE = '{NOT_OWNER}'; END IF;
    FOR place IN 1 .. cardinality(held) LOOP
        its_key := held[place];
        PERFORM 1 FROM leases
            WHERE id = its_key AND node = owner_node AND epoch = epochs[place] FOR SHARE;
        IF NOT FOUND THEN {_TAKEN} END IF;
    END LOOP;
    FOR its_kind, its_key, its_number, its_table, its_map
        IN SELECT * FROM unnest(kinds, keys, numbers, table_ids, maps)
    LOOP
        CASE its_kind
        {chr(10).join(f"WHEN {kind} THEN {into}" for kind, into in _INTO.items())}
        END CASE;
    END LOOP;
END $$"""
_NAME = f"{SCHEMA}.store_rows_{hashlib.sha256(_BODY.encode()).hexdigest()[:12]}"
_CALL = (
    f"SELECT {_NAME}(%s, %s, %s, %s, %s::text[], %s::bigint[], "
    "%s::integer[], %s::text[], %s::bigint[], %s::text[], %b::bytea[])"
)


@attrs.frozen
class Owner:
    """Who stores rows: a connection of a node."""

    epoch: int
    """Its row among the owners."""
    node: str
    life: int


def create_function(connection: Connection) -> None:
    """Creates it, unless it is there."""
    if connection.execute("SELECT 1 WHERE to_regproc(%s) IS NULL", [_NAME]).fetchone():
        with transaction(connection):
            connection.execute("SELECT pg_advisory_xact_lock(%s)", [KEY])
            connection.execute(f"CREATE OR REPLACE FUNCTION {_NAME}{_BODY}")


def insert_rows(
    connection: Connection, owner: Owner, group: int, leases: Mapping[str, int], rows: Sequence[Row]
) -> None:
    """Stores all rows or none, as this owner's group of that number; raises what psycopg raises.

    `leases` has the epochs of what must be ours.
    """
    held = sorted(leases)
    columns = [list(column) for column in zip(*with_index(rows), strict=True)] or [[]] * 5
    epochs = [leases[id] for id in held]
    connection.execute(_CALL, [owner.epoch, owner.node, owner.life, group, held, epochs, *columns])
