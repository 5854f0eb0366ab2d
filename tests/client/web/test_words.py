"""The page says what the terminal says: news of long random games, choices in words, and the rules."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from laws.playing import ALL_KINDS, Dice, TableKind, some_action
from support import soak
from support.client import node

from parlour.client.boards.catalogue import BOARDS
from parlour.client.boards.moves import MoveContext
from parlour.client.boards.text import plain
from parlour.client.hint import Hint
from parlour.client.language import LANGUAGES, Texts
from parlour.client.legal import count, nth
from parlour.client.terminal.game.hint_texts import sentences
from parlour.client.terminal.game.move_texts import choice_line
from parlour.client.terminal.game.selection import Selection
from parlour.client.tournaments.texts import rules_lines
from parlour.client.web.files import page_texts
from parlour.engine.maps import tagged, to_map
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import ALL, Seat, project
from parlour.protocol.messages import Clocks
from parlour.server.tournament.rules import Entry, Rules

NAMES = ("Anna", "Ben 🎈", "Хлоя", "安", "{who}", "Felix")
GAMES_EACH = soak.count(1, 10)
EVERY = 5
"""Of the questions of a game so many are looked at."""


def catalogues(kind: TableKind) -> dict[str, Any]:
    """Of one language, which goes by the kind of table; in `make soak` of all."""
    every = list(LANGUAGES)
    first = ALL_KINDS.index(kind) % len(every)
    chosen = [*every[first:], *every[:first]][: soak.count(1, len(every))]
    return {language: json.loads(page_texts(language)) for language in chosen}


def out_of_order(pattern: Mapping[str, Any]) -> dict[str, Any]:
    """Maps that travel have no order."""
    return dict(reversed(pattern.items()))


def played(kind: TableKind, seed: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """The news of a game as several viewers get it, and some of its questions."""
    match, dice = kind.start((seed, str(kind))), Dice(f"{seed} {kind}")

    def others(seat: int) -> Seat:
        return Seat((seat + 1) % kind.seats)

    game, names = kind.game.name, NAMES[: kind.seats]
    news: list[dict[str, Any]] = []
    questions: list[dict[str, Any]] = []
    for number in range(20_000):
        if match.outcome is not None:
            return news, questions
        seat, action = some_action(match, dice)
        if number % EVERY == 0:
            view = to_map(project(match.game.view(match.state), seat))
            legal = [out_of_order(each) for each in choices_to_map(match.game.legal(match.state, Seat(seat)))]
            questions.append({"game": game, "me": seat, "names": names, "view": view, "legal": legal})
        for beat in match.act(seat, action).beats:
            for piece in beat.news:
                news += [
                    {"game": game, "names": names, "plain": tagged(project(piece, viewer)), "me": me}
                    for viewer, me in ((seat, seat), (others(seat), others(seat)), (ALL, None))
                ]
    raise AssertionError("the game did not end")


@pytest.mark.parametrize("kind", ALL_KINDS, ids=str)
def test_the_page_says_what_the_terminal_says(kind: TableKind) -> None:
    games = [played(kind, seed) for seed in range(GAMES_EACH)]
    given = {
        "catalogues": catalogues(kind),
        "news": [each for news, _ in games for each in news],
        "questions": [each for _, questions in games for each in questions],
        "tables": [{"game": kind.game.name, "options": dict(kind.given)}],
    }
    given = json.loads(json.dumps(given))
    said = node.run("words.mjs", given)
    assert given["news"] and given["questions"]
    for language in given["catalogues"]:
        check_news(given["news"], said["news"][language], Texts(language))
        check_choices(given["questions"], said["questions"][language], Texts(language))
        assert said["rules"][language] == [BOARDS[kind.game.name].rules(kind.given, Texts(language))]


def check_news(given: list[Any], said: list[str], texts: Texts) -> None:
    assert said == [
        BOARDS[each["game"]].words(each["plain"], each["names"], texts, each["me"]) for each in given
    ]


def in_order_of_fields(game: str, legal: list[Any]) -> list[Any]:
    """As the terminal asks for them, whatever the order in which they came."""
    order = ["type", *BOARDS[game].moves.fields]
    return [dict(sorted(pattern.items(), key=lambda field: order.index(field[0]))) for pattern in legal]


def check_choices(given: list[Any], said: list[Any], texts: Texts) -> None:
    """The same choices; in Balloon Cup in the same words too, where the terminal has no letters for them."""
    for each, theirs in zip(given, said, strict=True):
        context = MoveContext(each["game"], each["me"], each["names"], each["view"], texts)
        ours = Selection(in_order_of_fields(each["game"], each["legal"])).choices()
        assert [fields for fields, _ in theirs] == [dict(choice.fields) for choice in ours]
        if each["game"] == "balloon-cup":
            words = [plain(choice_line(choice, context)) for choice in ours if not choice.ends]
            assert [told for _, told in theirs][: len(words)] == words


def test_the_page_tells_the_rules_of_a_tournament_as_the_terminal_does() -> None:
    settled = [
        Rules("Cup", "balloon-cup", "swiss", "snow"),
        Rules(
            *("Race <b>", "hurry-cup", "knockout", "<i>x</i>"),
            seats=4,
            rounds=3,
            games=4,
            clocks=Clocks(decision=2.5),
            entry=Entry(who="bots", invitation=True, late=2, one_per_address=True),
            bye="none",
        ),
    ]
    every = [{**each.plain(), "tie_breaks": list(each.breaks())} for each in settled]
    given = {
        "catalogues": {each: json.loads(page_texts(each)) for each in LANGUAGES},
        "tournaments": every,
    }
    said = node.run("words.mjs", given)["tournaments"]
    for language in LANGUAGES:
        assert said[language] == [rules_lines(each, Texts(language)) for each in every]


@pytest.mark.parametrize(
    ("measure", "evaluation"),
    [
        ("tried", 0.5),
        ("chance", 0.31),
        ("chance", 1.0),
        ("rounds", 7.3),
        ("rows", -1.5),
        ("rows", 2.0),
        ("only", 0),
    ],
)
def test_the_page_tells_hints_as_the_terminal_does(measure: str, evaluation: float) -> None:
    action = {"type": "claim", "trophy": "red"}
    ranked = [{"action": action, "measure": measure, "evaluation": evaluation, "games": 40}]
    context = {"game": "balloon-cup", "me": 0, "names": ["Ann", "Ben"], "view": {}}
    catalogues = {each: json.loads(page_texts(each)) for each in LANGUAGES}
    given = {"catalogues": catalogues, "hints": [{**context, "ranked": ranked}]}
    said = node.run("words.mjs", given)["hints"]
    for language in LANGUAGES:
        known = MoveContext("balloon-cup", 0, ["Ann", "Ben"], {}, Texts(language))
        (theirs,) = said[language]
        ours = sentences([Hint(**each) for each in ranked], known)
        assert [known.texts("hint.line", **each) for each in theirs] == ours


SAID = 6
"""Hints of a question."""


@pytest.mark.parametrize("kind", [kind for kind in ALL_KINDS if not kind.given], ids=str)
def test_the_page_says_why_as_the_terminal_does(kind: TableKind) -> None:
    _, questions = played(kind, 3)
    hints = []
    for number, each in enumerate(json.loads(json.dumps(questions))):
        actions = [nth(each["legal"], place) for place in range(min(SAID, count(each["legal"])))]
        worth = [0.5 if number % 3 == 0 else 0.5 + place / 10 for place in range(len(actions))]
        measured = {"measure": "rounds" if number % 2 else "tried", "games": 40}
        pairs = zip(actions, worth, strict=True)
        ranked = [{"action": action, "evaluation": each_worth, **measured} for action, each_worth in pairs]
        hints.append({**{name: each[name] for name in ("game", "me", "names", "view")}, "ranked": ranked})
    said = node.run("words.mjs", {"catalogues": catalogues(kind), "hints": hints})["hints"]
    for language, told in said.items():
        for each, theirs in zip(hints, told, strict=True):
            known = MoveContext(each["game"], each["me"], each["names"], each["view"], Texts(language))
            ours = sentences([Hint(**one) for one in each["ranked"]], known)
            assert [one["why"] for one in theirs] == [_why(line, known) for line in ours]
            assert all(one["action"] for one in theirs)


def _why(line: str, known: MoveContext) -> str:
    """A hint without its action, which the terminal tells with letters."""
    between = known.texts("hint.line", action="|", why="|").split("|")[1]
    return line.partition(between)[2]


def test_the_page_asks_for_a_declaration_where_the_terminal_does() -> None:
    kind = next(kind for kind in ALL_KINDS if kind.game.name == "butterflies" and not kind.given)
    rows = []
    for seed in range(3):
        for each in json.loads(json.dumps(played(kind, seed)[1])):
            every = [nth(each["legal"], place) for place in range(count(each["legal"]))]
            laid = [action for action in every if "declare" in action]
            goals = [*{json.dumps(action["declare"]): action["declare"] for action in laid}.values()]
            # Each way to lay a card, with the declaration still open.
            waiting = [{**action, "declare": {"one_of": goals}} for action in laid[:40]]
            others = [pattern for pattern in each["legal"] if pattern["type"] == "declare"]
            rows += [{"view": each["view"], "legal": [one, *others]} for one in waiting]
    declared = [
        {"view": each["view"], "action": {**each["legal"][0], "declare": goal}}
        for each in rows
        for goal in each["legal"][0]["declare"]["one_of"]
    ]
    answers = node.run("words.mjs", {"catalogues": {}, "rows": rows, "declared": declared})
    said = answers["unasked"]
    ours = [
        json.loads(json.dumps(BOARDS["butterflies"].moves.unasked(each["view"], each["legal"])))
        for each in rows
    ]
    assert said == ours
    assert any(one["declare"] for told in ours for one in told if one["type"] != "declare")
    # Of one's own goals those that are asked about win, so that the page needs no second question.
    kept = [(each["view"], one["declare"]) for each, told in zip(rows, ours, strict=True) for one in told[:1]]
    goals_asked = [goal for _, declare in kept if declare for goal in declare["one_of"] if goal]
    assert sum(answers["wins"]) == len(goals_asked)
