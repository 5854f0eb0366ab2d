"""The function that puts rows of all kinds into their tables: one call is one transaction and one answer.

It belongs to the connection, not to the database, as the view of SQLite's `bulk_insert` does.
"""

from collections.abc import Sequence

from parlour.server.storage.change import (
    END,
    GAME,
    HAPPENED,
    LINE,
    PERSON,
    PERSON_GONE,
    PLAYED,
    RATED,
    TABLE,
    TABLE_GONE,
    TOURNAMENT,
    Row,
)
from parlour.server.storage.postgresql.connection import Connection

NOT_OWNER = "PR001"
"""PostgreSQL's code for our own error: somebody else writes to the archive now."""
_INTO: dict[int, str] = {
    LINE: """INSERT INTO lines SELECT seq, its_number, its_map FROM games WHERE id = its_key;
        IF NOT FOUND THEN RAISE 'no game of that id'; END IF;""",
    TABLE: "INSERT INTO tables VALUES (its_key, its_map) ON CONFLICT (id) DO UPDATE SET map = excluded.map;",
    TABLE_GONE: "DELETE FROM tables WHERE id = its_key;",
    PERSON: """INSERT INTO people VALUES (its_key, its_map)
        ON CONFLICT (name) DO UPDATE SET map = excluded.map;""",
    PERSON_GONE: "DELETE FROM people WHERE name = its_key;",
    GAME: "INSERT INTO games (id, table_id, header) VALUES (its_key, its_table, its_map);",
    END: """UPDATE games SET ending = its_map,
            lines = (SELECT count(*) FROM lines WHERE game_seq = games.seq),
            finish = (SELECT coalesce(max(finish), 0) + 1 FROM games WHERE finish IS NOT NULL)
            WHERE id = its_key AND finish IS NULL;
        IF NOT FOUND THEN RAISE 'no open game of that id'; END IF;""",
    TOURNAMENT: """INSERT INTO tournaments (id, map) VALUES (its_key, its_map)
        ON CONFLICT (id) DO UPDATE SET map = excluded.map;""",
    HAPPENED: "INSERT INTO happenings VALUES (its_key, its_number, its_map);",
    PLAYED: """INSERT INTO played (name, finish, game_seq)
        SELECT its_key, finish, seq FROM games WHERE id = its_table AND finish IS NOT NULL
        ON CONFLICT DO NOTHING;""",
    RATED: """INSERT INTO ratings VALUES (its_table, its_key, its_map)
        ON CONFLICT (game, name) DO UPDATE SET map = excluded.map;""",
}
_FUNCTION = f"""
CREATE FUNCTION pg_temp.store_rows(
    owner bigint, number_of_group bigint,
    kinds integer[], keys text[], numbers bigint[], table_ids text[], maps bytea[]
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
    its_kind integer; its_key text; its_number bigint; its_table text; its_map bytea;
BEGIN
    UPDATE owners SET stored = number_of_group WHERE epoch = owner AND open;
    IF NOT FOUND THEN RAISE 'another server writes here' USING ERRCODE = '{NOT_OWNER}'; END IF;
    FOR its_kind, its_key, its_number, its_table, its_map
        IN SELECT * FROM unnest(kinds, keys, numbers, table_ids, maps)
    LOOP
        CASE its_kind
        {chr(10).join(f"WHEN {kind} THEN {into}" for kind, into in _INTO.items())}
        END CASE;
    END LOOP;
END $$"""
_CALL = "SELECT pg_temp.store_rows(%s, %s, %s::integer[], %s::text[], %s::bigint[], %s::text[], %b::bytea[])"


def create_function(connection: Connection) -> None:
    connection.execute(_FUNCTION)


def insert_rows(connection: Connection, epoch: int, group: int, rows: Sequence[Row]) -> None:
    """Stores all rows or none, as this owner's group of that number; raises what psycopg raises."""
    columns = [list(column) for column in zip(*rows, strict=True)]
    connection.execute(_CALL, [epoch, group, *columns], prepare=True)
