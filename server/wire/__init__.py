"""Bytes: connections come in, frames are read and written. Decides nothing about games or people.

listening    sockets that take connections: everybody's, and a private one for built-in bots
gateway      takes connections, reads frames, hands messages to the lobby, wakes tables in time
admission    who may open a connection: programs always, the server's own page, others if the server says so
proxies      whose connection it is when a trusted proxy stands between
page         the page for browsers over HTTP: an exact table of paths
connection   one connection from its hello to its end
peer_socket  a websocket as connections and outboxes see it
websocket    frames in: whole messages, handed over as their packet is read, or held back; and frames out
reading_turns  who is read next when many send at once: networks take turns
plain_websocket  the same by websockets alone, to fall back to
outbox       frames out: a bounded queue for each peer; no other peer waits for one that does not read
"""
