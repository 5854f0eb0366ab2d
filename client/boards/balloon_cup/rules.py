"""The rules of Balloon Cup as paragraphs to be read, with the options of a table applied."""

from parlour.client.boards.options import Chosen
from parlour.client.boards.rules import first_player
from parlour.client.language import Texts


def paragraphs(options: Chosen, texts: Texts) -> list[str]:
    caps = [texts("balloon-cup.tile_cap")] if options["tile_cap"] != "none" else []
    caps += [texts("balloon-cup.table_cap")] if options["table_cap"] == "on" else []
    return [
        texts("balloon-cup.goal"),
        texts("balloon-cup.cards"),
        texts("balloon-cup.trophies"),
        texts("balloon-cup.setup"),
        *caps,
        first_player(options, texts),
        texts("balloon-cup.turn"),
        texts("balloon-cup.fit"),
        texts(f"balloon-cup.side_{options['opponent_side']}"),
        *([texts("balloon-cup.wind")] if options["wind"] == "on" else []),
        texts(f"balloon-cup.stuck_{options['stuck_shows']}"),
        texts("balloon-cup.score"),
        texts("balloon-cup.refill"),
        texts("balloon-cup.next"),
        texts("balloon-cup.forced"),
        texts(f"balloon-cup.trade_{options['trade']}"),
        texts(f"balloon-cup.paid_{options['paid_cubes']}"),
        texts("balloon-cup.end"),
        texts("balloon-cup.lock"),
        texts("common.clock"),
        texts("balloon-cup.default"),
        texts("common.leave_two"),
    ]
