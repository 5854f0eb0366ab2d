"""The cases of the Autobahn test suite (support/server/framing_cases.py) on both kinds of websockets."""

import pytest
from support.server.echo import KINDS
from support.server.framing_cases import CASES, Case, limits
from support.server.framing_play import play
from support.soak import count

LIMITS = list(limits(scale=count(16, 1)))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("case", [*CASES, *LIMITS], ids=str)
async def test_case(case: Case, kind: str) -> None:
    back, code = await play(case, kind)
    if kind == "plain":
        assert code == (case.plain_code or case.code)
        assert back == list(case.back) or (case.plain_drops and not back)
    else:
        assert (back, code) == (list(case.back), case.code)
