"""One message of each kind at least: the examples of the catalogue and the valid test vectors."""

import attrs

from parlour.protocol import messages as m
from parlour.protocol.version import FEATURES, MINOR, NODES
from tools.protocol_page import tournament_examples

TABLE = "K7M2PQ4XTZ"
CODE = "H3VW8N"
COMMITMENT = "66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925"
SECRET = "00" * 32
OPTIONS = {"teams": "off", "declare": "manual", "quiet_limit": 24, "first": "random"}


def _chair(name: str, *, bot: bool = False, ready: bool = False, nonce: str | None = None) -> m.Chair:
    return m.Chair(name=name, bot=bot, here=True, ready=ready, stand_in=False, left=False, nonce=nonce)


ANNA, ADA = _chair("Anna", ready=True, nonce="tea-at-five"), _chair("Bot Ada", bot=True, ready=True)
INFO = m.TableInfo(
    table=TABLE,
    game="butterflies",
    options=OPTIONS,
    chairs=(ANNA, ADA),
    host="Anna",
    stage="gathering",
    public=True,
    bots=True,
    watching="public",
    clocks=m.Clocks(),
    reaction=m.REACTION,
    watchers=1,
    number=1,
    commitment=COMMITMENT,
)
LINE = m.Line(name="Anna", bot=False, text="Good luck!", at=1000.5)
CLOCK = m.Clock(now=1001.0, ends=(1031.0, None), banks=(60.0, 60.0), graces=(60.0, 41.5))
QUESTION = m.Question(
    turn=3,
    phase="act",
    scramble=False,
    legal=(
        {"type": "play", "card": "monarch-red", "at": {"one_of": [[0, -1], [1, 0]]}, "declare": None},
        {"type": "turn"},
    ),
)
VIEW = {
    "options": OPTIONS,
    "grid": [{"at": [0, 0], "card": "morpho-blue", "token": None}],
    "hands": [["monarch-red", "peacock-green"], 2],
    "deck": 27,
    "goals": [{"colour": "red", "species": "morpho"}, {"colour": None, "species": None}],
    "shown": [[], []],
    "tokens": [["net", "web"], ["net", "web"]],
    "played": [0, 1],
    "last": {"at": [0, 0], "by": 1, "how": "laid"},
    "turned": None,
    "quiet": 0,
    "phase": "act",
    "to_act": [0],
    "won": None,
}
HEAD = "77d5aa3eb9f2c0d1f4a8b6e35c9071d2486fbe0a13c5d7e9f1a2b3c4d5e6f708"
RESULT = m.Result(
    winners=(1,), places=(2, 1), reason="forfeit", secret=SECRET, nonces=("tea-at-five", None), head=HEAD
)
TICKET = "Zk3v8Qm1Lr7cXw0sTn5yBd2eHj9aUf4gPi6oKl8tVxE"
HOUSE = (m.Node("oak", "ws://10.0.0.4:21925"), m.Node("elm", "ws://10.0.0.5:21925"))
WELCOME = m.Welcome(
    version=1,
    minor=MINOR,
    server="parlour 0.1.0",
    features=FEATURES,
    limits=m.Limits(
        frame_bytes=16384,
        depth=16,
        name_length=24,
        chat_length=300,
        nonce_length=64,
        tables_each=4,
        commands_per_second=50.0,
        burst=100,
        remembered_ids=256,
    ),
    heartbeat=15.0,
    you=m.Person("Anna", False),
    token="9fK2c0m7Yt1uQw8zR3xLpV6hJb5nDs4eGa2iTo0yUk",
    last_id=0,
    tables=(),
    now=1000.0,
)
WELCOME_IN_A_HOUSE = attrs.evolve(
    WELCOME,
    features=(*FEATURES, NODES),
    node="oak",
    nodes=HOUSE,
    elsewhere=(m.Elsewhere(TABLE, "ws://10.0.0.5:21925"),),
)

EXAMPLES: dict[str, tuple[m.Message, ...]] = {
    "hello": (
        m.Hello(versions=(1,), client="my first bot 0.1", name="Anna", features=("chat",)),
        m.Hello(versions=(1, 2), client="x", token="9fK2c0m7Yt1uQw8zR3xLpV6hJb5nDs4eGa2iTo0yUk"),
        m.Hello(versions=(1,), client="x", name="Ångström 2", bot=True),
        m.Hello(versions=(1,), client="x", features=("nodes",), ticket=TICKET),
    ),
    "welcome": (
        WELCOME,
        WELCOME_IN_A_HOUSE,
    ),
    "goodbye": (m.Goodbye("replaced"), m.Goodbye("restart", 2.0)),
    "ok": (
        m.Ok(7, {"table": TABLE, "code": None, "seat": 0}),
        m.Ok(8),
    ),
    "error": (
        m.Error(9, "illegal", {"why": "occupied", "at": [0, 0]}),
        m.Error(None, "bad_frame", {"problem": "is not a map"}),
        m.Error(None, "closing", {}, 2.0),
        m.Error(10, "moved", {"node": "elm", "url": "ws://10.0.0.5:21925", "ticket": TICKET}),
    ),
    "ping": (m.Ping(1),),
    "games": (m.Games(2),),
    "list_tables": (m.ListTables(3),),
    "watch_lobby": (m.WatchLobby(4, True),),
    "create_table": (
        m.CreateTable(
            5, "butterflies", 2, options={"quiet_limit": 12}, clocks=m.Clocks(decision=30.0, bank=60.0)
        ),
        m.CreateTable(2**53 - 1, "hurry-cup", 4, public=False, bots=False, watching="nobody", reaction=0.0),
    ),
    "join": (m.Join(6, table=TABLE), m.Join(6, code=CODE, seat=1)),
    "watch": (m.Watch(7, table=TABLE),),
    "sit": (m.Sit(8, TABLE, 1),),
    "ready": (m.Ready(9, TABLE, nonce="tea-at-five"), m.Ready(9, TABLE, on=False)),
    "start": (m.Start(10, TABLE),),
    "leave": (m.Leave(11, TABLE),),
    "kick": (m.Kick(12, TABLE, 1),),
    "let_back": (m.LetBack(12, TABLE, "Bob"),),
    "add_bot": (m.AddBot(13, TABLE, strategy="random", seat=1),),
    "substitute": (m.Substitute(14, TABLE, seat=1), m.Substitute(15, TABLE, seat=1, strategy=None)),
    "rematch": (m.Rematch(14, TABLE),),
    "say": (m.Say(15, "Good luck!", TABLE), m.Say(16, "Wer spielt mit? 🦋")),
    "act": (
        m.Act(17, TABLE, 3, {"type": "play", "card": "monarch-red", "at": [0, -1], "declare": None}),
        m.Act(18, TABLE, 4, {"type": "turn"}),
    ),
    "hint": (m.Hint(18, TABLE, strategy="greedy"),),
    "resign": (m.Resign(19, TABLE),),
    "resume": (m.Resume(20, TABLE, after=41), m.Resume(21, TABLE)),
    "played": (m.Played(23),),
    "replay": (m.Replay(24, f"{TABLE}-1"),),
    "replay_view": (m.ReplayView(24, f"{TABLE}-1", eyes=1, first=16, count=8),),
    "bye": (m.Bye(22),),
    "lobby_table": (m.LobbyTable(INFO),),
    "lobby_gone": (m.LobbyGone(TABLE), m.LobbyGone(TABLE, "kicked")),
    "lobby_chat": (m.LobbyChat(LINE),),
    "table_changed": (m.TableChanged(TABLE, 4, INFO, None),),
    "update": (
        m.Update(
            table=TABLE,
            seq=6,
            view=VIEW,
            news=(
                {"type": "card_played", "seat": 1, "card": "morpho-blue", "at": [0, 0]},
                {"type": "card_drawn", "seat": 1, "card": None},
            ),
            awaited=(0,),
            question=QUESTION,
            clock=CLOCK,
            result=None,
        ),
        m.Update(
            table=TABLE, seq=7, view=VIEW, news=(), awaited=(), question=None, clock=CLOCK, result=RESULT
        ),
    ),
    "chat": (m.Chat(TABLE, 8, LINE),),
    "snapshot": (
        m.Snapshot(
            table=TABLE,
            seq=0,
            seat=0,
            code=None,
            info=INFO,
            view=None,
            awaited=(),
            question=None,
            clock=None,
            result=None,
            chat=(),
        ),
        m.Snapshot(
            table=TABLE,
            seq=6,
            seat=None,
            code=None,
            info=INFO,
            view=VIEW,
            awaited=(0,),
            question=None,
            clock=CLOCK,
            result=None,
            chat=(LINE,),
        ),
    ),
    **tournament_examples.EXAMPLES,
    "nodes_changed": (m.NodesChanged(HOUSE),),
    "table_at": (m.TableAt(TABLE, "elm", "ws://10.0.0.5:21925", TICKET),),
}
"""By message; the first of each is the example in the catalogue."""
