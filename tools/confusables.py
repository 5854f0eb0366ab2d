"""`python -m tools.confusables FILE`: writes protocol/confusables.txt from Unicode's table of that name.

FILE is `security/confusables.txt` of a version of Unicode, as unicode.org publishes it. What is written holds
the same mappings, a line for each appearance and without the characters' names: 750 kB become 66.
"""

import re
import sys
from collections import defaultdict
from pathlib import Path

KEPT = Path(__file__).parent.parent / "protocol" / "confusables.txt"
_MAPPING = re.compile(r"([0-9A-F]+) ;\s*([0-9A-F ]+?) ;\s*MA\b")


def compact(published: str) -> str:
    """The table in few bytes, after Unicode's own opening lines."""
    alike: defaultdict[str, list[str]] = defaultdict(list)
    for line in published.splitlines():
        if mapping := _MAPPING.match(line):
            alike[mapping[2]].append(mapping[1])
    if not alike:
        raise ValueError("no line of it maps a character")
    opening = [line for line in published.lstrip("\ufeff").splitlines()[:12] if line.startswith("# ")]
    notice = [
        *opening,
        "# The licence is in LICENSE-UNICODE. The form was changed by tools/confusables.py of Parlour:",
        "# `like: character character ...`, each as a code point.",
    ]
    lines = [f"{like}: {' '.join(sorted(alike[like], key=_number))}" for like in sorted(alike, key=_numbers)]
    return "\n".join([*notice, *lines]) + "\n"


def _number(code: str) -> int:
    return int(code, 16)


def _numbers(codes: str) -> list[int]:
    return [_number(code) for code in codes.split()]


def main() -> int:
    if len(sys.argv) != 2:
        print("usage: python -m tools.confusables FILE, Unicode's confusables.txt", file=sys.stderr)
        return 2
    KEPT.write_text(compact(Path(sys.argv[1]).read_text(encoding="utf-8")), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
