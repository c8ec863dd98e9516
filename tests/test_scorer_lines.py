"""Lines read in pieces: the same rows, numbers of lines and refusals as one by one, and the same with those alike."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from annotation.errors import Refused
from exports.scorer import alike, lines
from exports.scorer.alike import Alike
from exports.scorer.lines import json_lines, one_line

FINE = '{"id": "i%d", "answer": "yes", "question": "q"}'
ODD = [
    '{"id": "i7", "answer": ["yes"', '"no"], "question": "q"}', '{"id": "i7"},{"id": "i8"}', '["i7"]', '"i7"', "7",
    '{"id": "i7", "answer": "yes"} x', '  {"id": "i7", "answer": "yes"}  ', '{"id": "i7", "answer": NaN}',
    '{"id": "i7", "answer": 1e999}', '{"id": "i7", "answer": ' + "9" * 301 + "}", '{"id": "i7", "answer": -Infinity}',
    '{"id": "i7", "answer": "\\ud800"}', '{"id": "i7", "answer": "\\ud83d\\ude00"}', '{"id": "i7", "a": "\\u0000"}',
    '{"id": "i7", "answer": "\\u0041"}', '{"id": "i7", "answer": "yes", "answe\\u0072": "no"}', "", "   ", "\r",
    '{"id": "i7", "id": "i8"}', '{"id" : "i7", "id" : "i8"}', '{"id": "i7", "x": {"a": 1, "a": 2}}',
    '{"id": "i7", "answer": "a\\": b"}', '{"id": "i7", "answer": "a\u2028b"}', '{"id": "i7", "answer": "a\tb"}',
    '{"id": "i7", "x": [{"a": 1.5, "b": [1, {"c": 1e400}]}]}', '{"id": "i7", "x": ' + "[" * 5000 + "]" * 5000 + "}",
    '{"id": "a\\", "answer": "yes", "question": "q"}', '{"id": "a\\"", "answer": "yes", "question": "q"}',
    '{"id": "a\tb", "answer": "yes", "question": "q"}', '{"id": "é", "answer": "yes", "question": "q"}',
    '{"id": {"id": "i7"}, "answer": "yes"}', '{"x": "\\"id\\": \\"i7\\"", "id": "i9"}', '{"id":"i7","answer":"yes"}',
    '{"id": "i7", "answer": "yes", "question": "q"', '{"answer": "yes", "question": "q"}', '{"id": 7, "answer": "yes"}',
]


def found(data: str, **how: Any) -> Any:
    """Rows with their lines; what is refused, and where."""
    try:
        return [*json_lines(data.encode(), "f", **how)]
    except Refused as fault:
        return str(fault), fault.where


def one_by_one(data: str) -> Any:
    try:
        return [(number, one_line(line.encode(), "f", number)) for number, line in enumerate(data.split("\n"), 1)
                if line.strip()]
    except Refused as fault:
        return str(fault), fault.where


@pytest.mark.parametrize("piece", [1, 60, 32 * 1024])
def test_pieces_say_what_every_line_alone_says(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "PIECE", piece)
    rng = random.Random(piece)
    for _ in range(300):
        some = [FINE % n for n in range(12)]
        for odd in rng.sample(ODD, rng.choice((1, 1, 2, 3))):
            some.insert(rng.randrange(13), odd)
        data = "\n".join(some) + rng.choice(("", "\n"))
        assert found(data) == one_by_one(data)


def kept(row: dict[str, Any]) -> dict[str, Any]:
    return {key: row.get(key) for key in ("id", "answer")}


@pytest.mark.parametrize("piece", [60, 32 * 1024])
def test_lines_that_are_alike_are_the_rows_that_they_are_alone(piece: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "PIECE", piece)
    rng = random.Random(piece)
    for _ in range(300):
        colon = rng.choice((": ", ":"))
        some = [json.dumps({"answer": rng.choice("xy"), "id": f"i{n}", "more": {"n": 1}, "nonce": f"{rng.random()}"},
                           separators=(", ", colon)) for n in range(12)]
        for odd in rng.sample(ODD, rng.choice((0, 1, 2))):
            some.insert(rng.randrange(13), odd)
        data = "\n".join(some)
        plain, quick = found(data, listed=True), found(data, listed=True, alike=Alike(kept))
        assert quick == (plain if isinstance(plain, tuple) else [(line, kept(row)) for line, row in plain])


def test_a_line_that_was_met_is_not_read_again_and_lines_that_differ_are_given_up(
        monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    def noted(row: dict[str, Any]) -> dict[str, Any]:
        seen.append(row["id"])
        return kept(row)

    data = "".join(f'{{"answer":"x","id":"i{n}","nonce":"{n * 7}"}}\n' for n in range(50))
    rows = found(data, listed=True, alike=Alike(noted))
    assert seen == ["i0"] and rows == [(n + 1, {"id": f"i{n}", "answer": "x"}) for n in range(50)]
    monkeypatch.setattr(alike, "ENOUGH", 5)
    one = Alike(kept)
    for n in range(20):
        line = f'{{"answer":"{n}","id":"i{n}"}}'
        assert one.met(line) is None
        one.new(line, json.loads(line))
    assert one.met('{"answer":"3","id":"i99"}') is None
