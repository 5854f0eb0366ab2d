"""The screen without a terminal: keys in, lines out, in windows of every size."""

import asyncio
import time
from typing import Any

import attrs
import pytest
from support.client.seated_player import player_at, table_at, table_info

from parlour.client.boards.catalogue import BOARDS
from parlour.client.boards.press import pressed, pressing
from parlour.client.boards.text import columns, plain, wrapped
from parlour.client.connection import Gone
from parlour.client.language import LANGUAGES, Texts
from parlour.client.table import Table
from parlour.client.terminal import connecting
from parlour.client.terminal.game.story import Story
from parlour.client.terminal.menus.against_bots import play_bots
from parlour.client.terminal.menus.lobby import join
from parlour.client.terminal.menus.new_table import Plan, choose_game
from parlour.client.terminal.menus.table import pause
from parlour.client.terminal.player import Server
from parlour.client.terminal.screen import Screen
from parlour.engine.catalogue import GAMES as CATALOGUE
from parlour.protocol import messages as m
from parlour.server.lobby.games import describe

GAMES = {"balloon-cup": 14, "hurry-cup": 30, "butterflies": 14}
SIZES = [(80, 24), (120, 40), (200, 60)]


def text(screen: Screen, width: int = 80, height: int = 24) -> str:
    return "\n".join(plain(line) for line in screen.lines(width, height))


def ready(screen: Screen) -> Screen:
    """Drawn once, as before any key."""
    screen.lines(80, 24)
    return screen


async def settle() -> None:
    """Waits until the tasks that were started are done."""
    for _ in range(5):
        await asyncio.sleep(0)


def gathering(**more: Any) -> Table:
    table = table_at("balloon-cup", 0)
    info = table_info("balloon-cup", 2, "gathering", **more)
    return attrs.evolve(table, info=info, view=None, question=None, awaited=(), news=[])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", GAMES)
async def test_a_game_fills_its_window_and_no_line_is_too_wide(
    game: str, size: tuple[int, int], language: str
) -> None:
    player, _ = player_at(table_at(game, GAMES[game]), Texts(language))
    lines = Screen(player).lines(*size)
    assert len(lines) == size[1]
    assert max(map(columns, lines)) <= size[0]
    shown = "\n".join(plain(line) for line in lines)
    assert player.texts("play.your_turn") in shown
    assert "▸" in shown and player.texts("connection.fine", ms=3) in shown


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", [(80, 24), (120, 40), (40, 12)])
async def test_menus_fit_their_window_in_every_language(size: tuple[int, int], language: str) -> None:
    for table in (None, gathering()):
        player, _ = player_at(table, Texts(language))
        for connected in (True, False):
            if not connected:
                player.connection = None
            lines = Screen(player).lines(*size)
            assert len(lines) == size[1] and max(map(columns, lines)) <= size[0]


@pytest.mark.parametrize("size", [(1, 1), (20, 5), (39, 11), (79, 23), (200, 3)])
async def test_a_window_that_is_too_small_says_so_and_never_fails(size: tuple[int, int]) -> None:
    for table in (None, gathering(), table_at("hurry-cup", 10)):
        player, _ = player_at(table)
        lines = Screen(player).lines(*size)
        assert len(lines) <= max(size[1], 1)
    assert "too small" in text(Screen(player_at(table_at("hurry-cup", 10))[0]), 59, 24)
    assert "too small" in text(Screen(player_at(None)[0]), 39, 11)


@pytest.mark.parametrize("game", GAMES)
async def test_there_are_never_choices_without_a_board(game: str) -> None:
    player, _ = player_at(table_at(game, 14))
    screen = Screen(player)
    title = player.texts(f"game.{game}").upper()
    for size in ((60, 20), (79, 23), (60, 40), (200, 20)):
        assert title in text(screen, *size) and "▸" in text(screen, *size)
    for size in ((59, 24), (80, 19)):
        window = text(screen, *size)
        assert "parlour play --plain" in window and not any(
            plain(offer.line) in window.splitlines()[-2] for offer in screen.move_entry.offers
        )


async def test_arrows_and_enter_play_what_is_pointed_at() -> None:
    player, connection = player_at(table_at("balloon-cup", 14))
    screen = ready(Screen(player))
    chosen = screen.move_entry.offers[1].choice
    assert chosen is not None
    screen.press("right")
    screen.press("enter")
    assert screen.move_entry.selection is not None
    assert screen.move_entry.selection.settled["card"] == chosen.fields["card"]
    screen.press("enter")
    await settle()
    ((kind, fields),) = connection.asked
    assert kind is m.Act
    assert fields["turn"] == 1 and fields["action"]["card"] == chosen.fields["card"]


async def test_typing_narrows_and_backspace_takes_back() -> None:
    player, _ = player_at(table_at("balloon-cup", 14))
    screen = ready(Screen(player))
    every = screen.move_entry.fitting()
    screen.press("y")
    assert 0 < len(screen.move_entry.fitting()) < len(every)
    screen.press("backspace")
    assert screen.move_entry.fitting() == every


async def test_a_refused_move_is_told_and_can_be_chosen_anew() -> None:
    player, connection = player_at(table_at("balloon-cup", 14))
    connection.refusal = m.Error(1, "busy", {}, 1.0)
    screen = ready(Screen(player))
    screen.press("enter")
    screen.press("enter")
    await settle()
    shown = text(screen)
    assert player.notice and player.notice[:20] in shown
    assert "▸" in shown.splitlines()[-2]


async def test_what_is_not_legal_is_answered_with_why_and_what_is_near() -> None:
    player, connection = player_at(table_at("balloon-cup", 14))
    connection.refusal = m.Error(1, "illegal", {"why": "not_in_hand", "card": "grey-13"})
    screen = ready(Screen(player))
    for key in ("e", "1", "3", "enter"):
        screen.press(key)
    await settle()
    assert "E13 is not in your hand" in text(screen)
    assert "Did you mean:" in text(screen)


async def test_a_step_back_and_then_the_menu() -> None:
    player, _ = player_at(table_at("balloon-cup", 14))
    screen = ready(Screen(player))
    screen.press("enter")
    assert "Esc back" in text(screen)
    screen.press("escape")
    assert not player.places and "Esc menu" in text(screen)
    screen.press("escape")
    assert "Give up" in text(screen) and "honk" not in text(screen)
    screen.press("escape")
    assert not player.places


@pytest.mark.parametrize("game", GAMES)
async def test_the_menu_of_a_game_has_only_the_switches_that_it_needs(game: str) -> None:
    player, _ = player_at(table_at(game, GAMES[game]))
    screen = ready(Screen(player))
    screen.press("f10")
    shown = text(screen)
    assert ("Never honk" in shown) == (game == "hurry-cup")
    assert ("scored tiles" in shown) == (game == "balloon-cup")


async def test_one_key_grabs_in_a_scramble() -> None:
    table = table_at("hurry-cup", 0)
    legal = ({"type": "grab", "pawn": {"one_of": ["red", "blue", "black"]}},)
    table.question = m.Question(4, "grab", True, legal)
    player, connection = player_at(table)
    screen = Screen(player)
    screen.press("k")
    await settle()
    assert connection.asked == [
        (m.Act, {"table": "OAK", "turn": 4, "action": {"type": "grab", "pawn": "black"}})
    ]


async def test_the_switch_keeps_quiet_when_horns_are_asked_and_only_then() -> None:
    table = table_at("hurry-cup", 0)
    legal = ({"type": "honk", "via": "horn"}, {"type": "quiet"})
    table.question = m.Question(4, "horn", True, legal)
    player, connection = player_at(table)
    player.settings.quiet = True
    screen = Screen(player)
    text(screen)
    text(screen)
    await settle()
    assert [fields["action"] for _, fields in connection.asked] == [{"type": "quiet"}]
    other, silent = player_at(table_at("balloon-cup", 14))
    other.settings.quiet = True
    text(Screen(other))
    await settle()
    assert silent.asked == []


@pytest.mark.parametrize(
    ("game", "offered"),
    [("balloon-cup", {"linger_off"}), ("hurry-cup", {"quiet_on"}), ("butterflies", set())],
)
async def test_the_menu_of_a_game_has_only_the_switches_that_change_something_there(
    game: str, offered: set[str]
) -> None:
    table = table_at(game, 14)
    player, _ = player_at(table)
    told = {item.words for item in pause(player, table).items}
    assert {key for key in ("quiet_on", "linger_off") if player.texts(f"play.{key}") in told} == offered


async def test_declaring_is_asked_twice() -> None:
    table = table_at("butterflies", 14)
    table.question = m.Question(4, "act", False, ({"type": "declare", "goal": "colour", "seat": 0},))
    player, connection = player_at(table)
    screen = ready(Screen(player))
    screen.press("right")
    screen.press("enter")
    assert "Declare " in text(screen)
    await settle()
    assert connection.asked == []
    screen.press("y")
    await settle()
    assert [kind for kind, _ in connection.asked] == [m.Act]


async def test_a_lost_connection_is_never_a_live_board() -> None:
    player, _ = player_at(table_at("balloon-cup", 14))
    screen = Screen(player)
    player.lost_at = time.monotonic()
    lines = screen.lines(80, 24)
    assert {style for line in lines[:19] for style, _ in line} <= {"class:faint"}
    assert player.texts("play.stale") in text(screen) and "trying again" in text(screen)
    assert screen.move_entry.offers == []
    player.lost_at = None
    assert "▸" in text(screen).splitlines()[-2]


async def test_the_time_without_a_connection_is_no_round_trip(monkeypatch: pytest.MonkeyPatch) -> None:
    player, connection = player_at(None)
    clock = [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: clock[0])

    async def ask(*_asked: Any) -> None:
        if clock[0] > 100.0:
            raise Gone("closed")
        player.lose("broken")
        clock[0] += 17.0
        limits = m.Limits(**{field.name: 1 for field in attrs.fields(m.Limits)})
        player.hear(m.Welcome(1, 1, "parlour 0", (), limits, 15.0, m.Person("Anna", False), "t", 1, (), 0.0))

    monkeypatch.setattr(connecting, "MEASURED_EVERY", 0.0)
    monkeypatch.setattr(connection, "ask", ask)
    with pytest.raises(Gone):
        await connecting.measure(player, connection)  # type: ignore[arg-type]
    assert player.round_trip == 0.003


async def test_what_peers_wrote_is_shown_and_does_nothing() -> None:
    table = table_at("balloon-cup", 14)
    table.chat = (m.Line("Ev\x1bil", False, "\x1b[2J‮ hi [press:q]", 0.0),)
    player, _ = player_at(table)
    shown = text(Screen(player))
    assert "\x1b" not in shown and "‮" not in shown and "hi [press:q]" in shown


async def test_those_who_watch_are_not_offered_to_speak() -> None:
    player, connection = player_at(attrs.evolve(table_at("balloon-cup", 14), seat=None, question=None))
    screen = Screen(player)
    assert "/ chat" not in text(screen)
    screen.press("/")
    assert player.prompt is None and "Spectators cannot chat" in text(screen)
    screen.press("f10")
    assert "Say something" not in text(screen) and "Leave the table" in text(screen)
    assert connection.asked == []


async def test_what_was_said_is_not_told_again_by_a_server_that_was_started_again() -> None:
    story, table = Story(), table_at("balloon-cup", 14)
    table.chat = (m.Line("Ben", False, "hi", 40.0), m.Line("Ben", False, "hi", 41.0))
    assert story.follow(table, Texts("en"))[-2:] == ["Ben: hi", "Ben: hi"]
    table.chat = (
        m.Line("Ben", False, "hi", 1.0),
        m.Line("Ben", False, "hi", 2.0),
        m.Line("Cleo", False, "ho", 3.0),
    )
    assert story.follow(table, Texts("en")) == ["Cleo: ho"]
    table.chat = (*table.chat, m.Line("Cleo", False, "ho", 4.0))
    assert story.follow(table, Texts("en")) == ["Cleo: ho"]


@pytest.mark.parametrize("table", [table_at("balloon-cup", 14), gathering()])
async def test_no_line_of_what_a_peer_said_passes_for_somebody_elses(table: Table) -> None:
    table.chat = (m.Line("Eve", False, "x" * 70 + " Anna gave up." * 20, 0.0),)
    player, _ = player_at(table)
    shown = [line for line in text(Screen(player)).splitlines() if "gave up" in line]
    assert shown and all(line.lstrip().startswith("Eve: ") for line in shown)


async def test_a_click_presses_what_it_points_at() -> None:
    player, _ = player_at(None)
    player.connection = None
    screen = Screen(player)
    lines = screen.lines(80, 24)
    row = next(number for number, line in enumerate(lines) if "Your name" in plain(line))
    key = pressed(lines[row], 10)
    assert key is not None
    screen.press(key)
    assert player.prompt is not None


def test_a_press_survives_in_a_style_and_nothing_is_pressed_beside_it() -> None:
    line = [("class:x", "ab"), (f"class:y {pressing('enter')}", "你好")]
    assert [pressed(line, column) for column in (0, 2, 5, 6)] == [None, "enter", "enter", None]


async def test_what_is_typed_goes_where_it_is_asked_and_a_paste_too() -> None:
    player, _ = player_at(None)
    player.connection = None
    screen = Screen(player)
    screen.press("n")
    assert "Anna" in text(screen)
    for key in ("backspace", "backspace", "home", "X", "end", "你"):
        screen.press(key)
    screen.paste("a\nb")
    screen.press("enter")
    assert player.settings.name == "XAn你a b"


async def test_leaving_in_a_game_is_asked_and_elsewhere_not() -> None:
    player, _ = player_at(table_at("balloon-cup", 14))
    screen = ready(Screen(player))
    screen.press("c-c")
    assert not player.over.is_set() and player.places
    screen.press("y")
    assert player.over.is_set()
    other, _ = player_at(None)
    Screen(other).press("c-c")
    assert other.over.is_set()


async def test_whoever_leaves_a_table_is_not_told_that_it_is_gone(monkeypatch: pytest.MonkeyPatch) -> None:
    player, connection = player_at(gathering())
    news = m.LobbyGone("ASH", "closed")
    player.hear(news)

    async def ask(_: type[m.Command], /, **__: Any) -> None:
        player.hear(news)  # before the answer
        connection.session.tables.clear()
        player.hear(news)

    monkeypatch.setattr(connection, "ask", ask)
    screen = ready(Screen(player))
    screen.press("q")
    await settle()
    assert player.table_id is None and "removed" not in text(screen)


async def test_whoever_is_removed_before_the_table_is_on_the_screen_is_told(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, connection = player_at(None)

    async def ask(_: type[m.Command], /, **__: Any) -> Any:
        player.hear(m.LobbyGone("ASH", "kicked"))  # in the same packet as the answer
        return {"table": "ASH", "seat": 1}

    monkeypatch.setattr(connection, "ask", ask)
    player.do(player.join(code="ABCDEF"))
    await settle()
    assert player.table_id is None and "The host has removed you" in text(Screen(player))


async def test_a_table_offers_what_can_be_done_there() -> None:
    player, connection = player_at(gathering())
    screen = Screen(player)
    assert "Start the game" in text(screen)
    screen.press("s")
    await settle()
    assert connection.asked == [(m.Start, {"table": "OAK"})]


async def test_whoever_is_ready_starts_with_the_next_key() -> None:
    chairs = table_info("balloon-cup", 2).chairs
    waiting = attrs.evolve(chairs[1], ready=False)
    table = attrs.evolve(
        gathering(), info=table_info("balloon-cup", 2, "gathering", chairs=(chairs[0], waiting))
    )
    player, connection = player_at(table)
    screen = Screen(player)
    assert "▸ y  Wait, I am not ready" in text(screen)
    table.info = table_info("balloon-cup", 2, "gathering", chairs=chairs)
    assert "▸ s  Start the game" in text(screen)
    screen.press("enter")
    await settle()
    assert connection.asked == [(m.Start, {"table": "OAK"})]


async def test_a_table_says_what_is_agreed_there() -> None:
    clocks = m.Clocks(decision=20.0, bank=30.0)
    info = table_info("hurry-cup", 3, "gathering", clocks=clocks, hints=False, options={"races": 2})
    player, _ = player_at(attrs.evolve(gathering(), info=info))
    told = " ".join(text(Screen(player)).split())
    assert "20 s a move, then 30 s in reserve for the game; 12 s to honk, look and grab; no hints" in told
    assert "others may watch" in told and "Races: 2" in told


@pytest.mark.parametrize("seat", [0, 1])
async def test_ones_own_side_comes_first_in_either_seat(seat: int) -> None:
    legal = ({"type": "play", "card": "red-4", "tile": {"one_of": [1, 2]}, "side": {"one_of": [0, 1]}},)
    table = attrs.evolve(table_at("balloon-cup", 0), seat=seat, question=m.Question(1, "play", False, legal))
    player, _ = player_at(table)
    screen = Screen(player)
    shown = [plain(offer.line) for offer in (screen.lines(80, 24), screen.move_entry.offers)[1]]
    assert shown == ["tile 1 mine", "tile 1 theirs", "tile 2 mine", "tile 2 theirs"]


async def test_escape_after_a_refusal_takes_the_refusal_away_and_opens_no_menu() -> None:
    player, _ = player_at(table_at("balloon-cup", 14))
    screen = Screen(player)
    for key in ("q", "x", "enter"):
        screen.press(key)
    assert "You can't choose" in text(screen)
    screen.press("escape")
    assert "You can't choose" not in text(screen) and not player.places
    screen.press("escape")
    assert "Game menu" in text(screen)


async def test_control_u_empties_what_was_typed() -> None:
    player, _ = player_at(table_at("balloon-cup", 14))
    screen = Screen(player)
    for key in ("q", "x", "c-u"):
        screen.press(key)
    assert screen.move_entry.typed == ""
    for key in ("/", "h", "i", "c-u", "enter"):
        screen.press(key)
    assert not player.busy


def finished(**more: Any) -> Table:
    return attrs.evolve(gathering(), info=table_info("balloon-cup", 2, "finished", **more))


async def test_another_game_against_bots_takes_one_key() -> None:
    player, connection = player_at(table := finished())
    screen = Screen(player)
    assert "Play again" in text(screen)
    screen.press("m")
    table.info = gathering().info
    await settle()
    assert [kind for kind, _ in connection.asked] == [m.Rematch, m.Ready, m.Start]


async def test_a_guest_may_ask_for_another_game_too_and_waits_for_the_host() -> None:
    people = tuple(attrs.evolve(chair, bot=False) for chair in table_info("balloon-cup", 2).chairs if chair)
    player, connection = player_at(table := finished(chairs=people, host=people[1].name))
    screen = Screen(player)
    assert "Play again" in text(screen)
    screen.press("m")
    table.info = gathering(chairs=people, host=people[1].name).info
    await settle()
    assert [kind for kind, _ in connection.asked] == [m.Rematch, m.Ready]


async def test_bots_of_every_strength_can_sit_down_by_a_key() -> None:
    chairs = table_info("balloon-cup", 3).chairs
    player, connection = player_at(gathering(chairs=(chairs[0], None, chairs[2])))
    connection.answers[m.AddBot] = {"seat": 2}
    player.games = (m.GameInfo("balloon-cup", (2,), (), ("search", "random", "casual", "own", "greedy")),)
    screen = Screen(player)
    listed = [each for each in text(screen).splitlines() if "Add a bot" in each]
    assert [each.split("(")[1] for each in listed] == ["easy)", "medium)", "hard)", "own)"]
    for key in ("e", "m", "h", "4"):
        screen.press(key)
    await settle()
    assert [fields["strategy"] for _, fields in connection.asked] == ["casual", "greedy", "search", "own"]


async def test_everybody_at_a_table_sees_how_strong_its_bots_are() -> None:
    chairs = table_info("balloon-cup", 3).chairs
    assert chairs[2] is not None
    bot = attrs.evolve(chairs[2], bot=True, strategy="greedy")
    player, _ = player_at(gathering(chairs=(chairs[0], None, bot)))
    assert "3  Chloe (bot, medium, ready)" in text(Screen(player))


async def test_a_lost_server_can_be_left_and_the_table_says_nothing_of_giving_up() -> None:
    player, _ = player_at(table_at("balloon-cup", 14))
    player.lost_at = time.monotonic()
    screen = ready(Screen(player))
    screen.press("f10")
    shown = text(screen)
    assert "Leave this server" in shown and "Give up" not in shown


async def test_one_may_look_around_in_the_lobby_and_go_back_to_ones_seat() -> None:
    player, connection = player_at(table_at("balloon-cup", 14))
    screen = ready(Screen(player))
    screen.press("f10")
    screen.press("l")
    assert "Go back to your table: Balloon Cup (Anna and Ben)" in text(screen)
    screen.press("enter")
    await settle()
    assert player.table_id == "OAK" and "Your turn" in text(screen) and connection.asked == []


async def test_whoever_has_begun_too_many_games_is_led_to_them() -> None:
    player, connection = player_at(table_at("balloon-cup", 14))
    connection.refusal = m.Error(1, "too_many_tables", {"most": 4})
    player.do(play_bots(player, "butterflies", 2))
    await settle()
    shown = text(Screen(player))
    assert "You have too many unfinished games here." in shown and "Go back to your table" in shown


async def test_a_game_that_was_left_goes_on_instead_of_a_new_one() -> None:
    player, connection = player_at(table_at("balloon-cup", 14))
    player.look_at(None)
    player.do(play_bots(player, "balloon-cup", 2))
    await settle()
    assert player.table_id == "OAK" and connection.asked == []
    assert "Your game goes on where you left it." in text(Screen(player))


async def test_in_a_small_window_sentences_share_a_line_and_what_is_said_has_its_own() -> None:
    table = table_at("balloon-cup", 14)
    table.chat = (m.Line("Ben", False, "hm", 0.0),)
    player, _ = player_at(table)
    screen = Screen(player)
    above, last = text(screen).splitlines()[-4:-2]
    assert last == " Ben: hm" and above.count(". ") >= 1
    assert text(screen, 120, 40).splitlines()[-4].count(".") == 1


async def test_what_is_wrong_is_told_in_full_even_if_it_takes_two_lines() -> None:
    player, _ = player_at(table_at("balloon-cup", 14))
    screen = ready(Screen(player))
    screen.move_entry.wrong = "word " * 25
    shown = screen.lines(80, 24)
    assert len(shown) == 24 and sum(plain(line).count("word") for line in shown[-2:]) == 25


async def test_rules_and_help_open_over_everything_and_scroll() -> None:
    player, _ = player_at(table_at("balloon-cup", 14))
    screen = ready(Screen(player))
    screen.press("f2")
    first = text(screen)
    screen.press("pagedown")
    assert text(screen) != first
    screen.press("escape")
    assert player.reading is None
    screen.press("?")
    assert "TYPING" in text(screen, 120, 40)


async def test_a_key_that_comes_before_the_connection_chooses_nothing() -> None:
    player, connection = player_at(None)
    player.connection, player.server = None, Server("ws://127.0.0.1:9")
    screen = ready(Screen(player))
    before = text(screen)
    for key in ("enter", "p", "o", "n", "down"):
        screen.press(key)
    assert text(screen) == before and player.prompt is None and not player.places
    player.connection = connection  # type: ignore[assignment]
    assert "Lobby" in text(screen)


async def test_every_menu_opens_the_help_that_its_foot_names() -> None:
    player, _ = player_at(None)
    screen = ready(Screen(player))
    screen.press("n")
    assert "Which game?" in text(screen) and "? help" in text(screen)
    screen.press("?")
    assert player.reading is not None


def test_games_are_numbered_alike_before_and_after_a_server_is_there() -> None:
    assert [*BOARDS] == [*CATALOGUE]


async def test_options_turn_and_the_first_value_is_as_usual() -> None:
    player, _ = player_at(None)
    options = ({"option": "wind", "default": "off", "values": ["off", "on"]},)
    player.games = (m.GameInfo("balloon-cup", (2,), options, ("random",)),)
    screen = Screen(player)
    for key in ("n", "1", "down", "down", "enter"):
        text(screen)
        screen.press(key)
    assert "Wind: on" in text(screen) and "a 7 may take the place" in text(screen)
    screen.press("enter")
    assert "Wind: off" in text(screen)


async def test_an_edition_shows_what_it_sets_and_leaves_a_choice() -> None:
    player, _ = player_at(None)
    plan = Plan()
    player.games = (describe(CATALOGUE["balloon-cup"], ("random",)),)
    player.open(lambda: choose_game(player, plan))
    screen = Screen(player)
    for key in ("1", "down", "down", "enter"):
        text(screen)
        screen.press(key)
    shown = text(screen)
    assert "Edition: Italian" in shown and "Cubes paid for a trophy go: into the bag" in shown
    for key in ("down",) * 4 + ("enter",):
        screen.press(key)
    assert "Cubes paid for a trophy go: out of the game" in text(screen)
    assert plan.command()["options"] == {"edition": "italian", "paid_cubes": "box"}
    screen.press("r")
    rules = text(screen, 100, 60)
    assert "At this table: Edition: Italian; Cubes paid for a trophy go: out of the game." in rules
    assert "At most two cubes of a colour" not in rules


@pytest.mark.parametrize(
    ("told", "lines"),
    [
        ("one two three", ["one two", "three"]),
        ("你好世界再见", ["你好世界", "再见"]),
        ("abcdefghijkl", ["abcdefgh", "ijkl"]),
        ("two  blanks", ["two", "blanks"]),
        ("a  b\n c", ["a  b c"]),
        ("", []),
    ],
)
def test_text_is_wrapped_by_columns(told: str, lines: list[str]) -> None:
    assert wrapped(told, 8) == lines


async def test_whoever_has_a_seat_goes_back_to_it_by_the_code() -> None:
    table = table_at("butterflies", 14)
    table.code = "2PUUS2"
    player, connection = player_at(table)
    player.table_id = None
    connection.refusal = m.Error(1, "not_now", {"problem": "seated"})
    await join(player, code="2puus2")
    assert player.table_id == table.id and not player.notice


async def test_who_plays_with_whom_is_told_before_the_start() -> None:
    chairs = table_info("butterflies", 4).chairs
    table = gathering()
    table.info = table_info("butterflies", 4, "gathering", options={"teams": "on"})
    table.info = attrs.evolve(table.info, chairs=(*chairs[:3], None))
    window = text(Screen(player_at(table)[0]))
    assert "team A: Anna and Chloe; team B: Ben and …" in window
    assert "3  Chloe (bot, team A, ready)" in window
    table.info = attrs.evolve(table.info, options={"teams": "off"})
    assert "team A" not in text(Screen(player_at(table)[0]))


async def test_who_gave_up_is_marked_on_the_board() -> None:
    table = table_at("hurry-cup", 14)
    first, second, third = table.info.chairs
    assert second is not None
    table.info = attrs.evolve(table.info, chairs=(first, attrs.evolve(second, left=True), third))
    assert "Ben (gave up)" in text(Screen(player_at(table)[0]), 120, 40)


@pytest.mark.parametrize(
    ("url", "reached_at", "told"),
    [
        ("ws://127.0.0.1:21925", ("ws://192.168.1.7:21925",), "http://192.168.1.7:21925/#K7M2PQ"),
        ("ws://192.168.1.7:21925", (), "http://192.168.1.7:21925/#K7M2PQ"),
        ("ws://localhost:21925", (), "Only this machine reaches this server."),
        ("ws://[::1]:21925", (), "Only this machine reaches this server."),
    ],
)
async def test_an_invitation_is_an_address_that_others_reach(
    url: str, reached_at: tuple[str, ...], told: str
) -> None:
    table = gathering()
    table.code = "K7M2PQ"
    player, connection = player_at(table)
    connection.url = url  # type: ignore[attr-defined]
    player.reached_at = reached_at
    screen = Screen(player)
    screen.press("i")
    assert told in text(screen) and "127.0.0.1" not in text(screen)
