"""The vectors that ship with the package hold, and are those that `make protocol` writes."""

import hashlib
import json
import re
import unicodedata
from typing import Any

import pytest

from parlour.engine.catalogue import GAMES
from parlour.engine.chance import Seeded
from parlour.engine.match import Match
from parlour.protocol.codec import pack, pack_json, read, unpack, write
from parlour.protocol.errors import ProtocolError
from parlour.protocol.messages import ALL, FROM_CLIENT, FROM_SERVER
from parlour.server.records.fairness import commitment, seed
from tools.protocol_page import page
from tools.protocol_page.vectors import FILES, FOLDER, text_of

TABLE = (FOLDER.parent / "confusables.txt").read_text(encoding="utf-8")


def vectors(name: str) -> list[Any]:
    return [
        pytest.param(one, id=one["name"]) for one in json.loads((FOLDER / name).read_text(encoding="utf-8"))
    ]


@pytest.mark.parametrize("name", FILES)
def test_the_files_are_what_the_code_writes(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == text_of(FILES[name]()), "run: make protocol"


def test_no_file_lies_there_that_nobody_writes() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {*FILES, "games"}


def test_the_page_tells_what_is_in_each_file() -> None:
    rows = page.table(page.section(page.text(), "Appendix F: test vectors and schema"))
    assert [row["file"].strip("`") for row in rows] == list(FILES)
    for row in rows:
        listed = json.loads((FOLDER / row["file"].strip("`")).read_text(encoding="utf-8"))
        assert {key for one in listed for key in one} - {"name"} == set(page.words(row["each entry"])) - {
            "name"
        }


def test_every_message_has_a_vector() -> None:
    listed = json.loads((FOLDER / "messages.json").read_text(encoding="utf-8"))
    assert {one["json"]["type"] for one in listed} == {kind.WORD for kind in ALL}


@pytest.mark.parametrize("vector", vectors("messages.json"))
def test_a_valid_vector_is_read_alike_from_both_encodings(vector: dict[str, Any]) -> None:
    plain = vector["json"]
    assert unpack(bytes.fromhex(vector["msgpack"])) == plain == unpack(pack_json(plain))
    assert pack(plain).hex() == vector["msgpack"]
    known = FROM_CLIENT if vector["sender"] == "client" else FROM_SERVER
    message = read(plain, known)
    assert read(write(message), known) == message


@pytest.mark.parametrize("vector", vectors("broken.json"))
def test_a_broken_vector_is_refused_with_its_code(vector: dict[str, Any]) -> None:
    frame = vector["text"] if "text" in vector else bytes.fromhex(vector["msgpack"])
    with pytest.raises(ProtocolError) as wrong:
        read(unpack(frame), FROM_CLIENT)
    assert wrong.value.code.name == vector["error"]


@pytest.mark.parametrize("vector", [one for one in vectors("broken.json") if "json" in one.values[0]])
def test_a_vector_of_a_wrong_shape_is_refused_as_json_too(vector: dict[str, Any]) -> None:
    assert unpack(bytes.fromhex(vector["msgpack"])) == vector["json"]
    with pytest.raises(ProtocolError) as wrong:
        read(unpack(json.dumps(vector["json"])), FROM_CLIENT)
    assert wrong.value.code.name == vector["error"]


@pytest.mark.parametrize("vector", vectors("fair.json"))
def test_the_seed_is_the_hash_that_the_page_spells_out(vector: dict[str, Any]) -> None:
    secret = bytes.fromhex(vector["secret"])
    assert commitment(secret) == vector["commitment"] == hashlib.sha256(secret).hexdigest()
    mixed = secret + b"".join(b"\n" + (nonce or "").encode() for nonce in vector["nonces"])
    assert seed(secret, vector["nonces"]).hex() == vector["seed"] == hashlib.sha256(mixed).hexdigest()


@pytest.mark.parametrize("vector", vectors("chance.json"))
def test_the_numbers_of_chance_are_those_that_the_page_spells_out(vector: dict[str, Any]) -> None:
    asked = f"{vector['stream']}#{vector['index']}".encode()
    digest = hashlib.blake2b(asked, key=bytes.fromhex(vector["seed"]), digest_size=64).hexdigest()
    assert digest == vector["number"]
    number = int(digest, 16)

    def source() -> Seeded:
        return Seeded(bytes.fromhex(vector["seed"]), {vector["stream"]: vector["index"]})

    for sides, value in vector["roll"].items():
        assert source().roll(vector["stream"], int(sides)) == value == number % int(sides) + 1
    for size, index in vector["draw"].items():
        assert source().draw(vector["stream"], range(int(size))) == index == number % int(size)
    for size, order in vector["shuffle"].items():
        assert list(source().shuffle(vector["stream"], range(int(size)))) == order


@pytest.mark.parametrize("vector", vectors("names.json"))
def test_a_name_breaks_a_rule_of_the_page_or_has_the_looks_that_it_spells_out(vector: dict[str, Any]) -> None:
    if vector["rule"] is not None:
        rows = page.table(page.section(page.text(), "Names and tokens", 3))
        assert f"`{vector['rule']}`" in [row["`facts.rule`"] for row in rows]
        return
    shown = unicodedata.normalize("NFKC", vector["given"])
    made = {
        re.sub("[_.']", "-", skeleton(skeleton(seen(text)).lower()).replace(" ", ""))
        for text in (shown, shown.lower(), shown.upper())
    }
    assert (shown, sorted(made)) == (vector["shown"], vector["looks"])


def seen(text: str) -> str:
    """What all screens show of it."""
    marks = [one for one in unicodedata.normalize("NFC", text) if unicodedata.category(one) == "Mn"]
    unseen = [one for one in marks if unicodedata.name(one).split()[0] in ("COMBINING", "HEBREW", "ARABIC")]
    return unicodedata.normalize("NFC", text).translate(dict.fromkeys(map(ord, unseen)))


def skeleton(text: str) -> str:
    """As the page tells how to make it."""
    replaced = "".join(like(character) for character in unicodedata.normalize("NFD", text))
    return unicodedata.normalize("NFD", replaced)


def like(character: str) -> str:
    line = re.search(rf"^([0-9A-F ]+):.* {ord(character):04X}\b", TABLE, re.MULTILINE)
    return character if line is None else "".join(chr(int(code, 16)) for code in line[1].split())


@pytest.mark.parametrize("vector", vectors("deals.json"))
def test_a_deal_follows_from_its_secret_and_nonces(vector: dict[str, Any]) -> None:
    game, seats = GAMES[vector["game"]], vector["seats"]
    options = game.read_options(vector["options"], seats)
    key = seed(bytes.fromhex(vector["secret"]), vector["nonces"])
    match = Match.start(game, seats, options, Seeded(key))
    assert json.loads(json.dumps(game.position(match.state))) == vector["position"]
    assert [luck.stream for luck in match.journal[0].luck] == [luck["stream"] for luck in vector["luck"]]
