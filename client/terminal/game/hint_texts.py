"""What a strategy would play and why, in the words of the player's language."""

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.moves import MoveContext
from parlour.client.boards.text import plain
from parlour.client.hint import Hint
from parlour.client.language import Texts
from parlour.client.language.safe import safe
from parlour.client.levels import level_of
from parlour.client.terminal.game.move_texts import choice_line
from parlour.client.terminal.game.selection import Choice


def sentences(hints: Sequence[Hint], context: MoveContext) -> list[str]:
    """One for each action, best first: what it is good for, and how good that is if it makes a difference."""
    equal = len(hints) > 1 and len({_figure(hint) for hint in hints}) == 1
    return [
        context.texts(
            "hint.line",
            action=action_words(hint.action, context),
            why=_reasons(hint, equal, context),
        )
        for hint in hints
    ]


def _figure(hint: Hint) -> tuple[str, float]:
    """What is told of an evaluation."""
    return hint.measure, round(hint.evaluation, 1 if hint.measure in ("rounds", "rows") else 2)


def _reasons(hint: Hint, equal: bool, context: MoveContext) -> str:
    """What the action is good for, with the figure in brackets; without a reason, what the figure means."""
    reason = board_of(context.game).moves.reason(dict(hint.action), context)
    judged = context.texts("hint.equal") if equal else why(hint, context.texts)
    if reason and not equal and hint.measure in ("tried", "chance"):
        judged = context.texts("hint.share", share=round(100 * hint.evaluation))
    return context.texts("hint.reason", reason=reason, judged=judged) if reason else judged


def bot_name(strategy: str, texts: Texts) -> str:
    """A strategy by its level, as people choose it; one that has none by its own name."""
    level = level_of(strategy)
    return texts(f"bots.{level}") if level is not None else safe(strategy)


def action_words(action: Mapping[str, Any], context: MoveContext) -> str:
    fields = {name: value for name, value in action.items() if value is not None or name == "type"}
    return plain(choice_line(Choice(fields, (action,)), context))


def why(hint: Hint, texts: Texts) -> str:
    """What the strategy thinks of it."""
    share = round(100 * hint.evaluation)
    match hint.measure:
        case "tried":
            return texts("hint.tried", share=share, count=hint.games)
        case "chance":
            return texts("hint.wins") if share >= 100 else texts("hint.chance", share=share)
        case "rounds":
            return texts("hint.rounds", rounds=texts.number(f"{hint.evaluation:.1f}"))
        case "rows":
            return texts("hint.rows", worth=texts.number(f"{hint.evaluation:+.1f}"))
        case "only":
            return texts("hint.only")
        case _:
            return texts("hint.any")
