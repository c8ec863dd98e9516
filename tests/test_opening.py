"""Folder projects: one writer, no half-made project, and a sentence for everything that cannot be opened."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import text

from annotation import protocol
from annotation.errors import Refused, StoreLocked, StoreTooNew
from annotation.store import backup, opening
from annotation.store.opening import create, open_store
from tests import worlds

OTHER = """
import sys
from annotation.store.opening import open_store
store = open_store(sys.argv[1])
print("read-only" if store.read_only else "writing", flush=True)
sys.stdin.readline()
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    worlds.make(tmp_path / "P.goldsmith").close()
    return tmp_path / "P.goldsmith"


def new(target: Path):
    return create(target, protocol=protocol.loads(worlds.text()), owner="demo")


def test_another_program_that_writes_leaves_only_reading_until_it_ends(folder):
    other = subprocess.Popen([sys.executable, "-c", OTHER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True)
    try:
        assert other.stdout.readline().strip() == "writing"
        with open_store(folder) as store:
            assert store.read_only and "another program" in store.note
            with store.read() as session:
                assert session.execute(text("SELECT count(*) FROM item")).scalar() == 4
            with pytest.raises(StoreLocked) as fault, store.write():
                pass
            assert fault.value.exit_code == 4
    finally:
        other.communicate("\n")
    with open_store(folder) as store:
        assert not store.read_only and store.note == ""


def test_a_writer_that_was_killed_holds_no_lock(folder):
    other = subprocess.Popen([sys.executable, "-c", OTHER, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                             text=True)
    assert other.stdout.readline().strip() == "writing"
    other.kill()
    other.communicate()
    with open_store(folder) as store:
        assert not store.read_only


def test_a_second_opening_in_this_program_is_read_only_too(folder):
    with open_store(folder) as first, open_store(folder) as second:
        assert not first.read_only and second.read_only


def test_a_project_of_a_newer_schema_is_not_touched(folder):
    with open_store(folder) as store, store.write() as session:
        session.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    before = (folder / "project.db").read_bytes()
    for wish in (False, True):
        with pytest.raises(StoreTooNew, match="newer Goldsmith") as fault:
            open_store(folder, read_only=wish)
        assert fault.value.exit_code == 4
    assert (folder / "project.db").read_bytes() == before
    assert sorted(p.name for p in folder.iterdir()) == ["media", "project.db", "write.lock"]


def _text_file(file: Path) -> None:
    file.write_text("this is a letter\n" * 100)


def _other_database(file: Path) -> None:
    file.unlink()
    with sqlite3.connect(file) as db:
        db.execute("CREATE TABLE things (a)")
    db.close()


@pytest.mark.parametrize(("spoil", "words"), [
    (lambda file: file.write_bytes(b""), "is empty"),
    (_text_file, "is no database"),
    (_other_database, "not a Goldsmith project"),
    (lambda file: file.rename(file.with_name("projekt.db")), "holds no project.db"),
    (lambda file: file.write_bytes(file.read_bytes()[:5000]), "damaged"),
], ids=["empty", "text", "other", "renamed", "cut"])
def test_what_is_no_whole_project_is_refused_in_a_sentence_and_left_as_it_is(folder, spoil, words):
    spoil(folder / "project.db")
    before = {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file() and p.name != "write.lock"}
    with pytest.raises(Refused, match=words) as fault:
        open_store(folder).close()
    assert fault.value.exit_code == 3
    assert {p.name: p.read_bytes() for p in folder.iterdir() if p.is_file() and p.name != "write.lock"} == before
    open_again = worlds.make(folder.with_name("Q.goldsmith"))  # nothing was left locked in this process
    open_again.close()


def test_damage_inside_is_a_sentence_where_it_is_met(folder):
    file = folder / "project.db"
    file.write_bytes(file.read_bytes()[:4096] + b"\xa7" * (file.stat().st_size - 4096))
    with pytest.raises(Refused, match="damaged"), open_store(folder, read_only=True) as store:
        store.content_sha256()


def test_a_folder_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(Refused, match="there is no project"):
        open_store(tmp_path / "nothing.goldsmith")


@pytest.mark.parametrize("make", [lambda p: p.mkdir(), lambda p: p.write_text("mine"),
                                  lambda p: p.symlink_to(p.with_name("gone"))], ids=["folder", "file", "dangling link"])
def test_nothing_is_made_over_what_is_there(tmp_path, make):
    target = tmp_path / "P.goldsmith"
    make(target)
    with pytest.raises(Refused, match="exists already"):
        new(target)
    assert [p.name for p in tmp_path.iterdir()] == ["P.goldsmith"]


def test_a_new_project_in_a_folder_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(Refused, match="does not exist"):
        new(tmp_path / "a" / "P.goldsmith")
    assert list(tmp_path.iterdir()) == []


def test_a_project_that_fails_while_it_is_made_leaves_nothing(tmp_path, monkeypatch):
    def full(*args, **kwargs):
        raise sqlite3.OperationalError("database or disk is full")
    monkeypatch.setattr(opening, "_begin", full)
    with pytest.raises(sqlite3.OperationalError):
        new(tmp_path / "P.goldsmith")
    assert list(tmp_path.iterdir()) == []


def test_what_a_crash_left_half_made_is_cleared(tmp_path):
    part = tmp_path / "P.goldsmith.part"
    (part / "media" / "ab").mkdir(parents=True)
    (part / "project.db").write_text("half")
    new(tmp_path / "P.goldsmith").close()
    assert [p.name for p in tmp_path.iterdir()] == ["P.goldsmith"]


def test_names_with_umlauts_spaces_percent_and_emoji_are_folders_like_others(tmp_path):
    for name in ("Prüfung 🩺.goldsmith", "50% done?#1.goldsmith"):
        worlds.make(tmp_path / name, n=1).close()
        with open_store(tmp_path / name) as store, store.read() as session:
            assert session.execute(text("SELECT count(*) FROM item")).scalar() == 1


def test_wal_full_sync_foreign_keys_and_recursive_triggers_are_on(folder):
    with open_store(folder) as store, store.write() as session:
        found = {name: session.execute(text(f"PRAGMA {name}")).scalar()
                 for name in ("journal_mode", "synchronous", "foreign_keys", "recursive_triggers", "busy_timeout")}
    assert found == {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "recursive_triggers": 1,
                     "busy_timeout": 5000}


def test_a_drive_without_shared_memory_gets_a_rollback_journal_and_a_note(tmp_path):
    worlds.make(tmp_path / "P.goldsmith").close()
    with sqlite3.connect(tmp_path / "P.goldsmith" / "project.db") as db:
        db.execute("PRAGMA journal_mode = DELETE")
    db.close()
    with open_store(tmp_path / "P.goldsmith", vfs="unix-dotfile") as store:
        assert not store.read_only and "no shared memory" in store.note
        done = worlds.answer(store, "ana")
        with store.write() as session:
            assert session.execute(text("PRAGMA journal_mode")).scalar() == "delete"
        with store.read() as session:
            assert session.execute(text("SELECT count(*) FROM revision")).scalar() == 1
    with open_store(tmp_path / "P.goldsmith") as store, store.read() as session:
        assert session.execute(text("SELECT id FROM revision")).scalar() == done.value.bytes


def test_a_full_disk_is_a_sentence_and_nothing_is_stored(folder):
    with open_store(folder) as store:
        before = store.content_sha256()
        with pytest.raises(Refused, match="disk is full") as fault, store.write() as session:
            pages = session.execute(text("PRAGMA page_count")).scalar()
            session.execute(text(f"PRAGMA max_page_count = {pages}"))
            session.execute(text("UPDATE meta SET value = :long WHERE key = 'title'"), {"long": "x" * 1_000_000})
        assert fault.value.code == "disk_full"
        assert store.content_sha256() == before


NOBODY = """
import os, sys
from sqlalchemy import text
from annotation.errors import Refused
from annotation.store.opening import create, open_store
from annotation import protocol
open_store(sys.argv[1], read_only=True).close()
os.setgid(65534); os.setuid(65534)  # only now: Python's own files may be closed to others
store = open_store(sys.argv[1])
print(store.read_only, store.why_read_only.code)
with store.read() as session:
    print(session.execute(text("SELECT count(*) FROM item")).scalar())
try:
    with store.write(): pass
except Refused as fault:
    print(fault)
try:
    create(sys.argv[1] + ".new", protocol=store.protocol, owner="x")
except Refused as fault:
    print(fault)
"""


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can become another user")
def test_a_folder_that_cannot_be_written_can_be_read_and_says_so(tmp_path):
    public = Path("/tmp") / f"goldsmith-read-only-{os.getpid()}"  # pytest's own folders are closed to others
    public.mkdir(mode=0o755)
    try:
        worlds.make(public / "P.goldsmith").close()
        for path in [public / "P.goldsmith", *(public / "P.goldsmith").rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        said = subprocess.run([sys.executable, "-c", NOBODY, str(public / "P.goldsmith")], capture_output=True,
                              text=True, cwd=Path(__file__).parent.parent, env={**os.environ, "HOME": "/nonexistent",
                                                                                "GOLDSMITH_HOME": "/nonexistent"})
        lines = said.stdout.splitlines()
        assert lines[:2] == ["True not_writable", "4"], said.stderr
        assert "cannot be written" in lines[2] and "cannot be written" in lines[3]
        assert sorted(p.name for p in public.rglob("*")) == ["P.goldsmith", "media", "project.db", "write.lock"]
    finally:
        shutil.rmtree(public)


# --- backup --------------------------------------------------------------------------------------

def test_a_backup_is_a_whole_project_database(folder, tmp_path):
    with open_store(folder) as store:
        worlds.answer(store, "ana")
        made = backup.back_up(store, tmp_path / "b.db")
        hashed = store.content_sha256()
        assert Path(made.file).stat().st_size == made.bytes
        with pytest.raises(Refused, match="exists already"):
            backup.back_up(store, tmp_path / "b.db")
        with pytest.raises(Refused, match="cannot be written"):
            backup.back_up(store, tmp_path / "none" / "b.db")
    (tmp_path / "R.goldsmith").mkdir()
    shutil.copy(made.file, tmp_path / "R.goldsmith" / "project.db")
    with open_store(tmp_path / "R.goldsmith") as store:
        assert store.content_sha256() == hashed
    assert sorted(p.name for p in tmp_path.iterdir()) == ["P.goldsmith", "R.goldsmith", "b.db"]


def test_only_claims_do_not_wait_for_the_drive(folder):
    with open_store(folder) as store:
        waits = []
        for write in (store.write, store.write_loosely, store.write):
            with write() as session:
                waits.append(session.execute(text("PRAGMA synchronous")).scalar())
                session.execute(text("UPDATE item SET priority = priority + 1"))
        assert waits == [2, 1, 2]  # FULL, NORMAL, FULL
    with open_store(folder) as store, store.read() as session:
        assert session.execute(text("SELECT DISTINCT priority FROM item")).scalars().all() == [3]
