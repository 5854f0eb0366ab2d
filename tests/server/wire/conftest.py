"""What runs on both kinds of websockets: ours, and the plain one to fall back to."""

import pytest
from support.server import sockets


@pytest.fixture(params=[False, True], ids=["ours", "plain"])
def both_websockets(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sockets.SETTINGS, "plain_websockets", request.param)
