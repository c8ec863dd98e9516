"""A bad input ends in a sentence that says what and where, and in nothing else: no change, no file, no traceback."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from annotation import importing, people, protocol
from annotation.answers_in import import_answers
from annotation.errors import Refused
from annotation.store.opening import create, open_store
from exports.bundle import write_bundle
from exports.release import draw
from tests.makers import MAKERS

ROOT = Path(__file__).resolve().parent.parent
CASES = tomllib.loads((ROOT / "tests/bad_inputs.toml").read_text("utf-8"))["case"]
NOBODY = 65534
MEMORY = 800 * 1024 * 1024
# What SQLite and the store keep beside a database while it is open.
BESIDE = frozenset({"project.db-wal", "project.db-shm", "project.db-journal", "write.lock"})
PROTOCOL = """\
id: mixed
version: 1
title: Mixed
fields:
  - {name: question, kind: text, required: true}
  - {name: score, kind: number}
  - {name: topic, kind: tag}
  - {name: picture, kind: image}
  - {name: replies, kind: candidates}
  - {name: origin, kind: text, private: true}
questions:
  - {name: ok, type: choice, text: OK?, options: [{value: "yes"}, {value: "no"}]}
  - {name: n, type: scale, text: How many?, min: 1, max: 5}
workflow: {stages: [annotate], people_per_item: 2}
gold: {ok: {rule: majority, min_people: 1}}
export: {scorer: {metric: accuracy, question: ok}}
"""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="commands are forked, which this system cannot do")


def test_there_are_enough_cases_and_each_has_its_own_name():
    assert len(CASES) >= 60
    assert len({case["id"] for case in CASES}) == len(CASES)
    known = {"id", "command", "exit", "words", "files", "as_other_user", "disk", "file_limit"}
    assert all(set(case) <= known and case["words"] for case in CASES)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the project and a bundle of it; each case gets a copy."""
    folder = tmp_path_factory.mktemp("template")
    (folder / "items.jsonl").write_text("".join(
        json.dumps({"id": f"k{n}", "question": f"Question {n}?"}) + "\n" for n in range(1, 5)))
    with create(folder / "P.goldsmith", protocol=protocol.loads(PROTOCOL), title="P", owner="demo") as store:
        with store.write() as session:
            by = people.find(session, "demo").id
            for name in ("ana", "ben"):
                people.add(session, name, roles=["annotator"], by=by)
        importing.import_file(store, folder / "items.jsonl", by=by)
        (folder / "answers.csv").write_text("item,person,question,answer\nk1,ana,ok,yes\nk1,ana,n,3\n")
        import_answers(store, folder / "answers.csv", by=by)
        with store.write() as session:
            draw(session, None, by=by)
            write_bundle(session, folder / "bundle")
    return folder


@pytest.fixture(scope="module")
def commands(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Runs one command; answers with its exit code, what it printed, and the memory it took."""
    program = ROOT
    if os.geteuid() == 0:  # another user shall read the program too, and root's home is often closed to him
        program = tmp_path_factory.mktemp("program")
        program.chmod(0o755)
        for name in ("app", "annotation", "exports", "studies", "resources", "tests"):
            shutil.copytree(ROOT / name, program / name)
    server = subprocess.Popen([sys.executable, "-m", "tests.forked"], cwd=program, text=True, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE)

    def run(job: dict[str, Any]) -> tuple[int, str, str, int]:
        assert server.stdin and server.stdout
        server.stdin.write(json.dumps(job) + "\n")
        server.stdin.flush()
        answer = json.loads(server.stdout.readline())
        out, err = (Path(job[name]).read_text("utf-8") for name in ("out", "err"))
        return answer["exit"], out, err, answer["memory"]

    yield run
    assert server.stdin
    server.stdin.close()
    server.wait(10)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_a_bad_input_ends_in_a_sentence(case: dict[str, Any], template: Path, commands: Any, tmp_path: Path) -> None:
    with ExitStack() as stack:
        folder = stack.enter_context(place(case, tmp_path))
        project = folder / "P.goldsmith"
        shutil.copytree(template / "P.goldsmith", project)
        for file in case.get("files", ()):
            make(file, folder, project, template, stack)
        printed = tmp_path / "printed"
        printed.mkdir()
        home = tmp_path / "home"
        home.mkdir()
        job = {"argv": [word.format(dir=folder, project=project) for word in case["command"]] + ["--json"],
               "cwd": str(folder), "env": {"GOLDSMITH_HOME": str(home)}, "out": str(printed / "out"),
               "err": str(printed / "err"), "file_limit": case.get("file_limit")}
        if case.get("as_other_user"):
            job |= other_user(folder, home)
        before = facts(project), files(folder)
        code, out, err, memory = commands(job)
        after = facts(project), files(folder)
    said = out + err
    assert "Traceback" not in said and "bug" not in out, said
    assert code == case["exit"], said
    spoken = err + "".join(_messages(json.loads(out)))
    assert [word for word in case["words"] if word not in spoken] == [], spoken
    assert json.loads(out)["ok"] is False and "\ud83d" not in said
    assert after == before
    assert not list(home.glob("bug*"))
    assert memory < MEMORY


def test_the_command_itself_ends_as_its_forked_copies_do(template: Path, tmp_path: Path) -> None:
    (tmp_path / "items.jsonl").write_text('{"id": 1, "question": 5}\n')
    done = subprocess.run([sys.executable, "-m", "app", "import", str(template / "P.goldsmith"), "items.jsonl"],
                          cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(ROOT)}, text=True, capture_output=True)
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("items.jsonl:1:1: ") and done.stderr.count("\n") == 1


# --- the world of a case --------------------------------------------------------------------------

@contextmanager
def place(case: dict[str, Any], tmp_path: Path) -> Iterator[Path]:
    """The folder of a case: a plain one, or one in a small file system of its own."""
    folder = tmp_path / "case" / "inner"
    folder.mkdir(parents=True)
    if "disk" not in case:
        yield folder
        return
    command = ["mount", "-t", "tmpfs", "-o", f"size={case['disk']}", "tmpfs", str(folder)]
    root = hasattr(os, "geteuid") and os.geteuid() == 0 and shutil.which("mount")
    if not root or subprocess.run(command, capture_output=True).returncode != 0:
        pytest.skip("a small disk can be mounted by root only (and not in every container)")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def make(file: dict[str, str], folder: Path, project: Path, template: Path, stack: ExitStack) -> None:
    path = project if file["name"] == "{project}" else folder / file["name"]
    if "text" in file:
        path.write_bytes(file["text"].encode())
    elif "base64" in file:
        path.write_bytes(base64.b64decode(file["base64"]))
    elif file["make"] == "held":
        stack.enter_context(open_store(path))
    elif file["make"] in ("bundle", "changed_bundle"):
        shutil.copytree(template / "bundle", path)
        if file["make"] == "changed_bundle":
            gold = path / "public/gold.jsonl"
            gold.write_text(gold.read_text().replace('"yes"', '"no"'))
    else:
        MAKERS[file["make"]](path)


def other_user(folder: Path, home: Path) -> dict[str, Any]:
    """Runs as somebody who is not root; as one's own self where one is not root anyway."""
    if os.geteuid() != 0:
        return {}
    for above in (home, folder, *folder.parents):
        if Path(tempfile.gettempdir()) in above.parents:  # pytest's own folders, which it closes to others
            above.chmod(0o755)
        elif not above.stat().st_mode & 0o001:  # os.access would tell what root may do
            pytest.skip(f"another user cannot enter {above}")
    for path in (home, folder, folder / "P.goldsmith", *(folder / "P.goldsmith").rglob("*")):
        os.chown(path, NOBODY, NOBODY)
    return {"user": NOBODY}


def facts(project: Path) -> str:
    """The content hash of the project; of the bytes of its database where it cannot be opened."""
    try:
        with open_store(project, read_only=True) as store:
            return store.content_sha256()
    except Refused:
        database = project / "project.db"
        return hashlib.sha256(database.read_bytes()).hexdigest() if database.exists() else "none"


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.name not in BESIDE)


def _messages(answer: dict[str, Any]) -> Iterator[str]:
    """Sentences of a verb that found faults (protocols check, verify)."""
    for fault in answer.get("faults", ()):
        yield f"{fault.get('file')}:{fault.get('line')}: {fault.get('code')} {fault['message']}\n"
