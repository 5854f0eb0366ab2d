"""Composes rules and protocol: sessions, lobby, tables, clocks, archive, tournaments."""
