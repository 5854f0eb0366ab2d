"""The tables that an archive is made of, in every database, and their columns that mean something."""

TABLES: dict[str, tuple[str, ...]] = {
    "people": ("name", "map", "kept"),
    "sessions": ("name", "node", "map"),
    "tables": ("id", "map"),
    "games": ("seq", "id", "table_id", "finish", "header", "ending", "lines"),
    "lines": ("game_seq", "number", "map"),
    "tournaments": ("seq", "id", "map"),
    "happenings": ("tournament", "number", "map"),
    "ratings": ("game", "name", "map"),
    "played": ("name", "finish", "game_seq"),
}
KEYS: dict[str, str] = {
    "people": "name",
    "sessions": "name, node",
    "tables": "id",
    "games": "seq",
    "lines": "game_seq, number",
    "tournaments": "seq",
    "happenings": "tournament, number",
    "ratings": "game, name",
    "played": "name, finish",
}
"""What the rows of each are unique by."""
