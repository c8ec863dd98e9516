"""No single change of a bundle goes unseen: each is named by its file, and by its line or id where it has one."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from exports.rows import line
from exports.verify import verify
from tests import mutating
from tests import small_project as small
from tests.bundle_states import STATES, Made, held_text

FEW = 120
ALL = 500


@pytest.fixture(scope="module")
def bundles(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Path]]:
    folder = tmp_path_factory.mktemp("states")
    names = ("with private fields", "half held out, private", "free text public", "signed")
    yield {name: STATES[name](folder / str(n)) for n, name in enumerate(names)}


def not_named(bundles: dict[str, Path], seeds: range) -> list[str]:
    missed = []
    places = list(bundles.items())
    for seed in seeds:
        name, bundle = places[seed % len(places)]
        with mutating.kept(bundle):
            told = mutating.mutate(bundle, seed)
            faults = verify(bundle).faults
            if not told.is_named_by(faults):
                missed.append(f"{seed} {name}: {told}: {[(f.code, f.file, f.line, f.id) for f in faults][:9]}")
    return missed


def test_single_changes_are_named(bundles: dict[str, Path]) -> None:
    assert not_named(bundles, range(FEW)) == []
    assert [name for name, bundle in bundles.items() if verify(bundle).faults] == []


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_five_hundred_single_changes_are_named(bundles: dict[str, Path]) -> None:
    assert not_named(bundles, range(FEW, FEW + ALL)) == []


@pytest.mark.parametrize("name", STATES)
def test_a_bundle_as_written_has_no_fault_and_is_written_twice_alike(name: str, tmp_path: Path) -> None:
    assert verify(STATES[name](tmp_path)).faults == ()


def forge(bundle: Path) -> None:
    """Everything that can be made to fit fits: hashes of lines, rows, files, the manifest and the checksums."""
    from exports.sinks import line_rows  # the forger has the program too
    from exports.verify_files import LINES, Files

    faults: list = []
    files = Files(bundle, faults, None)
    head = json.loads((bundle / "manifest.json").read_text())
    stated = {path: found.lines for path, found in files.there.items()
              if path in {entry["path"] for entry in head["files"]} and path != LINES
              and path != "scorer.pyz" and not path.startswith("public/media/")}
    (bundle / LINES).write_bytes(b"".join(map(line, line_rows(stated))))
    files = Files(bundle, faults, None)
    for entry in head["files"]:
        found = files.there[entry["path"]]
        rows = entry["path"].endswith(".jsonl")
        entry |= {"sha256": found.sha256, "bytes": found.size, "rows": found.rows if rows else None,
                  **({"rows_sha256": found.rows_sha256} if rows else {})}
    (bundle / "manifest.json").write_bytes(line(head))
    mutating.hash_again(bundle)


def test_what_is_forged_as_a_whole_is_caught_by_the_hash_of_the_manifest(bundles: dict[str, Path]) -> None:
    bundle = bundles["free text public"]
    published = small.tree(bundle)["manifest.json"]
    forge(bundle)
    assert small.tree(bundle)["manifest.json"] == published, "forging what is sound changes nothing"
    with mutating.kept(bundle):
        path = bundle / "public/items.jsonl"
        path.write_bytes(path.read_bytes().replace(b"Question 3?", b"Question 4?"))
        forge(bundle)
        assert verify(bundle).faults == (), "nothing inside the bundle can show it"
        [fault] = verify(bundle, manifest_sha256=published).faults
        assert fault.code == "manifest_hash"


def test_a_private_file_changed_with_fitting_checksums_is_caught_by_its_commitment(bundles: dict[str, Path]) -> None:
    bundle = bundles["with private fields"]
    with mutating.kept(bundle):
        path = bundle / "private/items.jsonl"
        path.write_bytes(path.read_bytes().replace(b"generator-model-x", b"generator-model-y", 1))
        mutating.hash_again(bundle)
        assert {(fault.code, fault.file, fault.line) for fault in verify(bundle).faults} >= {
            ("commitment", "private/items.jsonl", None), ("line", "private/items.jsonl", 1)}


# --- held out ------------------------------------------------------------------------------------

SECRET = "the answer that nobody may see"


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Gold is a text (``note``), which can be searched for; most items are held out."""
    text = held_text(0.3).replace("  score: {rule: median}", "  score: {rule: median}\n  note: {rule: first}")
    change = {(f"key-{i:02d}", person): {**small.said(f"key-{i:02d}", person), "note": {"v": f"{SECRET} {i:02d}"}}
              for i in range(10) for person in range(3)}
    for _ in range(20):  # an item's split is drawn with its id: of ten all fall to one side in three of a hundred
        made = Made(tmp_path_factory.mktemp("held"), text).answer(change=change).draw().write(private=True)
        rows = [json.loads(one) for one in (made / "public/items.jsonl").read_bytes().splitlines()]
        if len({row["split"] for row in rows}) == 2:
            return made
    raise AssertionError("twenty draws gave no two splits")


def test_a_held_out_answer_stands_in_no_byte_of_the_public_archive(held: Path) -> None:
    items = [json.loads(one) for one in (held / "public/items.jsonl").read_bytes().splitlines()]
    secret = {row["id"] for row in items if row["split"] == "test"}
    assert secret and len(secret) < len(items)
    answers = [json.loads(one) for one in (held / "private/gold.jsonl").read_bytes().splitlines()]
    assert {row["id"] for row in answers} == secret
    texts = [row["answer"].encode() for row in answers if row["question"] == "note"]
    salts = [json.loads(one)["salt"].encode() for one in (held / "private/salts.jsonl").read_bytes().splitlines()]
    assert len(texts) == len(secret) and len(set(salts)) == len(salts)
    public = {path: path.read_bytes() for path in held.rglob("*") if path.is_file() and "private" not in path.parts}
    for path, data in public.items():
        assert not [one for one in (*texts, *salts) if one in data], path
        if path.name in ("gold.jsonl", "annotations.jsonl", "adjudications.jsonl", "soft_labels.jsonl"):
            assert not [one for one in secret if one.encode() in data], path
    shown = (held / "public/gold.jsonl").read_bytes()
    assert SECRET.encode() in shown, "the search would find one"


def test_the_manifest_is_the_same_with_and_without_what_is_private(tmp_path: Path) -> None:
    made = Made(tmp_path, held_text(0.5)).answer().draw()
    from exports.bundle import write_bundle  # written twice from one release

    with made.store.read() as session:
        for name, private in (("open", False), ("whole", True)):
            write_bundle(session, tmp_path / name, private=private)
    bare, whole = (small.tree(tmp_path / name) for name in ("open", "whole"))
    assert bare["manifest.json"] == whole["manifest.json"]
    assert {path: one for path, one in whole.items() if not path.startswith("private/") and path != "SHA256SUMS"} == {
        path: one for path, one in bare.items() if path != "SHA256SUMS"}
    assert verify(tmp_path / "open").faults == ()


def test_a_commitment_is_the_hash_of_the_salt_and_of_the_hash_of_the_line(held: Path) -> None:
    """Checked with the standard library alone, as somebody else would."""
    rows = {name: [json.loads(one) for one in (held / name).read_bytes().splitlines()] for name in (
        "public/commitments.jsonl", "private/salts.jsonl")}
    salts = {(row["id"], row["element"], row["question"]): row["salt"] for row in rows["private/salts.jsonl"]}
    committed = {(row["id"], row["element"], row["question"]): row["commitment"]
                 for row in rows["public/commitments.jsonl"]}
    for raw in (held / "private/gold.jsonl").read_bytes().splitlines(keepends=True):
        row = json.loads(raw)
        place = (row["id"], row["element"], row["question"])
        salt = bytes.fromhex(salts[place])
        assert len(salt) == 32
        assert hashlib.sha256(salt + hashlib.sha256(raw).digest()).hexdigest() == committed.pop(place)
    assert committed == {}


def test_a_held_out_value_changed_later_is_named(held: Path) -> None:
    with mutating.kept(held):
        path = held / "private/gold.jsonl"
        lines = path.read_bytes().splitlines(keepends=True)
        at = next(n for n, one in enumerate(lines) if b'"answer":"yes"' in one)
        lines[at] = lines[at].replace(b'"answer":"yes"', b'"answer":"no"')
        path.write_bytes(b"".join(lines))
        mutating.hash_again(held)
        assert ("commitment", "private/gold.jsonl", at + 1) in {
            (fault.code, fault.file, fault.line) for fault in verify(held).faults}


@pytest.mark.parametrize("name", ["gold", "annotations"])
def test_a_row_of_a_held_out_item_among_the_public_ones_is_a_leak(held: Path, name: str) -> None:
    with mutating.kept(held):
        public, private = (held / home / f"{name}.jsonl" for home in ("public", "private"))
        one = private.read_bytes().splitlines(keepends=True)[0]
        rows = sorted([*public.read_bytes().splitlines(keepends=True), one],
                      key=lambda raw: [str(json.loads(raw).get(key) or "") for key in (
                          "id", "element", "question", "stage", "round", "annotator")])
        public.write_bytes(b"".join(rows))
        assert ("leak", f"public/{name}.jsonl", rows.index(one) + 1) in {
            (fault.code, fault.file, fault.line) for fault in verify(held).faults}
