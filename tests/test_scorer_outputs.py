"""Reports as JSON, Markdown, LaTeX and HTML: strict, complete, escaped; and the verb that writes them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from app.cli import main
from exports.scorer.drawing import Dot, dots
from exports.scorer.latex import escaped
from exports.scorer.outputs import FORMATS, format_of
from exports.scorer.score import Options, score
from exports.scorer_file import scorer_file
from tests.small_bundle import predictions, write

ODD = "a|b & c_d%$#{x}<b>~^\\"
CHOICES = {"q": [{"id": "yes", "text": "Yes"}, {"id": "no", "text": "No"}]}


@pytest.fixture
def report(tmp_path: Path) -> dict[str, Any]:
    """A report with everything in it, and with names that no format may take for a command."""
    items = [{"id": f"i{n}", "choices": CHOICES, "slices": {"kind": ODD if n % 2 else None}} for n in range(50)]
    gold = [{"id": f"i{n}", "question": "q", "answer": "yes"} for n in range(50)]
    people = [{"id": f"i{n}", "question": "q", "annotator": f"p{k}", "answer": "yes"} for n in range(30)
              for k in range(3)]
    bundle = write(tmp_path / "b", items, gold, [("accuracy", "q")], people)
    old = write(tmp_path / "old", items[:40], gold[:40], [("accuracy", "q")])
    files = {
        ODD: predictions(tmp_path / "a.jsonl", [{"id": f"i{n}", "answer": "yes" if n % 3 else "no"}
                                                for n in range(50)]),
        "runs": predictions(tmp_path / "r.jsonl", [{"id": f"i{n}", "epoch": run, "answer": "yes" if (n + run) % 4 else
                                                    "no"} for n in range(50) for run in range(2)]),
        "people": predictions(tmp_path / "h.jsonl", [{"id": f"i{n}", "rater": rater, "answer": "yes" if n % 5 else "no"}
                                                     for n in range(45) for rater in ("ana", "ben")])}
    return score(bundle, files, baselines=True, against=old, options=Options(agreed=((2, 3),)))


def test_json_is_strict_and_holds_every_digit(report: dict[str, Any]) -> None:
    def never(word: str) -> None:
        raise AssertionError(word)

    read = json.loads(FORMATS["json"](report), parse_constant=never)
    assert (read["ok"], read["schema"]) == (True, "goldsmith/score/1")
    assert read["systems"] == report["systems"] and read["comparisons"] == report["comparisons"]
    with pytest.raises(ValueError):
        FORMATS["json"]({"x": float("nan")})


def test_markdown_tables_have_as_many_cells_in_every_row(report: dict[str, Any]) -> None:
    text = FORMATS["md"](report)
    for table in re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE):
        cells = {len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in table.splitlines()}
        assert len(cells) == 1, table
    for title in ("Runs", "People", "Comparisons", "Gap to people", "where at least 2 of 3 agreed", "Against",
                  "Slices"):
        assert title in text, title
    assert "2000 draws, seed 0, answers read by exact" in text


def test_latex_escapes_everything_and_every_row_fits_its_columns(report: dict[str, Any]) -> None:
    text = FORMATS["latex"](report)
    for kind in ("tabular", "longtable"):
        for columns, body in re.findall(rf"\\begin\{{{kind}\}}\{{([lr]+)\}}\n(.*?)\\end\{{{kind}\}}", text, re.DOTALL):
            for line in body.splitlines():
                if line.endswith(r"\\"):
                    assert len(re.findall(r"(?<!\\)&", line)) == len(columns) - 1, line
    assert text.count(r"\begin{") == text.count(r"\end{")
    bare = re.sub(r"\\[{}]", "", text)
    assert bare.count("{") == bare.count("}")
    assert escaped(ODD) == (r"a\textbar{}b \& c\_d\%\$\#\{x\}\textless{}b\textgreater{}\textasciitilde{}"
                            r"\textasciicircum{}\textbackslash{}")


class Page(HTMLParser):
    """Tags opened and not closed, and what could load something."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loads: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("meta", "line", "circle"):
            self.open.append(tag)
        self.loads += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "onload", "onclick")]
        if tag in ("script", "iframe", "link", "img"):
            self.loads.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """A tag that closes itself."""

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_the_page_is_whole_loads_nothing_and_shows_a_plot_of_everything(report: dict[str, Any]) -> None:
    text, page = FORMATS["html"](report), Page()
    page.feed(text)
    assert (page.open, page.loads) == ([], [])
    assert "<b>" not in text and "&lt;b&gt;" in text
    plots = re.findall(r"<svg.*?</svg>", text)
    assert len(plots) >= 6  # values, slices of three systems, differences, gaps
    for plot in plots:
        assert ElementTree.fromstring(plot).find("{http://www.w3.org/2000/svg}title") is not None
    assert all(name not in text for name in ("NaN", "None", "inf "))


def test_a_dot_stands_where_its_value_is_and_a_missing_one_says_why() -> None:
    rows = [Dot("a", 0.5, [0.25, 0.75]), Dot("b", None, None, "n too small")]
    drawn = ElementTree.fromstring(dots("t", rows, low=0.0, high=1.0))
    space = "{http://www.w3.org/2000/svg}"
    (dot,) = drawn.findall(f"{space}circle")
    interval = next(one for one in drawn.findall(f"{space}line") if one.get("class", "").startswith("ci"))
    ends = [float(interval.get(name, "nan")) for name in ("x1", "x2")]
    assert float(dot.get("cx", "nan")) == pytest.approx(sum(ends) / 2) == pytest.approx(230 + 420 / 2)
    assert ends[1] - ends[0] == pytest.approx(420 / 2)
    assert "n too small" in [one.text for one in drawn.findall(f"{space}text")]
    assert dots("nothing", [Dot("a", None, None)]) == ""


@pytest.mark.parametrize(("file", "named", "kind"), [
    ("a.json", None, "json"), ("a.md", None, "md"), ("a.tex", None, "latex"), ("a.HTML", None, "html"),
    ("a", None, "json"), ("a.txt", None, "json"), ("a.txt", "html", "html")])
def test_the_format_is_the_one_named_or_that_of_the_ending(file: str, named: str | None, kind: str) -> None:
    assert format_of(file, named) == kind


def test_the_verb_writes_every_file_and_prints_what_is_asked_for(
        tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bundle = write(tmp_path / "b", [{"id": "i0", "choices": CHOICES}], [{"id": "i0", "question": "q", "answer": "no"}],
                   [("accuracy", "q")])
    file = predictions(tmp_path / "p.jsonl", [{"id": "i0", "answer": "B"}])
    names = [tmp_path / name for name in ("o.json", "o.md", "o.tex", "o.html")]
    common = ["score", str(bundle), f"m={file}", "--extract", "letter", "--least", "1"]
    assert main([*common, *[word for name in names for word in ("--out", str(name))]]) == 0
    assert json.loads(names[0].read_text())["systems"][0]["metrics"][0]["value"] == 1.0
    assert [name.read_text()[:9] for name in names[1:]] == ["Small 1.0", r"\document", "<!doctype"]
    assert "| m " in capsys.readouterr().out
    assert main([*common, "--format", "latex"]) == 0
    assert capsys.readouterr().out.startswith(r"\documentclass")
    assert main([*common, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["settings"]["extract"] == ["letter"]
    for words, fault in ((["--replicates", "5"], "5 is no whole number from 100 on"),
                         (["--shelf-life", "a"], "two names of systems are wanted"),
                         (["--least", "-1"], "-1 is no whole number from 1 on")):
        assert main([*common, *words]) == 2
        assert fault in capsys.readouterr().err


def test_the_scorer_alone_says_that_it_needs_numpy(tmp_path: Path) -> None:
    (tmp_path / "scorer.pyz").write_bytes(scorer_file())
    bare = [sys.executable, "-I", "-S", "scorer.pyz", "."]  # -S: nothing that was installed
    done = subprocess.run(bare, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 1 and done.stderr == "scorer.pyz needs numpy: python3 -m pip install numpy\n"
