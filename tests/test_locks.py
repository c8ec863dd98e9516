"""What is installed, and what a clone carries: locks, licences, and no trace of any one machine."""

from __future__ import annotations

import importlib.metadata
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
OURS = ("app", "annotation", "studies", "exports", "resources", "tests")
LOCKS = ("requirements.lock", "requirements-dev.lock")
PIN = re.compile(r"^([a-z0-9-]+(?:\[[a-z,]+\])?)==(\S+)", re.MULTILINE)
# Split, so that this file does not find itself.
TRACE = re.compile(r"(?<![\w.}~-])/(?:ro" r"ot|wo" r"rk|ho" r"me)/|/opt/py" r"pi|py" r"pi\.org|python" r"hosted|"
                   r"npm" r"js\.|(?:deb|snapshot)\.deb" r"ian\.org")


def pins(lock: str) -> set[tuple[str, str]]:
    return set(PIN.findall((ROOT / lock).read_text("utf-8")))


def wishes(file: str) -> list[str]:
    lines = (line.split("#")[0].strip() for line in (ROOT / file).read_text("utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("-r")]


@pytest.mark.parametrize("lock", LOCKS)
def test_a_lock_names_no_host_and_hashes_everything(lock):
    text = (ROOT / lock).read_text("utf-8")
    assert "://" not in text
    entries = re.split(r"^(?=[a-z])", text, flags=re.MULTILINE)[1:]
    assert len(entries) >= 30
    assert [entry.split()[0] for entry in entries if "--hash=sha256:" not in entry] == []


def test_the_development_lock_is_the_lock_and_more():
    assert pins("requirements.lock") < pins("requirements-dev.lock")


@pytest.mark.parametrize(("wanted", "lock"), [("requirements.in", LOCKS[0]), ("requirements-dev.in", LOCKS[1])])
def test_all_that_is_wanted_is_locked(wanted, lock):
    locked = {name.split("[")[0] for name, _ in pins(lock)}
    names = {re.split(r"[<>=\[ ]", wish)[0].replace(".", "-").lower() for wish in wishes(wanted)}
    assert names <= locked


def test_the_distribution_wants_what_the_lock_was_made_from():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert project["dependencies"] == wishes("requirements.in")


def test_no_dependency_ships_a_package_of_our_names():
    shipped = importlib.metadata.packages_distributions()
    assert {name: owners for name in OURS if (owners := set(shipped.get(name, ())) - {"goldsmith"})} == {}


def tracked() -> list[Path]:
    if not shutil.which("git") or not (ROOT / ".git").exists():
        pytest.skip("not a clone, or git is not installed")
    command = ["git", "-c", "safe.directory=*", "ls-files", "-z"]  # the clone may be another user's
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def test_no_file_tells_of_the_machine_it_was_written_on():
    faults = []
    for path in tracked():
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a font, a picture, a file in another encoding made for a test
        faults += [f"{path.relative_to(ROOT)}: {found[0]}" for found in TRACE.finditer(text)]
    assert not faults, "\n".join(faults)


def test_every_font_has_its_licence_beside_it():
    families = {path.name.split("-")[0] for path in (ROOT / "resources/fonts").glob("*.?tf")}
    assert families
    for family in families:
        assert "SIL OPEN FONT LICENSE" in (ROOT / f"resources/fonts/OFL-{family}.txt").read_text("utf-8")
        assert family in (ROOT / "NOTICE").read_text("utf-8")
