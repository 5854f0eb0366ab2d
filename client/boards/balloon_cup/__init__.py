"""Balloon Cup for people: board draws the table, news tells what happens."""
