"""Messages and their bytes. Knows no game.

message              what every message is
messages             every message, a class each
tournament_messages  those about tournaments
node_messages        those of a house of several servers
errors               the codes that travel, and what each means
codec                bytes to messages and back, with one strict profile for msgpack and JSON
frame                a message on its way out, packed once
parts                maps put together from parts that were packed apart
results              what `ok` brings, by command
schema               all messages as one JSON Schema
version              what this build speaks
names                names that people may choose
lookalikes           which names look alike to a reader
numbers              whole numbers that stand in text
clocks               which times a table or a tournament may ask for
strategies           the strategies of built-in bots
"""
