"""The rules of Hurry' Cup as paragraphs to be read, with the options of a table applied."""

from parlour.client.boards.options import Chosen
from parlour.client.boards.rules import first_player
from parlour.client.language import Texts


def paragraphs(options: Chosen, texts: Texts) -> list[str]:
    track = options["track"]
    laid = track if isinstance(track, str) and texts.has(f"hurry-cup.track_{track}") else "own"
    races = options["races"]
    return [
        texts("hurry-cup.goal"),
        texts("hurry-cup.road"),
        texts(f"hurry-cup.track_{laid}"),
        texts("hurry-cup.crews"),
        texts("hurry-cup.dice"),
        texts("hurry-cup.order"),
        first_player(options, texts),
        texts("hurry-cup.lantern"),
        texts("hurry-cup.boost"),
        texts("hurry-cup.roll"),
        texts("hurry-cup.horn"),
        texts(f"hurry-cup.grab_{options['grab']}"),
        texts("hurry-cup.scramble"),
        texts("hurry-cup.swap"),
        texts("hurry-cup.drive"),
        texts("hurry-cup.stuck"),
        texts("hurry-cup.bonus"),
        texts("hurry-cup.one_token"),
        texts("hurry-cup.trumps"),
        texts("hurry-cup.second_chance"),
        texts("hurry-cup.detour"),
        texts("hurry-cup.boost_token"),
        texts("hurry-cup.assist"),
        texts("hurry-cup.oil"),
        texts("hurry-cup.swap_token"),
        texts("hurry-cup.empty_tank", fuel=options["empty_tank"]),
        texts("hurry-cup.finish"),
        texts(f"hurry-cup.end_{'first' if races > 1 else options['finish']}"),
        texts("hurry-cup.races", races=races, count=races) if races > 1 else texts("hurry-cup.race_alone"),
        texts("common.clock"),
        texts("hurry-cup.default"),
        texts("common.leave_many"),
    ]
