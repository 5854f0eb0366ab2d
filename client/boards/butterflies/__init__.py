"""Butterflies for people: board with grid draws the table, news tells what happens."""
