"""The store on both engines: creating and opening, append-only tables, transactions, the content hash."""

from __future__ import annotations

import threading

import pytest
from sqlalchemy import CheckConstraint, inspect, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from annotation import people, protocol, tasks, trail
from annotation.errors import Refused
from annotation.store import schema, triggers
from annotation.store.ids import new_id
from annotation.store.migrations import write
from annotation.store.opening import create, open_store
from annotation.store.project import main_round, meta
from annotation.store.tables import Base, Event, Revision, Round, Task
from annotation.store.types import now
from tests import worlds


def test_a_new_project_has_its_owner_protocol_round_and_first_event(place):
    with create(place, protocol=protocol.loads(worlds.text()), title="Ünser Tïtle", owner="demo") as store:
        with store.read() as session:
            assert meta(session)["title"] == "Ünser Tïtle"
            assert [(p.handle, p.roles) for p in people.people(session)] == [("demo", ("owner",))]
            assert session.execute(select(Round.name, Round.kind)).all() == [("main", "main")]
            assert session.execute(select(Event.verb)).scalars().all() == ["create"]
        assert store.protocol.hash == protocol.loads(worlds.text()).hash
        assert store.protocol_by(store.protocol.hash).id == "world"


def test_creating_over_a_project_is_refused_and_changes_nothing(place):
    with worlds.make(place) as store:
        before = store.content_sha256()
    with pytest.raises(Refused, match="exists already") as fault:
        create(place, protocol=protocol.loads(worlds.text()), owner="other")
    assert fault.value.exit_code == 3
    with open_store(place, read_only=True) as store:
        assert store.content_sha256() == before


def test_what_was_written_is_there_after_opening_again_and_the_hash_is_the_same(place):
    with worlds.make(place) as store:
        done = worlds.answer(store, "ana", "blue")
        before = store.content_sha256()
    with open_store(place, read_only=True) as store, store.read() as session:
        row = session.execute(select(Revision)).scalar_one()
        assert (row.id, row.answers_json) == (done.value, {"colour": {"v": "blue"}})
        assert row.at.utcoffset() is not None
        assert store.content_sha256() == before


def test_a_transaction_that_raises_keeps_nothing_and_takes_its_media_back(place):
    with worlds.make(place) as store:
        before = store.content_sha256()
        picture = _png()
        with pytest.raises(RuntimeError), store.write() as session:
            put = store.media.put(picture, name="a.png")
            people.add(session, "dora", roles=["annotator"], by=worlds.who(session, "demo"))
            raise RuntimeError
        assert store.content_sha256() == before
        assert not store.media.exists(put.sha256)
        with store.write():
            put = store.media.put(picture, name="a.png")
        assert store.media.path(put.sha256).read_bytes() == picture


def test_the_content_hash_follows_every_row_and_no_cache(place):
    with worlds.make(place) as store:
        first = store.content_sha256()
        with store.write() as session:
            session.execute(text("UPDATE item_stage SET rnd = rnd + 1"))
        assert store.content_sha256() == first
        with store.write() as session:
            session.execute(text("UPDATE person SET name = 'Ana' WHERE handle = 'ana'"))
        assert store.content_sha256() != first


def test_a_store_opened_for_reading_refuses_to_write(place):
    worlds.make(place).close()
    with open_store(place, read_only=True) as store, pytest.raises(Refused, match="reading only"), store.write():
        pass


# --- append-only ---------------------------------------------------------------------------------

def _attempts(engine: str) -> list[str]:
    tried = ["UPDATE revision SET active_ms = 0", "DELETE FROM revision", "DELETE FROM event",
             "UPDATE protocol_version SET text = ''", "UPDATE item_version SET rev = 9"]
    if engine == "sqlite":
        return [*tried, "INSERT OR REPLACE INTO revision SELECT * FROM revision",
                "INSERT OR REPLACE INTO event SELECT * FROM event",
                "REPLACE INTO item_version SELECT * FROM item_version"]
    return [*tried, "TRUNCATE revision CASCADE", "TRUNCATE event",
            "INSERT INTO event SELECT * FROM event ON CONFLICT (device, seq) DO UPDATE SET verb = 'x'"]


def test_append_only_tables_refuse_update_delete_replace_and_truncate(place, request):
    with worlds.make(place) as store:
        worlds.answer(store, "ana")
        before = store.content_sha256()
        for statement in _attempts(request.node.callspec.params["place"]):
            with pytest.raises(DBAPIError, match="append-only"), store.write() as session:
                session.execute(text(statement))
        assert store.content_sha256() == before


def test_every_append_only_table_has_its_triggers(place):
    with worlds.make(place) as store, store.read() as session:
        if store.folder is not None:
            rows = session.execute(text("SELECT tbl_name, name FROM sqlite_master WHERE type = 'trigger'")).all()
            wanted = {(t, f"keep_{t}_{verb}") for t in triggers.append_only() for verb in ("update", "delete")}
        else:
            rows = session.execute(text(
                "SELECT c.relname, t.tgname FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid "
                "WHERE NOT t.tgisinternal")).all()
            wanted = {(t, f"keep_{t}_{kind}") for t in triggers.append_only() for kind in ("row", "all")}
        assert {tuple(row) for row in rows} == wanted
        assert "revision" in triggers.append_only()


def test_the_database_itself_refuses_a_second_task_in_a_slot(place):
    with worlds.make(place) as store:
        task = worlds.take(store, "ana")
        with pytest.raises(IntegrityError), store.write() as session:
            session.add(Task(id=new_id(), item=task.item, item_version=task.item_version, stage="annotate",
                             round=main_round(session), slot=1, person=worlds.who(session, "ben"),
                             protocol=task.protocol_hash, state="claimed", at=now()))


# --- the schema ----------------------------------------------------------------------------------

def _described(connection) -> dict[str, object]:
    look = inspect(connection)
    tables = sorted(set(look.get_table_names()) - {"alembic_version"})
    return {t: {
        "columns": [(c["name"], str(c["type"]), c["nullable"]) for c in look.get_columns(t)],
        "key": look.get_pk_constraint(t)["constrained_columns"],
        "foreign": sorted((f["constrained_columns"], f["referred_table"], f["name"]) for f in look.get_foreign_keys(t)),
        "unique": sorted((u["name"], u["column_names"]) for u in look.get_unique_constraints(t)),
        "checks": sorted((c["name"], c["sqltext"]) for c in look.get_check_constraints(t)),
        "indexes": sorted((i["name"], i["column_names"], bool(i["unique"]),
                           sorted(map(str, (i.get("dialect_options") or {}).values()))) for i in look.get_indexes(t)),
    } for t in tables}


def _drop_all(session) -> None:
    if session.bind.dialect.name == "postgresql":
        session.execute(text("DROP SCHEMA gold_p CASCADE"))
        session.execute(text("CREATE SCHEMA gold_p"))
        return
    session.execute(text("PRAGMA defer_foreign_keys = ON"))
    for kind in ("trigger", "table"):
        query = text("SELECT name FROM sqlite_master WHERE type = :kind AND name NOT LIKE 'sqlite_%'")
        for name in session.execute(query, {"kind": kind}).scalars().all():
            session.execute(text(f'DROP {kind} "{name}"'))


def _triggers(session) -> list[tuple[str, ...]]:
    query = ("SELECT name, sql FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
             if session.bind.dialect.name == "sqlite" else
             "SELECT tgname, pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal ORDER BY tgname")
    return [tuple(row) for row in session.execute(text(query))]


def test_the_migrations_give_the_schema_that_a_new_project_has(place):
    """Fails after a change of the tables: run ``python -m annotation.store.migrations.write``."""
    with create(place, protocol=protocol.loads(worlds.text()), owner="demo") as store:
        with store.read() as session:
            made, guards = _described(session.connection()), _triggers(session)
        with store.write() as session:
            connection = session.connection()
            _drop_all(session)
            schema.upgrade(connection)
            assert _described(connection) == made
            assert _triggers(session) == guards
            assert schema.version(connection) == schema.HEAD
    assert set(made) == set(Base.metadata.tables)


def test_the_first_migration_is_what_the_tables_write():
    assert write.FILE.read_text(encoding="utf-8") == write.first()


def test_no_check_makes_a_table_anew_for_every_row():
    """SQLite does for IN with more than two values: the import of items took a fifth longer. See ``one_of``."""
    texts = [str(check.sqltext) for table in Base.metadata.tables.values() for check in table.constraints
             if isinstance(check, CheckConstraint)]
    assert len(texts) >= 9
    assert not [text for text in texts if " in " in text.lower()]


# --- the trail -----------------------------------------------------------------------------------

def test_the_chain_holds_and_a_changed_line_is_found(place):
    with worlds.make(place) as store:
        worlds.answer(store, "ana")
        with store.read() as session:
            report = trail.verify_chain(session)
            assert report.ok and report.n == session.execute(text("SELECT count(*) FROM event")).scalar()
        with store.write() as session:  # what somebody who holds the file can do
            if store.folder is not None:
                session.execute(text("DROP TRIGGER keep_event_update"))
            else:
                session.execute(text("ALTER TABLE event DISABLE TRIGGER ALL"))
            session.execute(text("UPDATE event SET verb = 'skip' WHERE verb = 'submit'"))
        with store.read() as session:
            assert [what for _, _, what in trail.verify_chain(session).faults] == ["hash"]


def test_events_hold_ids_and_hashes_and_no_word_of_anybody(place):
    with worlds.make(place, n=1) as store:
        with store.write() as session:
            task = tasks.next_task(session, worlds.who(session, "ana"))
            tasks.submit(session, task.id, {"colour": {"v": "blue"}, "why": {"v": "Grandmother said so"}})
        with store.read() as session:
            said = "".join(session.execute(text("SELECT ids_json FROM event")).scalars())
            assert "Grandmother" not in said and "ana" not in said and "blue" not in said
            line = session.execute(select(Event).where(Event.verb == "submit")).scalar_one()
            assert line.ids_json["task"] == task.id.hex


def _png() -> bytes:
    import io

    from PIL import Image  # imported here: one test of this file needs it
    out = io.BytesIO()
    Image.new("RGB", (3, 2)).save(out, "PNG")
    return out.getvalue()


def test_a_read_that_is_broken_off_says_so_and_the_next_one_works(place):
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"
    with worlds.make(place) as store:
        ended = threading.Event()

        def stop() -> None:
            while not ended.wait(0.05):
                store.stop_reads()

        stopping = threading.Thread(target=stop)
        stopping.start()
        try:
            with pytest.raises(Refused) as fault, store.read() as session:
                session.execute(text(endless))
            assert fault.value.code == "stopped"
            with store.write() as session:  # a look aside in a write is left alone
                for _ in range(20):
                    assert store.protocol.id
                    session.execute(text("SELECT count(*) FROM item"))
        finally:
            ended.set()
            stopping.join()
        with store.read() as session:
            assert session.execute(text("SELECT count(*) FROM item")).scalar() == 4
