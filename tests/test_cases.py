"""The reference cases through ``dev.py cases``, our own and the shared ones; coverage and peers run in the small."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests import cases, coverage, peers

OWN = Path(__file__).parent / "cases"


def bad(folder: Path) -> list[cases.Check]:
    return [check for check in cases.run(folder) if check.status != "ok"]


def test_our_own_published_tables_are_met() -> None:
    assert len(list(OWN.glob("*.json"))) >= 5
    assert not bad(OWN)


def test_a_wrong_expectation_and_an_unknown_statistic_are_said(tmp_path: Path) -> None:
    case = json.loads((OWN / "fleiss1981-diagnoses.json").read_text(encoding="utf-8"))
    case["checks"] = [{**case["checks"][0], "expected": 0.7}, {**case["checks"][0], "statistic": "kappa_of_delphi"}]
    (tmp_path / "case.json").write_text(json.dumps(case), encoding="utf-8")
    assert [check.status for check in cases.run(tmp_path)] == ["FAIL", "unsupported"]


def test_every_shared_case_of_statistics_is_met(shared: Path) -> None:
    assert len(cases.run(shared / "cases" / "stats")) > 700
    assert not bad(shared / "cases" / "stats")


@pytest.mark.parametrize("design", coverage.DESIGNS, ids=lambda design: design.name)
def test_the_simulated_populations_have_the_alpha_that_is_said(design: coverage.Design) -> None:
    """Alpha of a large sample: the truth against which ``dev.py coverage`` counts is no guess."""
    ratings = design.draw(coverage.np.random.default_rng(1), 60_000)
    found = coverage.measure(ratings, "krippendorff_alpha", level=design.level, interval="none").value
    assert found == pytest.approx(design.truth, abs=0.015)


def test_coverage_counts_what_holds_and_prints_its_command(capsys: pytest.CaptureFixture[str]) -> None:
    argv = ["--sets", "60", "--draws", "300", "--n", "50", "--methods", "bca", "krippendorff", "--designs", ".40"]
    assert coverage.main(argv) == 0
    printed = capsys.readouterr().out
    assert "python3 dev.py coverage --sets 60" in printed and "| nominal .40 .35 .25 | 50 |" in printed
    row = next(line for line in printed.splitlines() if line.startswith("| nominal .40"))
    bca, pairs = (float(cell.split()[0]) for cell in row.split("|")[3:5])
    assert 85 <= bca <= 100 and pairs < bca


def test_peers_give_the_same_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peers, "irrcac", lambda table: None)  # an environment of its own: by hand only
    rows = [row for row in peers.compare(400) if row["theirs"] is not None]
    assert {row["program"] for row in rows} >= {"krippendorff", "nltk", "statsmodels", "scikit-learn"}
    assert max(row["difference"] for row in rows) < 1e-9
