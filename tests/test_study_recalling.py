"""Undo of what was done to studies after a restart: by their verbs in the trail, and by keys on the page."""

from __future__ import annotations

import subprocess
import sys

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLineEdit

import studies.recalling  # noqa: F401 - what is tested, as the window loads it
from annotation import undo
from annotation.errors import Refused
from annotation.store.opening import open_store
from studies import keeping, registering, sittings
from tests import study_world as world
from tests.conftest import ROOT
from tests.study_world import a_store, a_study, view  # noqa: F401 - fixtures
from tests.test_studies_page import sat, studies_page, words
from tests.windows import opened, wait


def recent(store, handle="eve"):
    with store.read() as session:
        return [(done.label, done.undo) for done in undo.recent(session, world.who(session, handle), store.device)]


def labels(store):
    return [label for label, _ in recent(store)]


def take_back(store):
    last = recent(store)[-1][1]
    with store.write() as session:
        undo.apply(session, last, person=world.who(session))


def deed(store, verb, *said, **more):
    with store.write() as session:
        verb(session, *said, by=world.who(session), **more)


def test_a_study_that_was_kept_or_taken_out_is_recalled_until_somebody_sits_for_it(store, study, place):
    assert labels(store) == ["Add study"]
    deed(store, keeping.remove, study)
    assert labels(store) == ["Remove study"]
    take_back(store)
    assert labels(store) == ["Add study"], "once, though it was added twice"
    take_back(store)
    assert labels(store) == ["Remove study"]
    with store.read() as session:
        assert sittings.studies(session) == ()
    take_back(store)
    world.begin(store, study)
    assert labels(store) == []


def test_a_registered_study_stays(store, study):
    deed(store, registering.register, study)
    assert labels(store) == []


def test_the_end_of_a_sitting_is_recalled_where_somebody_ended_it_and_not_where_it_ended(store, study, place):
    done, off = world.sit(store, study), world.begin(store, study)
    world.end(store, off.id, "aborted")
    assert labels(store) == [], "they ended by themselves"
    deed(store, keeping.end, done.id, "excluded", "asleep")
    assert labels(store) == ["End sitting"]
    deed(store, keeping.end, done.id, "withdrawn", "asked for it")
    assert labels(store) == ["End sitting"], "the first cannot be taken back before the second"
    take_back(store)
    assert view(store, study).state == "excluded" and labels(store) == []
    deed(store, keeping.end, off.id, "withdrawn", "")
    take_back(store)
    assert view(store, study, 1).state == "aborted"


def test_a_participant_who_was_withdrawn_comes_back_with_all_sittings_as_they_were(store, study, place):
    first = world.sit(store, study)
    world.sit(store, study, pilot=True, participant=first.participant)
    deed(store, keeping.withdraw, first.participant, reason="asked for it")
    assert labels(store) == ["Withdraw participant"], "not each of the sittings"
    take_back(store)
    assert {view(store, study, n).state for n in (0, 1)} == {"completed"} and labels(store) == []
    assert world.begin(store, study)


def test_what_others_built_on_since_is_refused_then(store, study):
    done = [world.sit(store, study) for _ in range(2)]
    deed(store, keeping.end, done[0].id, "excluded", "asleep")
    again = world.begin(store, study)
    assert again.plan.number == done[0].plan.number
    with pytest.raises(Refused, match="given to somebody else since"):
        take_back(store)


FRESH = """\
import sys
from annotation import people
from annotation.store.opening import open_store
from app.jobs import _recent
with open_store(sys.argv[1]) as store, store.read() as session:
    labels = [done.label for done in _recent(session, people.find(session, "eve").id)]
    print(labels, "studies.recalling" in sys.modules)
"""


@pytest.mark.parametrize("kept", [True, False])
def test_a_new_program_finds_them_and_loads_nothing_of_studies_where_there_are_none(tmp_path, kept):
    with world.make(tmp_path / "P.goldsmith") as store:
        if kept:
            world.add(store)
    done = subprocess.run([sys.executable, "-c", FRESH, str(tmp_path / "P.goldsmith")], capture_output=True, text=True,
                          check=True, cwd=ROOT)
    assert done.stdout.split() == (["['Add", "study']", "True"] if kept else ["[]", "False"])


def test_after_a_restart_ctrl_z_takes_an_exclusion_back(tmp_path, qtbot):
    world.make(tmp_path / "P.goldsmith").close()
    study = sat(tmp_path / "P.goldsmith", 2)
    with opened(tmp_path / "P.goldsmith") as window:
        page = studies_page(window)
        page.show_section(1)
        page.findChild(QLineEdit, "studies:reason").setText("asleep")
        page.findChild(QAbstractButton, "studies:exclude").click()
        wait(window)
        assert "1 excluded" in words(page)
    with opened(tmp_path / "P.goldsmith") as window:
        qtbot.waitUntil(lambda: window.jobs().undo_label == "End sitting")
        window.activateWindow()
        QTest.keyClick(window, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
        wait(window)
        assert "2 of 4 completed" in words(studies_page(window))
    with open_store(tmp_path / "P.goldsmith") as store, store.read() as session:
        assert {one.state for one in sittings.of_study(session, study)} == {"completed"}
