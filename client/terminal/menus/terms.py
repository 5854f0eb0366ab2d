"""What is agreed at a table before anybody says that they are ready: time, hints, spectators, options."""

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.options import unusual
from parlour.client.language import Texts
from parlour.protocol import messages as m


def terms(info: m.TableInfo, texts: Texts) -> str:
    """In a sentence; of the options only those that are not as usual."""
    board = board_of(info.game)
    told = [
        *_time(info.clocks, bool(board.moves.quiet), info.practice, texts),
        texts("terms.hints" if info.hints else "terms.no_hints"),
        texts(f"terms.watching_{info.watching}"),
        *unusual(info.game, board.options, info.options, texts),
    ]
    return texts("terms.line", terms=texts("list.apart").join(told))


def _time(clocks: m.Clocks, scrambles: bool, practice: bool, texts: Texts) -> list[str]:
    if clocks.decision is None:
        time = texts("terms.no_clock")
    elif clocks.bank:
        time = texts("terms.reserve", seconds=_seconds(clocks.decision), reserve=_seconds(clocks.bank))
    else:
        time = texts("terms.clock", seconds=_seconds(clocks.decision))
    hurry = scrambles and not practice
    return [time, texts("terms.scramble", seconds=_seconds(clocks.scramble))] if hurry else [time]


def _seconds(time: float) -> str:
    return f"{time:g}"
