"""A bot that reads questions from stdin and writes answers to stdout: parlour bot --game G --exec by_lines.py

It needs no library at all, and shows what a program in any language has to do.
"""

import json
import random
import sys
from typing import Any


def pick(legal: list[dict[str, Any]]) -> dict[str, Any]:
    """Any action that fits a pattern."""
    action = dict(random.choice(legal))
    for field, value in action.items():
        match value:
            case {"one_of": values}:
                action[field] = random.choice(values)
            case {"subset": values, "min": least, "max": most}:
                action[field] = random.sample(values, random.randint(least, most))
            case {"order": values}:
                action[field] = random.sample(values, len(values))
    return action


for line in sys.stdin:
    question = json.loads(line)
    if question["type"] == "question":
        answer = {"type": "act", "turn": question["turn"], "action": pick(question["legal"])}
        print(json.dumps(answer), flush=True)
