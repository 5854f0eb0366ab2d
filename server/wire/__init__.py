"""Bytes: connections come in, frames are read and written. Decides nothing about games or people.

gateway      takes connections, reads frames, hands messages to the lobby, rings the tables' alarms
admission    who may open a connection: programs always, web pages only if the server says so
connection   one connection from its hello to its end
websocket    frames in: whole messages, handed over as their packet is read, and held when told to
outbox       frames out: bounded, written at once, never waiting for a peer that does not read
"""
