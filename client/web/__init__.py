"""The page for browsers: a third thin client. Its files are plain ES modules, without a build step.

files        brings what is served by its path, with the texts; `parlour serve` hands it to the server
bundle       the modules as one script, put together when a server starts
invitation   the page's address, and a QR code of it for a terminal

index.html      one empty frame with two live regions
style.css       colours and sizes, light and dark
parlour.js      the protocol as a library: knows no page and no text; Node runs it as well
choosing.js     from legal patterns and a half-made choice to what may come next
texts.js        texts of one language, out of the catalogues
catalogues.js   the texts in the reader's language, fetched from the server
reader.js       whoever is told news: you, or one of the others
cards.js        what cards of two games have in common
words_*.js      what a game says: news, fields of a move, lessons, reasons, results
words.js        the words of each game, by its name
news.js         what is told while a game goes on: news, questions, lessons and refusals
moves.js        choices and moves as sentences, and what a hint says of them
ending.js       how a game ended, what decided it, and scores
options.js      games, their options and editions, and how strong a bot is
rules.js        the rules of a game with its options
app.js          a visit: state, routes in the fragment, what a tap does
chronicle.js    what has happened at each table, and how far its board has shown it
playback.js     what others did, shown one after the other
taps.js         taps that were meant for what stood there before
motion.js       what moves
notices.js      notices, and words for whoever listens or looks elsewhere
memory.js       what the browser remembers
entrant.js      tournaments, and the reader's part in one
seats.js        the tables at which the reader sits
archive.js      games that were played, as they are shown again
large_screen.js the large screen of a living room
guide.js        what beginners are told in a game
screens.js      which screen a visit shows at a moment
parts.js        what screens are made of: buttons, fields, the frame of a page
door.js         the door, and what is seen while there is nothing to play
lobby.js        what can be begun, tables, talk
new_table.js    a game against bots, or a table with its options
gathering.js    a table before its game
seat_line.js    a seat of a table in a list
game.js         the table in a game: its board, who sits there, how it ended
asking.js       what is asked, in words, with its buttons; hints
telling.js      the story on the screen, and talk
sheets.js       what opens over a table: menu, rules, story
dragging.js     a card that is dragged to its place
story.js        the news of a game line by line, and what of them is seen at a glance
absence.js      who is away from a game, and what may be done about it
tournament_words.js  the rules of a tournament, and where it stands, as sentences
tournaments.js  the list, one of them, its games and its report
replays.js      games that were played here, and what came of them in numbers
boards.js       which games have a board, and what a board is
board_*.js      a game's board: draws, and knows no socket
render.js       the rendering library (Preact), as published; render.d.ts has its types for tsc
"""
