"""The window without a display: a sentence, not an abort."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from app.cli import DISPLAYS


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems always have a display")
def test_without_a_display_the_program_says_so_and_names_the_way_on(tmp_path):
    env = {name: value for name, value in os.environ.items() if name not in DISPLAYS}
    (tmp_path / "P.goldsmith").mkdir()
    done = subprocess.run([sys.executable, "-m", "app", str(tmp_path / "P.goldsmith")], capture_output=True, text=True,
                          env=env, check=False)
    assert done.returncode == 3
    assert "no display" in done.stderr and "goldsmith --help" in done.stderr
    assert "Traceback" not in done.stderr
