"""What a bundle carries beside its rows: schemas, scorer.pyz, soft labels, hours, card; how it is made anonymous."""

from __future__ import annotations

import io
import json
import re
import socket
import subprocess
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from ruamel.yaml import YAML
from sqlalchemy import select

from annotation.errors import Refused
from annotation.store.tables import Device
from exports import shapes
from exports.about import read_about
from exports.blind import as_said, spread, write_anonymous
from exports.bundle import write_bundle
from exports.fixed_files import packed, unpacked
from exports.scorer.score import named_files, score
from exports.scorer_file import scorer_file
from exports.shapes import BY_PATH, lacking, schema_files
from exports.summaries import Sums, soft_labels
from exports.verify import verify
from tests import mutating
from tests import small_project as small
from tests.bundle_states import ABOUT, HELD, MODEL, STATES, Made

ROOT = Path(__file__).resolve().parent.parent


def rows(bundle: Path, path: str) -> list[dict[str, Any]]:
    return [json.loads(one) for one in (bundle / path).read_bytes().split(b"\n") if one]


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    made = Made(tmp_path_factory.mktemp("made"), MODEL).answer().adjudicate().draw(about=ABOUT)
    with made.store.read() as session:
        write_bundle(session, made.folder / "bundle", private=True)
    yield made
    made.store.close()


@pytest.fixture(scope="module")
def bundle(made: Made) -> Path:
    return made.folder / "bundle"


# --- schemas -------------------------------------------------------------------------------------

def test_the_schemas_of_the_docs_are_those_of_the_bundle_and_of_the_program(bundle: Path) -> None:
    for path, data in schema_files().items():
        name = path.removeprefix("schema/")
        assert (ROOT / "docs" / "schema" / name).read_bytes() == data, "python -m exports.shapes docs/schema"
        assert (bundle / path).read_bytes() == data
        jsonschema.Draft202012Validator.check_schema(json.loads(data))
    assert {one.name for one in (ROOT / "docs" / "schema").iterdir()} == {
        path.removeprefix("schema/") for path in schema_files()}


@pytest.mark.parametrize("name", ["with private fields", "half held out, private", "free text public", "signed",
                                  "held out and taken out", "what models are asked", "a waiver", "a second release"])
def test_every_file_of_a_bundle_fits_its_schema(name: str, tmp_path: Path) -> None:
    """Checked by the jsonschema library, with the schemas that lie in the bundle."""
    bundle = STATES[name](tmp_path)
    seen = 0
    for path, shape in BY_PATH.items():
        if (bundle / path).exists():
            check = jsonschema.Draft202012Validator(json.loads((bundle / f"schema/{shape.name}.json").read_bytes()))
            for row in rows(bundle, path):
                check.validate(row)
                seen += 1
    assert seen > 200


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_verify_and_the_schema_find_the_same_rows_at_fault(bundle: Path, data: st.DataObject) -> None:
    path = data.draw(st.sampled_from([path for path in BY_PATH if (bundle / path).exists() and rows(bundle, path)]))
    row = data.draw(st.sampled_from(rows(bundle, path)))
    key = data.draw(st.sampled_from(sorted(row)))
    value = data.draw(st.sampled_from([None, "", "x", -1, 0, 7, 0.5, 1.5, True, [], {}, ["x"], {"id": 1}, "ä" * 70]))
    if data.draw(st.booleans()):
        row.pop(key)
    else:
        row[key] = value
    check = jsonschema.Draft202012Validator(BY_PATH[path].schema())
    assert bool(lacking(path, row)) == (not check.is_valid(row)), (path, key, value)


# --- scorer.pyz ----------------------------------------------------------------------------------

BLOCKED = ("pandas", "scipy", "sqlalchemy", "PySide6", "pydantic", "ruamel", "pyarrow", "PIL", "cv2", "matplotlib",
           "krippendorff", "statsmodels", "sklearn", "psycopg", "alembic")
ALONE = f"""
import runpy, sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {BLOCKED!r}:
            raise ImportError(f"{{name}} is blocked")
sys.meta_path.insert(0, Blocked())
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def test_the_scorer_in_the_bundle_gives_the_same_numbers_with_numpy_alone(bundle: Path, tmp_path: Path) -> None:
    gold = [row for row in rows(bundle, "public/gold.jsonl") if row["question"] in ("verdict", "better")]
    file = tmp_path / "some model.jsonl"
    file.write_text("".join(json.dumps({"id": row["id"], "question": row["question"],
                                        "answer": row["answer"] if n % 3 else "no"}) + "\n"
                            for n, row in enumerate(gold) if n % 7))
    done = subprocess.run([sys.executable, "-I", "-c", ALONE, str(bundle / "scorer.pyz"), str(bundle),
                           f"m={file}", "--baselines", "--json"], capture_output=True, text=True, cwd=tmp_path,
                          encoding="utf-8")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.pop("ok") and found.pop("schema") == "goldsmith/score/1"
    here = json.loads(json.dumps(score(str(bundle), named_files([f"m={file}"]), baselines=True)))
    assert {key: found[key] for key in here} == here
    assert found["systems"]


def test_the_scorer_refuses_what_goldsmith_refuses_and_says_so(bundle: Path, tmp_path: Path) -> None:
    file = tmp_path / "bad.jsonl"
    file.write_text('{"id": "nobody", "question": "verdict", "answer": "yes"}\n')
    done = subprocess.run([sys.executable, str(bundle / "scorer.pyz"), str(bundle), str(file)], capture_output=True,
                          text=True)
    assert done.returncode == 3 and "nobody" in done.stderr and "Traceback" not in done.stderr
    assert subprocess.run([sys.executable, str(bundle / "scorer.pyz"), str(bundle)],
                          capture_output=True).returncode == 2


def test_the_scorer_file_is_the_same_bytes_and_apache(bundle: Path) -> None:
    assert scorer_file() == scorer_file() == (bundle / "scorer.pyz").read_bytes()
    with zipfile.ZipFile(bundle / "scorer.pyz") as archive:
        names = archive.namelist()
        assert "Apache License, Version 2.0" in archive.read("NOTICE").decode()
        assert b"Apache License" in archive.read("LICENSE")
        for name in names:
            if name.endswith(".py"):
                assert archive.read(name).startswith(b"# SPDX-License-Identifier: Apache-2.0"), name
    assert not [name for name in names if name.startswith(("annotation/store", "app/"))]


# --- what is counted -----------------------------------------------------------------------------

def test_soft_labels_are_the_distribution_of_the_answers_that_count() -> None:
    gold = [{"id": "g1", "element": None, "question": "q"}, {"id": "g1", "element": None, "question": "n"}]
    said = [{"element": None, "question": "q", "answer": answer, "na": na, "withheld": False, "counts": counts}
            for answer, na, counts in (("a", False, True), ("b", False, True), ("a", False, True), (None, True, True),
                                       ("b", False, False))]
    first, second = soft_labels(gold, said)
    assert first == {"id": "g1", "element": None, "question": "q", "n": 4, "na": 1, "withheld": 0, "distribution": [
        {"answer": "a", "n": 2, "share": 2 / 3}, {"answer": "b", "n": 1, "share": 1 / 3}]}
    assert (second["n"], second["distribution"]) == (0, [])


def test_hours_are_sums_over_turns_and_people_against_gold_is_counted_by_hand() -> None:
    sums = Sums()
    about = {"element": None, "question": "q", "withheld": False, "na": False, "round": "main", "rev": 1,
             "shown": "nothing"}
    gold = [{"id": "g1", "element": None, "question": "q", "answer": "a", "na": False, "rev": 1}]
    said = [{**about, "annotator": "x", "stage": "annotate", "answer": "a", "seconds": 1800.0, "counts": True},
            {**about, "annotator": "x", "stage": "annotate", "answer": 3, "seconds": 1800.0, "counts": True,
             "question": "other"},
            {**about, "annotator": "y", "stage": "annotate", "answer": "b", "seconds": 900.0, "counts": True},
            {**about, "annotator": "z", "stage": "annotate", "answer": "a", "seconds": 0.5, "counts": False,
             "round": "baseline"}]
    sums.take({"q": []}, gold, said, [])
    assert [(row["annotator"], row["items"], row["seconds"], row["hours"]) for row in sums.hours()] == [
        ("x", 1, 1800.0, 0.5), ("y", 1, 900.0, 0.25), ("z", 1, 0.5, 0.0001)]
    assert [(row["annotator"], row["answers"], row["n"], row["correct"]) for row in sums.baseline()] == [
        (None, "apart", 1, 1), (None, "gold", 2, 1), ("x", "gold", 1, 1), ("y", "gold", 1, 0), ("z", "apart", 1, 1)]


def test_the_soft_labels_of_a_bundle_follow_from_its_answers(bundle: Path) -> None:
    said: dict[tuple[Any, ...], Counter[str]] = {}
    for row in rows(bundle, "public/annotations.jsonl"):
        if row["counts"] and not row["na"]:
            said.setdefault((row["id"], row["element"], row["question"]), Counter())[json.dumps(row["answer"])] += 1
    soft = rows(bundle, "public/soft_labels.jsonl")
    assert len(soft) == len(rows(bundle, "public/gold.jsonl"))
    for row in soft:
        assert {json.dumps(one["answer"]): one["n"] for one in row["distribution"]} == said[
            row["id"], row["element"], row["question"]]
        assert sum(one["share"] for one in row["distribution"]) == pytest.approx(1)


def test_what_models_are_asked_is_in_the_bundle(bundle: Path) -> None:
    [asked] = rows(bundle, "public/model.json")
    assert (asked["prompt"], asked["system"], asked["extract"]) == ("{question}", "Be brief.", "letter")


# --- card, licence, citation ---------------------------------------------------------------------

def test_what_people_state_stands_in_card_licence_and_citation(bundle: Path) -> None:
    cite = YAML(typ="safe", pure=True).load((bundle / "CITATION.cff").read_text())
    assert (cite["cff-version"], cite["type"], cite["license"], cite["doi"]) == (
        "1.2.0", "dataset", "CC-BY-4.0", "10.1234/x")
    assert [one["name"] for one in cite["authors"]] == ABOUT["authors"]
    assert (bundle / "LICENSE").read_text() == "CC-BY-4.0\n"
    card = (bundle / "CARD.md").read_text()
    assert ABOUT["intended_use"] in card and "Why the data set was made: **Not stated.**" in card
    assert json.loads((bundle / "manifest.json").read_text())["licence"] == "CC-BY-4.0"


def test_the_next_release_says_the_same_and_a_file_with_a_strange_key_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "about.yaml"
    file.write_text("licence: CC-BY-4.0\nauthors: [A, B]\npay:\n")
    assert read_about(file) == {"licence": "CC-BY-4.0", "authors": ["A", "B"]}
    bundle = Made(tmp_path / "p").answer().draw(about=read_about(file)).draw("1.1").write()
    assert (bundle / "LICENSE").read_text() == "CC-BY-4.0\n"
    for text, words in (("licens: x", "licens"), ("[1]", "says nothing"), ("licence: {a: b}", "one text"),
                        ("a: [", "no YAML")):
        file.write_text(text)
        with pytest.raises(Refused, match=words):
            read_about(file)


def test_the_canary_stands_in_every_item_and_in_manifest_and_card(bundle: Path) -> None:
    canary = json.loads((bundle / "manifest.json").read_text())["canary"]
    assert {row["canary"] for row in rows(bundle, "public/items.jsonl")} == {canary}
    assert canary in (bundle / "CARD.md").read_text()


# --- bytes ---------------------------------------------------------------------------------------

def test_a_later_program_writes_the_bytes_of_an_earlier_release(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Card, schemas and scorer are kept with the release: another wording does not make it another bundle."""
    made = Made(tmp_path).answer().draw()
    monkeypatch.setattr("exports.fixed_files.card", lambda *_: b"another card")
    monkeypatch.setattr("exports.fixed_files.scorer_file", lambda: b"another scorer")
    bundle = made.write()
    assert b"another card" not in (bundle / "CARD.md").read_bytes()
    assert (bundle / "scorer.pyz").read_bytes() != b"another scorer"
    assert verify(bundle).faults == () == verify(made.folder / "Small.goldsmith").faults


@given(files=st.dictionaries(st.text(st.characters(codec="ascii", categories=["L"]), min_size=1, max_size=9),
                             st.binary(max_size=99)))
def test_kept_files_come_out_as_they_went_in(files: dict[str, bytes]) -> None:
    assert unpacked(packed(files)) == files


def test_progress_is_told_and_a_stopped_export_leaves_nothing(made: Made, tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    with made.store.read() as session:
        write_bundle(session, tmp_path / "out", progress=lambda done, of: told.append((done, of)))
        assert told[0] == (0, 10) and told[-1] == (10, 10)
        with pytest.raises(Refused, match="stopped"):
            write_bundle(session, tmp_path / "more", cancelled=lambda: True)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out"]


def test_a_release_of_a_project_is_checked_alone(made: Made, bundle: Path) -> None:
    project = made.folder / "Small.goldsmith"
    report = verify(project, release="1.0", manifest_sha256=small.tree(bundle)["manifest.json"])
    assert (report.kind, report.files, report.rows, report.faults) == ("release", 1, 10, ())
    assert {fault.code for fault in verify(project, release="1.0", manifest_sha256="0" * 64).faults} == {
        "manifest_hash"}
    with pytest.raises(Refused, match=r"There is no release 9\.9"):
        verify(project, release="9.9")


# --- anonymous -----------------------------------------------------------------------------------

@pytest.fixture(scope="module")
def blind(made: Made) -> Path:
    with made.store.read() as session:
        for name in ("blind", "again"):
            write_anonymous(session, made.folder / name)
    return made.folder / "blind"


def test_an_anonymous_bundle_is_sound_and_written_twice_alike(made: Made, blind: Path) -> None:
    assert verify(blind).faults == ()
    assert small.tree(blind) == small.tree(made.folder / "again")
    for path, shape in BY_PATH.items():
        if (blind / path).exists():
            for row in rows(blind, path):
                jsonschema.Draft202012Validator(shape.schema()).validate(row)


def test_no_byte_of_an_anonymous_bundle_names_a_person_a_place_or_the_named_release(
        made: Made, bundle: Path, blind: Path) -> None:
    named = json.loads((bundle / "manifest.json").read_text())
    with made.store.read() as session:
        devices = [word for one in session.scalars(select(Device.id)) for word in (one.hex, str(one))]
    words = [*small.HANDLES, *small.NAMES, "Marie Curie", "dr-curie", "owner-noether", *ABOUT["authors"], ABOUT["doi"],
             socket.gethostname(), str(made.folder), str(Path.home()), *devices, named["canary"], "gen_by_model_y",
             named["anonymous"]["nonce"], "key-0", "made for a test", small.SECRET, named["created"],
             small.tree(bundle)["manifest.json"], *(row["id"] for row in rows(bundle, "public/items.jsonl"))]
    for path in blind.rglob("*"):
        data = path.read_bytes().lower() if path.is_file() else b""
        assert not [word for word in words if len(word) > 3 and word.lower().encode() in data], path
    data = b"".join(path.read_bytes() for path in bundle.rglob("*") if path.is_file())
    assert named["canary"].encode() in data, "the search would find one"


def test_the_named_release_proves_that_the_anonymous_one_is_the_same_data(
        made: Made, bundle: Path, blind: Path, tmp_path: Path) -> None:
    assert verify(blind, same_as=bundle).faults == ()
    other = Made(tmp_path / "other", MODEL).answer().draw().write()
    codes = {fault.code for fault in verify(blind, same_as=other).faults}
    assert {"commitment", "not_same"} <= codes
    with pytest.raises(Refused, match="not an anonymous bundle and a named one"):
        verify(bundle, same_as=blind)


def test_an_anonymous_bundle_that_was_changed_and_forged_whole_is_not_the_same_data(
        bundle: Path, blind: Path) -> None:
    from tests.test_mutations import forge  # the forger of bundles

    with mutating.kept(blind):
        path = blind / "public/items.jsonl"
        path.write_bytes(path.read_bytes().replace(b"Question 3?", b"Question 4?"))
        forge(blind)
        assert verify(blind).faults == ()
        [fault] = verify(blind, same_as=bundle).faults
        assert (fault.code, fault.file) == ("not_same", "public/items.jsonl") and fault.line


@pytest.mark.parametrize("words", ["as Ana Lovelace said", "write to x.y@klinik-berlin.de", "see /" "home/ana/notes",
                                   "on 141.20.5.17"])
def test_a_text_that_names_somebody_stops_an_anonymous_bundle(tmp_path: Path, words: str) -> None:
    text = small.PROTOCOL.replace("text: Good?", f'text: "Good? {words}"')
    made = Made(tmp_path, text).answer().draw(None)
    with made.store.read() as session, pytest.raises(Refused, match="double-blind") as caught:
        write_anonymous(session, tmp_path / "blind")
    assert caught.value.where.file == "public/protocol.yaml" and caught.value.where.line
    assert not (tmp_path / "blind").exists()
    made.store.close()


@pytest.mark.parametrize("words", [
    "Jo\u0308rg Ada", "jörg\\nada", "Jörg\\u2028Ada", "Jörg\u200b Ada", "J\u00adörg\u00a0Ada"])
def test_a_name_is_found_however_it_is_written(words: str) -> None:
    assert re.search(as_said("Jörg Ada"), spread(words), re.IGNORECASE)


def told_picture(how: str) -> bytes:
    out, picture = io.BytesIO(), Image.new("RGB", (8, 6))
    if how == "exif":
        exif = Image.Exif()
        exif[0x9C9D] = "by Ana Lovelace\0".encode("utf-16-le")
        picture.save(out, "JPEG", exif=exif)
    elif how == "comment":
        picture.save(out, "JPEG", comment=b"write to x.y@klinik-berlin.de")
    elif how == "none":
        picture.save(out, "PNG")
    else:
        info = PngInfo()
        info.add_text("Author", "Ana Lovelace " * 20, zip=how == "packed")
        picture.save(out, "PNG", pnginfo=info)
    return out.getvalue()


@pytest.mark.parametrize("how", ["text", "packed", "exif", "comment", "none"])
def test_the_file_of_a_picture_that_names_somebody_stops_an_anonymous_bundle(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setattr(small, "picture", lambda: told_picture(how))
    made = Made(tmp_path).answer().draw(None)
    with made.store.read() as session:
        if how == "none":
            write_anonymous(session, tmp_path / "blind")
        else:
            with pytest.raises(Refused, match=r"metadata of public/media/.* name a person") as caught:
                write_anonymous(session, tmp_path / "blind")
            assert str(caught.value.where.file).startswith("public/media/")
    assert (tmp_path / "blind").exists() == (how == "none")
    made.store.close()


def test_held_out_answers_stay_out_of_the_anonymous_bundle_too(tmp_path: Path) -> None:
    made = Made(tmp_path, HELD).answer().draw()
    with made.store.read() as session:
        write_anonymous(session, tmp_path / "blind")
    bundle = made.write()
    assert verify(tmp_path / "blind", same_as=bundle).faults == ()
    held = {row["id"] for row in rows(tmp_path / "blind", "public/items.jsonl") if row["split"] == "test"}
    assert not held & {row["id"] for row in rows(tmp_path / "blind", "public/gold.jsonl")}


def test_every_shape_says_what_it_holds() -> None:
    assert all(one.about.endswith(".") and one.keys for one in (*shapes.SHAPES, shapes.MANIFEST))
