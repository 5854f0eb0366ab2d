"""The rules of the games. Pure: no bytes, no clock, no sockets, no text for people, no luck of its own."""
