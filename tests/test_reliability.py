"""What was acknowledged is there after the program was killed, and the kill test would see it if it were not."""

from __future__ import annotations

import json
import random
import shutil

import pytest

from tests import reliability


def test_nothing_acknowledged_is_lost_over_thirty_kills(tmp_path):
    report = reliability.run(30, folder=tmp_path)
    assert report.kills == 30
    assert (report.lost, report.integrity, report.doctor_faults) == (0, "ok", [])
    assert report.found == report.acknowledged > 30, "the children were killed before they could save much"
    assert report.extra <= 30


def test_the_kill_test_sees_what_a_lying_disk_loses(tmp_path):
    project, before = tmp_path / "kills.goldsmith", tmp_path / "before"
    reliability.make(project, n_items=60)
    shutil.copytree(project, before)
    chance, acknowledged = random.Random(1), set()
    while len(acknowledged) < 2:
        acknowledged |= reliability.kill_one(project, "ana", chance)

    report = reliability.Report(kills=1)
    assert reliability.look(project, report, acknowledged, set(), whole=True) >= acknowledged
    assert report.found == len(acknowledged) and not report.lost

    unsaid = reliability.Report(kills=1)
    reliability.look(project, unsaid, set(), set(), whole=True)
    assert not unsaid.ok, "more than one answer that nobody was told of is a fault"

    shutil.rmtree(project)
    before.rename(project)
    report = reliability.Report(kills=1)
    reliability.look(project, report, acknowledged, set(), whole=True)
    assert (report.lost, report.found, report.ok) == (len(acknowledged), 0, False)


def test_the_command_reports_in_json(capsys):
    assert reliability.main(["--kills", "2", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert set(report) == {"kills", "acknowledged", "found", "lost", "extra", "integrity", "doctor_faults"}
    assert report["kills"] == 2


def test_no_kills_is_no_test():
    with pytest.raises(SystemExit) as end:
        reliability.main(["--kills", "0"])
    assert end.value.code == 2
