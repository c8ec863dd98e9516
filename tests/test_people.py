"""People, roles, rights and pages; the doctor's and the status's words."""

from __future__ import annotations

import io
import struct
import zlib

import pytest
from PIL import Image
from sqlalchemy import text

from annotation import doctor, people, protocol, rights, status, undo
from annotation.errors import NotAllowed, Refused, Unknown
from annotation.store import media as media_file
from annotation.store.media import Media
from annotation.version import VERSION
from tests import worlds
from tests.conftest import ROOT
from tests.worlds import answer, who


@pytest.fixture
def store(place):
    with worlds.make(place) as made:
        yield made


def test_handles_are_unique_whatever_their_capitals_and_how_they_are_composed(store):
    with store.write() as session:
        demo = who(session, "demo")
        people.add(session, "Jörg", name=" Jörg K. ", roles=["verifier", "annotator"], by=demo)
        for taken in ("jörg", "Jo\u0308rg", "ANA"):
            with pytest.raises(Refused, match="already"):
                people.add(session, taken, by=demo)
        found = people.find(session, "Jo\u0308rg")
        assert (found.handle, found.name, found.roles, found.shown) == (
            "Jörg", "Jörg K.", ("annotator", "verifier"), "Jörg K.")


@pytest.mark.parametrize(("handle", "more", "fault"), [
    ("", {}, Refused), ("two words", {}, Refused), ("-x", {}, Refused), ("x" * 65, {}, Refused),
    ("ok", {"roles": ["boss"]}, Unknown), ("ok", {"kind": "ghost"}, Unknown)])
def test_what_is_no_handle_role_or_kind_is_refused(store, handle, more, fault):
    before = store.content_sha256()
    with pytest.raises(fault), store.write() as session:
        people.add(session, handle, by=who(session, "demo"), **more)
    assert store.content_sha256() == before


def test_roles_change_and_come_back_and_the_last_owner_stays(store):
    with store.write() as session:
        demo, ana = who(session, "demo"), who(session, "ana")
        done = people.set_roles(session, "ana", add=["researcher"], remove=["annotator"], by=demo)
        assert people.find(session, "ana").roles == ("researcher",)
        undo.apply(session, done.undo, person=demo)
        assert people.find(session, "ana").roles == ("annotator",)
        with pytest.raises(NotAllowed):
            people.set_roles(session, "ana", add=["owner"], by=ana)
        for act in (lambda: people.set_roles(session, "demo", remove=["owner"], by=demo),
                    lambda: people.set_active(session, "demo", active=False, by=demo)):
            with pytest.raises(Refused, match="only owner"):
                act()


def test_a_new_person_can_be_taken_out_again_until_work_has_begun(store):
    with store.write() as session:
        demo = who(session, "demo")
        done = people.add(session, "dora", roles=["annotator"], by=demo)
        undo.apply(session, done.undo, person=demo)
        with pytest.raises(Unknown):
            people.find(session, "dora")
        done = people.add(session, "dora", roles=["annotator"], by=demo)
    answer(store, "dora")
    with pytest.raises(Refused, match="has begun to work"), store.write() as session:
        undo.apply(session, done.undo, person=who(session, "demo"))


def test_nobody_named_is_the_only_owner_or_nobody(store):
    with store.write() as session:
        assert people.acting(session, None).handle == "demo" and people.acting(session, "ben").handle == "ben"
        with pytest.raises(Unknown, match="ana, ben, cem, demo") as fault:
            people.acting(session, "zoe")
        assert fault.value.exit_code == 2
        people.set_active(session, "ben", active=False, by=who(session, "demo"))
        with pytest.raises(NotAllowed, match="any more"):
            people.acting(session, "ben")
        people.set_roles(session, "ana", add=["owner"], by=who(session, "demo"))
        with pytest.raises(NotAllowed, match="--as HANDLE"):
            people.acting(session, None)


FLOW = "stages: [annotate, verify, adjudicate, sign], people_per_item: 2, adjudicate: {role: physician}"


@pytest.mark.parametrize(("roles", "pages"), [
    (["annotator"], "home work answers preferences"),
    (["verifier"], "home work answers preferences"),
    (["physician"], "home work answers adjudicate preferences"),  # the protocol's adjudicate.role
    (["researcher"], "home work answers adjudicate items agreement gold score studies people protocol preferences"),
    (["owner"], "home work answers adjudicate items agreement gold score studies people protocol audit preferences"),
    ([], "home preferences")])
def test_who_sees_which_page(roles, pages):
    assert " ".join(rights.pages(roles, protocol=protocol.loads(worlds.text(FLOW)))) == pages


def test_only_the_protocols_role_signs_and_an_owner_does_not():
    said = protocol.loads(worlds.text(FLOW))
    assert rights.may(["physician"], "sign", protocol=said) and not rights.may(["owner"], "sign", protocol=said)
    assert rights.stages_of(["owner"], said) == ("adjudicate",)
    assert rights.stages_of(["owner"], said, vacant=["annotator"]) == ("annotate", "adjudicate")
    assert set(rights.RIGHTS) >= {"annotate", "verify", "adjudicate", "sign", "release", "import", "roles"}


# --- status and doctor ---------------------------------------------------------------------------

def test_status_says_where_the_project_stands(place):
    flow = "stages: [annotate, adjudicate], people_per_item: 2"
    with worlds.make(place, worlds.text(flow), n=3) as store:
        for handle, colours in (("ana", ("red", "red")), ("ben", ("red", "blue"))):
            for colour in colours:
                answer(store, handle, colour)
        with store.read() as session:
            said = status.status(session)
        assert said["items"] == {"total": 3, "active": 3, "stale": 0, "withdrawn": 0}
        assert said["stages"] == {
            "annotate": {"items": 3, "waiting": 0, "open": 1, "done": 2, "judgements": 4},
            "adjudicate": {"items": 2, "waiting": 1, "open": 1, "done": 0, "judgements": 0}}
        assert said["adjudication"] == {"due": 1, "done": 0}
        assert (said["gold"]["items"], said["gold"]["values"], said["signed"], said["flags"]) == (1, 1, 0, 0)
        assert said["content_sha256"] == store.content_sha256()
        assert [(p["handle"], p["submitted"]) for p in said["people"]] == [
            ("ana", 2), ("ben", 2), ("cem", 0), ("demo", 0)]


def test_the_doctor_finds_a_changed_answer_and_a_broken_chain(place):
    with worlds.make(place, n=1) as store:
        answer(store, "ana")
        assert doctor.doctor(store)["faults"] == []
        with store.write() as session:
            for table in ("revision", "event"):
                session.execute(text(f"DROP TRIGGER keep_{table}_update" if store.folder is not None else
                                     f"ALTER TABLE {table} DISABLE TRIGGER ALL"))
            session.execute(text("UPDATE revision SET answers_json = '{\"colour\":{\"v\":\"blue\"}}'"))
            session.execute(text("UPDATE event SET verb = 'x' WHERE seq = 2"))
        report = doctor.doctor(store)
        assert (report["integrity"], report["events"]["chain"], report["revisions"]) == ("faults", "broken", 1)
        assert {fault["code"] for fault in report["faults"]} == {"integrity", "chain", "cache"}


def test_the_version_stored_with_answers_is_the_packages():
    assert f'version = "{VERSION}"' in (ROOT / "pyproject.toml").read_text("utf-8")


# --- media ---------------------------------------------------------------------------------------

def picture(kind: str = "PNG", size: tuple[int, int] = (40, 30)) -> bytes:
    out = io.BytesIO()
    Image.effect_noise(size, 90).convert("RGB").save(out, kind)
    return out.getvalue()


def bomb(width: int, height: int) -> bytes:
    """A PNG of a few bytes that says it is this large."""
    def chunk(name: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"0")) + chunk(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "TIFF"])
def test_a_picture_is_kept_byte_for_byte_under_its_hash(tmp_path, kind):
    media, data = Media(tmp_path / "media"), picture(kind)
    (tmp_path / "in").write_bytes(data)
    put, again = media.put(tmp_path / "in"), media.put(data, name="again")
    assert (put.sha256, put.width, put.height, put.mime) == (again.sha256, 40, 30, f"image/{kind.lower()}")
    assert media.path(put.sha256).read_bytes() == data and media.exists(put.sha256)
    assert media.path(put.sha256).relative_to(tmp_path / "media").parts[0] == put.sha256[:2]


@pytest.mark.parametrize(("data", "words"), [
    (b"", "is empty"), (b"no picture at all" * 9, "no picture"), (picture("JPEG")[:-400], "truncated"),
    (picture("PNG")[:-300], "cannot be read"), (picture("WEBP")[:-300], "cannot be read"),
    (bomb(20_000, 20_000), "pixels"), (bomb(60_000, 60_000), "pixels"), (bomb(500, 500), "cannot be read")])
def test_what_is_no_whole_picture_is_refused_and_not_kept(tmp_path, data, words):
    media = Media(tmp_path / "media")
    with pytest.raises(Refused, match=words) as fault:
        media.put(data, name="bild.png")
    assert fault.value.code == "unreadable_media" and "bild.png" in str(fault.value)
    assert not (tmp_path / "media").exists() or list((tmp_path / "media").rglob("*")) == []
    assert media_file.PIXEL_LIMIT == 200_000_000


def test_a_path_is_made_of_a_hash_and_nothing_else(tmp_path):
    for trick in ("../../etc/passwd", "a" * 63 + "/", "A" * 64, ""):
        with pytest.raises(ValueError, match="not a SHA-256"):
            Media(tmp_path).path(trick)
