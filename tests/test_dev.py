"""dev.py, run as a person runs it: its verbs, exit codes and closing line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
# What a test of dev.py sets for pytest must not reach the pytest that it starts.
ENV = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "QT_", "GOLDSMITH_"))}


def dev(*words: str, root: Path = ROOT, **env: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, str(root / "dev.py"), *words], capture_output=True, text=True, cwd=root,
                          env={**ENV, **env}, timeout=250)


def write_tests(folder: Path, text: str) -> str:
    file = folder / "test_written.py"
    file.write_text(text, "utf-8")
    return str(file)


@pytest.mark.parametrize("words", [(), ("tset",), ("setup", "now"), ("test", "--fast"), ("test", "tests/test_dev.py")])
def test_what_cannot_be_understood_is_answered_with_the_usage(words):
    done = dev(*words)
    assert done.returncode == 2
    assert done.stderr.startswith("usage: python3 dev.py")
    assert done.stdout == ""


def test_help_is_no_fault_and_names_every_verb():
    done = dev("--help")
    assert done.returncode == 0
    for verb in "setup run test bench reliability cases peers pictures coverage".split():
        assert re.search(rf"^  {verb}\b", done.stdout, re.MULTILINE)


def test_a_verb_whose_part_is_not_there_says_so(tmp_path):
    shutil.copy(ROOT / "dev.py", tmp_path)
    for verb in "bench reliability cases peers pictures coverage".split():
        done = dev(verb, root=tmp_path)
        assert (done.returncode, done.stdout) == (2, f"{verb}: not built yet\n")
    assert not (tmp_path / ".venv").exists()


def test_setup_changes_nothing_where_nothing_changed():
    stamp = ROOT / ".venv/installed"
    if not stamp.exists():
        pytest.skip("this environment was not made by dev.py")
    before = stamp.stat().st_mtime_ns
    assert dev("setup").returncode == 0
    assert stamp.stat().st_mtime_ns == before


def test_the_last_line_counts_over_all_runs(tmp_path):
    file = write_tests(tmp_path, """
import os, pytest
def test_offscreen(): assert os.environ["QT_QPA_PLATFORM"] == "offscreen"
def test_bad(): assert False
@pytest.fixture
def broken():
    yield
    raise RuntimeError
def test_passed_but_not_cleaned(broken): pass
def test_not_here(): pytest.skip("a reason")
@pytest.mark.slow
def test_slow(): assert False
@pytest.mark.xvfb
def test_on_a_screen(): assert os.environ["QT_QPA_PLATFORM"] == "xcb" and os.environ["DISPLAY"]
""")
    done = dev("test", "--", "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), "-p", "tests.conftest", file)
    assert done.returncode == 1
    screen = 1 if shutil.which("Xvfb") else 0
    assert done.stdout.splitlines()[-1] == f"{1 + screen} passed, 2 failed, {2 - screen} skipped"


def test_all_takes_the_slow_tests_along(tmp_path):
    file = write_tests(tmp_path, "import pytest\n@pytest.mark.slow\ndef test_slow(): pass\n")
    args = ("--", "-c", str(ROOT / "pyproject.toml"), file)
    done = dev("test", "--all", *args)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "1 passed, 0 failed, 0 skipped")
    done = dev("test", *args)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "0 passed, 0 failed, 0 skipped")


def test_a_run_that_crashes_is_a_failure(tmp_path):
    file = write_tests(tmp_path, "import os\ndef test_crash(): os.abort()\n")
    done = dev("test", "--", "-c", str(ROOT / "pyproject.toml"), file)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (1, "0 passed, 1 failed, 0 skipped")


@pytest.mark.xvfb
def test_run_opens_the_window_on_the_demo_project(tmp_path):
    done = dev("run", "--quit-after-first-paint", GOLDSMITH_HOME=str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert re.search(r"^painted in \d+ ms$", done.stdout, re.MULTILINE)
    assert (tmp_path / "demo.goldsmith/project.db").exists()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere there is always a display")
def test_run_without_a_display_does_the_tour_and_says_where(tmp_path):
    env = {name: value for name, value in ENV.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    done = subprocess.run([sys.executable, str(ROOT / "dev.py"), "run"], capture_output=True, text=True, timeout=250,
                          env={**env, "GOLDSMITH_HOME": str(tmp_path), "TMPDIR": str(tmp_path)})
    assert done.returncode == 0, done.stderr
    [said] = re.findall(r"no display here: running the tour instead, into (\S+)", done.stderr)
    assert (Path(said) / "tour.json").exists()
