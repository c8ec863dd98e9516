"""A sitting whose program is killed within a trial: nothing acknowledged is lost, and it goes on from there."""

from __future__ import annotations

import csv
from collections import Counter

import pytest

from annotation import doctor
from annotation.store.opening import open_store
from exports.studies.writing import write_study
from studies import checking, sittings
from studies.facts import Event, TrialRecord
from studies.trial_run import POINTS
from tests import study_kills as kills
from tests import study_world as world


@pytest.mark.parametrize(("by", "points"), [
    ("KILL", ("key_down", "before_ack")), *(pytest.param(by, POINTS, marks=pytest.mark.slow) for by in kills.SIGNALS)])
def test_a_sitting_killed_at_points_of_a_trial_loses_nothing_and_is_ended_by_resuming(tmp_path, by, points):
    """psychopy#1562, #890 (lost unless it ends well); jsPsych#3573, lab.js#227 (a crash loses the sitting)."""
    project = tmp_path / "P.goldsmith"
    with world.make(project, n=2 * len(points)) as store:
        study = world.add(store, kills.STUDY)
    acknowledged: dict[int, str] = {}
    shown_again = 0
    for turn, point in enumerate(points):
        life = kills.live(project, study, point=point, by=by, resume=turn > 0)
        assert life.code == -kills.SIGNALS[by], life.words
        assert life.points[-1] == point and life.points.count(point) == kills.AFTER
        assert ("resume" in life.points) == (turn > 0), "who comes back is instructed again"
        acknowledged |= life.acknowledged
        view, facts = kills.facts_of(project, study)
        assert (view.state, view.in_results) == ("open", False)
        _all_there(acknowledged, facts)
        shown_again += point != "feedback"  # by then the trial was kept

    life = kills.live(project, study, resume=True)
    assert (life.code, life.ended) == (0, "completed"), life.words
    acknowledged |= life.acknowledged
    view, facts = kills.facts_of(project, study)
    _all_there(acknowledged, facts)
    assert len(acknowledged) == len(facts)
    assert (view.state, view.done, view.planned) == ("completed", 2 * len(points), 2 * len(points))
    assert "resumed" in view.flags
    trials = [fact for fact in facts if isinstance(fact, TrialRecord)]
    assert set(Counter((one.block, one.position) for one in trials).values()) == {1}, "what is done is not done again"
    assert sum(isinstance(fact, Event) and fact.kind == "started" for fact in facts) == len(points) + 1
    again = [one for one in trials if one.attempt > 1]
    assert len(again) == shown_again and all(one.quality["resumed"] for one in again), "a second look is marked"

    with open_store(project) as store, store.read() as session:
        assert checking.faults(session) == [] and doctor.doctor(store)["faults"] == []
        write_study(session, study, tmp_path / "out")
        plan = sittings.plan_of(session, view.id)
    with (tmp_path / "out" / "trials.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == sum(len(block.trials) for block in plan.blocks)
    first_life = kills.AFTER - 1
    said = [row["resumed"] for row in rows]
    assert len(set(said[:first_life])) == len(set(said[first_life:])) == 1 and said[0] != said[-1]


def _all_there(acknowledged, facts):
    kept = {number: kills.sha256(fact) for number, fact in enumerate(facts)}
    lost = [number for number, told in acknowledged.items() if kept.get(number) != told]
    assert not lost, f"acknowledged and not there: {lost}"
    assert acknowledged, "it was killed before it could save anything"
