"""Messages and their bytes. Knows no game."""
