"""What those get who watch a tournament: a picture first, then every event, and standings now and then.

watchers    who watches which tournament, and the numbers of its events
standings   worked out after games in a thread, and sent when it has rested
news        the message that watchers get for each event
pictures    snapshots packed for those who begin to watch
snapshot    what everybody may know of a tournament, as messages
scores      standings, crosstable and ratings as messages
"""
