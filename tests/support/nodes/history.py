"""Histories of all players of a house, held against what the database has in the end."""

from collections.abc import Sequence

from support.nodes.following_players import FollowingPlayer
from support.server.journaled_games import JournaledGame, kept_moves, written

from parlour.engine.secret import Seat


def check_acknowledged(games: dict[int, JournaledGame], players: Sequence[FollowingPlayer]) -> None:
    """What was acknowledged stands in the journal once, in order, as it was sent, from where it was sent.

    Beside it stands only what had no answer.
    """
    kept = kept_moves(games, players, lambda person, id: (id, person.asked_at[id]))
    for person in players:
        name = person.name
        said = [id for id, sent in person.sent.items() if sent.word == "act" and person.is_acknowledged(id)]
        assert kept[name] == sorted(set(kept[name])), f"{name}: something twice, or not in its order"
        lost = set(said) - set(kept[name])
        assert not lost, f"{name}: acknowledged and lost: {lost}"
        unasked = set(kept[name]) - set(said) - person.in_doubt
        assert not unasked, f"{name}: refused and kept all the same: {unasked}"
    assert sum(map(len, kept.values())) > 0


def check_views(games: dict[int, JournaledGame], viewers: Sequence[FollowingPlayer]) -> None:
    """Every view is one of the journal's. Each move was told by one node, and nobody was shown an old one.

    An old one: less than somebody had been told already when it was asked for.
    """
    for number, game in games.items():
        told: list[tuple[int, int, str, int, int | None]] = []
        """Of each view the first and the last place in the journal where it fits."""
        for viewer in viewers:
            seat = Seat(game.header.names.index(viewer.name)) if viewer.name in game.header.names else None
            places: dict[str, list[int]] = {}
            for place, view in enumerate(game.views_of(seat)):
                # What is turned up after the end belongs to the last move: not everybody sees it.
                places.setdefault(written(view), []).append(min(place, len(game.lines) - 1))
            for sight in viewer.sights:
                if sight.number == number:
                    fits = places.get(written(sight.view))
                    assert fits, f"{viewer.name}: a view of game {number} from {sight.node} is not kept"
                    told.append((fits[0], fits[-1], sight.node, sight.at, sight.asked))
        tellers: dict[int, str] = {}
        for first, last, node, _, asked in told:
            if asked is None and first == last:
                assert tellers.setdefault(first, node) == node, f"move {first} of {number}: told by two nodes"
        for _, last, node, _, asked in told:
            if asked is not None:
                known = max((first for first, _, _, at, _ in told if at < asked), default=0)
                assert last >= known, f"{node} showed {last} of game {number} when {known} had been told"


def check_chat(players: Sequence[FollowingPlayer]) -> None:
    """Every line that was acknowledged, once, and each player's in their order; and what had no answer."""
    for listener in players:
        for talker in players:
            heard = [line["text"] for line in listener.known_here["chat"] if line["name"] == talker.name]
            lines = {id: sent.fields["text"] for id, sent in talker.sent.items() if sent.word == "say"}
            doubtful = {text for id, text in lines.items() if id in talker.in_doubt}
            sure = [text for id, text in lines.items() if talker.is_acknowledged(id)]
            assert [text for text in heard if text not in doubtful] == sure
            assert len(heard) == len(set(heard))
