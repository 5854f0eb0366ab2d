"""One pure file per game: what a player sees, as text."""
