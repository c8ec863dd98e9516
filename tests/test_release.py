"""Releases: what stops them, what is drawn once, and that a bundle of one is the same bytes whatever came later."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select, update

from annotation import items, notes, people, tasks, trail
from annotation.answers import Slot
from annotation.errors import Refused, Unknown
from annotation.items import CandidateItem
from annotation.store.project import Store
from annotation.store.tables import Item, Release, ReleaseItem
from exports import preflight, release
from exports.bundle import write_bundle
from exports.preflight import Finding
from exports.release import ReleaseReport, draw, split_of
from exports.scorer.score import score
from exports.verify import verify
from exports.writers import writers
from tests import small_project as small
from tests.small_bundle import predictions

Draw = Callable[..., ReleaseReport]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with small.make(tmp_path) as made:
        small.answer_all(made)
        yield made


def drawn(store: Store, version: str | None = None, **more: Any) -> ReleaseReport:
    with store.write() as session:
        return draw(session, version, by=small.owner_of(session), **more)


def stopping(report: ReleaseReport) -> list[Finding]:
    return [one for one in report.findings if one.severity == "bad"]


def written(store: Store, out: Path, **more: Any) -> Path:
    with store.read() as session:
        write_bundle(session, out, **more)
    return out


def rows(bundle: Path, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (bundle / "public" / f"{name}.jsonl").read_bytes().split(b"\n") if line]


def test_a_draft_holds_every_item_with_gold_and_the_next_has_the_next_number(store: Store) -> None:
    first, second = drawn(store), drawn(store)
    assert (first.version, first.kind, first.items, first.values) == ("0.1", "draft", 10, 50)
    assert {one.severity for one in first.findings} == {"warn"} and {one.state for one in first.findings} == {"noted"}
    assert second.version == "0.2"
    with store.read() as session:
        assert release.newest(session) == "0.2"
        assert trail.verify_chain(session).ok


def test_two_exports_of_one_release_are_the_same_bytes_whatever_happened_since(store: Store, tmp_path: Path) -> None:
    drawn(store, "1.0")
    before = small.tree(written(store, tmp_path / "one"))
    with store.write() as session:
        ana = people.find(session, small.HANDLES[0])
        mine = tasks.mine(session, ana.id)[0]
        task = tasks.reopen(session, mine.revision, person=ana.id)
        tasks.submit(session, task.id, small.said(mine.key, 2), active_ms=1)
        tasks.withdraw(session, tasks.mine(session, ana.id)[1].revision, person=ana.id)
        people.set_roles(session, small.HANDLES[1], add=["verifier"], by=small.owner_of(session))
        items.upsert(session, [CandidateItem(key="key-03", folded="key-03", fields={"question": "new words"},
                                             tags=(("topic", "new"),))], by=small.owner_of(session))
        session.execute(update(Item).where(Item.key == "key-04").values(cluster="moved"))
        small.adjudicate(session, "key-05", {Slot("verdict"): {"v": "no"}})
    assert small.tree(written(store, tmp_path / "two")) == before
    with store.read() as session:
        assert not verify(store.folder or "").faults
        with_private = write_bundle(session, tmp_path / "three", version="1.0", private=True)
    assert {path: sha for path, sha in small.tree(tmp_path / "three").items()
            if not path.startswith("private") and path != "SHA256SUMS"} == {
                path: sha for path, sha in before.items() if path != "SHA256SUMS"}
    assert with_private.manifest_sha256 == before["manifest.json"]


def test_public_ids_stay_and_all_other_names_are_drawn_anew(store: Store, tmp_path: Path) -> None:
    drawn(store), drawn(store)
    one, two = (written(store, tmp_path / name, version=name) for name in ("0.1", "0.2"))
    first, second = rows(one, "items"), rows(two, "items")
    assert [row["id"] for row in first] == [row["id"] for row in second]
    assert [row["split"] for row in first] == [row["split"] for row in second]
    assert not {c for row in first for c in row["candidates"]} & {c for row in second for c in row["candidates"]}
    orders = {tuple(one["text"].split()[0] for one in row["fields"]["responses"]) for row in (*first, *second)}
    assert orders == {("a", "other"), ("other", "a")}


def test_nothing_of_the_store_or_of_a_person_stands_in_any_byte(store: Store, tmp_path: Path) -> None:
    with store.write() as session:
        small.adjudicate(session, "key-01", {Slot("verdict"): {"v": "no"}})
    drawn(store)
    bundle = written(store, tmp_path / "out")
    everything = b"".join(path.read_bytes() for path in bundle.rglob("*") if path.is_file())
    names = [*small.HANDLES, *small.NAMES, "owner-noether", "dr-curie", "Curie", "Turing", small.SECRET,
             small.FREE_TEXT, "gen_by_model_y", str(tmp_path), '"c1"', '"c2"']
    assert [name for name in names if name.encode() in everything] == []
    with store.read() as session:
        ids = [*session.scalars(select(Item.id)), *session.scalars(select(Item.current)),
               *(person.id for person in people.people(session))]
        ids += [mine.revision for person in people.people(session) for mine in tasks.mine(session, person.id)]
    assert len(ids) > 50
    assert [id for id in ids if id.hex.encode() in everything or str(id).encode() in everything
            or id.bytes in everything] == []


def test_rows_say_who_under_which_order_and_withhold_free_text(store: Store, tmp_path: Path) -> None:
    with store.write() as session:
        small.adjudicate(session, "key-01", {Slot("verdict"): {"v": "no"}})
    drawn(store)
    bundle = written(store, tmp_path / "out")
    items_ = {row["key"]: row for row in rows(bundle, "items")}
    said = rows(bundle, "annotations")
    notes_ = [row for row in said if row["question"] == "note"]
    assert len(notes_) == 10 and all(row["withheld"] and row["answer"] is None for row in notes_)
    better = [row for row in said if row["question"] == "better" and row["id"] == items_["key-00"]["id"]]
    texts = {one["id"]: one["text"] for one in items_["key-00"]["fields"]["responses"]}
    assert {texts[row["answer"]] for row in better} == {"a answer 0"}
    assert sorted(row["strength"] for row in better) == [1, 2, 3]
    assert all(sorted(row["shown_order"]) == sorted(texts) for row in better)
    assert {row["seconds"] for row in said} == {2.5} and {row["round"] for row in said} == {"main"}
    scores = {row["element"] for row in said if row["question"] == "score" and row["id"] == items_["key-00"]["id"]}
    assert scores == set(items_["key-00"]["candidates"])
    [decision] = rows(bundle, "adjudications")
    assert (decision["answer"], decision["gold_before"], decision["reason"]) == ("no", "yes", None)
    assert sorted(one["answer"] for one in decision["inputs"]) == ["no", "yes", "yes"]
    people_ = rows(bundle, "annotators")
    assert [row["annotator"] for row in people_] == [f"annotator-0{n}" for n in (1, 2, 3, 4)]
    assert sorted((row["items"], *row["roles"]) for row in people_) == [(1, "adjudicator"), *[(10, "annotator")] * 3]
    gold = {(row["question"], row["element"]): row for row in rows(bundle, "gold")
            if row["id"] == items_["key-01"]["id"]}
    assert gold["verdict", None]["standing"] == "adjudicated"
    assert (gold["outcome", None]["answer"], gold["outcome", None]["rule"]) == ("drop", "gold")


def test_private_fields_leave_only_on_demand(store: Store, tmp_path: Path) -> None:
    drawn(store)
    bundle = written(store, tmp_path / "out", private=True)
    private = [json.loads(line) for line in (bundle / "private/items.jsonl").read_text().splitlines()]
    assert {row["fields"]["generator"] for row in private} == {small.SECRET}
    assert not verify(bundle).faults


def test_a_final_release_is_stopped_by_what_waits_and_nothing_is_written(tmp_path: Path) -> None:
    with small.make(tmp_path) as store:
        split = {("key-02", n): {**small.said("key-02", n), "better": {"v": v}} for n, v in enumerate(
            ("c1", "c2", "tie"))}
        small.answer_all(store, besides=["key-07"], change=split)
        before = store.content_sha256()
        report = drawn(store, "1.0")
        assert (report.manifest_sha256, store.content_sha256()) == ("", before)
        assert [(one.code, one.items) for one in stopping(report)] == [
            ("open_annotation", ("key-07",)), ("open_adjudication", ("key-02",))]
        assert report.findings[0].message == "1 item waits for answers"
        left = drawn(store, "1.0", leave_out_open=True)
        assert (left.kind, left.items, len(left.manifest_sha256)) == ("final", 8, 64)
        draft = drawn(store)
        assert draft.items == 9  # key-02 has gold for its other questions
        written(store, tmp_path / "out", version="1.0")
        assert not {"key-02", "key-07"} & {row["key"] for row in rows(tmp_path / "out", "items")}


def test_changed_items_and_open_queries_stop_a_final_release(store: Store) -> None:
    with store.write() as session:
        owner = small.owner_of(session)
        items.upsert(session, [CandidateItem(key="key-03", folded="key-03", fields={"question": "new words"})],
                     by=owner)
        ana = people.find(session, small.HANDLES[0]).id
        notes.open_query(session, small.item_of(session, "key-04"), person=ana, text="What is meant?")
    report = drawn(store, "1.0")
    assert {one.code: one.items for one in report.findings}.items() >= {
        "stale_item": ("key-03",), "open_query": ("key-04",)}.items()
    assert report.manifest_sha256 == ""


def test_a_missing_picture_stops_a_final_release_and_is_listed_in_a_draft(tmp_path: Path) -> None:
    with small.make(tmp_path, missing_picture=True) as store:
        small.answer_all(store)
        report = drawn(store, "1.0", leave_out_open=True)
        assert [one.code for one in stopping(report)] == ["missing_media"] and report.manifest_sha256 == ""
        drawn(store)
        bundle = written(store, tmp_path / "out")
    media = {row["key"]: row["media"] for row in rows(bundle, "items")}
    assert media["key-01"] == [{"field": "picture", "element": None, "sha256": None, "path": None, "w": None,
                                "h": None, "licence": None, "source": None}]
    assert (bundle / media["key-00"][0]["path"]).is_file() and media["key-00"][0]["w"] == 8
    assert not verify(bundle).faults


def test_a_picture_that_was_lost_stops_a_final_release(store: Store) -> None:
    [path] = [path for path in store.media.folder.rglob("*") if path.is_file()]
    path.unlink()
    assert [one.code for one in stopping(drawn(store, "1.0"))] == ["missing_media"]


@pytest.mark.parametrize(("version", "words"), [("one", "is no version"), ("0.7", "the name of a draft"),
                                                ("01.0", "is no version"), ("1.0/..", "is no version")])
def test_a_version_that_is_none_is_refused(store: Store, version: str, words: str) -> None:
    with pytest.raises(Refused, match=words):
        drawn(store, version)


@pytest.mark.parametrize("goes_on", [False, True])
def test_items_are_looked_at_before_the_transaction_and_again_where_the_project_went_on(
        store: Store, monkeypatch: pytest.MonkeyPatch, goes_on: bool) -> None:
    look, looks = preflight.examine, []

    def seen(session: Any, *args: Any, **more: Any) -> Any:
        looks.append(session.get_bind() is store._writing)
        if goes_on and len(looks) == 1:
            with store.write() as other:
                people.add(other, "new-hand", roles=["annotator"], by=small.owner_of(other))
        return look(session, *args, **more)

    monkeypatch.setattr(preflight, "examine", seen)
    with store.read() as session:
        by = small.owner_of(session)
    apart = release.draw_apart(store, by=by)
    assert looks == ([False, True] if goes_on else [False])
    assert apart.manifest_sha256 and apart.findings == drawn(store).findings


def test_a_version_is_used_once(store: Store) -> None:
    drawn(store, "1.0")
    with pytest.raises(Refused, match=r"release 1\.0 already"):
        drawn(store, "1.0")
    with store.read() as session:
        assert session.scalar(select(func.count()).select_from(Release)) == 1


def test_export_keep_keeps_only_what_the_protocol_wants(tmp_path: Path) -> None:
    text = small.PROTOCOL.replace("export:\n", "export:\n  keep: {outcome: [keep]}\n")
    with small.make(tmp_path, text=text) as store:
        small.answer_all(store, change={("key-06", n): {**small.said("key-06", n), "verdict": {"v": "no"}}
                                        for n in range(3)})
        drawn(store, "1.0")
        bundle = written(store, tmp_path / "out")
    assert "key-06" not in {row["key"] for row in rows(bundle, "items")} and len(rows(bundle, "items")) == 9


def test_a_release_of_nothing_is_a_draft_only(tmp_path: Path) -> None:
    with small.make(tmp_path) as store:
        assert [one.code for one in drawn(store, "1.0", leave_out_open=True).findings] == [
            "no_gold", "open_annotation"]
        drawn(store)
        bundle = written(store, tmp_path / "out")
    assert rows(bundle, "items") == [] and not verify(bundle).faults
    assert score(bundle, {}, metric="presupposition", baselines=True)["systems"][0]["metrics"][0]["value"] is None


def test_splits_hold_clusters_together_and_follow_their_shares() -> None:
    shares = {"dev": 0.25, "test": 0.75}
    found = [split_of(shares, f"unit {n}", "canary") for n in range(4000)]
    assert abs(found.count("dev") / 4000 - 0.25) < 0.02
    assert found == [split_of(shares, f"unit {n}", "canary") for n in range(4000)]


def test_a_bundle_scores_oracle_best_and_a_constant_left_about_half(tmp_path: Path) -> None:
    with small.make(tmp_path, n=30) as store:
        small.answer_all(store)
        drawn(store, "1.0")
        bundle = written(store, tmp_path / "out")
    values = {(one["system"], metric["metric"]): metric["value"]
              for one in score(bundle, {}, baselines=True)["systems"] for metric in one["metrics"]}
    assert values["oracle", "accuracy"] == values["oracle", "pairs"] == 1.0
    assert values["anti-oracle", "accuracy"] == values["anti-oracle", "pairs"] == 0.0
    assert values["constant:tie", "pairs"] == 0.2
    # 24 of 30 pairs are decided, all for the candidate imported first; the side is drawn.
    assert values["constant:left", "pairs"] + values["constant:right", "pairs"] == pytest.approx(0.8)
    assert 0.05 < values["constant:left", "pairs"] < 0.75
    by_key = [{"id": row["key"], "question": "verdict", "answer": "Yes, good"} for row in rows(bundle, "items")]
    found = score(bundle, {"s": predictions(tmp_path / "p.jsonl", by_key)}, metric="accuracy")
    assert found["systems"][0]["metrics"][0]["value"] == 1.0


def test_out_must_be_new_or_empty_and_nothing_half_is_left(store: Store, tmp_path: Path) -> None:
    drawn(store)
    (tmp_path / "empty").mkdir()
    written(store, tmp_path / "empty")
    for out, words in ((tmp_path / "empty", "is not empty"), (tmp_path / "no" / "where", "does not exist")):
        with store.read() as session, pytest.raises(Refused, match=words):
            write_bundle(session, out)
    (tmp_path / "file").write_text("x")
    with store.read() as session, pytest.raises(Refused, match="is not a folder"):
        write_bundle(session, tmp_path / "file")
    for path in store.media.folder.rglob("*"):
        if path.is_file():
            path.unlink()
    with store.read() as session, pytest.raises(Refused, match="not in the project any more"):
        write_bundle(session, tmp_path / "lost")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["Small.goldsmith", "empty", "file"]


def test_an_unknown_release_and_format_are_answered_with_the_known_ones(store: Store, tmp_path: Path) -> None:
    drawn(store)
    with store.read() as session, pytest.raises(Unknown, match=r"no release 7\.0\. There are: 0\.1"):
        write_bundle(session, tmp_path / "out", version="7.0")
    with pytest.raises(Unknown, match=r"no format 'bundel'\. Did you mean 'bundle'"):
        writers["bundel"]


def test_a_release_that_cannot_be_rebuilt_is_refused(store: Store, tmp_path: Path) -> None:
    drawn(store)
    with store.read() as session:
        [version] = session.scalars(select(ReleaseItem.item_version).limit(1))
    with store.write() as session:  # the triggers guard the tables of a release; a title is what can be forged here
        session.execute(update(Item).where(Item.current == version).values(key="forged"))
    with store.read() as session, pytest.raises(Refused, match="cannot be rebuilt as it was drawn"):
        write_bundle(session, tmp_path / "out")
    assert [(fault.code, fault.id) for fault in verify(store.folder or "").faults] == [("manifest_hash", "0.1")]
