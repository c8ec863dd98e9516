"""Waivers, errata, the difference of two releases, and tombstones for what was taken out."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from annotation import people, retracting, trail
from annotation.answers import Slot
from annotation.errors import NotAllowed, Refused, Unknown
from annotation.store.project import Store
from app import cli
from exports import errata, frozen, release, waivers
from exports.bundle import write_bundle
from exports.changes import compare
from exports.release import ReleaseReport, draw
from exports.rows import line
from exports.scorer.score import score
from exports.verify import verify
from tests import quiz
from tests import small_project as small
from tests.bundle_states import HELD, Made
from tests.quiz import Row

MAIL = Row("Write to head@hospital.org about the grove?", ["amber one", "basin two"], 0)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small.make(tmp_path) as made:
        small.answer_all(made)
        yield made


def drawn(store: Store, version: str | None = None, **more: Any) -> ReleaseReport:
    with store.write() as session:
        return draw(session, version, by=small.owner_of(session), **more)


def written(store: Store, out: Path, version: str) -> Path:
    with store.read() as session:
        write_bundle(session, out, version=version)
    return out


def rows(bundle: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(raw) for raw in (bundle / "public" / f"{name}.jsonl").read_bytes().split(b"\n") if raw]


def head(bundle: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((bundle / "manifest.json").read_text())
    return found


# --- waivers --------------------------------------------------------------------------------------------------

def test_what_is_bad_stops_a_final_release_until_it_is_waived_and_the_waiver_travels(tmp_path: Path) -> None:
    with quiz.make(tmp_path, [*quiz.fair(), MAIL]) as store:
        stopped = drawn(store, "1.0")
        assert stopped.manifest_sha256 == "" and [one.code for one in stopped.findings if one.state == "stops"] == [
            "email"]
        with store.write() as session:
            waivers.waive(session, "email", ["q040"], reason="a public address", by=small.owner_of(session))
        report = drawn(store, "1.0")
        [one] = [one for one in report.findings if one.code == "email"]
        assert (one.state, one.waiver["reason"], one.waiver["by"]) == (  # type: ignore[index]
            "waived", "a public address", "owner-noether")
        bundle = written(store, tmp_path / "out", "1.0")
        [kept] = head(bundle)["waivers"]
        [item] = [row["id"] for row in rows(bundle, "items") if row["key"] == "q040"]
        assert (kept["code"], kept["items"], kept["n"], kept["reason"], kept["by"]) == (
            "email", [item], 1, "a public address", "owner")
        assert not verify(bundle).faults and not verify(store.folder or "").faults
        with store.write() as session:  # a waiver that is taken back leaves the release as it was drawn
            waivers.take_back(session, waivers.standing(session)[0].id, by=small.owner_of(session))
            assert waivers.standing(session) == () and trail.verify_chain(session).ok
        assert not verify(store.folder or "").faults
        assert drawn(store, "1.1").manifest_sha256 == ""


def test_a_waiver_covers_its_items_and_not_those_found_later(tmp_path: Path) -> None:
    rows = [*quiz.fair(), MAIL, Row("Or to foot@hospital.org in the marsh?", ["a long one", "two more"], 1)]
    with quiz.make(tmp_path, rows) as store:
        with store.write() as session:
            waivers.waive(session, "email", ["q040"], reason="public", by=small.owner_of(session))
        states = {(one.state, one.items) for one in drawn(store, "1.0").findings if one.code == "email"}
    assert states == {("waived", ("q040",)), ("stops", ("q041",))}


def test_items_that_wait_can_be_waived_and_stay_in(tmp_path: Path) -> None:
    with small.make(tmp_path) as store:
        small.answer_all(store, change={("key-02", n): {**small.said("key-02", n), "better": {"v": v}}
                                        for n, v in enumerate(("c1", "c2", "tie"))})
        with store.write() as session:
            waivers.waive(session, "open_adjudication", ["key-02"], reason="kept open", by=small.owner_of(session))
        report = drawn(store, "1.0", leave_out_open=True)
        assert report.items == 10 and {one.state for one in report.findings if one.severity == "bad"} == {"waived"}


def test_what_cannot_be_waived_and_words_that_cannot_be_published_are_refused(store: Store) -> None:
    with store.write() as session:
        by, ana = small.owner_of(session), people.find(session, small.HANDLES[0]).id
        for code, items, reason, fault, words in (
                ("missing_media", ["key-00"], "x", Refused, "cannot be waived"),
                ("low_agreement", ["key-00"], " ", Refused, "say why"),
                ("low_agreement", ["key-00"], "Ana Lovelace said so", Refused, "names a person"),
                ("low_agreement", ["key-00"], "ask a@b.org", Refused, "names a person"),
                ("low_agreement", ["nobody"], "x", Unknown, "no item 'nobody'"),
                ("low_agreement", [], "x", Refused, "name the items"),
                ("low_agrement", ["key-00"], "x", Unknown, "Did you mean 'low_agreement'")):
            with pytest.raises(fault, match=words):
                waivers.waive(session, code, items, reason=reason, by=by)
        with pytest.raises(NotAllowed):
            waivers.waive(session, "low_agreement", ["key-01"], reason="x", by=ana)


def test_neither_card_nor_waivers_count_what_is_held_out(tmp_path: Path) -> None:
    """Who knows the public rows would get the others' agreement by subtraction."""
    made = Made(tmp_path, HELD).answer()
    odd = [f"key-{n:02d}" for n in range(1, 10, 2)]
    made.do(lambda session: waivers.waive(session, "low_agreement", odd, reason="as in life",
                                          by=small.owner_of(session)))
    bundle = made.draw().write()
    card, [waived] = (bundle / "CARD.md").read_text(), head(bundle)["waivers"]
    shown = {row["id"] for row in rows(bundle, "items") if row["key"] in odd and row["split"] == "dev"}
    assert set(waived["items"]) == shown and waived["n"] == len(shown)
    assert (f"- low_agreement: {len(shown)}\n" in card) == bool(shown)
    gold = [row for row in rows(bundle, "gold") if row["question"] == "verdict"]
    share = sum(row["agreement"]["value"] for row in gold) / max(len(gold), 1)
    assert (f"| verdict | {share:.3f} | {len(gold)} |\n" in card and f"| verdict | rule | {len(gold)} |\n" in card) == (
        bool(gold))
    assert not verify(bundle).faults


def test_waivers_are_append_only(store: Store) -> None:
    with store.write() as session:
        waivers.waive(session, "low_agreement", ["key-01"], reason="x", by=small.owner_of(session))
    for deed in ("UPDATE waiver SET reason = 'y'", "DELETE FROM waiver"):
        with pytest.raises(Exception, match="append-only"), store.write() as session:
            session.execute(text(deed))


def test_strict_lets_warnings_stop_a_release(store: Store) -> None:
    assert {one.code for one in drawn(store, "1.0", strict=True).findings if one.state == "stops"} == {
        "low_agreement", "unlicensed_media"}
    assert drawn(store, "1.0").manifest_sha256


# --- errata and differences -----------------------------------------------------------------------------------

def corrected(store: Store) -> None:
    """Gold of two items becomes another; of one somebody says why."""
    with store.write() as session:
        for key in ("key-01", "key-05"):
            small.adjudicate(session, key, {Slot("verdict"): {"v": "no"}})
        errata.note(session, "key-01", "the guideline was misread", by=small.owner_of(session))


def test_a_correction_is_a_new_version_with_errata_and_the_released_one_stays(store: Store, tmp_path: Path) -> None:
    drawn(store, "1.0")
    before = small.tree(written(store, tmp_path / "one", "1.0"))
    corrected(store)
    report = drawn(store, "1.1")
    assert {one.code: one.items for one in report.findings}["unexplained_change"] == ("key-05",)
    assert small.tree(written(store, tmp_path / "again", "1.0")) == before
    bundle = written(store, tmp_path / "two", "1.1")
    ids = {row["key"]: row["id"] for row in rows(bundle, "items")}
    assert sorted(head(bundle)["errata"], key=lambda one: one["id"] != ids["key-01"]) == [
        {"id": ids[key], "from": "1.0", "to": "1.1", "what": ["gold"], "questions": ["outcome", "verdict"],
         "causes": ["adjudication"], "why": why}
        for key, why in (("key-01", "the guideline was misread"), ("key-05", None))]
    log = (bundle / "CHANGELOG.md").read_text()
    assert log.index("## 1.1") < log.index("## 1.0") and "the guideline was misread" in log
    assert "Since 1.0: 8 the same, 2 with other gold." in log
    assert not verify(bundle).faults and not verify(store.folder or "").faults
    third = drawn(store, "1.2")
    assert "unexplained_change" not in {one.code for one in third.findings}
    assert head(written(store, tmp_path / "three", "1.2"))["errata"] == head(bundle)["errata"]


def test_the_difference_names_values_before_and_after(store: Store) -> None:
    drawn(store, "1.0")
    corrected(store)
    with store.write() as session:
        retracting.retract_item(session, small.item_of(session, "key-07"), by=small.owner_of(session), reason="rights")
    drawn(store, "2.0")
    with store.read() as session:
        found = compare(session, frozen.read(session, "1.0"), frozen.read(session, "2.0"))
        back = compare(session, frozen.read(session, "2.0"), frozen.read(session, "1.0"))
        none = compare(session, frozen.read(session, "1.0"), frozen.read(session, "1.0"))
    assert none.changes == () and none.same == 10
    assert {what: n for what, n in found.counts().items() if n} == {"same": 7, "gold": 2, "removed": 1}
    changes = {one.key: one for one in found.changes}
    verdict = {one.question: one for one in changes["key-01"].gold}["verdict"]
    assert (verdict.before["v"], verdict.after["v"], verdict.standing) == (  # type: ignore[index]
        "yes", "no", "adjudicated")
    assert changes["key-07"].causes == ("withdrawn",) and changes["key-07"].what == ("removed",)
    assert {one.key: one.what for one in back.changes}["key-07"] == ("added",)


def test_errata_are_about_released_items_and_can_be_taken_back(store: Store) -> None:
    with store.write() as session:
        by = small.owner_of(session)
        with pytest.raises(Unknown, match="no final release"):
            errata.note(session, "key-01", "x", by=by)
    drawn(store, "1.0")
    with store.write() as session:
        by = small.owner_of(session)
        with pytest.raises(Unknown, match="no item"):
            errata.note(session, "nothing", "x", by=by)
        with pytest.raises(Unknown, match=r"no release 3\.0"):
            errata.note(session, "key-01", "x", by=by, release="3.0")
        made = errata.note(session, "key-01", "x", by=by).value
        assert [one.why for one in errata.standing(session)] == ["x"]
        errata.take_back(session, made, by=by)
        assert errata.standing(session) == ()


# --- tombstones -----------------------------------------------------------------------------------------------

def test_an_item_that_was_taken_out_leaves_tombstones_under_the_same_manifest(store: Store, tmp_path: Path) -> None:
    with store.write() as session:
        small.adjudicate(session, "key-00", {Slot("verdict"): {"v": "no"}})
    digest = drawn(store, "1.0").manifest_sha256
    one = written(store, tmp_path / "one", "1.0")
    [gone] = [row for row in rows(one, "items") if row["key"] == "key-00"]
    with store.write() as session:
        retracting.retract_item(session, small.item_of(session, "key-00"), by=small.owner_of(session), reason="rights")
        assert trail.verify_chain(session).ok
    two = written(store, tmp_path / "two", "1.0")
    report = verify(two, manifest_sha256=digest)
    names = ("items", "gold", "annotations", "adjudications", "soft_labels")
    assert not report.faults
    assert report.tombstones == sum(row["id"] == gone["id"] for name in names for row in rows(one, name))
    everything = b"".join(path.read_bytes() for path in two.rglob("*") if path.is_file())
    assert b"Question 0?" not in everything and b"key-00" not in everything and not list(two.glob("public/media/*"))
    [stone] = [row for row in rows(two, "items") if row["id"] == gone["id"]]
    assert (stone["why"], stone["media"]) == ("rights", [gone["media"][0]["sha256"]]) and "fields" not in stone
    assert not verify(store.folder or "").faults
    values = {(found["system"], metric["metric"]): (metric["value"], metric["n"])
              for found in score(two, {}, baselines=True)["systems"] for metric in found["metrics"]}
    assert values["oracle", "accuracy"] == (1.0, 9)
    assert drawn(store, "1.1").items == 9


def test_a_persons_answers_that_were_taken_out_count_no_more_and_leave_no_more(store: Store, tmp_path: Path) -> None:
    with store.write() as session:
        small.adjudicate(session, "key-01", {Slot("verdict"): {"v": "no"}})
    digest = drawn(store, "1.0").manifest_sha256
    with store.write() as session:
        cem = people.find(session, small.HANDLES[2]).id
        done = retracting.retract_person(session, cem, by=cem, reason="consent was withdrawn")
        assert done.value == retracting.Retracted(10, ())
        with pytest.raises(Refused, match="taken out before"):
            retracting.retract_person(session, cem, by=cem, reason="again")
    two = written(store, tmp_path / "two", "1.0")
    assert not verify(two, manifest_sha256=digest).faults
    stones = [row for row in rows(two, "annotations") if "tombstone" in row]
    assert len({row["annotator"] for row in stones}) == 1 and len({row["id"] for row in stones}) == 10
    assert not any({"answer", "nonce", "seconds"} & row.keys() for row in stones)
    [decision] = rows(two, "adjudications")
    assert "tombstone" in decision  # it quotes what everybody had said
    assert len(rows(two, "gold")) == 50 and not any("tombstone" in row for row in rows(two, "gold"))
    drawn(store, "1.1", leave_out_open=True)
    assert not verify(store.folder or "").faults


def test_a_forged_tombstone_is_a_fault(store: Store, tmp_path: Path) -> None:
    drawn(store, "1.0")
    with store.write() as session:
        retracting.retract_item(session, small.item_of(session, "key-03"), by=small.owner_of(session), reason="rights")
    bundle = written(store, tmp_path / "out", "1.0")
    path = bundle / "public/gold.jsonl"
    whole = path.read_bytes()
    stones = [n for n, row in enumerate(rows(bundle, "gold")) if "tombstone" in row]
    for change in ({"tombstone": "0" * 64}, {"question": "none"}):
        listed = rows(bundle, "gold")
        listed[stones[0]].update(change)
        path.write_bytes(b"".join(map(line, listed)))
        assert "public/gold.jsonl" in {place for fault in verify(bundle).faults for place in (fault.file, fault.id)}
        path.write_bytes(whole)
    listed = rows(bundle, "gold")
    path.write_bytes(b"".join(map(line, (row for n, row in enumerate(listed) if n != stones[0]))))
    assert {"hash", "count"} <= {fault.code for fault in verify(bundle).faults}
    assert {row["nonce"] for row in listed if "nonce" in row} and len({row.get("nonce") for row in listed}) == 46


def test_only_some_may_take_out_and_a_reason_is_wanted(store: Store) -> None:
    with store.write() as session:
        by, ana = small.owner_of(session), people.find(session, small.HANDLES[0]).id
        ben = people.find(session, small.HANDLES[1]).id
        with pytest.raises(NotAllowed):
            retracting.retract_person(session, ben, by=ana, reason="x")
        with pytest.raises(NotAllowed):
            retracting.retract_item(session, small.item_of(session, "key-01"), by=ana, reason="x")
        with pytest.raises(Refused, match="say why"):
            retracting.retract_item(session, small.item_of(session, "key-01"), by=by, reason=" ")


# --- the command line -----------------------------------------------------------------------------------------

def test_the_verbs_waive_note_draw_and_compare(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with quiz.make(tmp_path, [*quiz.fair(), MAIL]):
        pass
    project = str(tmp_path / "Quiz.goldsmith")

    def run(code: int, *words: str) -> dict[str, Any]:
        assert cli.main([words[0], project, *words[1:], "--json", "--as", "owner-noether"]) == code
        found: dict[str, Any] = json.loads(capsys.readouterr().out)
        return found

    seen = run(1, "preflight")
    assert {one["code"]: one["state"] for one in seen["findings"]} == {"email": "stops", "one_person_each": "noted"}
    assert run(1, "release", "1.0")["manifest_sha256"] == ""
    assert run(2, "waive", "phone", "--reason", "x")["ok"] is False
    [made] = run(0, "waive", "email", "--reason", "a public address")["waivers"]
    assert made["items"] == ["q040"] and run(0, "waive")["waivers"] == [made]
    assert run(0, "release", "1.0")["items"] == 41
    [noted] = run(0, "errata", "q003", "--why", "two answers are right")["errata"]
    assert (noted["release"], noted["item"]) == ("1.0", "q003")
    assert run(0, "withdraw", "--item", "q004", "--reason", "rights")["items"] == 1
    assert run(0, "release", "1.1")["items"] == 40
    told = run(0, "diff", "1.0", "1.1")
    assert told["counts"]["removed"] == 1 and told["counts"]["same"] == 40
    assert [(one["key"], one["causes"]) for one in told["changes"]] == [("q004", ["withdrawn"])]
    assert run(0, "errata", "--cancel", noted["id"])["errata"] == []
    assert run(0, "waive", "--cancel", made["id"])["waivers"] == []
    assert run(2, "withdraw", "--reason", "x")["error"]["code"] == "usage"
    assert run(2, "diff", "1.0", "9.0")["error"]["code"] == "unknown"


def test_examine_says_what_a_draft_would_hold(store: Store) -> None:
    with store.read() as session:
        found = release.examine(session)
    assert {one.code for one in found} == {"low_agreement", "unlicensed_media"}
