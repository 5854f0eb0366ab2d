"""Hurry' Cup for people: board with road, stops and panel draws the race, news tells what happens."""
