"""What cannot be in a position. Each check names the field at fault."""

from collections.abc import Sequence
from typing import Any

from parlour.engine.butterflies import public as p
from parlour.engine.butterflies.cards import GOAL_KIND, GOAL_KINDS, NUMBER
from parlour.engine.butterflies.cells import FARTHEST, cell_at
from parlour.engine.butterflies.draft import able_on_grid
from parlour.engine.butterflies.goals import side
from parlour.engine.butterflies.grid import connected
from parlour.engine.butterflies.state import State
from parlour.engine.errors import BadPosition
from parlour.engine.secret import Seat


def check_played(view: p.View) -> None:
    """Nobody has played what does not lie there; less may be counted, for counts left out are zero."""
    if any(count < 0 for count in view.played):
        raise BadPosition("played", "cannot be less than 0")
    if sum(view.played) > len(view.grid):
        raise BadPosition("played", f"says {sum(view.played)} cards, but {len(view.grid)} are on the grid")


def check_table(view: p.View, seats: int) -> None:
    """All that can be seen before a state is made of it."""
    lists: dict[str, Sequence[object]] = {
        "hands": view.hands,
        "goals": view.goals,
        "shown": view.shown,
        "tokens": view.tokens,
        "played": view.played,
    }
    for name, entries in lists.items():
        if len(entries) != seats:
            raise BadPosition(name, f"must have {seats} entries, one for each player, not {len(entries)}")
    _check_grid(view)
    _check_cards(view)
    _check_goals(view)
    _check_tokens(view, seats)
    _check_turn(view, seats)


def _check_grid(view: p.View) -> None:
    cells = {}
    for place, lying in enumerate(view.grid):
        cell = cell_at(lying.at)
        if cell is None:
            raise BadPosition(f"grid.{place}.at", f"is farther out than {FARTHEST}")
        if cell in cells:
            raise BadPosition(f"grid.{place}.at", f"there is another card at {list(lying.at)}")
        cells[cell] = place
    if not connected(cells):
        raise BadPosition("grid", "the cards do not hang together by their sides")


def _check_cards(view: p.View) -> None:
    places: list[tuple[str, Any]] = [
        (f"grid.{place}.card", (lying.card,)) for place, lying in enumerate(view.grid)
    ]
    places += [(f"hands.{seat}", hand) for seat, hand in enumerate(view.hands)]
    places.append(("turned", () if view.turned is None else (view.turned,)))
    places.append(("deck", () if view.deck is None else view.deck))
    found: dict[str, list[str]] = {}
    for where, cards in places:
        if not isinstance(cards, tuple):
            raise BadPosition(where, "must be a list of cards")
        if where.startswith("hands") and len(cards) > p.HAND:
            raise BadPosition(where, f"holds at most {p.HAND} cards, not {len(cards)}")
        for card in cards:
            if card not in NUMBER:
                raise BadPosition(where, f"there is no card {card!r}")
            already = found.setdefault(card, [])
            if len(already) == p.COPIES:
                raise BadPosition(
                    where, f"{card} is there {p.COPIES} times already, in {' and '.join(already)}"
                )
            already.append(where)


def _check_goals(view: p.View) -> None:
    for name in GOAL_KINDS:
        dealt: list[str] = []
        for seat, goals in enumerate(view.goals):
            word = getattr(goals, name)
            where = f"goals.{seat}.{name}"
            if word is None:
                raise BadPosition(where, "is missing: everybody has one")
            if word in dealt:
                raise BadPosition(where, f"{word} is the goal of seat {dealt.index(word)}")
            dealt.append(word)
    for seat, shown in enumerate(view.shown):
        if len(set(shown)) != len(shown):
            raise BadPosition(f"shown.{seat}", "names a goal twice")


def _check_tokens(view: p.View, seats: int) -> None:
    for seat, tokens in enumerate(view.tokens):
        if len(set(tokens)) != len(tokens):
            raise BadPosition(f"tokens.{seat}", "a player has one of each")
    words: tuple[p.Token, ...] = ("net", "web")
    for token in words:
        lying = sum(card.token == token for card in view.grid)
        left = sum(token in tokens for tokens in view.tokens)
        if lying + left > seats:
            raise BadPosition(
                "tokens", f"{left} with a {token} left and {lying} on the grid, but there are {seats}"
            )


def _check_turn(view: p.View, seats: int) -> None:
    limit = view.options.quiet_limit
    if len(view.to_act) > 1 or any(seat >= seats for seat in view.to_act):
        raise BadPosition("to_act", "must be one seat, or none at the end")
    if (view.phase == "place") != (view.turned is not None):
        raise BadPosition("phase", "is place with a card turned up, and only then: see turned")
    if not 0 <= view.quiet <= limit:
        raise BadPosition("quiet", f"must be from 0 to {limit}")
    if view.to_act and view.quiet == limit:
        raise BadPosition("quiet", f"must be below {limit} unless to_act is empty: the game is over")
    if view.to_act and view.won is not None:
        raise BadPosition("won", "must be null unless to_act is empty: the game is over")
    last = view.last
    if last is None:
        return
    if last.at not in [lying.at for lying in view.grid]:
        raise BadPosition("last.at", f"there is no card at {list(last.at)}")
    if last.by >= seats:
        raise BadPosition("last.by", f"must be a seat below {seats}")
    if view.to_act and last.by != (view.to_act[0] - 1) % seats:
        raise BadPosition("last.by", f"must be the player before seat {view.to_act[0]}, who is in to_act")


def winning_goal(state: State) -> p.Declaration | None:
    """Whoever is asked must be able to act; if nobody is, the position must tell which goal has won."""
    if state.turn is not None:
        seat = state.turn
        if not (
            state.hands[seat].value
            or state.deck.value
            or state.turned is not None
            or able_on_grid(state.grid, state.played, state.tokens[seat], state.last)
        ):
            raise BadPosition(
                "to_act", f"seat {seat} can do nothing with these hands and this deck: the turn would pass"
            )
        return None
    met = [
        p.Declaration(goal, Seat(seat))
        for seat, pair in enumerate(state.goals)
        for goal, hidden in zip(GOAL_KINDS, pair, strict=True)
        if state.shown[seat] >> GOAL_KIND[goal] & 1 and state.grid.rows >> hidden.value & 1
    ]
    if state.won is not None:
        if state.won not in met:
            raise BadPosition("won", "must be a goal that is face up in shown and whose row is on the grid")
        return state.won
    if state.quiet == state.options.quiet_limit:
        return None
    if not met:
        raise BadPosition("to_act", "is empty, but the game is not over")
    if len({side(called.seat, state.options.teams)[0] for called in met}) > 1:
        raise BadPosition("won", "must say which of several goals has won")
    return met[0]
