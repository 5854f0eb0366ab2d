"""All that typed words may mean: the offers of one step after another that they name."""

from collections.abc import Iterator, Sequence
from typing import Protocol

import attrs

from parlour.client.boards.text import Line, joined
from parlour.client.terminal.game.offer import Offer
from parlour.client.terminal.game.selection import Choice, Selection
from parlour.client.terminal.game.typed_words import Fit, fit, folded

Words = Sequence[str]


class Steps(Protocol):
    """The steps of a move: what can be chosen at one, what comes after it, and how fields may be typed."""

    def offers_at(self, step: Selection) -> list[Offer]: ...

    def after(self, step: Selection, choice: Choice) -> Selection: ...

    def typed_ways(self, choice: Choice) -> Sequence[str]: ...


@attrs.frozen
class Meaning:
    """Offers of one step after another that typed words name, and the step that they lead to."""

    offers: tuple[Offer, ...]
    step: Selection | None
    """None behind an offer that is no part of an action."""
    fit: Fit
    in_order: bool = True
    """Whether words stand as in the offers: "2 t" rather means "tile 2 theirs" than "tile 2 mine"."""
    whole: bool = False
    """Whether the last offer tells the whole action: words named what nobody was asked."""

    @property
    def line(self) -> Line:
        return joined([offer.line for offer in (self.offers[-1:] if self.whole else self.offers)])


@attrs.frozen
class Meanings:
    """The best readings of what was typed, one for each step that they lead to."""

    best: tuple[Meaning, ...] = ()

    @property
    def only(self) -> Meaning | None:
        """What Enter takes: the one reading whose numbers are all there."""
        certain = len(self.best) == 1 and self.best[0].fit > Fit.UNFINISHED
        return self.best[0] if certain else None


def meanings(step: Selection | None, offers: Sequence[Offer], typed: str, steps: Steps) -> Meanings:
    """Reads words as offers of this step and of those after it.

    Words that name offers whole count before beginnings: "sr 0,-3" plays a card of the hand, though a card
    "Sr" that lies on the grid might be moved there as well.
    """
    found = list(_read(step, offers, tuple(folded(typed).split()), steps))
    most = max(((each.fit, each.in_order) for each in found), default=(Fit.NOT, False))
    best: list[Meaning] = []
    for each in found:
        if (each.fit, each.in_order) == most and not any(_same_end(each, other) for other in best):
            best.append(each)
    return Meanings(tuple(best))


def _same_end(one: Meaning, other: Meaning) -> bool:
    if one.step is None or other.step is None:
        return one.offers == other.offers
    return one.step.legal == other.step.legal


def _read(step: Selection | None, offers: Sequence[Offer], words: Words, steps: Steps) -> Iterator[Meaning]:
    for size in range(len(words), 0, -1):
        rest = words[size:]
        for offer in offers:
            fits = offer.fit(words[:size])
            # What lacks its end is the end of what was typed.
            if fits > (Fit.UNFINISHED if rest else Fit.NOT):
                ordered = offer.fits_in_order(words[:size])
                for each in _read_on(step, offer, fits, rest, steps):
                    told = not each.whole or each.offers[-1].fits_in_order(words)
                    yield attrs.evolve(each, in_order=each.in_order and ordered and told)
    if step is not None:
        yield from _read_settled(step, offers, words, steps)
        for offer in _kinds(offers):
            if Selection(offer.choice.legal if offer.choice is not None else ()).action is None:
                yield from _read_on(step, offer, Fit.EXACT, words, steps)


def _kinds(offers: Sequence[Offer]) -> list[Offer]:
    """The offers that stand alone for a kind of action, which need not be named: the rest tells it."""
    types = [offer.choice.fields.get("type") if offer.choice is not None else None for offer in offers]
    return [
        offer
        for offer, kind in zip(offers, types, strict=True)
        if kind is not None and types.count(kind) == 1
    ]


def _read_on(step: Selection | None, offer: Offer, fits: Fit, rest: Words, steps: Steps) -> Iterator[Meaning]:
    """The words after those of an offer: the next step's, or what nobody was asked."""
    after = steps.after(step, offer.choice) if step is not None and offer.choice is not None else None
    if not rest:
        yield Meaning((offer,), after, fits)
    elif after is not None and after.action is None:
        for later in _read(after, steps.offers_at(after), rest, steps):
            yield attrs.evolve(later, offers=(offer, *later.offers), fit=min(fits, later.fit))
    elif after is not None and (named := _fit_settled(after, rest, steps)):
        yield Meaning((offer, *steps.offers_at(after)), after, min(fits, named), whole=True)


def _read_settled(step: Selection, offers: Sequence[Offer], words: Words, steps: Steps) -> Iterator[Meaning]:
    """Somebody may name first what was never asked: the one tile that a card fits."""
    for size in range(len(words) - 1, 0, -1):
        if (named := _fit_settled(step, words[:size], steps)) > Fit.UNFINISHED:
            for later in _read(step, offers, words[size:], steps):
                yield attrs.evolve(later, fit=min(named, later.fit))
            return


def _fit_settled(step: Selection, words: Words, steps: Steps) -> Fit:
    """How well words name what is settled; to name a part of it is exact enough.

    What is left out must be said whole: "declare" is not yet "declare nothing".
    """
    told = {name: value for name, value in step.settled.items() if value is not None}
    unsaid = [{name: None} for name, value in step.settled.items() if value is None]
    left_out = [way for fields in unsaid for way in steps.typed_ways(Choice(fields, ()))]
    ways = [
        *steps.typed_ways(Choice(told, ())),
        *[way for way in left_out if len(folded(way).split()) <= len(words)],
    ]
    best = max(fit(way, words) for way in ways)
    return Fit.EXACT if best is Fit.WHOLE else best
