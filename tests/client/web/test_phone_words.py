"""What a phone shows in words: what decided a game, bonuses and news that matter, and hands revealed."""

import json
from typing import Any

import pytest
from laws.playing import ALL_KINDS, Dice, TableKind, some_action
from support.client import node

from parlour.client.boards.balloon_cup.lately import lately
from parlour.client.boards.catalogue import BOARDS
from parlour.client.boards.hurry_cup.practice import lesson
from parlour.client.boards.moves import MoveContext
from parlour.client.boards.reader import Reader
from parlour.client.boards.text import plain
from parlour.client.language import ENGLISH, LANGUAGES, Texts
from parlour.client.terminal.game.move_texts import choice_line
from parlour.client.terminal.game.selection import Selection
from parlour.client.web.files import page_texts
from parlour.engine.hurry_cup.public import Move
from parlour.engine.hurry_cup.track import FINISH
from parlour.engine.maps import tagged, to_map
from parlour.engine.match import Match
from parlour.engine.patterns import choices_to_map
from parlour.engine.secret import ALL, Seat, project
from parlour.protocol.messages import Result

NAMES = ("Anna", "Ben", "Chloe", "Dora", "Emil", "Felix")
CATALOGUES = {language: json.loads(page_texts(language)) for language in LANGUAGES}
USUAL = [kind for kind in ALL_KINDS if not kind.given]
TEAMS = next(kind for kind in ALL_KINDS if "teams" in kind.given)


def of(game: str) -> TableKind:
    return next(kind for kind in USUAL if kind.game.name == game)


def told(**given: Any) -> Any:
    return node.run("phone.mjs", {"catalogues": CATALOGUES, **json.loads(json.dumps(given))})


def finished(kind: TableKind, seed: int) -> Match:
    match, dice = kind.start((seed, str(kind))), Dice(f"{seed} {kind}")
    while match.outcome is None:
        match.act(*some_action(match, dice))
    return match


def test_what_decided_a_game_is_told_as_in_the_terminal() -> None:
    games = []
    for kind in (*ALL_KINDS[::3], TEAMS):
        match = finished(kind, 1)
        outcome, view = match.outcome, to_map(project(match.game.view(match.state), ALL))
        assert outcome is not None
        result = Result(
            winners=outcome.winners,
            places=outcome.places,
            reason=outcome.reason,
            secret=None,
            nonces=(),
            head=None,
        )
        for me in (0, 1, None):
            games.append((kind, me, NAMES[: kind.seats], view, result))
    given = [
        {
            "game": kind.game.name,
            "me": me,
            "names": names,
            "view": view,
            "result": {"places": result.places, "winners": result.winners, "reason": result.reason},
        }
        for kind, me, names, view, result in games
    ]
    said = told(endings=given)["endings"]
    for language in LANGUAGES:
        for (kind, me, names, view, result), theirs in zip(games, said[language], strict=True):
            ours = BOARDS[kind.game.name].won(view, result, Reader(names, Texts(language), me))
            # The page has the places of a race in a list below it.
            assert ours.startswith(theirs) and (theirs == ours or kind.game.name == "hurry-cup")


def test_partners_are_told_that_their_team_won_or_lost_and_by_what() -> None:
    view = to_map(project(TEAMS.start("over").game.view(TEAMS.start("over").state), ALL))
    won = {**view, "won": {"goal": "colour", "seat": 3}}
    result = {"winners": [1, 3], "places": [2, 1, 2, 1], "reason": "goal"}
    scene = {"game": "butterflies", "names": NAMES[:4], "view": won, "result": result}
    said = told(endings=[{**scene, "me": me} for me in (0, 1, None)])["endings"]["en"]
    facts = {"who": "Ben and Dora", "goal": ENGLISH(f"butterflies.word.{view['goals'][3]['colour']}")}
    keys = ("news.your_team_lost_by_goal", "news.your_team_won_by_goal", "team_won")
    assert said == [ENGLISH(f"butterflies.{key}", **facts) for key in keys]


def test_tiles_that_were_just_scored_stand_as_in_the_terminal() -> None:
    moments, ours = [], []
    for seed in range(4):
        kind = of("balloon-cup")
        match, dice = kind.start((seed, "lately")), Dice(f"{seed} lately")
        recent: list[tuple[Any, Any]] = []
        while match.outcome is None:
            before = to_map(project(match.game.view(match.state), ALL))
            news = [tagged(project(each, ALL)) for each in match.act(*some_action(match, dice)).beats[0].news]
            recent = [*recent, (before, news)][-2:]
            view = to_map(project(match.game.view(match.state), ALL))
            moments.append(
                {"view": view, "recent": [{"before": seen, "news": then} for seen, then in recent]}
            )
            ours.append(lately(view, news, recent)["tiles"])
    theirs = told(moments=moments)["lately"]
    assert theirs == json.loads(json.dumps(ours))
    assert any("winner" in tile for tiles in theirs for tile in tiles)


def test_what_uses_something_up_is_dear_on_the_page_and_in_the_terminal() -> None:
    dear = told()["dear"]
    for game, board in BOARDS.items():
        # A declaration asks a question of its own, a honk has a clock, and the lantern's section is free.
        assert set(dear[game]) == set(board.moves.costly) - {"declare", "honk", "advance"}, game


def test_drives_and_lessons_are_told_as_in_the_terminal() -> None:
    """Where a drive ends once there is a detour, that one stays, and nothing of a helmet that is spent; and
    what keeps a car from a section that it does not reach."""
    kind, questions = of("hurry-cup"), []
    for seed in range(4):
        match, dice = kind.start((seed, "drives")), Dice(f"{seed} drives")
        while match.outcome is None:
            seat, action = some_action(match, dice)
            if isinstance(action, Move):
                view = to_map(project(match.game.view(match.state), seat))
                legal = choices_to_map(match.game.legal(match.state, Seat(seat)))
                names = NAMES[: kind.seats]
                asked = {"game": kind.game.name, "me": seat, "names": names, "view": view, "legal": legal}
                questions.append(json.loads(json.dumps(asked)))
            match.act(seat, action)
    said = told(questions=questions)
    order = ["type", *BOARDS[kind.game.name].moves.fields]
    for language in LANGUAGES:
        texts, ways = Texts(language), 0
        for asked, words, taught in zip(
            questions, said["choices"][language], said["lessons"][language], strict=True
        ):
            context = MoveContext(asked["game"], asked["me"], asked["names"], asked["view"], texts)
            legal = [
                dict(sorted(each.items(), key=lambda field: order.index(field[0]))) for each in asked["legal"]
            ]
            for choice, word in zip(Selection(legal).choices(), words, strict=True):
                drives = all(each["type"] == "move" for each in choice.legal)
                ways += drives
                assert not drives or word == plain(choice_line(choice, context))
            assert taught == lesson(asked["view"], asked["me"], texts)
        assert ways > len(questions)
        beyond = [line for lines in said["beyond"][language] for line in lines]
        assert len(beyond) > len(questions)
        for asked, lines in zip(questions, said["beyond"][language], strict=True):
            view, me = asked["view"], asked["me"]
            speed, fuel = view["speeds"][me], view["fuel"][me]
            reasons = [
                texts("web.too_far", fuel=fuel),
                *(texts("web.too_fast_oil", speed=speed, section=at) for at in range(1, FINISH)),
                *(
                    texts("web.too_fast", speed=speed, section=at, limit=section["limit"])
                    for at, section in enumerate(view["track"], 1)
                    if (section["limit"] or speed) < speed
                ),
            ]
            assert all(line.endswith(tuple(reasons)) for line in lines), lines


def test_the_guide_of_a_race_is_a_line_where_a_clock_runs_and_goes_once_it_was_followed() -> None:
    kind = of("hurry-cup")
    view = to_map(project(kind.start("guide").game.view(kind.start("guide").state), Seat(0)))
    scene: dict[str, Any] = {
        "game": kind.game.name,
        "me": 0,
        "view": {**view, "phase": "horn", "to_act": [0]},
    }
    later = {**scene, "view": {**scene["view"], "round": 3}}
    honked = [{"type": "honked", "seat": 0, "token": "horn"}]
    line, aim = ENGLISH("web.raced.horn"), ENGLISH("hurry.practice_first.aim")
    horn = ENGLISH("hurry.practice.horn")
    scenes = [
        {**scene, "hurried": True},
        scene,
        later,
        {**scene, "practice": True},
        {**later, "practice": True},
        {**later, "practice": True, "news": honked},
    ]
    assert told(guided=scenes)["guides"] == [[line], [aim, line], [], [aim, horn], [horn], []]


def test_the_tip_about_moving_comes_when_it_may_be_done_and_goes_once_it_was() -> None:
    view = {"played": [3, 3], "to_act": [0]}
    scene: dict[str, Any] = {"game": "butterflies", "me": 0, "view": view}
    moves = [[{"type": "card_moved", "seat": seat}] for seat in (0, 1)]
    early = {**scene, "view": {**view, "played": [3, 2]}}
    late = {**scene, "view": {**view, "played": [7, 6]}}  # as long as it was not read
    scenes = [scene, *[{**scene, "news": news} for news in moves], early, late]
    more = "web.lesson.butterflies_more"
    assert told(guided=scenes)["tips"] == [more, None, more, None, more]


def test_what_is_moved_is_named_in_the_question_where_to() -> None:
    view = {"grid": [{"at": [0, 0], "card": "swallowtail-yellow"}]}
    chosen = [{"type": "move", "from": [0, 0]}, {"type": "play", "card": "morpho-blue"}, {"type": "place"}]
    picks = [{"game": "butterflies", "chosen": each, "view": view} for each in chosen]
    named = [ENGLISH("web.where_to_with", card=card) for card in ("yellow swallowtail", "blue morpho")]
    assert told(picks=picks)["picks"] == [*named, ENGLISH("web.where_to")]


def test_a_card_that_was_turned_up_is_with_whoever_has_to_place_it() -> None:
    kind = of("butterflies")
    view = to_map(project(kind.start("turned").game.view(kind.start("turned").state), Seat(0)))
    turned = {**view, "turned": "peacock-blue", "phase": "place"}
    own, other, watched, large = told(
        scenes=[
            {"game": "butterflies", "me": me, "names": NAMES[:2], "view": {**turned, "to_act": [seat]}} | more
            for me, seat, more in ((0, 0, {}), (0, 1, {}), (None, 1, {}), (None, 1, {"large": True}))
        ]
    )["turned"]
    assert own == [[]]  # in the hand
    for (around,) in (other, watched):
        assert "rack" in around
    assert len(large) == 1 and "lawn" in large[0]  # read from afar


def test_panels_stand_in_the_order_of_turns_and_name_the_teams() -> None:
    view = to_map(project(TEAMS.start("panels").game.view(TEAMS.start("panels").state), Seat(1)))
    scene = {"game": "butterflies", "names": NAMES[:4], "view": view}
    seated, watching = told(scenes=[{**scene, "me": 1}, {**scene, "me": None}])["scenes"]["en"]
    assert [each for each in seated if each in NAMES] == ["Chloe", "Dora", "Anna", "Ben"]  # oneself: below
    assert [each for each in watching if each in NAMES] == list(NAMES[:4])
    team = ENGLISH("butterflies.team", team="A")
    assert seated[seated.index("Chloe") + 1] == seated[seated.index("Anna") + 1] == team


def found(token: str) -> dict[str, Any]:
    """A race in which the first driver has just found a bonus."""
    kind = of("hurry-cup")
    match = kind.start(("found", token))
    view = to_map(project(match.game.view(match.state), Seat(0)))
    bonuses = [[token], *[[] for _ in NAMES[1 : kind.seats]]]
    news = [
        {"type": "round_begun", "round": 1, "starter": 0},
        {"type": "bonus_taken", "seat": 0, "token": token, "section": 3},
    ]
    changed = {"bonuses": bonuses, "fresh": token}
    return {
        "game": "hurry-cup",
        "me": 0,
        "names": NAMES[: kind.seats],
        "view": {**view, **changed},
        "news": news,
    }


@pytest.mark.parametrize("token", ["detour", "boost", "assist", "oil", "swap", "empty_tank"])
def test_a_bonus_that_i_find_says_what_it_does_until_the_round_after_the_next(token: str) -> None:
    scene = found(token)
    begun = {"type": "round_begun", "round": 2, "starter": 0}
    later = [{**scene, "news": [*scene["news"], *[begun] * rounds]} for rounds in (1, 2)]
    said = told(scenes=[scene, *later])["scenes"]
    for language in LANGUAGES:
        does = Texts(language)(f"hurry.does.{token}", fuel=scene["view"]["options"]["empty_tank"])
        assert [does in drawn for drawn in said[language]] == [True, True, False], language


def test_once_a_token_was_used_the_others_say_that_they_are_not_for_this_round() -> None:
    scene = found("empty_tank")
    used = {**scene, "view": {**scene["view"], "token_used": [True, False, False]}}
    lantern = {**used, "view": {**used["view"], "trumps": [[], [], []], "lantern": 0}}  # is no token
    drawn = told(scenes=[scene, used, lantern])["scenes"]["en"]
    assert [ENGLISH("hurry.practice_token.used") in each for each in drawn] == [False, True, False]


def test_the_flag_of_a_bonus_is_not_raised_anew_by_a_section_that_can_be_touched() -> None:
    """Such a section is drawn as a button in place of what it was, and all in it begins again."""
    (flags,) = told(scenes=[found("boost")])["flags"]
    assert len(flags) == 1 and "road" in flags[0] and "section" not in flags[0]


def test_news_that_matters_stays_in_sight_until_i_have_answered_twice() -> None:
    won = {
        "type": "tile_scored",
        "tile": 2,
        "terrain": "mountain",
        "winner": 0,
        "sums": [9, 4],
        "cubes": ["red", "blue"],
    }
    drawn = {"type": "card_drawn", "seat": 1, "card": None}
    played = {"type": "card_played", "seat": 1, "card": "red-5", "tile": 3, "side": 1}
    game: dict[str, Any] = {"game": "balloon-cup", "me": 0, "names": NAMES[:2], "view": {}}
    news = [won, drawn, played, drawn, drawn]
    stories = [{**game, "news": news, "answered": answered} for answered in ([], [0, 1], [1, 4])]
    tile, card = (BOARDS["balloon-cup"].words(each, NAMES[:2], ENGLISH, 0) for each in (won, played))
    assert told(stories=stories)["glances"]["en"] == [[tile, card], [tile, card], [card]]


def test_what_was_decided_since_my_last_answer_stands_above_the_newest_move_and_not_what_was_before() -> None:
    def scored(winner: int, tile: int) -> dict[str, Any]:
        news = {"tile": tile, "terrain": "plain", "winner": winner, "sums": [9, 4], "cubes": ["grey"]}
        return {"type": "tile_scored", **news}

    mine, theirs = scored(0, 4), scored(1, 3)
    trophy = {"type": "trophy_taken", "seat": 1, "trophy": "grey", "paid": 3, "trades": {}, "forced": True}
    played = {"type": "card_played", "seat": 1, "card": "red-5", "tile": 3, "side": 1}
    drawn = {"type": "card_drawn", "seat": 1, "card": None}
    game: dict[str, Any] = {"game": "balloon-cup", "me": 0, "names": NAMES[:2], "view": {}}
    lived = [
        ([mine, played, theirs, trophy, drawn], [0]),  # what the opponent won is what I lost
        ([mine, theirs, played, drawn], [0, 1]),
        ([mine, trophy, drawn], [0, 1]),  # beside what is new nothing is old
        ([mine, played, drawn], [0, 1]),
        ([mine, played, theirs, drawn], [0, 1]),
    ]
    stories = [{**game, "news": news, "answered": answered} for news, answered in lived]
    expected = [[theirs, trophy], [theirs, played], [trophy], [mine, played], [played, theirs]]
    words = BOARDS["balloon-cup"].words
    said = [[words(each, NAMES[:2], ENGLISH, 0) for each in glance] for glance in expected]
    assert told(stories=stories)["glances"]["en"] == said


def test_what_others_did_since_my_last_answer_is_counted_where_it_is_not_in_sight() -> None:
    def drove(seat: int, section: int) -> dict[str, Any]:
        return {"type": "car_moved", "seat": seat, "from": 0, "entered": [section], "detour": None}

    game: dict[str, Any] = {"game": "hurry-cup", "me": 0, "names": NAMES[:3], "view": {}}
    kept = {"type": "quiet_kept", "seat": 1}  # not worth a line by itself
    news = [drove(2, 1), drove(0, 2), kept, drove(1, 3), drove(2, 4), drove(1, 5)]
    stories = [{**game, "news": news[:last], "answered": answered} for last, answered in COUNTED]
    assert told(stories=stories)["missed"] == [2, 1, 0, 0]


COUNTED: tuple[tuple[int, list[int]], ...] = ((6, [1]), (5, [1]), (4, [1]), (6, []))


def test_what_is_asked_is_what_is_legal() -> None:
    plays = {"type": "play", "card": {"one_of": ["morpho-red", "peacock-red"]}, "at": [0, 1], "declare": None}
    last = {**plays, "card": "morpho-red"}
    turn, net = {"type": "turn"}, {"type": "net"}
    move = {"type": "move", "from": [0, 0], "to": [0, 2], "declare": None}
    questions = [[turn, plays], [turn, net, plays, move], [move], [move, net], [last, move], [plays], [last]]
    view = {"phase": "act", "played": [3, 3]}
    asks = [{"game": "butterflies", "view": view, "legal": legal} for legal in questions]
    said = told(asks=asks)["asked"]
    kinds = ("play_turn", "play_turn_move", "move", "move", "play_move", "play")
    words = [ENGLISH(f"web.asked.butterflies.{each}") for each in kinds]
    for token in (1, 3):
        words[token] = ENGLISH("web.asked_or_token", asked=words[token])
    assert said == [*words, ENGLISH("web.where_to_with", card="red morpho")]  # which is raised


def meadow(legal: list[Any], **given: Any) -> dict[str, Any]:
    """Three cards in a row, seen by the first player; what is legal now, and was `asked` before a choice."""
    kind = of("butterflies")
    view = to_map(project(kind.start("cells").game.view(kind.start("cells").state), Seat(0)))
    grid = [{"at": [x, 0], "card": card} for x, card in enumerate(DIFFERENT[:3])]
    changed = {"grid": grid, "phase": "act", "played": [3, 3], **given.pop("view", {})}
    names = NAMES[: kind.seats]
    return {"game": "butterflies", "me": 0, "names": names, "picks": True, "legal": legal, **given} | {
        "view": view | changed
    }


LAST_CARD = {"type": "play", "card": "peacock-blue", "at": {"one_of": [[0, 1], [1, 1]]}, "declare": None}
MOVES = [
    {"type": "move", "from": [x, 0], "to": {"one_of": [[1, 1], [1, -1]]}, "declare": None} for x in (0, 2)
]


def marked(cells: dict[str, Any], mark: str) -> set[str]:
    return {place for place, cell in cells.items() if mark in cell["marks"]}


def test_the_last_card_of_a_hand_is_laid_by_one_tap_only_if_nothing_else_can_be_done() -> None:
    scenes = [meadow([LAST_CARD]), meadow([LAST_CARD, *MOVES])]
    alone, beside = told(scenes=scenes)["cells"]
    assert marked(alone, "lit") == {"0,1", "1,1"}
    assert marked(beside, "lit") == marked(beside, "movable") == {"0,0", "2,0"}


def test_another_card_of_the_grid_may_be_tapped_instead_of_what_is_picked_up() -> None:
    scenes = [meadow([picked], asked=[LAST_CARD, *MOVES]) for picked in (MOVES[0], LAST_CARD)]
    grid, hand = told(scenes=scenes)["cells"]
    assert marked(grid, "lit") == {"0,0", "1,1", "1,-1"} and marked(hand, "lit") == {"0,1", "1,1"}
    assert marked(grid, "movable") == {"0,0", "2,0"} == marked(hand, "movable")
    assert all(cells["2,0"]["open"] and not cells["1,0"]["open"] for cells in (grid, hand))


def test_beside_a_token_that_is_about_to_be_put_other_cards_say_where_it_goes() -> None:
    net, last = {"type": "net"}, {"at": [1, 0], "by": 1, "how": "moved"}
    (cells,) = told(scenes=[meadow([net], asked=[net, *MOVES], view={"last": last})])["cells"]
    assert marked(cells, "lit") == {"1,0"} and not marked(cells, "movable")
    assert {cells[place]["why"] for place in ("0,0", "2,0")} == {ENGLISH("web.why.token_on_last")}


def test_a_card_of_the_grid_says_that_the_card_turned_up_comes_first() -> None:
    place = {"type": "place", "at": {"one_of": [[0, 1], [1, 1]]}, "declare": None}
    (cells,) = told(scenes=[meadow([place], view={"phase": "place", "turned": "peacock-blue"})])["cells"]
    assert [cells[place]["why"] for place in ("0,0", "1,0", "0,1")] == [
        *[ENGLISH("web.why.turned_up")] * 2,
        "",
    ]


def test_headlines_of_a_race_go_with_the_next_round_and_what_was_of_a_round_with_it() -> None:
    begun = {"type": "round_begun", "round": 1, "starter": 0}
    empty = {"type": "tank_emptied", "seat": 0}
    bonus = {"type": "bonus_taken", "seat": 0, "token": "boost", "section": 6}
    moved = {"type": "car_moved", "seat": 1, "from": 0, "entered": [1], "detour": None}
    game: dict[str, Any] = {"game": "hurry-cup", "me": 0, "names": NAMES[:3], "view": {}, "answered": [0]}
    lived = [[begun, head, *[begun] * rounds, moved] for head in (empty, bonus) for rounds in (0, 1, 2)]
    tank, found, drove = (
        BOARDS["hurry-cup"].words(each, NAMES[:3], ENGLISH, 0) for each in (empty, bonus, moved)
    )
    glances = told(stories=[{**game, "news": news} for news in lived])["glances"]["en"]
    assert glances == [[tank, drove], [drove], [drove], [found, drove], [found, drove], [drove]]


def test_what_time_did_is_told_with_it_and_goes_with_my_next_answer() -> None:
    mine, theirs = (
        {"type": "car_moved", "seat": seat, "from": 0, "entered": [1], "detour": None} for seat in (0, 1)
    )
    words = BOARDS["hurry-cup"].words
    drove, other = (words(each, NAMES[:3], ENGLISH, 0) for each in (mine, theirs))
    told_so = f"{ENGLISH('play.time_up')} {drove}"
    up = ENGLISH("replay.cause.time_up", who=NAMES[0])
    game: dict[str, Any] = {"game": "hurry-cup", "me": 0, "names": NAMES[:3], "view": {}}
    stories = [
        {**game, "news": [mine, theirs], "timedOut": [[0, [0]]], "answered": []},
        {**game, "news": [mine, theirs], "timedOut": [[0, [0]]], "answered": [0, 2]},
        {**game, "news": [theirs], "timedOut": [[0, [0]]], "answered": []},  # of mine nothing
    ]
    assert told(stories=stories)["glances"]["en"] == [[told_so, other], [other], [up, other]]


def test_a_claim_says_what_it_leads_to_while_ones_own_cubes_are_in_sight() -> None:
    kind = of("balloon-cup")
    match = kind.start("claim")
    view = to_map(project(match.game.view(match.state), Seat(0)))
    claim = {"type": "claim", "trophy": "grey", "trades": {"red": 1}}
    scene = {"game": "balloon-cup", "me": 0, "names": NAMES[:2], "legal": [claim, {"type": "decline"}]}
    scene["view"] = view | {"trophies": {"red": 0, "blue": 1, "green": 0}}
    calm = scene | {"legal": [{"type": "decline"}]}
    found = told(scenes=[scene, calm])
    for language in LANGUAGES:
        texts = Texts(language)
        leads = texts("web.claim_leads", trophies=texts("balloon.trophy_count", count=3))
        assert [leads in drawn for drawn in found["scenes"][language]] == [True, False], language
    assert found["looks"] == [["rack"], []]


@pytest.mark.parametrize("game", ["balloon-cup", "butterflies"])
def test_whoever_sees_everything_sees_all_hands(game: str) -> None:
    kind = of(game)
    match = kind.start("hands")
    views = [to_map(project(match.game.view(match.state), seer)) for seer in (ALL, Seat(0))]
    names = NAMES[: kind.seats]
    scenes = [{"game": game, "me": None, "names": names, "view": view} for view in views]
    everything, one = told(scenes=scenes)["scenes"]["en"]
    named = [[called(card, ENGLISH) for card in hand] for hand in views[0]["hands"]]
    assert all(card in everything for hand in named for card in hand)
    assert not any(card in one for hand in named[1:] for card in hand if card not in named[0])


def test_a_finger_on_small_cells_means_the_lit_place_that_is_clearly_nearest() -> None:
    size = 24
    places = [{"x": size * x, "y": 0, "lit": x in (1, 2, 4)} for x in range(6)]
    unlit_card, lit_place, beside, between, edge, far = told(
        taps=[
            {"places": places, "at": at}
            for at in ((0, 0), (size, 2), (4 * size + 10, 0), (1.5 * size, 0), (3.45 * size, 0), (0, 60))
        ]
    )["taps"]
    assert (lit_place, beside) == (1, 4)
    assert edge == 4  # a tap that is but just on a card without a question
    assert between == "unclear"
    assert unlit_card is None and far is None  # the browser knows what was hit


def test_a_grid_that_stands_high_is_given_the_height_of_a_large_screen() -> None:
    kind = of("butterflies")
    match = kind.start("tall")
    view = to_map(project(match.game.view(match.state), ALL))
    high = [[0, y] for y in range(5)]
    grids = [high, [[x, 0] for x in range(5)], [*high[:3], [1, 0], [2, 0]]]
    scenes = []
    for cells in grids:
        cards = [{"at": at, "card": card} for at, card in zip(cells, DIFFERENT, strict=False)]
        scenes.append(
            {
                "game": "butterflies",
                "me": None,
                "names": NAMES[:2],
                "view": {**view, "grid": cards, "last": None},
            }
        )
    assert told(scenes=scenes)["tall"] == [True, False, True]


DIFFERENT = ("monarch-red", "morpho-red", "peacock-red", "monarch-blue", "morpho-blue")


def called(card: str, texts: Texts) -> str:
    first, last = card.split("-")
    if last.isdecimal():
        return texts(f"balloon.card.{first}", value=last)
    word = "butterflies.word"
    return texts("butterflies.card", species=texts(f"{word}.{first}"), colour=texts(f"{word}.{last}"))


def test_a_hint_on_the_page_names_no_cells() -> None:
    kind = of("butterflies")
    match, dice = kind.start("advice"), Dice("advice")
    advice = []
    while match.outcome is None:
        seat, action = some_action(match, dice)
        view = to_map(project(match.game.view(match.state), seat))
        advice.append(
            {
                "game": "butterflies",
                "me": seat,
                "names": NAMES[: kind.seats],
                "view": view,
                "action": tagged(action),
            }
        )
        match.act(seat, action)
    for language, lines in told(advice=advice)["advice"].items():
        assert all(line and not any(letter.isdigit() for letter in line) for line in lines), language


@pytest.mark.parametrize("language", LANGUAGES)
def test_paragraphs_of_the_rules_have_their_lead_words_apart(language: str) -> None:
    rules = [text for board in BOARDS.values() for text in board.rules({}, Texts(language))]
    leads = told(paragraphs=rules)["leads"]
    assert all(
        f"{lead} {rest}".strip() == text or lead + rest == text
        for (lead, rest), text in zip(leads, rules, strict=True)
    )
    led = [lead for lead, _ in leads if lead]
    assert len(led) > len(rules) / 2 and all(rest for lead, rest in leads if lead)
