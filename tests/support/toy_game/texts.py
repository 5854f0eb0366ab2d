"""The texts of Stones, as they would stand in each language."""

WORDS = {
    "game.stones": "Stones",
    "new.game.stones": "Take the last one.",
    "moves.stones.take": "take",
    "stones.heap": "The heap:",
    "stones.news.stones_taken": "{who} takes {count} from the heap.",
    "stones.you.stones_taken": "You take {count} from the heap.",
    "why.stones_left": "You may take {most} at most.",
    "reason.last_stone": "the last stone was taken",
}
RULES = {"stones.goal": "Whoever takes the last stone has won."}
