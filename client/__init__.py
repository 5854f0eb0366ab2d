"""Thin clients: they draw and choose, and hold no rules."""
