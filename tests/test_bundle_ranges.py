"""A bundle whose lines several processes make is the bundle of one process, byte for byte, whatever befalls them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import islice
from multiprocessing import active_children
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.errors import Refused
from annotation.store.opening import open_store
from annotation.store.project import Store
from exports import ranges
from exports.alike import STEADY, Alike
from exports.bundle import write_bundle
from exports.frozen import read
from exports.rows import encoded, line
from exports.tombstones import BLOCK, nonces
from tests import small_project as small
from tests.bundle_states import STATES, Made


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = Made(tmp_path_factory.mktemp("made")).answer().adjudicate().draw()
    yield made.store
    made.store.close()


@pytest.mark.parametrize(("state", "processes"), [
    ("held out and taken out", 3), ("a changed text", 2), ("signed", 2), ("one item", 2)])
def test_processes_make_the_bytes_of_one(state: str, processes: int, tmp_path: Path) -> None:
    STATES[state](tmp_path)
    written = []
    with open_store(tmp_path / "Small.goldsmith", read_only=True) as project, project.read() as session:
        for n in (1, processes):
            written.append(write_bundle(session, tmp_path / f"by-{n}", private=True, processes=n).files)
    assert written[0] == written[1]
    assert small.tree(tmp_path / "by-1") == small.tree(tmp_path / f"by-{processes}")
    assert active_children() == []


def test_a_lost_process_is_done_without(store: Store, tmp_path: Path) -> None:
    lost: list[Any] = []

    def look() -> bool:
        if not lost:
            for one in active_children():
                lost.append(one)
                one.kill()
        return False

    with store.read() as session:
        write_bundle(session, tmp_path / "one", processes=1)
        write_bundle(session, tmp_path / "two", processes=2, cancelled=look)
    assert len(lost) == 2 and active_children() == []
    assert small.tree(tmp_path / "one") == small.tree(tmp_path / "two")


def test_a_stopped_export_ends_its_processes_and_leaves_nothing(store: Store, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with store.read() as session:
        with pytest.raises(Refused, match="stopped"):
            write_bundle(session, tmp_path / "out", processes=2, cancelled=lambda: bool(active_children()))
        assert active_children() == [] and list(tmp_path.iterdir()) == []
        write_bundle(session, tmp_path / "out", processes=2, progress=lambda done, of: told.append((done, of)))
    assert told[0] == (0, 10) and told[-1] == (10, 10) and told == sorted(told)


def test_when_one_process_does_it_alone(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    with store.read() as session:
        frozen = read(session, "1.0")
        assert ranges.processes_for(session, frozen, None) == 1
        assert ranges.processes_for(session, frozen, 99) == 10  # one for each item
        monkeypatch.setattr(ranges, "AT_LEAST", 1)
        monkeypatch.setattr(ranges, "_processors", lambda: 64)
        monkeypatch.setattr(ranges, "_is_a_script", lambda: False)
        assert ranges.processes_for(session, frozen, None) == ranges.MOST
    with store.write() as session:  # what is written there nobody else sees yet
        assert ranges.processes_for(session, read(session, "1.0"), 2) == 1


@pytest.mark.parametrize("first", [0, 1, BLOCK - 1, BLOCK, 3 * BLOCK + 7])
def test_nonces_go_on_after_others(first: int) -> None:
    assert list(islice(nonces(b"key", "path", first), 5)) == list(islice(nonces(b"key", "path"), first, first + 5))


ROW = {"id": "g1", "rev": 1, "stage": "annotate", "round": "main", "annotator": "annotator-01", "day": "2026-01-02",
       "seconds": 1.5, "shown": "nothing", "shown_order": None, "counts": True, "element": None, "question": "verdict",
       "answer": "yes", "na": False, "withheld": False}
TEXTS = st.text(st.sampled_from('a%s"\\\n\u0085\u2028\u2029é\U0001f600'), max_size=8)


@given(said=st.fixed_dictionaries({"answer": TEXTS | st.integers() | st.none(), "round": TEXTS, "element":
                                   TEXTS | st.none(), "counts": st.booleans(), "id": TEXTS | st.just("g2"),
                                   "seconds": st.floats(0, 1e9), "rev": st.integers(1, 99)}))
def test_lines_that_are_alike_are_the_lines_of_their_rows(said: dict[str, Any]) -> None:
    alike, made = Alike(), []
    for n in range(4):
        row = {**ROW, **said, "day": f"2026-01-0{n + 1}"}
        found = alike.line(row, f"{n:032x}")
        made.append(found is not None)
        assert found in (None, line({**row, "nonce": f"{n:032x}"}))
    plain = isinstance(said["answer"], str) and said["id"].isalnum() and said["id"].isascii()
    assert made == [False, plain, plain, plain]


@pytest.mark.parametrize("more", [{"reason": "Why."}, {"shown_order": ["a"]}, {"answer": "x" * 101}])
def test_rows_with_more_are_not_alike(more: dict[str, Any]) -> None:
    alike = Alike()
    assert [alike.line({**ROW, **more}, "0" * 32) for _ in range(3)] == [None] * 3


@pytest.mark.parametrize("key", STEADY)
def test_no_two_answers_are_taken_for_another(key: str) -> None:
    alike = Alike()
    other = {**ROW, key: not ROW[key] if isinstance(ROW[key], bool) else "other"}
    for row in (ROW, ROW, other, other):
        found = alike.line(row, "0" * 32)
    assert found == line({**other, "nonce": "0" * 32})


JSON: Callable[[], Any] = lambda: st.recursive(  # noqa: E731
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3), max_leaves=9)


@given(value=JSON())
def test_the_encoder_that_is_made_once_says_what_json_says(value: Any) -> None:
    plain = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    for mark in "\u0085\u2028\u2029":
        plain = plain.replace(mark, f"\\u{ord(mark):04x}")
    assert encoded(value) == plain


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\x00", "\ud800"])
def test_what_has_no_canonical_json_is_refused(value: Any) -> None:
    with pytest.raises(Refused):
        line({"a": [value]})
