"""Places that offer things to do, one module each. No screen in them but page.

menu                what a menu is; page draws one
start               the first place; against_bots: a table with bots
lobby, table        the tables of a server; one table before and after a game
terms               what is agreed at a table, in a sentence
game_over           what to do after a game
new_table           a table of one's own
replays             games that one has played on this server
tournaments         the list of tournaments and the page of one; tournament_pages: what is read there
overlays            what opens over any place: keys, rules, a question
"""
