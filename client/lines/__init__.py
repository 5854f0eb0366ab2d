"""A client's lines: connections to one server each. A house of several nodes needs more than one.

line  the ids that were used on a line, and the commands that wait for an answer
wire  its websocket, from the opening to the end
"""
