"""What is held out is scored from the private gold alone, after the commitment that the manifest made to it."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from annotation.errors import Refused
from exports.scorer.lines import rows_sha256_of
from exports.scorer.score import Options, score
from tests.bundle_states import STATES
from tests.small_bundle import predictions, write

CHOICES = {"q": [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]}
SALT = "07" * 32


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    """Four public items and 40 held out, of which 6 are of a rare kind; gold of the latter in private/."""
    items = [{"id": f"i{n}", "choices": CHOICES, "slices": {"kind": "rare" if n >= 38 else "plain"}} for n in range(44)]
    folder = write(tmp_path / "b", items, [{"id": f"i{n}", "question": "q", "answer": "no"} for n in range(4)],
                   [("accuracy", "q")])
    data = "".join(json.dumps({"id": f"i{n}", "question": "q", "element": None, "answer": "yes"}) + "\n"
                   for n in range(4, 44)).encode()
    (folder / "private").mkdir()
    (folder / "private/gold.jsonl").write_bytes(data)
    (folder / "private/salts.jsonl").write_text(json.dumps({"path": "private/gold.jsonl", "salt": SALT}) + "\n")
    manifest = json.loads((folder / "manifest.json").read_text())
    manifest["private"] = {"files": [{"path": "private/gold.jsonl", "commitment": hashlib.sha256(
        bytes.fromhex(SALT) + bytes.fromhex(rows_sha256_of(data))).hexdigest()}]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return predictions(tmp_path / "p.jsonl", [{"id": f"i{n}", "answer": "yes" if n % 2 else "no"} for n in range(44)])


def test_the_private_gold_is_scored_and_the_public_one_is_not(bundle: Path, file: Path) -> None:
    public, private = (score(bundle, {"m": file}, options=Options(held_out=one))["systems"][0]["metrics"][0]
                       for one in (False, True))
    assert (public["n"], private["n"], private["value"]) == (4, 40, 0.5)


def test_no_slice_is_shown_from_which_the_rare_one_could_be_computed(bundle: Path, file: Path) -> None:
    slices = score(bundle, {"m": file}, options=Options(held_out=True))["systems"][0]["slices"]
    assert [(one["value"], one["value_of"], one["ci"], one["n"]) for one in slices] == [
        ("plain", None, None, 34), ("rare", None, None, 6)]
    assert [one["reason"] for one in slices] == ["held back: a smaller slice could be computed from it", "n too small"]


def test_another_gold_or_another_salt_is_refused(bundle: Path, file: Path) -> None:
    gold, salts = bundle / "private/gold.jsonl", bundle / "private/salts.jsonl"
    data = gold.read_bytes()
    gold.write_bytes(data.replace(b'"yes"', b'"no"', 1))
    with pytest.raises(Refused, match="not the file that the manifest committed to; run verify"):
        score(bundle, {"m": file}, options=Options(held_out=True))
    gold.write_bytes(data)
    for salt in ("08" * 32, "no digits"):
        salts.write_text(json.dumps({"path": "private/gold.jsonl", "salt": salt}) + "\n")
        with pytest.raises(Refused, match="committed to"):
            score(bundle, {"m": file}, options=Options(held_out=True))


def test_a_public_bundle_cannot_score_what_is_held_out(bundle: Path, file: Path) -> None:
    (bundle / "private/gold.jsonl").unlink()
    with pytest.raises(Refused, match=r"b holds no private/gold\.jsonl"):
        score(bundle, {"m": file}, options=Options(held_out=True))


@pytest.mark.parametrize("state", ["half held out, private", "held out and taken out"])
def test_bundles_of_the_program_are_scored_on_what_they_hold_back(tmp_path: Path, state: str) -> None:
    folder = STATES[state](tmp_path)
    private = [json.loads(line) for line in (folder / "private/gold.jsonl").read_text("utf-8").splitlines()]
    wanted = {(row["id"], row["question"]) for row in private if "tombstone" not in row and not row["na"]}
    found = score(folder, {}, baselines=True, options=Options(held_out=True, least=1))
    oracle = next(one for one in found["systems"] if one["system"] == "oracle")["metrics"][0]
    assert oracle["value"] == oracle["best"] and oracle["n"] == len(
        [1 for _, question in wanted if question == oracle["question"]]) > 0
