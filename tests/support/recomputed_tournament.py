"""A tournament worked out from docs/tournaments.md alone, as a stranger would: it imports nothing of ours.

Rules, entrants, pairings and results are maps, as the lines of the log have them.
"""

import hashlib
from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import ceil, comb, exp, fsum, log2, sqrt
from typing import Any

Plain = dict[str, Any]
STUDENT = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


# Lots


def hashed(seed: str, *parts: str) -> bytes:
    message = b"".join(len(part.encode()).to_bytes(4, "big") + part.encode() for part in parts)
    return hashlib.blake2b(message, key=hashlib.sha256(seed.encode()).digest(), digest_size=32).digest()


def lots(seed: str, about: str, names: list[str]) -> list[str]:
    return sorted(names, key=lambda name: (hashed(seed, about, name), name))


class Rolls:
    """Rolls of a stream, as in appendix D."""

    def __init__(self, key: bytes) -> None:
        self.key = key
        self.asked: Counter[str] = Counter()

    def below(self, stream: str, count: int) -> int:
        index = self.asked[stream]
        self.asked[stream] += 1
        drawn = hashlib.blake2b(f"{stream}#{index}".encode(), key=self.key).digest()
        return int.from_bytes(drawn, "big") % count


# Points and standings


def against(result: Plain, name: str) -> dict[str, Fraction]:
    """What a player got from each of the others in a game."""
    place = dict(zip(result["players"], result["places"], strict=True))
    others = [other for other in result["players"] if other != name]
    if name in result["forfeits"]:
        return dict.fromkeys(others, Fraction(0))
    half = Fraction(1, 2)
    return {
        other: Fraction(place[name] < place[other]) + half * (place[name] == place[other]) for other in others
    }


def byes_of(rounds: list[Plain]) -> Counter[str]:
    return Counter(name for pairing in rounds for name in pairing["byes"])


def points_of(
    rules: Plain, entrants: list[Plain], rounds: list[Plain], results: list[Plain]
) -> dict[str, Fraction]:
    whole = Fraction(rules["games"] * (rules["seats"] - 1))
    worth = {"none": Fraction(0), "half": whole / 2, "win": whole}
    points = {each["name"]: (each["since"] - 1) * worth[rules["entry"]["missed"]] for each in entrants}
    for result in results:
        for name in result["players"]:
            points[name] += sum(against(result, name).values())
    if rules["format"] != "knockout":
        for name, count in byes_of(rounds).items():
            points[name] += count * worth[rules["bye"]]
    return points


def place_of(result: Plain, name: str) -> int:
    last = len(result["players"])
    return last if name in result["forfeits"] else int(result["places"][result["players"].index(name)])


def tie_break(
    kind: str,
    name: str,
    tied: list[str],
    points: dict[str, Fraction],
    rounds: list[Plain],
    results: list[Plain],
) -> Fraction:
    mine = [result for result in results if name in result["players"]]
    if kind == "buchholz":
        met = [
            other
            for pairing in rounds
            for table in pairing["tables"]
            if name in table["players"]
            for other in table["players"]
            if other != name
        ]
        return sum((points[other] for other in met), byes_of(rounds)[name] * points[name])
    if kind == "mean_place":
        places = [place_of(result, name) for result in mine if not result["void"]]
        most = max((len(result["places"]) for result in results), default=0)
        return Fraction(sum(places), len(places)) if places else Fraction(most + 1)
    got = [each for result in mine for each in against(result, name).items()]
    if kind == "sonneborn_berger":
        return sum((value * points[other] for other, value in got), Fraction(0))
    return sum((value for other, value in got if other in tied), Fraction(0))


def in_force(rules: Plain) -> list[str]:
    usual = ["buchholz", "sonneborn_berger", "head_to_head"] if rules["seats"] == 2 else ["mean_place"]
    return list(rules["tie_breaks"]) or usual


def standings(rules: Plain, entrants: list[Plain], rounds: list[Plain], results: list[Plain]) -> list[Plain]:
    points = points_of(rules, entrants, rounds, results)
    groups = parted(points, best_is_most=True)
    values: dict[str, dict[str, float]] = {name: {} for name in points}
    for kind in in_force(rules):
        finer = []
        for group in groups:
            found = {name: tie_break(kind, name, group, points, rounds, results) for name in group}
            for name in group:
                values[name][kind] = float(found[name])
            finer += parted(found, best_is_most=kind != "mean_place")
        groups = finer
    if rules["format"] == "knockout":
        groups = by_stage(rules, entrants, rounds, results)
    share, adjusted = means(results)
    lines: list[Plain] = []
    for group in groups:
        rank = len(lines) + 1
        for name in group:
            games = [result for result in results if name in result["players"] and not result["void"]]
            firsts = [place_of(game, name) == 1 and set(game["places"]) != {1} for game in games]
            lines.append(
                {
                    "rank": rank,
                    "name": name,
                    "points": float(points[name]),
                    "games": len(games),
                    "wins": sum(firsts),
                    "byes": byes_of(rounds)[name],
                    "tie_breaks": values[name],
                    "share": share.get(name, NO_MEAN),
                    "adjusted": adjusted.get(name, NO_MEAN),
                }
            )
    return lines


def parted(values: dict[str, Fraction], best_is_most: bool) -> list[list[str]]:
    return [
        sorted(name for name in values if values[name] == value)
        for value in sorted(set(values.values()), reverse=best_is_most)
    ]


# Means


NO_MEAN: Plain = {"count": 0, "mean": None, "error": None, "low": None, "high": None}


def shares(result: Plain) -> list[Fraction]:
    most = len(result["players"]) - 1
    return [sum(against(result, name).values(), Fraction(0)) / most for name in result["players"]]


def spots(result: Plain) -> list[tuple[int, int, int]]:
    deal = result["game"] if result["spare"] is None else result["spare"]
    return [(result["round"], deal, seat) for seat in range(len(result["players"]))]


def means(results: list[Plain]) -> tuple[dict[str, Plain], dict[str, Plain]]:
    counted = [result for result in results if not result["void"]]
    made: dict[tuple[int, int, int], list[Fraction]] = {}
    for result in counted:
        if not result["forfeits"]:
            for spot, share in zip(spots(result), shares(result), strict=True):
                made.setdefault(spot, []).append(share)
    par = {spot: sum(found, Fraction(0)) / len(found) for spot, found in made.items() if len(found) > 1}
    plain: dict[str, dict[Any, list[Fraction]]] = {}
    over: dict[str, dict[Any, list[Fraction]]] = {}
    for result in counted:
        turn = (result["round"], result["table"], result["game"] // len(result["players"]))
        known = all(spot in par for spot in spots(result))
        for name, spot, share in zip(result["players"], spots(result), shares(result), strict=True):
            plain.setdefault(name, {}).setdefault(turn, []).append(share)
            if known and (not result["forfeits"] or name in result["forfeits"]):
                over.setdefault(name, {}).setdefault(turn, []).append(share - par[spot])
    return (
        {name: mean(list(turns.values()), 0.0, 1.0) for name, turns in plain.items()},
        {name: mean(list(turns.values()), -1.0, 1.0) for name, turns in over.items()},
    )


def mean(turns: list[list[Fraction]], least: float, most: float) -> Plain:
    values = [float(sum(turn, Fraction(0)) / len(turn)) for turn in turns]
    count, middle = len(values), fsum(values) / len(values)
    found = {"count": count, "mean": middle, "error": None, "low": None, "high": None}
    if count == 1:
        return found
    if len(set(values)) == 1:
        others = 1 - 0.05 ** (1 / count)
        low, high = middle - others * (middle - least), middle + others * (most - middle)
        return {**found, "low": low, "high": high}
    error = sqrt(fsum((value - middle) ** 2 for value in values) / (count - 1) / count)
    free = count - 1
    times = STUDENT[free - 1] if free <= 30 else 1.959964 + (1.959964**3 + 1.959964) / (4 * free)
    low, high = max(least, middle - times * error), min(most, middle + times * error)
    return {**found, "error": error, "low": low, "high": high}


# Ratings


def ratings(before: dict[str, Plain], results: list[Plain]) -> dict[str, Plain]:
    found = dict(before)
    for result in sorted(results, key=lambda each: (each["round"], each["table"], each["game"])):
        absent = any(failure["kind"] == "absent" for failure in result["failures"])
        if result["void"] or absent or set(result["forfeits"]) == set(result["players"]):
            continue
        old = [found.get(name, {"mean": 25.0, "error": 25 / 3, "games": 0}) for name in result["players"]]
        spread = [each["error"] ** 2 + (25 / 300) ** 2 for each in old]
        for seat, name in enumerate(result["players"]):
            gain = shrink = 0.0
            for other in range(len(old)):
                if other == seat:
                    continue
                c = sqrt(spread[seat] + spread[other] + 2 * (25 / 6) ** 2)
                expected = 1 / (1 + exp((old[other]["mean"] - old[seat]["mean"]) / c))
                ours, theirs = result["places"][seat], result["places"][other]
                score = 1.0 if ours < theirs else 0.5 if ours == theirs else 0.0
                gain += spread[seat] / c * (score - expected)
                shrink += sqrt(spread[seat]) / c * spread[seat] / c**2 * expected * (1 - expected)
            found[name] = {
                "mean": old[seat]["mean"] + gain,
                "error": sqrt(spread[seat] * max(1 - shrink, 0.0001)),
                "games": old[seat]["games"] + 1,
            }
    return found


# Pairing


def strongest_first(rules: Plain, entrants: list[Plain]) -> list[str]:
    strength = {each["name"]: each["strength"] for each in entrants}
    return sorted(lots(rules["seed"], "field", list(strength)), key=lambda name: -strength[name])


def pairing(rules: Plain, entrants: list[Plain], rounds: list[Plain], results: list[Plain]) -> Plain | None:
    number, seats = len(rounds) + 1, rules["seats"]
    here = [each["name"] for each in entrants if not each["gone"] and each["since"] <= number]
    last = rounds_of(rules, entrants)
    if len(here) < seats or (last is not None and number > last):
        return None
    stakes: dict[tuple[str, ...], str] = {}
    if rules["format"] == "knockout":
        tables, byes, stakes = knockout_round(rules, entrants, rounds, results)
        if not tables:
            return None
    elif rules["format"] == "round_robin":
        tables, byes = round_robin_round(rules, entrants, rounds, number, last or 0)
    else:
        tables, byes = swiss_round(rules, entrants, rounds, results, here, number)
    seated = [
        {
            "number": at,
            "players": lots(rules["seed"], f"seats/{number}", list(players)),
            "stake": stakes.get(tuple(players), ""),
        }
        for at, players in enumerate(tables, 1)
    ]
    return {"round": number, "tables": seated, "byes": sorted(byes)}


def rounds_of(rules: Plain, entrants: list[Plain]) -> int | None:
    field, seats = sum(each["since"] == 1 for each in entrants), rules["seats"]
    if rules["format"] == "knockout":
        return None
    if rules["rounds"]:
        return int(rules["rounds"])
    if rules["format"] == "swiss":
        return max(1, min(ceil(log2(max(2, field))) + 2, field - 1))
    if seats == 2:
        return field - 1 + field % 2
    return ceil(comb(field, 2) / max(1, field // seats * comb(seats, 2)))


def met_in(rounds: list[Plain]) -> Counter[frozenset[str]]:
    return Counter(
        frozenset(both)
        for pairing in rounds
        for table in pairing["tables"]
        for both in combinations(table["players"], 2)
    )


Tables = list[list[str]]


def round_robin_round(
    rules: Plain, entrants: list[Plain], rounds: list[Plain], number: int, last: int
) -> tuple[Tables, list[str]]:
    order = strongest_first(rules, [each for each in entrants if each["since"] == 1])
    here = [name for name in order if not next(each for each in entrants if each["name"] == name)["gone"]]
    if rules["seats"] == 2:
        return circle(order, here, number)
    if len(here) == len(order) <= 25:
        return plan(here, rules["seats"], last, Rolls(hashed(rules["seed"], "plan")))[number - 1]
    luck = Rolls(hashed(rules["seed"], f"tables/{number}"))
    return least_met(here, rules["seats"], met_in(rounds), byes_of(rounds), luck)


def circle(order: list[str], here: list[str], number: int) -> tuple[Tables, list[str]]:
    chairs: list[str | None] = [*order, *([None] if len(order) % 2 else [])]
    first, *others = chairs
    for _ in range((number - 1) % len(others)):
        others = [*others[1:], others[0]]
    chairs, tables, byes = [first, *others], [], []
    for at in range(len(chairs) // 2):
        both = [name for name in (chairs[at], chairs[-1 - at]) if name in here and name is not None]
        if len(both) == 2:
            tables.append(both)
        else:
            byes += both
    return tables, byes


def least_met(
    names: list[str], seats: int, met: Counter[frozenset[str]], byes: Counter[str], luck: Rolls
) -> tuple[Tables, list[str]]:
    out = sorted(names, key=lambda name: byes[name])[: len(names) % seats]
    return by_meetings([name for name in names if name not in out], seats, met, luck), out


def by_meetings(names: list[str], seats: int, met: Counter[frozenset[str]], luck: Rolls) -> Tables:
    costs = [[2 * met[frozenset((one, other))] * (one != other) for other in names] for one in names]
    return [[names[player] for player in table] for table in cheapest(costs, seats, luck)]


def plan(names: list[str], seats: int, last: int, luck: Rolls) -> list[tuple[Tables, list[str]]]:
    met: Counter[frozenset[str]] = Counter()
    byes: Counter[str] = Counter()
    found: list[tuple[Tables, list[str]]] = []

    def pairs(tables: Tables) -> list[frozenset[str]]:
        return [frozenset(both) for table in tables for both in combinations(table, 2)]

    for _ in range(last):
        tables, out = least_met(names, seats, met, byes, luck)
        found.append((tables, out))
        met.update(pairs(tables))
        byes.update(out)
    idle = 0
    for step in range(150):
        tables, out = found[step % last]
        met.subtract(pairs(tables))
        left = [name for name in names if name not in out]
        order = [left.pop(luck.below("order", len(left))) for _ in range(len(left))]
        new = by_meetings(order, seats, met, luck)
        gain = sum(met[both] for both in pairs(tables)) - sum(met[both] for both in pairs(new))
        if gain >= 0:
            found[step % last] = (new, out)
        met.update(pairs(found[step % last][0]))
        idle = 0 if gain > 0 else idle + 1
        if idle > 6 * last:
            break
    return found


def cheapest(costs: list[list[int]], seats: int, luck: Rolls) -> list[list[int]]:
    """Players by table: swaps that pay, from several beginnings."""
    size, count = len(costs), len(costs) // seats
    if not count:
        return []

    def sitting(table: list[int], player: int, at: int) -> int:
        return sum(costs[player][other] for other in range(size) if table[other] == at)

    def total(table: list[int]) -> int:
        return sum(sitting(table, player, table[player]) for player in range(size))

    def settle(table: list[int]) -> None:
        moved = True
        while moved:
            moved = False
            for one in range(size):
                for other in range(one):
                    here, there = table[one], table[other]
                    if here == there:
                        continue
                    now = sitting(table, one, here) + sitting(table, other, there)
                    # Each leaves the other behind, so the pair itself is counted twice.
                    then = sitting(table, one, there) + sitting(table, other, here) - 2 * costs[one][other]
                    if now > then:
                        table[one], table[other] = there, here
                        moved = True

    best = [player // seats for player in range(size)]
    settle(best)
    for _ in range(max(2, 4_000 // size**2)):
        if not total(best) or count == 1:
            break
        tried = list(best)
        for _ in range(2 + count // 2):
            one, other = luck.below("seating", size), luck.below("seating", size)
            tried[one], tried[other] = tried[other], tried[one]
        settle(tried)
        if total(tried) <= total(best):
            best = tried
    return [[player for player in range(size) if best[player] == at] for at in range(count)]


# Swiss


def swiss_round(
    rules: Plain,
    entrants: list[Plain],
    rounds: list[Plain],
    results: list[Plain],
    here: list[str],
    number: int,
) -> tuple[Tables, list[str]]:
    points = points_of(rules, entrants, rounds, results)
    score = {name: int(2 * value) for name, value in points.items()}
    order = strongest_first(rules, [each for each in entrants if each["name"] in here])
    ladder = sorted(order, key=lambda name: -score[name])
    met, byes = met_in(rounds), byes_of(rounds)
    if rules["seats"] == 2:
        return couples(ladder, score, met, byes)
    seats = rules["seats"]
    upwards = ladder[::-1]
    out = sorted(upwards, key=lambda name: byes[name])[: len(ladder) % seats]
    names = [name for name in ladder if name not in out]
    least = min((met[frozenset(both)] for both in combinations(names, 2)), default=0)
    weight = max((abs(score[names[0]] - score[name]) for name in names), default=0) ** 2 * seats**2 + 1
    costs = [
        [
            ((met[frozenset((one, other))] - least) * weight + (score[one] - score[other]) ** 2)
            * (one != other)
            for other in names
        ]
        for one in names
    ]
    luck = Rolls(hashed(rules["seed"], f"tables/{number}"))
    return [[names[player] for player in table] for table in cheapest(costs, seats, luck)], out


def couples(
    ladder: list[str], score: dict[str, int], met: Counter[frozenset[str]], byes: Counter[str]
) -> tuple[Tables, list[str]]:
    least = min((met[frozenset(both)] for both in combinations(ladder, 2)), default=0)

    def again(one: str, other: str) -> int:
        return met[frozenset((one, other))] - least

    def alone(names: list[str]) -> int:
        """How many have nobody if all others are paired with somebody new."""
        return len(names) - 2 * largest(
            [[not again(one, other) and one != other for other in names] for one in names]
        )

    out: list[str] = []
    if len(ladder) % 2:
        fewest = min(byes[name] for name in ladder)
        open_to = [name for name in ladder[::-1] if byes[name] == fewest]
        out = [min(open_to, key=lambda name: alone([each for each in ladder if each != name]))]
    left = [name for name in ladder if name not in out]
    must, found = alone(left), []
    while left:
        one = left[0]
        equals = sum(score[name] == score[one] for name in left)
        middle = equals // 2
        order = [*range(middle, equals), *range(middle - 1, 0, -1), *range(equals, len(left))]
        wishes = [left[at] for at in order if at]
        wishes.sort(key=lambda other: (again(one, other), score[one] - score[other]))
        for other in wishes:
            rest = [name for name in left if name not in (one, other)]
            needed = alone(rest) + (2 if again(one, other) else 0)
            if needed <= must:
                must -= 2 if again(one, other) else 0
                found.append((one, other))
                left = rest
                break
    index = {name: at for at, name in enumerate(ladder)}
    scores = [score[name] for name in ladder]
    widest = (scores[0] - scores[-1]) ** 2 * len(ladder) + 1
    times = [[again(one, other) for other in ladder] for one in ladder]
    often = max(map(max, times)) * len(ladder) + 1
    costs = [
        [
            (often + times[a][b] if times[a][b] else 0) * widest + (scores[a] - scores[b]) ** 2
            for b in range(len(ladder))
        ]
        for a in range(len(ladder))
    ]
    closer = exchanged([(index[one], index[other]) for one, other in found], costs)
    return [[ladder[one], ladder[other]] for one, other in closer], out


def largest(near: list[list[bool]]) -> int:
    """How many pairs a largest matching has: tried out, which is enough for a small field."""
    known: dict[frozenset[int], int] = {}

    def most(left: frozenset[int]) -> int:
        if len(left) < 2:
            return 0
        if left not in known:
            one = min(left)
            rest = left - {one}
            best = 0
            for other in rest:
                if near[one][other]:
                    best = max(best, 1 + most(rest - {other}))
                    if best == len(left) // 2:
                        break
            known[left] = best if best == len(left) // 2 else max(best, most(rest))
        return known[left]

    return most(frozenset(range(len(near))))


def exchanged(pairs: list[tuple[int, int]], costs: list[list[int]]) -> list[tuple[int, int]]:
    mate = dict(pairs) | {other: one for one, other in pairs}
    order = [name for both in pairs for name in both]
    near = {
        one: sorted((other for other in mate if other != one), key=lambda other: (costs[one][other], other))[
            :24
        ]
        for one in mate
    }
    moved = True
    while moved:
        moved = False
        for first in sorted(mate, key=lambda one: (-costs[one][mate[one]], one)):
            ring = paying_ring(first, mate, near, costs)
            if ring is not None:
                for at in range(1, len(ring), 2):
                    left, right = ring[at], ring[(at + 1) % len(ring)]
                    mate[left], mate[right] = right, left
                moved = True
    return [(one, mate[one]) for one in order if one < mate[one]]


def paying_ring(
    first: int, mate: dict[int, int], near: dict[int, list[int]], costs: list[list[int]]
) -> tuple[int, ...] | None:
    kept = max(1, min(4, 160 // len(mate)))
    saved = {mate[first]: [(costs[first][mate[first]], (first, mate[first]))]}
    for _ in range(10):
        further: dict[int, list[tuple[int, tuple[int, ...]]]] = {}
        for player, ways in saved.items():
            for gain, path in ways:
                if len(path) > 2 and costs[player][first] < gain:
                    return path
                for other in near[player]:
                    left = gain - costs[player][other]
                    if left <= 0:
                        break
                    if other in path:
                        continue
                    whole, end = left + costs[other][mate[other]], mate[other]
                    there = further.setdefault(end, [])
                    if len(there) < kept or whole > there[-1][0]:
                        there.append((whole, (*path, other, end)))
                        there.sort(reverse=True)
                        del there[kept:]
        saved = further
    return None


# Knockout


def stages(
    rules: Plain, entrants: list[Plain], rounds: list[Plain], results: list[Plain]
) -> list[list[Plain]]:
    """All stages so far: duels with both players, what is at stake, and who goes on if that is decided."""
    field = strongest_first(rules, entrants)
    here = {each["name"] for each in entrants if not each["gone"]}
    sets = met_in(rounds)

    def duel(one: str | None, other: str | None, stake: str = "") -> Plain:
        told: Plain = {"one": one, "other": other, "stake": stake, "winner": None, "decided": True}
        if one is None or other is None:
            return {**told, "winner": one or other}
        together = [result for result in results if set(result["players"]) == {one, other}]
        ahead = sum(against(result, one)[other] - against(result, other)[one] for result in together)
        if ahead:
            return {**told, "winner": one if ahead > 0 else other}
        if (one in here) != (other in here):
            return {**told, "winner": one if one in here else other}
        if one not in here or sets[frozenset((one, other))] > rules["replays"]:
            return {**told, "winner": min(one, other, key=field.index)}
        return {**told, "decided": False}

    places = [0]
    while len(places) < len(field):
        size = 2 * len(places)
        places = [seed for place in places for seed in (place, size - 1 - place)]
    slots: list[str | None] = [field[place] if place < len(field) else None for place in places]
    found: list[list[Plain]] = []
    while len(slots) > 1:
        last = len(slots) == 2
        stage = [duel(slots[at], slots[at + 1], "final" if last else "") for at in range(0, len(slots), 2)]
        if last and found:
            losers = [each["other"] if each["winner"] == each["one"] else each["one"] for each in found[-1]]
            stage.append(duel(losers[0], losers[1], "third"))
        found.append(stage)
        if last or not all(each["decided"] for each in stage):
            break
        slots = [each["winner"] for each in stage]
    return found


def knockout_round(
    rules: Plain, entrants: list[Plain], rounds: list[Plain], results: list[Plain]
) -> tuple[Tables, list[str], dict[tuple[str, ...], str]]:
    stage = stages(rules, entrants, rounds, results)[-1]
    tables, stakes, byes = [], {}, []
    for each in stage:
        both = (each["one"], each["other"])
        if not each["decided"]:
            tables.append(list(both))
            stakes[both] = each["stake"]
        elif not rounds and each["winner"] and None in both:
            byes.append(each["winner"])
    return tables, byes, stakes


def by_stage(
    rules: Plain, entrants: list[Plain], rounds: list[Plain], results: list[Plain]
) -> list[list[str]]:
    """Groups of the standings: by how far somebody got."""
    played = stages(rules, entrants, rounds, results)
    reached = dict.fromkeys(strongest_first(rules, entrants), 0)
    for number, stage in enumerate(played):
        for each in stage:
            first = {"": 0, "final": 0, "third": 2}[each["stake"]]
            last = {"": 4 + len(played) - number, "final": 1, "third": 3}[each["stake"]]
            loser = each["other"] if each["winner"] == each["one"] else each["one"]
            for name in (each["one"], each["other"]):
                if name is not None and (each["decided"] or each["stake"]):
                    reached[name] = last if each["decided"] and name == loser else first
    return [sorted(name for name in reached if reached[name] == at) for at in sorted(set(reached.values()))]
