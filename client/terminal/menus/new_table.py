"""A new table: game, seats, options with what they mean, clocks, and who may come."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from parlour.client.boards.catalogue import board_of
from parlour.client.boards.options import needed, option_line, settled
from parlour.client.language.safe import safe
from parlour.client.terminal.menus.menu import Item, Menu
from parlour.client.terminal.menus.overlays import read_rules
from parlour.client.terminal.player import Player
from parlour.protocol import messages as m

PACES: Mapping[str, m.Clocks] = {
    "relaxed": m.Clocks(),
    "steady": m.Clocks(decision=60.0, bank=60.0),
    "quick": m.Clocks(decision=20.0, bank=20.0),
}
WATCHING: tuple[m.Watching, ...] = ("public", "everything", "nobody")


@attrs.define
class Plan:
    """The settings of a new table; options that are not named have their defaults."""

    info: m.GameInfo | None = None
    seats: int = 2
    options: dict[str, Any] = attrs.field(factory=dict)
    public: bool = True
    bots: str = "bots"
    """`bots`; `quick_bots`, which need not wait as long as a person before they grab; or `no_bots`."""
    hints: bool = True
    watching: m.Watching = "public"
    pace: str = "relaxed"
    instead_of: str | None = None
    """The table that is left once the new one is open."""

    def command(self) -> dict[str, Any]:
        """The fields of `create_table`."""
        return {
            "game": self.info.game if self.info is not None else "",
            "seats": self.seats,
            "options": dict(self.options),
            "public": self.public,
            "bots": self.bots != "no_bots",
            "reaction": 0.0 if self.bots == "quick_bots" else m.REACTION,
            "hints": self.hints,
            "watching": self.watching,
            "clocks": PACES[self.pace],
        }


def choose_game(player: Player, plan: Plan) -> Menu:
    texts = player.texts

    def chosen(info: m.GameInfo) -> Callable[[], None]:
        def choose() -> None:
            plan.info, plan.seats = info, min(info.seats)
            plan.options.clear()
            plan.bots = "bots"
            player.close()
            player.open(lambda: planning(player, plan))

        return choose

    items = [
        Item(
            _name(player, info.game),
            chosen(info),
            str(number),
            _about(player, info.game),
            {"game": info.game},
        )
        for number, info in enumerate(player.games, 1)
    ]
    back = Item(texts("menu.back"), player.close, "q")
    return Menu(texts("start.which_game"), [*items, back], back=player.close, name="games")


def _name(player: Player, game: str) -> str:
    return player.texts(f"game.{game}") if player.texts.has(f"game.{game}") else safe(game)


def _about(player: Player, game: str) -> str:
    return player.texts(f"new.game.{game}") if player.texts.has(f"new.game.{game}") else ""


def planning(player: Player, plan: Plan) -> Menu:
    """Each line changes one thing; the first opens the table."""
    texts, info = player.texts, plan.info
    if info is None:
        return choose_game(player, plan)
    items = [
        Item(
            texts("new.open"),
            lambda: player.do(_open(player, plan)),
            "o",
            texts("new.open_about"),
        ),
        Item(
            texts("new.seats", count=plan.seats),
            _cycle(plan, "seats", info.seats),
            "s",
            "",
            {"seats": plan.seats},
        ),
        *[_option(player, info.game, plan, option) for option in info.options],
        Item(
            texts("new.pace", pace=texts(f"new.pace_{plan.pace}")),
            _cycle(plan, "pace", [*PACES]),
            "t",
            _hurry(player, plan),
            {"pace": plan.pace},
        ),
        Item(
            texts("new.public" if plan.public else "new.private"),
            _cycle(plan, "public", (True, False)),
            "p",
            "",
            {"public": plan.public},
        ),
        Item(texts(f"new.{plan.bots}"), _cycle(plan, "bots", _bots(info.game)), "b", "", {"bots": plan.bots}),
        Item(
            texts("new.hints" if plan.hints else "new.no_hints"),
            _cycle(plan, "hints", (True, False)),
            "h",
            "",
            {"hints": plan.hints},
        ),
        Item(
            texts(f"new.watching_{plan.watching}"),
            _cycle(plan, "watching", WATCHING),
            "w",
            "",
            {"watching": plan.watching},
        ),
        Item(texts("menu.rules"), lambda: read_rules(player, info.game, plan.options), "r"),
        Item(texts("menu.back"), player.close, "q"),
    ]
    return Menu(
        texts("new.title", game=_name(player, info.game)),
        items,
        [texts("new.about")],
        player.close,
        "new_table",
    )


def _hurry(player: Player, plan: Plan) -> str:
    """How long a scramble gives, whatever the pace; nothing for a game without."""
    scrambles = plan.info is not None and board_of(plan.info.game).moves.quiet
    return player.texts("terms.scramble", seconds=f"{PACES[plan.pace].scramble:g}") if scrambles else ""


async def _open(player: Player, plan: Plan) -> None:
    await player.create(**plan.command())
    if plan.instead_of is not None:
        await player.ask(m.Leave, table=plan.instead_of)


def _bots(game: str) -> Sequence[str]:
    hurried = board_of(game).moves.quiet
    return ("bots", "quick_bots", "no_bots") if hurried else ("bots", "no_bots")


def _option(player: Player, game: str, plan: Plan, option: Mapping[str, Any]) -> Item:
    name = option["option"]
    now = _now(game, plan, option)
    line = option_line(game, name, now, player.texts)
    about = player.texts.or_else(f"options.{game}.{name}.about", "")
    return Item(line, _turn(game, plan, option), about=about, facts={"option": name, "value": now})


def _now(game: str, plan: Plan, option: Mapping[str, Any]) -> Any:
    """What the table would be opened with."""
    return settled(board_of(game).options, plan.options).get(option["option"], option["default"])


def _turn(game: str, plan: Plan, option: Mapping[str, Any]) -> Callable[[], None]:
    values = option.get("values") or list(range(option.get("least", 0), option.get("most", 0) + 1))

    def turn() -> None:
        name = option["option"]
        after = _next(values, _now(game, plan, option))
        if name == "first" and isinstance(after, int) and after >= plan.seats:
            after = values[0]
        plan.options[name] = after
        plan.options = needed(board_of(game).options, plan.options)

    return turn


def _next(values: Sequence[Any], now: Any) -> Any:
    return values[(list(values).index(now) + 1) % len(values)] if now in values else values[0]


def _cycle(plan: Plan, field: str, values: Sequence[Any]) -> Callable[[], None]:
    def cycle() -> None:
        setattr(plan, field, _next(values, getattr(plan, field)))
        first = plan.options.get("first")
        if isinstance(first, int) and first >= plan.seats:
            del plan.options["first"]

    return cycle
