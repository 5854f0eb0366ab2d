"""The transcripts of the page: what is done in each, and which fields are shown."""

import random
from collections.abc import Awaitable, Callable
from typing import Any

import attrs

from tools.protocol_page.brief import rendered
from tools.protocol_page.stage import Stage, stage


def pick(legal: list[dict[str, Any]], luck: random.Random) -> dict[str, Any]:
    """Any legal action."""
    action = dict(luck.choice(legal))
    for field, value in action.items():
        if isinstance(value, dict) and "one_of" in value:
            action[field] = luck.choice(value["one_of"])
        elif isinstance(value, dict) and "subset" in value:
            action[field] = luck.sample(value["subset"], luck.randint(value["min"], value["max"]))
        elif isinstance(value, dict) and "order" in value:
            action[field] = luck.sample(value["order"], len(value["order"]))
    return action


@attrs.define
class Round:
    """A table on the stage, and who sits there."""

    stage: Stage
    names: tuple[str, ...]
    table: str
    luck: random.Random = attrs.field(factory=lambda: random.Random(4))

    def update(self, name: str) -> dict[str, Any]:
        return self.stage.last(name, "update")

    def question(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = self.update(name)["question"]
        return found

    def asked(self) -> str:
        """Who is asked; the first of several."""
        awaited: list[int] = self.update(self.names[0])["awaited"]
        return self.names[awaited[0]]

    def a(self, kind: str, name: str) -> dict[str, Any]:
        """Any legal action of a kind."""
        return pick([each for each in self.question(name)["legal"] if each["type"] == kind], self.luck)

    async def act(self, name: str, action: dict[str, Any] | None = None) -> None:
        question = self.question(name)
        chosen = action or pick(question["legal"], self.luck)
        await self.stage.do(name, "act", table=self.table, turn=question["turn"], action=chosen)

    async def until(self, test: Callable[[str], bool]) -> str:
        """Plays on off the record until somebody is asked what is looked for; who that is."""
        self.stage.quiet = True
        while not test(self.asked()):
            await self.act(self.asked())
        self.stage.quiet = False
        return self.asked()


async def seated(
    on: Stage, game: str, names: tuple[str, ...], watcher: str, secret_steps: bool = True, **settings: Any
) -> Round:
    """Everybody sits and is ready; the deal is still to come."""
    on.quiet = secret_steps
    for name in (*names, watcher):
        await on.enter(name)
    answer = await on.do(names[0], "create_table", game=game, seats=len(names), **settings)
    table = answer["result"]["table"]
    for name in names[1:]:
        await on.do(name, "join", table=table)
    await on.do(watcher, "watch", table=table)
    for name in names:
        await on.do(name, "ready", table=table)
    on.quiet = False
    return Round(on, names, table)


async def by_hand(on: Stage) -> None:
    on.note("Anna says hello and makes a table. You will get other tokens and ids: use yours.")
    await on.enter("Anna")
    answer = await on.do("Anna", "create_table", game="butterflies", seats=2)
    table = answer["result"]["table"]
    on.note("Ben, in the other terminal, says hello and sits down at that table.")
    await on.enter("Ben")
    await on.do("Ben", "join", table=table)
    on.note("Both are ready, and the host deals.")
    await on.do("Anna", "ready", table=table)
    await on.do("Ben", "ready", table=table)
    await on.do("Anna", "start", table=table)
    game = Round(on, ("Anna", "Ben"), table)
    first = game.asked()
    on.note(f"{first} is asked, and answers with one of the actions in `legal` and the question's `turn`.")
    await game.act(first, {**game.a("play", first), "declare": None})
    second = game.asked()
    on.note("And so on, in turn. Whoever has had enough resigns, which ends the game.")
    await on.do(second, "resign", table=table)


async def comeback(on: Stage) -> None:
    game = await seated(on, "butterflies", ("Anna", "Ben"), "Cleo", options={"first": 1})
    on.quiet = True
    await on.do("Anna", "start", table=game.table)
    on.quiet = False
    on.note("It is Ben's turn; he plays a card.")
    action = {**game.a("play", "Ben"), "declare": None}
    turn = game.question("Ben")["turn"]
    await game.act("Ben", action)
    seq, token, last = game.update("Ben")["seq"], on.last("Ben", "welcome")["token"], on.ids["Ben"]
    on.note("Ben's line breaks. The others are told, and the game goes on.")
    await on.drop("Ben")
    await game.act("Anna", {**game.a("play", "Anna"), "declare": None})
    on.note("Ben comes back with his token, which is used up; `welcome` has the next one, and where he sits.")
    await on.enter("Ben", token=token)
    on.note(
        "He never got the answer to his move, say: first of all he sends it again with its id."
        " It is not played twice."
    )
    await on.do("Ben", "act", id=last, table=game.table, turn=turn, action=action)
    on.note(f"He has heard everything up to {seq}, and asks for the rest.")
    await on.do("Ben", "resume", table=game.table, after=seq)
    on.note("The same name again from another place: the newest connection wins.")
    await on.enter("Ben 2", token=on.last("Ben", "welcome")["token"])
    await on.closed("Ben")


async def balloon_cup(on: Stage) -> None:
    game = await seated(on, "balloon-cup", ("Anna", "Ben"), "Cleo", options={"first": 0})
    on.note(
        "The host deals. Each player sees the own hand; Cleo, who watches, sees how many cards there are."
    )
    await on.do("Anna", "start", table=game.table)
    hidden = game.update("Ben")["view"]["hands"][1][0]
    on.note("Anna tries a card that she does not have. Nothing happens; the question still stands.")
    await game.act("Anna", {"type": "play", "card": hidden, "tile": 1, "side": 0})
    on.note("She plays a card of hers. She alone sees which one she draws.")
    await game.act("Anna")
    on.note("A second click on the same question comes too late.")
    await on.do("Anna", "act", table=game.table, turn=1, action={"type": "decline"})
    scored = await game.until(lambda name: _scores(game, name))
    on.note(
        f"Some turns later. {scored}'s card completes a tile: it is scored, turned over and filled again."
    )
    await game.act(scored, _scoring(game, scored))
    claimer = await game.until(lambda name: game.question(name)["phase"] == "claim")
    on.note(f"Later still: {claimer} may claim a trophy, and pay with trades.")
    await game.act(claimer, game.a("claim", claimer))
    if not game.update("Anna")["result"]:
        on.note("Ben gives up: everything is shown to the players. Cleo may not see hands at this table.")
        await on.do("Ben", "resign", table=game.table)


def _scoring(game: Round, name: str) -> dict[str, Any] | None:
    """A play that completes a tile, if there is one."""
    tiles = {tile["number"]: tile for tile in game.update(name)["view"]["tiles"]}
    for pattern in game.question(name)["legal"]:
        if pattern["type"] == "play":
            tile = tiles[pattern["tile"]]
            if sum(len(side) for side in tile["sides"]) == 2 * len(tile["cubes"]) - 1:
                return pick([pattern], random.Random(0))
    return None


def _scores(game: Round, name: str) -> bool:
    return _scoring(game, name) is not None


async def hurry_cup(on: Stage) -> None:
    names = ("Anna", "Ben", "Chloe")
    game = await seated(on, "hurry-cup", names, "Dora", options={"track": "croisette", "first": 0})
    on.note(
        "The deal: the accelerator lies open, the fuel dice are under the cup. All are asked: will you honk?"
    )
    await on.do("Anna", "start", table=game.table)
    on.note("Ben honks, the others keep quiet. Each answer counts at once, and goes out to all.")
    await game.act("Ben", {"type": "honk", "via": "horn"})
    await game.act("Anna", {"type": "quiet"})
    on.note("With the last answer Ben looks under the cup: the dice are in his view, and null in all others.")
    await game.act("Chloe", {"type": "quiet"})
    on.note("He takes a pawn; then the cup is lifted for all, and the others scramble.")
    await game.act("Ben")
    taken = next(pawn for pawn in game.update("Ben")["view"]["pawns"] if pawn)
    on.note(
        "Chloe wants the pawn that Ben has: somebody was quicker. Her question stays open, with its turn."
    )
    await game.act("Chloe", {"type": "grab", "pawn": taken})
    on.note("Anna grabs one. Chloe gets the last by itself, and the first driver is asked to move.")
    await game.act("Anna")
    driver = game.asked()
    on.note(f"{driver} drives.")
    await game.act(driver, game.a("move", driver))


async def butterflies(on: Stage) -> None:
    game = await seated(
        on, "butterflies", ("Anna", "Ben"), "Cleo", options={"first": 0}, watching="everything"
    )
    on.note("The deal: everybody sees the own goals and hand, Cleo none.")
    await on.do("Anna", "start", table=game.table)
    on.note("Anna turns up the top card, for all to see, and is asked where to place it.")
    await game.act("Anna", {"type": "turn"})
    await game.act("Anna", {"type": "place", "at": [0, 0], "declare": None})
    on.note("Ben lays a card of his hand, and draws.")
    card = game.update("Ben")["view"]["hands"][1][0]
    await game.act("Ben", {"type": "play", "card": card, "at": [0, 1], "declare": None})
    on.note("Anna bluffs: she declares a goal whose row is not there. It is face up from now on.")
    await game.act("Anna", {"type": "declare", "goal": "colour", "seat": 0})
    on.note("She may not yet move a card, and learns why.")
    await game.act("Anna", {"type": "move", "from": [0, 0], "to": [1, 1], "declare": None})
    on.note(
        "Ben resigns. At this table watchers see everything after the end; all get the secret of the deal."
    )
    await on.do("Ben", "resign", table=game.table)


@attrs.frozen
class Transcript:
    """What is done, and the fields that are shown besides the usual ones."""

    play: Callable[[Stage], Awaitable[None]]
    shown: tuple[str, ...]


TRANSCRIPTS: dict[str, Transcript] = {
    "by-hand": Transcript(by_hand, ("question.legal[:2]",)),
    "comeback": Transcript(comeback, ("question.legal[:1]", "news[:2]")),
    "balloon-cup": Transcript(
        balloon_cup, ("view.hands", "view.deck", "view.to_act", "question.legal[:2]", "news[:7]")
    ),
    "hurry-cup": Transcript(hurry_cup, ("view.dice", "view.pawns", "view.phase", "question.scramble")),
    "butterflies": Transcript(
        butterflies, ("view.hands", "view.goals", "view.grid", "view.phase", "question.legal[:2]")
    ),
}


async def transcript_text(name: str) -> str:
    """Plays a transcript on a real server and gives its text."""
    transcript = TRANSCRIPTS[name]
    async with stage() as on:
        await transcript.play(on)
        return rendered(on.lines, transcript.shown)
