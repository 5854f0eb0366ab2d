"""Balloon Cup: two players fly over plains and mountains for coloured cubes, and buy trophies with them."""
