"""Programs that write files of this repository, or check it. None of them is a test or part of the wheel.

protocol_page  the generated blocks of PROTOCOL.md and docs/protocol/, and the test vectors: `make protocol`
commands_page  docs/commands.md, from the parser of the `parlour` command
man_page       docs/parlour.1, from the same parser
confusables    protocol/confusables.txt, from Unicode's table of characters that look alike
kept_boards    boards kept as text in tests/client/boards/kept/: `PYTHONPATH=tests` and `-m tools.kept_boards`
kept_screens   whole windows kept as text in tests/client/terminal/kept/, the same way
changed_rooms  runs the tests of the rooms that changed; the last step of `make check`
rooms          modules per room, and what breaks the order of the rooms; run in `make test`
readme_pictures    the pictures of the README, as SVG files
page_pictures      the pictures of the page, taken in a real browser, as WebP files
"""
