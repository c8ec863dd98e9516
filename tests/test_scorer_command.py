"""The scorer on a command line: what it says while it works, what it leaves when stopped, and where a fault is."""

from __future__ import annotations

import io
import re
import time
from pathlib import Path
from typing import Any

import pytest

from annotation.errors import Refused, beside_its_place
from app.cli import main as goldsmith
from exports.scorer import command, patterns
from exports.scorer.command import main
from exports.scorer.extraction import rules_of, search
from exports.scorer.outputs import write as write_report
from exports.scorer.patterns import last_match, last_matches
from exports.scorer.progress import Line
from exports.scorer.score import Options, score
from exports.scorer.table import table
from tests.small_bundle import predictions, write


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def bundle(folder: Path, n: int = 6) -> Path:
    choices = {"q": [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]}
    return write(folder, [{"id": f"i{k}", "choices": choices, "slices": {"kind": "odd" if k % 2 else "even"}}
                          for k in range(n)],
                 [{"id": f"i{k}", "question": "q", "answer": "yes"} for k in range(n)], [("accuracy", "q")])


def rows(**more: Any) -> list[dict[str, Any]]:
    return [{"id": f"i{k}", "answer": more.get(f"i{k}", "yes")} for k in range(6)]


@pytest.mark.parametrize(("line", "sentence"), [
    ('{"id": "i9", "answer": "yes"}', "the bundle has no item 'i9'"),
    ('{"id": "i0"}', "this line says nothing: it has none of"), ("[1]", "this line is not a JSON object"),
    ('{"id": "i0", "answer": NaN}', "NaN is not a finite number")])
def test_a_refusal_says_its_line_once(tmp_path: Path, capsys: pytest.CaptureFixture[str], line: str,
                                      sentence: str) -> None:
    file = tmp_path / "p.jsonl"
    file.write_text('\n{"id": "i1", "answer": "no"}\n\n' + line + "\n", encoding="utf-8")
    folder = str(bundle(tmp_path / "b"))
    for run, words in ((main, []), (goldsmith, ["score"])):
        code, said = run([*words, folder, str(file)]), capsys.readouterr().err
        assert code == 3 and said.startswith(f"{file}:4: {sentence}"), said
        assert "line 4" not in said


def test_only_the_line_of_the_place_is_left_out() -> None:
    assert beside_its_place("line 4: it was said in line 2", 4) == "it was said in line 2"
    assert beside_its_place("line 4 has no 'id'", 4) == "this line has no 'id'"
    assert beside_its_place("line 41 has no 'id'", 4) == "line 41 has no 'id'"
    assert beside_its_place("line 4 has no 'id'", None) == "line 4 has no 'id'"


def test_a_terminal_is_told_what_it_is_at_and_left_clean(tmp_path: Path) -> None:
    out, told = Terminal(), []
    line = Line(out)
    line("reading")
    line.clear()
    assert out.getvalue().startswith("\rreading ") and out.getvalue().endswith(" \r")
    for nobody in (Line(io.StringIO()), Line(Terminal(), quiet=True)):
        nobody("reading")
        nobody.clear()
    file = predictions(tmp_path / "p.jsonl", rows())
    score(bundle(tmp_path / "b"), {"s": file}, baselines=True, options=Options(tell=told.append))
    assert told == ["reading b", "reading p.jsonl", "scoring 1 of 5: s", "scoring 2 of 5: oracle",
                    "scoring 3 of 5: anti-oracle", "scoring 4 of 5: constant:yes", "scoring 5 of 5: constant:no",
                    "comparing systems"]


def test_who_stops_a_score_gets_130_and_keeps_the_file_that_was_there(
        tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    folder, file = str(bundle(tmp_path / "b")), str(predictions(tmp_path / "p.jsonl", rows()))
    out = tmp_path / "out.json"
    out.write_text("before", encoding="utf-8")

    def stop(*_args: Any, **_more: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(command, "score", stop)
        assert main([folder, file, "--out", str(out)]) == 130
    with monkeypatch.context() as patched:
        patched.setattr(Path, "replace", stop)
        assert main([folder, file, "--out", str(out)]) == 130
    assert capsys.readouterr().err == "stopped\nstopped\n"
    assert out.read_text(encoding="utf-8") == "before"
    assert sorted(one.name for one in tmp_path.iterdir()) == ["b", "out.json", "p.jsonl"]
    assert main([folder, file, "--out", str(out)]) == 0
    assert out.read_text(encoding="utf-8").startswith("{")


def test_a_report_goes_where_a_link_leads_and_is_refused_where_there_is_no_folder(tmp_path: Path) -> None:
    found = score(bundle(tmp_path / "b"), {}, baselines=True)
    link = tmp_path / "link.json"
    link.symlink_to(tmp_path / "real.json")
    write_report(found, str(link))
    assert link.is_symlink() and (tmp_path / "real.json").read_text(encoding="utf-8").startswith("{")
    for nowhere in (tmp_path / "none" / "a.json", tmp_path / "b"):
        with pytest.raises(Refused, match="cannot be written"):
            write_report(found, str(nowhere))


def test_a_pattern_that_never_ends_is_stopped_and_named_with_its_item(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patterns, "SECONDS", 3.0)
    file = predictions(tmp_path / "p.jsonl", rows(i4="a" * 60 + "!"))
    begun = time.monotonic()
    with pytest.raises(Refused, match=r"the pattern '\(a\+\)\+b' does not come to an end on .* to i4 ") as refused:
        score(bundle(tmp_path / "b"), {"s": file}, options=Options(extract=("last-line", "regex:(a+)+b")))
    assert time.monotonic() - begun < 60
    assert (refused.value.where.file, refused.value.where.item) == (str(file), "i4")


@pytest.mark.parametrize("letters", [1, 40, 4_000_000])
def test_a_process_beside_finds_what_this_one_finds(letters: int, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["", "answer: B", "answer: B\nanswer: é", "x" * 50, "\U0001f600 answer: C",
             "answer: \u2028D", "a\r\nb", "\\u"]
    monkeypatch.setattr(patterns, "LETTERS", letters)
    for text in (r"answer: (\w)", r"answer: \w", r".*", r"(z)?answer", r"(?s)answer(.*)"):
        pattern = re.compile(text)
        wanted = {one: last_match(pattern, one) for one in texts}
        assert last_matches(pattern, dict.fromkeys(texts, "i"), None) == wanted
        with monkeypatch.context() as patched:
            patched.setattr(patterns.sys, "executable", "")
            assert last_matches(pattern, dict.fromkeys(texts, "i"), None) == wanted


def test_without_a_pattern_nothing_is_searched() -> None:
    def asked() -> Any:
        raise AssertionError
        yield

    search(rules_of(("letter", "last-line")), asked(), None)


def test_a_slice_that_is_too_small_is_one_row_for_all_systems(tmp_path: Path) -> None:
    file = predictions(tmp_path / "p.jsonl", rows(i1="no"))
    found = score(bundle(tmp_path / "b"), {"s": file}, baselines=True, options=Options(least=3))
    assert table(found).count("kind = odd") == 5
    few = score(bundle(tmp_path / "b2"), {"s": file}, baselines=True)
    lines = [line for line in table(few).splitlines() if "n too small" in line]
    assert [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines] == [
        ["every system", "accuracy", "q", f"kind = {kind}", "n too small", "", "3"] for kind in ("even", "odd")]
    assert all(len(system["slices"]) == 2 for system in few["systems"])
