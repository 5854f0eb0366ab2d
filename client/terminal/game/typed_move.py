"""A move that somebody types: chosen if it is clear, or what is wrong with it and what would do."""

from collections.abc import Sequence

import attrs

from parlour.client.boards.text import plain
from parlour.client.table import Table
from parlour.client.terminal.game.move_entry import MoveEntry, in_order, without_unasked
from parlour.client.terminal.game.move_texts import choice_line, typed_ways, ways
from parlour.client.terminal.game.offer import Offer
from parlour.client.terminal.game.selection import Choice, Selection
from parlour.client.terminal.game.typed_meanings import Meaning, Meanings, meanings
from parlour.client.terminal.game.typed_words import NEAR, folded, nearest
from parlour.client.terminal.game.vocabulary import meant, said


@attrs.frozen
class _AskedSteps:
    """The steps as they are asked."""

    entry: MoveEntry
    table: Table

    def offers_at(self, step: Selection) -> list[Offer]:
        return self.entry.offers_at(step, self.table)

    def after(self, step: Selection, choice: Choice) -> Selection:
        return without_unasked(step.take(choice), self.table)

    def typed_ways(self, choice: Choice) -> Sequence[str]:
        return typed_ways(choice, self.entry.context(self.table))


@attrs.frozen
class _LegalSteps(_AskedSteps):
    """The steps of all that is legal, also of what nobody needs to be asked about."""

    def offers_at(self, step: Selection) -> list[Offer]:
        context = attrs.evolve(self.entry.context(self.table), typed=True)
        return [
            Offer(
                choice_line(choice, context),
                tuple(ways(choice, context)),
                tuple(typed_ways(choice, context)),
                choice,
            )
            for choice in step.choices()
        ]

    def after(self, step: Selection, choice: Choice) -> Selection:
        return step.take(choice)


# Letters


def write(entry: MoveEntry, text: str, table: Table) -> None:
    """Puts this in the place of what was typed; points at what Enter would take, if that is an offer."""
    entry.typed, entry.wrong = text, ""
    if not text:
        entry.point_first(table)
        return
    only = understood(entry, table).only
    single = only.offers[0] if only is not None and len(only.offers) == 1 else None
    entry.cursor = entry.offers.index(single) if single in entry.offers else None


def erase(entry: MoveEntry, table: Table) -> None:
    """Takes back a letter, or else a step."""
    if entry.typed:
        write(entry, entry.typed[:-1], table)
    else:
        entry.step_back(table)


def complete(entry: MoveEntry, table: Table) -> None:
    """Fills up what was typed with the first offer that fits; without anything typed, the next offer."""
    shown = entry.fitting()
    if not entry.typed or not shown:
        entry.point(1, 0, table)
    else:
        number = entry.cursor if entry.cursor in shown else shown[0]
        entry.typed, entry.wrong = folded(plain(entry.offers[number].line)), ""
        entry.cursor = number


# Words


def understood(entry: MoveEntry, table: Table) -> Meanings:
    """What may be meant by what was typed so far.

    What nobody is asked about may be typed too, where it makes up a whole action.
    """
    found = meanings(entry.selection, entry.offers, entry.typed, _AskedSteps(entry, table))
    if found.best or entry.selection is None or table.question is None:
        return found
    steps, first = _LegalSteps(entry, table), Selection(in_order(table.question.legal, table))
    unasked = meanings(first, steps.offers_at(first), entry.typed, steps)
    whole = [each for each in unasked.best if each.step is not None and each.step.action is not None]
    return Meanings(tuple(whole))


def enter(entry: MoveEntry, table: Table) -> None:
    """Chooses what is pointed at, or what was typed if it can mean one thing only."""
    if entry.cursor is not None and entry.cursor < len(entry.offers):
        entry.choose(entry.cursor, table)
    elif entry.typed and entry.offers:
        found = understood(entry, table)
        if found.only is not None:
            _take(entry, found.only, table)
        elif len(found.best) > 1:
            _ask_which(entry, found)
        else:
            _complain(entry, table)


def _take(entry: MoveEntry, meaning: Meaning, table: Table) -> None:
    entry.typed = entry.wrong = ""
    if meaning.step is None:
        entry.choose(entry.offers.index(meaning.offers[0]), table)
        return
    chosen = [offer.choice.fields for offer in meaning.offers if offer.choice is not None]
    entry.go(meaning.step, table, {name: value for fields in chosen for name, value in fields.items()})


def _ask_which(entry: MoveEntry, found: Meanings) -> None:
    """Says what it may mean; what was typed stays, for more letters to follow."""
    texts = entry.player.texts
    near = texts("list.apart").join(plain(each.line) for each in found.best[:NEAR])
    more = " …" if len(found.best) > NEAR else ""
    entry.wrong = texts("play.which", typed=entry.typed, near=f"{near}{more}")


def _complain(entry: MoveEntry, table: Table) -> None:
    """Says what is near; why the rules are against it only the server knows, and is asked."""
    typed = entry.typed
    numbers = nearest([offer.ways for offer in entry.offers], typed)
    near = entry.player.texts("list.apart").join(plain(entry.offers[number].line) for number in numbers)
    # With nothing pointed at: a second Enter must not take what was pointed at before.
    entry.typed, entry.cursor = "", None
    entry.wrong = entry.player.texts("play.no_such_choice", typed=typed, near=near)
    if entry.selection is not None:
        game = table.info.game
        action = meant(game, typed, entry.selection.legal)
        entry.ask_why(table, action, said(game, typed, action or {}), "play.why_not", near)
