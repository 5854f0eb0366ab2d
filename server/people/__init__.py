"""Who is who on this server.

session      one player, over all the connections that come and go
identity     names, and the tokens that prove them
newcomers    new names: how many at a time, and which give way
rate_limit   a token bucket: how much of something one may ask for
"""
