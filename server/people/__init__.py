"""Who is who on this server.

session      one player, over all the connections that come and go
identity     names, and the tokens that prove them
newcomers    new names: how many at a time, and which give way
remembered   the answers to a player's last commands, for those that are sent again
rate_limit   a token bucket: how much of something one may ask for
"""
