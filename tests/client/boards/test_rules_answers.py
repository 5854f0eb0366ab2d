"""What a beginner asks is answered on the rules page in every language, with the numbers of the engine."""

import re
from typing import Any

import attrs
import pytest

from parlour.client.boards.catalogue import board_of
from parlour.client.language import LANGUAGES, Texts
from parlour.engine.balloon_cup import public as balloon
from parlour.engine.butterflies import public as butterflies
from parlour.engine.catalogue import GAMES
from parlour.engine.hurry_cup import public as hurry
from parlour.engine.hurry_cup.championship import points
from parlour.protocol import messages as m
from parlour.server.tables.clock import LATE_IN_A_ROW

WRITTEN = {
    "en": {
        1: "one",
        2: "two|second",
        3: "three|third",
        4: "four",
        5: "five",
        6: "six",
        8: "eight",
        20: "twenty",
    },
    "ru": {1: "одн", 2: "дв|втор", 3: "тр[иёе]", 4: "четыр", 5: "пят", 6: "шест", 8: "восем", 20: "двадцат"},
    "it": {
        1: "un",
        2: "due|second",
        3: "tre|terz",
        4: "quattro",
        5: "cinque",
        6: "sei",
        8: "otto",
        20: "venti",
    },
    "zh": {1: "一", 2: "两|二", 3: "三", 4: "四", 5: "五", 6: "六", 8: "八", 20: "二十"},
}
"""Numbers that a text may write out, without their endings."""
CARS = (31, 35, hurry.FINISH)
FUEL, ACCELERATOR = 5, 4


@attrs.frozen
class Question:
    """What is asked and how a sentence answers it: `{0}` is the first of `told`, `…` what stands between."""

    asked: str
    en: str
    ru: str
    it: str
    zh: str
    told: tuple[int, ...] = ()
    options: dict[str, Any] = attrs.Factory(dict)

    def pattern(self, language: str) -> str:
        numbers = [_number(value, language) for value in self.told]
        answer = {"en": self.en, "ru": self.ru, "it": self.it, "zh": self.zh}[language]
        return re.sub(" ?… ?", "[^.。]*", answer).format(*numbers)


def _number(value: int, language: str) -> str:
    digits = rf"(?<!\d){value}(?!\d)"
    written = WRITTEN[language].get(value)
    return rf"(?:{digits}|(?:{written})\w*)" if written else digits


Q = Question
EVERYWHERE = [
    Q(
        "when does the program play for me, and until when?",
        en="after {0} of these in a row the program plays for you until you make a move yourself",
        ru="после {0} таких подряд за вас играет программа, пока вы снова не начнёте ходить сами",
        it="dopo {0} di fila il programma gioca per te finché non torni a muovere tu",
        zh="连续{0}次之后，系统会一直替你行动，直到你重新操作",
        told=(LATE_IN_A_ROW,),
    ),
    Q(
        "how long may I think where there is no clock?",
        en="without one you may think as long as you like",
        ru="без часов думайте сколько угодно",
        it="senza, puoi pensare quanto vuoi",
        zh="没有时钟则想多久都行",
    ),
]
QUESTIONS = {
    "balloon-cup": [
        Q(
            "how many trophies do I need?",
            en="first holds {0} of the {1} trophies wins",
            ru="первым соберёт {0} трофея из {1}",
            it="per primo ne ha {0} su {1}",
            zh="{1}座奖杯中先拿到{0}座的人获胜",
            told=(balloon.TROPHIES_TO_WIN, len(balloon.COLOURS)),
        ),
        Q(
            "how many cards do I hold, and who sees them?",
            en="hold {0} cards, which the other does not see",
            ru="на руках по {0} карт, и соперник их не видит",
            it="{0} carte a testa, che l'altro non vede",
            zh="每人手里{0}张牌，对方看不到",
            told=(balloon.HAND,),
        ),
        Q(
            "who wins a tile if the sums are equal?",
            en="if the sums are equal, whoever played the last card wins",
            ru="при равенстве выигрывает тот, кто положил последнюю карту",
            it="a parità vince chi ha giocato l'ultima carta",
            zh="总和相同，则出最后一张牌的人胜",
        ),
        Q(
            "may I keep my cards if only the opponent gains by playing?",
            en="you must play, even if it only helps your opponent",
            ru="ходить обязательно, даже если это на руку только сопернику",
            it="devi giocare, anche se aiuta solo l'avversario",
            zh="必须出牌，哪怕只对对手有利",
        ),
        Q(
            "what if no card fits?",
            en="Discard one to {0} cards and draw as many",
            ru="Сбросьте от одной до {0} карт и возьмите столько же",
            it="Scarta da una a {0} carte e pescane altrettante",
            zh="弃一到{0}张，再摸同样多张",
            told=(balloon.MOST_EXCHANGED,),
        ),
        Q(
            "whose turn is it after a scoring?",
            en="after a scoring the next turn goes to whoever lost the tile",
            ru="после подсчёта следующий ход у того, кто проиграл тайл",
            it="dopo un conteggio tocca a chi ha perso la tessera",
            zh="结算之后，轮到输掉该板块的人",
        ),
        Q(
            "may I leave a trophy that I can pay for?",
            en="must at once take every free trophy",
            ru="обязан сразу взять каждый свободный трофей",
            it="deve prendere subito ogni trofeo libero",
            zh="就必须立刻换取",
        ),
        Q(
            "what does a trade cost, and are its cubes paid too?",
            en="{0} cubes of one colour whose trophy is taken, by either … count as one … all six are paid",
            ru="{0} кубика одного цвета, чей трофей уже взят … считаются за один … платят всеми шестью",
            it="{0} cubi di un colore il cui trofeo è già preso, … valgono un … si pagano tutti e sei",
            zh="已被任何一方拿走，{0}个这种颜色的方块可以当作一个…六个都要付出",
            told=(balloon.CUBES_IN_A_TRADE,),
        ),
        Q(
            "where do cubes go that were paid?",
            en="Cubes that were paid leave the game",
            ru="Уплаченные кубики выбывают из игры",
            it="I cubi pagati escono dal gioco",
            zh="付出的方块移出游戏",
        ),
        Q(
            "where do traded cubes go where paid ones go into the bag?",
            en="The {0} leave the game",
            ru="Эти {0} выбывают из игры",
            it="I {0} escono dal gioco",
            zh="交出的{0}个移出游戏",
            told=(balloon.CUBES_IN_A_TRADE,),
            options={"edition": "italian"},
        ),
        Q(
            "when do I draw if my card completes a tile?",
            en="you draw only once the claiming of trophies after the scoring is finished",
            ru="только после того, как закончится получение трофеев",
            it="peschi solo quando è finita la presa dei trofei",
            zh="要等结算后的领奖结束再摸",
        ),
        Q(
            "what becomes of a tile that was scored?",
            en="then turned over … gets new cubes",
            ru="тайл переворачивают: … новые кубики",
            it="la tessera si gira, … riceve nuovi cubi",
            zh="把板块翻面，…再放上新的方块",
        ),
        Q(
            "how does it end if nobody can play any more?",
            en="{0} turns in a row go by without a card being played, whoever has more trophies wins",
            ru="{0} ходов подряд никто не сыграл ни одной карты, побеждает тот, у кого больше трофеев",
            it="{0} turni di fila senza che si giochi una carta, vince chi ha più trofei",
            zh="连续{0}个回合没有人出牌，则奖杯多者胜",
            told=(balloon.IDLE_LIMIT,),
        ),
        Q(
            "which card is the wind?",
            en="A {0} may also take the place of any card of its own colour",
            ru="Карта {0} может также заменить любую лежащую карту того же цвета",
            it="Un {0} può anche prendere il posto di una qualsiasi carta del suo colore",
            zh="{0} 还可以替换任何板块、任何一侧的一张同色牌",
            told=(balloon.WIND,),
            options={"wind": "on"},
        ),
    ],
    "hurry-cup": [
        Q(
            "how many can play?",
            en="{0} to {1} drivers",
            ru="От {0} до {1} водителей",
            it="Da {0} a {1} piloti",
            zh="{0}到{1}位车手",
            told=(GAMES["hurry-cup"].seats[0], GAMES["hurry-cup"].seats[-1]),
        ),
        Q(
            "how long is the road?",
            en="{0} sections",
            ru="{0} участков",
            it="{0} tratti",
            zh="{0} 个路段",
            told=(hurry.LENGTH,),
        ),
        Q(
            "how fast am I?",
            en="fuel plus accelerator, times ten: {0} and {1} make {2}",
            ru="сумма топлива и акселератора, умноженная на десять: {0} и {1} дают {2}",
            it="la somma di carburante e acceleratore, per dieci: {0} e {1} danno {2}",
            zh="油量与加速骰之和的十倍：{0} 和 {1} 就是 {2}",
            told=(FUEL, ACCELERATOR, 10 * (FUEL + ACCELERATOR)),
        ),
        Q(
            "in which direction do turns go?",
            en="counter-clockwise: first the starter, then the seat to the right",
            ru="против часовой стрелки: сначала начинающий, затем сосед справа",
            it="in senso antiorario: prima chi comincia il round, poi chi sta alla sua destra",
            zh="逆时针依次行动：先是这一轮的首位车手，再是其右边的座位",
        ),
        Q(
            "who starts the next round?",
            en="The next round is started by the seat to the left of this round's starter",
            ru="Следующий раунд начинает сосед слева от того, кто начинал этот",
            it="Il round dopo lo comincia chi sta a sinistra di chi ha cominciato questo",
            zh="下一轮由这一轮首位车手左边的座位先开始",
        ),
        Q(
            "how long do I have for horn, look and grab, even without a clock?",
            en="at every table, even without a clock: {0} seconds for each",
            ru="за любым столом, даже без часов: по {0} секунд на каждое действие",
            it="a ogni tavolo, anche senza orologio: {0} secondi per ciascuno",
            zh="每张牌桌都有单独的时限，没有时钟的牌桌也一样：每项 {0} 秒",
            told=(int(m.Clocks().scramble),),
        ),
        Q(
            "what happens if I am too slow?",
            en="you do not honk; in the look and the grab you get a free pawn by lot",
            ru="вы не сигналите, а при взгляде и выборе вам достаётся свободная пешка по жребию",
            it="non suoni; nell'occhiata e nella presa ricevi a sorte una pedina libera",
            zh="算不按喇叭；看骰子和抢棋子时则抽签得到一枚剩下的棋子",
        ),
        Q(
            "how many tokens may I use?",
            en="you may use one token in a round, whichever it is",
            ru="за раунд можно использовать одну фишку",
            it="in un round puoi usare un gettone solo",
            zh="每轮只能用一枚",
        ),
        Q(
            "what if I cannot move?",
            en="you stay, and get a second chance if you have none",
            ru="вы остаётесь на месте и получаете второй шанс, если его у вас нет",
            it="resti dove sei, e ricevi una seconda chance se non ne hai",
            zh="就留在原地，若还没有“再来一次”就得到一枚",
        ),
        Q(
            "when can I use a bonus that I found?",
            en="can be used from the next round on",
            ru="пользоваться им можно со следующего раунда",
            it="si può usare dal round successivo",
            zh="从下一轮起可以使用",
        ),
        Q(
            "what does oil do?",
            en="counts as a sign of {0}, unless the sign is lower",
            ru="действует как знак {0}, если там нет знака ещё ниже",
            it="vale come un cartello da {0}, se il cartello non è più basso",
            zh="相当于限速 {0}，除非原来的限速更低",
            told=(hurry.OIL_LIMIT,),
        ),
        Q(
            "where does a detour end?",
            en="past all the turns in a row to the next straight, or to the finish",
            ru="за все повороты подряд, на следующий прямой участок или на финиш",
            it="oltre tutte le curve di seguito, sul rettilineo successivo o sul traguardo",
            zh="越过连续的所有弯道，到下一个直道或终点",
        ),
        Q(
            "when is a race over?",
            en="until one car is left",
            ru="пока в пути не останется одна",
            it="finché non ne resta una sola",
            zh="直到只剩一辆车",
        ),
        Q(
            "do I need the exact number to finish?",
            en="You need not reach it by an exact count",
            ru="Точное попадание не требуется",
            it="Non serve il numero esatto",
            zh="不需要刚好的点数",
        ),
        Q(
            "how many points do I get in a championship?",
            en="as {2}, and {3} more if you are home: cars at {0}, {1} and home score {4}, {5} and {6}",
            ru="{2}-й.?, и ещё {3}, если … машины на {0}, {1} и на финише получают {4}, {5} и {6}",
            it="vale {2}.?, e altri {3} se sei al traguardo: le auto sul {0}, sul {1} … fanno {4}, {5} e {6}",
            zh="第 {2} 段）?，到达终点再加 {3} 分：停在 {0}、{1} 和到达终点的车得 {4}、{5} 和 {6} 分",
            told=(*CARS, hurry.POINTS_FOR_FINISHING, *points(CARS)),
            options={"races": 3},
        ),
        Q(
            "what is the fuel of an empty tank?",
            en="your fuel counts as {0}",
            ru="ваше топливо считается за {0}",
            it="il tuo carburante vale {0}",
            zh="你的油量只算 {0}",
            told=(2,),
            options={"empty_tank": 2},
        ),
    ],
    "butterflies": [
        Q(
            "how many can play?",
            en="{0} to {1} play",
            ru="от {0} до {1} человек",
            it="Si gioca da {0} a {1}",
            zh="{0}到{1}人",
            told=(GAMES["butterflies"].seats[0], GAMES["butterflies"].seats[-1]),
        ),
        Q(
            "how many cards make a row, and in which directions?",
            en="{0} or more cards next to each other, across, down or on a diagonal",
            ru="{0} или больше карт подряд по горизонтали, вертикали или диагонали",
            it="{0} o più carte adiacenti, in orizzontale, in verticale o in diagonale",
            zh="{0}张或更多的牌横向、纵向或斜向相连",
            told=(butterflies.ROW,),
        ),
        Q(
            "how many butterflies are there?",
            en="There are {0} butterflies: … each twice",
            ru="Бабочек {0}: … каждой по две",
            it="Le farfalle sono {0}: … due di ciascuna",
            zh="一共 {0} 只蝴蝶：…每样两张",
            told=(len(butterflies.CARDS) * butterflies.COPIES,),
        ),
        Q(
            "how many do I hold?",
            en="{0} butterflies in hand",
            ru="{0} бабочек в руку",
            it="{0} farfalle in mano",
            zh="{0}张手牌",
            told=(butterflies.HAND,),
        ),
        Q(
            "in which direction do turns go?",
            en="Turns go clockwise",
            ru="Ходят по часовой стрелке",
            it="Si gioca in senso orario",
            zh="按顺时针轮流",
        ),
        Q(
            "when may I move a card or put a token?",
            en="only once each of you has played {0} cards",
            ru="только когда каждый сыграл по {0} карты",
            it="solo quando ognuno ha giocato {0} carte",
            zh="每个人都出过{0}张牌（手牌或翻开的牌）之后，才能移动牌和放标记",
            told=(butterflies.PLAYED_BEFORE_MOVES,),
        ),
        Q(
            "which cards may not be moved?",
            en="may not move a card that the player before you has just laid, nor one with a token",
            ru="Нельзя двигать карту, которую только что положил предыдущий игрок, и карту с жетоном",
            it="Non puoi spostare la carta che chi ti precede ha appena giocato, né una con un segnalino",
            zh="不能移动上一位玩家刚放下的牌，也不能移动有标记的牌",
        ),
        Q(
            "what is the difference between net and web?",
            en="Web. The card can no longer be moved and counts in no row",
            ru="Паутина. Карту больше нельзя двигать, и в рядах она не считается",
            it="Ragnatela. La carta non si può più spostare e non conta in nessuna fila",
            zh="蛛网。这张牌不能再移动，也不算在任何一排之内",
        ),
        Q(
            "on which card does a token go?",
            en="only on the card that the player before you has just laid or moved",
            ru="только на карту, которую только что положил или передвинул предыдущий игрок",
            it="solo sulla carta che chi ti precede ha appena giocato o spostato",
            zh="只能放在上一位玩家刚放下或移动的牌上",
        ),
        Q(
            "what if I declare and the row is not there?",
            en="If you had not acted yet, your turn goes on; otherwise it is over",
            ru="если вы ещё ничего не делали, ваш ход продолжается, иначе он окончен",
            it="se non avevi ancora fatto nulla il tuo turno continua, altrimenti è finito",
            zh="若还没有行动，回合继续，否则回合结束",
        ),
        Q(
            "does a row count that others laid?",
            en="It does not matter who laid them",
            ru="Кто их положил, не важно",
            it="Non importa chi le ha messe",
            zh="由谁放下的都算",
        ),
        Q(
            "when is it a draw?",
            en="After {0} turns in a row in which no card was laid",
            ru="{0} ход\\w* подряд никто не положил карты",
            it="Dopo {0} turni di seguito senza che sia messa una carta",
            zh="连续 {0} 个回合没有人放牌",
            told=(butterflies.ButterflyOptions().quiet_limit,),
        ),
        Q(
            "who plays with whom in teams, and whose goals count?",
            en="goals count like your own, and you win together",
            ru="Цели партнёра считаются как ваши, и побеждаете вы вместе",
            it="Gli obiettivi del compagno valgono come i tuoi, e si vince insieme",
            zh="队友的目标与自己的一样算数",
            options={"teams": "on"},
        ),
    ],
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    ("game", "question"),
    [(game, question) for game, questions in QUESTIONS.items() for question in (*questions, *EVERYWHERE)],
    ids=lambda value: value if isinstance(value, str) else value.asked,
)
def test_the_rules_answer_what_a_beginner_asks(game: str, question: Question, language: str) -> None:
    page = "\n".join(board_of(game).rules(question.options, Texts(language)))
    assert re.search(question.pattern(language), page, re.IGNORECASE), page
